import assert from "node:assert/strict";
import { test } from "node:test";

import { money } from "../../static/js/desk/rows.js";

test("an amount has two decimals, and the mark of the language of the page", () => {
  assert.equal(money(1005, "en"), "10.05");
  for (const language of ["de", "es", "fr", "nl", "pl", "ru", "uk"]) {
    assert.equal(money(100005, language), "1000,05");
    assert.equal(money(2000, language), "20,00");
  }
});
