import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, press } from "./page.js";

const { document, $ } = openPage(`<main><form>
  <input type="checkbox" name="chosen" id="a"><input type="checkbox" name="chosen" id="b">
  <input id="reason"><input id="q" data-queue="/">
  <button type="button" id="accept" data-queue="a"></button>
  <button type="button" id="refuse" data-queue="r" data-asks="reason"></button></form></main>`);
const { focusNext, nextRow, placeOf } = await import("../../static/js/queue.js");

test("j and k stay within the list", () => {
  assert.deepEqual([nextRow(-1, 3, "j"), nextRow(0, 3, "j"), nextRow(2, 3, "j"), nextRow(0, 3, "k")], [0, 1, 2, 0]);
});

test("a decides about the row with the focus, and x chooses it", () => {
  let clicks = 0;
  $("#accept").addEventListener("click", () => clicks++);
  press(document.body, "j");
  press($("#a"), "j");
  assert.equal(document.activeElement, $("#b"));
  press($("#b"), "a");
  assert.deepEqual([clicks, $("#a").checked, $("#b").checked], [1, false, true]);
  press($("#b"), "x");
  assert.equal($("#b").checked, false);
});

test("a refusal asks for its reason first, and letters typed there do nothing", () => {
  let clicks = 0;
  $("#refuse").addEventListener("click", () => clicks++);
  $("#b").focus();
  press($("#b"), "r");
  assert.equal(document.activeElement, $("#reason"));
  $("#reason").value = "Too late";
  press($("#reason"), "r");
  assert.equal(clicks, 0);
  press($("#reason"), "Enter");
  assert.equal(clicks, 1);
});

test("after a decision the focus goes to the row that stands there now", () => {
  assert.deepEqual([placeOf("1"), placeOf(null), placeOf("x")], [1, -1, -1]);
  sessionStorage.setItem("registrations-row", "7");
  focusNext();
  assert.equal(document.activeElement, $("#b"));
  assert.equal(sessionStorage.getItem("registrations-row"), null);
});
