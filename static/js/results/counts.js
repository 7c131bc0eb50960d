// The lines beside the list that say what is left to do: missing results, clashes, what waits in the queue, what went wrong.

import { all, byId } from "../dom.js";
import { counted, fill, listed } from "../texts.js";
import { words } from "./words.js";

/** @typedef {import("./moves.js").Moves} Moves */
/** @typedef {import("./row.js").Row} Row */

export const adjournedGames = (/** @type {Row[]} */ rows) => rows.filter((row) => row.value === "adj").length;

/**
 * Show what went wrong beside the keys, which are always in view; "" hides it.
 * @param {string} text
 */
export function warn(text) {
  const warning = byId("warning");
  if (warning.textContent !== text) warning.textContent = text;
  warning.hidden = !text;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {number} value
 */
function number(form, name, value) {
  for (const place of all(form, `[data-count=${name}]`)) place.textContent = String(value);
}

/**
 * Count the boards and what is queued, and show it.
 * @param {object} options
 * @param {HTMLFormElement} options.form
 * @param {Row[]} options.rows
 * @param {Moves} options.moves
 * @param {boolean} options.single the page has one board only
 * @param {boolean} options.verify the second pass: slips are read again
 * @param {Row | null} options.current the current board
 * @param {(row: Row) => boolean} options.isListed a board that the filter of missing results shows
 * @param {(row: Row) => boolean} options.isToVerify a board whose slip must be read again
 */
export function showCounts({ form, rows, moves, single, verify, current, isListed, isToVerify }) {
  const queue = moves.queue;
  const missing = rows.filter((row) => row.missing).length;
  const doubted = rows.filter((row) => row.twoResults);
  number(form, "missing", rows.filter(isListed).length);
  number(form, "clashes", doubted.filter((row) => !row.asked).length);
  const at = byId("clash-at"); // in a long list the clash may be out of view
  at.hidden = single || doubted.length === 0 || doubted.every((row) => row === current || row.asked);
  const clashing = doubted.filter((row) => !row.asked).map((row) => row.board);
  at.textContent = fill(words.clashat, { n: listed(clashing, words.comma) });
  const adjourned = adjournedGames(rows);
  const total = Number(form.dataset.total ?? rows.length);
  const full = adjourned && !single
    ? counted(words.fullexcept, { entered: total - adjourned, total, n: adjourned })
    : adjourned
    ? words.adjourned
    : words.full;
  const left = [{ word: words.unread, n: rows.filter(isToVerify).length }, { word: words.left, n: missing }];
  const todo = listed(left.filter(({ n }) => n).map(({ word, n }) => counted(word, { n })), words.comma);
  byId("left").textContent = todo ||
    (doubted.length ? counted(words.tosettle, { n: doubted.length }) : verify ? words.read : full);
  for (const each of all(form, "[data-adjourned]")) {
    each.hidden = (each.dataset.adjourned === "yes") === rows.every((row) => row.closed);
  }
  const onward = document.getElementById("onward");
  if (onward) {
    onward.hidden = missing > 0 || doubted.length > 0 || queue.length > 0;
    onward.classList.toggle("go", !onward.hidden);
  }
  const pill = byId("queue");
  const trouble = queue.shut !== "" || queue.waiting > 0;
  const away = !moves.kept.works ? words.volatile : queue.why ? words.failing : words.waiting;
  pill.hidden = queue.length === 0;
  pill.textContent = counted(queue.shut ? words.kept : queue.waiting ? away : words.sending, {
    n: queue.length,
    why: queue.why,
  });
  pill.classList.toggle("bad", trouble);
  if (queue.shut) warn(words[queue.shut]);
  byId("log-in").hidden = queue.shut === "";
}
