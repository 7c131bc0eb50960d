// The field that finds a board by its number or by a name, and shows it while the person types. Enter stays there, Escape
// goes back. A number needs no Enter if no longer number begins with it. `rows`: where to look; `go(row)` shows a board;
// `current()`: the current board; `back()` ends the search.

import { say, words } from "./words.js";

export function makeFinding({ rows, go, current, back }) {
  const field = document.getElementById("find");
  if (!field) return { open: () => {}, takes: () => false, stays: () => false };
  const { folded, found: holds } = window.finding; // static/js/find.js
  const told = document.getElementById("found");
  const hint = field.placeholder;
  let from = null; // the board before the search
  let jumped = ""; // a number that needed no Enter, until the next key
  let staying = false; // slips in any order: the field opens again after each result

  const isWhole = (text) => rows.some((row) => row.board === text)
    && !rows.some((row) => row.board !== text && row.board.startsWith(text));

  function found(text) {
    const wanted = folded(text);
    if (!wanted) return [];
    if (/^\d+$/.test(wanted)) return rows.filter((row) => row.board === wanted);
    const hits = rows.filter((row) => holds(row.line.dataset.find, wanted.split(" ")));
    const starts = (row) => [...row.line.querySelectorAll(".nm")].some((name) => folded(name.textContent).startsWith(wanted));
    return [...hits.filter(starts), ...hits.filter((row) => !starts(row))];
  }

  function tell(none) {
    told.textContent = none ? words.none : "";
    told.hidden = !none;
    if (none) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }

  function search() {
    const hits = found(field.value);
    tell(field.value.trim() !== "" && hits.length === 0);
    go(hits[0] ?? from);
    if (!isWhole(field.value)) return;
    jumped = field.value;
    end();
    requestAnimationFrame(() => current()?.line.scrollIntoView({ block: "nearest" })); // after the browser has scrolled for the last digit
  }

  function stay(on) {
    if (on !== staying) say(on ? words.slips : "");
    staying = on;
    field.placeholder = on ? words.slip : hint;
  }

  function end() {
    field.value = "";
    tell(false);
    field.blur();
    back();
  }

  field.addEventListener("focus", () => { from = current(); });
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
      const place = hits.indexOf(current()) + (event.key === "ArrowDown" ? 1 : -1);
      if (hits.length) go(hits[(place + hits.length) % hits.length]);
    }
  });

  // A phone shows the keyboard with digits first, for boards. The button changes to letters.
  const letters = document.getElementById("letters");
  if (window.matchMedia("(pointer: coarse)").matches) field.inputMode = "numeric";
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
    // After a number that needed no Enter: Enter is then no command, and Backspace corrects the number.
    takes(key) {
      const number = jumped;
      jumped = "";
      if (!number || (key !== "Enter" && key !== "Backspace")) return false;
      if (key === "Backspace") this.open(number.slice(0, -1));
      return true;
    },
    // Whether the field opens again. Not if all boards are done.
    stays(more) {
      if (!more) stay(false);
      return staying;
    },
  };
}
