// A screen of the hall: turns its pages, asks for news, and counts down by the server's clock. Without a network it keeps
// showing what it has, and says since when.

import { all, around, byId, dataOf, withText } from "./dom.js";
import { fill } from "./texts.js";

const pages = byId("pages");
const words = dataOf(document.body);
const PAGE = Number(words.seconds) * 1000;
const NEWS = 5000; // milliseconds between two questions, a fifth more or less, so that screens do not ask together
const IDLE = 3000; // milliseconds until the mouse pointer is hidden
const BEGUN = 10 * 60000; // milliseconds for which "Play has begun" is shown
const SHOWN_LEAVES = 3; // of the pages of a long list

let at = 0;
let turned = performance.now();
let still = false;
// From the clock of this page to the server's time; until the server answers, to the time of this computer.
let offset = Date.now() - performance.now();
let answered = ""; // when the server last answered, on the clock of the hall
let next = 0; // the timer of the next question
let idle = 0;

const leaves = () => /** @type {HTMLElement[]} */ ([...pages.children]);
const now = () => performance.now() + offset;

/**
 * @param {string} id
 * @param {string} text
 */
function write(id, text) {
  const place = byId(id);
  if (place.textContent !== text) place.textContent = text;
}

/** @param {number} to the page to show; after the last comes the first */
function turn(to) {
  const found = leaves();
  at = (to + found.length) % found.length;
  turned = performance.now();
  for (const [number, leaf] of found.entries()) if (leaf.hidden !== (number !== at)) leaf.hidden = number !== at;
  write("where", dataOf(found[at]).title);
  showPlace(found);
}

/**
 * 1–10, 11–20 ...: for a long list only the pages near this one, and the last.
 * @param {HTMLElement[]} found
 */
function showPlace(found) {
  const first = Math.max(0, Math.min(at - 1, found.length - SHOWN_LEAVES));
  const last = found.length - 1;
  const near = found.map((leaf, number) => ({ leaf, number })).slice(first, first + SHOWN_LEAVES);
  const parts = near.map(({ leaf, number }) => withText(number === at ? "b" : "span", dataOf(leaf).label));
  if (first + SHOWN_LEAVES <= last) parts.push(withText("span", `… ${found[last].dataset.label}`));
  byId("leaf").replaceChildren(...(last > 0 ? parts : []));
}

/**
 * Replace only what differs, so that nothing flashes. A new round begins at its first page.
 * @param {string} html
 */
function take(html) {
  const news = new DOMParser().parseFromString(html, "text/html").getElementById("pages");
  if (!news) return;
  const other = news.dataset.shown !== pages.dataset.shown;
  const former = leaves();
  const wanted = news.children.length;
  for (const [number, leaf] of /** @type {HTMLElement[]} */ ([...news.children]).entries()) {
    const old = former[number];
    if (old && old.innerHTML === leaf.innerHTML && old.className === leaf.className) {
      Object.assign(old.dataset, leaf.dataset);
      continue;
    }
    const fresh = document.adoptNode(leaf);
    fresh.hidden = old ? old.hidden : true;
    if (old) old.replaceWith(fresh);
    else pages.append(fresh);
  }
  for (const old of former.slice(wanted)) old.remove();
  Object.assign(pages.dataset, news.dataset);
  const { heading, message } = dataOf(pages);
  write("heading", heading);
  write("message", message);
  const since = turned;
  turn(other ? 0 : Math.min(at, leaves().length - 1));
  if (!other) turned = since;
}

/** @param {number} delay */
function schedule(delay) {
  clearTimeout(next);
  next = setTimeout(ask, delay);
}

async function ask() {
  schedule(NEWS * (0.8 + Math.random() * 0.4));
  const query = new URLSearchParams(location.search);
  query.set("seen", dataOf(pages).revision);
  const began = performance.now();
  try {
    const answer = await fetch(`${location.pathname}?${query}`, {
      headers: { "HX-Request": "true" },
      cache: "no-store",
      signal: AbortSignal.timeout(8000),
    });
    const wait = Number(answer.headers.get("Retry-After")) * 1000;
    if (!answer.ok && wait > 0) schedule(Math.max(NEWS, wait) * (1 + Math.random())); // the server is busy
    if (!answer.ok) throw new Error(String(answer.status));
    const half = (performance.now() - began) / 2;
    const theirs = Number(answer.headers.get("X-Now"));
    if (theirs) offset = theirs + half - performance.now();
    answered = answer.headers.get("X-Clock") ?? answered;
    if (answer.status === 200) take(await answer.text());
    write("stale", "");
  } catch {
    const clock = answered ||
      new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    write("stale", fill(words.stale, { time: clock }));
  }
}

function count() {
  const to = Number(pages.dataset.countdown);
  const left = to - now();
  const place = byId("countdown");
  place.hidden = !to || left < -BEGUN;
  if (place.hidden) return;
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  write("countdown-words", seconds ? words.begins : words.begun);
  byId("clock").hidden = !seconds;
  write("clock", (hours ? `${hours}:${two(minutes)}` : String(minutes)) + `:${two(seconds % 60)}`);
}

/** @param {string} to */
function theme(to) {
  document.documentElement.dataset.theme = to;
  try {
    localStorage.setItem(words.themeKey, to);
  } catch {
    // storage is switched off: the address names the theme
  }
}

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowRight: () => turn(at + 1),
  ArrowLeft: () => turn(at - 1),
  " ": () => {
    still = !still;
    byId("pause").setAttribute("aria-pressed", String(still));
  },
  d: () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"),
  Enter: () => {
    const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    done.catch(() => {}); // if full screen is not allowed, the screen stays as it is
  },
};

function wake() {
  document.body.classList.remove("idle");
  clearTimeout(idle);
  idle = setTimeout(() => document.body.classList.add("idle"), IDLE);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if ((event.key === " " || event.key === "Enter") && around(event, "button")) return;
  const press = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!press) return;
  event.preventDefault();
  press();
});
for (const button of all(document, "[data-press]")) {
  button.addEventListener("click", () => KEYS[dataOf(button).press]());
}
for (const sign of ["mousemove", "pointerdown", "focusin"]) document.addEventListener(sign, wake);
addEventListener("online", ask);
addEventListener("offline", ask);

try {
  const kept = localStorage.getItem(words.themeKey);
  if (kept && !new URLSearchParams(location.search).has("theme")) theme(kept);
} catch {
  // storage is switched off
}
byId("controls").hidden = false;
wake();
turn(0);
count();
ask();
setInterval(count, 250);
setInterval(() => {
  if (!still && leaves().length > 1 && performance.now() - turned >= PAGE) turn(at + 1);
}, 250);
