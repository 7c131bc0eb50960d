import assert from "node:assert/strict";
import { test } from "node:test";

import { fire, openPage, settled } from "./page.js";

const side = (css, name) =>
  `<td class="${css}" data-about="2400, 1 point"><div class="nm"><a href="/open/a/players/${name}/">${name}</a> <span class="ti">GM</span> <span class="fed">NED</span></div></td>`;
const row = (board, white, black, names) =>
  `<tr id="r${board}" data-player="${white} ${black}"><th class="bd">${board}</th>${
    side("p-w", names[0])
  }<td class="end"><span class="res">1–0</span></td>${side("p-b", names[1])}</tr>`;
const { document, stored, window, $ } = openPage(`
  <script data-section="5"></script><main id="main"></main>
  <template id="plate-me"><section class="me"><b data-my="name"></b><b data-my="board"></b><i data-if="w">W</i><i data-if="b">B</i>
    <u data-if="bye">bye</u><em data-my="opponent"></em><a data-card>card</a><button data-not-me>Not you?</button></section></template>
  <template id="plate-followed"><p class="followed"><a data-card data-my="name"></a> <b data-my="reason"></b></p></template>
  <div id="here" data-plates data-section="5"></div>
  <div id="there" data-plates data-section="6" data-seat="/open/b/seat/0/"></div>
  <div id="card" data-person="13" data-name="Bert" hidden>
    <button id="me" data-does="me" data-when="new followed"></button><button id="follow" data-does="follow" data-when="new"></button>
    <button id="no" data-does="forget" data-when="me"></button><button id="stop" data-does="forget" data-when="followed"></button></div>
  <table id="boards">${row(1, 12, 13, ["Anna", "Bert"])}${row(2, 14, 15, ["Carl", "Dora"])}
    <tr id="free" data-player="16" data-bye><th class="nm"><a href="/open/a/players/6/">Emil</a></th><td>half-point bye</td></tr></table>`);
document.cookie = "me-5=13";
stored.set("players-6", JSON.stringify([{ key: "99", name: "", me: false }, { key: "98", name: "Gone", me: false }]));
const asked = [];
globalThis.fetch = (address) => {
  asked.push(address);
  return Promise.resolve({ ok: address.includes("99"), text: () => Promise.resolve(row(7, 99, 98, ["Fee", "Gus"])) });
};
await import("../../static/js/me.js");
await settled();
const press = async (id) => {
  fire($(id), "click");
  await settled();
};
const shown = (place) => $(place).children.map((each) => each.textContent.replace(/\s+/g, " ").trim());

test("the player of the old cookie is me: the row is marked and the plate says the game", () => {
  assert.deepEqual([$("#r1").className, $("#r1").getAttribute("aria-current"), $("#r2").className], [
    "here",
    "true",
    "",
  ]);
  assert.deepEqual(shown("#here"), ["Bert1WB byeAnnacardNot you?"]);
  assert.deepEqual(["w", "b", "bye"].map((part) => $(`#here [data-if=${part}]`).hidden), [true, false, true]);
  assert.equal($("#here a").href, "/open/a/players/Bert/");
});

test("a row that the page does not hold is asked for, and its name is remembered", () => {
  assert.deepEqual(asked, ["/open/b/seat/99/", "/open/b/seat/98/"]);
  assert.deepEqual(shown("#there"), ["Fee"]);
  assert.deepEqual(JSON.parse(stored.get("players-6")).map((each) => each.name), ["Gone", "Fee"]);
});

test("the buttons of a card follow what the device remembers", async () => {
  const visible = () => $("#card").querySelectorAll("button").filter((each) => !each.hidden).map((each) => each.id);
  assert.deepEqual([$("#card").hidden, visible()], [false, ["no"]]);
  await press("#no");
  assert.deepEqual([visible(), shown("#here"), $("#r1").className], [["me", "follow"], [], ""]);
  assert.equal(document.activeElement.id, "me");
  await press("#follow");
  assert.deepEqual([visible(), shown("#here"), $("#r1").className], [["me", "stop"], ["Bert"], "mine"]);
  assert.equal(document.activeElement.id, "stop");
  await press("#me");
  assert.deepEqual([visible(), $("#r1").className], [["no"], "here"]);
});

test("a bye says its reason", async () => {
  stored.set("players-5", JSON.stringify([{ key: "16", name: "Emil", me: false }]));
  fire(document, "htmx:afterSettle");
  await settled();
  assert.deepEqual(shown("#here"), ["Emil half-point bye"]);
});

test("Not you? forgets the player", async () => {
  stored.set("players-5", JSON.stringify([{ key: "14", name: "Carl", me: true }]));
  fire(document, "htmx:afterSettle");
  await settled();
  await press("#here [data-not-me]");
  assert.deepEqual([shown("#here"), stored.has("players-5"), document.activeElement.id], [[], false, "main"]);
});

test("another page that remembers somebody is followed, but nothing is written that it would answer", async () => {
  stored.set("players-6", JSON.stringify([{ key: "99", name: "Other name", me: false }]));
  asked.length = 0;
  const before = new Map(stored);
  fire(window, "storage", { key: "players" }); // the trial whether there is storage
  await settled();
  assert.deepEqual(asked, []);
  fire(window, "storage", { key: "players-6" });
  await settled();
  assert.deepEqual([asked, shown("#there"), new Map(stored)], [["/open/b/seat/99/"], ["Fee"], before]);
});

test("a page without a network has the games that came with it", async () => {
  globalThis.fetch = () => Promise.reject(new TypeError("no network"));
  document.documentElement.dataset.kept = String(Date.now());
  fire(document, "htmx:afterSettle");
  await settled();
  assert.deepEqual(shown("#there"), ["Fee"]);
  document.documentElement.dataset.kept = String(Date.now() + 120_000);
  fire(document, "htmx:afterSettle");
  await settled();
  assert.deepEqual(shown("#there"), []);
});
