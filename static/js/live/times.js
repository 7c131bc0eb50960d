// Times that the page counts on: "12 min ago".

import { all, dataOf } from "../dom.js";
import { fill } from "../texts.js";

/**
 * Return how long ago the moment was, in the words of the page.
 * @param {Date} moment
 * @param {number} now milliseconds, as Date.now()
 * @param {Record<string, string>} words
 */
export function ago(moment, now, words) {
  const minutes = Math.max(0, Math.floor((now - moment.getTime()) / 60000));
  const text = minutes < 1 ? words.just : minutes < 60 ? words.minutes : words.hours;
  return fill(text ?? "", { h: Math.floor(minutes / 60), m: minutes % 60 });
}

/**
 * Write all times of the page again, and hide what has ended.
 * @param {Record<string, string>} words
 */
export function tick(words) {
  for (const each of all(document, "[data-since]")) {
    const text = ago(new Date(dataOf(each).since), Date.now(), words);
    if (each.textContent !== text) each.textContent = text;
  }
  for (const each of all(document, "[data-until]")) each.hidden = new Date(dataOf(each).until) < new Date();
}
