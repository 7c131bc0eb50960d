// What the pages that make an event and a section fill in by themselves. Everything can be typed over.
import { all, dataOf, fieldOf, forEachComing, one } from "./dom.js";
import { fill } from "./texts.js";

forEachComing("[data-new-event]", (form) => {
  const zone = fieldOf(form, "time_zone");
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = [...one(form, "#zones").children].some((each) => each.getAttribute("value") === own);
  if (zone.value === "" && known) zone.value = own;
  const show = () => {
    one(form, "[data-zone-shown]").textContent = zone.value;
  };
  zone.addEventListener("input", show);
  show();
}, HTMLFormElement);

const CLOCK = /^([01]?\d|2[0-3])(?:\s?[:.,hH]\s?([0-5]\d)|([0-5]\d))?$/;

/**
 * Return the time as 16:30, from 16:30, 16.30, 1630, 9.30, 930 or the hour alone; "" if it is none.
 * @param {string} typed
 */
export function clock(typed) {
  const found = CLOCK.exec(typed.trim());
  return found ? `${found[1].padStart(2, "0")}:${found[2] ?? found[3] ?? "00"}` : "";
}

/**
 * Return day and time of each round: from the first day on, every so many days, at these times of the day.
 * @param {{ first: string, every: number, at: string, rounds: number }} typed at: times with commas or blanks between them
 * @returns {[string, string][]}
 */
export function roundDays({ first, every, at, rounds }) {
  const times = at.split(/[,;]\s*|\s+/).filter(Boolean).map(clock);
  const begin = Date.parse(first);
  if (!times.length || times.includes("") || Number.isNaN(begin)) return [];
  return Array.from({ length: rounds }, (_, place) => {
    const day = new Date(begin + Math.floor(place / times.length) * every * 86_400_000); // in UTC, where all days are equal
    return [day.toISOString().slice(0, 10), times[place % times.length]];
  });
}

/**
 * Return the first round that begins after the last day of the event, and how many rounds a day would end in time, 0 if the
 * event is over before round 1; null if no round is late.
 * @param {string[]} days of the rounds, "" for one without
 * @param {string} last
 */
export function pastEnd(days, last) {
  const late = days.findIndex((day) => day > last);
  if (!last || late < 0) return null;
  const left = Math.round((Date.parse(last) - Date.parse(days.find(Boolean) ?? "")) / 86_400_000) + 1;
  return { number: late + 1, day: days[late], count: left > 0 ? Math.ceil(days.length / left) : 0 };
}

/**
 * Return the chosen option of a list; undefined of another field.
 * @param {HTMLInputElement | HTMLSelectElement} field
 */
function chosenIn(field) {
  const options = [.../** @type {HTMLSelectElement} */ (field).options ?? []];
  return options.find((each) => each.selected) ?? options[0];
}

forEachComing("[data-new-section]", (form) => {
  const table = one(form, ".dates tbody");
  const pattern = one(table, "tr").cloneNode(true);
  const own = new Set(); // the fields that a person has typed
  const value = (/** @type {string} */ name) => fieldOf(form, name)?.value ?? "";
  const rounds = () => Math.min(Number(value("rounds")) || 0, 40);

  function adjust() {
    while (table.children.length > Math.max(rounds(), 1)) table.lastElementChild?.remove();
    for (let number = table.children.length + 1; number <= rounds(); number += 1) {
      const row = /** @type {HTMLElement} */ (pattern.cloneNode(true));
      one(row, "th").textContent = String(number);
      for (const each of all(row, "input", HTMLInputElement)) {
        each.name = each.name.replace(/\d+$/, String(number));
        each.id = each.id.replace(/\d+$/, String(number));
        each.value = "";
        const label = one(row, `label[for^=id_${each.name.split("-")[0]}]`, HTMLLabelElement);
        label.htmlFor = each.id;
        label.textContent = label.textContent.replace(/\d+/, String(number));
      }
      table.append(row);
    }
  }

  function fillDown() {
    const days = roundDays({
      first: value("first_day"),
      every: Number(value("every")),
      at: value("at"),
      rounds: rounds(),
    });
    for (let number = 1; number <= rounds(); number += 1) {
      const [day, time] = days[number - 1] ?? ["", ""];
      for (const [name, filled] of [[`day-${number}`, day], [`time-${number}`, time]]) {
        if (!own.has(name)) fieldOf(form, name).value = filled;
      }
    }
  }

  let offered = form.querySelector("[name=system]:checked")?.getAttribute("value") ?? "";

  /** @param {string} system */
  function offerTies(system) {
    if (system === offered) return;
    offered = system;
    const ties = one(form, "[name=ties]", HTMLSelectElement);
    const kept = chosenIn(ties)?.value;
    const own = one(form, `[data-ties-of=${system}]`, HTMLTemplateElement).content;
    ties.replaceChildren(...own.cloneNode(true).childNodes);
    for (const each of ties.options) each.selected = each.value === kept;
  }

  function show() {
    const chosen = form.querySelector("[name=system]:checked");
    for (const each of all(form, "[data-options-of]")) {
      each.hidden = each.dataset.optionsOf !== chosen?.getAttribute("value");
    }
    one(form, ".acceleration").hidden = chosen?.hasAttribute("data-plain") ?? false;
    const words = one(form, "[data-made-words]");
    const system = chosen?.closest("label")?.querySelector("b")?.textContent ?? "";
    const every = all(table, "[name^=day-]", HTMLInputElement).map((each) => each.value);
    const days = every.filter(Boolean);
    one(form, "[data-made-name]").textContent = value("name");
    const short = (/** @type {string | undefined} */ day) =>
      day
        ? new Date(day).toLocaleDateString(document.documentElement.lang, {
          day: "numeric",
          month: "short",
          timeZone: "UTC",
        })
        : "";
    const warning = one(form, "[data-past-end]");
    const { pastEnd: last, past, aDay } = dataOf(warning);
    const late = pastEnd(every, last);
    warning.hidden = !late;
    const sentences = late ? [past, ...(late.count ? [aDay] : [])] : [];
    const facts = late ? { number: late.number, day: short(late.day), last: short(last), count: late.count } : {};
    warning.textContent = sentences.map((each) => fill(each, facts)).join(" ");
    const about = { system, rounds: value("rounds"), from: short(days[0]), to: short(days.at(-1)) };
    const fixed = chosen?.hasAttribute("data-fixed"); // the lots say how many rounds there are
    words.textContent = fixed ? system : fill(dataOf(words)[days.length ? "madeWords" : "madeUndated"], about);
  }

  function showInFolds() {
    for (const shown of all(form, "[data-shows]")) {
      const field = one(form, dataOf(shown).shows, HTMLInputElement);
      const words = chosenIn(field)?.textContent ?? (field.type === "checkbox" ? "" : field.value);
      shown.textContent = words.trim() || shown.textContent;
    }
  }

  form.addEventListener("input", (event) => {
    const { name, value: typed } = /** @type {HTMLInputElement} */ (event.target);
    if (name === "system") offerTies(typed);
    if (name === "bye_points") {
      own.add(name);
      fieldOf(form, "own_bye").value = "yes";
    }
    if (name === "win_points" && !own.has("bye_points")) fieldOf(form, "bye_points").value = typed;
    showInFolds();
    if (/^(day|time)-\d+$/.test(name)) own.add(name);
    adjust();
    if (/^(first_day|every|at|rounds)$/.test(name)) fillDown();
    show();
  });
  form.addEventListener("change", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (/^time-\d+$/.test(field.name)) field.value = clock(field.value) || field.value;
  });
  for (const each of all(table, "input", HTMLInputElement)) if (each.value) own.add(each.name);
  if (value("bye_points") !== value("win_points")) own.add("bye_points");
  show();
}, HTMLFormElement);
