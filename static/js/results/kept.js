// Typed results that are not saved yet, kept in this browser: a reload or a closed tab loses nothing. There is one entry for
// each game and kind of move, under the person and the round. So two tabs do not overwrite each other, a round that was
// paired again gets no results of the old one, and nobody sends what somebody else typed.

const BASE = "evenboard:typed:";

export class Kept {
  /**
   * @param {string} user
   * @param {string} round
   */
  constructor(user, round) {
    this.user = `${BASE}${user}:`;
    this.prefix = `${this.user}${round}:`;
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
   * Remove the item. Another tab may have a newer entry for the game; that entry stays.
   * @param {Item} item
   */
  drop(item) {
    if (this.read(this.key(item))?.typed === item.typed) localStorage.removeItem(this.key(item));
  }

  /** @param {Item} item */
  holds(item) {
    return !this.works || this.read(this.key(item)) !== null;
  }

  // All entries of this round, in the order of typing.
  all() {
    return this.under(this.prefix);
  }

  /**
   * The entries of this person for other rounds, by their prefix.
   * @returns {Map<string, Item[]>}
   */
  elsewhere() {
    const rounds = new Map();
    for (const item of this.under(this.user)) {
      const prefix = `${this.user}${item.round}:`;
      if (prefix === this.prefix) continue;
      rounds.set(prefix, [...(rounds.get(prefix) ?? []), item]);
    }
    return rounds;
  }

  /** @param {string} prefix */
  forget(prefix) {
    for (const key of this.keys(prefix)) localStorage.removeItem(key);
  }

  /** @param {Item} item */
  key(item) {
    return `${this.prefix}${item.game}:${item.kind}`;
  }

  /** @param {string} prefix */
  keys(prefix) {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    } catch {
      return [];
    }
  }

  /** @param {string} prefix */
  under(prefix) {
    return this.keys(prefix)
      .map((key) => this.read(key))
      .filter((item) => item !== null)
      .sort((a, b) => a.typed - b.typed);
  }

  /**
   * @param {string} key
   * @returns {Item | null}
   */
  read(key) {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "null") || null;
    } catch {
      return null;
    }
  }
}
