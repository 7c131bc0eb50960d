import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.js";

openPage("");
const { clock, pastEnd, roundDays } = await import("../../static/js/new_section.js");

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

test("a round after the last day of the event is warned of, with the rounds a day that end in time", () => {
  const days = ["2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24", "2026-11-25"];
  assert.deepEqual(pastEnd(days, "2026-11-21"), { number: 2, day: "2026-11-22", count: 5 });
  assert.deepEqual(pastEnd(days, "2026-11-22"), { number: 3, day: "2026-11-23", count: 3 });
  assert.deepEqual(pastEnd(days, "2026-11-20"), { number: 1, day: "2026-11-21", count: 0 });
  assert.equal(pastEnd(days, "2026-11-25"), null);
  assert.equal(pastEnd(["", ""], "2026-11-20"), null);
});
