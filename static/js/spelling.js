// A name in another script: the Latin spellings that passports, FIDE and the press of several countries give it. The server has the
// same tables and finds the same names (base/spelling.py; what each scheme is for is written there).

import { folded } from "./folding.js";

/** @typedef {Record<string, string>} Table */

// deno-fmt-ignore
/** @type {Table} */
const CYRILLIC = {
  а: "a", б: "b", в: "v", г: "g", ґ: "g", д: "d", ђ: "dj", ѓ: "gj", е: "e", ё: "e", є: "e", ж: "zh", з: "z", ѕ: "dz",
  и: "i", і: "i", ї: "i", й: "y", ј: "j", к: "k", л: "l", љ: "lj", м: "m", н: "n", њ: "nj", о: "o", п: "p", р: "r",
  с: "s", т: "t", ћ: "c", ќ: "kj", у: "u", ў: "u", ф: "f", х: "kh", ц: "ts", ч: "ch", џ: "dz", ш: "sh", щ: "shch",
  ъ: "", ы: "y", ь: "", э: "e", ю: "yu", я: "ya",
};

// deno-fmt-ignore
/** @type {Table[]} */
const SCHEMES = [
  {},
  {ий: "y", ый: "y", ё: "yo", кс: "x"},
  {й: "i", ю: "iu", я: "ia", ъ: "ie"},
  {г: "h", и: "y", ї: "i", є: "ie", й: "i", ю: "iu", я: "ia", ъ: "a", щ: "shch"},
  {ж: "z", й: "j", х: "h", ц: "c", ч: "c", ш: "s", щ: "sc", ю: "ju", я: "ja"},
  {ж: "z", й: "j", х: "h", ц: "c", ч: "c", ш: "s", щ: "s", ю: "u", я: "a"},
  {в: "w", ж: "sch", з: "s", й: "i", х: "ch", ц: "z", ч: "tsch", ш: "sch", щ: "schtsch", ю: "ju", я: "ja"},
  {ж: "j", й: "i", ч: "tch", ш: "ch", щ: "chtch", у: "ou", ю: "iou", я: "ia"},
  {в: "w", ж: "z", й: "j", х: "ch", ц: "c", ч: "cz", ш: "sz", щ: "szcz", ю: "ju", я: "ja"},
  {щ: "sht", ъ: "a"},
];

// deno-fmt-ignore
/** @type {Table} */
const INITIAL = {
  е: "ye", є: "ye", ї: "yi", й: "y", ю: "yu", я: "ya",
};

// deno-fmt-ignore
/** @type {Table} */
const OTHER = {
  α: "a", β: "v", γ: "g", δ: "d", ε: "e", ζ: "z", η: "i", θ: "th", ι: "i", κ: "k", λ: "l", μ: "m", ν: "n", ξ: "x",
  ο: "o", π: "p", ρ: "r", σ: "s", ς: "s", τ: "t", υ: "y", φ: "f", χ: "ch", ψ: "ps", ω: "o", ου: "ou", αυ: "av",
  ευ: "ev", μπ: "b", ντ: "nt", γκ: "gk", γγ: "ng", ა: "a", ბ: "b", გ: "g", დ: "d", ე: "e", ვ: "v", ზ: "z", თ: "t",
  ი: "i", კ: "k", ლ: "l", მ: "m", ნ: "n", ო: "o", პ: "p", ჟ: "zh", რ: "r", ს: "s", ტ: "t", უ: "u", ფ: "p", ქ: "k",
  ღ: "gh", ყ: "q", შ: "sh", ჩ: "ch", ც: "ts", ძ: "dz", წ: "ts", ჭ: "ch", ხ: "kh", ჯ: "j", ჰ: "h", ա: "a", բ: "b",
  գ: "g", դ: "d", ե: "e", զ: "z", է: "e", ը: "y", թ: "t", ժ: "zh", ի: "i", լ: "l", խ: "kh", ծ: "ts", կ: "k", հ: "h",
  ձ: "dz", ղ: "gh", ճ: "ch", մ: "m", յ: "y", ն: "n", շ: "sh", ո: "o", չ: "ch", պ: "p", ջ: "j", ռ: "r", ս: "s", վ: "v",
  տ: "t", ր: "r", ց: "ts", ւ: "v", փ: "p", ք: "k", և: "ev", օ: "o", ֆ: "f", ու: "u",
};

// deno-fmt-ignore
/** @type {Table} */
const GREEK = {
  β: "b", η: "e", υ: "i", φ: "ph", χ: "h", γκ: "g", ντ: "d", ου: "u", ευ: "ef", αυ: "af",
};

// deno-fmt-ignore
/** @type {Table} */
const NASALS = {
  ą: "on", ę: "en", ąb: "omb", ąp: "omp", ęb: "emb", ęp: "emp",
};

/** @type {[string, string][]} */
const SOUNDS = [
  ["schtsch|shch|chtch|szcz", "s"],
  ["tsch|tch|cz|ch", "c"],
  ["sch|sh|sz", "s"],
  ["zh|rz", "z"],
  ["ts|tz", "c"],
  ["kh|gh|g", "h"],
  ["ph", "f"],
  ["th", "t"],
  ["ck|q", "k"],
  ["x", "ks"],
  ["w", "v"],
  ["ou", "u"],
  ["[yj]", "i"],
  ["([aou])e", "$1"],
  ["(.)\\1+", "$1"],
  ["^ie", "e"],
  ["([csz])kaia$", "$1ka"],
];
const STEPS = SOUNDS.map(([pattern, to]) => /** @type {[RegExp, string]} */ ([new RegExp(pattern, "g"), to]));
// Such names have no spaces, or some writers leave them out, so a search finds any part of the name.
const GLUED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const isNumber = (/** @type {string} */ text) => /^\d+$/.test(text);

/**
 * @param {string} word
 * @param {Table} table
 */
function written(word, table) {
  let out = "";
  for (let at = 0; at < word.length;) {
    const pair = word.slice(at, at + 2);
    const part = pair.length === 2 && pair in table ? pair : word[at];
    out += table[part] ?? part;
    at += part.length;
  }
  return out;
}

/**
 * Return the Latin spellings of a word in small letters, without repetition; none for a word in Latin letters, except one with
 * nasal vowels.
 * @param {string} raw
 * @returns {string[]}
 */
export function spellings(raw) {
  if (/[ąę]/.test(raw)) return [folded(raw), folded(written(raw, NASALS))];
  const word = [...raw].map((letter) => (letter in CYRILLIC ? letter : folded(letter))).join("");
  if (![...word].some((letter) => letter in CYRILLIC || letter in OTHER)) return [];
  const found = SCHEMES.map((scheme) => written(word, { ...CYRILLIC, ...OTHER, ...scheme }));
  if (word[0] in INITIAL) {
    found.push(...SCHEMES.map((scheme) => INITIAL[word[0]] + written(word.slice(1), { ...CYRILLIC, ...scheme })));
  }
  found.push(written(word, { ...CYRILLIC, ...OTHER, ...GREEK }));
  return [...new Set(found)];
}

/**
 * Return whether all letters of a text are Latin ones.
 * @param {string} text
 */
export const inLatin = (text) => /^[\p{sc=Latin}\P{L}]*$/u.test(text);

/**
 * Return a name in Latin letters as FIDE spells it; "" for a name in Latin letters, or if a letter is not known.
 * @param {string} name
 */
export function latinForm(name) {
  if (inLatin(name)) return "";
  const found = name.normalize("NFC").replace(/[\p{L}\p{N}]+/gu, (word) => {
    const [way] = inLatin(word) ? [] : spellings(word.toLowerCase());
    return way === undefined ? word : way.charAt(0).toUpperCase() + way.slice(1);
  });
  return inLatin(found) ? found : "";
}

/**
 * Return how a word in small Latin letters may sound, in rough classes: Hryhorii and Grigorij are the same.
 * @param {string} word
 */
const sounds = (word) => [
  ...new Set(
    [word, word.replaceAll("ch", "h")].map((way) =>
      STEPS.reduce((text, [pattern, to]) => text.replace(pattern, to), way)
    ),
  ),
];

/**
 * A word as it is compared: its spellings, and how they sound.
 * @typedef {{ plain: string, ways: string[], sounds?: string[] }} Word
 */

/** @type {Map<string, Word>} */
const known = new Map(); // the words of all rows are spelled once

/**
 * @param {string} text
 * @returns {Word}
 */
function wordOf(text) {
  let word = known.get(text);
  if (!word) {
    const plain = folded(text);
    word = { plain, ways: [plain, .../^[a-z\d]*$/.test(text) ? [] : spellings(text)] };
    known.set(text, word);
  }
  return word;
}

const soundsOf = (/** @type {Word} */ word) =>
  word.sounds ??= (word.ways.length > 1 ? word.ways.slice(1) : word.ways).flatMap(sounds);

/** @type {(ways: string[], typed: string[]) => boolean} */
const begins = (ways, typed) => ways.some((way) => typed.some((start) => way.startsWith(start)));

/**
 * Return for each row whether it matches the search: every word begins a word of the row, and a number is a whole word. A name
 * in another script matches by each of its spellings, a Chinese, Japanese or Korean one by any part. If no row matches, names that may sound like the search do, if more than
 * one sound of it is left.
 * @param {string[]} keys the words of each row
 * @param {string} text as the visitor typed it
 * @returns {{ hits: boolean[], similar: boolean }} similar: the names only sound like the search
 */
export function matching(keys, text) {
  const typed = (text.toLowerCase().normalize("NFC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])
    .map(wordOf).filter(({ plain }) => plain !== "");
  const glued = typed.some(({ plain }) => GLUED.test(plain));
  const partsOf = (
    /** @type {string} */ key,
  ) => [...key.trim().split(" "), ...(glued ? [key.replaceAll(" ", "")] : [])];
  const rows = typed.length ? keys.map((key) => partsOf(key).map(wordOf)) : [];
  const ways = [
    (/** @type {Word} */ word, /** @type {Word} */ wanted) =>
      GLUED.test(wanted.plain) ? word.plain.includes(wanted.plain) : begins(word.ways, wanted.ways),
    (/** @type {Word} */ word, /** @type {Word} */ wanted) =>
      begins(soundsOf(word), soundsOf(wanted).filter((sound) => sound.length > 1)),
  ];
  for (const [place, way] of ways.entries()) {
    const hits = rows.map((words) =>
      typed.every((wanted) =>
        words.some((word) => (isNumber(wanted.plain) ? word.plain === wanted.plain : way(word, wanted)))
      )
    );
    if (hits.includes(true)) return { hits, similar: place > 0 };
  }
  return { hits: keys.map(() => typed.length === 0), similar: false };
}
