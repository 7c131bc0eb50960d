import assert from "node:assert/strict";
import { test } from "node:test";

import { folded, found } from "../../static/js/folding.js";
import names from "./names.json" with { type: "json" };

for (const [name, plain] of names) {
  test(`"${name}" is folded to "${plain}"`, () => {
    assert.equal(folded(name), plain);
  });
}

test("each word of a search must begin a word of the row, and a number must be a whole word", () => {
  const key = ` 12 ${folded("Szűcs-Baranyai, Örs")} `;
  const searches = ["szucs", "ors bara", "ranyai", "12", "1", "szucs 3"];
  assert.deepEqual(searches.map((search) => found(key, search.split(" "))), [true, true, false, true, false, false]);
  assert.equal(found(key, []), true);
});
