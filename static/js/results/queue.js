// What was typed goes to the server one after another, in the order of typing, until it has answered each.

const TIMEOUT = 15000;
const LONGEST_WAIT = 3000; // an arbiter looks at the pill that long before doubting it

// items: { game, kind: "record" | "confirm" | "over", value, version it was typed against, typed: when }
// tell: what the page does on settled(item, told), refused(item, told, status), clash(item, told), sent(item) by another
// tab, shut(why), changed()
export class Queue {
  constructor({ user, kept, urls, token, tell }) {
    Object.assign(this, { user, kept, urls, token, tell });
    this.items = [];
    this.sending = null;
    this.waiting = 0; // milliseconds until the next try, while the server does not answer
    this.shut = ""; // "ended": nobody is logged in here; "other": somebody else is
    this.timer = 0;
  }

  get length() {
    return this.items.length;
  }

  has(game) {
    return this.items.some((item) => item.game === game);
  }

  // What waits for the game already is replaced, unless it is on its way.
  add(item) {
    const former = this.items.find((each) => each.game === item.game && each.kind === item.kind && each !== this.sending);
    if (former) Object.assign(former, { value: item.value, typed: item.typed, confirmed: item.confirmed });
    else this.items.push(item);
    this.kept.put(former ?? item);
    this.send();
  }

  // From the last visit: was typed against an older version perhaps, so it may be refused as any other.
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
      this.tell.sent(item);
      this.send();
      return;
    }
    this.sending = item;
    const sent = { value: item.value, typed: item.typed };
    let done = false;
    try {
      done = await this.post(item);
      this.waiting = 0;
    } catch {
      this.waiting = Math.min((this.waiting || 250) * 2, LONGEST_WAIT);
      this.timer = setTimeout(() => this.send(), this.waiting);
    }
    this.sending = null;
    if (done) {
      this.items.shift();
      done({ ...item, ...sent });
    }
    this.tell.changed();
    if (done || (!this.waiting && !this.shut)) this.send();
  }

  // Returns what to do with the answer, or false where the item has to wait. Throws where nobody answers.
  async post(item) {
    const answer = await fetch(this.urls[item.kind].replace("/0/", `/${item.game}/`), {
      method: "POST",
      body: new URLSearchParams({
        result: item.value, version: item.version, user: this.user, confirmed: item.confirmed ? "yes" : "",
      }),
      headers: { "X-CSRFToken": this.token, Accept: "application/json" },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (answer.status >= 500) throw new Error("server");
    const told = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
    if (answer.status === 403 && (told?.code === "other_user" || !told) && (await this.waits(item, told))) return false;
    this.shut = "";
    if (answer.ok) return (sent) => this.settle(sent, told);
    if (told?.code === "stale_result" || told?.code === "adjourned_to_confirm") {
      return (sent) => this.tell.clash(sent, told); // stays kept until it is decided
    }
    return (sent) => {
      this.kept.drop(sent);
      this.tell.refused(sent, told, answer.status);
    };
  }

  settle(item, told) {
    this.kept.drop(item);
    for (const later of this.items) {
      if (later.game !== item.game) continue;
      later.version = told.version; // it was typed after this one, by the same hands
      this.kept.put(later);
    }
    this.tell.settled(item, told);
  }

  // After a refusal without a reason: is the item to wait, because nobody is logged in, or somebody else, or because
  // the token of the page was that of another log-in?
  async waits(item, told) {
    const { session, told: now } = told?.code === "other_user" ? { session: true, told: null } : await this.ask("");
    const former = this.shut;
    this.shut = !session ? "ended" : told || (now && String(now.user) !== this.user) ? "other" : "";
    if (this.shut) {
      if (former !== this.shut) this.tell.shut(this.shut);
      this.timer = setTimeout(() => this.send(), 3000);
      return true;
    }
    if (!now || item.again) return false;
    this.token = now.token;
    item.again = true;
    return true;
  }

  // What the server says about the round, and with it who is logged in here.
  async ask(seen) {
    const answer = await fetch(`${this.urls.state}?seen=${seen}`, {
      headers: { Accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const json = answer.headers.get("Content-Type")?.includes("json");
    return { session: answer.type !== "opaqueredirect", told: answer.ok && json ? await answer.json() : null, gone: answer.status === 404 };
  }
}
