// The service worker keeps pages of this device. A page that came before the worker was there asks it to keep the page, and the
// files that the page has loaded.

const workers = navigator.serviceWorker; // only browsers have it that reach the server by https, or on this computer

function keepThis() {
  if ("kept" in document.documentElement.dataset) return;
  const files = performance.getEntriesByType("resource").map((entry) => entry.name);
  workers.controller?.postMessage({ keeps: location.href, files });
}

/** @param {string} worker the address of the worker */
export function keepThisPage(worker) {
  if (!workers) return;
  workers.addEventListener("controllerchange", keepThis);
  workers.register(worker, { type: "module", scope: "/", updateViaCache: "all" }).catch(() => {}); // an old browser: the page works as before
}
