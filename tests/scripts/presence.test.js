import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { fire, openPage, settled } from "./page.js";

// A check-in of five players in parts of two rows, and a server that knows who is here. All tests use one page, because
// the scripts keep their marks for as long as it is open.
const NAMES = ["Ann", "Ben", "Bob", "Bud", "Cora"];
const FORMS = JSON.stringify([["{n} mark is not sent", "{n} marks are not sent"], [[0, 1], [1, 0], [2, 1]]]);
const PATH = "/open/a/";

const here = new Set(); // keys of the players who are here
let portal; // whether a network that wants a login answers
let refuses; // whether the check-in is closed
let takes; // whether marks reach the server
let asked; // addresses of the lists that the page asked for
let sent; // marks that the server got: player, round, here, waited
let revision = 7;
let near;

function live(address) {
  const { searchParams: query } = new URL(address, "https://hall.example");
  const words = query.get("q") ?? "";
  const found = NAMES.map((name, at) => ({ name, key: at + 1 })).filter(({ name, key }) =>
    name.toLowerCase().startsWith(words) && !(query.get("show") && here.has(key))
  );
  const first = 2 * (Number(query.get("part") ?? 1) - 1);
  const shown = found.slice(first, first + 2 * Number(query.get("parts") ?? 1));
  const rows = shown.map(({ name, key }) =>
    `<li id="p-${key}" data-part data-find=" ${name} " class="${here.has(key) ? "here" : "away"}"><button class="seat"
      name="here" value="${here.has(key) ? "no" : "yes"}" formaction="/mark/${key}/" data-name="${name}">${name}<span
      class="state">${here.has(key) ? "here" : "not here yet"}</span></button></li>`
  ).join("");
  const all = shown.length === found.length;
  const next = all ? "" : `<a rel="next" href="${PATH}?part=2">Next rows</a>`;
  return `<main id="live" data-live="${address}" data-seen="${revision}"><form id="c-seats" data-part data-repaints
    data-seats><input type="hidden" name="csrfmiddlewaretoken" value="key"><input type="hidden" name="round" value="3">
    <div id="c-before" data-part></div><ul id="seats">${rows}</ul><div id="c-after" data-part data-search="${words}"
    data-total="${found.length}"${all ? ' data-all=""' : ` data-wider="${PATH}?parts=2"`}>${next}</div></form></main>`;
}

const { clock, document, stored, $ } = openPage(
  `<form class="find" data-list="c-seats"><input name="q"><output data-found="Found:"></output></form>
  <a id="only-missing"></a>${live(PATH)}<div id="toast" hidden><span data-text></span><button data-undo></button></div>
  <div class="banners"><div id="trouble" data-forbidden="Not allowed." hidden></div></div><template id="check-in-words" data-here="{name} is here."
  data-away="{name} is not here." data-waits="not sent" data-now="here" data-not="not here yet" data-shows-waiting="check-in-5" data-place="Open, A" data-waiting="${
    FORMS.replaceAll('"', "&quot;")
  }"></template><template id="waiting-words" data-user="7"></template><p id="live-news"></p><template id="live-words"></template>`,
);
globalThis.location = { href: `https://hall.example${PATH}`, pathname: PATH, search: "", hash: "" };
globalThis.matchMedia = () => ({ matches: false });
globalThis.IntersectionObserver = class {
  constructor(notice) {
    near = () => notice([{ isIntersecting: true }]);
  }
  observe() {}
  disconnect() {}
};
globalThis.fetch = (url, options = {}) => {
  const address = new URL(url, location.href);
  if (options.method !== "POST") {
    const seen = address.searchParams.get("seen");
    address.searchParams.delete("seen");
    if (seen === String(revision)) return Promise.resolve(new Response(null, { status: 204 }));
    asked.push(address.pathname + address.search);
    return Promise.resolve(new Response(live(address.pathname + address.search)));
  }
  if (portal) return Promise.resolve(new Response("<h1>Log in</h1>", { headers: { "Content-Type": "text/html" } }));
  if (refuses) return Promise.resolve(Response.json({ sentence: "Check-in is closed." }, { status: 422 }));
  if (!takes) return Promise.reject(new TypeError("offline"));
  const [mark, key] = [Object.fromEntries(options.body), Number(address.pathname.split("/")[2])];
  sent.push([key, mark.round, mark.here, mark.waited ?? ""].join(" "));
  revision += 1;
  if (mark.here === "yes") here.add(key);
  else here.delete(key);
  return Promise.resolve(Response.json({ here: mark.here === "yes" }));
};
[takes, asked, sent] = [true, [], []];
Object.defineProperty(globalThis, "crypto", { value: { getRandomValues: (list) => list }, configurable: true });
await import("../../static/js/presence.js");

const rows = () => document.querySelectorAll("#seats li").map((row) => row.querySelector("button").dataset.name).join();
const state = (key) => $(`#p-${key}`).querySelector(".state").textContent;
async function type(words) {
  $("input").value = words;
  fire($("input"), "input");
  await clock.move(250);
}
const tap = (key) => fire($(`#p-${key}`).querySelector("button"), "click");

beforeEach(async () => {
  [takes, portal, refuses] = [true, false, false];
  await clock.move(20_000);
  here.clear();
  revision += 1;
  await type("x");
  await type("");
  [asked.length, sent.length] = [0, 0];
});

test("a mark without a network is kept while its row is not on the page, and then sent", async () => {
  takes = false;
  tap(1);
  await settled();
  assert.deepEqual([state(1), $("#trouble").textContent], ["not sent", "1 mark is not sent"]);
  await type("b");
  assert.deepEqual([rows(), $("#p-1")], ["Ben,Bob", null]);
  takes = true;
  await clock.move(2500);
  assert.deepEqual([sent, $("#trouble").hidden], [["1 3 yes yes"], true]);
  await type("a");
  assert.deepEqual([rows(), state(1)], ["Ann", "here"]);
  fire($("[data-undo]"), "click");
  await settled();
  assert.equal(sent.at(-1), "1 3 no ");
});

test("a mark that waits is shown when its row comes back, and the player can be marked again", async () => {
  takes = false;
  tap(2);
  await type("c");
  fire($("[data-undo]"), "click"); // Ben is not on the page
  await type("ben");
  assert.deepEqual([state(2), $("#p-2").className, $("#trouble").textContent], [
    "not sent",
    "away",
    "1 mark is not sent",
  ]);
  takes = true;
  await clock.move(2500);
  assert.deepEqual([sent, $("#p-2").hasAttribute("data-busy")], [["2 3 no yes"], false]);
});

test("Enter waits for the answer to its words, and marks the only player of the whole list", async () => {
  const press = async (words) => {
    $("input").value = words;
    fire($("input"), "input");
    fire($("form"), "submit");
    await settled();
  };
  await press("b");
  assert.deepEqual([rows(), sent, $("[data-found]").textContent], ["Ben,Bob", [], "Found: 3"]);
  await press("c");
  assert.deepEqual([sent, $("input").value, $("#toast").hidden], [["5 3 yes "], "", false]);
  await clock.move(250);
  assert.equal(rows(), "Ann,Ben");
  here.add(2);
  await press("b"); // Bob is left in this part, and Bud in the next one
  assert.deepEqual([rows(), sent.length], ["Ben,Bob", 1]);
});

test("rows are added near the end, a link leads to the next ones, and news are about the shown rows", async () => {
  near();
  await settled();
  assert.deepEqual([rows(), asked], ["Ann,Ben,Bob,Bud", [`${PATH}?parts=2`]]);
  here.add(4);
  revision += 1;
  await clock.move(5000);
  assert.deepEqual([rows(), state(4), asked.at(-1)], ["Ann,Ben,Bob,Bud", "here", `${PATH}?parts=2`]);
  fire($("#only-missing"), "click");
  await settled();
  assert.deepEqual([rows(), asked.at(-1)], ["Ann,Ben", `${PATH}?show=missing`]);
  fire($("#only-missing"), "click");
  await settled();
  fire($("[rel=next]"), "click");
  await settled();
  assert.deepEqual([rows(), document.activeElement.dataset.name], ["Bob,Bud", "Bob"]);
});

test("marks that wait are kept in the browser, and are sent at once when the page is left", async () => {
  takes = false;
  tap(1);
  tap(2);
  await settled();
  assert.equal([...stored.keys()].filter((key) => key.startsWith("evenboard:typed:7:check-in-5:3:")).length, 2);
  takes = true;
  fire(globalThis.page.window, "pagehide");
  await settled();
  assert.deepEqual(sent.map((mark) => mark.split(" ")[0]), ["1", "2"]);
  await clock.move(2500); // the page was not left after all: the marks are sent again and change nothing
  assert.equal([...stored.keys()].filter((key) => key.includes(":check-in-")).length, 0);
});

test("only the answer of the server saves a mark: a page to log in does not", async () => {
  portal = true;
  tap(1);
  await settled();
  assert.deepEqual([state(1), $("#trouble").textContent], ["not sent", "1 mark is not sent"]);
  portal = false;
  await clock.move(2500);
  assert.deepEqual([sent, state(1), $("#trouble").hidden], [["1 3 yes yes"], "here", true]);
});

test("a mark that the server refuses is turned back, with its reason", async () => {
  refuses = true;
  tap(1);
  await settled();
  assert.deepEqual([$("#p-1").className, $("#trouble").textContent], ["away", "Check-in is closed."]);
  assert.equal([...stored.keys()].filter((key) => key.includes(":check-in-")).length, 0);
});
