// The field that finds a board by its number or by a name, and shows it while the person types. Enter stays there, Escape
// goes back. A number needs no Enter if no longer number begins with it.

import { all, byId, dataOf } from "../dom.js";
import { folded, found as holds } from "../folding.js";
import { announce, words } from "./words.js";

/** @typedef {import("./row.js").Row} Row */

/**
 * @param {object} options
 * @param {Row[]} options.rows where to look
 * @param {(row: Row | null) => void} options.go show a board
 * @param {() => Row | null} options.current the current board
 * @param {() => void} options.back end the search
 * @param {{ missing: boolean, coming: boolean }} [options.names] whether boards lack their names, and get them in a moment
 */
export function makeFinding({ rows, go, current, back, names = { missing: false, coming: false } }) {
  const place = /** @type {HTMLInputElement | null} */ (document.getElementById("find"));
  if (!place) return { open: () => {}, takes: () => false, stays: () => false, again: () => {} };
  const field = place;
  const nothing = byId("found");
  const hint = field.placeholder;
  let from = /** @type {Row | null} */ (null); // the board before the search
  let jumped = ""; // a number that needed no Enter, until the next key
  let staying = false; // slips in any order: the field opens again after each result

  const isNumber = (/** @type {string} */ text) => /^\d+$/.test(text);
  const isWhole = (/** @type {string} */ text) =>
    rows.some((row) => row.board === text) &&
    !rows.some((row) => row.board !== text && row.board.startsWith(text));

  /** @param {string} text */
  function found(text) {
    const wanted = folded(text);
    if (!wanted) return [];
    if (isNumber(wanted)) return rows.filter((row) => row.board === wanted);
    if (names.coming) return []; // the first hit may be among the boards whose names are still missing
    const hits = rows.filter((row) => holds(dataOf(row.line).find, wanted.split(" ")));
    const starts = (/** @type {Row} */ row) =>
      all(row.line, ".nm").some((name) => folded(name.textContent).startsWith(wanted));
    return [...hits.filter(starts), ...hits.filter((row) => !starts(row))];
  }

  /** @param {boolean} none */
  function showNothing(none) {
    const later = names.missing && !isNumber(folded(field.value));
    nothing.textContent = !none ? "" : later ? words.loading : words.none;
    nothing.hidden = !none;
    if (none && !later) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }

  function search() {
    const hits = found(field.value);
    showNothing(field.value.trim() !== "" && hits.length === 0);
    go(hits[0] ?? from);
    if (!isWhole(field.value)) return;
    jumped = field.value;
    end();
    requestAnimationFrame(() => current()?.line.scrollIntoView({ block: "nearest" })); // after the browser has scrolled for the last digit
  }

  /** @param {boolean} on */
  function stay(on) {
    if (on !== staying) announce(on ? words.slips : "");
    staying = on;
    field.placeholder = on ? words.slip : hint;
  }

  function end() {
    field.value = "";
    showNothing(false);
    field.blur();
    back();
  }

  field.addEventListener("focus", () => {
    from = current();
  });
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      stay(false);
      go(from);
      end();
    } else if (event.key === " " && !field.value) {
      event.preventDefault();
      stay(!staying);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (!field.value.trim() || found(field.value).length) end();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const hits = found(field.value);
      const to = hits.findIndex((row) => row === current()) + (event.key === "ArrowDown" ? 1 : -1);
      if (hits.length) go(hits[(to + hits.length) % hits.length]);
    }
  });

  // A phone shows the keyboard with digits first, for boards. The button changes to letters.
  const letters = byId("letters");
  if (matchMedia("(pointer: coarse)").matches) field.inputMode = "numeric";
  letters.addEventListener("click", () => {
    const on = letters.getAttribute("aria-pressed") !== "true";
    letters.setAttribute("aria-pressed", String(on));
    field.inputMode = on ? "text" : "numeric";
    field.focus();
  });

  return {
    open(text = "") {
      field.focus();
      field.value = text;
      if (text) search();
    },
    // Search again for a name, because names have come.
    again() {
      if (field.value.trim() && !isNumber(folded(field.value))) search();
    },
    /**
     * After a number that needed no Enter: Enter is then no command, and Backspace corrects the number.
     * @param {string} key
     */
    takes(key) {
      const number = jumped;
      jumped = "";
      if (!number || (key !== "Enter" && key !== "Backspace")) return false;
      if (key === "Backspace") this.open(number.slice(0, -1));
      return true;
    },
    /**
     * Return whether the field opens again. Not if all boards are done.
     * @param {boolean} more
     */
    stays(more) {
      if (!more) stay(false);
      return staying;
    },
  };
}
