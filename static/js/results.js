// Results at the speed of the keyboard. The page works as a plain form; this sends each choice by itself, one after
// another, and shows only what is not saved: queued, refused, or entered differently by somebody else.
"use strict";

const form = document.getElementById("results");
const words = document.getElementById("words").dataset;
const menus = [...form.querySelectorAll("select[data-game]")];
const { folded, found: holds } = window.finding; // static/js/find.js
const fingers = window.matchMedia("(pointer: coarse)").matches;
const queue = []; // { menu, value }, in the order typed
const done = []; // { menu, value: what stood before }, for undo
let sending = false;
let waiting = 0; // milliseconds until the next try, while the server does not answer
let current = null;
let forfeit = false;
let loggedOut = false; // the session has ended: results stay in the queue until somebody has logged in again
let settled = false; // every result is in: a key changes none of them before a board is chosen
let timer = 0; // of the next try
let csrf = form.elements.csrfmiddlewaretoken.value;
let revision = form.dataset.revision;

const saved = new Map(menus.map((menu) => [menu, menu.value])); // what the server has
const typed = new Map(saved); // what stands in the page, sent or not

const row = (menu) => menu.closest("tr");
const isMissing = (menu) => menu.value === "";
const sign = (menu, value = menu.value) => [...menu.options].find((option) => option.value === value)?.text ?? value;
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

// What the page shows ------------------------------------------------------------------------------------------

function paint(menu) {
  const queued = queue.some((item) => item.menu === menu);
  menu.classList.toggle("open", isMissing(menu));
  menu.classList.toggle("sent", queued);
  menu.classList.toggle("type", menu === current);
  const cell = row(menu).querySelector(".st");
  if (queued) cell.textContent = words.queued;
  else if (cell.textContent === words.queued) cell.textContent = "";
  const [white, black] = { "1-0": ["won", "lost"], "+:-": ["won", "lost"], "W-L": ["won", "lost"],
    "0-1": ["lost", "won"], "-:+": ["lost", "won"], "L-W": ["lost", "won"] }[menu.value] || ["", ""];
  for (const [cells, name] of [[".p-w", white], [".p-b", black]]) {
    const side = row(menu).querySelector(cells);
    side.classList.toggle("won", name === "won");
    side.classList.toggle("lost", name === "lost");
  }
}

function count() {
  const missing = menus.filter(isMissing).length;
  for (const place of form.querySelectorAll("[data-count=missing]")) place.textContent = missing;
  document.getElementById("left").textContent = missing ? fill(words.left, { n: missing }) : words.full;
  const onward = document.getElementById("onward");
  onward.hidden = missing > 0 || queue.length > 0;
  onward.classList.toggle("go", !onward.hidden);
  const pill = document.getElementById("queue");
  pill.hidden = queue.length === 0;
  pill.textContent = fill(loggedOut ? words.kept : waiting ? words.waiting : words.sending, { n: queue.length });
  pill.classList.toggle("bad", loggedOut || waiting > 0);
}

// What went wrong, beside the keys, where it is seen whichever board is in view; "" takes it away.
function warn(text) {
  const warning = document.getElementById("warning");
  if (warning.textContent !== text) warning.textContent = text;
  warning.hidden = !text;
  document.getElementById("log-in").hidden = !loggedOut;
}

function say(text) {
  document.getElementById("said").textContent = text;
}

function who() {
  const place = document.getElementById("who");
  if (forfeit) place.textContent = words.forfeit;
  else if (settled) place.textContent = words.rest;
  else if (current) {
    const name = row(current).querySelector(".p-w").textContent.trim();
    place.textContent = fill(words.who, { n: row(current).dataset.board, white: name });
  }
}

function show(only) {
  form.classList.toggle("only-missing", only);
  for (const link of form.querySelectorAll("[data-show]")) {
    if ((link.dataset.show === "missing") === only) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  for (const menu of menus) row(menu).hidden = only && !isMissing(menu) && menu !== current;
}

function go(menu, { focus = !fingers } = {}) {
  if (!menu) return;
  const former = current;
  current = menu;
  forfeit = false;
  settled = false;
  for (const each of [former, menu]) {
    if (!each) continue;
    row(each).classList.toggle("here", each === menu);
    if (each === menu) row(each).setAttribute("aria-current", "true");
    else row(each).removeAttribute("aria-current");
    paint(each);
  }
  if (form.classList.contains("only-missing")) show(true);
  if (focus) menu.focus({ preventScroll: true });
  row(menu).scrollIntoView({ block: "nearest" });
  who();
}

function step(by) {
  const shown = menus.filter((menu) => !row(menu).hidden);
  go(shown[Math.min(Math.max(shown.indexOf(current) + by, 0), shown.length - 1)]);
}

function across() {
  const here = current.closest("table");
  const there = [...form.querySelectorAll("table.entry")].find((table) => table !== here);
  const place = [...here.querySelectorAll("tr[data-board]:not([hidden])")].indexOf(row(current));
  const rows = there ? [...there.querySelectorAll("tr[data-board]:not([hidden])")] : [];
  go(rows[Math.min(place, rows.length - 1)]?.querySelector("select[data-game]"));
}

function next() {
  const start = menus.indexOf(current);
  const later = [...menus.slice(start + 1), ...menus.slice(0, start)];
  go(later.find(isMissing) ?? current);
  settled = !menus.some(isMissing);
  if (form.classList.contains("only-missing")) show(true);
}

// Sending ------------------------------------------------------------------------------------------------------

function enter(menu, value, { undo = false } = {}) {
  if (menu.disabled) return;
  const former = typed.get(menu);
  clearClash(menu);
  menu.value = value;
  typed.set(menu, value);
  if (!undo && former !== value) done.push({ menu, value: former });
  const item = queue.find((each) => each.menu === menu && each !== queue[0]);
  if (item) item.value = value;
  else queue.push({ menu, value });
  say(fill(loggedOut ? words.unsaved : words.said, { n: row(menu).dataset.board, result: sign(menu) }));
  paint(menu);
  count();
  send();
}

// What the server says about the round, and with it whether somebody is logged in here.
async function ask(seen) {
  const answer = await fetch(`${form.dataset.state}?seen=${seen}`, {
    headers: { Accept: "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(15000),
  });
  const json = answer.headers.get("Content-Type")?.includes("json");
  return { session: answer.type !== "opaqueredirect", told: answer.ok && json ? await answer.json() : null };
}

// After a refusal without a reason: is the result to wait in the queue, because nobody is logged in, or because the
// token of the page was that of another log-in?
async function waits(item) {
  const { session, told } = await ask("");
  if (!session) {
    if (!loggedOut) say(words.ended);
    loggedOut = true;
    warn(words.ended);
    clearTimeout(timer);
    timer = setTimeout(send, 3000);
    return true;
  }
  loggedOut = false;
  if (!told || item.again) return false;
  csrf = told.token;
  item.again = true;
  return true;
}

async function send() {
  if (sending || queue.length === 0) return;
  sending = true;
  const { menu, value } = queue[0];
  const body = new URLSearchParams({ result: value, version: menu.dataset.version });
  try {
    const answer = await fetch(menu.dataset.url, {
      method: "POST",
      body,
      headers: { "X-CSRFToken": csrf, Accept: "application/json" },
      signal: AbortSignal.timeout(15000),
    });
    if (answer.status >= 500) throw new Error("server");
    const told = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
    waiting = 0;
    if (answer.status !== 403 || told || !(await waits(queue[0]))) {
      loggedOut = false;
      queue.shift();
      if (answer.ok) settle(menu, value, told);
      else refuse(menu, value, told, answer.status);
    }
  } catch {
    waiting = Math.min((waiting || 500) * 2, 10000);
    clearTimeout(timer);
    timer = setTimeout(send, waiting);
  }
  sending = false;
  count();
  if (!waiting && !loggedOut) send();
}

function settle(menu, value, told) {
  warn("");
  menu.dataset.version = told.version;
  saved.set(menu, value);
  form.elements[`version-${menu.dataset.game}`].value = told.version;
  form.elements[`was-${menu.dataset.game}`].value = value;
  paint(menu);
}

function refuse(menu, value, told, status) {
  if (told?.code === "stale_result") {
    clash(menu, value, told);
    return;
  }
  menu.value = saved.get(menu);
  typed.set(menu, menu.value);
  paint(menu);
  const { gone, forbidden } = document.getElementById("trouble").dataset;
  const why = told?.sentence ?? (status === 404 ? gone : forbidden);
  row(menu).querySelector(".st").textContent = words.lost;
  say(fill(words.refused, { n: row(menu).dataset.board }));
  warn(why);
}

function clash(menu, mine, told) {
  menu.dataset.version = told.version;
  saved.set(menu, told.theirs);
  paint(menu);
  menu.classList.add("clash");
  const line = document.getElementById("clash").content.cloneNode(true).firstElementChild;
  const signs = { mine: mine ? sign(menu, mine) : words.empty, theirs: told.theirs ? sign(menu, told.theirs) : words.empty };
  line.querySelector("[data-why]").textContent = fill(words.clash, {
    ...signs,
    by: told.by || words.somebody,
    at: told.at,
  });
  const keep = line.querySelector("[data-keep]");
  const take = line.querySelector("[data-take]");
  keep.textContent = fill(words.keep, signs);
  take.textContent = fill(words.take, signs);
  keep.addEventListener("click", () => { enter(menu, mine); go(menu); });
  take.addEventListener("click", () => {
    clearClash(menu);
    menu.value = told.theirs;
    typed.set(menu, told.theirs);
    settle(menu, told.theirs, told);
    count();
    go(menu);
  });
  clearClash(menu, false);
  row(menu).after(line);
}

function clearClash(menu, mark = true) {
  if (mark) menu.classList.remove("clash");
  const below = row(menu).nextElementSibling;
  if (below?.classList.contains("clash")) below.remove();
}

function undo() {
  const last = done.pop();
  if (!last) {
    say(words.undone);
    return;
  }
  enter(last.menu, last.value, { undo: true });
  go(last.menu);
}

// Keys ---------------------------------------------------------------------------------------------------------

const RESULTS = { 1: "1-0", 5: "1/2", "=": "1/2", 0: "0-1", a: "adj", Delete: "", Backspace: "" };
const FORFEITS = { 1: "+:-", 0: "-:+", "-": "-:-", "–": "-:-", 5: "-:-" };
const MOVES = { ArrowUp: () => step(-1), ArrowDown: () => step(1), ArrowLeft: across, ArrowRight: across,
  PageUp: () => step(-10), PageDown: () => step(10), Home: () => step(-menus.length), End: () => step(menus.length) };

function press(key) {
  if (!current) return false;
  if (key === "Escape" && forfeit) {
    forfeit = false;
  } else if (key === "Enter") {
    const onward = document.getElementById("onward");
    if (!onward.hidden) onward.click();
  } else if (settled && (key === "f" || key in RESULTS)) {
    say(words.rest);
  } else if (forfeit && key in FORFEITS) {
    enter(current, FORFEITS[key]);
    next();
  } else if (key in MOVES) {
    MOVES[key]();
  } else if (key === "f") {
    forfeit = true;
  } else if (key in RESULTS) {
    enter(current, RESULTS[key]);
    if (RESULTS[key]) next();
  } else if (key === "u") {
    undo();
  } else if (key === "m") {
    show(!form.classList.contains("only-missing"));
  } else if (key === "/") {
    document.getElementById("find").focus();
  } else if (key === "?") {
    document.getElementById("help").showModal();
  } else {
    return false;
  }
  who();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const target = event.target;
  const here = target === document.body || target.id === "main" || target.matches("#results select, #keys button");
  const letters = document.getElementById("letters-on").checked || event.key.length > 1;
  if (!here || !letters) return;
  if (target.matches("#keys button") && (event.key === "Enter" || event.key === " ")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // a letter that means nothing here must not pick from the menu by itself
  if (press(key) || (key.length === 1 && key !== " ")) event.preventDefault();
});

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", (event) => {
  if (!event.target.matches("select[data-game]")) return;
  enter(event.target, event.target.value);
  go(event.target);
});
form.addEventListener("focusin", (event) => {
  if (event.target.matches("select[data-game]") && event.target !== current) go(event.target, { focus: false });
});
form.addEventListener("click", (event) => {
  const link = event.target.closest("[data-show]");
  if (link && !location.search) {
    event.preventDefault();
    show(link.dataset.show === "missing");
    return;
  }
  const line = event.target.closest("tr[data-board]");
  if (line && !event.target.closest("select, button, a")) go(line.querySelector("select[data-game]"));
});
for (const button of document.querySelectorAll("[data-press]")) {
  button.addEventListener("click", () => {
    press(button.dataset.press);
    if (!fingers && button.dataset.press !== "?") current?.focus({ preventScroll: true });
  });
}

// Finding ------------------------------------------------------------------------------------------------------

const find = document.getElementById("find");
let from = null; // where one was before the search

function found(text) {
  const wanted = folded(text);
  if (!wanted) return [];
  if (/^\d+$/.test(wanted)) return menus.filter((menu) => row(menu).dataset.board === wanted);
  const hits = menus.filter((menu) => holds(row(menu).dataset.find, wanted.split(" ")));
  const starts = (menu) => [...row(menu).querySelectorAll(".nm")].some((name) => folded(name.textContent).startsWith(wanted));
  return [...hits.filter(starts), ...hits.filter((menu) => !starts(menu))];
}

function tellFound(none) {
  const told = document.getElementById("found");
  told.textContent = none ? words.none : "";
  told.hidden = !none;
  if (none) find.setAttribute("aria-invalid", "true");
  else find.removeAttribute("aria-invalid");
}

find.addEventListener("focus", () => { from = current; });
find.addEventListener("input", () => {
  const hits = found(find.value);
  tellFound(find.value.trim() !== "" && hits.length === 0);
  go(hits[0] ?? from, { focus: false });
});
find.addEventListener("keydown", (event) => {
  if (event.key === "Escape" || event.key === "Enter") {
    event.preventDefault();
    if (event.key === "Escape") go(from, { focus: false });
    else if (find.value.trim() && !found(find.value).length) return;
    find.value = "";
    tellFound(false);
    current?.focus({ preventScroll: true });
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const hits = found(find.value);
    const place = hits.indexOf(current) + (event.key === "ArrowDown" ? 1 : -1);
    if (hits.length) go(hits[(place + hits.length) % hits.length], { focus: false });
  }
});

// Others at other desks ----------------------------------------------------------------------------------------

async function look() {
  if (document.hidden || queue.length) return;
  const { session, told } = await ask(revision);
  if (queue.length) return;
  if (!session || loggedOut) {
    loggedOut = !session;
    warn(session ? "" : words.ended);
  }
  if (!told) return;
  csrf = told.token;
  revision = told.revision;
  const here = new Map(menus.map((menu) => [menu.dataset.game, menu]));
  if (told.boards.length && !told.boards.some((board) => here.has(String(board.id)))) location.reload();
  for (const board of told.boards) {
    const menu = here.get(String(board.id));
    if (!menu || Number(menu.dataset.version) >= board.version || menu.classList.contains("clash")) continue;
    menu.value = board.result;
    typed.set(menu, board.result);
    settle(menu, board.result, board);
    const cell = row(menu).querySelector(".st");
    cell.textContent = board.by;
    setTimeout(() => { if (cell.textContent === board.by) cell.textContent = ""; }, 10000);
  }
  count();
}

setInterval(() => look().catch(() => {}), 5000);
document.addEventListener("visibilitychange", () => {
  if (loggedOut && !document.hidden) send();
  look().catch(() => {});
});
window.addEventListener("beforeunload", (event) => {
  if (queue.length) event.preventDefault();
});

// Begin --------------------------------------------------------------------------------------------------------

try {
  const letters = document.getElementById("letters-on");
  letters.checked = localStorage.getItem("result-keys") !== "off";
  letters.addEventListener("change", () => localStorage.setItem("result-keys", letters.checked ? "on" : "off"));
} catch {
  // storage is switched off: the keys are on at each visit
}
document.getElementById("save").hidden = true;
document.getElementById("keys").hidden = false;
form.querySelector(".find-in").hidden = false;
form.classList.add("scripted");
const asked = /^#board-\d+$/.test(location.hash) ? form.querySelector(`${location.hash} select[data-game]`) : null;
go(asked ?? menus.find(isMissing) ?? menus[0]);
settled = !asked && !menus.some(isMissing);
who();
count();
