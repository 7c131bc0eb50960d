// The parts of a live page: what counts as news in a part, and when a part must not be replaced.

import { all } from "../dom.js";

/** @param {ParentNode} scope */
export const parts = (scope) => all(scope, "[data-part]");

/**
 * Return the outermost parts in `scope`: a list is a part, and so is each of its rows.
 * @param {Element} scope
 */
export const within = (scope) => {
  const outer = scope.matches("[data-part]") ? scope : null;
  return parts(scope).filter((part) => (part.parentElement?.closest("[data-part]") ?? null) === outer);
};

/**
 * Return whether both have the same outermost parts in the same order.
 * @param {Element} old
 * @param {Element} fresh
 */
export const sameParts = (old, fresh) => {
  const ids = (/** @type {Element} */ scope) => within(scope).map((part) => part.id).join(" ");
  return ids(old) === ids(fresh);
};

/**
 * Return the part as text, to compare. Tokens of forms differ each time, and keys.js adds attributes. Neither is news.
 * @param {Element} part
 */
export const plain = (part) =>
  part.outerHTML.replace(/(name="csrfmiddlewaretoken" value=)"[^"]*"/g, "$1").replace(
    / aria-keyshortcuts="[^"]*"/g,
    "",
  );

/**
 * Return whether the field has something else than the server sent.
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} field
 */
export function typed(field) {
  if (field.matches("[type=checkbox], [type=radio]")) {
    const box = /** @type {HTMLInputElement} */ (field);
    return box.checked !== box.defaultChecked;
  }
  if (field.matches("select")) {
    const { options } = /** @type {HTMLSelectElement} */ (field);
    return [...options].some((option) => option.selected !== option.defaultSelected);
  }
  const text = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (field);
  return text.type !== "hidden" && text.value !== text.defaultValue;
}

/**
 * Return whether the person types in the part, has it open, or has marked text in it. In a part with data-repaints a script
 * shows again what was done to its rows. A part with data-still has rows that come and go: it waits while a pointer is on it.
 * @param {Element} part
 */
export function busy(part) {
  const waits = part.matches("[data-repaints]") ? "" : "[data-busy], ";
  if (part.matches("[data-still]:hover") || part.querySelector("[data-still]:hover")) return true;
  if (part.matches("[data-busy]") || part.querySelector(`${waits}.htmx-request, dialog[open]`)) return true;
  const focus = document.activeElement;
  if (focus && part.contains(focus) && focus.matches("input:not([type=hidden]), select, textarea")) return true;
  if (focus && part.querySelector("details[open]")?.contains(focus)) return true;
  const selection = getSelection();
  if (selection && !selection.isCollapsed && part.contains(selection.anchorNode)) return true;
  return all(part, "input, select, textarea", HTMLInputElement).some(typed);
}
