import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { fire, openPage, press } from "./page.js";

const { clock, document, stored, $ } = openPage(`<p id="live-moved" hidden></p>
  <template id="live-words" data-soon="Too soon."></template>
  <details class="menu" data-sections="/e/-/sections/?page=entries"><summary>Open</summary><div data-sections-here></div></details>
  <nav class="rounds"><a href="/1/" id="before" data-key=",">1</a><a href="/2/">2</a><a href="/3/" id="after" data-key=".">3</a></nav>
  <main id="main">
  <a href="/c/" data-go="c">Cockpit</a><a href="/r/" data-go="r">Results</a>
  <button id="pair" data-key="Enter" data-key-also="p">Pair <kbd>P</kbd></button>
  <button id="mark" data-key="m">Mark</button><button id="shifted" data-key="M" aria-label="Marks">M</button>
  <button id="publish" data-key="!" data-key-after="1500">Publish</button>
  <button id="off" data-key="o" disabled>Off</button><div hidden><button id="gone" data-key="x">Gone</button></div>
  <button id="no" data-key="n" aria-disabled="true">No</button><div inert><button id="still" data-key="i">Still</button></div>
  <button id="clear" data-key="Delete">Clear</button>
  <label>Board <svg></svg><span aria-hidden="true">B</span><input id="find" data-key="/"></label><textarea id="text"></textarea><input id="tick" type="checkbox">
  <dialog id="ask"><button id="yes" data-key="y">Yes</button></dialog>
  <dialog id="keys-sheet"><div data-keys-here></div><p data-keys-none></p><div data-keys-go></div>
    <input type="checkbox" data-keys-letters><button>Close</button></dialog></main>`);
const { lettersOn, toTab } = await import("../../static/js/keys.js");

let clicked = [];
for (const each of document.querySelectorAll("button, a")) {
  each.addEventListener("click", () => clicked.push(each.id || each.dataset.go || "close"));
}
const pressed = (target, ...keys) => {
  clicked = [];
  const used = keys.map((key) => press(target, ...[key].flat()));
  return [clicked.join(" "), used.at(-1)];
};

beforeEach(() => {
  stored.clear();
  for (const dialog of document.querySelectorAll("dialog")) dialog.open = false;
});

test("a key presses its control, also by its second key and with the caps lock on", () => {
  assert.deepEqual(pressed($("#main"), "Enter"), ["pair", true]);
  assert.deepEqual(pressed($("#main"), "p"), ["pair", true]);
  assert.deepEqual(pressed($("#main"), "P"), ["pair", true]);
  assert.deepEqual(pressed($("#main"), "m"), ["mark", true]);
  assert.deepEqual(pressed($("#main"), ["M", { shiftKey: true }]), ["shifted", true]);
  assert.deepEqual(pressed($("#main"), ["P", { shiftKey: true }]), ["", false]);
});

test("a control that is disabled or hidden is not pressed, and a key without a control is left to the browser", () => {
  for (const key of ["o", "x", "n", "i", "z", "F5"]) assert.deepEqual(pressed($("#main"), key), ["", false], key);
});

test("a key for a field puts the focus there", () => {
  let selected = false;
  $("#find").select = () => {
    selected = true;
  };
  assert.deepEqual(pressed($("#main"), "/"), ["", true]);
  assert.deepEqual([document.activeElement.id, selected], ["find", true]);
});

test("keys are left to a field that the person types in", () => {
  for (const [id, key] of [["find", "p"], ["text", "p"], ["find", "Enter"], ["text", "Delete"]]) {
    assert.deepEqual(pressed($(`#${id}`), key), ["", false], `${id} ${key}`);
  }
});

test("a control with the focus keeps Enter and the space bar, but not letters", () => {
  for (const id of ["mark", "tick"]) {
    assert.deepEqual(pressed($(`#${id}`), "Enter"), ["", false]);
    assert.deepEqual(pressed($(`#${id}`), "p"), ["pair", true]);
  }
});

test("keys with Ctrl, Alt or Meta, held keys and keys that a page has used do nothing", () => {
  for (const more of ["ctrlKey", "altKey", "metaKey", "repeat", "isComposing"]) {
    assert.deepEqual(pressed($("#main"), ["p", { [more]: true }]), ["", false], more);
  }
  const use = (event) => event.preventDefault();
  document.addEventListener("keydown", use);
  assert.equal(pressed($("#main"), "p")[0], "");
  document.listeners = document.listeners.filter(({ listener }) => listener !== use);
});

test("g and a letter go to a tab, within 1.5 seconds", async () => {
  assert.deepEqual(pressed($("#main"), "g", "r"), ["r", true]);
  assert.deepEqual(pressed($("#main"), "g", ["C", { shiftKey: true }]), ["c", true]);
  press($("#main"), "g");
  await clock.move(1500);
  assert.deepEqual(pressed($("#main"), "r"), ["", false]);
  assert.deepEqual(pressed($("#main"), "g", "m"), ["mark", true]); // no tab has this letter
});

const SECTIONS = `<a href="/e/" data-digit="0">All</a><a href="/a/" data-digit="1">A</a>
  <a href="/b/" data-digit="2" aria-current="true">B</a><a href="/c/" data-digit="3">C</a>`;
const altGr = (key, more = {}) => [key, { ...more, getModifierState: (name) => name === "AltGraph" }];

test("keys go to the section before and after and to one by its number, also with AltGr as on German keyboards", async () => {
  globalThis.fetch = () => Promise.resolve({ ok: true, text: () => Promise.resolve(SECTIONS) });
  const gone = [];
  document.addEventListener("click", (event) => {
    if (event.target.dataset.digit) gone.push(event.target.getAttribute("href"));
  });
  const ways = [["["], ["]"], [altGr("[", { ctrlKey: true, altKey: true })], [["]", { altKey: true }]]];
  ways.push([["ArrowUp", { shiftKey: true }]], [["ArrowDown", { shiftKey: true }]], ["g", "3"], ["g", "0"], ["g", "8"]);
  for (const keys of ways) {
    assert.equal(pressed($("#main"), ...keys)[1], true);
    await clock.move(0);
  }
  assert.deepEqual(gone, ["/a/", "/c/", "/a/", "/c/", "/a/", "/c/", "/c/", "/e/"]);
  assert.equal(pressed($("#find"), "[")[1], false);
  assert.equal(pressed($("#main"), ["]", { ctrlKey: true }])[1], false);
});

test("a comma and a full stop go to the round before and after", () => {
  assert.deepEqual(pressed($("#main"), ",", "."), ["before after", true]);
});

test("a page that handles keys itself asks whether a key goes to a tab", () => {
  clicked = [];
  const event = (key) => ({ key });
  assert.deepEqual(["p", "g", "c", "c"].map((key) => toTab(event(key))), [false, true, true, false]);
  assert.deepEqual([toTab({ key: "g", ctrlKey: true }), toTab(event("c"))], [false, false]);
  assert.deepEqual(clicked, ["c"]);
});

test("single letters can be switched off; other keys still work", () => {
  assert.equal(lettersOn(), true);
  const box = $("[data-keys-letters]");
  box.checked = false;
  fire(box, "change");
  assert.equal(lettersOn(), false);
  for (const key of ["p", "m", "/", "?", "g"]) assert.deepEqual(pressed($("#main"), key), ["", false], key);
  assert.deepEqual(pressed($("#main"), "Enter"), ["pair", true]);
  assert.deepEqual(pressed($("#main"), "Delete"), ["clear", true]);
  box.checked = true;
  fire(box, "change");
  assert.deepEqual([stored.get("result-keys"), lettersOn()], ["on", true]);
});

test("a key presses Publish only after the button has been on the page for 1.5 seconds", async () => {
  const fresh = $("#publish").cloneNode(true);
  fresh.addEventListener("click", () => clicked.push("published"));
  $("#publish").replaceWith(fresh);
  fire(document, "htmx:afterSettle");
  await clock.move(1499);
  assert.deepEqual(pressed($("#main"), ["!", { shiftKey: true }]), ["", true]); // used, so that the browser does nothing either
  assert.equal($("#live-moved").textContent, "Too soon.");
  await clock.move(1);
  assert.deepEqual(pressed($("#main"), ["!", { shiftKey: true }]), ["published", true]);
});

test("while a dialogue is open, only its controls have keys", () => {
  $("#ask").showModal();
  assert.deepEqual(pressed($("#main"), "p", "y"), ["yes", true]);
  assert.deepEqual(pressed($("#main"), "g", "c"), ["", false]);
});

test("controls say their keys to screen readers, and ? shows them in a list", () => {
  assert.deepEqual(["#pair", "#mark", "#find"].map((id) => $(id).getAttribute("aria-keyshortcuts")), [
    "Enter p",
    "m",
    "/",
  ]);
  $("#mark").focus();
  assert.equal(press($("#main"), "?", { shiftKey: true }), true);
  assert.equal($("#keys-sheet").open, true);
  const rows = (name) =>
    $(`[${name}]`).children.map((row) => row.children.map((cell) => cell.textContent.trim()).join(": "));
  assert.deepEqual(rows("data-keys-here"), [
    ",: 1",
    ".: 3",
    "Enter: Pair",
    "P: Pair",
    "M: Mark",
    "Shift M: Marks",
    "!: Publish",
    "Del: Clear",
    "/: Board",
  ]);
  assert.deepEqual(rows("data-keys-go"), ["G C: Cockpit", "G R: Results"]);
  assert.equal($("[data-keys-none]").hidden, true);
});

test("after the list the focus goes back, even if the control was replaced", () => {
  $("#mark").focus();
  press($("#main"), "?", { shiftKey: true });
  $("#yes").focus();
  $("#mark").replaceWith($("#mark").cloneNode(true));
  $("#keys-sheet").dispatchEvent(new Event("close"));
  assert.equal(document.activeElement, $("#mark"));
});

test("a link without an id gets the focus back by its words and address; else the content gets it", () => {
  const reopened = (replacement) => {
    $("[data-go=r]").focus();
    press($("#main"), "?", { shiftKey: true });
    $("#yes").focus();
    const fresh = document.createElement("a");
    Object.entries({ "data-go": "r", ...replacement }).forEach(([name, value]) => fresh.setAttribute(name, value));
    fresh.textContent = replacement.text;
    $("[data-go=r]").replaceWith(fresh);
    $("#keys-sheet").dispatchEvent(new Event("close"));
    $("#keys-sheet").open = false;
    return document.activeElement;
  };
  assert.equal(reopened({ href: "/r/", text: "Results" }), $("[data-go=r]"));
  assert.equal(reopened({ href: "/r/2/", text: "Results" }), $("#main"));
  assert.equal(reopened({ href: "/r/2/", text: "Results of round 2" }), $("#main"));
});

test("if the control is still there, the list leaves the focus to the browser", () => {
  $("#mark").focus();
  press($("#main"), "?", { shiftKey: true });
  $("#yes").focus();
  $("#keys-sheet").dispatchEvent(new Event("close"));
  assert.equal(document.activeElement, $("#yes"));
});

test("the list is not opened over a dialogue, and a button opens it too", () => {
  $("#ask").showModal();
  press($("#main"), "?", { shiftKey: true });
  assert.equal($("#keys-sheet").open, false);
  $("#ask").open = false;
  $("#shifted").setAttribute("data-opens-keys", "");
  $("#shifted").click();
  assert.equal($("#keys-sheet").open, true);
});

test("the list has the rows of the page, tells that there are none, and shows whether letters are on", () => {
  const show = () => {
    $("#keys-sheet").open = false;
    press($("#main"), "?", { shiftKey: true });
    return [$("[data-keys-here]").children.length, $("[data-keys-none]").hidden, $("[data-keys-letters]").checked];
  };
  for (const each of document.querySelectorAll("[data-key]")) each.hidden = true;
  assert.deepEqual(show(), [0, false, true]);
  const rows = document.createElement("template");
  rows.id = "page-keys";
  rows.append(document.createElement("tr"));
  $("#main").append(rows);
  assert.deepEqual(show(), [1, true, true]);
  assert.equal(rows.children.length, 1);
  const accept = document.createElement("button");
  accept.dataset.queue = "a";
  $("#main").append(accept);
  assert.deepEqual(show(), [2, true, true]);
  accept.remove();
  stored.set("result-keys", "off");
  $("#keys-sheet").open = false;
  $("#shifted").setAttribute("data-opens-keys", "");
  $("#shifted").click();
  assert.equal($("[data-keys-letters]").checked, false);
  for (const each of document.querySelectorAll("[data-key]")) each.hidden = false;
});

test("Shift between g and the letter does not end the wait, and a second g begins it again", async () => {
  press($("#main"), "g");
  press($("#main"), "Shift", { shiftKey: true });
  assert.equal(pressed($("#main"), ["C", { shiftKey: true }])[0], "c");
  press($("#main"), "g");
  await clock.move(1000);
  press($("#main"), "g");
  await clock.move(1000);
  assert.deepEqual(pressed($("#main"), "c"), ["c", true]);
});

test("without storage the letters are on", () => {
  globalThis.localStorage = {
    getItem: () => {
      throw new Error("off");
    },
  };
  assert.equal(lettersOn(), true);
});
