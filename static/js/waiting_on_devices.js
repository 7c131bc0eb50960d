// Results, and marks of the check-in and the desk, that were made on this device and are not saved, on every page of a person who
// is logged in: they are sent, the page says what still waits, and pairing and publishing ask first. On the pages where they are
// typed the same queues send them. Results and marks have a queue each, so that neither waits for the other.

import { forgetLists, forgetOldLists } from "./desk/list.js";
import { all, around, byId, dataOf, elementOf, one } from "./dom.js";
import { counted, fill, listed } from "./texts.js";
import { closeOffer } from "./toast.js";
import { deviceName, forgetOld, Kept } from "./waiting_on_devices/kept.js";
import { Queue } from "./waiting_on_devices/queue.js";
import { counts, isMark, Report } from "./waiting_on_devices/report.js";

const EVERY = 5000; // milliseconds between two looks at what other tabs have left
const LEFT = 10_000; // after which this page also sends what another tab has not got rid of
const SOON = 3000; // after which a page says what waits: ordinary sending is silent
const PATIENCE = 4000; // for the next answer to what waits, before a round is paired
const LONG = 12 * 3_600_000; // after which others may delete what somebody typed here
const BUSY = "data-busy"; // live.js does not replace what has it
const HELD = 5000; // after which what was typed counts as held back, and the server hears of it
const MOST = 20; // results or players that a line names

const words = dataOf(byId("waiting-words"));
const results = () => document.querySelector("#results[data-editable]") !== null;

/**
 * Return whether the page shows what waits by itself: results of its round, marks of its check-in or desk.
 * @param {Item} item
 */
const isShown = ({ round }) =>
  all(document, "[data-shows-waiting]").some((each) => `${round}:`.startsWith(`${each.dataset.showsWaiting}:`));

export const kept = new Kept(words.user);
let changed = () => {}; // what waits for the next answer
let since = Date.now(); // when the page was opened, or something was saved
let shown = "";
let sure = ""; // the line whose button was pressed once

/** @type {Map<Queue, Answers>} */
const pages = new Map(); // the page on which what the queue sends is typed

/** @returns {Queue} */
function newQueue() {
  const made = new Queue({
    user: words.user,
    kept,
    token: JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "", // as htmx sends it
    notify: {
      settled(item, answer) {
        pages.get(made)?.settled(item, answer);
        closeOffer();
        since = Date.now();
        saySaved();
      },
      refused: (item, refusal, status) => pages.get(made)?.refused(item, refusal, status),
      clash: (item, refusal) => pages.get(made)?.clash(item, refusal),
      sent: (item) => pages.get(made)?.sent(item),
      shut: (why) => pages.get(made)?.shut(why),
      changed() {
        pages.get(made)?.changed();
        if (queues.every((each) => !each.length)) document.dispatchEvent(new CustomEvent("evenboard:saved"));
        changed();
        show();
        setTimeout(show, SOON);
        void sendReport();
      },
      waits: () => setTimeout(show, SOON),
    },
  });
  return made;
}

export const queue = newQueue();
export const marks = newQueue();
const queues = [queue, marks];

/**
 * Let the page hear the answers to what is typed there.
 * @param {Answers} answers
 * @param {Queue} of
 */
export function attach(answers, of = queue) {
  pages.set(of, answers);
}

/** @type {(item: Item) => boolean} */
const isUnsent = (item) => !item.decide && !item.refusal;
/** @type {() => Item[]} */
const own = () => (kept.works ? kept.all() : queues.flatMap((each) => each.items));

/** Return all that waits on this device, whoever typed it: kind, number and place, as the server reads them. */
export function allWaiting() {
  return counts([...own(), ...kept.ofOthers()], (item) => item.place).map((each) => each.join(" "));
}

const device = deviceName();
const report = new Report({
  ...{ address: words.report ?? "", user: words.user, device, token: () => queue.token },
  held: () => own().filter((item) => !isUnsent(item) || Math.abs(Date.now() - item.typed) >= HELD),
});

/** Tell the server what it does not know of this device. An open cockpit then asks for news. */
async function sendReport() {
  if (queues.some((each) => each.shut)) return;
  if (await report.send()) document.dispatchEvent(new CustomEvent("evenboard:saved"));
}

/** Hide what the server says of this device: the page itself says it better. */
function hideOwn() {
  for (const each of all(document, "[data-device]")) each.hidden = each.dataset.device === device;
}

// What the page says -----------------------------------------------------------------------------------------------

/** @typedef {{ text: string, n?: number, open?: string, page?: string, correct?: string, logIn?: boolean, send?: boolean, forget?: Item[] }} Line */

/** @param {Item[]} items */
function byRound(items) {
  const rounds = /** @type {Map<string, Item[]>} */ (new Map());
  for (const item of items) rounds.set(item.round, [...(rounds.get(item.round) ?? []), item]);
  return [...rounds.values()];
}

/**
 * Return the name of the page on which the mark was made; a result has a round instead.
 * @param {Item} item
 */
const pageOf = (item) => isMark(item) ? words[item.round.startsWith("desk-") ? "desk" : "checkin"] : "";

/** @param {Item[]} items of one round */
function roundLine(items) {
  const [{ place, number, url }] = items;
  const each = isMark(items[0]) ? words.typed : words.onboard;
  const named = items.slice(0, MOST).map((item) => fill(each, { n: item.board, result: item.sign }));
  const what = listed(items.length > MOST ? [...named, `+${items.length - MOST}`] : named, words.comma);
  return {
    text: fill(isMark(items[0]) ? words.marked : words.elsewhere, { place, round: number, what }),
    open: url,
    page: pageOf(items[0]),
  };
}

/**
 * Return why the items wait.
 * @param {Queue} of
 */
function why(of) {
  if (of.shut) return words[of === marks ? `marks${of.shut}` : of.shut];
  if (of.why) return fill(words.failing, { why: of.why });
  return of.waiting ? words.network : words.sending;
}

/**
 * Return what the page says of results, or of marks.
 * @param {Queue} of
 * @param {boolean} late what is not sent yet has waited long enough to be named
 * @returns {Line[]}
 */
function linesOf(of, late) {
  const [unsaved, decide, refusal, gone, others] = of === marks
    ? [words.marksunsaved, words.marksdecide, words.marksrefused, words.marksgone, words.marksothers]
    : [words.unsaved, words.decide, words.refused, words.gone, words.others];
  /** @type {(item: Item) => boolean} */
  const isOfThese = (item) => isMark(item) === (of === marks);
  const items = own().filter(isOfThese);
  const unsent = items.filter((item) => late && isUnsent(item));
  const undecided = items.filter((item) => item.decide && !isShown(item));
  const refused = items.filter((item) => item.refusal && !item.decide && !(isMark(item) && isShown(item)));
  const ofOthers = kept.ofOthers().filter(isOfThese);
  const names = [...new Set(ofOthers.map((item) => item.who ?? ""))];
  return [
    ...(unsent.length
      ? [{
        text: `${counted(unsaved, { n: unsent.length })} ${why(of)}`,
        n: unsent.length,
        logIn: of.shut === "ended",
        send: !of.shut,
      }]
      : []),
    ...byRound(unsent).map((each) => ({ ...roundLine(each), forget: each })),
    ...byRound(undecided).map((each) => ({
      text: `${counted(decide, { n: each.length })} ${roundLine(each).text}`,
      n: each.length,
      page: pageOf(each[0]),
      open: of === marks ? each[0].url : `${each[0].url}#board-${each[0].board}`,
    })),
    ...refused.map((item) => ({
      text: fill(refusal, {
        place: item.place,
        round: item.number,
        n: item.board,
        result: item.sign,
        why: item.refusal?.sentence ?? (item.refusal?.status === 404 ? gone : words.forbidden),
      }),
      n: 1,
      open: item.refusal?.status === 404 || item.refusal?.correct ? "" : item.url,
      page: pageOf(item),
      correct: item.refusal?.correct,
      forget: [item],
    })),
    ...names.map((who) => {
      const theirs = ofOthers.filter((item) => (item.who ?? "") === who);
      const old = theirs.filter((item) => Date.now() - item.typed > LONG);
      return { text: counted(others, { n: theirs.length, who: who || words.somebody }), n: theirs.length, forget: old };
    }),
  ];
}

/** @param {Line} line */
function draw({ text, open, page, correct, logIn, send, forget = [] }) {
  const row = /** @type {HTMLElement} */ (
    document.importNode(one(byId("waiting-line", HTMLTemplateElement).content, "[data-line]"), true)
  );
  const key = forget.map((item) => `${item.round} ${item.game} ${item.kind}`).join();
  one(row, "[data-text]").textContent = text;
  const [opens, corrects] = ["[data-open]", "[data-correct]"].map((name) => one(row, name, HTMLAnchorElement));
  [opens.hidden, corrects.hidden] = [!open, !correct];
  [opens.href, corrects.href] = [open ?? "", correct ?? ""];
  if (page) opens.textContent = page;
  one(row, "[data-log-in]").hidden = !logIn;
  one(row, "[data-send]").hidden = !send;
  const forgets = one(row, "[data-forget]", HTMLButtonElement);
  forgets.hidden = !forget.length;
  if (sure && sure === key) {
    forgets.textContent = counted(isMark(forget[0]) ? words.marksforget : words.forget, { n: forget.length });
  }
  forgets.addEventListener("click", (event) => {
    event.stopPropagation(); // the button is replaced: frame.js would find it outside its menu, and close the menu
    if (sure === key) {
      for (const item of forget) kept.drop(item);
      kept.forgetOthers(forget);
      for (const each of queues) each.forget(forget);
      sure = "";
      void sendReport();
    } else sure = key;
    show();
  });
  return row;
}

/**
 * Say what waits: in the yellow plate of the frame, or on the page where people log in. What is just being sent is silent.
 * @param {boolean} [always] something waits for it
 */
export function show(always = false) {
  const box = document.getElementById("waiting");
  if (!box) return;
  box.dataset.left = String(own().length);
  showKept();
  const plate = box.closest("details") ?? box;
  const stands = !plate.hidden || Date.now() - since >= SOON || queues.some((each) => each.waiting || each.shut);
  const late = always || (stands && own().some((item) => isUnsent(item) && Math.abs(Date.now() - item.typed) >= SOON));
  lock(late);
  const lines = queues.map((each) => linesOf(each, late));
  const now = lines.flat();
  const text = JSON.stringify([now, sure]);
  if (text === shown && box.isConnected && box.children.length === now.length) return;
  shown = text;
  const focused = document.activeElement?.closest("#waiting [data-forget]") !== null && sure;
  box.replaceChildren(...now.map(draw));
  plate.hidden = !now.length;
  const [ofResults, ofMarks] = lines.map((each) => each.reduce((sum, line) => sum + (line.n ?? 0), 0));
  const n = ofResults + ofMarks;
  for (const [name, count] of [["long", ofMarks ? words.count : words.plate], ["short", words.count]]) {
    const label = document.querySelector(`.plate [data-${name}]`);
    if (label) label.textContent = counted(count, { n });
  }
  if (focused) all(box, "[data-forget]").find((each) => !each.hidden)?.focus();
}

/** Say when the server has saved what was typed on this page. */
function saySaved() {
  const note = document.getElementById("saved");
  if (!note || own().length) return;
  const time = new Date().toLocaleTimeString(document.documentElement.lang, {
    ...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  });
  note.textContent = fill(words.saved, { time });
}

/** In a finished round, name below the saved result what was typed here for the board and is not saved. */
function showKept() {
  const form = document.querySelector("#results[data-finished]");
  if (!form) return;
  for (const former of all(form, "[data-kept]")) former.remove();
  for (const item of own().filter((each) => each.round === dataOf(/** @type {HTMLElement} */ (form)).round)) {
    const board = form.querySelector(`tr[data-game="${item.game}"]`);
    const asked = board?.nextElementSibling?.matches(".clash:not([data-kept])"); // the row below asks about this result
    if (!board || !item.sign || asked || !(item.refusal || Date.now() - item.typed >= SOON)) continue;
    const row = /** @type {HTMLElement} */ (
      document.importNode(one(byId("waiting-kept", HTMLTemplateElement).content, "[data-kept]"), true)
    );
    one(row, "[data-text]").textContent = fill(words.keptresult, { result: item.sign });
    const corrects = one(row, "[data-correct]", HTMLAnchorElement);
    corrects.hidden = !item.refusal?.correct;
    corrects.href = item.refusal?.correct ?? "";
    board.after(row);
  }
}

/**
 * In the cockpit, name and count the results of its section that are not sent yet. Until then no round is paired, and the black button
 * sends them.
 * @param {boolean} late as in `linesOf`
 */
function lock(late) {
  const list = document.querySelector("#d-todo .todo");
  if (!list) return;
  const [section] = location.pathname.split("cockpit/");
  const items = late ? own().filter((item) => isUnsent(item) && !isMark(item) && item.url.startsWith(section)) : [];
  for (const former of all(document, "[data-unsent]")) former.remove();
  const cells = new Set(items.map((item) => `${item.url}#board-${item.board}`));
  for (const cell of all(document, ".map a")) cell.classList.toggle("only", cells.has(cell.getAttribute("href") ?? ""));
  const here = all(document, ".map .only").length;
  for (const key of all(document, ".map-key [data-only]")) key.hidden = !here;
  const facts = document.querySelector("[data-boards]");
  facts?.toggleAttribute("hidden", here > 0);
  for (const pairs of all(document, "#d-head [data-after-results] button", HTMLButtonElement)) {
    if (items.length && !pairs.form?.hasAttribute(BUSY)) pairs.disabled = true;
    else if (pairs.dataset.locked) pairs.disabled = false;
    else continue;
    pairs.dataset.locked = items.length ? "yes" : "";
  }
  const sends = items.length > 0 && !queue.shut;
  for (const link of all(document, "#d-head a.go, #d-head [data-yields]")) { // one black button, which Enter presses
    const { key, yields } = link.dataset;
    link.classList.toggle("go", !sends);
    for (const mark of all(link, "kbd")) mark.hidden = sends;
    if (sends && key) {
      link.dataset.yields = key;
      delete link.dataset.key;
    } else if (!sends && yields) {
      link.dataset.key = yields;
      delete link.dataset.yields;
    }
  }
  if (!items.length) return;
  const fresh = document.importNode(byId("waiting-cockpit", HTMLTemplateElement).content, true);
  one(fresh, "[data-text]").textContent = `${counted(words.unsaved, { n: items.length })} ${why(queue)}`;
  one(fresh, "[data-open]", HTMLAnchorElement).href = items[0].url;
  if (here) {
    const head = one(fresh, "[data-head]");
    const saved = all(document, ".map a").filter((cell) => !cell.matches(".only, .play, .gap, .adj")).length;
    head.textContent = counted(words.onmap, { n: here, saved });
    facts?.after(head);
  }
  for (const cell of all(document, ".map .only")) cell.append(one(fresh, "[data-cell]").cloneNode(true));
  list.prepend(one(fresh, "li"));
  if (!queue.shut) document.querySelector("#d-head .push")?.append(one(fresh, "[data-send]"));
}

// Sending ----------------------------------------------------------------------------------------------------------

/**
 * Send what other visits and tabs have left.
 * @param {number} age milliseconds: younger entries are being sent by the tab in which they were typed. The clock of a device may
 *   have been put back since
 */
function take(age) {
  const left = kept.all().filter((item) => isUnsent(item) && Math.abs(Date.now() - item.typed) >= age);
  queue.restore(left.filter((item) => !isMark(item)));
  marks.restore(left.filter(isMark));
}

function send() {
  for (const each of queues) each.send();
}

/** Drop what was refused and is saved meanwhile, for example by a correction. */
async function compare() {
  for (const items of byRound(kept.all().filter((item) => item.refusal && !isMark(item)))) {
    const { state } = await queue.ask(items[0].url).catch(() => ({ state: null }));
    if (!state || String(state.user) !== words.user) continue;
    for (const item of items) {
      const board = state.boards.find((each) => String(each.id) === item.game);
      if (board && (item.kind === "confirm" ? board.second : board.result) === item.value) kept.drop(item);
    }
  }
  show();
  void sendReport();
}

// Pairing and publishing ---------------------------------------------------------------------------------------------

let passing = /** @type {HTMLFormElement | null} */ (null);

/** Send what waits, as long as the server answers. */
async function flush() {
  const left = () => queues.reduce((sum, each) => sum + (each.shut ? 0 : each.length), 0);
  take(0);
  send();
  let until = performance.now() + PATIENCE;
  while (left() && performance.now() < until) {
    const before = left();
    await new Promise((/** @type {(value?: undefined) => void} */ done) => {
      changed = done;
      setTimeout(done, 250);
    });
    if (left() < before) until = performance.now() + PATIENCE;
  }
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.dataset?.afterResults === undefined || passing === form) return;
  if (form.hasAttribute(BUSY)) event.preventDefault();
  else if (allWaiting().length) {
    event.preventDefault();
    void sendFirst(form, /** @type {HTMLButtonElement | null} */ (event.submitter));
  } else return describe(form);
  event.stopImmediatePropagation();
}, true);

/**
 * Write into the form which device sends it, and what waits there.
 * @param {HTMLFormElement} form
 */
function describe(form) {
  for (const former of all(form, "[name=waiting], [name=device]")) former.remove();
  for (const [name, value] of [["device", device], ...allWaiting().map((each) => ["waiting", each])]) {
    const field = document.createElement("input");
    field.setAttribute("type", "hidden");
    [field.name, field.value] = [name, value];
    form.append(field);
  }
}

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
  describe(form);
  passing = form;
  form.requestSubmit(button);
  passing = null;
}

// Begin --------------------------------------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  if (around(event, "[data-send]")) send();
});
document.addEventListener("submit", (event) => {
  if (elementOf(event)?.getAttribute("action")?.endsWith("/logout/")) forgetLists();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) send();
});
addEventListener("online", send);
addEventListener("storage", () => {
  show();
  setTimeout(show, SOON);
});
addEventListener("pagehide", () => {
  for (const each of queues) each.leave();
});
addEventListener("pageshow", (event) => {
  if (event.persisted) take(0);
});
document.addEventListener("htmx:afterSettle", () => {
  hideOwn();
  show();
});
setInterval(() => {
  take(LEFT);
  show();
  void sendReport();
}, EVERY);
if (!words.user) forgetLists(); // nobody is logged in here
forgetOldLists(Date.now());
forgetOld(Date.now());
if (!results()) take(0);
else marks.restore(kept.all().filter((item) => isUnsent(item) && isMark(item)));
hideOwn();
void compare();
setTimeout(show, SOON);
show();
