// What others type at other desks.

import { dataOf } from "../dom.js";
import { warn } from "./counts.js";
import { words } from "./words.js";

/** @typedef {import("./moves.js").Moves} Moves */
/** @typedef {import("./row.js").Row} Row */

/**
 * Ask the server now and then what others have typed.
 * @param {object} options
 * @param {HTMLFormElement} options.form
 * @param {Moves} options.moves
 * @param {() => Row | null} options.current the current board
 * @param {() => void} options.count count again
 */
export function followOthers({ form, moves, current, count }) {
  const queue = moves.queue;
  let revision = /** @type {string | number} */ (dataOf(form).revision);

  async function look() {
    if (document.hidden || queue.length) return;
    const { session, state, gone } = await queue.ask(dataOf(form).state, revision);
    if (queue.length) return;
    if (gone) warn(words.vanished);
    const shut = !session
      ? "ended"
      : state && String(state.user) !== form.dataset.user
      ? "other"
      : queue.shut && !state
      ? queue.shut
      : "";
    if (shut !== queue.shut) {
      queue.shut = shut;
      warn(words[shut] ?? "");
      count();
    }
    if (!state || shut) return;
    queue.token = state.token;
    revision = state.revision;
    if (state.boards.length && !state.boards.some((board) => moves.byGame.has(String(board.id)))) location.reload();
    for (const board of state.boards) moves.hear(board, current());
  }

  setInterval(() => look().catch(() => {}), 5000);
  document.addEventListener("visibilitychange", () => look().catch(() => {}));
}
