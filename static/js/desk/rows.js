// What the desk draws: a player with the buttons for what is next, and a mark with two values.

import { all, byId, one, withText } from "../dom.js";
import { fill } from "../texts.js";

const RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/; // scripts from right to left
export const isolated = (/** @type {string} */ name) => (RIGHT.test(name) ? `\u2068${name}\u2069` : name);
/**
 * Return cents as the language of the page writes an amount.
 * @param {number} cents
 */
export const money = (cents, language = document.documentElement.lang) =>
  (cents / 100).toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false });

/**
 * Return what the buttons of a player do; the first one is black, unless it says that the player is not here.
 * @param {DeskPerson} person
 * @returns {DeskDo[]}
 */
export function nextFor({ here, owed }) {
  if (here) return owed > 0 ? ["paid", "away"] : ["away"];
  return owed > 0 ? ["both", "here"] : ["here"];
}

/**
 * Show the values in the parts of a row. A part without a value is hidden.
 * @param {HTMLElement} row
 * @param {Record<string, string | boolean>} values
 */
function write(row, values) {
  for (const part of all(row, "[data-is]")) {
    const value = values[part.dataset.is ?? ""];
    part.hidden = value === false || value === "";
    if (typeof value === "string") part.textContent = value;
  }
}

/**
 * @param {string} id of a template
 * @returns {HTMLElement}
 */
const copyOf = (
  id,
) => /** @type {HTMLElement} */ (document.importNode(one(byId(id, HTMLTemplateElement).content, "div"), true));

/**
 * Return what a correction may change, by the names of its fields.
 * @param {DeskPerson} person
 * @returns {Record<string, string>}
 */
export const correctable = ({ name, federation, fide, plain }) => ({
  ...{ name, federation, fide_id: String(fide ?? "") },
  ...plain,
});

/**
 * Return the row of a player.
 * @param {DeskPerson} person
 * @param {boolean} waits
 * @param {Record<string, string>} words
 */
export function rowOf(person, waits, words) {
  const row = copyOf("desk-row");
  const name = isolated(person.name);
  row.dataset.id = String(person.id);
  write(row, {
    name: person.name,
    title: person.title,
    federation: person.federation,
    number: fill(words.number, { n: person.id }),
    section: person.section,
    rating: String(person.rating ?? "–"),
    ...person.plain,
    fide: person.fide ? fill(words.fide, { n: person.fide }) : "",
    owed: person.owed > 0 ? fill(words.owes, { owed: money(person.owed), currency: words.currency }) : "",
    here: person.here,
    waits,
    of: ` ${name}`,
  });
  const buttons = nextFor(person).map((act, place) => {
    const button = withText("button", fill(words[act], { name }));
    button.setAttribute("type", "button");
    button.className = place === 0 && act !== "away" ? "btn go" : "btn";
    button.dataset.do = act;
    return button;
  });
  one(row, "[data-buttons]").replaceChildren(...buttons);
  for (const [field, value] of Object.entries(correctable(person))) {
    const input = one(row, `[name=${field}]`, HTMLInputElement);
    input.value = value;
    input.dataset.shown = value;
    input.id = `${field}-${person.id}`;
    const label = input.previousElementSibling;
    if (label) label.setAttribute("for", input.id);
  }
  const page = row.querySelector("a[data-page]");
  page?.setAttribute("href", (page.getAttribute("data-page") ?? "").replace("/0/", `/${person.id}/`));
  return row;
}

/**
 * Return the note about a mark that is not as the server has it.
 * @param {Item} item
 */
export function differsOf({ board, noted, refusal, decide }) {
  const note = copyOf("desk-differs-row");
  note.dataset.key = noted?.key;
  one(note, "[data-text]").textContent =
    (decide ? Object.values(refusal?.differs ?? {}) : [board, refusal?.sentence ?? ""])
      .join(" · ");
  one(note, "[data-mine]", HTMLButtonElement).hidden = !decide;
  return note;
}
