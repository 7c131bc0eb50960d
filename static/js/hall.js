// A screen of the hall: turns its pages, asks for news, and counts down by the server's clock. Without a network it keeps
// showing what it has, and says since when.

import { all, around, byId, dataOf, withText } from "./dom.js";
import { countdown, largeClock } from "./hall_clock.js";
import { fill } from "./texts.js";

const pages = byId("pages");
const words = dataOf(document.body);
const NEWS = Number(words.news); // milliseconds between two questions, a fifth more or less, so that screens do not ask together
const IDLE = 3000; // milliseconds until the mouse pointer is hidden
const SHOWN_LEAVES = 3; // of the pages of a long list

let at = 0;
let turned = performance.now();
let still = false;
// From the clock of this page to the server's time; until the server answers, to the time of this computer.
let offset = Date.now() - performance.now();
let answered = ""; // when the server last answered, on the clock of the hall
let next = 0; // the timer of the next question
let idle = 0;

/** How long a page stays, in milliseconds. An arbiter may change it from elsewhere. */
const pageTime = () => Number(pages.dataset.seconds ?? words.seconds) * 1000;
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
  at = ((to % found.length) + found.length) % found.length;
  turned = performance.now();
  for (const [number, leaf] of found.entries()) if (leaf.hidden !== (number !== at)) leaf.hidden = number !== at;
  const { title, heading, place } = dataOf(found[at]);
  write("where", title);
  write("heading", heading);
  write("place", place);
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
  if (news.dataset.page !== pages.dataset.page) return location.reload(); // another language, or a new version
  const further = Number(news.dataset.turned ?? 0) - Number(pages.dataset.turned ?? 0);
  Object.assign(pages.dataset, news.dataset);
  write("message", dataOf(pages).message);
  if (pages.dataset.page) obey();
  const since = turned;
  turn(other ? 0 : Math.min(at, leaves().length - 1) + further);
  if (!other && !further) turned = since;
  count();
}

/** What the arbiter has chosen from elsewhere. */
function obey() {
  const { theme, paused, blank } = dataOf(pages);
  document.documentElement.dataset.theme = theme;
  pause(Boolean(paused));
  document.body.classList.toggle("blank", Boolean(blank));
}

/** @param {boolean} stop */
function pause(stop) {
  still = stop;
  byId("pause").setAttribute("aria-pressed", String(still));
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
    const clock = answered || hallTime();
    write("stale", fill(words.stale, { time: clock }));
  }
}

function count() {
  const shown = countdown(Number(pages.dataset.countdown), now(), { begins: words.begins, begun: words.begun });
  const [large] = all(document, ".sheet-of.clock:not([hidden])");
  byId("countdown").hidden = !shown || large !== undefined;
  write("countdown-words", shown?.words ?? "");
  byId("clock").hidden = !shown?.time;
  write("clock", shown?.time ?? "");
  if (!large) return;
  const { words: above, time } = largeClock(shown, JSON.parse(pages.dataset.starts || "[]"), now(), hallTime());
  const [first, second] = [...large.children];
  if (first.textContent !== above) first.textContent = above;
  if (second.textContent !== time) second.textContent = time;
}

/** The time of day, by the clock of the hall. */
function hallTime() {
  return new Date(now()).toLocaleTimeString(document.documentElement.lang, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: words.zone,
  });
}

/** @param {string} to */
function theme(to) {
  document.documentElement.dataset.theme = to;
  if (!words.themeKey) return; // the arbiter chooses it
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
  " ": () => pause(!still),
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
  const kept = words.themeKey && localStorage.getItem(words.themeKey);
  if (kept && !new URLSearchParams(location.search).has("theme")) theme(kept);
} catch {
  // storage is switched off
}
byId("controls").hidden = false;
if (pages.dataset.page) obey();
wake();
turn(0);
count();
ask();
setInterval(count, 250);
setInterval(() => {
  if (!still && leaves().length > 1 && performance.now() - turned >= pageTime()) turn(at + 1);
}, 250);
