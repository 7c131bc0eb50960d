// A check-in of more than 300 players shows some of them. The server searches and filters the whole list, and live.js asks for
// the shown rows again. The rows grow when the reader comes near their end. Without this script the page has links and a
// form. The server: web/views/staff/presence.py.

import { all, around, byId, elementOf, fieldOf, one } from "./dom.js";
import { turn } from "./live.js";

const NEAR = "1000px 0px"; // below the window, when more rows are asked for
const PAUSE = 250; // milliseconds without a key, after which the server searches

let timer = 0;
let then = /** @type {(() => void) | null} */ (null); // what waits for the answer to the typed words
let left = /** @type {HTMLElement | null} */ (null); // the end of the rows that the reader leaves by a link
let ended = /** @type {HTMLElement | null} */ (null); // the end of the rows that were shown last
let asked = ""; // the address of more rows, until they are there

const end = () => document.getElementById("c-after");
const field = () => fieldOf(one(document, 'form.find[data-list="c-seats"]', HTMLFormElement), "q");
const typed = () => field().value.trim();
const isAnswered = () => end()?.dataset.search === typed();
let wanted = end()?.dataset.search; // the words for which rows were asked last

// Whether the page shows some of the players only.
export const inParts = () => end() !== null;
// Whether the page shows every player whom the typed words find.
export const isWhole = () => end()?.dataset.all !== undefined;

// Ask for the rows of the typed words, of all players or of those who are not here yet.
export function search() {
  clearTimeout(timer);
  wanted = typed();
  const query = new URLSearchParams(wanted ? { q: wanted } : {});
  if (byId("only-missing").hasAttribute("aria-current")) query.set("show", "missing");
  turn(query.size ? `${location.pathname}?${query}` : location.pathname);
}

/**
 * Do this when the rows are those of the typed words.
 * @param {() => void} work
 */
export function whenFound(work) {
  if (isAnswered()) return work();
  then = work;
  search();
}

const near = new IntersectionObserver((seen) => {
  const wider = end()?.dataset.wider;
  if (!wider || wider === asked || !isAnswered() || !seen.some((each) => each.isIntersecting)) return;
  asked = wider;
  turn(wider);
}, { rootMargin: NEAR });

// Look at the rows again: the server may have sent others.
export function look() {
  const here = end();
  if (here === ended) return;
  ended = here;
  near.disconnect();
  asked = "";
  if (!here) return;
  if (here.dataset.wider) near.observe(here);
  const counter = one(document, "form.find [data-found]");
  counter.textContent = here.dataset.search ? `${counter.dataset.found} ${here.dataset.total}` : "";
  for (const note of all(document, "[data-similar]")) note.hidden = here.dataset.sounds === undefined;
  if (left && left !== here) {
    left = null;
    byId("c-seats").scrollIntoView({ block: "start" });
    /** @type {HTMLElement | null} */ (byId("seats").querySelector("button.seat"))?.focus({ preventScroll: true });
  }
  if (!then || !isAnswered()) return;
  const work = then;
  then = null;
  work();
}

document.addEventListener("input", (event) => {
  if (!inParts() || elementOf(event) !== field()) return;
  then = null; // Enter was for other words
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (typed() !== wanted) search();
  }, PAUSE);
});
document.addEventListener("click", (event) => {
  const link = around(event, "#c-before a, #c-after a", HTMLAnchorElement);
  const { ctrlKey, metaKey, shiftKey } = /** @type {MouseEvent} */ (event);
  if (!link || ctrlKey || metaKey || shiftKey) return;
  event.preventDefault();
  left = end();
  turn(link.href);
});
look();
if (inParts() && !isAnswered()) search(); // the browser kept the words over a reload
