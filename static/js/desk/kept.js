// What the desk keeps on this device: the list of the players, and marks that the server has not confirmed. Both belong to one
// person and one event. The list goes when the person logs out and when the event is over; a mark stays until it is sent.

const BASE = "evenboard:desk:";
const LISTS = `${BASE}list:`;
const MARKS = `${BASE}mark:`;

/**
 * @param {string} start
 * @returns {string[]}
 */
function keys(start) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(start));
  } catch {
    return []; // storage is switched off
  }
}

/**
 * @param {string} key
 * @returns {any}
 */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

let left = false; // the person has logged out: an answer that comes now is not kept

/** Delete the lists of all events: nobody is logged in here any more. */
export function forgetLists() {
  left = true;
  for (const key of keys(LISTS)) localStorage.removeItem(key);
}

/**
 * Delete lists of events that are over, and marks that nobody has sent for a month after that.
 * @param {number} now
 */
export function forgetOld(now) {
  for (const key of keys(BASE)) {
    if (!((read(key)?.until ?? 0) > now)) localStorage.removeItem(key);
  }
}

export class Kept {
  /**
   * @param {string} user
   * @param {string} event
   */
  constructor(user, event) {
    this.place = `${LISTS}${user}:${event}`;
    this.marks = `${MARKS}${user}:${event}:`;
    this.works = this.write(`${BASE}probe`, { until: 0 });
    if (this.works) localStorage.removeItem(`${BASE}probe`);
  }

  /**
   * Return whether the value is stored.
   * @param {string} key
   * @param {object} value
   */
  write(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
      return true;
    } catch {
      return false; // switched off or full: only the open page knows it
    }
  }

  /** @returns {DeskList | null} */
  list() {
    return read(this.place);
  }

  /** @param {DeskList | null} list null: the person may not see it any more */
  keep(list) {
    if (!list) {
      if (this.works) localStorage.removeItem(this.place);
    } else if (!left) this.write(this.place, list);
  }

  /**
   * Return the marks in the order in which they were made.
   * @returns {DeskMark[]}
   */
  all() {
    return keys(this.marks).map(read).filter((mark) => mark !== null).sort((a, b) => a.made - b.made);
  }

  /** @param {DeskMark} mark */
  put(mark) {
    this.works = this.write(this.marks + mark.key, mark);
  }

  /** @param {DeskMark} mark */
  drop(mark) {
    if (this.works) localStorage.removeItem(this.marks + mark.key);
  }

  /**
   * Return whether the mark still waits: another tab may have sent it.
   * @param {DeskMark} mark
   */
  holds(mark) {
    return !this.works || read(this.marks + mark.key) !== null;
  }
}
