// A public page as an app: it registers the service worker, says how old a page is that comes without a network, and offers to
// install the event as an app where the browser can.

import { byId, dataOf } from "./dom.js";
import { age, nextChange } from "./age.js";
import { keepThisPage } from "./keeping.js";

// Milliseconds until a page that is shown without a network tries the network again.
const SOON = 500;
const LATER = 30_000;
const NOT_HERE = "#not-here"; // the worker leads here from a link to a page that is not on this device
const bar = byId("page-age");
const { kept } = document.documentElement.dataset;
const workers = navigator.serviceWorker; // only browsers have it that reach the server by https, or on this computer

function showAge() {
  const at = Number(kept);
  bar.textContent = age(at, Date.now(), dataOf(bar), document.documentElement.lang);
  bar.hidden = false;
  setTimeout(showAge, nextChange(at, Date.now()));
}

let wait = SOON;
let timer = 0;

/** Load the page again as soon as the server answers. The network may need some seconds after the device says that it is back. */
async function tryAgain() {
  clearTimeout(timer);
  wait = Math.min(2 * wait, LATER);
  timer = setTimeout(tryAgain, wait * (1 + Math.random()));
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" });
    if (answer.status < 500) location.reload();
  } catch {
    // still without a network
  }
}

function trySoon() {
  wait = SOON;
  tryAgain();
}

if (kept) {
  showAge();
  if (location.hash === NOT_HERE) {
    bar.textContent = dataOf(bar).missing;
    history.replaceState(null, "", location.pathname + location.search);
  }
  timer = setTimeout(tryAgain, LATER);
  addEventListener("online", trySoon);
  document.addEventListener("visibilitychange", trySoon);
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful) location.reload(); // the list has news, and the rest of the page is old
  });
}

const { worker } = dataOf(bar);
if (worker && !kept) keepThisPage(worker);

// "Install as an app": the browser asks the page instead of showing a banner of its own.
addEventListener("beforeinstallprompt", (event) => {
  const install = document.getElementById("install");
  if (!install) return;
  event.preventDefault();
  install.hidden = false;
  install.onclick = () => {
    install.hidden = true;
    /** @type {InstallPrompt} */ (event).prompt();
  };
});
// The app begins at the page of the event, perhaps without a network, and its visitor may have seen only other pages.
addEventListener("appinstalled", () => {
  const install = document.getElementById("install");
  if (install) workers?.controller?.postMessage({ keeps: new URL(dataOf(install).start, location.href).href });
});
