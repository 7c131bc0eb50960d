// Pages that show what others do. The root has data-live: the address that is asked every few seconds with the revision of
// the page (empty: the address of the page). 204 means that nothing is new. Only changed parts are replaced (data-part, each
// with an id), and never a part that the person types in, has open or presses. A lost connection is shown with its time.

import { all, awake, dataOf } from "./dom.js";
import { htmx } from "./htmx.js";
import { byName, guard, look, nameOf, refuse, seen, slipped } from "./live/guard.js";
import { busy, parts, plain, sameParts, within } from "./live/parts.js";
import { tick } from "./live/times.js";
import { fill } from "./texts.js";

const EVERY = 4000; // milliseconds between two questions, a tenth more or less, so that not all seats ask at once
const SLOWEST = 15000; // between two tries while the server does not answer
const PATIENCE = 10000; // for an answer
const HOLD = 5000; // how long news waits for the answer to the person's own press, which brings the whole page

const sent = /** @type {Map<string, string>} */ (new Map()); // by id: each part as the server sent it last
let waiting = /** @type {HTMLElement | null} */ (null); // an answer that could not be put in yet
let timer = 0;
let asking = /** @type {AbortController | null} */ (null);
let failures = 0;
let heard = new Date(); // when the server answered last
let pressed = false;
let sentAt = -HOLD; // when the last press of this person was sent
let changed = 0; // parts put in by the last answer

const root = () => awake("[data-live]");
const words = () => {
  const place = document.getElementById("live-words");
  return place ? dataOf(place) : /** @type {Record<string, string>} */ ({});
};
const clock = (/** @type {Date} */ moment) =>
  moment.toLocaleTimeString(document.documentElement.lang, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZone: words().zone || undefined, // of the event, as all times on the page
  });

// Remember the whole page as what the server sent.
function remember() {
  sent.clear();
  const here = root();
  if (waiting && here) here.dataset.seen = ""; // ask for it again, because it was never put in
  waiting = null;
  for (const part of parts(document)) sent.set(part.id, plain(part));
}

// Putting in -------------------------------------------------------------------------------------------------------

/**
 * Put `fresh` in the place of `old`. What is open stays open, and the focus stays on its control.
 * @param {Element} old
 * @param {Element} fresh
 */
function put(old, fresh) {
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  const focused = focus && nameOf(focus);
  const open = new Set(all(old, "details[open]").map((each) => each.id));
  const copy = document.importNode(fresh, true);
  for (const each of all(copy, "details", HTMLDetailsElement)) if (open.has(each.id)) each.open = true;
  old.replaceWith(copy);
  htmx?.process(copy);
  if (!focus || !focused) return;
  (byName(copy, focused) ?? (focus.id ? document.getElementById(focus.id) : null))?.focus({ preventScroll: true });
}

/**
 * Replace the parts that changed. Return false if a part must wait.
 * @param {Element} old
 * @param {Element} fresh
 * @returns {boolean}
 */
function renew(old, fresh) {
  const html = plain(fresh);
  if (sent.get(fresh.id) === html) return true;
  const rows = within(old);
  if (rows.length && sameParts(old, fresh)) {
    const done = within(fresh).map((row, place) => renew(rows[place], row));
    if (done.every(Boolean)) sent.set(fresh.id, html);
    return done.every(Boolean);
  }
  if (pressed || busy(old)) return false;
  put(old, fresh);
  for (const part of [fresh, ...parts(fresh)]) sent.set(part.id, plain(part));
  changed += 1;
  return true;
}

/**
 * Show what the server has sent, or keep it until the person lets go.
 * @param {HTMLElement} here
 * @param {HTMLElement} fresh
 */
function take(here, fresh) {
  if (document.querySelector(".htmx-request") && performance.now() - sentAt < HOLD) {
    waiting = fresh; // put in now, it would move controls twice, and the next press would be taken for a slip
    return;
  }
  const before = look(here);
  changed = 0;
  let done = true;
  if (sameParts(here, fresh)) {
    const old = within(here);
    done = within(fresh).map((part, place) => renew(old[place], part)).every(Boolean);
    here.dataset.seen = fresh.dataset.seen;
    here.dataset.live = fresh.dataset.live;
  } else if (pressed || busy(here)) done = false;
  else {
    put(here, fresh);
    remember();
    changed += 1;
  }
  waiting = done ? null : fresh;
  if (!changed) return;
  guard(before);
  const announcer = document.getElementById("live-news");
  if (announcer && announcer.textContent !== (fresh.dataset.news ?? "")) {
    announcer.textContent = fresh.dataset.news ?? "";
  }
  tick(words());
  document.dispatchEvent(new CustomEvent("htmx:afterSettle")); // filters and keys look at the page again
}

// Asking -----------------------------------------------------------------------------------------------------------

/** @param {number} delay */
function schedule(delay) {
  clearTimeout(timer);
  timer = setTimeout(ask, delay * (0.9 + Math.random() / 5));
}

async function ask() {
  clearTimeout(timer);
  const here = root();
  if (!here || document.hidden) return schedule(EVERY);
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  const late = setTimeout(() => mine.abort("late"), PATIENCE);
  try {
    const address = new URL(here.dataset.live || location.pathname + location.search, location.href);
    address.searchParams.set("seen", dataOf(here).seen);
    const answer = await fetch(address, { headers: { "HX-Request": "true" }, cache: "no-store", signal: mine.signal });
    if (answer.headers.get("HX-Redirect") || [401, 403, 404].includes(answer.status)) return over(answer);
    if (!answer.ok) throw new Error(String(answer.status));
    const html = answer.status === 204 ? "" : await answer.text();
    back();
    if (html && here.isConnected && here === root()) {
      const page = new DOMParser().parseFromString(html, "text/html");
      const fresh = /** @type {HTMLElement | null} */ (page.querySelector("[data-live]"));
      if (fresh) take(here, fresh);
    }
    schedule(EVERY);
  } catch {
    if (mine !== asking) return; // a newer question is on its way
    lost();
    schedule(Math.min(SLOWEST, 1500 * 2 ** Math.min(failures, 4)));
  } finally {
    clearTimeout(late);
  }
}

/**
 * @param {string} text
 * @param {string} kind
 */
function state(text, kind) {
  const box = document.getElementById("live-state");
  if (!box) return;
  if (box.textContent !== text) box.textContent = text;
  box.className = `live-state note ${kind}`;
  box.hidden = !text;
}

function lost() {
  failures += 1;
  state(fill(words().lost ?? "", { at: clock(heard) }), "warn");
}

function back() {
  heard = new Date();
  if (failures) state("", "");
  failures = 0;
}

/** @param {Response} answer */
function over(answer) {
  const ended = answer.headers.get("HX-Redirect");
  state(ended ? words().ended : words().gone, "bad");
  if (!ended) return;
  const link = document.createElement("a");
  link.href = `${ended}?next=${encodeURIComponent(location.pathname)}`;
  link.textContent = words().login;
  document.getElementById("live-state")?.append(" ", link);
}

// Ask at once, if somebody looks at the page.
export function now() {
  if (root() && !document.hidden) ask();
}

/**
 * Show the page of another address, such as another part of its list. An answer for the former one is dropped.
 * @param {string} address
 */
export function turn(address) {
  const here = root();
  if (!here) return;
  Object.assign(here.dataset, { live: address, seen: "" });
  waiting = null;
  ask();
}

// Hands ------------------------------------------------------------------------------------------------------------

function settle() {
  setTimeout(() => {
    const here = root();
    if (waiting && here && !pressed) take(here, waiting);
  }, 60);
}

function release() {
  pressed = false;
  settle();
}

document.addEventListener("pointerdown", () => {
  pressed = true;
}, true);
for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, release, true);
document.addEventListener("htmx:beforeRequest", () => {
  sentAt = performance.now();
});
for (const name of ["focusout", "change", "htmx:afterRequest"]) document.addEventListener(name, settle);
document.addEventListener("mouseout", () => {
  if (waiting) settle();
});
document.addEventListener("input", seen);
document.addEventListener("click", (event) => {
  if (!slipped(event, root())) return;
  event.stopImmediatePropagation();
  refuse(event);
}, true);
for (const name of ["visibilitychange", "evenboard:saved"]) document.addEventListener(name, now);
for (const name of ["online", "pageshow", "focus"]) addEventListener(name, now);
addEventListener("offline", () => {
  if (root()) lost();
});
document.addEventListener("htmx:historyRestore", remember);
document.addEventListener("htmx:afterSwap", () => { // a form has replaced the page
  remember();
  tick(words());
});
setInterval(() => tick(words()), 15000);
remember();
tick(words());
schedule(EVERY);
