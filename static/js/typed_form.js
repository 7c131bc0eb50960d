// Keep what was typed into the form with data-keeps while its page is opened again by a link or a search.
import { forEachComing } from "./dom.js";
import { isYounger, keyOf, putBack, taken } from "./typed.js";

/** @param {HTMLElement} part */
const wrong = (part) => part.querySelector(".wrong") !== null;

forEachComing("form[data-keeps]", (form) => {
  const fields = () => /** @type {HTMLInputElement[]} */ ([...form.elements]);
  const key = keyOf(location.pathname);
  try {
    const kept = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    if (kept) putBack(fields(), JSON.parse(kept));
  } catch {
    // a browser without storage keeps nothing
  }
  const born = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("birth_date"));
  const minors = /** @type {HTMLElement | null} */ (form.querySelector("[data-below]"));
  const ask = () => {
    if (minors && born) {
      minors.hidden = !isYounger(born.value, minors.dataset.on ?? "", Number(minors.dataset.below)) && !wrong(minors);
    }
  };
  born?.addEventListener("input", ask);
  if (born?.value) ask();
  const keep = () => {
    try {
      sessionStorage.setItem(key, JSON.stringify(taken(fields())));
    } catch {
      // a browser without storage keeps nothing
    }
  };
  for (const link of document.querySelectorAll("nav.languages a, .look-up a")) link.addEventListener("click", keep);
  document.querySelector("form.look-up")?.addEventListener("submit", keep);
}, HTMLFormElement);
