import assert from "node:assert/strict";
import { test } from "node:test";

import { fire, openPage } from "./page.js";

const { document, $ } = openPage(
  `<button id="large-print" aria-pressed="false" hidden>Large print</button>
  <a class="btn" href="https://hall.example/open/a/print/standings/2/">Print</a>`,
);
localStorage.setItem("large-print", "1");
const { inLargePrint } = await import("../../static/js/large.js");
const button = $("#large-print");
const root = document.documentElement;

test("the choice of this device holds on every page", () => {
  assert.deepEqual([root.dataset.large, button.getAttribute("aria-pressed"), button.hidden], ["on", "true", false]);
});

test("a link to paper then leads to sheets in large print", () => {
  fire($("a"), "click");
  assert.equal($("a").href, "https://hall.example/open/a/print/standings/2/?paper=large");
  assert.equal(inLargePrint("https://hall.example/x/?paper=a3"), "https://hall.example/x/?paper=a3");
});

test("another tap ends it", () => {
  fire(button, "click");
  assert.deepEqual([root.dataset.large, button.getAttribute("aria-pressed")], [undefined, "false"]);
  assert.equal(localStorage.getItem("large-print"), null);
  fire(button, "click");
  assert.equal(localStorage.getItem("large-print"), "1");
});
