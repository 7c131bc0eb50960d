import assert from "node:assert/strict";
import { test } from "node:test";

import { search } from "../../static/js/manual/search.js";
import { kindOf } from "../../static/js/worker/rules.js";

const passage = (/** @type {string} */ at, /** @type {string} */ title, /** @type {string} */ text) => ({
  at,
  title,
  text,
  chapter: "C",
  language: "en",
});
const index = {
  passages: [
    passage("pairing/#pairing", "Pairing", "Press P. A bye is worth a point."),
    passage("byes/#ask", "A player asks for a bye", "Choose the round."),
    passage("byes/#late", "Late", "A naïve word: Szűcs."),
  ],
  words: { ask: [1, 8], bye: [0, 1, 1, 8], naiv: [2, 1], pair: [0, 8], player: [1, 8], point: [0, 1], szuc: [2, 1] },
  little: "a for how",
  endings: "ing|e|s",
};
const found = (/** @type {string} */ typed) => search(index, typed).map(({ at }) => at);

test("words in any order, their other forms, and one wrong letter find a passage, and a heading comes first", () => {
  assert.deepEqual(found("bye"), ["byes/#ask", "pairing/#pairing"]);
  assert.deepEqual(found("how players for byes"), ["byes/#ask"]);
  assert.deepEqual(found("SZUCS naive"), ["byes/#late"]);
  assert.deepEqual([found("plyaer"), found("plaxer"), found("playerr")], Array(3).fill(["byes/#ask"]));
  assert.deepEqual([found("oint"), found("  "), found("castle")], [["pairing/#pairing"], [], []]);
  assert.deepEqual(found("bye castle"), found("bye"), "a word that the manual does not have hides nothing");
  assert.equal(search(index, "point")[0]?.text, "A bye is worth a point.");
});

test("the worker knows the pages of the manual in every language, and its index", () => {
  const kind = (/** @type {string} */ path, mode = "navigate") =>
    kindOf({ url: `https://chess.example${path}`, method: "GET", mode }, "https://chess.example");
  assert.deepEqual(["/site/manual/", "/de/site/manual/byes/"].map((path) => kind(path)), ["manual", "manual"]);
  assert.equal(kind("/site/manual/index.json", "cors"), "manual");
  assert.deepEqual(["/site/kept/", "/open/site/manual/"].map((path) => kind(path)), ["page", "page"]);
});
