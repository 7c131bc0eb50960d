// Sends what was typed to the server, one item after another in the order of typing, until the server has answered each.

const TIMEOUT = 15000;
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
   * @param {Record<Move | "state", string>} options.urls
   * @param {string} options.token the CSRF token
   * @param {Answers} options.notify
   */
  constructor({ user, kept, urls, token, notify }) {
    this.user = user;
    this.kept = kept;
    this.urls = urls;
    this.token = token;
    this.notify = notify;
    this.items = /** @type {Item[]} */ ([]);
    this.sending = /** @type {Item | null} */ (null);
    this.waiting = 0; // milliseconds until the next try, while the server does not answer
    this.why = ""; // the reason of the server when it could not save, such as a full disk
    this.shut = ""; // "ended": nobody is logged in here; "other": somebody else is
    this.timer = 0;
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
    if (former) Object.assign(former, { value: item.value, typed: item.typed, confirmed: item.confirmed });
    else this.items.push(item);
    this.kept.put(former ?? item);
    this.send();
  }

  /**
   * Add items from the last visit. Their version may be old; then the server refuses them like any other.
   * @param {Item[]} items
   */
  restore(items) {
    for (const item of items) this.items.push({ ...item, restored: true });
    this.send();
  }

  async send() {
    clearTimeout(this.timer);
    if (this.sending || !this.items.length) return;
    const item = this.items[0];
    if (item.restored && !this.kept.holds(item)) { // another tab has sent it
      this.items.shift();
      this.notify.sent(item);
      this.send();
      return;
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
      this.waiting = Math.min((this.waiting || 250) * 2, LONGEST_WAIT);
      this.timer = setTimeout(() => this.send(), this.waiting);
    }
    this.sending = null;
    if (done) {
      this.items.shift();
      done({ ...item, ...sent });
    }
    this.notify.changed();
    if (done || (!this.waiting && !this.shut)) this.send();
  }

  /**
   * Send the item. Return what to do with the answer, null if the item must wait. Throw an error if the server does not
   * answer.
   * @param {Item} item
   * @returns {Promise<Outcome | null>}
   */
  async post(item) {
    const answer = await fetch(this.urls[item.kind].replace("/0/", `/${item.game}/`), {
      method: "POST",
      body: new URLSearchParams({
        result: item.value,
        version: String(item.version),
        user: this.user,
        confirmed: item.confirmed ? "yes" : "",
      }),
      headers: { "X-CSRFToken": this.token, Accept: "application/json" },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (answer.status >= 500) {
      const failure = answer.headers.has("X-Failure") ? await answer.json().catch(() => null) : null;
      throw new Unsaved(failure?.title ?? "");
    }
    const reply = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
    if (answer.status === 403 && (reply?.code === "other_user" || !reply) && (await this.waits(item, reply))) {
      return null;
    }
    this.shut = "";
    if (answer.ok) return (sent) => this.settle(sent, reply);
    if (reply?.code === "stale_result" || reply?.code === "adjourned_to_confirm") {
      return (sent) => this.notify.clash(sent, reply); // stays in the browser until somebody decides
    }
    return (sent) => {
      this.kept.drop(sent);
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
      : await this.ask("");
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
   * Ask the server about the round. Its answer also says who is logged in.
   * @param {string | number} seen the revision of the page
   * @returns {Promise<{ session: boolean, state: RoundState | null, gone: boolean }>}
   */
  async ask(seen) {
    const answer = await fetch(`${this.urls.state}?seen=${seen}`, {
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
