import assert from "node:assert/strict";
import { test } from "node:test";

import { meaning, named, prefixName, SCHEMES, table } from "../../static/js/results/keys.js";

const all = (scheme, prefix, keys) => keys.split(" ").map((key) => meaning(scheme, prefix, key));
const results = (scheme, prefix, keys) => all(scheme, prefix, keys).map((each) => each?.result);

test("digits are the results of the chosen scheme", () => {
  assert.deepEqual(results("evenboard", "", "1 5 0"), ["1-0", "1/2", "0-1"]);
  assert.deepEqual(results("vega", "", "1 5 0 3 4 2 7 9"), ["1-0", "1/2", "0-1", "+:-", "-:+", "-:-", "adj", ""]);
  assert.deepEqual(results("swiss-manager", "", "1 2 3 4 5 6 7 9"), [
    "1-0",
    "1/2",
    "0-1",
    "+:-",
    "-:+",
    "-:-",
    "adj",
    "",
  ]);
  assert.deepEqual(all("evenboard", "", "2 3 4 6 7 8 9"), Array(7).fill(null));
  assert.deepEqual(all("swiss-manager", "", "0 8"), [null, null]);
});

test("an unknown scheme is ours", () => {
  assert.deepEqual(results("chess", "", "1 5 0"), ["1-0", "1/2", "0-1"]);
});

test("some keys are results in every scheme", () => {
  for (const scheme of Object.keys(SCHEMES)) {
    assert.deepEqual(results(scheme, "", "= a Delete Backspace"), ["1/2", "adj", "", ""]);
  }
});

test("after f, h and n the digits are forfeits, half points and unrated results", () => {
  assert.deepEqual(results("evenboard", "f", "1 5 0 - – ="), ["+:-", "-:-", "-:+", "-:-", "-:-", "-:-"]);
  assert.deepEqual(results("evenboard", "h", "1 5 0 - – ="), ["1/2-0", "0-0", "0-1/2", "0-0", "0-0", "0-0"]);
  assert.deepEqual(results("evenboard", "n", "1 5 0 ="), ["W-L", "D-D", "L-W", "D-D"]);
  assert.deepEqual(results("swiss-manager", "f", "1 2 3"), ["+:-", "-:-", "-:+"]);
  assert.deepEqual(results("vega", "n", "1 5 0"), ["W-L", "D-D", "L-W"]);
});

test("after a prefix, a sign without a meaning keeps it waiting, Esc ends it, and other keys mean what they always mean", () => {
  assert.deepEqual(all("evenboard", "f", "2 9 Escape"), [{ wrong: true }, { wrong: true }, { prefix: "" }]);
  assert.deepEqual(all("evenboard", "n", "- –"), [{ wrong: true }, { wrong: true }]);
  assert.deepEqual(all("evenboard", "f", "h u ArrowUp"), [{ prefix: "h" }, { command: "undo" }, { command: "up" }]);
  assert.equal(meaning("evenboard", "", "Escape"), null);
});

test("letters and other keys are prefixes and commands", () => {
  assert.deepEqual(all("evenboard", "", "f h n").map((each) => each.prefix), ["f", "h", "n"]);
  assert.deepEqual(["f", "h", "n", ""].map(prefixName), ["forfeit", "half", "unrated", ""]);
  assert.deepEqual(
    all("vega", "", "u m c v o k t b # / ? Enter ArrowUp ArrowDown ArrowLeft ArrowRight PageUp PageDown Home End").map((
      each,
    ) => each.command),
    [
      "undo",
      "missing",
      "clashes",
      "verify",
      "over",
      "keep",
      "take",
      "find",
      "find",
      "find",
      "help",
      "enter",
      "up",
      "down",
      "across",
      "across",
      "page-up",
      "page-down",
      "first",
      "last",
    ],
  );
  assert.deepEqual(meaning("evenboard", "", " "), { command: "menu" });
});

test("a capital letter begins a name, with or without an accent; a small letter without a meaning is left to the page", () => {
  assert.deepEqual(all("evenboard", "", "A Ł Ø ł š").map((each) => each?.name), ["A", "Ł", "Ø", "ł", "š"]);
  assert.deepEqual(all("evenboard", "", "z w x !"), [null, null, null, null]);
});

const event = (key, code = "", more = {}) => ({ key, code, shiftKey: false, getModifierState: () => false, ...more });

test("a digit counts without Shift on a keyboard that needs it", () => {
  assert.deepEqual([named(event("&", "Digit1")), named(event("à", "Digit0")), named(event("é", "Numpad2"))], [
    "1",
    "0",
    "2",
  ]);
  assert.deepEqual([named(event("-", "Digit6")), named(event("=", "Digit0")), named(event("/", "Digit7"))], [
    "-",
    "=",
    "/",
  ]);
  assert.deepEqual([named(event("&", "Digit1", { shiftKey: true })), named(event("1", "Digit1"))], ["&", "1"]);
  assert.deepEqual([named(event("Enter", "Enter")), named(event("?", "Minus"))], ["Enter", "?"]);
});

test("a letter counts as without the caps lock", () => {
  const locked = { getModifierState: (name) => name === "CapsLock" };
  assert.deepEqual([named(event("F", "KeyF", locked)), named(event("f", "KeyF", { ...locked, shiftKey: true }))], [
    "f",
    "F",
  ]);
  assert.deepEqual([named(event("F", "KeyF")), named(event("1", "Digit1", locked)), named({ key: "F" })], [
    "F",
    "1",
    "F",
  ]);
});

test("the list of keys has each result with all its ways, in each scheme", () => {
  const ways = Object.fromEntries(table().map((row) => [row.result, row.ways]));
  assert.deepEqual(Object.keys(ways), [
    "1-0",
    "1/2",
    "0-1",
    "+:-",
    "-:+",
    "-:-",
    "1/2-0",
    "0-1/2",
    "0-0",
    "W-L",
    "D-D",
    "L-W",
    "adj",
    "",
  ]);
  assert.deepEqual(ways["1/2"], { evenboard: [["5"], ["="]], vega: [["5"], ["="]], "swiss-manager": [["2"], ["="]] });
  assert.deepEqual(ways["+:-"], { evenboard: [["F", "1"]], vega: [["3"]], "swiss-manager": [["4"]] });
  assert.deepEqual(ways["-:-"], { evenboard: [["F", "–"]], vega: [["2"]], "swiss-manager": [["6"]] });
  assert.deepEqual(ways["0-0"].evenboard, [["H", "–"]]);
  assert.deepEqual(ways["D-D"], { evenboard: [["N", "5"]], vega: [["N", "5"]], "swiss-manager": [["N", "2"]] });
  assert.deepEqual(ways.adj, { evenboard: [["A"]], vega: [["7"]], "swiss-manager": [["7"]] });
  assert.deepEqual(ways[""], { evenboard: [["Del"]], vega: [["9"], ["Del"]], "swiss-manager": [["9"], ["Del"]] });
});

test("each way of the list leads to its result", () => {
  const signs = { Del: "Delete" };
  for (const { result, ways } of table()) {
    for (const [scheme, each] of Object.entries(ways)) {
      for (const keys of each) {
        const last = keys.at(-1);
        const prefix = keys.length > 1 ? keys[0].toLowerCase() : "";
        const key = signs[last] ?? (/^[A-Z]$/.test(last) ? last.toLowerCase() : last);
        assert.deepEqual(meaning(scheme, prefix, key), { result }, `${scheme}: ${keys.join(" ")}`);
      }
    }
  }
});
