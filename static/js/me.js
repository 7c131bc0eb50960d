// "This is me": marks the visitor's rows and shows the visitor's own game. The server sends all visitors the same page.
// The cookie, named by data-cookie of this script, holds the key of a player.
"use strict";

{
  const cookie = document.currentScript.dataset.cookie;

  function remembered() {
    const kept = document.cookie.split("; ").find((each) => each.startsWith(`${cookie}=`));
    const key = kept?.slice(cookie.length + 1) ?? "";
    return /^[1-9]\d{0,14}$/.test(key) ? key : "";
  }

  const text = (scope, selector) => scope.querySelector(selector)?.textContent.trim() ?? "";

  // What the row of the visitor says. A row of a board has the keys of both players, White first.
  function read(row, me) {
    const [white, black] = row.dataset.player.split(" ");
    if (!black) {
      const name = row.querySelector(".nm a");
      return { kind: "bye" in row.dataset ? "bye" : "out", name: name.textContent, card: name.href, reason: text(row, "td:last-child") };
    }
    const [mine, other] = (white === me ? [".p-w", ".p-b"] : [".p-b", ".p-w"]).map((side) => row.querySelector(side));
    const name = mine.querySelector(".nm a");
    return {
      kind: "board",
      colour: white === me ? "w" : "b",
      name: name.textContent,
      card: name.href,
      board: text(row, ".bd"),
      opponent: text(other, ".nm a"),
      title: text(other, ".ti"),
      federation: text(other, ".fed"),
      rating: `${other.dataset.rating},`,
      points: other.dataset.points,
      result: text(row, ".end .res"),
    };
  }

  function fill(plate, row, me) {
    const game = read(row, me);
    if (game.points) game.points = game.points === "1" ? plate.dataset.point : plate.dataset.points.replace("{points}", game.points);
    for (const part of plate.querySelectorAll("[data-if]")) part.hidden = ![game.kind, game.colour].includes(part.dataset.if);
    for (const part of plate.querySelectorAll("[data-my]")) part.textContent = game[part.dataset.my] ?? "";
    plate.querySelector("a").href = game.card;
  }

  function show() {
    const me = remembered();
    for (const row of document.querySelectorAll("tr[data-player]")) {
      const mine = me !== "" && row.dataset.player.split(" ").includes(me);
      row.classList.toggle("here", mine);
      if (mine) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
    for (const form of document.querySelectorAll("form[data-me]")) form.hidden = form.dataset.me === me;
    for (const form of document.querySelectorAll("form[data-not-me]")) form.hidden = form.dataset.notMe !== me;
    const plate = document.getElementById("me");
    if (!plate) return;
    const row = document.querySelector("#boards tr.here");
    plate.hidden = !row;
    if (row) fill(plate, row, me);
  }

  document.addEventListener("htmx:afterSettle", show);
  window.addEventListener("pageshow", show); // also after Back, when the browser shows the page as it was left
  show();
}
