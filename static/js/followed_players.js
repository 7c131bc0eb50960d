// The players that this device remembers in each section: those whom the visitor follows. One of them may be "me". They are
// kept in the browser's storage. The server never learns of them.

/** @typedef {{ key: string, name: string, me: boolean }} Person */

const KEY = /^[1-9]\d{0,14}$/;
const MOST = 50; // players in one section
const place = (/** @type {string} */ section) => `players-${section}`;
const seats = (/** @type {string} */ section) => `seats-${section}`;
const SOON = 60_000; // milliseconds before a page was kept, in which it has asked for the games that belong to it

/**
 * Return the players that the device remembers in this section, "me" first.
 * @param {string} section
 * @returns {Person[]}
 */
export function people(section) {
  let kept;
  try {
    kept = JSON.parse(localStorage.getItem(place(section)) ?? "[]");
  } catch {
    return []; // the browser has no storage for this page, or somebody wrote something else there
  }
  if (!Array.isArray(kept)) return [];
  const found = kept.filter((each) => each && KEY.test(each.key)).map(({ key, name, me }) => ({
    key: String(key),
    name: String(name ?? ""),
    me: me === true,
  }));
  return [...found.filter((each) => each.me).slice(0, 1), ...found.filter((each) => !each.me)];
}

/** Return whether this browser lets the page remember anything. */
export function remembers() {
  try {
    localStorage.setItem("players", "");
    localStorage.removeItem("players");
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} name
 * @param {unknown[]} list
 */
function keep(name, list) {
  try {
    if (list.length) localStorage.setItem(name, JSON.stringify(list.slice(0, MOST)));
    else localStorage.removeItem(name);
  } catch {
    // Without storage, nothing is remembered.
  }
}

/**
 * Remember a player, or note a new name. Somebody else who was "me" is still followed.
 * @param {string} section
 * @param {Person} person
 */
export function remember(section, person) {
  const others = people(section).filter((each) => each.key !== person.key);
  keep(place(section), [...others.map((each) => (person.me ? { ...each, me: false } : each)), person]);
}

/**
 * @param {string} section
 * @param {string} key
 */
export function forget(section, key) {
  keep(place(section), people(section).filter((each) => each.key !== key));
  keep(seats(section), noted(section).filter((each) => !each.of.includes(`/seat/${key}/`)));
}

/**
 * Return the games that the device has noted in this section, the newest first.
 * @param {string} section
 * @returns {{ of: string, at: number, row: string }[]}
 */
function noted(section) {
  try {
    const found = JSON.parse(localStorage.getItem(seats(section)) ?? "[]");
    return Array.isArray(found) ? found.filter((each) => typeof each?.of === "string") : [];
  } catch {
    return [];
  }
}

/**
 * Note the game of a player for a page that is shown without a network.
 * @param {string} section
 * @param {string} of the address of the game and its round
 * @param {string} row as the server sent it
 */
export function noteSeat(section, of, row) {
  keep(seats(section), [{ of, at: Date.now(), row }, ...noted(section).filter((each) => each.of !== of)]);
}

/**
 * Return a game that was noted, if it is not older than the page. A page that was kept later asked again, so the game
 * may have changed since.
 * @param {string} section
 * @param {string} of
 * @param {number} kept when the page was kept
 */
export const notedSeat = (section, of, kept) =>
  noted(section).find((each) => each.of === of && each.at > kept - SOON)?.row;

/**
 * Take over the player of the cookie in which earlier versions of the program kept "me", and remove the cookie.
 * @param {string} section
 */
export function takeOver(section) {
  const name = `me-${section}`;
  const cookie = document.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
  if (cookie === undefined) return;
  document.cookie = `${name}=; Max-Age=0; Path=/; SameSite=Lax`;
  const key = cookie.slice(name.length + 1);
  if (KEY.test(key) && !people(section).some((each) => each.me)) remember(section, { key, name: "", me: true });
}
