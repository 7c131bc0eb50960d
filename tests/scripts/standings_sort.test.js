import assert from "node:assert/strict";
import { test } from "node:test";

import { fire, openPage } from "./page.js";

const ROWS = `<tbody>
  <tr id="a"><td>1</td><th>Đorđević</th><td>2410</td><td>6<i>½</i></td><td>–</td></tr>
  <tr id="b"><td>2</td><th>Adams</th><td></td><td>6<i></i></td><td>2501</td></tr>
  <tr id="c"><td>3</td><th>Zhu</th><td>2600</td><td>½</td><td>2499</td></tr>
  <tr id="d"><td>3</td><th>Berg</th><td>2500</td><td>6</td><td>2501</td></tr></tbody>`;
const TABLE = `<table data-sorts><thead><tr><th data-sort="place">Pl</th><th data-sort="name">Name</th>
  <th data-sort="rating">Rating</th><th data-sort="points">Points</th><th data-sort="ARO"><abbr>ARO</abbr></th></tr></thead>${ROWS}</table>`;
const { document, $ } = openPage(`<html lang="en"><div id="standings">${TABLE}</div></html>`);
globalThis.location = { href: "https://hall.example/open/a/standings/?q=x&sort=-points", search: "?q=x&sort=-points" };
globalThis.history = {
  state: null,
  replaceState: (_state, _title, address) => {
    globalThis.location = { href: String(address), search: address.search };
  },
};
const { numberIn, sorted } = await import("../../static/js/standings_sort.js");

const order = () => document.querySelectorAll("tbody tr").map((row) => row.id).join("");
const marks = () => document.querySelectorAll("th[data-sort]").map((head) => head.getAttribute("aria-sort")).join();
const press = (column) => fire($(`[data-sort=${column}] button`), "click");

test("values with fractions, dashes and empty cells are read as numbers", () => {
  assert.deepEqual(["4½", " ½ ", "20.167", "15¾", "−3"].map(numberIn), [4.5, 0.5, 20.167, 15.75, -3]);
  assert.deepEqual(["", "–"].map(numberIn), [NaN, NaN]);
});

test("equal values stay in the order of the places, and missing ones are last in both directions", () => {
  assert.deepEqual(sorted(["5", "–", "7", "5"], false), [2, 0, 3, 1]);
  assert.deepEqual(sorted(["5", "–", "7", "5"], true), [0, 3, 2, 1]);
});

test("the order of the address is there at once, and its head says so", () => {
  assert.equal(order(), "cbda");
  assert.equal(marks(), ",,,ascending,");
});

test("a press sorts by the column, the next one turns the order, and the address keeps both", () => {
  press("rating");
  assert.equal(order(), "cdab");
  assert.equal(marks(), ",,descending,,");
  assert.equal(location.search, "?q=x&sort=rating");
  press("rating");
  assert.equal(order(), "adcb");
  assert.equal(location.search, "?q=x&sort=-rating");
  press("name");
  assert.equal(order(), "bdac");
  press("ARO");
  assert.equal(order(), "bdca");
});

test("the list that a refresh brings has the same order, and the focus stays on its head", () => {
  const fresh = new DOMParser().parseFromString(`<body>${TABLE.replace("<td>2499</td>", "<td>2800</td>")}</body>`);
  $("[data-sort=rating] button").focus();
  fire(document, "htmx:beforeSwap");
  $("table").replaceWith(fresh.querySelector("table"));
  fire(document, "htmx:afterSettle");
  assert.equal(order(), "cbda");
  assert.equal(document.activeElement, $("[data-sort=rating] button"));
  assert.equal(document.querySelectorAll("button").length, 5);
});

test("the column of places brings the true order back, and leaves the address", () => {
  press("place");
  assert.equal(order(), "abcd");
  assert.equal(location.search, "?q=x");
});
