import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.js";

const { document, stored } = openPage("");
document.cookie = "";
const { forget, notedSeat, noteSeat, people, remember, remembers, takeOver } = await import(
  "../../static/js/followed_players.js"
);
const anna = { key: "12", name: "Anna", me: true };
const bert = { key: "13", name: "Bert", me: false };

test("players are remembered for each section, and me is the first", () => {
  remember("5", bert);
  remember("5", anna);
  assert.deepEqual([people("5"), people("6")], [[anna, bert], []]);
  forget("5", "13");
  assert.deepEqual(people("5"), [anna]);
  forget("5", "12");
  assert.deepEqual([people("5"), stored.size], [[], 0]);
});

test("another player who is me: the one before is still followed", () => {
  remember("5", anna);
  remember("5", { ...bert, me: true });
  assert.deepEqual(people("5"), [{ ...bert, me: true }, { ...anna, me: false }]);
});

test("a noted game is shown by a page of that time, and not by one that was kept later and could not ask", () => {
  noteSeat("6", "/open/b/seat/12/ B, Round 4", "<tr></tr>");
  noteSeat("6", "/open/b/seat/13/ B, Round 4", "<td></td>");
  const now = Date.now();
  assert.equal(notedSeat("6", "/open/b/seat/12/ B, Round 4", now + 1000), "<tr></tr>");
  assert.equal(notedSeat("6", "/open/b/seat/12/ B, Round 5", now), undefined);
  assert.equal(notedSeat("6", "/open/b/seat/12/ B, Round 4", now + 120_000), undefined);
  forget("6", "12");
  assert.equal(notedSeat("6", "/open/b/seat/12/ B, Round 4", now), undefined);
  assert.equal(notedSeat("6", "/open/b/seat/13/ B, Round 4", now), "<td></td>");
  forget("6", "13");
  assert.equal(stored.has("seats-6"), false);
});

test("what somebody else wrote is no player", () => {
  for (const text of ["{", "7", '[null, {"key": "1 OR 1"}, {"key": 0}]']) {
    stored.set("players-7", text);
    assert.deepEqual(people("7"), [], text);
  }
});

test("the cookie of earlier versions is taken over once", () => {
  document.cookie = "a=1; me-8=44; b=2";
  takeOver("8");
  assert.deepEqual(people("8"), [{ key: "44", name: "", me: true }]);
  assert.match(document.cookie, /^me-8=; Max-Age=0;/);
  document.cookie = "me-9=x44";
  takeOver("9");
  assert.deepEqual(people("9"), []);
});

test("a browser without storage remembers nothing", () => {
  assert.equal(remembers(), true);
  globalThis.localStorage = {
    getItem() {
      throw new Error("blocked");
    },
    setItem() {
      throw new Error("blocked");
    },
  };
  remember("5", anna);
  assert.deepEqual([remembers(), people("5")], [false, []]);
});
