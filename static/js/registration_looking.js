// Who else has a registration open: the page asks every few seconds, and the answer names them by the key of the
// registration. The question says on which row its own person works. data-looked: the key of a registration, where it says who.

import { all, dataOf, elementOf } from "./dom.js";

const EVERY = 5000; // milliseconds between two questions, a tenth more or less, so that not all ask at once
const SLOW = 30000; // while the server does not answer

let mark = ""; // of the answer that the page shows
let row = ""; // the key of the row on which the person works
let timer = 0;

/**
 * Return the address to ask.
 * @param {string} page
 * @param {string} at the key of a row, "" for none
 * @param {string} seen
 */
export const question = (page, at, seen) => `${page}?${new URLSearchParams({ row: at, seen })}`;

/**
 * Show who else has which registration open.
 * @param {Record<string, string>} words by the key of the registration
 */
export function show(words) {
  for (const place of all(document, "[data-looked]")) {
    const text = words[dataOf(place).looked] ?? "";
    if (place.textContent !== text) place.textContent = text;
    place.hidden = !text;
  }
}

/** @param {number} delay */
function later(delay) {
  clearTimeout(timer);
  timer = setTimeout(ask, delay * (0.9 + Math.random() / 5));
}

export async function ask() {
  clearTimeout(timer);
  if (document.hidden) return later(EVERY);
  try {
    const address = question(location.pathname, row, mark);
    const answer = await fetch(address, { headers: { "HX-Request": "true" }, cache: "no-store" });
    if (answer.redirected || [401, 403, 404].includes(answer.status)) return; // the right or the registration is gone
    if (answer.status === 200) {
      const found = await answer.json();
      mark = found.mark;
      show(found.rows);
    }
    later(answer.ok ? EVERY : SLOW);
  } catch {
    later(SLOW);
  }
}

document.addEventListener("focusin", (event) => {
  const place = elementOf(event)?.closest("tr")?.querySelector("[data-looked]");
  if (!place || dataOf(/** @type {HTMLElement} */ (place)).looked === row) return;
  row = dataOf(/** @type {HTMLElement} */ (place)).looked;
  later(500);
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) ask();
});
ask();
