// Check-in: a tap on a row marks a player at once, and is then sent. A mark that cannot be sent waits and is tried again.
// live.js does not touch a row with data-busy. A mark knows what it needs to be sent, because its row may leave the page: a
// check-in of many players comes in parts (check_in_parts.js).

import { inParts, isWhole, look, search, whenFound } from "./check_in_parts.js";
import { all, around, byId, dataOf, elementOf, fieldOf, forEachComing, one } from "./dom.js";
import { hideLater, SHOWN } from "./hiding.js";
import { now } from "./live.js";
import { counted, fill } from "./texts.js";

/**
 * A player, where marks are sent, and the round that the arbiter saw.
 * @typedef {{ name: string, address: string, round: string }} Seat
 */
/**
 * Whether the player is here, and when the arbiter tapped.
 * @typedef {{ seat: Seat, here: boolean, waited: boolean, tapped: number, clock: number }} Tap
 */

const AGAIN = 2500; // milliseconds before a mark that could not be sent is tried again
const CALM = 500; // after the last tap, before the list is asked for
const FIND = 'form.find[data-list="c-seats"]';
const list = () => document.getElementById("seats");
const words = dataOf(byId("check-in-words"));
/** @type {Map<string, Tap>} */
const queue = new Map(); // by the id of the row
/** @type {{ id: string, sentence: string, at: number }[]} */
let refusals = []; // marks that the server did not take, shown until a tap after SHOWN
let sending = false;
let fresh = 0;
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

// Show the marks that are not sent yet on the rows that the server has just sent.
function paintQueue() {
  for (const [id, { here, waited }] of queue) {
    rowOf(id)?.setAttribute("data-busy", "");
    paint(id, here, waited);
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
  const waited = [...queue.values()].some((tap) => tap.waited); // the list may be older than the marks of others
  queue.delete(id); // so that the newest mark goes to the end
  queue.set(id, { seat, here, waited, tapped: performance.now(), clock: Date.now() });
  showMark(id, seat, here);
  send();
}

async function send() {
  if (sending) return;
  sending = true;
  while (queue.size) {
    const [[id, tap]] = queue;
    const { here } = tap;
    const answer = await post(tap);
    if (!answer) {
      for (const [waiting, wanted] of queue) {
        wanted.waited = true;
        paint(waiting, wanted.here, true);
      }
      setTimeout(send, AGAIN);
      break;
    }
    if (queue.get(id) === tap) {
      queue.delete(id);
      rowOf(id)?.removeAttribute("data-busy");
      if (answer.ok) paint(id, here, false);
      else await refuse(id, tap, answer);
    }
  }
  sending = false;
  showQueue();
  clearTimeout(fresh);
  fresh = setTimeout(now, CALM);
}

// Milliseconds since the tap. The server needs the age and not the time, because the clock of a phone may be wrong.
// performance.now() stops in some browsers while the phone sleeps, so the larger of the two differences is right.
const age = (/** @type {Pick<Tap, "tapped" | "clock">} */ tap) =>
  Math.round(Math.max(0, performance.now() - tap.tapped, Date.now() - tap.clock));

/**
 * Return the answer of the server, or null if there was none.
 * @param {Tap} tap
 */
async function post({ seat, here, waited, ...tap }) {
  const sent = {
    round: seat.round,
    here: here ? "yes" : "no",
    ago: String(age(tap)),
    ...(waited && { waited: "yes" }),
  };
  try {
    const answer = await fetch(seat.address, {
      method: "POST",
      body: new URLSearchParams(sent),
      headers: {
        Accept: "application/json",
        "X-CSRFToken": one(document, "[name=csrfmiddlewaretoken]", HTMLInputElement).value,
      },
      keepalive: true, // also if the page is left now
      signal: AbortSignal.timeout(10000),
    });
    return answer.status >= 500 ? null : answer;
  } catch {
    return null;
  }
}

/**
 * @param {string} id
 * @param {Tap} tap
 * @param {Response} answer
 */
async function refuse(id, { here }, answer) {
  paint(id, !here, false);
  const reply = await answer.json().catch(() => ({}));
  const sentence = reply.sentence ?? dataOf(byId("trouble")).forbidden;
  refusals.push({ id, sentence, at: performance.now() });
  if (last?.id === id) byId("toast").hidden = true; // it says the opposite
}

function showQueue() {
  const state = byId("trouble");
  const waiting = [...queue.values()].filter((tap) => tap.waited).length;
  const notes = [
    ...refusals.map((each) => each.sentence),
    ...(waiting ? [counted(words.queued, { n: waiting })] : []),
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
  hideLater(box);
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
  typed.value = "";
  typed.dispatchEvent(new Event("input", { bubbles: true }));
  typed.focus();
}

// Letters are typed for a name, so the search field has the focus at a desk. On a phone it would open the keyboard.
forEachComing(FIND, (form) => {
  const field = fieldOf(form, "q");
  if (document.querySelector("[data-seats]") && !location.hash && !matchMedia("(pointer: coarse)").matches) {
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
addEventListener("online", send);
addEventListener("pagehide", () => {
  for (const tap of queue.values()) void post(tap); // nobody reads the answers; a mark that arrives twice counts once
});
addEventListener("beforeunload", (event) => {
  if (queue.size) event.preventDefault();
});
