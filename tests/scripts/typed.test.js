import assert from "node:assert/strict";
import { test } from "node:test";

import { isYounger, keyOf, putBack, taken } from "../../static/js/typed.js";

const form = () => [
  { name: "stamp", type: "hidden", value: "new" },
  { name: "section", type: "radio", value: "1", checked: true },
  { name: "section", type: "radio", value: "2", checked: false },
  { name: "name", type: "text", value: "" },
  { name: "title", type: "select-one", value: "" },
  { name: "rating", type: "text", value: "1815" },
  { name: "byes", type: "checkbox", value: "3", checked: false },
];

test("what was typed is put back, except hidden fields and what the server has filled", () => {
  const typed = form();
  typed[0].value = "old";
  [typed[1].checked, typed[2].checked] = [false, true];
  [typed[3].value, typed[4].value, typed[5].value, typed[6].checked] = ["Lovelace, Ada", "WGM", "1700", true];
  const shown = form();
  putBack(shown, JSON.parse(JSON.stringify(taken(typed))));
  assert.deepEqual(shown.map((field) => field.checked ?? field.value), [
    "new",
    false,
    true,
    "Lovelace, Ada",
    "WGM",
    "1815",
    true,
  ]);
});

test("a form is the same in every language", () => {
  assert.equal(keyOf("/de/open/-/register/"), keyOf("/open/-/register/"));
  assert.notEqual(keyOf("/de/-/register/"), keyOf("/open/-/register/"));
  assert.equal(keyOf("/de/-/register/"), "evenboard:form:/de/-/register/");
});

test("somebody is a minor until the birthday", () => {
  assert.equal(isYounger("2010-10-17", "2028-10-17", 18), false);
  assert.equal(isYounger("2010-10-18", "2028-10-17", 18), true);
  assert.equal(isYounger("", "2028-10-17", 18), false);
  assert.equal(isYounger("1971-03-04", "2028-10-17", 18), false);
});
