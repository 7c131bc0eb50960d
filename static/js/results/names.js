// The names and points of the boards that the page of a long round does not have: asked for part by part, the part with the
// current board first. Results need no names, so nothing waits for them.

import { all, dataOf, one } from "../dom.js";

const LATER = 5000; // milliseconds after which a part is asked for again that did not come

/** @typedef {import("./row.js").Row} Row */

export class Names {
  /**
   * @param {object} options
   * @param {HTMLFormElement} options.form
   * @param {Row[]} options.rows all boards of the round, in their order
   * @param {() => Row | null} options.current the current board
   * @param {() => void} options.arrived names have come, or the server does not answer
   */
  constructor({ form, rows, current, arrived }) {
    this.rows = rows;
    this.current = current;
    this.arrived = arrived;
    this.address = dataOf(form).state;
    this.size = Number(form.dataset.partRows ?? rows.length);
    this.stalled = false; // the last question had no answer
  }

  // Whether some boards have no names yet.
  get missing() {
    return this.rows.some(isUnnamed);
  }

  // Whether names come in a moment: until then a search for a name cannot know which board is the first.
  get coming() {
    return !this.stalled && this.missing;
  }

  // The number of the part to ask for, 0 for none.
  get next() {
    const now = this.current();
    const row = now && isUnnamed(now) ? now : this.rows.find(isUnnamed);
    return row ? Math.floor(this.rows.indexOf(row) / this.size) + 1 : 0;
  }

  async load() {
    const number = this.next;
    if (!number) return;
    try {
      const answer = await fetch(`${this.address}?rows=${number}`, {
        headers: { Accept: "text/html" },
        redirect: "manual",
      });
      if (!answer.ok) throw new Error(`no boards of part ${number}`);
      this.take(new DOMParser().parseFromString(await answer.text(), "text/html"));
      if (this.next === number) throw new Error(`part ${number} has other boards`);
      this.stalled = false;
    } catch {
      this.stalled = true;
    }
    this.arrived();
    if (this.stalled) setTimeout(() => this.load(), LATER);
    else await this.load();
  }

  /** @param {Document} page */
  take(page) {
    const lines = new Map(all(page, "tr[data-game]").map((line) => [dataOf(line).game, line]));
    for (const row of this.rows) {
      const fresh = isUnnamed(row) && lines.get(row.game);
      if (fresh) fillIn(row, fresh);
    }
  }
}

const isUnnamed = (/** @type {Row} */ row) => row.line.dataset.unnamed !== undefined;

/**
 * @param {Row} row
 * @param {HTMLElement} fresh the row from the server; its result may be older than what the page knows
 */
function fillIn({ line, menu }, fresh) {
  for (const selector of [".nm", ".pts"]) {
    const cells = all(fresh, selector);
    all(line, selector).forEach((cell, at) => {
      cell.replaceChildren(...[...cells[at].childNodes].map((node) => document.importNode(node, true)));
    });
  }
  line.dataset.find = fresh.dataset.find;
  menu.setAttribute("aria-label", one(fresh, "select").getAttribute("aria-label") ?? "");
  delete line.dataset.unnamed;
}
