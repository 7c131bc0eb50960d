// The row above the entries that adds players (templates/staff/entries_row.html). Enter adds the player and empties the row, and
// the next one can be typed while the server works. A refused player comes back into the row as soon as it is empty.
import { all, byId, elementOf, fieldOf, forEachComing, withText } from "./dom.js";
import { fill } from "./texts.js";
import { closeOffer } from "./toast.js";

const DELAY = 150; // milliseconds without a key, before the rating lists are asked
const PART = { "HX-Request": "true" };

// The bar for the chosen players says how many they are.
function countChosen() {
  const count = document.querySelector("#chosen [data-count]");
  if (count) count.textContent = String(all(document, '[form="chosen"]:checked').length);
}
document.addEventListener("change", countChosen);

// The chosen players go in one field: the server reads only some thousand fields of a form.
document.addEventListener("formdata", ({ target, formData }) => {
  if (/** @type {Element} */ (target).id !== "chosen") return;
  formData.set("players", formData.getAll("player").join(" "));
  formData.delete("player");
});

/** @param {HTMLFormElement} form */
const fields = (form) => all(form, "input[name]:not([name=csrfmiddlewaretoken], [name=row])", HTMLInputElement);

/**
 * Return whether nothing stands in the fields that a person sees.
 * @param {HTMLFormElement} form
 */
export const isEmpty = (form) => fields(form).every((field) => field.type === "hidden" || field.value === "");

/** @param {HTMLFormElement} form */
function empty(form) {
  for (const field of fields(form)) {
    field.value = field.name === "rating_source" ? "typed" : "";
    field.removeAttribute("aria-invalid");
  }
  for (const extra of all(form, "[data-latin], [data-given]")) extra.hidden = true;
  for (const old of all(form, "#add-status > :not(#add-found, [data-rule])")) old.remove();
  form.querySelector("[data-add]")?.classList.add("go"); // a question had the black button
}

forEachComing("[data-add-row]", (form) => {
  const action = form.action;
  const name = () => fieldOf(form, "name");
  const options = () => all(form, "[role=option]");
  const chosen = () => options().findIndex((each) => each.getAttribute("aria-selected") === "true");
  const refused = /** @type {(() => void)[]} */ ([]); // what brings each refused player back
  let sending = Promise.resolve();
  let asking = new AbortController();
  let timer = 0;
  let typed = ""; // what stood in the name before a player of the list was taken

  /** @param {string} html */
  const parsed = (html) => new DOMParser().parseFromString(html, "text/html").body;

  /** @param {Element | null} found */
  function show(found) {
    const list = byId("add-hits");
    list.replaceChildren(...(found?.querySelector("ul")?.children ?? []));
    list.hidden = list.children.length === 0;
    byId("add-found").replaceChildren(...(found?.querySelector("#add-found")?.childNodes ?? []));
    name().setAttribute("aria-expanded", String(!list.hidden));
    name().removeAttribute("aria-activedescendant");
  }

  async function look() {
    asking.abort();
    asking = new AbortController();
    const words = name().value.trim();
    if (words.length < 2) return show(null);
    try {
      const address = `${action}?${new URLSearchParams({ row: "1", q: words })}`;
      const answer = await fetch(address, { headers: PART, signal: asking.signal });
      if (answer.ok && name().value.trim() === words) show(parsed(await answer.text()));
    } catch {
      // a newer question is on its way, or the server does not answer: people type what they need
    }
  }

  /**
   * Fill in a player of the list; before the first one, bring back what was typed.
   * @param {number} place
   */
  function take(place) {
    if (chosen() < 0) typed = name().value;
    const option = options()[place];
    for (const [at, each] of options().entries()) each.setAttribute("aria-selected", String(at === place));
    name().setAttribute("aria-activedescendant", option?.id ?? "");
    /** @type {Record<string, string | undefined>} */
    const values = option?.dataset ?? { name: typed, rating_source: "typed" };
    const of_list = options()[0]?.dataset ?? {};
    for (const field of fields(form)) if (field.name in of_list) field.value = values[field.name] ?? "";
    option?.scrollIntoView({ block: "nearest" });
  }

  // A rating that a person types is no longer that of the list, and another name is another person.
  /** @param {string} changed */
  function forget(changed) {
    const own = changed === "name"
      ? ["title", "sex", "birth_date", "national_id", "rating", "rating_list"]
      : /rating$/.test(changed)
      ? ["rating", "rating_list"]
      : [];
    for (const each of own) fieldOf(form, each).value = "";
    if (own.length) fieldOf(form, "rating_source").value = "typed";
  }

  function next() {
    if (isEmpty(form)) refused.shift()?.();
  }

  // Show who is entered; a question about another player stays.
  /** @param {HTMLElement[]} sentences */
  function announce(sentences) {
    for (const old of all(form, "[data-entered]")) old.remove();
    byId("add-status").prepend(...sentences);
  }

  /** @param {[string, string][]} values */
  function restore(values) {
    for (const [each, value] of values) if (each !== "csrfmiddlewaretoken") fieldOf(form, each).value = value;
    name().focus();
  }

  /** @param {Element} fresh */
  function correct(fresh) {
    form.replaceChildren(...fresh.childNodes);
    document.dispatchEvent(new CustomEvent("htmx:afterSettle")); // other scripts and keys look at the row again
    const wrong = all(form, "[data-given]:not([hidden]) input, [aria-invalid=true]", HTMLInputElement);
    const field = wrong.find((each) => each.type !== "hidden");
    // A question takes no key that was meant for the next player: an arrow goes from the name to its answers.
    (field ?? name()).focus();
    if (field) field.select();
    else name().setSelectionRange(-1, -1); // a comma at the end takes the name that is offered
  }

  /** @param {URLSearchParams} values */
  async function send(values) {
    const back = () => restore(/** @type {[string, string][]} */ ([...values]));
    try {
      const answer = await fetch(action, { method: "POST", body: values, headers: PART });
      const fresh = parsed(await answer.text()).querySelector("[data-add-row]");
      if (answer.status === 422 && fresh) refused.push(() => correct(fresh));
      else if (!answer.ok || !fresh) {
        refused.push(back);
        const xhr = { status: answer.status, responseText: "", getResponseHeader: () => null };
        document.dispatchEvent(new CustomEvent("htmx:responseError", { detail: { xhr } }));
      } else {
        announce(all(fresh, "[data-entered]"));
        closeOffer(); // the new row has its own
        document.dispatchEvent(new CustomEvent("htmx:afterRequest", { detail: { successful: true } }));
        document.dispatchEvent(new CustomEvent("evenboard:saved")); // the list asks for news
      }
    } catch {
      refused.push(back);
      document.dispatchEvent(new CustomEvent("htmx:sendError"));
    }
    next();
    if (refused.length) {
      const sentence = withText("span", fill(form.dataset.waits ?? "", { name: values.get("name") ?? "" }));
      sentence.dataset.entered = "";
      announce([...all(form, "[data-entered]"), sentence]);
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isEmpty(form)) return name().focus();
    const way = byId("add-found").querySelector("button");
    if (way && name().value === way.dataset.of) name().value = way.dataset.use ?? "";
    const values = new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter)));
    empty(form);
    show(null);
    asking.abort();
    name().focus();
    sending = sending.then(() => send(values));
    next();
  });

  form.addEventListener("input", (event) => {
    const changed = /** @type {HTMLInputElement} */ (event.target);
    changed.removeAttribute("aria-invalid");
    forget(changed.name);
    if (changed.name !== "name") return;
    clearTimeout(timer);
    timer = setTimeout(look, DELAY);
  });

  form.addEventListener("click", (event) => {
    const option = elementOf(event)?.closest("[role=option]");
    const words = /** @type {HTMLElement | null} */ (elementOf(event)?.closest("[data-use]") ?? null);
    if (option) take(options().indexOf(/** @type {HTMLElement} */ (option)));
    else if (words) fieldOf(form, words.dataset.for ?? "").value = words.dataset.use ?? "";
    else return;
    if (words?.dataset.for === "name") look();
    name().focus();
  });

  form.addEventListener("keydown", (event) => {
    const inName = event.target === name();
    if (event.key === "Escape") {
      if (isEmpty(form)) return elementOf(event)?.blur(); // letters are keys again
      empty(form);
      show(null);
      name().focus();
      next();
    } else if (inName && event.key === "/" && isEmpty(form)) {
      byId("q", HTMLInputElement).focus();
    } else if (inName && event.key === "ArrowDown" && form.querySelector("#question")) {
      all(form, "#question button")[0].focus();
    } else if (inName && options().length && event.key === "ArrowDown") {
      take(Math.min(chosen() + 1, options().length - 1));
    } else if (inName && chosen() >= 0 && event.key === "ArrowUp") {
      take(chosen() - 1);
    } else return;
    event.preventDefault();
  });

  byId("q", HTMLInputElement).addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const filter = byId("q", HTMLInputElement);
    filter.value = "";
    filter.dispatchEvent(new Event("input", { bubbles: true }));
    name().focus();
    event.preventDefault();
  });
}, HTMLFormElement);
