import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { busy, parts, plain, sameParts, typed, within } from "../../static/js/live/parts.js";
import { ago, tick } from "../../static/js/live/times.js";
import { openPage } from "./page.js";

let $;
let document;
const open = (html) => ({ $, document } = openPage(html));
const fields = (selector) => document.querySelectorAll(selector);

beforeEach(() => open(""));

// What the person typed, not what the server sent --------------------------------------------------------------------

test("a checkbox or radio button is typed if it is not as the server sent it", () => {
  open('<input type="checkbox"><input type="checkbox" checked><input type="radio"><input type="radio" checked>');
  assert.deepEqual(fields("input").map(typed), [false, false, false, false]);
  for (const box of fields("input")) box.checked = !box.checked;
  assert.deepEqual(fields("input").map(typed), [true, true, true, true]);
  for (const box of fields("input")) box.checked = !box.checked;
  assert.deepEqual(fields("input").map(typed), [false, false, false, false]);
});

test("the value of a checkbox does not matter, nor does the tick of a text field", () => {
  open('<input id="box" type="checkbox" value="yes"><input id="text" value="a">');
  $("#box").value = "no";
  $("#text").checked = true;
  assert.deepEqual(fields("input").map(typed), [false, false]);
});

test("a menu is typed if another line is chosen, also in a menu of several", () => {
  open(
    '<select id="one"><option>1</option><option selected>0</option></select><select id="many"><option selected>1</option><option selected>2</option></select>',
  );
  assert.deepEqual(fields("select").map(typed), [false, false]);
  const [first, second] = $("#one").options;
  [first.selected, second.selected] = [true, false];
  assert.equal(typed($("#one")), true);
  [first.selected, second.selected] = [false, true];
  assert.equal(typed($("#one")), false);
  $("#many").options[1].selected = false;
  assert.equal(typed($("#many")), true);
});

test("a text is typed if it is not as the server sent it; a hidden field never is", () => {
  open('<input value="a"><input type="number"><textarea>Why</textarea><input type="hidden" value="3">');
  assert.deepEqual(fields("input, textarea").map(typed), [false, false, false, false]);
  for (const field of fields("input, textarea")) field.value = "7";
  assert.deepEqual(fields("input, textarea").map(typed), [true, true, true, false]);
  $("textarea").value = "";
  assert.equal(typed($("textarea")), true);
  $("textarea").value = "Why";
  assert.equal(typed($("textarea")), false);
});

// When a part must wait ------------------------------------------------------------------------------------------------

const CASES = {
  "nothing happens": ["<p>1</p>", () => {}, false],
  "a button has the focus": ["<button>Save</button>", () => $("button").focus(), false],
  "a hidden field has the focus": ['<input type="hidden">', () => $("input").focus(), false],
  "a field has the focus": ["<input>", () => $("input").focus(), true],
  "a menu has the focus": ["<select><option>1</option></select>", () => $("select").focus(), true],
  "a text has the focus": ["<textarea></textarea>", () => $("textarea").focus(), true],
  "a field was typed in": ["<input>", () => {
    $("input").value = "a";
  }, true],
  "a box was ticked": ['<input type="checkbox">', () => {
    $("input").checked = true;
  }, true],
  "a line was chosen": ["<select><option>1</option></select>", () => {
    $("option").selected = true;
  }, true],
  "a row of it is being sent": ["<p data-busy>1</p>", () => {}, true],
  "a form of it is being sent": ['<form class="htmx-request"></form>', () => {}, true],
  "a dialogue is open": ["<dialog open></dialog>", () => {}, true],
  "a dialogue is closed": ["<dialog></dialog>", () => {}, false],
  "an open fold has the focus": ["<details open><button>Go</button></details>", () => $("button").focus(), true],
  "a fold is open": ["<details open><button>Go</button></details>", () => {}, false],
  "the pointer is on a list whose rows come and go": ["<ul data-still></ul>", () => {
    $("ul").hovered = true;
  }, true],
  "the pointer is elsewhere": ["<ul data-still></ul>", () => {}, false],
  "text is marked": ["<p>1</p>", () => {
    globalThis.getSelection = () => ({ isCollapsed: false, anchorNode: $("#part p") });
  }, true],
  "text beside it is marked": ["<p>1</p>", () => {
    globalThis.getSelection = () => ({ isCollapsed: false, anchorNode: $("#other") });
  }, false],
  "the cursor stands in its text": ["<p>1</p>", () => {
    globalThis.getSelection = () => ({ isCollapsed: true, anchorNode: $("#part p") });
  }, false],
};
for (const [name, [html, act, expected]] of Object.entries(CASES)) {
  test(`${name}: the part ${expected ? "waits" : "may be replaced"}`, () => {
    open(`<div id="part">${html}</div><p id="other"></p>`);
    act();
    assert.equal(busy($("#part")), expected);
  });
}

test("a part that is being sent itself waits", () => {
  open('<div id="part" data-busy></div>');
  assert.equal(busy($("#part")), true);
});

// Parts ------------------------------------------------------------------------------------------------------------

test("a list is a part, and so is each of its rows; the outermost come first", () => {
  open(
    '<main data-live><ul id="list" data-part><li id="a" data-part></li><li id="b" data-part></li></ul><p id="foot" data-part></p></main>',
  );
  const ids = (found) => found.map((part) => part.id);
  assert.deepEqual(ids(parts(document)), ["list", "a", "b", "foot"]);
  assert.deepEqual(ids(within($("main"))), ["list", "foot"]);
  assert.deepEqual(ids(within($("#list"))), ["a", "b"]);
  assert.deepEqual(ids(within($("#a"))), []);
});

test("pages have the same parts if the ids come in the same order", () => {
  open(
    '<div id="one"><p id="a" data-part>1</p><p id="b" data-part></p></div><div id="two"><p id="a" data-part>2</p><p id="b" data-part></p></div><div id="three"><p id="b" data-part></p><p id="a" data-part></p></div>',
  );
  assert.equal(sameParts($("#one"), $("#two")), true);
  assert.equal(sameParts($("#one"), $("#three")), false);
});

test("tokens of forms and names of keys are no news; all else is", () => {
  const part = (token, keys, value) => {
    open(
      `<p id="part"><input name="csrfmiddlewaretoken" value="${token}"><button${keys} value="${value}">Go</button></p>`,
    );
    return plain($("#part"));
  };
  assert.equal(part("abc", "", "1"), part("xyz", ' aria-keyshortcuts="p"', "1"));
  assert.notEqual(part("abc", "", "1"), part("abc", "", "2"));
});

// Times -------------------------------------------------------------------------------------------------------------

const WORDS = { just: "just now", minutes: "{m} min ago", hours: "{h} h {m} min ago" };

test("a time counts on in minutes, and from an hour in hours and minutes", () => {
  const since = new Date("2026-11-22T10:00:00Z");
  const after = (seconds) => ago(since, since.getTime() + seconds * 1000, WORDS);
  assert.deepEqual(
    [-90, 0, 59, 60, 119, 3599, 3600, 3660, 7380].map(after),
    [
      "just now",
      "just now",
      "just now",
      "1 min ago",
      "1 min ago",
      "59 min ago",
      "1 h 0 min ago",
      "1 h 1 min ago",
      "2 h 3 min ago",
    ],
  );
  assert.equal(ago(since, since.getTime(), {}), "");
});

test("all times of the page are written again, and what has ended is hidden", () => {
  const moment = (minutes) => new Date(Date.now() + minutes * 60000).toISOString();
  const RealDate = Date;
  open(`<b data-since="${moment(-5)}"></b><i data-until="${moment(5)}"></i><i data-until="${moment(-5)}"></i>`);
  globalThis.Date = class extends RealDate {
    constructor(text) {
      super(text ?? RealDate.now());
    }
  };
  tick(WORDS);
  globalThis.Date = RealDate;
  assert.equal($("b").textContent, "5 min ago");
  assert.deepEqual(fields("i").map((each) => each.hidden), [false, true]);
});
