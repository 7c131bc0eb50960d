// Check-in: a tap on a row marks a player at once, and is then sent (waiting_on_devices.js). A mark that cannot be sent waits in the browser.
// live.js does not touch a row with data-busy. A mark knows what it needs to be sent, because its row may leave the page: a
// check-in of many players comes in parts (presence_parts.js).

import "./find.js"; // both or none: Enter would only leave the field
import { inParts, isWhole, look, search, whenFound } from "./presence_parts.js";
import { all, around, byId, dataOf, elementOf, fieldOf, forEachComing, one } from "./dom.js";
import { now } from "./live.js";
import { counted, fill } from "./texts.js";
import { attach, kept, marks } from "./waiting_on_devices.js";

/**
 * A player, where marks are sent, and the round that the arbiter saw.
 * @typedef {{ name: string, address: string, round: string }} Seat
 */

const MONTH = 31 * 86_400_000;
const CALM = 500; // after the last tap, before the list is asked for
const FIND = 'form.find[data-list="c-seats"]';
const list = () => document.getElementById("seats");
const SHOWN = 8000; // milliseconds
const words = { ...dataOf(byId("waiting-words")), ...dataOf(byId("check-in-words")) };
/** @type {{ id: string, sentence: string, at: number }[]} */
let refusals = []; // marks that the server did not take, shown until a tap after SHOWN
let fresh = 0;
let made = 0; // when the last mark was made
/** @type {{ id: string, seat: Seat, here: boolean } | null} */
let last = null;

const rowOf = (/** @type {string} */ id) => document.getElementById(id);
/** @type {(id: string) => HTMLButtonElement | null} */
const buttonOf = (id) => rowOf(id)?.querySelector("button.seat") ?? null;

/**
 * @param {HTMLButtonElement} button
 * @returns {Seat}
 */
const seatOf = (button) => ({
  name: dataOf(button).name,
  address: button.getAttribute("formaction") ?? "",
  round: fieldOf(byId("c-seats", HTMLFormElement), "round").value,
});

/**
 * @param {string} id
 * @param {boolean} here
 * @param {boolean} waits
 */
function paint(id, here, waits) {
  const row = rowOf(id);
  const button = buttonOf(id);
  if (!row || !button) return;
  row.className = here ? "here" : "away";
  row.toggleAttribute("data-waits", waits);
  button.value = here ? "no" : "yes";
  button.setAttribute("aria-pressed", String(here));
  one(button, ".state").textContent = waits ? words.waits : here ? words.now : words.not;
}

/** @type {(item: Item) => string} */
const idOf = (item) => `p-${item.game}`;
// The marks of this page that are not sent yet. Some may have been left by another visit.
const unsent = () => marks.items.filter((item) => `${item.round}:`.startsWith(`${words.showsWaiting}:`));
const waits = () => marks.late;

// Show the marks that are not sent yet on the rows that the server has just sent.
function paintQueue() {
  for (const item of unsent()) {
    rowOf(idOf(item))?.setAttribute("data-busy", "");
    paint(idOf(item), item.value === "yes", waits());
  }
}

/**
 * @param {string} id
 * @param {Seat} seat
 * @param {boolean} here
 */
function mark(id, seat, here) {
  refusals = refusals.filter((each) => each.id !== id && performance.now() - each.at < SHOWN);
  rowOf(id)?.setAttribute("data-busy", "");
  paint(id, here, false);
  showMark(id, seat, here);
  made = Math.max(Date.now(), made + 1);
  const value = here ? "yes" : "no";
  marks.add({
    game: id.replace("p-", ""),
    board: seat.name,
    kind: "here",
    value,
    sign: here ? words.now : words.not,
    version: 0,
    typed: made,
    since: performance.now(),
    opened: performance.timeOrigin,
    until: made + MONTH,
    answer: "",
    round: `${words.showsWaiting}:${seat.round}`,
    number: seat.round,
    place: words.place,
    who: words.who,
    url: location.pathname,
    state: location.pathname,
    to: seat.address,
    fields: { round: seat.round, here: value },
  });
}

/** @param {Item} item */
function isSettled(item) {
  const later = marks.has(item.game);
  if (!later) rowOf(idOf(item))?.removeAttribute("data-busy");
  clearTimeout(fresh);
  fresh = setTimeout(now, CALM);
  return !later;
}

attach({
  settled(item) {
    if (isSettled(item)) paint(idOf(item), item.value === "yes", false);
  },
  refused(item, refusal) {
    kept.drop(item); // the person reads it here
    if (!isSettled(item)) return;
    const id = idOf(item);
    paint(id, item.value !== "yes", false);
    const sentence = refusal?.sentence ?? dataOf(byId("trouble")).forbidden;
    refusals.push({ id, sentence, at: performance.now() });
    if (last?.id === id) byId("toast").hidden = true; // it says the opposite
  },
  clash() {}, // of the desk alone
  sent: isSettled,
  shut: showQueue,
  changed() {
    paintQueue();
    showQueue();
  },
}, marks);

function showQueue() {
  const state = byId("trouble");
  const n = waits() ? unsent().length : 0;
  const notes = [
    ...refusals.map((each) => each.sentence),
    ...(n && marks.shut ? [words[`marks${marks.shut}`]] : []),
    ...(n ? [counted(kept.works ? words.waiting : words.volatile, { n })] : []),
  ];
  if (!notes.length && !state.hasAttribute("data-queue")) return;
  state.toggleAttribute("data-queue", notes.length > 0);
  state.textContent = notes.join(" ");
  state.hidden = !notes.length;
}

/**
 * @param {string} id
 * @param {Seat} seat
 * @param {boolean} here
 */
function showMark(id, seat, here) {
  const box = byId("toast");
  last = { id, seat, here };
  one(box, "[data-text]").textContent = fill(here ? words.here : words.away, { name: seat.name });
  box.hidden = false;
}

document.addEventListener("click", (event) => {
  const button = around(event, "[data-seats] button.seat", HTMLButtonElement);
  if (button) {
    event.preventDefault();
    mark(/** @type {Element} */ (button.closest("li")).id, seatOf(button), button.value === "yes");
    if (event.detail) button.blur(); // after a click or tap, so that Enter presses the button that shows Enter
  }
  if (around(event, "[data-undo]") && last) {
    mark(last.id, last.seat, !last.here);
    byId("toast").hidden = true;
  }
  const filter = around(event, "#only-missing");
  if (filter) {
    event.preventDefault();
    const on = byId("seats").classList.toggle("only-missing");
    if (on) filter.setAttribute("aria-current", "true");
    else filter.removeAttribute("aria-current");
    if (inParts()) search();
  }
});

// Type letters of a name, then Enter: if one player is left, that player is here. Then the next name.
document.addEventListener("submit", (event) => {
  if (!elementOf(event)?.matches("form.find")) return;
  const { value, defaultValue } = fieldOf(one(document, FIND, HTMLFormElement), "q");
  if (!inParts() && defaultValue && value !== defaultValue) return; // the server has left rows out
  event.preventDefault();
  if (inParts()) whenFound(() => isWhole() && markOnly());
  else markOnly();
});

function markOnly() {
  const typed = fieldOf(one(document, FIND, HTMLFormElement), "q");
  const [found, ...more] = all(byId("seats"), "li.away:not([hidden])");
  const button = found && buttonOf(found.id);
  if (more.length || !button || !typed.value) return;
  mark(found.id, seatOf(button), true);
  if (!inParts() && typed.defaultValue) return location.assign(location.pathname); // all rows again
  typed.value = "";
  typed.dispatchEvent(new Event("input", { bubbles: true }));
  typed.focus();
}

// Letters are typed for a name, so the search field has the focus at a desk. On a phone it would open the keyboard.
forEachComing(FIND, (form) => {
  const field = fieldOf(form, "q");
  const isFree = document.activeElement === document.body && !location.hash;
  if (document.querySelector("[data-seats]") && isFree && !matchMedia("(pointer: coarse)").matches) {
    field.focus({ preventScroll: true });
  }
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !field.value) field.blur();
  });
}, HTMLFormElement);

document.addEventListener("htmx:afterSettle", () => {
  const on = document.getElementById("only-missing")?.hasAttribute("aria-current");
  list()?.classList.toggle("only-missing", Boolean(on));
  paintQueue();
  look();
});
addEventListener("beforeunload", (event) => {
  if (!kept.works && marks.length) event.preventDefault();
});
new ResizeObserver(([{ target }]) => { // the search stays below what the page says of marks that wait
  document.body.style.setProperty("--banners", `${/** @type {HTMLElement} */ (target).offsetHeight}px`);
}).observe(one(document, ".banners"));
paintQueue();
showQueue();
