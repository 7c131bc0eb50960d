// How old a page is that came without a network, in words.

import { counted, fill } from "./texts.js";

const MINUTE = 60_000;

/**
 * Return the sentence about a page that came at this time. words: texts of the page, from script_counts.py
 * @param {number} at
 * @param {number} now
 * @param {Record<string, string>} words
 * @param {string} language
 */
export function age(at, now, words, language) {
  const minutes = Math.max(0, Math.floor((now - at) / MINUTE));
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  const time = new Intl.DateTimeFormat(language, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(sameDay ? {} : { day: "numeric", month: "short" }),
  }).format(at);
  if (minutes < 1) return fill(words.now, { time });
  const [kind, n] = minutes < 60
    ? ["minutes", minutes]
    : minutes < 48 * 60
    ? ["hours", Math.floor(minutes / 60)]
    : ["days", Math.floor(minutes / 1440)];
  return counted(words[kind], { n, time });
}

/**
 * Return the milliseconds until the sentence changes.
 * @param {number} at
 * @param {number} now
 */
export const nextChange = (at, now) => MINUTE - (Math.max(0, now - at) % MINUTE);
