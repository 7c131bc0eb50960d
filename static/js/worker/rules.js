// What the service worker decides: which requests concern it, which answers it keeps, and which of them go when there are too
// many. docs/decisions/0068-pages-without-a-network.md has the reasons.

/** @typedef {"page" | "desk" | "file" | "login" | "manual" | "other"} Kind */
/** @typedef {{ url: string, at: number, bytes: number }} Kept */

export const MOST = 30; // pages on one device
export const BYTES = 5_000_000; // of all of them
export const LONGEST = 1_000_000; // characters of a page that is kept
const LOGIN = /^(?:\/[a-z]{2})?\/(?:login|logout|invitation|sign-up)\//;
const HASHED = /^\/static\/.+\.[0-9a-f]{12}\.[a-z0-9]+$/; // such a file never changes
const DESK = /^(?:\/[a-z]{2})?\/[^/]+\/-\/registration\/desk\/$/;
const MANUAL = /^(?:\/[a-z]{2})?\/site\/manual\//;
export const KEPT_MANUAL = "evenboard-manual"; // the cache that static/js/manual.js fills
const AT = "X-Kept-At";
export const NOT_HERE = "#not-here"; // behind the address of a page whose reader wanted another one; static/js/app.js reads it

/**
 * Return what a request is to the worker: a page, the desk of registrations, a file of the program, a part of the manual, a form by
 * which a person logs in or out, or something that it leaves alone, such as a question for news.
 * @param {{ url: string, method: string, mode: string }} request
 * @param {string} origin
 * @returns {Kind}
 */
export function kindOf({ url, method, mode }, origin) {
  const address = new URL(url);
  if (address.origin !== origin) return "other";
  if (method === "POST" && LOGIN.test(address.pathname)) return "login";
  if (method !== "GET") return "other";
  if (HASHED.test(address.pathname)) return "file";
  if (MANUAL.test(address.pathname)) return "manual";
  if (mode !== "navigate") return "other";
  return DESK.test(address.pathname) ? "desk" : "page";
}

/**
 * Return how many milliseconds a page may take before the kept one is shown. Somebody who loads a page again wants a new one.
 * @param {string} cache the way in which the browser asks
 */
export const patience = (cache) => (cache === "default" ? 3000 : 20_000);

/**
 * Return whether an answer has failed on its way: a proxy in front of the program did not reach it.
 * @param {{ status: number }} answer
 */
export const isLost = ({ status }) => status === 502 || status === 504;

/**
 * Return whether the answer is a page that is the same for everybody. It must come directly from its address.
 * @param {Response} answer
 */
export const isForAll = (answer) =>
  answer.status === 200 && !answer.redirected && answer.type !== "opaqueredirect" &&
  /(?:^|[\s,])public(?:[\s,]|$)/.test(answer.headers.get("Cache-Control") ?? "") &&
  (answer.headers.get("Content-Type") ?? "").startsWith("text/html");

/**
 * Return whether the answer is the desk without a player on it: what the device keeps belongs to the person who is logged in. The
 * players are kept apart (static/js/desk/list.js).
 * @param {string} url
 * @param {Response} answer
 */
export const isBareDesk = (url, answer) => answer.status === 200 && !answer.redirected && new URL(url).search === "";

/**
 * Return whether the page can say how old it is. One that cannot is not kept: nobody would notice its age.
 * @param {string} html
 */
export const saysItsAge = (html) => html.length <= LONGEST && html.includes("data-kept-words");

/**
 * Return the addresses that a page names, such as those of its styles and scripts.
 * @param {string} html
 * @param {string} address of the page
 */
export const filesOf = (html, address) =>
  [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].map(([, url]) => url).filter((url) => URL.canParse(url, address))
    .map((url) => new URL(url, address).href);

/**
 * Return the answer as it is kept, with the time at which it came, and with the policy that keeps foreign scripts out.
 * @param {string} html
 * @param {number} now
 * @param {Headers} [headers] of the answer
 */
export function withTime(html, now, headers) {
  const policy = headers?.get("Content-Security-Policy");
  return new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      [AT]: String(now),
      ...(policy && { "Content-Security-Policy": policy }),
    },
  });
}

/**
 * Return the kept page as it is shown: its first element says when it came.
 * @param {string} html
 * @param {Headers} headers of the kept answer
 */
export const withAge = (html, headers) => html.replace("<html", `<html data-kept="${Number(headers.get(AT))}"`);

/**
 * Return when the answer was kept, in milliseconds; 0 if it does not say.
 * @param {Headers} headers
 */
export const keptAt = (headers) => Number(headers.get(AT) ?? 0);

/**
 * Return the addresses of those that must go, the oldest first, so that the others are few and small enough.
 * @param {Kept[]} kept
 * @param {number} most
 * @param {number} bytes
 */
export function surplus(kept, most, bytes) {
  let sum = 0;
  const newest = [...kept].sort((a, b) => b.at - a.at);
  const first = newest.findIndex((each, place) => place >= most || (sum += each.bytes) > bytes);
  return first < 0 ? [] : newest.slice(first).reverse().map((each) => each.url);
}

/**
 * Return where the page of an address may be kept: also behind the address of a section, which leads to its pairings or
 * to its players.
 * @param {string} url
 */
export function addresses(url) {
  const { origin, pathname, search } = new URL(url);
  const here = `${origin}${pathname}`;
  return [`${here}${search}`, ...(pathname.endsWith("/") ? [`${here}pairings/`, `${here}players/`] : [])];
}

/**
 * Return the notice that the server sent. Browsers demand that each message is shown, so one that is not ours is shown too.
 * A tap opens a page of this site, whatever the message says.
 * @param {string} message
 * @param {string} origin
 */
export function noticeOf(message, origin) {
  let sent;
  try {
    sent = JSON.parse(message);
  } catch {
    sent = {};
  }
  const { title, body, url, tag } = Object(sent);
  const page = new URL(typeof url === "string" && URL.canParse(url, origin) ? url : "/", origin);
  return {
    title: String(title ?? "Evenboard"),
    options: {
      body: String(body ?? ""),
      tag: String(tag ?? ""), // the notice of the next round replaces that of this round
      data: { url: page.origin === origin ? page.href : `${origin}/` },
    },
  };
}
