// Sends the marks of the desk to the server, one after another in the order in which they were made, until it has answered each.

const TIMEOUT = 10_000;
const LONGEST_WAIT = 5000;

/** @typedef {import("./kept.js").Kept} Kept */
/**
 * @typedef {object} Notify
 * @property {(mark: DeskMark, answer: DeskAnswer) => void} answered the server has written it, or it waits for a decision
 * @property {(why: string) => void} shut nobody ("ended") or somebody else ("other") is logged in; "" if all is well
 * @property {() => void} changed
 * @property {() => Promise<string>} ask for news of the players, which brings a new token. Return as shut
 */

export class Queue {
  /**
   * @param {object} options
   * @param {string} options.user
   * @param {Kept} options.kept
   * @param {string} options.address of the marks, with 0 for the player
   * @param {string} options.token
   * @param {Notify} options.notify
   */
  constructor({ user, kept, address, token, notify }) {
    this.user = user;
    this.kept = kept;
    this.address = address;
    this.token = token;
    this.notify = notify;
    this.marks = kept.all();
    this.sending = /** @type {DeskMark | null} */ (null);
    this.wait = 0;
    this.timer = 0;
  }

  /** Return the marks that wait for a decision. */
  get undecided() {
    return this.marks.filter((mark) => mark.differs.length);
  }

  /** Return the marks that wait for the server. */
  get waiting() {
    return this.marks.filter((mark) => !mark.differs.length);
  }

  /** @param {DeskMark} mark */
  add(mark) {
    this.marks.push(mark);
    this.kept.put(mark);
    return this.send();
  }

  /**
   * Remove a mark that the server has not got. Return whether it had not.
   * @param {string} key
   */
  takeBack(key) {
    const mark = this.marks.find((each) => each.key === key);
    if (!mark || mark.tried) return false; // it may have arrived, and its answer was lost
    this.remove(mark);
    return true;
  }

  /** @param {DeskMark} mark */
  remove(mark) {
    this.marks = this.marks.filter((each) => each !== mark);
    this.kept.drop(mark);
    this.notify.changed();
  }

  /** @returns {Promise<void>} */
  async send() {
    clearTimeout(this.timer);
    const mark = this.waiting[0];
    if (this.sending || !mark) return;
    if (!this.kept.holds(mark)) { // another tab has sent it
      this.marks = this.marks.filter((each) => each !== mark);
      this.notify.changed();
      return this.send();
    }
    this.sending = mark;
    mark.tried = true;
    this.kept.put(mark);
    this.notify.changed();
    const answer = await this.post(mark).catch(() => null);
    this.sending = null;
    if (!answer) {
      this.wait = Math.min((this.wait || 250) * 2, LONGEST_WAIT);
      this.timer = setTimeout(() => this.send(), this.wait);
      for (const each of this.waiting.filter((one) => !one.waited)) {
        each.waited = true;
        this.kept.put(each);
      }
      return this.notify.changed();
    }
    this.wait = 0;
    if (mark.differs.length) this.kept.put(mark);
    else this.remove(mark);
    this.notify.answered(mark, answer);
    return this.send();
  }

  /**
   * Send the mark. Return the answer, null if the mark must wait. Throw an error if the server does not answer.
   * @param {DeskMark} mark
   * @param {boolean} again with a new token
   * @returns {Promise<DeskAnswer | null>}
   */
  async post(mark, again = false) {
    const fields = Object.entries(mark.fields).flatMap(([name, [shown, typed]]) => [
      [`shown_${name}`, shown],
      [name, typed],
    ]);
    const answer = await fetch(this.address.replace("/0/", `/${mark.id}/`), {
      method: "POST",
      body: new URLSearchParams([
        ...fields,
        ["do", mark.do],
        ["key", mark.key],
        ["user", this.user],
        ["owed", String(mark.owed)],
        ["paid", String(mark.paid)],
        ["undoes", mark.undoes],
        ["ago", String(Math.max(0, Math.round(Date.now() - mark.made)))],
        ["waited", mark.waited ? "yes" : ""],
      ]),
      keepalive: true, // also if the page is left now
      headers: { "X-CSRFToken": this.token, Accept: "application/json" },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (answer.status >= 500) throw new Error(String(answer.status));
    const isJson = answer.headers.get("Content-Type")?.includes("json");
    const reply = /** @type {DeskAnswer | null} */ (isJson ? await answer.json() : null);
    if (reply?.code === "other_user") {
      this.notify.shut("other");
      return null;
    }
    if (!reply && answer.status === 403) {
      const shut = await this.notify.ask();
      this.notify.shut(shut);
      return shut || again ? null : this.post(mark, true);
    }
    this.notify.shut("");
    if (answer.ok) return reply ?? {};
    mark.differs = Object.values(reply?.differs ?? {});
    if (!mark.differs.length) {
      mark.refused = true;
      mark.differs = [reply?.sentence ?? ""];
    }
    return { ...reply, differs: reply?.differs ?? {} };
  }
}
