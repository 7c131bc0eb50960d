// Lists on public pages that ask for news: an element with data-poll, the usual seconds between two questions, and
// hx-trigger="news". Hundreds of phones open a page in the same minute; each waits a different time, so that they do not ask
// together. If the server does not answer, the page says so. The pages of an archived event (data-rests) do not ask.

import { around, awake, dataOf } from "./dom.js";
import { htmx } from "./htmx.js";

const UNSEEN = 6; // while nobody sees the page, this many times as long between two questions
const JUST = 5000; // milliseconds: a page that asked so recently does not ask when it is seen again

let timer = 0;
let asked = performance.now();

const list = () => awake("[data-poll]");

/** @param {number} seconds */
function schedule(seconds) {
  clearTimeout(timer);
  timer = setTimeout(ask, seconds * 1000);
}

// Return the seconds until the next question, a quarter more or less than usual.
const usual = () => Number(list()?.dataset.poll) * (document.hidden ? UNSEEN : 1) * (0.75 + Math.random() / 2);

function ask() {
  const here = list();
  if (!here) return;
  schedule(usual());
  asked = performance.now();
  htmx.trigger(here, "news");
}

// "Come back in n seconds": a busy server spreads its visitors over as long again.
document.addEventListener("htmx:afterRequest", (event) => {
  const { xhr, elt } = event.detail;
  if (!elt.matches("[data-poll]") || ![429, 503].includes(xhr?.status)) return;
  const seconds = Number(xhr.getResponseHeader("Retry-After"));
  if (seconds > 0) schedule(Math.max(seconds * (1 + Math.random()), usual()));
});

document.addEventListener("visibilitychange", () => {
  if (!list()) return;
  if (document.hidden || performance.now() - asked < JUST) schedule(usual());
  else ask();
});

/** @param {Event} event */
function lost(event) {
  const place = around(event, "[data-offline]");
  const trouble = document.getElementById("trouble");
  if (!place || !trouble) return;
  if (event.type === "htmx:responseError") {
    const { status } = /** @type {CustomEvent<HtmxDetail>} */ (event).detail.xhr;
    if (status < 500 && status !== 429) return;
  }
  event.stopPropagation();
  if (document.documentElement.dataset.kept) return; // the page says how old it is
  trouble.textContent = dataOf(place).offline;
  trouble.hidden = false;
}
for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, lost, true);
}

if (list()) schedule(usual());
