import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.js";

const { document } = openPage(
  '<input id="the-link" value="https://a.example/1"><button data-copies="the-link" data-done="Done" data-failed="Failed" hidden>Copy</button>',
);
const field = document.getElementById("the-link");
const button = document.querySelector("button");
const browser = { written: "", selected: 0, old: true };
field.focus = () => {};
field.select = () => browser.selected += 1;
document.execCommand = (/** @type {string} */ what) => what === "copy" && browser.old;
const offer = (clipboard) =>
  Object.defineProperty(globalThis, "navigator", { value: { clipboard }, configurable: true });
offer(undefined);
const { copy } = await import("../../static/js/copying.js");

test("the button is there with the script, and the field selects its text", () => {
  assert.equal(button.hidden, false);
});

test("over https the link goes to the clipboard", async () => {
  offer({ writeText: (text) => browser.written = text });
  assert.equal(await copy(field), true);
  assert.deepEqual([browser.written, browser.selected], ["https://a.example/1", 1]);
});

test("over plain http, or where the clipboard is refused, the selection is copied", async () => {
  for (const clipboard of [undefined, { writeText: () => Promise.reject(new Error("not allowed")) }]) {
    offer(clipboard);
    browser.selected = 0;
    assert.equal(await copy(field), true);
    assert.equal(browser.selected, 1);
  }
  browser.old = false;
  assert.equal(await copy(field), false);
});
