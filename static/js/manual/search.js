// Which passages of the manual match what somebody typed, the best first.

import { folded, found } from "../folding.js";

/** @typedef {{ at: string, chapter: string, title: string, text: string }} Passage */
/** @typedef {Passage & { titleKey: string, chapterKey: string, key: string }} Ready */

export const MOST = 12;
const AROUND = 160; // characters of a passage that are shown

/**
 * Return the passages with the words by which they are found.
 * @param {Passage[]} passages
 * @returns {Ready[]}
 */
export const ready = (passages) =>
  passages.map((each) => {
    const [titleKey, chapterKey] = [each.title, each.chapter].map((text) => ` ${folded(text)} `);
    return { ...each, titleKey, chapterKey, key: `${titleKey}${chapterKey}${folded(each.text)} ` };
  });

/**
 * Return the passages in which most of the typed words begin a word: all words if any passage has them all. A word counts
 * most in the heading of the passage, then in that of its chapter, then as often as the text has it; otherwise the order
 * of the manual stays.
 * @param {Ready[]} passages
 * @param {string} typed
 */
export function search(passages, typed) {
  const words = folded(typed).split(" ").filter(Boolean).map(stem);
  const hits = passages.map((passage) => ({
    passage,
    has: words.filter((word) => found(passage.key, [word])).length,
    score: words.reduce((sum, word) => sum + weight(passage, word), 0),
  }));
  const most = Math.max(1, ...hits.map(({ has }) => has));
  return hits.filter(({ has }) => has === most)
    .sort((one, other) => other.score - one.score).slice(0, MOST).map(({ passage }) => passage);
}

/**
 * Return a word without the ending that another form of it may not have: entry and entries, pairing and paired.
 * @param {string} word
 */
const stem = (word) => word.replace(/(?<=.{4})(ies|y|es|e|s|ed|ing)$/, "");

/**
 * @param {Ready} passage
 * @param {string} word
 */
const weight = ({ titleKey, chapterKey, key }, word) =>
  8 * Number(found(titleKey, [word])) + 2 * Number(found(chapterKey, [word])) +
  Math.min(key.split(` ${word}`).length - 1, 5);

/**
 * Return the part of a text that has the first of the typed words.
 * @param {string} text
 * @param {string} typed
 */
export function excerpt(text, typed) {
  const [first = ""] = folded(typed).split(" ").map(stem);
  const sentences = text.split(/(?<=[.:?]) /);
  const at = Math.max(0, sentences.findIndex((each) => found(` ${folded(each)} `, [first])));
  const shown = sentences.slice(at).join(" ");
  return shown.length > AROUND ? `${shown.slice(0, AROUND).replace(/\s\S*$/, "")} …` : shown;
}
