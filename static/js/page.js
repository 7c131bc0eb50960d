// What htmx leaves undone: errors of the network in words, keys that press a button, buttons that rest, tabs in view.
"use strict";

// kind: which of the sentences in the page to show; nothing takes it away again
function tellTrouble(kind) {
  const trouble = document.getElementById("trouble");
  if (!trouble) return;
  trouble.textContent = kind ? trouble.dataset[kind] : "";
  trouble.hidden = !kind;
}

document.addEventListener("htmx:sendError", () => tellTrouble("network"));
document.addEventListener("htmx:timeout", () => tellTrouble("network"));
document.addEventListener("htmx:responseError", (event) => {
  const kinds = { 401: "forbidden", 403: "forbidden", 404: "gone" };
  tellTrouble(kinds[event.detail.xhr.status] || "server");
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) tellTrouble("");
});

// A control with data-key="Enter" is pressed by that key, unless somebody is typing or another control has the focus.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
  if (event.target.closest("input, select, textarea, button, a, summary, [contenteditable]")) return;
  const control = document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not([disabled])`);
  if (!control) return;
  event.preventDefault();
  control.click();
});

// A form that is sent without htmx: its button rests until the answer is there, so that a second click sends nothing.
const resting = new Set();
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post" || !event.submitter) return;
  const button = event.submitter;
  setTimeout(() => {
    button.disabled = true;
    resting.add(button);
  });
});
window.addEventListener("pageshow", () => {
  for (const button of resting) button.disabled = false;
  resting.clear();
});

document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
