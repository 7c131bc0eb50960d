import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.js";

openPage("");
const { clock, roundDays } = await import("../../static/js/new_section.js");

test("a time is read as people type it", () => {
  for (const typed of ["16:30", "16.30", "1630", " 16h30 "]) assert.equal(clock(typed), "16:30");
  assert.deepEqual(["9.30", "930", "9", "24:00", "9:75", ""].map(clock), ["09:30", "09:30", "09:00", "", "", ""]);
});

test("days are filled down from the first one", () => {
  const three = { first: "2026-11-21", every: 1, at: "1000, 14.00 18:00", rounds: 4 };
  assert.deepEqual(roundDays(three).map((each) => each.join(" ")), [
    "2026-11-21 10:00",
    "2026-11-21 14:00",
    "2026-11-21 18:00",
    "2026-11-22 10:00",
  ]);
  const weekly = { first: "2026-11-28", every: 7, at: "19", rounds: 2 };
  assert.deepEqual(roundDays(weekly), [["2026-11-28", "19:00"], ["2026-12-05", "19:00"]]);
  assert.deepEqual(roundDays({ ...weekly, at: "25" }), []);
  assert.deepEqual(roundDays({ ...weekly, first: "" }), []);
});
