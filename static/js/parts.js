// Lists in parts. Adds the next part when the reader comes near its end, and asks the server for what somebody searches.
// News replace the first part: the added parts stay where they are, and each is asked for again. Without this script the
// page has links to the parts before and after. The server: web/views/public/lists.py.

import { all, byId, dataOf, fieldOf, forEachComing } from "./dom.js";
import { htmx } from "./htmx.js";

const NEAR = "1500px 0px"; // below the window, when the next part is asked for
const LATER = 10_000; // milliseconds after which a part is asked for again that did not come
const PAUSE = 250; // milliseconds without a key, after which the server searches
const TRIES = 3; // for parts that all have the same revision

/** @typedef {{ address: string, bodies: HTMLElement[] }} Shown */

let table = /** @type {HTMLElement | null} */ (null);
let shown = /** @type {Shown[]} */ ([]);
let adding = false;
let asked = 0;
let place = { top: 0, focus: /** @type {Element | null} */ (null) };

/** @param {ParentNode} page */
const tableOf = (page) => /** @type {HTMLElement | null} */ (page.querySelector("table[data-before]"));
/** @param {ParentNode} page */
const footOf = (page) => /** @type {HTMLElement | null} */ (page.querySelector("[data-part-after]"));
/** @param {ParentNode} page */
const revisionOf = (page) => footOf(page)?.dataset.revision;
const nextLink = () => /** @type {HTMLAnchorElement | null} */ (footOf(document)?.querySelector("[rel=next]") ?? null);

const near = new IntersectionObserver((seen) => {
  if (seen.some((each) => each.isIntersecting)) void add();
}, { rootMargin: NEAR });

/** @param {string} address */
async function pageAt(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(`no part at ${address}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

function watch() {
  near.disconnect();
  const foot = nextLink() && footOf(document);
  if (foot) near.observe(foot);
}

// Tell screen readers which row of the whole list each row is. The head is the first.
function count() {
  if (!table) return;
  const before = Number(dataOf(table).before) + 2;
  all(table, "tbody tr:not(.band, .met)").forEach((row, at) => row.setAttribute("aria-rowindex", String(before + at)));
}

/**
 * Return the rows of a page, without the head of a group that the rows before have already.
 * @param {ParentNode} page
 * @param {HTMLElement | undefined} last the rows before
 */
function bodiesOf(page, last) {
  const bodies = all(page, "table[data-before] tbody").map((each) => document.importNode(each, true));
  const group = bodies[0]?.dataset.group;
  if (group !== undefined && group === last?.dataset.group) bodies[0].querySelector(".band")?.remove();
  return bodies;
}

// Take over what follows the rows: the link to the next part, and what stands at the end of the whole list.
/** @param {ParentNode} page */
function putFoot(page) {
  const [here, fresh] = [footOf(document), footOf(page)];
  if (!here || !fresh) return;
  for (const end of all(document, "[data-end]")) end.remove();
  const foot = document.importNode(fresh, true);
  here.replaceWith(foot);
  for (const end of all(page, "[data-end]").reverse()) foot.after(document.importNode(end, true));
}

const settle = () => document.dispatchEvent(new CustomEvent("htmx:afterSettle")); // other scripts look at the rows again

async function add() {
  const link = nextLink();
  if (!link || adding) return;
  adding = true;
  try {
    const page = await pageAt(link.href);
    if (link.isConnected) {
      if (revisionOf(page) !== revisionOf(document)) await renew();
      else put(link, page);
    }
    adding = false;
    watch();
  } catch {
    adding = false;
    setTimeout(watch, LATER); // the link is still there
  }
}

/**
 * @param {HTMLAnchorElement} link
 * @param {Document} page
 */
function put(link, page) {
  const pressed = document.activeElement === link;
  const bodies = bodiesOf(page, shown.at(-1)?.bodies.at(-1));
  table?.append(...bodies);
  shown.push({ address: link.href, bodies });
  putFoot(page);
  count();
  settle();
  if (pressed) bodies[0]?.querySelector("a")?.focus();
}

// Ask for every part again, until all have the same revision. The rows change their content and not their place.
async function renew() {
  const now = table;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const pages = [];
    for (const each of shown) pages.push(await pageAt(each.address));
    if (table !== now || !now) return; // there were news or a search meanwhile
    if (new Set(pages.map(revisionOf)).size > 1) continue;
    const numbers = pages.map((page) => Number(footOf(page)?.dataset.number ?? 1));
    const kept = pages.filter((_page, at) => at === 0 || numbers[at] > numbers[at - 1]); // the list may be shorter
    const old = shown;
    shown = [];
    kept.forEach((page, at) => {
      const bodies = bodiesOf(page, shown.at(-1)?.bodies.at(-1));
      old[at].bodies[0]?.before(...bodies);
      shown.push({ address: old[at].address, bodies });
    });
    for (const body of old.flatMap((each) => each.bodies)) body.remove();
    putFoot(/** @type {Document} */ (kept.at(-1)));
    count();
    settle();
    return;
  }
}

function hold() {
  place = { top: scrollY, focus: document.activeElement };
}

// Look at the list again: after news it has the first part alone.
function look() {
  const fresh = tableOf(document);
  if (fresh === table) return;
  const former = shown.slice(1);
  table = fresh;
  shown = table ? [{ address: location.href, bodies: all(table, "tbody") }] : [];
  if (table && former.length) {
    table.append(...former.flatMap((each) => each.bodies));
    shown.push(...former);
    if (place.focus?.isConnected) /** @type {HTMLElement} */ (place.focus).focus({ preventScroll: true });
    if (scrollY !== place.top) scrollTo(scrollX, place.top);
    renew().catch(() => {}).finally(watch); // without an answer the rows stay as they were until the next news
  } else watch();
  count();
}

/** @param {HTMLFormElement} form */
async function search(form) {
  asked += 1;
  const mine = asked;
  const typed = all(form, "input[name]", HTMLInputElement).filter((field) => field.value.trim());
  const query = new URLSearchParams(typed.map((field) => [field.name, field.value.trim()])).toString();
  const page = await pageAt(query ? `${location.pathname}?${query}` : location.pathname);
  const here = byId(dataOf(form).list);
  const found = page.getElementById(here.id);
  if (mine !== asked || !found) return;
  const fresh = document.importNode(found, true);
  [table, shown] = [null, []];
  here.replaceWith(fresh);
  htmx.process(fresh);
  settle();
  const similar = all(page, "[data-similar]").find((note) => note.dataset.similar === here.id);
  for (const note of all(document, "[data-similar]")) {
    if (note.dataset.similar === here.id) note.hidden = similar?.hidden ?? true;
  }
  const rows = Number(tableOf(document)?.getAttribute("aria-rowcount")) - 1;
  for (const counter of all(form, "[data-found]").slice(0, 1)) {
    const number = rows > 0 ? rows : all(fresh, "[data-find]").length;
    counter.textContent = fieldOf(form, "q").value.trim() ? `${counter.dataset.found} ${number}` : "";
  }
}

forEachComing("form.find[data-parts]", (form) => {
  const field = fieldOf(form, "q");
  let timer = 0;
  const ask = () => search(form).catch(() => {}); // Enter asks again
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    void ask();
    field.blur();
  });
  if (field.value !== field.defaultValue) void ask(); // the browser kept the words over a reload
}, HTMLFormElement);

document.addEventListener("click", (event) => {
  const link = nextLink();
  if (!link || !(event.target instanceof Element) || !link.contains(event.target)) return;
  if (/** @type {MouseEvent} */ (event).ctrlKey || /** @type {MouseEvent} */ (event).metaKey) return;
  event.preventDefault();
  void add();
});
// A link to the row of a player who is in another part: the server knows in which.
function findLinked() {
  const [, player] = /^#player-(\d+)$/.exec(location.hash) ?? [];
  if (!player || !table || document.getElementById(`player-${player}`)) return;
  const query = new URLSearchParams(location.search);
  query.delete("part");
  query.set("player", player);
  location.replace(`${location.pathname}?${query}`);
}

addEventListener("hashchange", findLinked);
document.addEventListener("htmx:beforeSwap", hold);
document.addEventListener("htmx:afterSettle", look);
look();
findLinked();
