// Links that are shown once, in fields that cannot be changed: the field selects its text, and the button beside it copies it.
// Browsers have navigator.clipboard only over https or on this computer. Elsewhere they copy the selection.

import { byId, dataOf, forEachComing } from "./dom.js";

/**
 * Select the text of the field and copy it. Return whether the browser did.
 * @param {HTMLInputElement} field
 */
export async function copy(field) {
  field.focus();
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy"); // no clipboard here, or not allowed
  }
}

forEachComing("[data-copies]", (button) => {
  const { copies, done, failed } = dataOf(button);
  const field = byId(copies, HTMLInputElement);
  field.addEventListener("focus", () => field.select());
  button.addEventListener("click", async () => {
    button.textContent = (await copy(field)) ? done : failed;
  });
  button.hidden = false;
}, HTMLButtonElement);
