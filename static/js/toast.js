// A toast offers to undo what was just done. It disappears after 8 seconds, but not while it has the focus or the pointer.
"use strict";

const TOAST_MS = 8000;
const started = new WeakSet();

function startToast(toast) {
  let timer = null;
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
  for (const toast of document.querySelectorAll("[data-toast]")) if (!started.has(toast)) startToast(toast);
}

// A later action on the same page removes the toast: its Undo would no longer be about the last action.
const before = new WeakMap(); // request -> the toasts that were on the page when it was sent
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.requestConfig.verb !== "get") before.set(detail.xhr, [...document.querySelectorAll("[data-toast]")]);
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.successful) return;
  for (const toast of before.get(detail.xhr) ?? []) toast.remove();
});

document.addEventListener("htmx:load", startToasts);
startToasts();
