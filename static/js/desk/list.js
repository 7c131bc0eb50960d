// The list of the players that the desk keeps on this device, of one person and one event. It goes when the person logs out and
// when the event is over. What was noted waits in waiting_on_devices/kept.js.

const LISTS = "evenboard:desk:list:";

/**
 * @param {string} key
 * @returns {DeskList | null}
 */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function keys() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(LISTS));
  } catch {
    return []; // storage is switched off
  }
}

let left = false; // the person has logged out: an answer that comes now is not kept

/** Delete the lists of all events: nobody is logged in here any more. */
export function forgetLists() {
  left = true;
  for (const key of keys()) localStorage.removeItem(key);
}

/**
 * Delete lists of events that are over.
 * @param {number} now
 */
export function forgetOldLists(now) {
  for (const key of keys()) {
    if (!((read(key)?.until ?? 0) > now)) localStorage.removeItem(key);
  }
}

/**
 * @param {string} user
 * @param {string} event
 */
export const keptList = (user, event) => read(`${LISTS}${user}:${event}`);

/**
 * @param {string} user
 * @param {string} event
 * @param {DeskList | null} list null: the person may not see it any more
 */
export function keepList(user, event, list) {
  try {
    if (!list) localStorage.removeItem(`${LISTS}${user}:${event}`);
    else if (!left) localStorage.setItem(`${LISTS}${user}:${event}`, JSON.stringify(list));
  } catch {
    // storage is switched off or full: only the open page knows it
  }
}
