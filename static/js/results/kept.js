// What was typed and is not saved yet, kept in this browser: a reload or a closed tab loses nothing.
// One entry for each game and kind of move, under the person and the round, so that two tabs do not write over each
// other, a round that was paired anew gets nothing of the old one, and nobody sends what somebody else typed.

const BASE = "evenboard:typed:";

export class Kept {
  constructor(user, round) {
    this.user = `${BASE}${user}:`;
    this.prefix = `${this.user}${round}:`;
    try {
      localStorage.setItem(`${BASE}probe`, "1");
      localStorage.removeItem(`${BASE}probe`);
      this.works = true;
    } catch {
      this.works = false; // switched off, or full: the page keeps the queue as long as it is open
    }
  }

  put(item) {
    try {
      localStorage.setItem(this.key(item), JSON.stringify(item));
    } catch {
      this.works = false;
    }
  }

  // Another tab may have typed something newer for the game meanwhile: that stays.
  drop(item) {
    if (this.read(this.key(item))?.typed === item.typed) localStorage.removeItem(this.key(item));
  }

  holds(item) {
    return !this.works || this.read(this.key(item)) !== null;
  }

  // Everything typed for this round, in the order of typing.
  all() {
    return this.under(this.prefix);
  }

  // What this person typed for other rounds, by round: Map(prefix -> items).
  elsewhere() {
    const rounds = new Map();
    for (const item of this.under(this.user)) {
      const prefix = `${this.user}${item.round}:`;
      if (prefix === this.prefix) continue;
      rounds.set(prefix, [...(rounds.get(prefix) ?? []), item]);
    }
    return rounds;
  }

  forget(prefix) {
    for (const key of this.keys(prefix)) localStorage.removeItem(key);
  }

  key(item) {
    return `${this.prefix}${item.game}:${item.kind}`;
  }

  keys(prefix) {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    } catch {
      return [];
    }
  }

  under(prefix) {
    return this.keys(prefix)
      .map((key) => this.read(key))
      .filter(Boolean)
      .sort((a, b) => a.typed - b.typed);
  }

  read(key) {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null;
    }
  }
}
