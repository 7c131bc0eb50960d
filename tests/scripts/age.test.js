import assert from "node:assert/strict";
import { test } from "node:test";

import { age, nextChange } from "../../static/js/age.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const AT = new Date(2026, 10, 20, 14, 52, 30).getTime();
const forms = (one, many) => JSON.stringify([[many, one], [[0, 0], [1, 1], [2, 0]]]);
const WORDS = {
  now: "From {time}.",
  minutes: forms("From {time}: {n} minute.", "From {time}: {n} minutes."),
  hours: forms("From {time}: {n} hour.", "From {time}: {n} hours."),
  days: forms("From {time}: {n} day.", "From {time}: {n} days."),
};
const after = (passed, language = "en") => age(AT, AT + passed, WORDS, language);

test("the sentence says the time and the age in whole minutes, hours or days", () => {
  assert.deepEqual([0, 59_999, MINUTE, 23.9 * MINUTE, 60 * MINUTE, 9 * HOUR].map((passed) => after(passed)), [
    "From 14:52.",
    "From 14:52.",
    "From 14:52: 1 minute.",
    "From 14:52: 23 minutes.",
    "From 14:52: 1 hour.",
    "From 14:52: 9 hours.",
  ]);
});

test("on another day the sentence says the day too, in the language of the page", () => {
  assert.deepEqual([after(47 * HOUR), after(48 * HOUR), after(48 * HOUR, "de")], [
    "From Nov 20, 14:52: 47 hours.",
    "From Nov 20, 14:52: 2 days.",
    "From 20. Nov., 14:52: 2 days.",
  ]);
});

test("a clock that was set back makes no page younger than now", () => {
  assert.equal(after(-HOUR), "From 14:52.");
});

test("the sentence changes with each minute of the age", () => {
  assert.deepEqual([0, 1, MINUTE, 90_000, -5].map((passed) => nextChange(AT, AT + passed)), [
    MINUTE,
    MINUTE - 1,
    MINUTE,
    MINUTE / 2,
    MINUTE,
  ]);
});
