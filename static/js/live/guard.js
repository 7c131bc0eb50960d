// A press that was meant for another control. After live.js has changed the page, a tap or key does nothing for a moment if
// it would reach a control that has only just come there, and the page says so.

import { all, dataOf } from "../dom.js";

const GUARD = 450; // milliseconds after a change
const SHOWN = 4000; // milliseconds for which the page says that a press did nothing
const REFUSED = "data-refused";
const CONTROLS = "a[href], button, summary, input, select, textarea";

/** @typedef {{ box: DOMRect, x: number, y: number }} Place where a control was, and how far the page was scrolled */

let until = 0;
let places = /** @type {Map<string, Place>} */ (new Map()); // by name of the control
let keys = /** @type {Map<string, string>} */ (new Map()); // the name of the control that the key pressed
let hiding = 0;

/**
 * Return a name that identifies a control on this page and on the next. Each row of a list has buttons that post to another
 * address, or that name the player in hidden words.
 * @param {Element} control
 */
export function nameOf(control) {
  const { form, name } = /** @type {HTMLButtonElement} */ (control);
  const own = control.getAttribute("formaction");
  return [
    control.localName,
    control.id,
    own ?? control.getAttribute("href") ?? form?.getAttribute("action") ?? "",
    name ?? "",
    own ? "" : control.getAttribute("value") ?? "",
    control.matches("summary") ? control.textContent : control.querySelector(".sr")?.textContent ?? "",
  ].join("|");
}

/**
 * Return the control in `scope` that has this name.
 * @param {ParentNode} scope
 * @param {string} name
 */
export const byName = (scope, name) => all(scope, CONTROLS).find((control) => nameOf(control) === name);

/**
 * Return where the controls are and what the keys press, before a change.
 * @param {ParentNode} root
 */
export function look(root) {
  const [placesNow, keysNow] = [new Map(), new Map()];
  for (const control of all(root, CONTROLS)) {
    placesNow.set(nameOf(control), { box: control.getBoundingClientRect(), x: scrollX, y: scrollY });
    const { key, keyAlso } = control.dataset;
    for (const each of [key, keyAlso]) if (each && !keysNow.has(each)) keysNow.set(each, nameOf(control));
  }
  return { places: placesNow, keys: keysNow };
}

/**
 * Begin to guard: the page has just changed.
 * @param {ReturnType<typeof look>} before
 */
export function guard(before) {
  until = performance.now() + GUARD;
  ({ places, keys } = before);
}

/** End the guard: who types after a change moves rows by a search, and means where they are now. */
export function seen() {
  until = 0;
}

/** @type {(box: DOMRect, x: number, y: number) => boolean} */
const inside = (box, x, y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;

/**
 * At the same place of the screen, or of the page if it was scrolled since.
 * @param {Place} place
 * @param {MouseEvent} event
 */
const covers = ({ box, x, y }, event) =>
  inside(box, event.clientX, event.clientY) || inside(box, event.clientX + scrollX - x, event.clientY + scrollY - y);

/**
 * Return whether the control in `root` has only just come under the finger.
 * @param {MouseEvent} event
 * @param {Element | null} root
 */
export function slipped(event, root) {
  if (!event.isTrusted || !event.detail || performance.now() > until) return false;
  const control = /** @type {Element} */ (event.target).closest(CONTROLS);
  if (!control || !root?.contains(control)) return false;
  const before = places.get(nameOf(control));
  return !before || !covers(before, event);
}

/**
 * Return whether the key has only just come to mean another control. Then the key does nothing, and the page says so.
 * @param {KeyboardEvent} event
 * @param {Element} control
 */
export function moved(event, control) {
  const before = keys.get(event.key) ?? keys.get(event.key.toLowerCase());
  if (performance.now() > until || !before || before === nameOf(control)) return false;
  refuse(event, "moved", control);
  return true;
}

/**
 * Refuse a press. A live page says why, and the control that was not pressed has a border.
 * @param {Event} event
 * @param {"moved" | "soon"} [why] moved: the page has just changed. soon: the button is new on the page
 * @param {Element | null} [control]
 */
export function refuse(event, why = "moved", control = /** @type {Element} */ (event.target)?.closest?.(CONTROLS)) {
  event.preventDefault();
  forget();
  control?.setAttribute(REFUSED, "");
  const box = document.getElementById("live-moved");
  const words = document.getElementById("live-words");
  if (!box || !words) return;
  box.textContent = dataOf(words)[why];
  box.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    box.hidden = true;
    box.textContent = "";
    forget();
  }, SHOWN);
}

function forget() {
  for (const former of all(document, `[${REFUSED}]`)) former.removeAttribute(REFUSED);
}
