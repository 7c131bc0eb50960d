import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Kept } from "../../static/js/results/kept.js";
import { openPage } from "./page.js";

let stored;
const item = (game, more = {}) => ({ game, kind: "record", value: "1-0", typed: 100, round: "31", ...more });

beforeEach(() => {
  ({ stored } = openPage(""));
});

test("an entry has the person, the round, the game and the kind in its name", () => {
  new Kept("7", "31").put(item("41"));
  assert.deepEqual([...stored], [["evenboard:typed:7:31:41:record", JSON.stringify(item("41"))]]);
});

test("all entries of the round come back in the order of typing, and none of another round or person", () => {
  const kept = new Kept("7", "31");
  kept.put(item("1", { typed: 102 }));
  kept.put(item("2", { typed: 101 }));
  kept.put(item("1", { kind: "confirm", typed: 103 }));
  new Kept("7", "3").put(item("9", { round: "3" }));
  new Kept("77", "31").put(item("8"));
  assert.deepEqual(kept.all().map((each) => [each.game, each.kind]), [["2", "record"], ["1", "record"], [
    "1",
    "confirm",
  ]]);
});

test("a newer entry of another tab is not dropped", () => {
  const kept = new Kept("7", "31");
  kept.put(item("1", { typed: 200 }));
  kept.drop(item("1", { typed: 100 }));
  assert.equal(kept.holds(item("1")), true);
  kept.drop(item("1", { typed: 200 }));
  assert.equal(kept.holds(item("1")), false);
});

test("entries of this person for other rounds are found and can be forgotten", () => {
  const kept = new Kept("7", "31");
  kept.put(item("1"));
  new Kept("7", "30").put(item("2", { round: "30" }));
  new Kept("7", "30").put(item("3", { round: "30", typed: 99 }));
  new Kept("8", "30").put(item("4", { round: "30" }));
  const elsewhere = kept.elsewhere();
  assert.deepEqual([...elsewhere].map(([prefix, items]) => [prefix, items.map((each) => each.game)]), [[
    "evenboard:typed:7:30:",
    ["3", "2"],
  ]]);
  kept.forget("evenboard:typed:7:30:");
  assert.equal(kept.elsewhere().size, 0);
  assert.equal(stored.size, 2);
});

test("without storage the entries count as held, because only the open page has them", () => {
  globalThis.localStorage = {
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
  };
  const kept = new Kept("7", "31");
  kept.put(item("1"));
  assert.deepEqual([kept.works, kept.holds(item("1")), kept.all()], [false, true, []]);
});

test("storage that is switched off is noticed at once, and storage that is full when it is", () => {
  const { localStorage } = globalThis;
  globalThis.localStorage = {
    setItem: () => {
      throw new Error("off");
    },
  };
  assert.equal(new Kept("7", "31").works, false);
  globalThis.localStorage = localStorage;
  const kept = new Kept("7", "31");
  assert.equal(kept.works, true);
  globalThis.localStorage = {
    setItem: () => {
      throw new Error("full");
    },
  };
  kept.put(item("1"));
  assert.equal(kept.works, false);
});

test("an entry that is no JSON counts as no entry", () => {
  const kept = new Kept("7", "31");
  stored.set("evenboard:typed:7:31:1:record", "{");
  assert.deepEqual([kept.all(), kept.holds(item("1"))], [[], false]);
});
