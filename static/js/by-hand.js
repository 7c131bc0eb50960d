// Pairing by hand: the first of two players is picked without asking the server. Arrow keys go from player to player.
// Without this script the form does the same, with one page for each step (web/views/staff/by_hand.py).

import { all, around, byId, dataOf, elementOf, fieldOf, one } from "./dom.js";
import { folded, found } from "./folding.js";
import { closeOffer } from "./toast.js";

const form = () => /** @type {HTMLFormElement | null} */ (document.getElementById("hand"));
const picks = () => all(document, ".pick", HTMLButtonElement);
const fingers = matchMedia("(pointer: coarse)");
let last = ""; // the id of the player who had the focus last
/** @type {(number: string) => HTMLButtonElement | null} */
const byNumber = (number) => /** @type {HTMLButtonElement | null} */ (document.getElementById(`p-${number}`));
const picked = () => {
  const here = form();
  return here && byNumber(fieldOf(here, "picked").value);
};

// Show whom the buttons at the foot are about: the picked player, else the player with the focus.
function showChoice() {
  const here = form();
  if (!here) return;
  const words = byId("picked-words");
  const focus = /** @type {HTMLButtonElement | null} */ (document.activeElement);
  const player = picked() ?? (focus?.matches(".pick") ? focus : null) ?? playerOn(here);
  fieldOf(here, "on").value = player?.value ?? "";
  for (const each of picks()) each.classList.toggle("on", each === player);
  byId("acts").hidden = !player;
  byId("let-go").hidden = !picked();
  offer(player);
  if (!player) {
    words.textContent = dataOf(words).pick;
    return;
  }
  const { picked: isPicked, on } = dataOf(words);
  words.innerHTML = picked() && can(player, "swap") ? isPicked : on;
  one(words, "b").textContent = dataOf(player).name;
}

/** @type {(player: HTMLElement, move: string) => boolean} */
const can = (player, move) => !dataOf(player).impossible.split(" ").includes(move);

/**
 * Disable the buttons that cannot work for the player, and show why beside them.
 * @param {HTMLElement | null} player
 */
function offer(player) {
  if (!player) return;
  for (const button of all(document, "#acts [name=do]", HTMLButtonElement)) {
    button.disabled = !can(player, button.value);
  }
  const { place } = dataOf(player);
  const why = byId("impossible");
  const noHalf = place !== "rest" && !can(player, "half");
  why.textContent = [dataOf(why)[place], noHalf && dataOf(why).half].filter(Boolean).join(" ");
  const free = byId("free");
  free.textContent = place === "bye" || place === "rest" ? dataOf(free).bye : dataOf(free).board;
}

/**
 * While one of those buttons has the focus, they are about the same player as before.
 * @param {HTMLFormElement} here
 */
function playerOn(here) {
  return document.activeElement?.closest("#keys") ? byNumber(fieldOf(here, "on").value) : null;
}

/**
 * @param {HTMLFormElement} here
 * @param {HTMLButtonElement | null} player
 */
function pick(here, player) {
  fieldOf(here, "picked").value = player?.value ?? "";
  for (const each of picks()) each.setAttribute("aria-pressed", String(each === player));
  const letGo = byId("let-go");
  if (player) {
    letGo.dataset.key = "Escape";
    closeOffer(); // on a phone it would cover the picked player
  } else delete letGo.dataset.key;
  showChoice();
}

document.addEventListener("click", (event) => {
  const player = around(event, ".pick", HTMLButtonElement);
  const here = form();
  if (!here) return;
  const former = picked();
  if (player) {
    if (fieldOf(here, "picked").value === "") pick(here, player);
    else if (former === player) pick(here, null);
    else if (!can(player, "swap") || (former && !can(former, "swap"))) pick(here, player); // a bye is not a place to change with
    else return; // two players are picked, so the form is sent
    event.preventDefault();
  } else if (around(event, "#let-go") && !document.getElementById("ask")) {
    event.preventDefault();
    pick(here, null);
    former?.focus();
  }
}, true);

document.addEventListener("focusin", (event) => {
  const target = elementOf(event);
  last = target?.matches(".pick") ? target.id : "";
  if (last && !fingers.matches) showChoice(); // under a finger the buttons would cover the player before the tap ends
});

/**
 * Return the nearest player in the direction of the arrow.
 * @param {HTMLElement} from
 * @param {string} key
 */
function next(from, key) {
  const here = from.getBoundingClientRect();
  const along = key === "ArrowUp" || key === "ArrowDown";
  const sign = key === "ArrowUp" || key === "ArrowLeft" ? -1 : 1;
  let best = /** @type {HTMLElement | null} */ (null);
  let least = Infinity;
  for (const each of picks()) {
    const there = each.getBoundingClientRect();
    const down = (there.top - here.top) * (along ? sign : 1);
    const right = (there.left - here.left) * (along ? 1 : sign);
    const [ahead, aside] = along ? [down, Math.abs(right)] : [right, Math.abs(down)];
    if (each === from || ahead < 4) continue;
    const far = ahead + 4 * aside;
    if (far < least) [best, least] = [each, far];
  }
  return best;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !form()) return;
  const find = /** @type {HTMLInputElement | null} */ (document.getElementById("find"));
  if (find && event.target === find) return typed(event, find);
  if (around(event, "input, textarea, select, dialog")) return;
  if (event.key.startsWith("Arrow") && !event.shiftKey) {
    const from = around(event, ".pick");
    const to = from ? next(from, event.key) : picks()[0];
    if (!to) return;
    to.focus();
    to.scrollIntoView({ block: "nearest" });
    event.preventDefault();
  }
});

/**
 * Find a board by its number, or a player by number or name.
 * @param {string} text
 */
function target(text) {
  const words = folded(text).split(" ").filter(Boolean);
  if (!words.length) return null;
  const row = words.length === 1 && all(document, `[data-board="${CSS.escape(words[0])}"] .pick`)[0];
  return row || picks().find((each) => found(` ${folded(dataOf(each).name)} `, words)) || null;
}

/** @param {HTMLInputElement} find */
function look(find) {
  const player = target(find.value);
  byId("found").hidden = Boolean(player) || !find.value.trim();
  player?.scrollIntoView({ block: "nearest" });
  return player;
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement} find
 */
function typed(event, find) {
  if (event.key === "Escape") {
    find.value = "";
    find.blur();
    event.preventDefault();
  } else if (event.key === "Enter") {
    event.preventDefault();
    const player = look(find);
    if (!player) return;
    find.value = "";
    player.focus();
  }
}

document.addEventListener("input", (event) => {
  if (elementOf(event)?.id === "find") look(/** @type {HTMLInputElement} */ (event.target));
});

function ready() {
  const [search] = all(document, "#by-hand .find-in");
  if (!search) return;
  search.hidden = false;
  if (last && document.activeElement === document.body) document.getElementById(last)?.focus({ preventScroll: true });
  showChoice();
}

document.addEventListener("htmx:afterSettle", ready);
ready();
