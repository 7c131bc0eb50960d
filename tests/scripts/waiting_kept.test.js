import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { deviceName, forgetOld, Kept } from "../../static/js/waiting_on_devices/kept.js";
import { openPage } from "./page.js";

let stored;
const item = (game, more = {}) => ({ game, kind: "record", value: "1-0", typed: 100, round: "31", ...more });
const games = (items) => items.map((each) => each.game);
const refuse = (error) => {
  globalThis.localStorage = {
    getItem: () => null,
    setItem: () => {
      throw new Error(error);
    },
  };
};

beforeEach(() => {
  ({ stored } = openPage(""));
});

test("an entry has the person, the round, the game and the kind in its name", () => {
  new Kept("7").put(item("41"));
  assert.deepEqual([...stored], [["evenboard:typed:7:31:41:record", JSON.stringify(item("41"))]]);
});

test("all entries of a person come back in the order of typing, of every round, and none of another person", () => {
  const kept = new Kept("7");
  kept.put(item("1", { typed: 102 }));
  kept.put(item("2", { typed: 101 }));
  kept.put(item("1", { kind: "confirm", typed: 103 }));
  kept.put(item("9", { round: "3", typed: 99 }));
  new Kept("77").put(item("8"));
  assert.deepEqual([games(kept.all()), games(kept.ofOthers())], [["9", "2", "1", "1"], ["8"]]);
  assert.deepEqual(games(new Kept("").ofOthers()), ["9", "8", "2", "1", "1"]); // where nobody is logged in
});

test("a newer entry of another tab is neither dropped nor marked", () => {
  const kept = new Kept("7");
  kept.put(item("1", { typed: 200 }));
  kept.drop(item("1", { typed: 100 }));
  kept.note(item("1", { typed: 100 }), { decide: true });
  assert.deepEqual(kept.read(item("1")), item("1", { typed: 200 }));
  kept.note(item("1", { typed: 200 }), { refusal: { status: 404 } });
  assert.deepEqual(kept.all()[0].refusal, { status: 404 });
  kept.drop(item("1", { typed: 200 }));
  assert.equal(kept.read(item("1")), null);
});

test("entries of others are deleted one by one, and never those of this person", () => {
  const kept = new Kept("7");
  kept.put(item("1"));
  new Kept("8").put(item("1"));
  new Kept("8").put(item("2", { typed: 101 }));
  kept.forgetOthers([item("1")]);
  assert.deepEqual([games(kept.all()), games(kept.ofOthers())], [["1"], ["2"]]);
});

test("without storage the entries count as held, because only the open page has them", () => {
  refuse("full");
  const kept = new Kept("7");
  kept.put(item("1"));
  assert.deepEqual([kept.works, kept.read(item("1")), kept.all(), deviceName()], [false, item("1"), [], ""]);
});

test("storage that becomes full is noticed", () => {
  const kept = new Kept("7");
  assert.equal(kept.works, true);
  refuse("full");
  kept.put(item("1"));
  assert.equal(kept.works, false);
});

test("an entry that is no JSON counts as no entry", () => {
  stored.set("evenboard:typed:7:31:1:record", "{");
  assert.deepEqual(new Kept("7").all(), []);
});

test("the browser keeps its name", () => {
  const name = deviceName();
  assert.match(name, /^[\d-]{7,43}$/);
  assert.equal(deviceName(), name);
});

test("two tabs send results of one game one after another, and the later one knows the version of the earlier one", () => {
  let now = 1_000_000;
  Date.now = () => now;
  const [one, other] = [0.25, 0.75].map((tab) => Object.assign(new Kept("7"), { tab }));
  assert.deepEqual([one.begin("41"), other.begin("41"), other.begin("42"), one.begin("41")], [0, null, 0, 0]);
  one.end("41", 5);
  assert.equal(other.begin("41"), 5);
  now += 16_000; // the tab was closed meanwhile
  assert.deepEqual([one.begin("41"), new Kept("8").begin("41")], [5, 0]);
  one.end("41", 6);
  now += 60_000;
  assert.equal(one.begin("41"), 0);
  one.end("41", 0);
  forgetOld(now);
  assert.deepEqual([...stored.keys()].filter((key) => key.includes(":7:41")), []);
});
