// A toast offers to undo what was just done. It disappears after 8 seconds, but not while it has the focus or the pointer.

import { all } from "./dom.js";

const TOAST_MS = 8000;
const started = new WeakSet();
const toasts = () => all(document, "[data-toast]");

/** @param {HTMLElement} toast */
function startToast(toast) {
  let timer = 0;
  const hold = () => clearTimeout(timer);
  const run = () => {
    hold();
    timer = setTimeout(() => toast.remove(), TOAST_MS);
  };
  started.add(toast);
  toast.addEventListener("focusin", hold);
  toast.addEventListener("focusout", run);
  toast.addEventListener("pointerenter", hold);
  toast.addEventListener("pointerleave", () => {
    if (!toast.contains(document.activeElement)) run();
  });
  run();
}

function startToasts() {
  for (const toast of toasts()) if (!started.has(toast)) startToast(toast);
}

// A later action on the same page removes the toast: its Undo would no longer be about the last action.
/** @type {WeakMap<XMLHttpRequest, HTMLElement[]>} */
const before = new WeakMap(); // request -> the toasts that were on the page when it was sent
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.requestConfig.verb !== "get") before.set(detail.xhr, toasts());
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.successful) return;
  for (const toast of before.get(detail.xhr) ?? []) toast.remove();
});

document.addEventListener("htmx:load", startToasts);
startToasts();
