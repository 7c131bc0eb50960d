// Fast entry of results by keys. Without this script the page is a plain form. The script sends the choices one after
// another, keeps in the browser what is not saved yet, and marks only what is open, queued, refused or in a clash.

import { all, around, byId, dataOf, elementOf, one, reloadIfReplaced } from "../dom.js";
import { isChord, toTab } from "../keys.js";
import { fill } from "../texts.js";
import { adjournedGames, showCounts, warn } from "./counts.js";
import { makeFinding } from "./finding.js";
import { beep, makeHelp } from "./help.js";
import { meaning, named, prefixName, SCHEMES } from "./keys.js";
import { Moves } from "./moves.js";
import { Names } from "./names.js";
import { followOthers } from "./others.js";
import { Row } from "./row.js";
import { addRows, readBoards } from "./whole.js";
import { announce, words } from "./words.js";

const form = byId("results", HTMLFormElement);
const boards = readBoards();
/** @type {Map<HTMLSelectElement, string>} */
const early = new Map(); // what a person chose before this script came: not yet what the row has
for (const menu of all(form, "select[data-game]", HTMLSelectElement)) {
  const given = [...menu.options].find((each) => each.defaultSelected)?.value ?? "";
  if (menu.value === given) continue;
  early.set(menu, menu.value);
  menu.value = given;
}
const long = "partRows" in form.dataset; // the page came with a part of the boards
if (long) addRows(form, boards);
const byGame = new Map(boards.map((board) => [String(board.id), board]));
const finished = "finished" in form.dataset; // only adjourned games still get a result
const rows = all(form, "select[data-game]", HTMLSelectElement).map((menu) => new Row(menu, boardOf(menu), finished));
const fingers = matchMedia("(pointer: coarse)").matches;
const single = rows.length === 1 && document.querySelector(".one-board") !== null;
let current = /** @type {Row | null} */ (null);
let prefix = ""; // F, H or N, which the next key completes
let settled = false; // all boards are done: no key changes a result until a board is chosen
let verify = false; // the second pass: slips are read again
let filter = form.dataset.filter ?? "all"; // or "missing", "clashes"

/** @type {ReturnType<typeof makeHelp>} */
const help = makeHelp(form, () => moves.queue.token);
/** @type {Moves} */
const moves = new Moves({ form, rows, shown, counted: count, warn, differs: () => help.soundOn() && beep() });
const queue = moves.queue;
const names = new Names({
  form,
  rows,
  current: () => current,
  arrived() {
    if (!names.coming) finding.again();
    who();
  },
});
const finding = makeFinding({
  rows,
  names,
  go: (row) => go(row, { focus: false }),
  current: () => current,
  back() {
    if (!fingers) current?.menu.focus({ preventScroll: true });
    current?.line.scrollIntoView({ block: "nearest" }); // typing has brought the field into view
  },
});

/** @param {HTMLSelectElement} menu */
function boardOf(menu) {
  const found = byGame.get(dataOf(menu).game);
  if (!found) throw new Error(`the page has no state of game ${menu.dataset.game}`);
  return found;
}

// Give the style sheet the height of the tools, and the height of the lines of the tools that scroll away with the list.
function measure() {
  const tools = one(form, ".head");
  const [first, next] = ["h1", ".seg"].map((selector) => one(tools, selector).getBoundingClientRect());
  const away = next.top >= first.bottom ? next.top - tools.getBoundingClientRect().top - 8 : 0;
  document.documentElement.style.setProperty("--tools", `${tools.offsetHeight}px`);
  document.documentElement.style.setProperty("--tools-away", `${away}px`);
}

// What the page shows ------------------------------------------------------------------------------------------

/** @type {(row: Row) => boolean} */
const isDue = (row) => (verify ? !row.verified && !row.clashes : row.missing || (finished && row.value === "adj"));
const isToVerify = (/** @type {Row} */ row) => verify && !row.missing && isDue(row); // a board without a result has no second check
const isListed = (/** @type {Row} */ row) => (verify ? isToVerify(row) : row.missing);
const isShown = (/** @type {Row} */ row) =>
  filter === "all" || row === current || (filter === "clashes" ? row.twoResults : isListed(row));

/** @param {Row} [row] the board that changed; without it, all boards */
function shown(row) {
  for (const each of row ? [row] : rows) each.paint({ queued: queue.has(each.game), here: each === current, verify });
  count();
  who();
}

const rest = () => (adjournedGames(rows) ? words.restexcept : finished ? words.restfinished : words.rest);

function count() {
  showCounts({ form, rows, moves, single, verify, current, isListed, isToVerify });
}

function who() {
  const { white: w, draw: d, black: b } = SCHEMES[help.scheme];
  const past = current && !(verify && isDue(current)) ? current.history() : "";
  let text = "";
  let more = "";
  if (prefix) text = fill(words[prefixName(prefix)], { w, d, b });
  else if (moves.note) more = moves.note;
  else if (settled && !rows.some((row) => row.clashes)) text = rest();
  else if (past) [text, more] = [fill(words.board, { n: current?.board }), past];
  else if (current) text = fill(words.who, { n: current.board, white: current.white });
  byId("who").textContent = text;
  const history = byId("history");
  history.textContent = more;
  history.title = more;
}

/** @param {string} name of the filter */
function show(name) {
  filter = name;
  for (const link of all(form, "[data-show]")) {
    if (link.dataset.show === filter) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  for (const row of rows) {
    row.line.hidden = !isShown(row);
    const below = /** @type {HTMLElement | null} */ (row.line.nextElementSibling);
    if (below?.classList.contains("clash")) below.hidden = row.line.hidden;
  }
}

/**
 * Go to a board.
 * @param {Row | null | undefined} row
 * @param {{ focus?: boolean, scroll?: boolean }} options scroll: without it the next Tab begins at the top of the page
 */
function go(row, { focus = !fingers, scroll = true } = {}) {
  if (!row) return;
  const former = current;
  if (former !== row || settled) row.unseen = null; // the person sees what the board has now
  current = row;
  prefix = "";
  settled = false;
  for (const each of [former, row]) {
    if (!each) continue;
    each.line.classList.toggle("here", each === row);
    if (each === row) each.line.setAttribute("aria-current", "true");
    else each.line.removeAttribute("aria-current");
    each.paint({ queued: queue.has(each.game), here: each === row, verify });
  }
  if (filter !== "all") show(filter);
  count();
  if (focus) row.menu.focus({ preventScroll: true });
  if (scroll) row.line.scrollIntoView({ block: "nearest" });
  who();
}

/**
 * Go to the first board of the page. The focus stays outside the list, so that the first Tab reaches the link that skips
 * to it. Keys still type results.
 * @param {Row} row
 */
function begin(row) {
  go(row, { focus: false, scroll: false });
  const { bottom } = row.line.getBoundingClientRect();
  const foot = byId("keys").getBoundingClientRect().top;
  if (bottom > foot) scrollBy(0, bottom - foot);
}

const inView = () => rows.filter((row) => !row.line.hidden);
const placeOf = (/** @type {Row[]} */ list) => list.findIndex((row) => row === current);

/** @param {number} by */
function step(by) {
  const list = inView();
  go(list[Math.min(Math.max(placeOf(list) + by, 0), list.length - 1)]);
}

function across() {
  const side = (/** @type {Row | null} */ row) => row?.line.closest("table.entry");
  const here = inView().filter((row) => side(row) === side(current));
  const there = inView().filter((row) => side(row) !== side(current));
  go(there[Math.min(placeOf(here), there.length - 1)]);
}

function next() {
  const start = placeOf(rows);
  const later = [...rows.slice(start + 1), ...rows.slice(0, start)];
  go((finished ? null : later.find(isDue)) ?? current); // in a finished round a question about this board may follow
  settled = !single && !rows.some(isDue);
  if (filter !== "all") show(filter);
  who();
}

function nextClash() {
  const start = placeOf(rows);
  const found = [...rows.slice(start + 1), ...rows.slice(0, start + 1)].find((row) => row.twoResults);
  if (found) go(found);
  else announce(words.noclash);
}

/**
 * Decide the clash of this board, or else the only clash if the window shows it. A clash that the person does not see is
 * gone to and not decided.
 * @param {Row} row
 * @param {(row: Row) => void} choose
 */
function decide(row, choose) {
  const [only, ...others] = row.clashes ? [row] : rows.filter((each) => each.clashes);
  if (only && !others.length && row !== only) {
    const { top, bottom } = only.line.getBoundingClientRect();
    if (top < 0 || bottom > byId("keys").getBoundingClientRect().top) return go(only);
  }
  if (others.length) nextClash();
  else choose(only ?? row);
}

/**
 * Begin or end the second pass.
 * @param {boolean} on
 * @param {(row: Row) => void} enter
 */
function setVerify(on, enter = go) {
  verify = on;
  moves.note = "";
  announce(""); // clear the last result for screen readers
  form.classList.toggle("verifying", on);
  document.getElementById("verify")?.setAttribute("aria-pressed", String(on));
  const name = form.querySelector("[data-name-of=missing]");
  if (name) name.textContent = on ? words.toread : words.missing;
  show("all");
  shown();
  const first = rows.find(isDue);
  enter(first ?? current ?? rows[0]);
  settled = !single && !first;
  who();
}

// Keys ---------------------------------------------------------------------------------------------------------

/** @type {Record<string, (row: Row) => void>} */
const COMMANDS = {
  up: () => step(-1),
  down: () => step(1),
  across,
  "page-up": () => step(-10),
  "page-down": () => step(10),
  first: () => step(-rows.length),
  last: () => step(rows.length),
  undo: () => {
    if (finished) announce(rest());
    else go(moves.undo());
  },
  missing: () => show(filter === "missing" ? "all" : "missing"),
  clashes: () => {
    if (filter === "clashes") show("all");
    else nextClash();
  },
  verify: () => setVerify(!verify),
  over: (row) => {
    if (row.missing) moves.move(row, "over", row.over ? "" : "over");
  },
  keep: (row) => decide(row, (found) => moves.keep(found)),
  take: (row) => decide(row, (found) => moves.take(found)),
  find: () => finding.open(),
  incident: (row) => location.assign(dataOf(form).incident.replace("/board/0/", `/board/${row.board}/`)),
  help: () => help.open(),
  enter() {
    const onward = document.getElementById("onward");
    if (onward && !onward.hidden) onward.click();
    else if (help.scheme === "vega") go(inView()[0]);
  },
};
const MAY_REPEAT = new Set(["up", "down", "across", "page-up", "page-down"]);

/**
 * Type a result for the current board.
 * @param {string} value
 */
function type(value) {
  if (!current) return;
  if (settled || current.closed) {
    announce(rows.some((row) => row.clashes) ? words.undecided : rest());
    return;
  }
  if (verify && current.missing && value) announce(fill(words.nosecond, { n: current.board }));
  moves.type(current, value, verify);
  prefix = "";
  if (!value) return;
  if (finding.stays(rows.some(isDue))) finding.open();
  else next();
}

/**
 * Return whether the key has a meaning here.
 * @param {string} key
 * @param {boolean} repeat whether the person holds the key down
 */
function press(key, repeat = false) {
  if (finding.takes(key)) return true;
  const asked = current ? meaning(help.scheme, prefix, key) : null;
  if (!current || !asked) return false;
  if (asked.command === "menu") {
    if (document.activeElement === current.menu) return false; // the browser opens it
    current.menu.focus({ preventScroll: true });
    current.menu.showPicker?.();
    return true;
  }
  if (repeat && !MAY_REPEAT.has(asked.command ?? "")) return true;
  moves.note = "";
  if (asked.result !== undefined) type(asked.result);
  else if (asked.prefix !== undefined) prefix = settled ? "" : asked.prefix;
  else if (asked.name) finding.open(asked.name);
  else if (asked.command) {
    prefix = "";
    COMMANDS[asked.command](current);
  }
  who();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (isChord(event) || event.isComposing || document.querySelector("dialog[open]")) return;
  const target = elementOf(event);
  const key = named(event);
  if (!target || target.closest("input, textarea, select:not(#results select), [contenteditable]")) return;
  if (target.closest("button, a, summary") && (key === "Enter" || key === " ")) return;
  if (key.length === 1 && !help.lettersOn()) return;
  if (toTab(event)) return event.preventDefault();
  // A letter without a meaning must not choose from the menu.
  if (press(key, event.repeat) || (key.length === 1 && key !== " " && target.matches("select"))) event.preventDefault();
});

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", (event) => {
  const row = rows.find((each) => each.menu === event.target);
  if (!row) return;
  const value = row.menu.value;
  go(row);
  moves.type(row, value, verify);
});
form.addEventListener("focusin", (event) => {
  const row = rows.find((each) => each.menu === event.target);
  if (row && row !== current) go(row, { focus: false });
});
form.addEventListener("click", (event) => {
  const link = around(event, "[data-show]");
  if (link && (long || !location.search)) {
    event.preventDefault();
    show(dataOf(link).show);
    return;
  }
  const choice = around(event, "[data-keep], [data-take]");
  const line = around(event, "tr.clash")?.previousElementSibling ?? around(event, "tr[data-board]");
  const row = rows.find((each) => each.line === line);
  if (!row || (around(event, "select, button, a") && !choice)) return;
  if (choice) moves[choice.hasAttribute("data-keep") ? "keep" : "take"](row);
  go(row);
});
for (const button of all(document, "[data-press], [data-result]")) {
  const { result, press: pressed } = dataOf(button);
  button.addEventListener("click", () => {
    if (result !== undefined) type(result);
    else if (pressed === " ") current?.menu.showPicker?.();
    else press(pressed);
    if (!fingers && pressed !== "?") current?.menu.focus({ preventScroll: true });
  });
}

addEventListener("beforeunload", (event) => {
  if (queue.length && !moves.kept.works) event.preventDefault();
});

reloadIfReplaced(form);

// Begin --------------------------------------------------------------------------------------------------------

byId("save").hidden = true;
byId("keys").hidden = false;
for (const each of all(form, ".find-in, #verify")) each.hidden = false;
form.classList.add("scripted");
if (!single) {
  measure(); // before the page scrolls to a board
  new ResizeObserver(measure).observe(one(form, ".head"));
}
followOthers({ form, moves, current: () => current, count });
moves.restore();
for (const row of rows) if (early.has(row.menu)) moves.type(row, early.get(row.menu) ?? "", false);
const asked = rows.find((row) => row.menu === document.activeElement || `#${row.line.id}` === location.hash);
if (asked) go(asked);
else begin(rows.find(isDue) ?? rows[0]);
settled = !single && !asked && !rows.some(isDue);
shown();
if (filter !== "all") show(filter);
void names.load();
if (location.hash === "#verify") setVerify(true, begin);
