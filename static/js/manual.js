// The manual: its search, and a copy of it on this device, which the service worker shows without a network (worker/run.js).

import { dataOf, forEachComing, one } from "./dom.js";
import { search } from "./manual/search.js";

const KEPT = "evenboard-manual"; // the cache, which worker/rules.js names too
const VERSION = "/site/manual/version"; // the version that is kept, beside its pages

// The search ----------------------------------------------------------------------------------------------------

/** @type {Promise<import("./manual/search.js").Index> | undefined} */
let loading;

/** @param {HTMLFormElement} form */
function searches(form) {
  const address = dataOf(form).index;
  const field = one(form, "input", HTMLInputElement);
  const list = one(form, ".hits");
  const status = one(form, "[data-none]");

  /** @param {import("./manual/search.js").Passage} hit */
  function line(hit) {
    const item = document.createElement("li");
    item.lang = hit.language;
    const link = document.createElement("a");
    link.href = new URL(hit.at, new URL(address, location.href)).href;
    link.textContent = hit.title;
    const chapter = document.createElement("span");
    chapter.className = "quiet small";
    chapter.textContent = hit.title === hit.chapter ? "" : hit.chapter;
    const text = document.createElement("p");
    text.textContent = hit.text;
    item.append(link, " ", chapter, text);
    return item;
  }

  async function show() {
    loading ??= fetch(address).then((answer) => answer.json());
    try {
      const hits = search(await loading, field.value);
      list.replaceChildren(...hits.map(line));
      list.hidden = hits.length === 0;
      status.textContent = field.value.trim() && !hits.length ? dataOf(status).none : "";
    } catch {
      loading = undefined; // without a network: the next letter tries again
    }
  }

  addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    }
  });
  field.addEventListener("input", show);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await show();
    list.querySelector("a")?.click();
  });
}

forEachComing("[data-manual-search]", searches, HTMLFormElement);

// The copy on this device -----------------------------------------------------------------------------------------

/**
 * Keep the pages, and all files that this page has loaded. Nothing is kept unless everything came.
 * @param {string} addresses
 * @param {string} version
 */
async function keep(addresses, version) {
  const own = performance.getEntriesByType("resource").map((entry) => new URL(entry.name))
    .filter((url) => url.origin === location.origin && url.pathname.startsWith("/static/")).map((url) => url.pathname);
  const answers = await Promise.all(
    [...new Set([...addresses.split(" "), ...own])].map(async (address) => {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(address);
      const headers = { "Content-Type": answer.headers.get("Content-Type") ?? "" };
      return { address, answer: new Response(await answer.blob(), { headers }) };
    }),
  );
  const cache = await caches.open(KEPT);
  for (const { address, answer } of answers) await cache.put(address, answer);
  await cache.put(VERSION, new Response(version));
}

/** @param {HTMLElement} line */
async function keeps(line) {
  const { manualKeep: addresses, version, done, failed } = dataOf(line);
  const button = one(line, "button", HTMLButtonElement);
  const status = one(line, "[role=status]");

  async function again() {
    button.disabled = true;
    try {
      await navigator.serviceWorker.register("/worker.js", { type: "module", scope: "/", updateViaCache: "all" });
      await keep(addresses, version);
      button.hidden = true;
      status.textContent = done;
    } catch {
      status.textContent = failed;
    }
    button.disabled = false;
  }

  line.hidden = false;
  button.addEventListener("click", again);
  const kept = await (await caches.match(VERSION))?.text();
  if (kept === version) {
    button.hidden = true;
    status.textContent = done;
  } else if (kept && navigator.onLine) await again(); // the program has a new version
}

// Browsers have a service worker only if they reach the server by https, or on this computer.
if (navigator.serviceWorker) forEachComing("[data-manual-keep]", keeps);
