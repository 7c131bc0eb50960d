// "This is me": marks the visitor's rows and shows the visitor's own game. The server sends all visitors the same page.
// The cookie, named by data-cookie of the script's element, holds the key of a player.

import { all, dataOf, one } from "./dom.js";

const { cookie } = dataOf(one(document, "script[data-cookie]"));

function remembered() {
  const kept = document.cookie.split("; ").find((each) => each.startsWith(`${cookie}=`));
  const key = kept?.slice(cookie.length + 1) ?? "";
  return /^[1-9]\d{0,14}$/.test(key) ? key : "";
}

/** @type {(scope: ParentNode, selector: string) => string} */
const text = (scope, selector) => scope.querySelector(selector)?.textContent.trim() ?? "";

/**
 * Return what the row of the visitor says. A row of a board has the keys of both players, White first.
 * @param {HTMLElement} row
 * @param {string} me
 * @returns {Record<string, string>}
 */
function read(row, me) {
  const [white, black] = dataOf(row).player.split(" ");
  if (!black) {
    const name = one(row, ".nm a", HTMLAnchorElement);
    return {
      kind: "bye" in row.dataset ? "bye" : "out",
      name: name.textContent,
      card: name.href,
      reason: text(row, "td:last-child"),
    };
  }
  const [mine, other] = (white === me ? [".p-w", ".p-b"] : [".p-b", ".p-w"]).map((side) => one(row, side));
  const name = one(mine, ".nm a", HTMLAnchorElement);
  return {
    kind: "board",
    colour: white === me ? "w" : "b",
    name: name.textContent,
    card: name.href,
    board: text(row, ".bd"),
    opponent: text(other, ".nm a"),
    title: text(other, ".ti"),
    federation: text(other, ".fed"),
    about: dataOf(other).about,
    result: text(row, ".end .res"),
  };
}

/**
 * @param {HTMLElement} plate
 * @param {HTMLElement} row
 * @param {string} me
 */
function fill(plate, row, me) {
  const game = read(row, me);
  for (const part of all(plate, "[data-if]")) part.hidden = ![game.kind, game.colour].includes(dataOf(part).if);
  for (const part of all(plate, "[data-my]")) part.textContent = game[dataOf(part).my] ?? "";
  one(plate, "a", HTMLAnchorElement).href = game.card;
}

function show() {
  const me = remembered();
  for (const row of all(document, "tr[data-player]")) {
    const mine = me !== "" && dataOf(row).player.split(" ").includes(me);
    row.classList.toggle("here", mine);
    if (mine) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
  for (const form of all(document, "form[data-me]")) form.hidden = form.dataset.me === me;
  for (const form of all(document, "form[data-not-me]")) form.hidden = form.dataset.notMe !== me;
  const plate = document.getElementById("me");
  if (!plate) return;
  const row = /** @type {HTMLElement | null} */ (document.querySelector("#boards tr.here"));
  plate.hidden = !row;
  if (row) fill(plate, row, me);
}

document.addEventListener("htmx:afterSettle", show);
addEventListener("pageshow", show); // also after Back, when the browser shows the page as it was left
show();
