// The players that this device remembers in each section: those whom the visitor follows. One of them may be "me". They are
// kept in the browser's storage. The server never learns of them.

/** @typedef {{ key: string, name: string, me: boolean }} Person */

const KEY = /^[1-9]\d{0,14}$/;
const MOST = 50; // players in one section
const place = (/** @type {string} */ section) => `players-${section}`;

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
 * @param {string} section
 * @param {Person[]} list
 */
function keep(section, list) {
  try {
    if (list.length) localStorage.setItem(place(section), JSON.stringify(list.slice(0, MOST)));
    else localStorage.removeItem(place(section));
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
  keep(section, [...others.map((each) => (person.me ? { ...each, me: false } : each)), person]);
}

/**
 * @param {string} section
 * @param {string} key
 */
export function forget(section, key) {
  keep(section, people(section).filter((each) => each.key !== key));
}

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
