// Which passages of the manual match what somebody typed, the best first.

import { folded, found } from "../folding.js";

/** @typedef {{ at: string, chapter: string, title: string, text: string }} Passage */
/** @typedef {Passage & { titleKey: string, key: string }} Ready */

export const MOST = 12;
const AROUND = 160; // characters of a passage that are shown

/**
 * Return the passages with the words by which they are found.
 * @param {Passage[]} passages
 * @returns {Ready[]}
 */
export const ready = (passages) =>
  passages.map((each) => {
    const titleKey = ` ${folded(`${each.title} ${each.chapter}`)} `;
    return { ...each, titleKey, key: `${titleKey}${folded(each.text)} ` };
  });

/**
 * Return the passages in which each typed word begins a word. One whose heading has more of the words comes first;
 * otherwise the order of the manual stays.
 * @param {Ready[]} passages
 * @param {string} typed
 */
export function search(passages, typed) {
  const words = folded(typed).split(" ").filter(Boolean);
  if (!words.length) return [];
  const hits = passages.filter(({ key }) => found(key, words)).map((passage) => ({
    passage,
    score: words.filter((word) => found(passage.titleKey, [word])).length,
  }));
  return hits.sort((one, other) => other.score - one.score).slice(0, MOST).map(({ passage }) => passage);
}

/**
 * Return the part of a text that has the first of the typed words.
 * @param {string} text
 * @param {string} typed
 */
export function excerpt(text, typed) {
  const [first = ""] = folded(typed).split(" ");
  const sentences = text.split(/(?<=[.:?]) /);
  const at = Math.max(0, sentences.findIndex((each) => found(` ${folded(each)} `, [first])));
  const shown = sentences.slice(at).join(" ");
  return shown.length > AROUND ? `${shown.slice(0, AROUND).replace(/\s\S*$/, "")} …` : shown;
}
