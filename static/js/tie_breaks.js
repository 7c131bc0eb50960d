// The list of tie-breaks: items are dragged by the mouse, or moved by Alt and an arrow. Without this script the buttons do
// the same.

import { all, byId, elementOf, forEachComing, one } from "./dom.js";

/** @type {Record<string, string>} */
const MOVES = { ArrowUp: "up", ArrowDown: "down" };

forEachComing("#order", (list) => {
  const form = byId("ties", HTMLFormElement);
  /** @type {HTMLElement | null} */
  let dragged = null;

  /** @returns {HTMLElement[]} */
  const items = () => all(list, "li[data-code]");

  /**
   * Put the item before another one, or at the end, and ask for the standings with the new order.
   * @param {HTMLElement} item
   * @param {HTMLElement | null} before
   */
  function put(item, before) {
    list.insertBefore(item, before);
    form.requestSubmit(one(form, 'button[value="preview"]', HTMLButtonElement));
  }

  for (const item of items()) item.draggable = true;
  byId("moving").hidden = items().length < 2;

  list.addEventListener("dragstart", (event) => {
    dragged = elementOf(event)?.closest("li") ?? null;
    dragged?.classList.add("here");
  });
  list.addEventListener("dragend", () => {
    dragged?.classList.remove("here");
    dragged = null;
  });
  list.addEventListener("dragover", (event) => {
    if (dragged) event.preventDefault();
  });
  list.addEventListener("drop", (event) => {
    const over = elementOf(event)?.closest("li");
    if (!dragged || !over || over === dragged) return;
    event.preventDefault();
    const lower = event.clientY > over.getBoundingClientRect().top + over.offsetHeight / 2;
    put(dragged, /** @type {HTMLElement | null} */ (lower ? over.nextElementSibling : over));
  });
  list.addEventListener("keydown", (event) => {
    const item = elementOf(event)?.closest("li");
    const move = MOVES[event.key];
    if (!item || !event.altKey || !move) return;
    event.preventDefault();
    form.requestSubmit(one(item, `button[value^="${move}:"]`, HTMLButtonElement));
  });
});
