// Sends what was typed to the server, one item after another in the order of typing, until the server has answered each. An item
// is a result, or a mark of the check-in or the desk.

const TIMEOUT = 15000;
const TURN = 250; // milliseconds before this tab asks again whether another one has sent its result of the game
const LATER = [408, 425, 429]; // the server asks to try again
const LONGEST_WAIT = 3000; // about how long an arbiter trusts the word "queued"

// The server answered, but could not save.
class Unsaved extends Error {
  /** @param {string} why the reason that the server gave, "" for nothing */
  constructor(why) {
    super("server");
    this.why = why;
  }
}

/** @typedef {(sent: Item) => void} Outcome what to do with the item, now that the server has answered */

/**
 * Return how many milliseconds ago a mark was made. The server needs the age and not the time, because the clock of a phone may be
 * wrong. performance.now() stops in some browsers while the phone sleeps, so the larger of the two differences is right.
 * @param {Item} item
 */
const age = ({ typed, opened, since = 0 }) =>
  Math.round(Math.max(0, Date.now() - typed, opened === performance.timeOrigin ? performance.now() - since : 0));

export class Queue {
  /**
   * @param {object} options
   * @param {string} options.user who typed
   * @param {Keeper} options.kept
   * @param {string} options.token the CSRF token
   * @param {Answers} options.notify
   */
  constructor({ user, kept, token, notify }) {
    this.user = user;
    this.kept = kept;
    this.token = token;
    this.notify = notify;
    this.items = /** @type {Item[]} */ ([]);
    this.sending = /** @type {Item | null} */ (null);
    this.waiting = 0; // milliseconds until the next try, while the server does not answer
    this.why = ""; // the reason of the server when it could not save, such as a full disk
    this.shut = ""; // "ended": nobody is logged in here; "other": somebody else is
    this.timer = 0;
    this.late = false; // some items could not be sent at once
  }

  get length() {
    return this.items.length;
  }

  /** @param {string} game */
  has(game) {
    return this.items.some((item) => item.game === game);
  }

  /**
   * Add an item and send it. It replaces an item of its kind that waits for the game, unless that is being sent.
   * @param {Item} item
   */
  add(item) {
    const former = this.items.find((each) =>
      each.game === item.game && each.kind === item.kind && each !== this.sending
    );
    if (former) Object.assign(former, item, { version: former.version });
    else this.items.push(item);
    this.kept.put(former ?? item);
    this.notify.waits?.();
    this.send();
  }

  /**
   * Add items that another visit or tab has left. Their version may be old; then the server refuses them like any other.
   * @param {Item[]} items
   */
  restore(items) {
    for (const item of items) {
      const known = this.items.some((each) => each.game === item.game && each.kind === item.kind);
      if (!known && item.to) this.items.push({ ...item, restored: true });
    }
    this.late ||= this.items.length > 0;
    this.send();
  }

  /**
   * Let go of items that the person has deleted.
   * @param {Item[]} items
   */
  forget(items) {
    const gone = (/** @type {Item} */ item) =>
      items.some((each) => each.game === item.game && each.kind === item.kind && each.typed === item.typed);
    this.items = this.items.filter((item) => item === this.sending || !gone(item));
    this.notify.changed();
  }

  /**
   * Let go of a mark that was never sent, and return whether it was not: one that was may have arrived, and its answer was lost.
   * @param {Item} item
   */
  takeBack(item) {
    const waits = this.items.find((each) => each.game === item.game && each.kind === item.kind);
    if (!waits || waits === this.sending || (this.kept.read(waits)?.tried ?? waits.tried)) return false;
    this.kept.drop(waits);
    this.forget([waits]);
    return true;
  }

  async send() {
    clearTimeout(this.timer);
    if (this.sending || !this.items.length) return;
    const item = this.items[0];
    if (item.restored) {
      const now = this.kept.read(item);
      if (!now) { // another tab has sent it
        this.items.shift();
        this.notify.sent(item);
        this.send();
        return;
      }
      Object.assign(item, now);
    }
    if (!item.fields) {
      const made = this.kept.begin(item.game);
      if (made === null) {
        this.timer = setTimeout(() => this.send(), TURN);
        return;
      }
      item.version = Math.max(item.version, made);
    }
    this.sending = item;
    const sent = { ...item };
    if (item.fields) {
      item.tried = true;
      this.kept.note(item, { tried: true });
    }
    let done = /** @type {Outcome | null} */ (null);
    try {
      done = await this.post(item);
      this.waiting = 0;
      this.why = "";
    } catch (problem) {
      this.why = problem instanceof Unsaved ? problem.why : "";
      this.late = true;
      this.waiting = Math.min((this.waiting || 250) * 2, LONGEST_WAIT);
      this.timer = setTimeout(() => this.send(), this.waiting);
    }
    this.sending = null;
    if (!item.fields) this.kept.end(item.game, 0);
    if (done) {
      this.items.shift();
      done(sent);
    }
    if (!this.items.length) this.late = false;
    this.notify.changed();
    if (done || (!this.waiting && !this.shut)) this.send();
  }

  /**
   * Return the request that sends the item. It goes on when the page is left.
   * @param {Item} item
   * @param {AbortSignal | null} signal null: nobody waits for the answer
   * @returns {RequestInit}
   */
  request(item, signal = null) {
    const body = new URLSearchParams({
      user: this.user,
      ...(item.fields
        ? { ...item.fields, ago: String(age(item)), waited: this.late ? "yes" : "" }
        : { result: item.value, version: String(item.version), answer: item.answer ?? "" }), // an older page kept no answer
    });
    const headers = { "X-CSRFToken": this.token, Accept: "application/json" };
    return { method: "POST", body, headers, keepalive: true, signal };
  }

  /** The page is left: send all that waits at once. Nobody reads the answers; the next page sends again what has none. */
  leave() {
    const games = new Set(this.sending ? [this.sending.game] : []);
    for (const item of this.items) {
      if (item === this.sending || games.has(item.game) || !item.to) continue;
      games.add(item.game); // a later item for the game needs the version of the answer
      fetch(item.to, this.request(item)).catch(() => {});
    }
  }

  /**
   * Send the item. Return what to do with the answer, null if the item must wait. Throw an error if the server does not
   * answer.
   * @param {Item} item
   * @returns {Promise<Outcome | null>}
   */
  async post(item) {
    const answer = await fetch(item.to ?? "", this.request(item, AbortSignal.timeout(TIMEOUT)));
    if (answer.status >= 500 || LATER.includes(answer.status)) {
      const failure = answer.headers.has("X-Failure") ? await answer.json().catch(() => null) : null;
      throw new Unsaved(failure?.title ?? "");
    }
    const reply = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
    if (answer.ok && !reply) throw new Unsaved(""); // not our server: a network that wants a login answers anything
    if (answer.status === 403 && (reply?.code === "other_user" || !reply) && (await this.waits(item, reply))) {
      return null;
    }
    this.shut = "";
    if (answer.ok) return (sent) => this.settle(sent, reply);
    if (reply?.code === "stale_result" || reply?.code === "adjourned_to_confirm" || reply?.differs) {
      return (sent) => { // stays in the browser until somebody decides
        this.kept.note(sent, {
          decide: true,
          ...(reply.stands?.second === sent.value && { reading: reply.stands.version }),
          ...(reply.differs && { refusal: { ...reply, status: answer.status } }),
        });
        this.notify.clash(sent, reply);
      };
    }
    return (sent) => { // stays until the person has corrected the result, or deletes it
      if (sent.kind === "over") this.kept.drop(sent);
      else this.kept.note(sent, { refusal: { ...reply, status: answer.status } });
      this.notify.refused(sent, reply, answer.status);
    };
  }

  /**
   * @param {Item} item
   * @param {Board} board
   */
  settle(item, board) {
    this.kept.drop(item);
    if (!item.fields) this.kept.end(item.game, board.version);
    for (const later of this.items) {
      if (later.game !== item.game) continue;
      later.version = board.version; // the same person typed it after this one
      this.kept.put(later);
    }
    this.notify.settled(item, board);
  }

  /**
   * Return whether the item must wait after a refusal without a reason: if nobody or somebody else is logged in, or if the
   * token of the page belonged to another login.
   * @param {Item} item
   * @param {Refusal | null} refusal
   */
  async waits(item, refusal) {
    const { session, state: now } = refusal?.code === "other_user"
      ? { session: true, state: null }
      : await this.ask(item.state ?? item.url);
    const former = this.shut;
    this.shut = !session ? "ended" : refusal || (now && String(now.user) !== this.user) ? "other" : "";
    if (this.shut) {
      if (former !== this.shut) this.notify.shut(this.shut);
      this.timer = setTimeout(() => this.send(), 3000);
      return true;
    }
    if (!now || item.again) return false;
    this.token = now.token;
    item.again = true;
    return true;
  }

  /**
   * Ask the server about a round. Its answer also says who is logged in.
   * @param {string} url of the round
   * @param {string | number} seen the revision of the page, "" for none
   * @returns {Promise<{ session: boolean, state: RoundState | null, gone: boolean }>}
   */
  async ask(url, seen = "") {
    const answer = await fetch(`${url}?seen=${seen}`, {
      headers: { Accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const json = answer.headers.get("Content-Type")?.includes("json");
    return {
      session: answer.type !== "opaqueredirect",
      state: answer.ok && json ? await answer.json() : null,
      gone: answer.status === 404,
    };
  }
}
