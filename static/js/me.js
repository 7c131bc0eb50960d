// "This is me" and the players whom the visitor follows: marks their rows and shows their games. The server sends all
// visitors the same page; only this device knows whom it remembers (followed_players.js).

import { all, around, dataOf, one } from "./dom.js";
import { forget, notedSeat, noteSeat, people, remember, remembers, takeOver } from "./followed_players.js";

/** @typedef {import("./followed_players.js").Person} Person */

/** @type {(scope: ParentNode, selector: string) => string} */
const text = (scope, selector) => scope.querySelector(selector)?.textContent.trim() ?? "";
const keys = (/** @type {HTMLElement} */ row) => dataOf(row).player.split(" ");

/** The section of the page; the page of an event has several, and no rows. */
const here = document.querySelector("script[data-section]")?.getAttribute("data-section") ?? "";

/**
 * Return what the row says of a player. A row of a board has the keys of both players, White first.
 * @param {HTMLElement} row
 * @param {string} key
 * @returns {Record<string, string>}
 */
export function read(row, key) {
  const [white, black] = keys(row);
  if (!black) {
    const name = one(row, ".nm a", HTMLAnchorElement);
    return {
      kind: "bye" in row.dataset ? "bye" : "out",
      name: name.textContent,
      card: name.href,
      reason: all(row, "td").pop()?.textContent.trim() ?? "",
    };
  }
  const [mine, other] = (white === key ? [".p-w", ".p-b"] : [".p-b", ".p-w"]).map((side) => one(row, side));
  const name = one(mine, ".nm a", HTMLAnchorElement);
  return {
    kind: "board",
    colour: white === key ? "w" : "b",
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
 * Return a plate that says the game.
 * @param {string} id of its template
 * @param {Record<string, string>} game
 */
function plate(id, game) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(id));
  const made = /** @type {HTMLElement} */ (one(template.content, ".me, .followed").cloneNode(true));
  for (const part of all(made, "[data-if]")) part.hidden = ![game.kind, game.colour].includes(dataOf(part).if);
  for (const part of all(made, "[data-my]")) part.textContent = game[dataOf(part).my] ?? "";
  for (const link of all(made, "[data-card]", HTMLAnchorElement)) link.href = game.card;
  for (const link of all(made, "[data-all]", HTMLAnchorElement)) link.href = game.all ?? "";
  return made;
}

/**
 * Return the row of a player in the list of boards on this page; where the list is not on the page, ask for the row. A page
 * that is shown without a network has the row that came with it.
 * @param {HTMLElement} place
 * @param {string} key
 * @param {boolean} notes whether what the server says is noted for a time without a network
 * @returns {Promise<HTMLElement | undefined>}
 */
async function rowOf(place, key, notes) {
  const rows = all(document, "#boards tr[data-player]");
  const found = rows.find((row) => keys(row).includes(key));
  const { seat, section = "", sectionName = "" } = place.dataset;
  if (found || !seat) return found;
  const address = seat.replace(/0\/$/, `${key}/`);
  const of = `${address} ${sectionName}`; // the name has the round where the address has none
  const { kept } = document.documentElement.dataset;
  let sent = kept && notedSeat(section, of, Number(kept));
  if (!sent) {
    try {
      const answer = await fetch(address);
      if (!answer.ok) return undefined;
      sent = await answer.text();
      if (notes) noteSeat(section, of, sent);
    } catch {
      return undefined; // no connection: the next news asks again
    }
  }
  return all(new DOMParser().parseFromString(sent, "text/html"), "tr[data-player]")[0];
}

let turn = 0;

/**
 * @param {HTMLElement} place
 * @param {boolean} notes whether a name that has changed, and the game, are remembered
 */
async function fill(place, notes) {
  const began = turn;
  const { section, sectionName, all: boards } = place.dataset;
  if (section === undefined) return;
  const plates = await Promise.all(
    people(section).map(async (person) => {
      const row = await rowOf(place, person.key, notes);
      if (!row) return undefined;
      /** @type {Record<string, string>} */
      const game = { ...read(row, person.key), section: sectionName ?? "", all: boards ?? "" };
      if (notes && game.name !== person.name) remember(section, { ...person, name: game.name });
      const made = plate(person.me ? "plate-me" : "plate-followed", game);
      made.dataset.key = person.key;
      return made;
    }),
  );
  if (began === turn) place.replaceChildren(...plates.filter((each) => each !== undefined));
}

/** @param {HTMLElement} row @param {Person | undefined} person */
function mark(row, person) {
  row.classList.toggle("here", person?.me === true);
  row.classList.toggle("mine", person?.me === false);
  if (person?.me) row.setAttribute("aria-current", "true");
  else row.removeAttribute("aria-current");
}

function show(notes = true) {
  turn += 1;
  const kept = people(here);
  for (const row of all(document, "tr[data-player]")) mark(row, kept.find((each) => keys(row).includes(each.key)));
  for (const card of all(document, "[data-person]")) {
    const person = kept.find((each) => each.key === card.dataset.person);
    card.hidden = !remembers();
    const state = person ? (person.me ? "me" : "followed") : "new";
    for (const button of all(card, "[data-when]")) button.hidden = !dataOf(button).when.split(" ").includes(state);
  }
  for (const place of all(document, "[data-plates]")) fill(place, notes);
}

/**
 * Another page of this browser has remembered somebody. This page only shows it: if it wrote too, the pages would answer
 * each other without end.
 * @param {StorageEvent} event
 */
function follow({ key }) {
  if (key === null || key.startsWith("players-")) show(false);
}

document.addEventListener("click", (event) => {
  const button = around(event, "[data-does], [data-not-me]", HTMLButtonElement);
  if (!button) return;
  const card = around(event, "[data-person]");
  if (card) {
    const { person: key, name } = dataOf(card);
    if (button.dataset.does === "forget") forget(here, key);
    else remember(here, { key, name, me: button.dataset.does === "me" });
    show();
    const undoes = (/** @type {HTMLElement} */ each) =>
      (each.dataset.does === "forget") !== (button.dataset.does === "forget");
    all(card, "button").find((each) => !each.hidden && undoes(each))?.focus();
  } else {
    const place = around(event, "[data-plates]");
    const mine = around(event, "[data-key]");
    if (place && mine) forget(dataOf(place).section, dataOf(mine).key);
    show();
    document.getElementById("main")?.focus();
  }
});

for (const { dataset: { section } } of all(document, "[data-plates]")) if (section) takeOver(section);
if (here) takeOver(here);
document.addEventListener("htmx:afterSettle", () => show());
addEventListener("storage", follow);
addEventListener("pageshow", () => show()); // also after Back, when the browser shows the page as it was left
show();
