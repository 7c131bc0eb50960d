import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.js";

const { document, $ } = openPage(`<main><span id="a" data-looked="7" hidden></span>
  <span id="b" data-looked="8">Bea has it open</span></main>`);
globalThis.fetch = () => Promise.reject(new Error("no network"));
const { question, show } = await import("../../static/js/registration_looking.js");

test("the question says on which row the person works and what the page shows", () => {
  assert.equal(question("/open/-/registration/", "7", "abc"), "/open/-/registration/?row=7&seen=abc");
});

test("each row names who has it open, and nobody when they have left", () => {
  show({ 7: "Ada has it open", 9: "Eve has it open" });
  assert.deepEqual([$("#a").textContent, $("#a").hidden, $("#b").textContent, $("#b").hidden], [
    "Ada has it open",
    false,
    "",
    true,
  ]);
  assert.ok(!document.body.textContent.includes("Eve"));
});
