// What a key means. The person chooses the scheme of the digits. Letters mean the same in each scheme.

// white, draw, black: these digits also follow F, H or N. digits: every result that has a digit of its own in this scheme.
/**
 * @typedef {{ white: string, draw: string, black: string, digits: Record<string, string> }} Scheme
 * @typedef {{ name: string, white: string, draw: string, black: string, neither?: string }} Prefix
 */

/** @type {Record<string, Scheme>} */
export const SCHEMES = {
  evenboard: { white: "1", draw: "5", black: "0", digits: { 1: "1-0", 5: "1/2", 0: "0-1" } },
  vega: {
    white: "1",
    draw: "5",
    black: "0",
    digits: { 1: "1-0", 5: "1/2", 0: "0-1", 3: "+:-", 4: "-:+", 2: "-:-", 7: "adj", 9: "" },
  },
  "swiss-manager": {
    white: "1",
    draw: "2",
    black: "3",
    digits: { 1: "1-0", 2: "1/2", 3: "0-1", 4: "+:-", 5: "-:+", 6: "-:-", 7: "adj", 9: "" },
  },
};
/** @type {Record<string, string>} */
const EVERYWHERE = { "=": "1/2", a: "adj", Delete: "", Backspace: "" };
const SIDES = /** @type {const} */ (["white", "draw", "black"]);
// After a prefix: White, Black, and both or neither (also "-"). Only unrated games have a draw of their own.
/** @type {Record<string, Prefix>} */
const PREFIXES = {
  f: { name: "forfeit", white: "+:-", black: "-:+", neither: "-:-", draw: "-:-" },
  h: { name: "half", white: "1/2-0", black: "0-1/2", neither: "0-0", draw: "0-0" },
  n: { name: "unrated", white: "W-L", black: "L-W", draw: "D-D" },
};
/** @type {Record<string, string>} */
const COMMANDS = {
  u: "undo",
  j: "incident",
  m: "missing",
  c: "clashes",
  v: "verify",
  o: "over",
  k: "keep",
  t: "take",
  b: "find",
  "#": "find",
  "/": "find",
  "?": "help",
  Enter: "enter",
  " ": "menu",
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "across",
  ArrowRight: "across",
  PageUp: "page-up",
  PageDown: "page-down",
  Home: "first",
  End: "last",
};

/**
 * Return the name of the key. A digit also if the layout needs Shift for it (AZERTY), and a letter without the caps lock.
 * @param {KeyboardEvent} event
 */
export function named(event) {
  const { key, code = "", shiftKey } = event;
  if (key.length !== 1) return key;
  const place = /^(?:Digit|Numpad)(\d)$/.exec(code);
  if (place && !shiftKey && !/[\d\-–=#/?]/.test(key)) return place[1];
  if (!/\p{L}/u.test(key) || !event.getModifierState?.("CapsLock")) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

/**
 * Return what the key asks for, null for nothing. name: the first letter of a name. wrong: the prefix waits for another key.
 * @param {string} schemeName
 * @param {string} prefix the letter that was pressed before, "" for none
 * @param {string} key
 * @returns {{ result?: string, prefix?: string, command?: string, name?: string, wrong?: boolean } | null}
 */
export function meaning(schemeName, prefix, key) {
  const scheme = SCHEMES[schemeName] ?? SCHEMES.evenboard;
  if (prefix) {
    const table = PREFIXES[prefix];
    const side = SIDES.find((each) => scheme[each] === key);
    const other = ["-", "–"].includes(key) ? "neither" : key === "=" ? "draw" : null;
    const name = side ?? other;
    const result = name ? table[name] : undefined;
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

/**
 * Return the name of the prefix in the words of the page, "" for no prefix.
 * @param {string} prefix
 */
export const prefixName = (prefix) => PREFIXES[prefix]?.name ?? "";

const ROWS = ["1-0", "1/2", "0-1", "+:-", "-:+", "-:-", "1/2-0", "0-1/2", "0-0", "W-L", "D-D", "L-W", "adj", ""];

/**
 * Return the keys of each result in each scheme, in the order of `data-labels`. A way is a list of keys.
 * @returns {{ result: string, ways: Record<string, string[][]> }[]}
 */
export function table() {
  return ROWS.map((result) => ({
    result,
    ways: Object.fromEntries(Object.entries(SCHEMES).map(([name, scheme]) => [name, waysTo(scheme, result)])),
  }));
}

/**
 * @param {Scheme} scheme
 * @param {string} result
 */
function waysTo(scheme, result) {
  const found = Object.entries(scheme.digits).filter(([, value]) => value === result).map(([digit]) => [digit]);
  for (const [letter, keys] of Object.entries(PREFIXES)) {
    const side = /** @type {const} */ (["white", "black", "draw"]).find((each) => keys[each] === result);
    if (side && !found.length) found.push([letter.toUpperCase(), keys.neither === result ? "–" : scheme[side]]);
  }
  if (result === "1/2") found.push(["="]);
  if (result === "adj" && !found.length) found.push(["A"]);
  if (result === "") found.push(["Del"]);
  return found;
}
