// The desk on the first morning, also without a network: letters or a code find a player in the list on this device, and a press
// notes what is next. Marks wait here until the server has them (waiting_on_devices.js). Without this script the page has forms.
// docs/decisions/0074-registrations.md

import { all, around, byId, dataOf, elementOf, fieldOf, one, reloadIfReplaced } from "./dom.js";
import { Camera, readsCodes } from "./desk/camera.js";
import { keepList, keptList } from "./desk/list.js";
import { MOST, People, withMarks } from "./desk/people.js";
import { correctable, differsOf, isolated, rowOf } from "./desk/rows.js";
import { keepThisPage } from "./keeping.js";
import { counted, fill } from "./texts.js";
import { attach, kept, marks } from "./waiting_on_devices.js";

const EVERY = 8000; // milliseconds between two questions for news
const LINK = "://"; // a scanner types it; Enter follows
const DOUBLE = 600; // milliseconds in which a second tap on a player is the same tap
const MONTH = 30 * 86_400_000;

/**
 * Return the button that Enter in the field presses: the black one, if one player is shown and nothing is typed.
 * @param {string} typed
 * @param {NodeListOf<HTMLElement> | HTMLElement[]} marked
 */
export const pressedBy = (typed, marked) => (typed.trim() === "" && marked.length === 1 ? marked[0] : null);

const words = { ...dataOf(byId("waiting-words")), ...dataOf(byId("desk-words")) };
const field = byId("q", HTMLInputElement);
const form = /** @type {HTMLFormElement} */ (field.form);
const list = byId("desk-rows");
const people = new People();
let ids = /** @type {number[]} */ ([]); // of the players who are shown
let scanned = list.classList.contains("scanned");
let lost = false;
let shut = ""; // why the list may not be shown: "ended" or "other"
let note = ""; // what the server said besides
let pressed = { id: 0, at: 0 };
let timer = 0;
let made = 0; // when the last mark was made
let last = /** @type {Noted | null} */ (null);

/** @typedef {Item & { noted: DeskMark }} Noted */
/** @type {(items: Item[]) => Noted[]} */
const ofDesk = (items) =>
  items.filter(/** @type {(item: Item) => item is Noted} */ (item) =>
    item.noted !== undefined && item.round === words.showsWaiting
  );
/** Return the marks that wait for the server. */
const waiting = () => ofDesk(marks.items);
let undecided = ofDesk(kept.all()).filter((item) => item.refusal); // marks that wait for a decision

/** @param {Item} item @param {Refusal & DeskAnswer | null} refusal @param {number} status */
function differs(item, refusal, status) {
  undecided.push(...ofDesk([{ ...item, refusal: { ...refusal, status } }]));
  answered(refusal ?? {});
}

/** @param {DeskAnswer} answer */
function answered(answer) {
  lost = false;
  shut = "";
  note = answer.opened ?? "";
  if (answer.person) people.update(answer.person);
  draw();
  clearTimeout(timer);
  timer = setTimeout(ask, 300);
}

attach({
  settled: (_item, answer) => answered(answer),
  refused: differs,
  clash: (item, refusal) => differs({ ...item, decide: true }, refusal, 409),
  sent: draw,
  shut(why) {
    shut = why;
    showState();
  },
  changed: draw,
}, marks);

// What is shown ------------------------------------------------------------------------------------------------------

let drawn = "[]"; // what the rows show; those of the server stay until somebody types

/** Draw the rows again if they have changed, but not below a finger or around a correction. */
function drawRows() {
  const rows = ids.map((id) => people.rows.get(id)).filter((person) => person !== undefined);
  const noted = waiting().map((item) => item.noted);
  const waits = new Set(noted.map((mark) => mark.id));
  const shown = rows.map((person) => ({ person: withMarks(person, noted), waits: waits.has(person.id) }));
  const wanted = JSON.stringify(shown);
  if (!people.known || wanted === drawn || list.querySelector("details[open]")) return;
  drawn = wanted;
  list.replaceChildren(...shown.map(({ person, waits }) => rowOf(person, waits, words)));
}

function draw() {
  drawRows();
  list.classList.toggle("scanned", scanned);
  byId("desk-enter").hidden = !scanned || camera.on || !list.querySelector(".btn.go");
  if (people.known) {
    const { ready, present, accepted } = people.now(waiting().map((item) => item.noted));
    byId("ready").textContent = fill(words.ready, { ready, of: accepted });
    byId("present").textContent = fill(words.present, { n: present });
  }
  const shown = all(document, "#desk-differs > *").map((each) => each.dataset.key).join();
  if (shown !== undecided.map((item) => item.noted.key).join()) {
    byId("desk-differs").replaceChildren(...undecided.map(differsOf));
  }
  showState();
}

const clock = (/** @type {number} */ at) =>
  new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
    .format(at);

function showState() {
  const n = waiting().length;
  const waits = n && (lost || shut || marks.late);
  const notes = [
    ...(shut
      ? [words[`marks${shut}`]]
      : lost
      ? [people.known ? fill(words.lost, { at: clock(people.at) }) : words.empty]
      : []),
    ...(waits ? [counted(kept.works ? words.waiting : words.volatile, { n })] : []),
    ...(note ? [note] : []),
  ];
  const state = byId("desk-state");
  const text = notes.join(" ");
  if (state.textContent !== text) state.textContent = text;
  state.hidden = !text;
}

/** @param {number[]} found @param {boolean} named */
function show(found, named) {
  ids = found.slice(0, MOST);
  scanned = named;
  drawn = "";
  list.replaceChildren();
  draw();
  byId("desk-nothing").hidden = ids.length > 0 || field.value.trim() === "" && !named;
}

function search() {
  if (!people.known || field.value.includes(LINK)) return;
  show(people.find(field.value).map((person) => person.id), false);
}

// What is noted ------------------------------------------------------------------------------------------------------

/**
 * @param {DeskPerson} person as it is shown
 * @param {DeskDo} act
 * @param {Partial<DeskMark>} [more]
 */
function noteDown(person, act, more = {}) {
  made = Math.max(Date.now(), made + 1);
  /** @type {DeskMark} */
  const mark = {
    ...{ key: crypto.getRandomValues(new Uint32Array(4)).join("-"), id: person.id, do: act },
    ...{ owed: Math.max(person.owed, 0), paid: act === "paid" || act === "both" ? person.owed : 0, fields: {} },
    ...{ undoes: "", ...more },
  };
  const { key, owed, paid, undoes } = mark;
  const typed = Object.entries(mark.fields).flatMap((
    [name, [before, now]],
  ) => [[`shown_${name}`, before], [name, now]]);
  const name = isolated(person.name);
  const sentence = fill(words[act === "repay" ? "repaid" : act], { name });
  /** @type {Noted} */
  const item = {
    ...{
      game: String(person.id),
      board: name,
      kind: `desk-${key}`,
      value: act,
      sign: sentence,
      version: 0,
      answer: "",
    },
    ...{ typed: made, since: performance.now(), opened: performance.timeOrigin },
    ...{ until: Math.max(people.until, made) + MONTH, round: words.showsWaiting, number: "1", place: words.place },
    section: person.section_id,
    ...{ who: words.who, url: words.page, state: words.people, to: words.mark.replace("/0/", `/${person.id}/`) },
    fields: { ...Object.fromEntries(typed), do: act, key, owed: String(owed), paid: String(paid), undoes },
    noted: mark,
  };
  note = "";
  for (const former of all(document, "main > p.note[role=status]:not(#desk-state)")) former.remove();
  last = more.undoes === undefined ? item : null;
  const box = byId("toast");
  one(box, "[data-text]").textContent = sentence;
  one(box, "[data-undo]").hidden = !last;
  box.hidden = false;
  marks.add(item);
  draw();
}

/** @param {number} id */
const shownPerson = (id) => {
  const person = people.rows.get(id);
  return person && withMarks(person, waiting().map((item) => item.noted));
};

function undo() {
  const mark = last?.noted;
  const person = mark && shownPerson(mark.id);
  byId("toast").hidden = true;
  if (!last || !mark || !person || marks.takeBack(last)) return;
  const { paid } = mark;
  const fields = Object.fromEntries(
    Object.entries(mark.fields).map((
      [name, [shown, typed]],
    ) => [name, /** @type {[string, string]} */ ([typed, shown])]),
  );
  const back = /** @type {Record<DeskDo, DeskDo>} */ ({ here: "away", both: "away", away: "here", paid: "repay" });
  noteDown(person, back[mark.do] ?? "correct", { undoes: paid ? mark.key : "", paid, fields });
}

list.addEventListener("click", (event) => {
  const button = around(event, "button[data-do]", HTMLButtonElement);
  if (!button) return;
  const person = shownPerson(Number(dataOf(/** @type {HTMLElement} */ (button.closest("[data-id]"))).id));
  if (!person || (pressed.id === person.id && performance.now() - pressed.at < DOUBLE)) return;
  pressed = { id: person.id, at: performance.now() };
  noteDown(person, /** @type {DeskDo} */ (button.dataset.do));
  toField();
});
list.addEventListener("submit", (event) => {
  const typed = /** @type {HTMLFormElement} */ (elementOf(event));
  const row = /** @type {HTMLElement | null} */ (typed.closest("[data-id]"));
  const person = row && shownPerson(Number(row.dataset.id));
  if (!person) return; // a row of the server
  event.preventDefault();
  /** @type {Record<string, [string, string]>} */
  const fields = {};
  for (const name of Object.keys(correctable(person))) {
    const input = fieldOf(typed, name);
    fields[name] = [input.dataset.shown ?? "", input.value.trim()];
  }
  /** @type {HTMLDetailsElement} */ (one(row, "details")).open = false;
  toField();
  if (Object.values(fields).some(([shown, now]) => shown !== now)) noteDown(person, "correct", { fields });
});
byId("desk-differs").addEventListener("click", (event) => {
  const button = around(event, "[data-mine], [data-theirs]");
  const key = around(event, "[data-key]")?.getAttribute("data-key");
  const item = undecided.find((each) => each.noted.key === key);
  if (!button || !item) return;
  const mark = item.noted;
  const person = shownPerson(mark.id);
  undecided = undecided.filter((each) => each !== item);
  kept.drop(item);
  draw();
  if (!button.matches("[data-mine]") || !person) return;
  const now = correctable(person);
  const fields = Object.fromEntries(
    Object.entries(mark.fields).map((
      [name, [, typed]],
    ) => [name, /** @type {[string, string]} */ ([now[name], typed])]),
  );
  noteDown(person, mark.do, { paid: mark.paid, fields });
});
document.addEventListener("focusin", (event) => { // it would cover the form of a row
  if (elementOf(event)?.matches("details :is(input, select, textarea)")) byId("toast").hidden = true;
});
byId("toast").addEventListener("click", (event) => {
  if (around(event, "[data-undo]")) undo();
});

// Keys and scanner ---------------------------------------------------------------------------------------------------

field.addEventListener("input", search); // at once: the rows of other letters must not be tapped
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  const button = pressedBy(field.value, all(list, ".btn.go"));
  if (!button || !list.classList.contains("scanned")) return;
  event.preventDefault();
  button.click();
});
form.addEventListener("submit", (event) => {
  if (!people.known) return; // the server finds the player
  const found = people.find(field.value);
  const named = people.named(field.value) ?? (found.length === 1 ? found[0] : null);
  if (!named && !found.length && !lost && field.value.trim()) return; // the server also finds who is not accepted
  event.preventDefault();
  if (named) field.value = "";
  if (named || field.value.trim()) show(named ? [named.id] : found.map((person) => person.id), Boolean(named));
});

// Camera -------------------------------------------------------------------------------------------------------------

const scan = byId("desk-scan", HTMLButtonElement);
const view = byId("desk-camera");
const camera = new Camera(one(view, "video", HTMLVideoElement), (text) => {
  navigator.vibrate?.(60);
  field.value = text;
  form.requestSubmit();
}, () => {
  view.hidden = true;
  scan.hidden = false;
});

/** Go to the field; the next letters replace those of the last player. A phone would put its keyboard over the camera's picture. */
function toField() {
  if (camera.on) return;
  field.focus();
  field.select();
}

scan.addEventListener("click", async () => {
  scan.hidden = true;
  view.hidden = false;
  note = "";
  await camera.start().catch(() => {
    camera.stop();
    note = words.camera;
  });
  showState();
});
one(view, "button").addEventListener("click", () => camera.stop());
readsCodes().then((reads) => scan.hidden = !reads);

// News ---------------------------------------------------------------------------------------------------------------

/** Ask for news of the players. Return why the desk may not work on: "", "ended" or "other". */
async function ask() {
  clearTimeout(timer);
  timer = setTimeout(ask, EVERY);
  if (document.hidden) return shut;
  try {
    const query = new URLSearchParams(people.known ? { seen: people.seen, at: String(people.at) } : {});
    const answer = await fetch(`${words.people}?${query}`, {
      headers: { Accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.timeout(15_000),
    });
    if (answer.status >= 500) throw new Error(String(answer.status));
    lost = false;
    if (answer.type === "opaqueredirect" || answer.status === 403 || answer.status === 404) return forget("ended");
    const news = answer.status === 200 ? /** @type {DeskNews} */ (await answer.json()) : null;
    if (news && String(news.user) !== words.user) return forget("other");
    if (news) {
      marks.token = news.token;
      people.take(news);
      if (people.until > Date.now()) keepList(words.user, words.event, people.list());
      if (field.value && !ids.length && !list.children.length) search();
    }
    shut = "";
    draw();
    if (marks.length) marks.send();
  } catch {
    lost = true;
    showState();
  }
  return shut;
}

/** @param {string} why the person may not see the players any more */
function forget(why) {
  shut = why;
  keepList(words.user, words.event, null);
  people.rows.clear();
  people.known = false;
  ids = [];
  list.replaceChildren();
  showState();
  return why;
}

const before = keptList(words.user, words.event);
if (before && before.until > Date.now() && before.people.every(({ plain }) => plain)) people.restore(before);
const asked = new URLSearchParams(location.search).get("q");
if ("kept" in document.documentElement.dataset) { // the worker shows the page without a network
  lost = true;
  if (asked) {
    field.value = asked;
    search();
  }
}
draw();
ask();
addEventListener("online", ask);
addEventListener("beforeunload", (event) => {
  if (!kept.works && marks.length) event.preventDefault();
});
addEventListener("offline", () => {
  lost = true;
  showState();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden && camera.on) camera.stop();
  ask();
});
if (words.worker) keepThisPage(words.worker);
reloadIfReplaced(list);
