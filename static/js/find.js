// Filters the rows of a list while somebody types. Without scripts the form asks the server, which finds the same rows
// (web/views/public/lists.py). A list in parts is searched by the server alone (parts.js).

import { all, dataOf, fieldOf, forEachComing } from "./dom.js";
import { matching } from "./spelling.js";

const FORMS = "form.find[data-list]:not([data-parts])";

/** @param {HTMLFormElement} form */
function filter(form) {
  const list = document.getElementById(dataOf(form).list);
  if (!list) return;
  const search = fieldOf(form, "q").value.trim();
  const rows = all(list, "[data-find]");
  const { hits, similar } = matching(rows.map((row) => dataOf(row).find), search);
  rows.forEach((row, at) => row.hidden = !hits[at]);
  const count = hits.filter(Boolean).length;
  for (const group of all(list, "tbody, table, .sheet")) {
    if (group.querySelector("[data-find]")) group.hidden = !group.querySelector("[data-find]:not([hidden])");
  }
  for (const nothing of all(list, "[data-nothing]").slice(0, 1)) nothing.hidden = count > 0 || !search;
  for (const note of all(document, "[data-similar]")) if (note.dataset.similar === list.id) note.hidden = !similar;
  for (const counter of all(form, "[data-found]").slice(0, 1)) {
    counter.textContent = search ? `${counter.dataset.found} ${count}` : "";
  }
}

forEachComing(FORMS, (form) => {
  const search = fieldOf(form, "q");
  // The server left rows out for the searched words. Only the server can bring them back.
  const partial = search.defaultValue !== "";
  search.addEventListener("input", () => {
    if (!partial) filter(form);
  });
  form.addEventListener("submit", (event) => {
    if (partial) return;
    event.preventDefault();
    search.blur();
    const list = document.getElementById(dataOf(form).list);
    list?.scrollIntoView({ block: "start" });
    const left = all(list ?? form, "[data-find]:not([hidden])");
    if (left.length === 1) all(left[0], "a.change-result")[0]?.focus(); // Enter then opens the board that was found
  });
  if (!partial && search.value) filter(form); // the browser kept the words over a reload
}, HTMLFormElement);
document.addEventListener("htmx:afterSettle", () => {
  for (const form of all(document, FORMS, HTMLFormElement)) {
    if (fieldOf(form, "q").defaultValue === "") filter(form);
  }
});
