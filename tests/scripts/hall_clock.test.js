import assert from "node:assert/strict";
import { test } from "node:test";

import { countdown, largeClock, timeLeft } from "../../static/js/hall_clock.js";

const words = { begins: "Play begins in", begun: "Play has begun" };
const MINUTE = 60_000;

test("the time left is written in minutes and seconds, with hours only if there are any", () => {
  assert.deepEqual([9001, 5 * MINUTE, 65 * MINUTE, -1].map(timeLeft), ["0:10", "5:00", "1:05:00", "0:00"]);
});

test("a countdown says that play has begun, for ten minutes", () => {
  const to = 1_000_000;
  assert.equal(countdown(0, to, words), null);
  assert.deepEqual(countdown(to, to - MINUTE, words), { words: words.begins, time: "1:00" });
  assert.deepEqual(countdown(to, to, words), { words: words.begun, time: "" });
  assert.equal(countdown(to, to + 10 * MINUTE + 1, words), null);
});

test("the large clock has the countdown, then the next round of the schedule, then the time of day", () => {
  const starts = [{ at: 100 * MINUTE, words: "Round 4 begins in" }, { at: 200 * MINUTE, words: "Round 5 begins in" }];
  const set = { words: words.begins, time: "3:00" };
  assert.deepEqual(largeClock(set, starts, 150 * MINUTE, "14:10"), set);
  assert.deepEqual(largeClock(null, starts, 150 * MINUTE, "14:10"), { words: "Round 5 begins in", time: "50:00" });
  assert.deepEqual(largeClock(null, starts, 200 * MINUTE, "15:00"), { words: "", time: "15:00" });
});

test("a round on another day is no reason to count down", () => {
  const tomorrow = [{ at: 1441 * MINUTE, words: "Round 6 begins in" }];
  assert.deepEqual(largeClock(null, tomorrow, 0, "20:00"), { words: "", time: "20:00" });
});
