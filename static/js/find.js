// Filters the rows of a list while somebody types. Without scripts the form asks the server, which finds the same rows
// (tournaments/web/views/public/finding.py).
"use strict";

(() => {
  const PLAIN = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ħ: "h", ı: "i", ə: "e", ŋ: "n", ŧ: "t" };

  const folded = (text) =>
    [...text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "")]
      .map((sign) => PLAIN[sign] ?? sign)
      .join("")
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();

  const found = (key, words) =>
    words.every((word) => key.includes(/^\d+$/.test(word) ? ` ${word} ` : ` ${word}`));

  window.finding = { folded, found }; // for the page of results

  function filter(form) {
    const list = document.getElementById(form.dataset.list);
    if (!list) return;
    const search = folded(form.elements.q.value);
    const words = search ? search.split(" ") : [];
    let count = 0;
    for (const row of list.querySelectorAll("[data-find]")) {
      row.hidden = !found(row.dataset.find, words);
      if (!row.hidden) count += 1;
    }
    for (const group of list.querySelectorAll("tbody, table, .sheet")) {
      if (group.querySelector("[data-find]")) group.hidden = !group.querySelector("[data-find]:not([hidden])");
    }
    const nothing = list.querySelector("[data-nothing]");
    if (nothing) nothing.hidden = count > 0;
    const said = form.querySelector("[data-found]");
    if (said) said.textContent = words.length ? `${said.dataset.found} ${count}` : "";
  }

  for (const form of document.querySelectorAll("form.find[data-list]")) {
    const list = document.getElementById(form.dataset.list);
    // The server left rows out for the searched words. Only the server can bring them back.
    const partial = form.elements.q.defaultValue !== "";
    form.elements.q.addEventListener("input", () => {
      if (!partial) filter(form);
    });
    form.addEventListener("submit", (event) => {
      if (partial) return;
      event.preventDefault();
      form.elements.q.blur();
      list?.scrollIntoView({ block: "start" });
    });
    if (!partial && form.elements.q.value) filter(form); // the browser kept the words over a reload
  }
  document.addEventListener("htmx:afterSettle", () => {
    for (const form of document.querySelectorAll("form.find[data-list]")) {
      if (form.elements.q.defaultValue === "") filter(form);
    }
  });
})();
