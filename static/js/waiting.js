// Results that were typed on this device and are not saved, on every page of a person who is logged in: they are sent, the page
// says what still waits, and pairing and publishing ask first. On the page Results the same queue sends what is typed there.

import { all, around, byId, dataOf, one } from "./dom.js";
import { deviceName, Kept } from "./results/kept.js";
import { Queue } from "./results/queue.js";
import { counted, fill, listed } from "./texts.js";

const EVERY = 5000; // milliseconds between two looks at what other tabs have left
const LEFT = 10_000; // after which this page also sends what another tab has not got rid of
const SOON = 1000; // after which a page says that it is still sending
const PATIENCE = 4000; // for what waits, before a round is paired
const LONG = 12 * 3_600_000; // after which others may delete what somebody typed here
const BUSY = "data-busy"; // live.js does not replace what has it

const words = dataOf(byId("waiting-words"));
const results = () => /** @type {HTMLElement | null} */ (document.querySelector("#results[data-editable]"));

export const kept = new Kept(words.user);
let page = /** @type {Answers | null} */ (null); // the page Results
let changed = () => {}; // what waits for the next answer
let shown = "";
let sure = ""; // the line whose button was pressed once

export const queue = new Queue({
  user: words.user,
  kept,
  token: JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "", // as htmx sends it
  device: deviceName(),
  notify: {
    settled: (item, board) => page?.settled(item, board),
    refused: (item, refusal, status) => page?.refused(item, refusal, status),
    clash: (item, refusal) => page?.clash(item, refusal),
    sent: (item) => page?.sent(item),
    shut: (why) => page?.shut(why),
    changed() {
      page?.changed();
      if (!queue.length) document.dispatchEvent(new CustomEvent("evenboard:saved"));
      changed();
      show();
    },
  },
});

/**
 * Let the page Results hear the answers to its queue.
 * @param {Answers} answers
 */
export function attach(answers) {
  page = answers;
}

/** @type {(item: Item) => boolean} */
const isUnsent = (item) => !item.decide && !item.refusal;
/** @type {() => Item[]} */
const own = () => (kept.works ? kept.all() : queue.items);

/** Return all that waits on this device, whoever typed it: kind, number and place, as the server reads them. */
export function allWaiting() {
  const counts = /** @type {Map<string, number>} */ (new Map());
  for (const { place } of [...own(), ...kept.ofOthers()]) counts.set(place, (counts.get(place) ?? 0) + 1);
  return [...counts].map(([place, n]) => `results ${n} ${place}`);
}

// What the page says -----------------------------------------------------------------------------------------------

/** @typedef {{ text: string, open?: string, correct?: string, logIn?: boolean, send?: boolean, forget?: Item[] }} Line */

/** @param {Item[]} items */
function byRound(items) {
  const rounds = /** @type {Map<string, Item[]>} */ (new Map());
  for (const item of items) rounds.set(item.round, [...(rounds.get(item.round) ?? []), item]);
  return [...rounds.values()];
}

/** @param {Item[]} items of one round */
function roundLine(items) {
  const [{ place, number, url }] = items;
  const what = listed(items.map((item) => fill(words.typed, { n: item.board, result: item.sign })), words.comma);
  return { text: fill(words.elsewhere, { place, round: number, what }), open: url };
}

/** @returns {string} why the items wait */
function why() {
  if (queue.shut) return words[queue.shut];
  if (queue.why) return fill(words.failing, { why: queue.why });
  return queue.waiting ? words.network : words.sending;
}

/** @returns {Line[]} */
function lines() {
  const here = results()?.dataset.round; // that page shows what waits for its own round
  const items = own();
  const refused = items.filter((item) => item.refusal);
  const [unsent, undecided] = [items.filter(isUnsent), items.filter((item) => item.decide && !item.refusal)]
    .map((each) => each.filter((item) => item.round !== here));
  const others = kept.ofOthers();
  const names = [...new Set(others.map((item) => item.who ?? ""))];
  return [
    ...(unsent.length
      ? [{
        text: `${counted(words.unsaved, { n: unsent.length })} ${why()}`,
        logIn: queue.shut === "ended",
        send: !queue.shut,
      }]
      : []),
    ...byRound(unsent).map((each) => ({ ...roundLine(each), forget: each })),
    ...byRound(undecided).map((each) => ({
      text: `${counted(words.decide, { n: each.length })} ${roundLine(each).text}`,
      open: `${each[0].url}#board-${each[0].board}`,
    })),
    ...refused.map((item) => ({
      text: fill(words.refused, {
        place: item.place,
        round: item.number,
        n: item.board,
        result: item.sign,
        why: item.refusal?.sentence ?? (item.refusal?.status === 404 ? words.gone : words.forbidden),
      }),
      open: item.refusal?.status === 404 || item.refusal?.correct ? "" : item.url,
      correct: item.refusal?.correct,
      forget: [item],
    })),
    ...names.map((who) => {
      const theirs = others.filter((item) => (item.who ?? "") === who);
      const old = theirs.filter((item) => Date.now() - item.typed > LONG);
      return { text: counted(words.others, { n: theirs.length, who: who || words.somebody }), forget: old };
    }),
  ];
}

/** @param {Line} line */
function draw({ text, open, correct, logIn, send, forget = [] }) {
  const row = /** @type {HTMLElement} */ (
    document.importNode(one(byId("waiting-line", HTMLTemplateElement).content, "[data-line]"), true)
  );
  const key = forget.map((item) => `${item.game} ${item.kind}`).join();
  one(row, "[data-text]").textContent = text;
  const [opens, corrects] = ["[data-open]", "[data-correct]"].map((name) => one(row, name, HTMLAnchorElement));
  [opens.hidden, corrects.hidden] = [!open, !correct];
  [opens.href, corrects.href] = [open ?? "", correct ?? ""];
  one(row, "[data-log-in]").hidden = !logIn;
  one(row, "[data-send]").hidden = !send;
  const forgets = one(row, "[data-forget]", HTMLButtonElement);
  forgets.hidden = !forget.length;
  if (sure && sure === key) forgets.textContent = counted(words.forget, { n: forget.length });
  forgets.addEventListener("click", () => {
    if (sure === key) {
      for (const item of forget) kept.drop(item);
      kept.forgetOthers(forget);
      queue.forget(forget);
      sure = "";
    } else sure = key;
    show();
  });
  return row;
}

/** Say what waits. While the server takes one result after another, a page that says nothing stays so. */
export function show(always = false) {
  const box = document.getElementById("waiting");
  if (!box) return;
  box.dataset.left = String(own().length);
  const goesOn = queue.length > 0 && !queue.waiting && !queue.shut;
  if (box.hidden && goesOn && !always) return;
  const now = lines();
  const text = JSON.stringify([now, sure]);
  if (text === shown && box.isConnected && box.children.length === now.length) return;
  shown = text;
  const focused = document.activeElement?.closest("#waiting [data-forget]") !== null && sure;
  box.replaceChildren(...now.map(draw));
  box.hidden = !now.length;
  if (focused) all(box, "[data-forget]").find((each) => !each.hidden)?.focus();
}

// Sending ----------------------------------------------------------------------------------------------------------

/**
 * Send what other visits and tabs have left.
 * @param {number} age milliseconds: younger entries are being sent by the tab in which they were typed. The clock of a device may
 *   have been put back since
 */
function take(age) {
  queue.restore(kept.all().filter((item) => isUnsent(item) && Math.abs(Date.now() - item.typed) >= age));
}

/** Drop what was refused and is saved meanwhile, for example by a correction. */
async function compare() {
  for (const items of byRound(kept.all().filter((item) => item.refusal))) {
    const { state } = await queue.ask(items[0].url).catch(() => ({ state: null }));
    if (!state || String(state.user) !== words.user) continue;
    for (const item of items) {
      const board = state.boards.find((each) => String(each.id) === item.game);
      if (board && (item.kind === "confirm" ? board.second : board.result) === item.value) kept.drop(item);
    }
  }
  show();
}

// Pairing and publishing ---------------------------------------------------------------------------------------------

let passing = /** @type {HTMLFormElement | null} */ (null);

/** Send what waits, as long as the server answers. */
async function flush() {
  const until = performance.now() + PATIENCE;
  take(0);
  queue.send();
  while (queue.length && !queue.shut && performance.now() < until) {
    await new Promise((/** @type {(value?: undefined) => void} */ done) => {
      changed = done;
      setTimeout(done, 250);
    });
  }
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.dataset?.afterResults === undefined || passing === form) return;
  if (form.hasAttribute(BUSY)) event.preventDefault();
  else if (allWaiting().length) {
    event.preventDefault();
    void sendFirst(form, /** @type {HTMLButtonElement | null} */ (event.submitter));
  } else return;
  event.stopImmediatePropagation();
}, true);

/**
 * Send what waits, and then the form, with what still waits. The server asks about it.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 */
async function sendFirst(form, button) {
  form.setAttribute(BUSY, "");
  show(true);
  await flush();
  form.removeAttribute(BUSY);
  for (const former of all(form, "[name=waiting]")) former.remove();
  for (const value of allWaiting()) {
    const field = document.createElement("input");
    field.setAttribute("type", "hidden");
    [field.name, field.value] = ["waiting", value];
    form.append(field);
  }
  passing = form;
  form.requestSubmit(button);
  passing = null;
}

// Begin --------------------------------------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  if (around(event, "#waiting [data-send]")) queue.send();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) queue.send();
});
addEventListener("online", () => queue.send());
addEventListener("storage", () => show());
addEventListener("pagehide", () => queue.leave());
addEventListener("pageshow", (event) => {
  if (event.persisted) take(0);
});
document.addEventListener("htmx:afterSettle", () => show());
setInterval(() => {
  take(LEFT);
  show();
}, EVERY);
if (!results()) take(0);
void compare();
setTimeout(() => show(true), SOON);
if (!queue.length) show();
