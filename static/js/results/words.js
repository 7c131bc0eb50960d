// The sentences of the page, translated by the server, and the signs of results.

import { byId, dataOf } from "../dom.js";

export const words = { ...dataOf(byId("waiting-words")), ...dataOf(byId("words")) };

const menu = /** @type {HTMLSelectElement | null} */ (document.querySelector("select[data-game]"));
const signs = new Map([...(menu?.options ?? [])].map((option) => [option.value, option.text]));

/**
 * Return how the page shows the result.
 * @param {string | undefined} value
 */
export const sign = (value) => (value ? signs.get(value) ?? value : words.empty);

const announcer = byId("announcer");

/**
 * Show the sentence in the bar of keys and read it to screen readers.
 * @param {string} text
 */
export function announce(text) {
  announcer.textContent = text;
}
