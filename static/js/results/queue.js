// Sends what was typed to the server, one item after another in the order of typing, until the server has answered each.

const TIMEOUT = 15000;
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

export class Queue {
  /**
   * @param {object} options
   * @param {string} options.user who typed
   * @param {Keeper} options.kept
   * @param {string} options.token the CSRF token
   * @param {string} options.device the name of this browser
   * @param {Answers} options.notify
   */
  constructor({ user, kept, token, device, notify }) {
    this.user = user;
    this.kept = kept;
    this.token = token;
    this.device = device;
    this.notify = notify;
    this.items = /** @type {Item[]} */ ([]);
    this.sending = /** @type {Item | null} */ (null);
    this.waiting = 0; // milliseconds until the next try, while the server does not answer
    this.why = ""; // the reason of the server when it could not save, such as a full disk
    this.shut = ""; // "ended": nobody is logged in here; "other": somebody else is
    this.timer = 0;
    this.late = false; // some items could not be sent at once: the server learns how many still wait
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
    if (former) Object.assign(former, { value: item.value, typed: item.typed, answer: item.answer });
    else this.items.push(item);
    this.kept.put(former ?? item);
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
      Object.assign(item, { value: now.value, typed: now.typed, version: now.version });
    }
    this.sending = item;
    const sent = { value: item.value, typed: item.typed };
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
    if (done) {
      this.items.shift();
      done({ ...item, ...sent });
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
      result: item.value,
      version: String(item.version),
      user: this.user,
      answer: item.answer ?? "", // an older version of this page kept none
    });
    if (signal && this.late) {
      body.set("device", this.device);
      body.set("waiting", String(this.items.filter((each) => each !== item && each.round === item.round).length));
    }
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
    if (reply?.code === "stale_result" || reply?.code === "adjourned_to_confirm") {
      return (sent) => { // stays in the browser until somebody decides
        this.kept.note(sent, { decide: true });
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
      : await this.ask(item.url);
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
