import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { fire, openPage, settled } from "./page.js";

const PATH = "https://hall.example/open/a/";
const BAND = '<tr class="band"><th>2 points</th></tr>';

let clock;
let document;
let window;
let $;
let requests;
let processed;
let near;
let scrolled;
let visits = 0;

// A page with these rows; next: the number of the part that comes after it.
function page(rows, { part = 1, next = 0, revision = 7, group = "", end = "", total = 6 } = {}) {
  const lines = rows.map((row) => `<tr data-find=" ${row} "><td><a href="/${row}/">${row}</a></td></tr>`).join("");
  const link = next ? `<a rel="next" href="${PATH}?part=${next}">Next rows</a>` : "";
  const foot = total > 2 ? `<p data-part-after data-number="${part}" data-revision="${revision}">${link}</p>` : "";
  const before = total > 2 ? ` aria-rowcount="${total + 1}" data-before="${2 * (part - 1)}"` : "";
  const about = group ? ` data-group="${group}"` : "";
  return `<form class="find" data-list="boards" data-parts><input name="q"><output data-found="Found:"></output></form>
    <div id="boards"><table${before}><thead><tr></tr></thead><tbody${about}>${
    group ? BAND : ""
  }${lines}</tbody></table>${foot}${end}</div>`;
}

const rows = () => $("#boards").querySelectorAll("[data-find]").map((row) => row.textContent).join("");
const indexes = () =>
  $("#boards").querySelectorAll("[data-find]").map((row) => row.getAttribute("aria-rowindex")).join();
const asked = () => requests.map((each) => each.url.slice(PATH.length));
async function respond(html, status = 200) {
  const request = requests.find((each) => !each.done);
  request.done = true;
  request.answer(new Response(`<body>${html}</body>`, { status }));
  await settled();
}
async function come() {
  near.notice([{ isIntersecting: true }]);
  await settled();
}

async function open(html) {
  ({ clock, document, window, $ } = openPage(html));
  [requests, processed, scrolled] = [[], [], []];
  globalThis.fetch = (url) => new Promise((answer) => requests.push({ url: String(url), answer, done: false }));
  globalThis.htmx = { process: (element) => processed.push(element.id) };
  globalThis.location = { href: PATH, pathname: PATH };
  globalThis.scrollY = 0;
  globalThis.scrollTo = (_left, top) => scrolled.push(top);
  globalThis.IntersectionObserver = class {
    constructor(notice) {
      near = { notice, at: null };
    }
    observe(element) {
      near.at = element;
    }
    disconnect() {
      near.at = null;
    }
  };
  visits += 1;
  await import(`../../static/js/parts.js?${visits}`);
}

beforeEach(() => open(page("ab".split(""), { next: 2 })));

test("the next part is added when the reader comes near", async () => {
  assert.equal(near.at === $("[data-part-after]"), true);
  await come();
  await respond(page(["c", "d"], { part: 2, next: 3 }));
  assert.deepEqual([rows(), indexes(), asked()], ["abcd", "2,3,4,5", ["?part=2"]]);
  await come();
  await respond(page(["e", "f"], { part: 3, end: "<p data-end>Bye</p>" }));
  assert.deepEqual([rows(), indexes(), $("[data-end]").textContent, near.at], ["abcdef", "2,3,4,5,6,7", "Bye", null]);
});

test("a part that does not come is asked for again later", async () => {
  await come();
  await respond("", 503);
  assert.deepEqual([rows(), near.at === $("[data-part-after]")], ["ab", true]);
  await clock.move(10_000);
  await come();
  await respond(page(["c", "d"], { part: 2 }));
  assert.equal(rows(), "abcd");
});

test("a group that goes on has its head once", async () => {
  await open(page(["a", "b"], { next: 2, group: "20" }));
  await come();
  await respond(page(["c"], { part: 2, next: 3, group: "20" }));
  await come();
  await respond(page(["d"], { part: 3, group: "10" }));
  assert.deepEqual([rows(), $("#boards").querySelectorAll(".band").length], ["abcd", 2]);
});

test("who presses the link goes on in the new rows", async () => {
  const link = $("[rel=next]");
  link.focus();
  assert.equal(fire(link, "click").defaultPrevented, true);
  await respond(page(["c", "d"], { part: 2 }));
  assert.equal(document.activeElement.textContent, "c");
  await open(page(["a", "b"], { next: 2 }));
  assert.equal(fire($("[rel=next]"), "click", { ctrlKey: true }).defaultPrevented, false);
});

test("news keep the added rows, the place and the focus, and each part is asked for again", async () => {
  await come();
  await respond(page(["c", "d"], { part: 2, next: 3 }));
  const link = $("#boards").querySelectorAll("a").find((each) => each.textContent === "d");
  link.focus();
  globalThis.scrollY = 900;
  fire(document, "htmx:beforeSwap");
  const fresh = document.importNode(
    new DOMParser().parseFromString(page(["B", "a"], { next: 2, revision: 8 })).getElementById("boards"),
    true,
  );
  $("#boards").replaceWith(fresh);
  globalThis.scrollY = 300;
  fire(document, "htmx:afterSettle");
  assert.deepEqual([rows(), document.activeElement === link, scrolled], ["Bacd", true, [900]]);
  await respond(page(["B", "a"], { next: 2, revision: 8 }));
  await respond(page(["d", "C"], { part: 2, next: 3, revision: 8 }));
  assert.deepEqual([rows(), indexes(), $("[rel=next]").href], ["BadC", "2,3,4,5", `${PATH}?part=3`]);
});

test("parts of different revisions are not mixed", async () => {
  await come();
  await respond(page(["x", "y"], { part: 2, revision: 8 }));
  assert.equal(rows(), "ab");
  await respond(page(["b", "a"], { next: 2, revision: 8 }));
  assert.deepEqual([rows(), asked()], ["ba", ["?part=2", ""]]);
  await come();
  await respond(page(["x", "y"], { part: 2, revision: 8 }));
  assert.equal(rows(), "baxy");
});

test("a list that became shorter loses its last rows", async () => {
  await come();
  await respond(page(["c", "d"], { part: 2, next: 3 }));
  await come();
  await respond(page(["e", "f"], { part: 3, revision: 8 }));
  await respond(page(["a", "c"], { revision: 8 }));
  await respond(page(["a", "c"], { revision: 8 })); // the server gives the last part that there is
  assert.equal(rows(), "ac");
});

test("the server searches the whole list after a pause", async () => {
  const search = $("input");
  search.value = "e";
  fire(search, "input");
  await clock.move(249);
  assert.deepEqual(asked(), []);
  search.value = "ef";
  fire(search, "input");
  await clock.move(250);
  await respond(page(["ef"], { total: 1 }));
  assert.deepEqual([asked(), rows(), processed, $("[data-found]").textContent], [
    ["?q=ef"],
    "ef",
    ["boards"],
    "Found: 1",
  ]);
  search.value = "";
  fire(search, "input");
  await clock.move(250);
  await respond(page(["a", "b"], { next: 2 }));
  assert.deepEqual([asked().at(-1), rows(), $("[data-found]").textContent], ["", "ab", ""]);
  await come();
  await respond(page(["c", "d"], { part: 2 }));
  assert.equal(rows(), "abcd");
});

test("an answer to former words is dropped, and Enter asks at once", async () => {
  const search = $("input");
  search.value = "a";
  assert.equal(fire($("form"), "submit").defaultPrevented, true);
  search.value = "ab";
  fire($("form"), "submit");
  await respond(page(["old"], { total: 1 }));
  assert.equal(rows(), "ab");
  await respond(page(["new"], { total: 1 }));
  assert.equal(rows(), "new");
});

test("a link to a player of another part asks the server for that part", () => {
  const replaced = [];
  Object.assign(location, { hash: "#player-5", search: "?by=name&part=2", replace: (to) => replaced.push(to) });
  fire(window, "hashchange");
  $("tr[data-find]").id = "player-5";
  fire(window, "hashchange");
  location.hash = "#round-news";
  fire(window, "hashchange");
  assert.deepEqual(replaced, [`${PATH}?by=name&player=5`]);
});
