import assert from "node:assert/strict";
import { test } from "node:test";

import { folded } from "../../static/js/folding.js";
import { latinForm, matching, spellings } from "../../static/js/spelling.js";
import table from "./spellings.json" with { type: "json" };

// As find_key() of web/views/public/lists.py writes it.
const keyOf = (name) => {
  const words = name.toLowerCase().normalize("NFC").match(/[\p{L}\p{N}\p{M}]+/gu);
  return ` ${[folded(name), ...words.filter((word) => spellings(word).length && word !== folded(word))].join(" ")} `;
};
const keys = table.names.map(keyOf);

for (const [typed, places] of table.searches) {
  test(`"${typed}" finds ${places.map((place) => table.names[place]).join(" and ") || "nobody"}`, () => {
    assert.deepEqual(matching(keys, typed).hits.flatMap((hit, place) => (hit ? [place] : [])), places);
  });
}

for (const [name, latin] of table.latin) {
  test(`the Latin form of ${name} is ${latin || "not proposed"}`, () => {
    assert.equal(latinForm(name), latin);
  });
}

test("a number must be a whole word, and signs alone find everybody", () => {
  assert.deepEqual(matching([" 12 weiss ", " 1 weiss "], "1").hits, [false, true]);
  assert.deepEqual(matching([" 12 weiss ", " 1 weiss "], " ,- ").hits, [true, true]);
});
