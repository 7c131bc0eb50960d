// Which passages of the manual match what somebody typed, the best first. The server does the same with the same index
// (manual/search.py), for browsers without scripts; a test compares both.

import { folded } from "../folding.js";

/** @typedef {{ at: string, chapter: string, title: string, text: string, language: string }} Passage */
/** @typedef {{ passages: Passage[], words: Record<string, number[]>, little: string, endings: string }} Index */

const MOST = 12;
const LONGEST = 200;
const AROUND = 160; // characters of a passage that are shown
const RARE = 9; // a word counts less by one, each time twice as many passages have it

/**
 * Return the passages in which most of the typed words begin a word. With three words or more, one may be missing. A word
 * that begins none may have one wrong letter.
 * @param {Index} index
 * @param {string} typed
 * @returns {Passage[]} with the part of the text that has one of the words
 */
export function search(index, typed) {
  const words = askedWords(index, typed);
  /** @type {Map<number, { has: number, score: number }>} */
  const hits = new Map();
  for (const word of words) {
    const found = best(index.words, word);
    const rare = RARE - (32 - Math.clz32(found.size));
    for (const [number, weight] of found) {
      const { has, score } = hits.get(number) ?? { has: 0, score: 0 };
      hits.set(number, { has: has + 1, score: score + weight * Math.max(rare, 1) });
    }
  }
  const least = Math.max(0, ...[...hits.values()].map(({ has }) => has)) - Number(words.length > 2);
  return [...hits].filter(([, { has }]) => has >= least)
    .sort(([one, a], [other, b]) => b.score - a.score || one - other).slice(0, MOST)
    .flatMap(([number]) => index.passages[number] ?? [])
    .map((each) => ({ ...each, text: excerpt(each.text, words) }));
}

/**
 * Return the typed words without the little ones, if there are others, and without their endings.
 * @param {Index} index
 * @param {string} typed
 */
function askedWords({ little, endings }, typed) {
  const words = folded([...typed].slice(0, LONGEST).join("")).split(" ").filter(Boolean);
  const none = little.split(" ");
  const kept = words.filter((word) => !none.includes(word));
  const ending = new RegExp(`(?<=.{4})(?:${endings})$`);
  return [...new Set((kept.length ? kept : words).map((word) => word.replace(ending, "")))];
}

/**
 * Return how much a word counts in each passage. The same word counts three times as much as one that only begins with it.
 * @param {Record<string, number[]>} words
 * @param {string} word
 */
function best(words, word) {
  const all = Object.keys(words);
  let keys = all.filter((key) => key.startsWith(word));
  if (!keys.length && word.length > 3) keys = all.filter((key) => isNear(key, word));
  /** @type {Map<number, number>} */
  const found = new Map();
  for (const key of keys) {
    const flat = words[key] ?? [];
    for (let at = 0; at < flat.length; at += 2) {
      const [number = 0, weight = 0] = flat.slice(at, at + 2);
      found.set(number, Math.max(found.get(number) ?? 0, weight * (key === word ? 3 : 1)));
    }
  }
  return found;
}

/**
 * Return whether one letter is wrong, missing or too many, or two letters are exchanged.
 * @param {string} one
 * @param {string} other
 */
function isNear(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < Math.min(one.length, other.length) && one[at] === other[at]) at += 1;
  const [a, b] = [one.slice(at), other.slice(at)];
  return a.slice(1) === b.slice(1) || a === b.slice(1) || a.slice(1) === b ||
    (a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0]);
}

/**
 * Return the part of a text that begins with the first sentence that has one of the words.
 * @param {string} text
 * @param {string[]} words
 */
function excerpt(text, words) {
  const sentences = text.split(/(?<=[.:?]) /);
  const has = (/** @type {string} */ each) => words.some((word) => ` ${folded(each)}`.includes(` ${word}`));
  const shown = sentences.slice(Math.max(0, sentences.findIndex(has))).join(" ");
  return shown.length > AROUND ? `${shown.slice(0, AROUND).replace(/\s\S*$/, "")} …` : shown;
}
