// What htmx leaves undone: errors of the network in words, keys that press a button, tabs scrolled into view.
"use strict";

const trouble = document.getElementById("trouble");

function tellTrouble(message) {
  if (!trouble) return;
  trouble.textContent = message;
  trouble.hidden = !message;
}

document.addEventListener("htmx:sendError", () => tellTrouble(trouble.dataset.network));
document.addEventListener("htmx:timeout", () => tellTrouble(trouble.dataset.network));
document.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  const kinds = { 401: "forbidden", 403: "forbidden", 404: "gone" };
  tellTrouble(trouble.dataset[kinds[status] || "server"]);
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) tellTrouble("");
});

// A control with data-key="Enter" is pressed by that key, unless somebody is typing or another control has the focus.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest("input, select, textarea, button, a, summary, [contenteditable]")) return;
  const control = document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not([disabled])`);
  if (!control) return;
  event.preventDefault();
  control.click();
});

document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
