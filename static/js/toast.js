// The server offers on each page to undo what the person did last. It goes with the next action: its Undo would no longer be
// about the last one.

import { all } from "./dom.js";

/** @type {WeakMap<XMLHttpRequest, HTMLElement[]>} */
const before = new WeakMap(); // request -> the toasts that were on the page when it was sent
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.requestConfig.verb !== "get") before.set(detail.xhr, all(document, "[data-toast]"));
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.successful) return;
  for (const toast of before.get(detail.xhr) ?? []) toast.remove();
});

// Take the offer from the page: something else was done.
export function closeOffer() {
  for (const toast of all(document, "[data-toast]")) toast.remove();
}
