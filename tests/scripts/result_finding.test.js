import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { fire, openPage, press } from "./page.js";

const { document, $ } = openPage(
  `<input id="find" placeholder="Board or name"><button id="letters" aria-pressed="false">ABC</button>
  <p id="found" hidden></p><p id="announcer"></p><template id="waiting-words"></template><template id="words" data-none="Nobody" data-loading="Wait" data-slip="Slip" data-slips="Slips in any order"></template>
  <table></table>`,
);
globalThis.matchMedia = () => ({ matches: false });
globalThis.requestAnimationFrame = (work) => work();
const { makeFinding } = await import("../../static/js/results/finding.js");

const row = (board, white, black, find) => {
  const line = document.createElement("tr");
  line.dataset.find = find;
  for (const name of [white, black]) {
    const cell = document.createElement("td");
    cell.className = "nm";
    cell.append(name);
    line.append(cell);
  }
  return { board, line };
};
const rows = [
  row("1", "Ivanov, Łukasz", "Ødegård, Bjørn", " 1 ivanov lukasz odegard bjorn "),
  row("2", "Łukasiak, Jan", "Weiß, Đoko", " 2 lukasiak jan weiss doko "),
  row("10", "Þór, Ægir", "Işık, Ada", " 10 thor aegir isik ada "),
  row("11", "Miller, Ann", "Ivanov, Jan", " 11 miller ann ivanov jan "),
];
let current;
let ended;
let finding;
const field = $("#find");
const type = (text) => {
  field.value = text;
  fire(field, "input");
};

beforeEach(() => {
  field.listeners = [];
  $("#letters").listeners = [];
  [field.value, current, ended] = ["", rows[3], 0];
  finding = makeFinding({
    rows,
    go: (to) => {
      current = to;
    },
    current: () => current,
    back: () => {
      ended += 1;
    },
  });
  fire(field, "focus");
});

test("a name is found with and without its accents; a name that begins so comes first", () => {
  const boards = {
    luk: "2",
    Łuk: "2",
    lukasz: "1",
    ødegård: "1",
    ODEGARD: "1",
    đoko: "2",
    weiss: "2",
    thor: "10",
    ægir: "10",
    isik: "10",
  };
  for (const [text, board] of Object.entries(boards)) {
    type(text);
    assert.equal(current.board, board, text);
  }
});

test("the arrows go through all that was found, in a circle", () => {
  type("ivanov");
  assert.equal(current.board, "1");
  const pressed = (key) => [press(field, key), current.board];
  assert.deepEqual(["ArrowDown", "ArrowDown", "ArrowUp"].map(pressed), [[true, "11"], [true, "1"], [true, "11"]]);
  type("i");
  assert.equal(current.board, "1");
  const boards = ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"].map((key) => pressed(key)[1]);
  assert.deepEqual(boards, ["10", "11", "1", "11"]);
});

test("a number with which no longer one begins needs no Enter; the Enter that follows is no command", () => {
  type("1");
  assert.deepEqual([current.board, ended, field.value], ["1", 0, "1"]);
  type("10");
  assert.deepEqual([current.board, ended, field.value], ["10", 1, ""]);
  assert.deepEqual([finding.takes("Enter"), finding.takes("Enter")], [true, false]);
  type("10");
  assert.equal(finding.takes("Backspace"), true);
  assert.deepEqual([field.value, current.board], ["1", "1"]);
  type("11");
  assert.equal(finding.takes("1"), false);
});

test("if nothing is found, the page says so and goes back to where the search began", () => {
  type("luk");
  type("lukx");
  assert.deepEqual([$("#found").textContent, $("#found").hidden, current.board], ["Nobody", false, "11"]);
  assert.equal(field.getAttribute("aria-invalid"), "true");
  assert.equal(press(field, "Enter"), true);
  assert.equal(ended, 0);
  type("luk");
  assert.deepEqual([$("#found").hidden, field.getAttribute("aria-invalid")], [true, null]);
  press(field, "Enter");
  assert.deepEqual([ended, current.board], [1, "2"]);
});

test("Esc goes back to the board before the search", () => {
  press(field, " ");
  type("lukx");
  finding.open("luky");
  assert.equal(document.activeElement, field);
  assert.equal(press(field, "Escape"), true);
  assert.deepEqual([current.board, ended, field.value, $("#found").hidden], ["11", 1, "", true]);
  assert.deepEqual([document.activeElement, finding.stays(true)], [document.body, false]);
});

test("after a space the field opens again after each result, until all boards are done", () => {
  type("jan");
  assert.equal(press(field, " "), false); // part of a name
  type("");
  assert.equal(press(field, " "), true);
  assert.deepEqual([field.placeholder, $("#announcer").textContent, finding.stays(true)], [
    "Slip",
    "Slips in any order",
    true,
  ]);
  assert.deepEqual([finding.stays(false), finding.stays(true)], [false, false]);
});

test("a button changes the keyboard of a phone from digits to letters and back", () => {
  const states = [1, 2].map(() => {
    $("#letters").click();
    return [$("#letters").getAttribute("aria-pressed"), field.inputMode, document.activeElement === field];
  });
  assert.deepEqual(states, [["true", "text", true], ["false", "numeric", true]]);
});

test("while names are coming, no name is found and none is missing; numbers are found", () => {
  const names = { missing: true, coming: true };
  field.listeners = [];
  finding = makeFinding({ rows, names, go: (to) => (current = to), current: () => current, back: () => (ended += 1) });
  fire(field, "focus");
  type("miller");
  assert.deepEqual([current.board, $("#found").textContent], ["11", "Wait"]);
  press(field, "Enter");
  assert.deepEqual([ended, field.value], [0, "miller"]);
  names.coming = false;
  type("luk");
  assert.equal(current.board, "2");
  type("nobody");
  assert.equal($("#found").textContent, "Wait");
  names.missing = false;
  finding.again();
  assert.equal($("#found").textContent, "Nobody");
  type("10");
  assert.deepEqual([current.board, ended], ["10", 1]);
});

test("a page without the field has no search", () => {
  field.remove();
  const none = makeFinding({ rows, go: () => {}, current: () => null, back: () => {} });
  assert.deepEqual([none.takes("Enter"), none.stays(true)], [false, false]);
});
