// Keys: data-key names the key that presses a control. `g` and a letter go to a tab. `?` opens the list of the keys of
// this page. Conventions for pages: docs/keyboard.md.

import { all, around, dataOf, elementOf, one } from "./dom.js";
import { hasSections, toSection } from "./frame.js";
import { moved, refuse } from "./live/guard.js";

const TYPING =
  "select, textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=button], [type=submit])";
const OWN_ENTER = `${TYPING}, input, button, a, summary`; // controls with an Enter and a space bar of their own
/** @type {Record<string, string>} */
const SIGNS = { Escape: "Esc", Delete: "Del", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };
const SECOND_KEY = 1500; // milliseconds after g
const since = new WeakMap(); // [data-key-after] control -> since when it is on the page
let going = 0;
let opener = /** @type {HTMLElement | null} */ (null);

/** @type {() => HTMLDialogElement | null} */
const sheet = () => document.querySelector("dialog#help") ?? document.querySelector("dialog#keys-sheet");
const isLetter = (/** @type {string} */ key) => key.length === 1 && key !== " ";

// Whether single letters work as keys on this device.
export function lettersOn() {
  try {
    return localStorage.getItem("result-keys") !== "off";
  } catch {
    return true; // storage is switched off
  }
}

/**
 * Return the controls that can be pressed now. While a dialog is open, only those in it.
 * @param {string} kind
 */
function controls(kind) {
  const scope = document.querySelector("dialog[open]") ?? document;
  return all(scope, `[data-${kind}]`).filter(
    (each) => !each.matches(":disabled, [aria-disabled=true]") && each.checkVisibility() && !each.closest("[inert]"),
  );
}

const keysOf = (/** @type {HTMLElement} */ control) =>
  [control.dataset.key, control.dataset.keyAlso].flatMap((key) => key || []);

/** @param {KeyboardEvent} event */
function controlOf(event) {
  const here = controls("key");
  const pressedBy = (/** @type {string} */ key) => here.find((each) => keysOf(each).includes(key));
  const exact = pressedBy(event.key);
  if (exact || event.shiftKey || !isLetter(event.key)) return exact;
  return pressedBy(event.key.toLowerCase()); // with the caps lock on
}

/** @param {HTMLElement} control */
function use(control) {
  if (!control.matches(TYPING)) return control.click();
  control.focus();
  if ("select" in control) /** @type {HTMLInputElement} */ (control).select();
}

/**
 * Whether the key is pressed with another one, so that it is for the browser. AltGr is part of typing a sign, as Option is on a
 * Mac: on German and French keyboards the brackets need it.
 * @param {KeyboardEvent} event
 */
export function isChord(event) {
  const types = event.getModifierState?.("AltGraph") || (event.altKey && "[]".includes(event.key));
  return event.metaKey || ((event.ctrlKey || event.altKey) && !types);
}

/** @param {KeyboardEvent} event */
const rest = (event) => event.defaultPrevented || isChord(event) || event.repeat || event.isComposing;

/**
 * The section to which the key leads; null if it is no such key.
 * @param {KeyboardEvent} event
 */
function sectionOf({ key, shiftKey }) {
  if (!hasSections() || document.querySelector("dialog[open]")) return null;
  if (key === "[" || (shiftKey && key === "ArrowUp")) return "before";
  return key === "]" || (shiftKey && key === "ArrowDown") ? "after" : null;
}

// Those of the menu count also while it is closed.
const tabs = () => (document.querySelector("dialog[open]") ? [] : all(document, "[data-go]"));

// Remember since when each [data-key-after] control is on the page: a key may press it only after a while. Players see
// published pairings at once, so a key that was meant for the control before must not publish.
function notice() {
  for (const each of all(document, "[data-key-after]")) if (!since.has(each)) since.set(each, performance.now());
}

const tooSoon = (/** @type {HTMLElement} */ control) =>
  performance.now() - (since.get(control) ?? 0) < Number(control.dataset.keyAfter ?? 0);

/**
 * Go to another page, if the key is one of those that do so on every page: `g` and what follows it, `[` and `]`, `,` and `.`.
 * Return whether it is.
 * @param {KeyboardEvent} event
 */
export function toTab(event) {
  if (rest(event) || /^(Shift|AltGraph)$/.test(event.key)) return false;
  const section = sectionOf(event);
  if ((isLetter(event.key) || !section) && !lettersOn()) return false;
  const second = going;
  clearTimeout(going);
  going = 0;
  const digit = second && /^\d$/.test(event.key) && hasSections() ? Number(event.key) : null;
  const place = section ?? digit;
  if (place !== null) toSection(place);
  const tab = second
    ? tabs().find((each) => each.dataset.go === event.key.toLowerCase())
    : controls("key").find((each) => each.closest(".rounds") && each.dataset.key === event.key);
  if (tab) use(tab);
  else if (event.key === "g" && sheet() && tabs().length) {
    going = setTimeout(() => {
      going = 0;
    }, SECOND_KEY);
  }
  return Boolean(tab || going) || place !== null;
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (rest(event) || event.key === "Shift") return;
  const letter = isLetter(event.key);
  const taken = event.key === "Enter" || event.key === " " ? OWN_ENTER : TYPING;
  if (elementOf(event)?.closest(taken) || (letter && !lettersOn())) return;
  if (toTab(event)) return event.preventDefault();
  const control = controlOf(event);
  if (control && moved(event, control)) return;
  if (control && !tooSoon(control)) use(control);
  else if (control) return refuse(event, "soon");
  else if (event.key === "?" && sheet()) openSheet();
  else return;
  event.preventDefault();
}

// The sheet ----------------------------------------------------------------------------------------------------

/** @param {string} text */
function keyNames(text) {
  const names = text.length === 1 && text !== text.toLowerCase() ? ["Shift", text] : [SIGNS[text] ?? text];
  return names.map((name) => (name === " " ? "Space" : name.length === 1 ? name.toUpperCase() : name));
}

/** @param {HTMLElement} control */
function labelOf(control) {
  const own = control.dataset.keyLabel ?? control.getAttribute("aria-label");
  if (own) return own;
  const { labels } = /** @type {HTMLInputElement} */ (control);
  const label = /** @type {Element} */ ((labels?.[0] ?? control).cloneNode(true));
  for (const part of label.querySelectorAll("kbd, svg, [aria-hidden=true]")) part.remove();
  return label.textContent.replace(/\s+/g, " ").trim();
}

/**
 * @param {string[]} names
 * @param {string} label
 */
function line(names, label) {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  for (const name of names) {
    const key = document.createElement("kbd");
    key.textContent = name;
    head.append(key, " ");
  }
  const cell = document.createElement("td");
  cell.textContent = label;
  row.append(head, cell);
  return row;
}

/** @param {HTMLElement} own */
function fill(own) {
  const first = new Map();
  for (const each of controls("key")) if (!first.has(each.dataset.key)) first.set(each.dataset.key, each);
  const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById("page-keys"));
  const more = template ? [.../** @type {DocumentFragment} */ (template.content.cloneNode(true)).children] : [];
  const here = [...first.values()].flatMap((control) =>
    keysOf(control).map((key) => line(keyNames(key), labelOf(control)))
  );
  const moves = /** @type {HTMLTemplateElement | null} */ (document.getElementById("queue-keys"));
  const queue = [...(moves ? all(moves.content, "[data-queue]") : []), ...controls("queue")].map((each) =>
    line(keyNames(dataOf(each).queue), labelOf(each))
  );
  one(own, "[data-keys-here]").replaceChildren(...here, ...more, ...queue);
  one(own, "[data-keys-none]").hidden = here.length + more.length + queue.length > 0;
  const places = all(document, "[data-go]").map((tab) => line(["G", dataOf(tab).go.toUpperCase()], labelOf(tab)));
  one(own, "[data-keys-go]").replaceChildren(...places);
  one(own, "[data-keys-letters]", HTMLInputElement).checked = lettersOn();
}

function openSheet() {
  const opened = sheet();
  if (!opened || document.querySelector("dialog[open]")) return;
  if (opened.id === "keys-sheet") fill(opened);
  opener = /** @type {HTMLElement | null} */ (document.activeElement);
  opened.showModal();
}

// Put the focus back where it was, even if a list has replaced the control meanwhile.
function goBack() {
  const former = opener;
  if (!former || former.isConnected) return;
  const same = (/** @type {HTMLElement} */ each) =>
    each.textContent === former.textContent && each.getAttribute("href") === former.getAttribute("href");
  const again = former.id ? document.getElementById(former.id) : all(document, former.localName).find(same);
  (again ?? document.getElementById("main"))?.focus();
}

function announce() {
  notice();
  if (!lettersOn()) return;
  for (const each of all(document, "[data-key]:not([aria-keyshortcuts])")) {
    each.setAttribute("aria-keyshortcuts", keysOf(each).map((key) => (key === " " ? "Space" : key)).join(" "));
  }
}

addEventListener("keydown", press); // after the listeners of the document, so that a page can handle a key itself
document.addEventListener("click", (event) => {
  if (around(event, "[data-opens-keys]")) openSheet();
});
document.addEventListener("close", (event) => {
  if (event.target === sheet()) goBack();
}, true);
document.addEventListener("change", (event) => {
  const box = elementOf(event);
  if (!box?.matches("[data-keys-letters]")) return;
  try {
    localStorage.setItem("result-keys", /** @type {HTMLInputElement} */ (box).checked ? "on" : "off");
  } catch {
    // storage is switched off: the keys are on at each visit
  }
});
document.addEventListener("htmx:afterSettle", announce);
announce();
