import assert from "node:assert/strict";
import { test } from "node:test";

import { counted, fill, listed } from "../../static/js/texts.js";

test("names in braces get their values, and a name without a value leaves nothing", () => {
  assert.equal(fill("{b} and {a}, {b}{c}", { a: 1, b: "{a}" }), "{a} and 1, {a}");
});

test("a counted text has one form in some languages", () => {
  const forms = JSON.stringify([["{n} de {total}"], [[0, 0]]]);
  assert.deepEqual([0, 1, 7, 300].map((n) => counted(forms, { n, total: 9 })), [
    "0 de 9",
    "1 de 9",
    "7 de 9",
    "300 de 9",
  ]);
});

test("English has another form for one alone", () => {
  const forms = JSON.stringify([["{n} marks", "{n} mark"], [[0, 0], [1, 1], [2, 0]]]);
  assert.deepEqual([0, 1, 2, 101, 201].map((n) => counted(forms, { n })), [
    "0 marks",
    "1 mark",
    "2 marks",
    "101 marks",
    "201 marks",
  ]);
});

test("a form that comes again in each hundred comes in all hundreds", () => {
  // Slovenian: 1 and 101, 2 and 102, 3 and 4, all others
  const starts = [[0, 3], [1, 0], [2, 1], [3, 2], [5, 3], [101, 0], [102, 1], [103, 2], [105, 3]];
  const forms = JSON.stringify([["one", "two", "few", "many"], starts]);
  assert.deepEqual([1, 2, 4, 5, 99, 100, 101, 104, 200, 201, 302, 511].map((n) => counted(forms, { n })), [
    ..."one two few many many many one few many one two many".split(" "),
  ]);
});

test("a list is joined as the language joins it", () => {
  assert.deepEqual([[], ["a"], [1, 2, 3]].map((items) => listed(items, "{last} ، {first}")), ["", "a", "3 ، 2 ، 1"]);
});
