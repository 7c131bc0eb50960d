// A round with many boards comes with the rows of one part. Results are typed, found by number, counted and heard for every
// board, so each gets its row at once. What the server has of all boards is in the page; names.js fetches the names.

import { all, byId, dataOf, one } from "../dom.js";
import { fill } from "../texts.js";
import { words } from "./words.js";

const UNNAMED = "…";
const NOTHING = {
  result: "",
  version: 0,
  by: "",
  at: "",
  second: "",
  second_by: "",
  second_at: "",
  over: false,
  over_by: "",
  over_at: "",
  disputed: "",
};

/**
 * Return what the server has of each board. The page of a long round leaves out what is empty.
 * @returns {Board[]}
 */
export function readBoards() {
  const kept = /** @type {(Partial<Board> & { id: number, board: number })[]} */ (
    JSON.parse(byId("boards-state").textContent)
  );
  return kept.map((board) => ({ ...NOTHING, ...board }));
}

/**
 * Give each board that the page lacks a row without names, and divide all rows between the two tables.
 * @param {HTMLFormElement} form
 * @param {Board[]} boards all boards of the round, in their order
 */
export function addRows(form, boards) {
  const [left, second] = all(form, "table.entry");
  const right = second ?? left.parentNode?.appendChild(left.cloneNode(true));
  const here = new Map(all(left.parentNode ?? form, "tr[data-game]").map((line) => [dataOf(line).game, line]));
  const model = /** @type {HTMLElement} */ (one(left, "tr[data-game]").cloneNode(true));
  const lines = boards.map((board) => here.get(String(board.id)) ?? unnamed(model, board));
  const half = Math.ceil(boards.length / 2);
  one(left, "tbody").replaceChildren(...lines.slice(0, half));
  one(right, "tbody").replaceChildren(...lines.slice(half));
  one(left, "caption").textContent = fill(words.from, { a: boards[0].board });
  one(right, "caption").textContent = fill(words.from, { a: boards[half].board });
  for (const link of all(document, "[data-part-before], [data-part-after]")) link.hidden = true;
}

/**
 * Return a row that shows what the server has of the board, without names.
 * @param {HTMLElement} model
 * @param {Board} board
 */
function unnamed(model, board) {
  const line = /** @type {HTMLElement} */ (model.cloneNode(true));
  const game = String(board.id);
  const menu = one(line, "select", HTMLSelectElement);
  line.id = `board-${board.board}`;
  line.className = "";
  Object.assign(line.dataset, { board: board.board, game, find: ` ${board.board} `, unnamed: "" });
  one(line, ".bd").textContent = String(board.board);
  for (const cell of all(line, ".nm")) cell.textContent = UNNAMED;
  for (const cell of all(line, ".pts, .st")) cell.textContent = "";
  menu.name = `result-${game}`;
  menu.dataset.game = game;
  menu.className = "res";
  menu.removeAttribute("aria-describedby");
  menu.setAttribute("aria-label", fill(words.board, { n: board.board }));
  menu.value = board.result;
  for (const field of all(line, "input", HTMLInputElement)) {
    const isFormer = field.name.startsWith("was-");
    field.name = `${isFormer ? "was" : "version"}-${game}`;
    field.value = isFormer ? board.result : String(board.version);
  }
  return line;
}
