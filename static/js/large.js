// Large print: a choice of the reader, kept on this device. Links to paper then lead to sheets in large print.

import { around, forEachComing } from "./dom.js";

const NAME = "large-print";
const root = document.documentElement;

/** Whether the reader has chosen it before. A browser may refuse its storage. */
function chosen() {
  try {
    return localStorage.getItem(NAME) !== null;
  } catch {
    return false;
  }
}

/** @param {boolean} large */
function keep(large) {
  try {
    if (large) localStorage.setItem(NAME, "1");
    else localStorage.removeItem(NAME);
  } catch {
    // It holds until the next page.
  }
}

/** @param {boolean} large */
function show(large) {
  if (large) root.dataset.large = "on";
  else delete root.dataset.large;
  document.getElementById("large-print")?.setAttribute("aria-pressed", String(large));
}

/**
 * Return the address of the same sheets in large print. Sheets of a chosen size stay as they are.
 * @param {string} address
 */
export function inLargePrint(address) {
  const url = new URL(address);
  if (!url.searchParams.has("paper")) url.searchParams.set("paper", "large");
  return url.href;
}

forEachComing("#large-print", (button) => {
  show(chosen());
  button.hidden = false;
}, HTMLButtonElement);
document.addEventListener("click", (event) => {
  if (around(event, "#large-print")) {
    const large = !root.dataset.large;
    keep(large);
    show(large);
  }
  const link = around(event, "a", HTMLAnchorElement);
  if (link?.href.includes("/print/") && root.dataset.large) link.href = inLargePrint(link.href);
});
