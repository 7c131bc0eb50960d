// A toast offers to undo what was just done. It goes after 8 seconds, but not while it has the focus or the pointer.
"use strict";

const TOAST_MS = 8000;

function startToast(toast) {
  let timer = null;
  const hold = () => clearTimeout(timer);
  const run = () => {
    hold();
    timer = setTimeout(() => toast.remove(), TOAST_MS);
  };
  toast.removeAttribute("data-toast");
  toast.addEventListener("focusin", hold);
  toast.addEventListener("focusout", run);
  toast.addEventListener("pointerenter", hold);
  toast.addEventListener("pointerleave", () => {
    if (!toast.contains(document.activeElement)) run();
  });
  run();
}

function startToasts() {
  for (const toast of document.querySelectorAll("[data-toast]")) startToast(toast);
}

// A later action on the same page takes the toast away: its Undo would no longer be about the last action.
document.addEventListener("htmx:afterRequest", (event) => {
  const { requestConfig, successful } = event.detail;
  if (!successful || requestConfig?.verb === "get") return;
  for (const toast of document.querySelectorAll(".toast")) if (!toast.hasAttribute("data-toast")) toast.remove();
});

document.addEventListener("htmx:load", startToasts);
startToasts();
