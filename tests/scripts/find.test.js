import assert from "node:assert/strict";
import { test } from "node:test";

import { fire, openPage } from "./page.js";

const { document, $ } = openPage(`
  <form class="find" data-list="players"><input name="q"><p data-found="Found:"></p></form>
  <div id="players"><p data-nothing hidden>Nobody</p>
    <table id="one"><tr id="l" data-find=" 1 zmijewski lukasz "></tr><tr id="b" data-find=" 2 odegard bjorn "></tr></table>
    <table id="two"><tr id="d" data-find=" 12 dordevic doko "></tr></table></div>
  <form class="find" data-list="partial"><input name="q" value="lu"></form>
  <div id="partial"><p id="left" data-find=" lukasz "></p></div>
  <form class="find" data-list="again"><input name="q"></form>
  <div id="again"><p data-find=" jan "></p><p data-find=" ann "></p></div>`);
const [, partial, again] = document.querySelectorAll("input");
again.value = "jan"; // the browser kept it over a reload
partial.value = "bjorn";
await import("../../static/js/find.js");

const search = $("input");
const shown = () => document.querySelectorAll("#players [data-find]").filter((row) => !row.hidden).map((row) => row.id);
function type(text) {
  search.value = text;
  fire(search, "input");
}

test("words that the browser kept over a reload filter at once", () => {
  assert.deepEqual($("#again").children.map((row) => row.hidden), [false, true]);
});

test("Enter stays on the page and leaves the field", () => {
  search.focus();
  assert.equal(fire($("form"), "submit").defaultPrevented, true);
  assert.equal(document.activeElement, document.body);
});

test("letters with and without accents find the same rows", () => {
  for (
    const [text, rows] of [["lukasz", ["l"]], ["Łukasz", ["l"]], ["Ødegård", ["b"]], ["doko", ["d"]], ["ĐOKO", ["d"]]]
  ) {
    type(text);
    assert.deepEqual(shown(), rows, text);
  }
});

test("tables without a row are hidden, and the number of rows is shown", () => {
  type("1");
  assert.deepEqual(shown(), ["l"]);
  assert.deepEqual([$("#one").hidden, $("#two").hidden, $("[data-nothing]").hidden], [false, true, true]);
  assert.equal($("[data-found]").textContent, "Found: 1");
  type("nobody");
  assert.deepEqual([shown().length, $("#one").hidden, $("[data-nothing]").hidden], [0, true, false]);
  type("");
  assert.deepEqual([shown().length, $("#two").hidden, $("[data-found]").textContent], [3, false, ""]);
});

test("a list that came from the server is filtered again", () => {
  type("lukasz");
  $("#l").hidden = false;
  $("#b").hidden = false;
  fire(document, "htmx:afterSettle");
  assert.deepEqual(shown(), ["l"]);
});

test("a list that the server has filtered is left to the server", () => {
  fire(partial, "input");
  fire(document, "htmx:afterSettle");
  assert.equal($("#left").hidden, false);
  assert.equal(fire(document.querySelectorAll("form")[1], "submit").defaultPrevented, false);
});
