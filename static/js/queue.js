// The queue of registrations by keyboard: j and k go to the next and the former row, x chooses it, and the letters on the
// buttons decide about the chosen rows, or about the row that has the focus. A button that asks for something goes there first.

import { all, elementOf } from "./dom.js";
import { lettersOn } from "./keys.js";

/**
 * Return the row to go to. A list has an end: beyond it, the row stays.
 * @param {number} from -1 if no row has the focus
 * @param {number} count
 * @param {"j" | "k"} key
 */
export const nextRow = (from, count, key) => Math.max(0, Math.min(count - 1, from + (key === "j" ? 1 : -1)));

/** @type {() => HTMLInputElement[]} */
const boxes = () => /** @type {HTMLInputElement[]} */ (all(document, 'input[name="chosen"]'));

let decided = false; // a decision was made just before, and nobody has gone to another row since

let waiting = /** @type {HTMLElement | null} */ (null); // the button whose field was asked for: Enter there presses it

/** @param {KeyboardEvent} event */
export function press(event) {
  const typing = event.target instanceof Element &&
    event.target.matches("input:not([type=checkbox]), select, textarea");
  if (event.key === "Enter" && waiting && event.target === document.getElementById(waiting.dataset.asks ?? "")) {
    event.preventDefault();
    return waiting.click();
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !lettersOn()) return;
  const rows = boxes();
  const here = rows.findIndex((box) => box === document.activeElement);
  if (event.key === "j" || event.key === "k") {
    decided = false;
    rows[nextRow(here, rows.length, event.key)]?.focus();
  } else if (event.key === "x" && here >= 0) {
    rows[here].checked = !rows[here].checked;
  } else {
    const control = all(document, "[data-queue]").find((each) => each.dataset.queue === event.key);
    if (!control) return;
    const ofLast = decided && control.dataset.queue === "u"; // the row with the focus is the next one
    if (!rows.some((box) => box.checked) && here >= 0 && !ofLast) rows[here].checked = true;
    const asked = control.dataset.asks ? document.getElementById(control.dataset.asks) : null;
    const missing = asked?.matches("select") || (asked && !(/** @type {HTMLInputElement} */ (asked).value));
    waiting = missing ? control : null;
    const around = missing ? asked?.closest("details") : null; // a field under More
    if (around) around.open = true;
    if (missing) asked?.focus();
    else if (control.matches("button")) control.click();
    else control.focus();
  }
  event.preventDefault();
}

/**
 * Return where the row stood that was decided about, and forget it. -1: nothing was decided just before.
 * @param {string | null} stored
 */
export const placeOf = (stored) => (stored !== null && /^\d{1,4}$/.test(stored) ? Number(stored) : -1);

const PLACE = "registrations-row";

/** The page comes anew after a decision. The focus goes where the row stood, so that the next one is a key away. */
export function focusNext() {
  const place = placeOf(sessionStorage.getItem(PLACE));
  sessionStorage.removeItem(PLACE);
  if (place < 0) return;
  const rows = boxes();
  decided = true;
  (rows[Math.min(place, rows.length - 1)] ?? document.getElementById("nothing"))?.focus();
}

document.addEventListener("submit", (event) => {
  if (elementOf(event)?.id !== "queue") return;
  const rows = boxes();
  const first = rows.findIndex((box) => box.checked);
  sessionStorage.setItem(PLACE, String(Math.max(0, first)));
});
document.addEventListener("keydown", press);
focusNext();
