import assert from "node:assert/strict";
import { test } from "node:test";

import { excerpt, MOST, ready, search } from "../../static/js/manual/search.js";
import { kindOf } from "../../static/js/worker/rules.js";

const passages = ready([
  { at: "pairing/#pairing", chapter: "Pairing", title: "Pairing", text: "Press P. A bye is worth a point." },
  { at: "byes/#ask", chapter: "Byes", title: "A player asks for a bye", text: "Choose the round." },
  { at: "byes/#naive", chapter: "Byes", title: "Late", text: "A naïve word: Szűcs." },
]);

test("the words must begin words of the passage, and a heading with the words comes first", () => {
  const found = (/** @type {string} */ typed) => search(passages, typed).map(({ at }) => at);
  assert.deepEqual(found("bye"), ["byes/#ask", "byes/#naive", "pairing/#pairing"]);
  assert.deepEqual(found("bye point"), ["pairing/#pairing"]);
  assert.deepEqual(found("SZUCS naive"), ["byes/#naive"]);
  assert.deepEqual([found("oint"), found("  "), found("castle")], [[], [], []]);
  assert.deepEqual(found("bye castle"), found("bye"), "a word that the manual does not have hides nothing");
  assert.deepEqual(found("asking rounds"), ["byes/#ask"], "other forms of a word find it too");
  const many = ready(Array.from({ length: 40 }, (_, at) => ({ at: `${at}`, chapter: "C", title: "bye", text: "" })));
  assert.equal(search(many, "bye").length, MOST);
});

test("the part of a passage that is shown begins with the sentence of the word", () => {
  assert.equal(excerpt("Press P. A bye is worth a point.", "bye"), "A bye is worth a point.");
  assert.equal(excerpt("word ".repeat(100), "word").length < 170, true);
});

test("the worker knows the pages of the manual in every language, and its index", () => {
  const kind = (/** @type {string} */ path, mode = "navigate") =>
    kindOf({ url: `https://chess.example${path}`, method: "GET", mode }, "https://chess.example");
  assert.deepEqual(["/site/manual/", "/de/site/manual/byes/"].map((path) => kind(path)), ["manual", "manual"]);
  assert.equal(kind("/site/manual/index.json", "cors"), "manual");
  assert.deepEqual(["/site/kept/", "/open/site/manual/"].map((path) => kind(path)), ["page", "page"]);
});
