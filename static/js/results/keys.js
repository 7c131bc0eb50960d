// What a key means. The person chooses the scheme of the digits. Letters mean the same in each scheme.

// white, draw, black: these digits also follow F, H or N. digits: every result that has a digit of its own in this scheme.
export const SCHEMES = {
  evenboard: { white: "1", draw: "5", black: "0", digits: { 1: "1-0", 5: "1/2", 0: "0-1" } },
  vega: {
    white: "1", draw: "5", black: "0",
    digits: { 1: "1-0", 5: "1/2", 0: "0-1", 3: "+:-", 4: "-:+", 2: "-:-", 7: "adj", 9: "" },
  },
  "swiss-manager": {
    white: "1", draw: "2", black: "3",
    digits: { 1: "1-0", 2: "1/2", 3: "0-1", 4: "+:-", 5: "-:+", 6: "-:-", 7: "adj", 9: "" },
  },
};
const EVERYWHERE = { "=": "1/2", a: "adj", Delete: "", Backspace: "" };
// After a prefix: White, Black, and both or neither (also "-"). Only unrated games have a draw of their own.
const PREFIXES = {
  f: { name: "forfeit", white: "+:-", black: "-:+", neither: "-:-", draw: "-:-" },
  h: { name: "half", white: "1/2-0", black: "0-1/2", neither: "0-0", draw: "0-0" },
  n: { name: "unrated", white: "W-L", black: "L-W", draw: "D-D" },
};
const COMMANDS = {
  u: "undo", m: "missing", c: "clashes", v: "verify", o: "over", k: "keep", t: "take",
  b: "find", "#": "find", "/": "find", "?": "help", Enter: "enter", " ": "menu",
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "across", ArrowRight: "across",
  PageUp: "page-up", PageDown: "page-down", Home: "first", End: "last",
};

// The name of the key. A digit also if the layout needs Shift for it (AZERTY), and a letter without the caps lock.
export function named(event) {
  const { key, code = "", shiftKey } = event;
  if (key.length !== 1) return key;
  const place = /^(?:Digit|Numpad)(\d)$/.exec(code);
  if (place && !shiftKey && !/[\d\-–=#/?]/.test(key)) return place[1];
  if (!/\p{L}/u.test(key) || !event.getModifierState?.("CapsLock")) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

// Return what `key` asks for: { result } | { prefix } | { command } | { name: the first letter } | { wrong } | null.
// prefix: the letter that was pressed before, "" for none.
export function meaning(schemeName, prefix, key) {
  const scheme = SCHEMES[schemeName] ?? SCHEMES.evenboard;
  if (prefix) {
    const table = PREFIXES[prefix];
    const side = ["white", "draw", "black"].find((each) => scheme[each] === key);
    const neither = ["-", "–"].includes(key) ? "neither" : key === "=" ? "draw" : undefined;
    const result = table[side ?? neither];
    if (result !== undefined) return { result };
    if (key === "Escape") return { prefix: "" };
    if (/^[\d\-–=]$/.test(key)) return { wrong: true }; // keep waiting for a key with a meaning
  }
  if (key in scheme.digits) return { result: scheme.digits[key] };
  if (key in EVERYWHERE) return { result: EVERYWHERE[key] };
  if (key in PREFIXES) return { prefix: key };
  if (key in COMMANDS) return { command: COMMANDS[key] };
  if (/^\p{L}$/u.test(key) && !/[a-z]/.test(key)) return { name: key }; // a small letter may be a key of another page
  return null;
}

export const prefixName = (prefix) => PREFIXES[prefix]?.name;

const ROWS = ["1-0", "1/2", "0-1", "+:-", "-:+", "-:-", "1/2-0", "0-1/2", "0-0", "W-L", "D-D", "L-W", "adj", ""];

// Return the keys of each result: [result, { scheme: [ways, each a list of keys] }], in the order of `data-labels`.
export function table() {
  return ROWS.map((result) => [
    result,
    Object.fromEntries(Object.entries(SCHEMES).map(([name, scheme]) => [name, ways(scheme, result)])),
  ]);
}

function ways(scheme, result) {
  const found = Object.entries(scheme.digits).filter(([, value]) => value === result).map(([digit]) => [digit]);
  for (const [letter, keys] of Object.entries(PREFIXES)) {
    const side = ["white", "black", "draw"].find((each) => keys[each] === result);
    if (side && !found.length) found.push([letter.toUpperCase(), keys.neither === result ? "–" : scheme[side]]);
  }
  if (result === "1/2") found.push(["="]);
  if (result === "adj" && !found.length) found.push(["A"]);
  if (result === "") found.push(["Del"]);
  return found;
}
