// What htmx does not do: errors of the network in words, disabled buttons, progress in words, the current tab in view.

import { all, dataOf, forEachComing, keep, kept } from "./dom.js";
import "./large.js";

/**
 * @param {string} kind which sentence of the page to show; "" hides it
 * @param {string} [sentence] the sentence of the server instead
 */
function showTrouble(kind, sentence = "") {
  const trouble = document.getElementById("trouble");
  if (!trouble) return;
  trouble.textContent = sentence || (kind ? dataOf(trouble)[kind] : "");
  trouble.hidden = !kind;
}

document.addEventListener("htmx:sendError", () => showTrouble("network"));
document.addEventListener("htmx:timeout", () => showTrouble("network"));
document.addEventListener("htmx:responseError", (event) => {
  /** @type {Record<number, string>} */
  const kinds = { 401: "forbidden", 403: "forbidden", 404: "gone" };
  const { xhr } = event.detail;
  // A full disk, or a database that does not run: the page that the server sent says what happened.
  const failure = xhr.getResponseHeader("X-Failure") && new DOMParser().parseFromString(xhr.responseText, "text/html");
  showTrouble(
    kinds[xhr.status] || "server",
    (failure && failure.querySelector("[data-failure]")?.textContent.trim()) || "",
  );
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) showTrouble("");
});

// A form that is sent without htmx: its button is disabled until the answer is there, so a second click sends nothing.
/** @type {Set<HTMLButtonElement>} */
const resting = new Set();
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (event.defaultPrevented || form.method !== "post" || !button) return;
  setTimeout(() => {
    button.disabled = true;
    resting.add(button);
  });
});
addEventListener("pageshow", () => {
  for (const button of resting) button.disabled = false;
  resting.clear();
});

// A form was answered with its page: to load the page again must not send the form again.
if (document.querySelector("[data-sent]")) history.replaceState(null, "", location.href);

// On a phone, bring the tab of this page into view. Not with scrollIntoView(): the next Tab key would then begin at the tab
// instead of at the link that skips to the content.
forEachComing(".tabs [aria-current]", (tab) => {
  const tabs = /** @type {Element} */ (tab.closest(".tabs"));
  const [inner, outer] = [tab.getBoundingClientRect(), tabs.getBoundingClientRect()];
  tabs.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
});

// The first field of the first form has the focus, so that a person types at once. Not on a phone, where the keyboard of the
// screen hides half of the page; not below the first screen; not below news, which a screen reader would leave out; and not
// where letters are keys: they would go into the field. An offer to undo is news, and has its key, on the first page that shows it.
const FIELD = "input:not([type=hidden]), select, textarea";
const OWN_KEYS = "#help, #page-keys, main [data-queue], main [data-key]"; // of these, those with a letter
const NEWS = "main [role=status], main [role=alert]";

function begin() {
  const now = document.activeElement;
  const offer = all(document, "[data-toast]")[0];
  const address = offer?.querySelector("form")?.action ?? "";
  const old = address === kept("offer") ? offer : undefined;
  keep("offer", address);
  const place = location.hash ? document.getElementById(location.hash.slice(1)) : document.body;
  if (!place || (now && now !== document.body) || matchMedia("(pointer: coarse)").matches) return;
  if (all(document, "[autofocus]").some((each) => each.checkVisibility())) return; // the browser does it at the first frame
  const isNew = (/** @type {HTMLElement} */ each) => each.checkVisibility() && !old?.contains(each);
  if (all(document, NEWS).some((each) => isNew(each) && each.textContent.trim() !== "")) return;
  const letters = all(document, OWN_KEYS).filter((each) => !old?.contains(each));
  if (letters.some((each) => !each.dataset.key || /^[a-z0-9]$/i.test(each.dataset.key))) return;
  const fields = all(place, "main form[method=post]").map((form) =>
    all(form, FIELD).find((each) => each.checkVisibility() && each.matches(":enabled:not([type=radio]:not(:checked))"))
  );
  const field = fields.find(Boolean);
  const { top, bottom } = field?.getBoundingClientRect() ?? { top: -1, bottom: 0 };
  if (top >= 0 && bottom <= innerHeight) field?.focus({ preventScroll: true });
}
// The browser takes the focus away when it scrolls to the place in the address: in the frame after all scripts have run.
if (!location.hash) begin();
else if (document.readyState === "complete") requestAnimationFrame(begin);
else addEventListener("load", () => requestAnimationFrame(() => requestAnimationFrame(begin)));
let touched = false; // a person has changed something in a form of this page
document.addEventListener("input", () => {
  touched = true;
});
document.addEventListener("htmx:afterSettle", (event) => {
  if (/** @type {CustomEvent} */ (event).detail?.target !== document.body) return;
  touched = false;
  begin();
});

// Esc leaves a field, so that letters are keys again; if nothing was typed, it presses Cancel.
addEventListener("keydown", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (event.key !== "Escape" || event.defaultPrevented || !(field instanceof Element) || !field.matches(FIELD)) return;
  if (!field.closest("main") || document.querySelector("dialog[open]")) return;
  if (field.type === "search" && field.value !== "") return; // the browser empties it
  field.blur();
  if (!touched && field.value === (field.defaultValue ?? field.value)) {
    all(document, "main [data-key=Escape]").find((each) => each.checkVisibility())?.click();
  }
});

// A form may lead to another kind of page. htmx does not load the styles and scripts of that page, so this does.
let wanted = /** @type {HTMLScriptElement[]} */ ([]);
document.addEventListener("htmx:beforeSwap", (event) => {
  const { boosted, shouldSwap, target, serverResponse } = event.detail;
  if (!boosted || !shouldSwap || target !== document.body) return;
  const head = new DOMParser().parseFromString(serverResponse, "text/html").head;
  const here = (/** @type {string} */ name) => all(document.head, `[${name}]`).map((each) => each.getAttribute(name));
  const [styles, scripts] = [here("href"), here("src")];
  const paper = all(document.head, "link[rel=stylesheet]").pop(); // the last style sheet of every page
  for (const style of all(head, "link[rel=stylesheet]")) {
    if (!styles.includes(style.getAttribute("href"))) paper?.before(document.importNode(style));
  }
  wanted = all(head, "script[src]", HTMLScriptElement).filter((script) =>
    !scripts.includes(script.getAttribute("src"))
  );
});
document.addEventListener("htmx:afterSwap", () => {
  for (const script of wanted) {
    const copy = document.createElement("script"); // the browser runs only scripts that were made here
    for (const { name, value } of script.attributes) copy.setAttribute(name, value);
    copy.async = false; // in the order of the page
    document.head.append(copy);
  }
  wanted = [];
});

// A form, or the button that sends it, with data-progress="Pairing 2,000 players…": its buttons are disabled while the
// server works. After 400 ms the sentence replaces them, with the time so far. A screen reader says the sentence once.
/** @type {Map<Element, () => void>} */
const working = new Map(); // form -> the function that ends its progress
const seconds = (/** @type {number} */ count) =>
  new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: "second", unitDisplay: "long" }).format(
    count,
  );

/**
 * @param {HTMLFormElement} form
 * @param {string} [sentence]
 */
function work(form, sentence = dataOf(form).progress) {
  if (working.has(form)) return;
  const began = performance.now();
  const buttons = all(form, "button:not([type=button]):enabled", HTMLButtonElement);
  const line = document.createElement("p");
  line.className = "progress-line";
  const text = document.createElement("span");
  text.setAttribute("role", "status");
  const time = document.createElement("span");
  time.setAttribute("aria-hidden", "true");
  line.append(text, " ", time);
  const tick = () => {
    const passed = Math.floor((performance.now() - began) / 1000);
    time.textContent = passed ? seconds(passed) : "";
  };
  for (const button of buttons) button.disabled = true;
  const show = setTimeout(() => {
    form.classList.add("working");
    form.append(line);
    text.textContent = sentence;
    tick();
  }, 400);
  const ticking = setInterval(tick, 1000);
  working.set(form, () => {
    clearTimeout(show);
    clearInterval(ticking);
    line.remove();
    form.classList.remove("working");
    for (const button of buttons) button.disabled = false;
    working.delete(form);
  });
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || !form.matches("[data-progress]")) return;
  if (working.has(form)) event.preventDefault();
  // After the browser has read which button was pressed.
  else setTimeout(() => work(form, event.submitter?.dataset.progress));
});
document.addEventListener("htmx:beforeRequest", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.detail.elt);
  if (!form.matches("form[data-progress]")) return;
  if (working.has(form)) event.preventDefault();
  else work(form);
});
document.addEventListener("htmx:afterRequest", (event) => working.get(event.detail.elt)?.());
addEventListener("pageshow", () => {
  for (const end of [...working.values()]) end();
});
