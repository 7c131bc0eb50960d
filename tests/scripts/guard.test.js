import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { byName, guard, look, moved, nameOf, refuse, seen, slipped } from "../../static/js/live/guard.js";
import { openPage } from "./page.js";

const ROW = (id, name) =>
  `<form action="/withdraw/"><button id="${id}" name="player" value="${id}" data-key="Enter" data-key-also="w">Withdraw <span class="sr">${name}</span></button></form>`;
const WORDS =
  '<p id="live-moved" hidden></p><template id="live-words" data-moved="The page changed." data-soon="Too soon."></template>';
let $;
let clock;
let document;

const open = (html) => ({ $, clock, document } = openPage(`<main>${html}</main>${WORDS}`));
const place = (selector, left, top) => {
  $(selector).box = { left, top, right: left + 100, bottom: top + 20 };
};
const tap = (selector, clientX, clientY, more = {}) =>
  slipped({ isTrusted: true, detail: 1, target: $(selector), clientX, clientY, ...more }, $("main"));
const key = (name) => Object.assign(new Event("keydown", { cancelable: true }), { key: name });

// The page had the row of Ann; then Ben's row comes to its place.
beforeEach(() => {
  open(ROW("ann", "Ann") + ROW("ben", "Ben"));
  place("#ann", 0, 0);
  place("#ben", 0, 50);
  const before = look($("main"));
  $("#ann").parentElement.remove();
  place("#ben", 0, 0);
  guard(before);
});

test("a name tells the buttons of two rows apart, and finds the button again on the next page", () => {
  const name = nameOf($("#ben"));
  open(ROW("ann", "Ann") + ROW("ben", "Ben"));
  assert.notEqual(nameOf($("#ann")), nameOf($("#ben")));
  assert.equal(byName(document, name), $("#ben"));
  assert.equal(byName(document, "none"), undefined);
});

test("controls are distinguished by address, value, name, hidden words and the text of a fold", () => {
  const pairs = [
    ['<a href="/1/">Go</a>', '<a href="/2/">Go</a>'],
    ['<button name="do" value="1">Go</button>', '<button name="do" value="2">Go</button>'],
    ['<button name="a">Go</button>', '<button name="b">Go</button>'],
    ['<button formaction="/1/">Go</button>', '<button formaction="/2/">Go</button>'],
    ['<button>Go<span class="sr">Ann</span></button>', '<button>Go<span class="sr">Ben</span></button>'],
    ["<summary>1</summary>", "<summary>2</summary>"],
    ['<input id="a">', '<input id="b">'],
  ];
  for (const [one, other] of pairs) {
    open(one + other);
    const [first, second] = $("main").children;
    assert.notEqual(nameOf(first), nameOf(second), one);
  }
  open('<button formaction="/1/" value="yes">Here</button><button formaction="/1/" value="no">Away</button>');
  const [here, away] = $("main").children;
  assert.equal(nameOf(here), nameOf(away)); // one button: its value changes with the state of the row
});

test("a tap on a control that has just come there is a slip, for 450 milliseconds", async () => {
  assert.equal(tap("#ben", 5, 5), true);
  await clock.move(450);
  assert.equal(tap("#ben", 5, 5), true);
  await clock.move(1);
  assert.equal(tap("#ben", 5, 5), false);
});

test("a tap after somebody has typed is none: the search has moved the rows", () => {
  seen();
  assert.equal(tap("#ben", 5, 5), false);
});

test("a tap on a control that was there before is none, also after the page was scrolled", () => {
  assert.equal(tap("#ben", 5, 55), false);
  globalThis.scrollY = 30;
  assert.deepEqual([tap("#ben", 5, 25), tap("#ben", 5, 10), tap("#ben", 5, 60)], [false, true, false]);
  globalThis.scrollX = 20;
  assert.deepEqual([tap("#ben", 82, 35), tap("#ben", 79, 35), tap("#ben", 101, 60)], [true, false, true]);
});

test("a page that was scrolled before the change too counts from there", () => {
  [globalThis.scrollX, globalThis.scrollY] = [10, 40];
  place("#ben", 0, 50);
  guard(look($("main")));
  [globalThis.scrollX, globalThis.scrollY] = [10, 70];
  assert.deepEqual([tap("#ben", 5, 25), tap("#ben", 95, 25), tap("#ben", 5, 5)], [false, false, true]);
});

test("a control that was nowhere before is a slip at every place", () => {
  const fresh = $("#ben").cloneNode(true);
  fresh.id = "new";
  $("main").append(fresh);
  assert.equal(tap("#new", 5, 55), true);
});

test("a click by a script or a key, beside all controls, or outside the live page is none", () => {
  assert.equal(tap("#ben", 5, 5, { isTrusted: false }), false);
  assert.equal(tap("#ben", 5, 5, { detail: 0 }), false);
  assert.equal(tap("main", 5, 5), false);
  assert.equal(slipped({ isTrusted: true, detail: 1, target: $("#ben"), clientX: 5, clientY: 5 }, null), false);
  assert.equal(
    slipped({ isTrusted: true, detail: 1, target: $("#ben"), clientX: 5, clientY: 5 }, $("#live-moved")),
    false,
  );
});

test("a key that has just come to mean another control does nothing, and the page says so for 4 seconds", async () => {
  for (const name of ["Enter", "w", "W"]) {
    const event = key(name);
    assert.equal(moved(event, $("#ben")), true, name);
    assert.equal(event.defaultPrevented, true);
  }
  assert.equal($("#ben").hasAttribute("data-refused"), true);
  assert.deepEqual([$("#live-moved").textContent, $("#live-moved").hidden], ["The page changed.", false]);
  await clock.move(3999);
  assert.equal($("#live-moved").hidden, false);
  await clock.move(1);
  assert.deepEqual([$("#live-moved").textContent, $("#live-moved").hidden], ["", true]);
  assert.equal($("#ben").hasAttribute("data-refused"), false);
});

test("a key that pressed nothing before, or the same control, works at once; all do after 450 milliseconds", async () => {
  assert.equal(moved(key("p"), $("#ben")), false);
  guard(look($("main")));
  assert.equal(moved(key("Enter"), $("#ben")), false);
  const before = look($("main"));
  $("#ben").id = "eve";
  guard(before);
  assert.equal(moved(key("Enter"), $("#eve")), true);
  await clock.move(451);
  assert.equal(moved(key("Enter"), $("#eve")), false);
});

test("the first control with a key keeps it, as when the key is pressed", () => {
  open(ROW("ann", "Ann") + ROW("ben", "Ben"));
  guard(look($("main")));
  assert.equal(moved(key("Enter"), $("#ann")), false);
  assert.equal(moved(key("Enter"), $("#ben")), true);
});

test("a key that comes too soon for a new button is reported as that", () => {
  const event = key("Enter");
  refuse(event, "soon");
  assert.deepEqual([event.defaultPrevented, $("#live-moved").textContent], [true, "Too soon."]);
});

test("on a page that is not live, a refused press only does nothing", () => {
  openPage("");
  const event = key("Enter");
  refuse(event);
  assert.equal(event.defaultPrevented, true);
});
