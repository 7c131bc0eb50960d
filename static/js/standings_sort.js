// Sorts the standings by any column. The place stays in its column. Without this script the list is in the order of the places.
// A head with data-sort, the name of its column, gets a button. The address keeps the order: ?sort=rating, ?sort=-rating.

import { all, dataOf, one } from "./dom.js";

/** The column whose head had the focus before news came. */
let focused = "";
/** @type {Record<string, string>} */
const PARTS = { "½": ".5", "¼": ".25", "¾": ".75" };
/** Columns that begin with their lowest value. */
const UPWARDS = ["place", "name", "federation", "number"];

/**
 * Return the number that a cell shows, NaN for none: 4½, ½, 20.167, –.
 * @param {string} text
 */
export function numberIn(text) {
  const plain = text.trim().replace("−", "-").replace(",", ".").replace(/[½¼¾]/, (part) => PARTS[part]);
  return plain ? Number(plain) : NaN;
}

/**
 * Return the cells in order; those without a value are last, and equal ones stay as they are.
 * @param {string[]} texts
 * @param {boolean} upwards
 * @returns {number[]} the places of the cells before
 */
export function sorted(texts, upwards) {
  const numbers = texts.map(numberIn);
  const numeric = numbers.some((number) => !Number.isNaN(number));
  const { compare } = new Intl.Collator(one(document, "html").lang);
  const missing = (/** @type {number} */ at) => Number(numeric ? Number.isNaN(numbers[at]) : texts[at].trim() === "");
  const between = (/** @type {number} */ a, /** @type {number} */ b) =>
    numeric ? numbers[a] - numbers[b] : compare(texts[a], texts[b]);
  return texts.map((_text, at) => at).sort((a, b) =>
    missing(a) - missing(b) || (missing(a) ? 0 : upwards ? between(a, b) : between(b, a)) || a - b
  );
}

/** @returns {[string, boolean]} the column, and whether its lowest value is first */
function asked() {
  const typed = new URLSearchParams(location.search).get("sort") || "place";
  return [typed.replace(/^-/, ""), UPWARDS.includes(typed.replace(/^-/, "")) !== typed.startsWith("-")];
}

/** @param {HTMLElement} table */
function put(table) {
  const heads = all(table, "thead th");
  let [column, upwards] = asked();
  if (!heads.some((head) => head.dataset.sort === column)) [column, upwards] = ["place", true];
  const at = heads.findIndex((head) => head.dataset.sort === column);
  const body = one(table, "tbody");
  const rows = all(body, "tr");
  // From the true order, so that equal values are in the order of the places.
  rows.sort((a, b) => Number(dataOf(a).order) - Number(dataOf(b).order));
  const texts = rows.map((row) => (column === "name" ? one(row, "th") : row.children[at]).textContent);
  for (const place of sorted(texts, upwards)) body.append(rows[place]);
  for (const head of heads) {
    if (head.dataset.sort === column) head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  }
}

/**
 * @param {HTMLElement} table
 * @param {string} column
 */
function press(table, column) {
  const [now, upwards] = asked();
  const turned = now === column && upwards === UPWARDS.includes(column);
  const address = new URL(location.href);
  if (column === "place" && !turned) address.searchParams.delete("sort");
  else address.searchParams.set("sort", `${turned ? "-" : ""}${column}`);
  history.replaceState(history.state, "", address);
  put(table);
}

function start() {
  for (const table of all(document, "table[data-sorts]:not([data-ready])")) {
    table.dataset.ready = "";
    all(table, "tbody tr").forEach((row, at) => row.dataset.order = String(at));
    for (const head of all(table, "th[data-sort]")) {
      const button = document.createElement("button");
      button.setAttribute("type", "button");
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => press(table, dataOf(head).sort));
      if (focused === head.dataset.sort) button.focus({ preventScroll: true });
    }
    put(table);
  }
}

document.addEventListener("htmx:beforeSwap", () => {
  focused = document.activeElement?.closest("th[data-sort]")?.getAttribute("data-sort") ?? "";
});
document.addEventListener("htmx:afterSettle", start);
start();
