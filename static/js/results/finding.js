// The field that finds a board by its number or a name, and goes there while one types. Enter stays there, Escape
// goes back. `rows` are looked through, `go(row)` shows one, `current()` is where one is, `back()` ends it.

import { words } from "./words.js";

export function makeFinding({ rows, go, current, back }) {
  const field = document.getElementById("find");
  if (!field) return { open: () => {} };
  const { folded, found: holds } = window.finding; // static/js/find.js
  const told = document.getElementById("found");
  let from = null; // where one was before

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
      go(from);
      end();
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

  // A telephone shows digits first, for boards; the button changes to letters.
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
  };
}
