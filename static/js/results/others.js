// What others type at other desks, and what this browser has kept from other rounds.

import { byId, dataOf, one } from "../dom.js";
import { fill, listed } from "../texts.js";
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
    const { session, state, gone } = await queue.ask(revision);
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
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) queue.send();
    look().catch(() => {});
  });
  addEventListener("online", () => queue.send());
}

/**
 * Show results of another round that this browser still keeps.
 * @param {HTMLFormElement} form
 * @param {Moves} moves
 */
export function showKept(form, moves) {
  const note = byId("kept");
  const [first] = moves.kept.elsewhere();
  note.hidden = !first;
  if (!first) return;
  const [place, items] = first;
  const { number: round, place: name, url } = items[0];
  const what = listed(items.map((item) => fill(words.typed, { n: item.board, result: item.sign })), words.comma);
  const gone = url === form.dataset.state;
  one(note, "[data-kept]").textContent = fill(gone ? words.gone : words.elsewhere, {
    n: items.length,
    place: name,
    round,
    what,
  });
  const open = one(note, "[data-open]", HTMLAnchorElement);
  open.hidden = gone;
  open.href = url;
  one(note, "[data-forget]").onclick = () => {
    moves.kept.forget(place);
    showKept(form, moves);
  };
}
