// Pairing by hand: the first of two players is picked without asking the server. Arrow keys go from player to player.
// Without this script the form does the same, with one page for each step (tournaments/web/views/staff/by_hand.py).
"use strict";

{
  const form = () => document.getElementById("hand");
  const picks = () => [...document.querySelectorAll(".pick")];
  const fingers = window.matchMedia("(pointer: coarse)");
  let last = ""; // the id of the player who had the focus last
  const picked = () => document.getElementById(`p-${form()?.elements.picked.value}`);

  // Show whom the buttons at the foot are about: the picked player, else the player with the focus.
  function tell() {
    if (!form()) return;
    const words = document.getElementById("picked-words");
    const player = picked() ?? (document.activeElement?.matches?.(".pick") ? document.activeElement : null) ?? player_on();
    form().elements.on.value = player?.value ?? "";
    for (const each of picks()) each.classList.toggle("on", each === player);
    document.getElementById("acts").hidden = !player;
    document.getElementById("let-go").hidden = !picked();
    offer(player);
    if (!player) {
      words.textContent = words.dataset.pick;
      return;
    }
    const name = document.createElement("b");
    name.textContent = player.dataset.name;
    const told = picked() && can(player, "swap") ? words.dataset.picked : words.dataset.on;
    words.replaceChildren(name, ` ${told}`);
  }

  const can = (player, move) => !player.dataset.impossible.split(" ").includes(move);

  // Disable the buttons that cannot work for the player, and say why beside them.
  function offer(player) {
    if (!player) return;
    for (const button of document.querySelectorAll("#acts [name=do]")) button.disabled = !can(player, button.value);
    const { place } = player.dataset;
    const why = document.getElementById("impossible");
    const noHalf = place !== "rest" && !can(player, "half");
    why.textContent = [why.dataset[place], noHalf && why.dataset.half].filter(Boolean).join(" ");
    const free = document.getElementById("free");
    free.textContent = place === "bye" || place === "rest" ? free.dataset.bye : free.dataset.board;
  }

  // While one of those buttons has the focus, they are about the same player as before.
  function player_on() {
    return document.activeElement?.closest?.("#keys") ? document.getElementById(`p-${form().elements.on.value}`) : null;
  }

  function pick(player) {
    form().elements.picked.value = player?.value ?? "";
    for (const each of picks()) each.setAttribute("aria-pressed", String(each === player));
    const letGo = document.getElementById("let-go");
    if (player) letGo.dataset.key = "Escape";
    else delete letGo.dataset.key;
    tell();
  }

  document.addEventListener("click", (event) => {
    const player = event.target.closest?.(".pick");
    if (player) {
      if (form().elements.picked.value === "") pick(player);
      else if (form().elements.picked.value === player.value) pick(null);
      else if (!can(player, "swap") || !can(picked(), "swap")) pick(player); // a bye is not a place to change with
      else return; // two players are picked, so the form is sent
      event.preventDefault();
    } else if (event.target.closest?.("#let-go") && !document.getElementById("ask")) {
      event.preventDefault();
      const former = picked();
      pick(null);
      former?.focus();
    }
  }, true);

  document.addEventListener("focusin", (event) => {
    last = event.target.matches?.(".pick") ? event.target.id : "";
    if (last && !fingers.matches) tell(); // under a finger the buttons would cover the player before the tap ends
  });

  // Return the nearest player in the direction of the arrow.
  function next(from, key) {
    const here = from.getBoundingClientRect();
    const along = key === "ArrowUp" || key === "ArrowDown";
    const sign = key === "ArrowUp" || key === "ArrowLeft" ? -1 : 1;
    let best = null;
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
    const find = document.getElementById("find");
    if (event.target === find) return typed(event, find);
    if (event.target.closest("input, textarea, select, dialog")) return;
    if (event.key.startsWith("Arrow")) {
      const from = event.target.closest(".pick");
      const to = from ? next(from, event.key) : picks()[0];
      if (!to) return;
      to.focus();
      to.scrollIntoView({ block: "nearest" });
      event.preventDefault();
    }
  });

  // Find a board by its number, or a player by number or name.
  function target(text) {
    const { folded, found } = window.finding;
    const words = folded(text).split(" ").filter(Boolean);
    if (!words.length) return null;
    const row = words.length === 1 && document.querySelector(`[data-board="${CSS.escape(words[0])}"] .pick`);
    return row || picks().find((each) => found(` ${folded(each.dataset.name)} `, words)) || null;
  }

  function look(find) {
    const player = target(find.value);
    document.getElementById("found").hidden = Boolean(player) || !find.value.trim();
    player?.scrollIntoView({ block: "nearest" });
    return player;
  }

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
    if (event.target.id === "find") look(event.target);
  });

  function ready() {
    const search = document.querySelector("#by-hand .find-in");
    if (!search) return;
    search.hidden = false;
    if (last && document.activeElement === document.body) document.getElementById(last)?.focus({ preventScroll: true });
    tell();
  }

  document.addEventListener("htmx:afterSettle", ready);
  ready();
}
