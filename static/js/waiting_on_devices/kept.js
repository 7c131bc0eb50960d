// Results and marks that are not saved yet, kept in this browser: a reload or a closed tab loses nothing. There is one entry for
// each game or player and kind of move, under the person and the round. So two tabs do not overwrite each other, a round that
// was paired again gets no results of the old one, and nobody sends what somebody else typed.

const BASE = "evenboard:typed:";
const DEVICE = "evenboard:device";
const TURNS = "evenboard:turn:";
const AGO = 60_000; // milliseconds for which other tabs know what this one has saved; their pages have it by then
const STUCK = 16_000; // after which a tab that is sending counts as closed

export class Kept {
  /** @param {string} user "" if nobody is logged in: then all entries are those of others */
  constructor(user) {
    this.prefix = `${BASE}${user}:`;
    this.turns = `${TURNS}${user}:`;
    this.tab = Math.random();
    try {
      localStorage.setItem(`${BASE}probe`, "1");
      localStorage.removeItem(`${BASE}probe`);
      this.works = true;
    } catch {
      this.works = false; // storage is switched off or full: only the open page keeps the queue
    }
  }

  /** @param {Item} item */
  put(item) {
    try {
      localStorage.setItem(this.key(item), JSON.stringify(item));
    } catch {
      this.works = false;
    }
  }

  /**
   * Note what the server said of the item, unless another tab has a newer entry.
   * @param {Item} item
   * @param {Pick<Item, "decide" | "reading" | "refusal" | "tried">} answer
   */
  note(item, answer) {
    if (this.read(item)?.typed === item.typed) this.put({ ...item, ...answer });
  }

  /**
   * Remove the item. Another tab may have a newer entry for the game; that entry stays.
   * @param {Item} item
   */
  drop(item) {
    if (this.read(item)?.typed === item.typed) localStorage.removeItem(this.key(item));
  }

  /**
   * Return the entry of the item as it is now: another tab may have sent or changed it. Without storage, the item.
   * @param {Item} item
   */
  read(item) {
    return this.works ? entryOf(this.key(item)) : item;
  }

  /**
   * Begin to send a result of the game. All tabs of a person on one device are one typist: their results go one after another, and
   * a later one knows the version that an earlier one has made. Return that version, 0 for none; null while another tab sends.
   * @param {string} game
   */
  begin(game) {
    const { tab, at, version } = this.turn(game);
    if (tab && tab !== this.tab && Date.now() - at < STUCK) return null;
    this.take(game, { tab: this.tab, at: Date.now(), version });
    return version;
  }

  /**
   * End it.
   * @param {string} game
   * @param {number} made the version that the server has made, 0 for none
   */
  end(game, made) {
    this.take(game, { tab: 0, at: Date.now(), version: Math.max(made, this.turn(game).version) });
  }

  /**
   * @param {string} game
   * @returns {{ tab: number, at: number, version: number }}
   */
  turn(game) {
    const turn = readJson(this.turns + game);
    return turn && Date.now() - turn.at < AGO ? turn : { tab: 0, at: 0, version: 0 };
  }

  /**
   * @param {string} game
   * @param {{ tab: number, at: number, version: number }} turn
   */
  take(game, turn) {
    try {
      if (turn.tab || turn.version) localStorage.setItem(this.turns + game, JSON.stringify(turn));
      else localStorage.removeItem(this.turns + game);
    } catch {
      // without storage no tab knows of another one
    }
  }

  /** Return all entries of this person, in the order of typing. */
  all() {
    return this.entries((key) => key.startsWith(this.prefix));
  }

  /** Return the entries of other people who used this browser. */
  ofOthers() {
    return this.entries((key) => key.startsWith(BASE) && !key.startsWith(this.prefix));
  }

  /**
   * Delete entries of other people.
   * @param {Item[]} items
   */
  forgetOthers(items) {
    const typed = new Set(items.map((item) => `${item.typed} ${item.game}`));
    for (const key of keysOf((each) => each.startsWith(BASE) && !each.startsWith(this.prefix))) {
      const item = entryOf(key);
      if (item && typed.has(`${item.typed} ${item.game}`)) localStorage.removeItem(key);
    }
  }

  /** @param {Item} item */
  key(item) {
    return `${this.prefix}${item.round}:${item.game}:${item.kind}`;
  }

  /** @param {(key: string) => boolean} wanted */
  entries(wanted) {
    return keysOf(wanted).map(entryOf).filter((item) => item !== null).sort((a, b) => a.typed - b.typed);
  }
}

/** @param {(key: string) => boolean} wanted */
function keysOf(wanted) {
  try {
    return Object.keys(localStorage).filter(wanted);
  } catch {
    return [];
  }
}

/**
 * @param {string} key
 * @returns {Item | null}
 */
function entryOf(key) {
  const item = readJson(key);
  return item?.game ? item : null;
}

/**
 * @param {string} key
 * @returns {any}
 */
function readJson(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Delete marks that nobody has sent in time: they have names of players. Delete what other tabs need not know any more.
 * @param {number} now
 */
export function forgetOld(now) {
  for (const key of keysOf((each) => each.startsWith(TURNS))) {
    if (!(now - readJson(key)?.at < AGO)) localStorage.removeItem(key);
  }
  for (const key of keysOf((each) => each.startsWith(BASE))) {
    if ((entryOf(key)?.until ?? Infinity) < now) localStorage.removeItem(key);
  }
}

/** Return a name of this browser, by which the server tells it from the other ones of a person. */
export function deviceName() {
  try {
    const name = localStorage.getItem(DEVICE) ?? crypto.getRandomValues(new Uint32Array(4)).join("-");
    localStorage.setItem(DEVICE, name);
    return name;
  } catch {
    return "";
  }
}
