// What of a device's results and marks is not saved, counted for people: for the question before pairing, and for the server,
// which asks other arbiters about it.

const ORDER = ["results", "here", "away", "desk"];
const CHECK_IN = /^check-in-(\d+):(\d+)$/; // the section and the round, as presence.js keeps them
const KNOWN = "evenboard:reported:";
const TIMEOUT = 15_000;

/** @type {(item: Item) => boolean} */
export const isMark = (item) => item.fields !== undefined;

/**
 * Return what the item is: a result, a player who is here or away, or another thing that was noted at the desk.
 * @param {Item} item
 */
function kindOf(item) {
  if (!isMark(item)) return "results";
  if (["yes", "here", "both"].includes(item.value)) return "here";
  return ["no", "away"].includes(item.value) ? "away" : "desk";
}

/**
 * Return what the items say, as texts: kind, number, and the place of each. Of a player only the last mark counts.
 * @param {Item[]} items in the order of typing
 * @param {(item: Item) => string} placeOf "" for an item that does not count
 * @returns {[kind: string, number: number, place: string][]}
 */
export function counts(items, placeOf) {
  const last = /** @type {Map<string, [string, string]>} */ (new Map());
  for (const item of items) {
    const [kind, place] = [kindOf(item), placeOf(item)];
    const seat = kind === "here" || kind === "away" ? "" : `${item.kind} ${item.who}`;
    if (place) last.set(`${item.round} ${item.game} ${seat}`, [kind, place]);
  }
  const found = /** @type {Map<string, [string, number, string]>} */ (new Map());
  for (const [kind, place] of last.values()) {
    found.set(`${kind} ${place}`, [kind, (found.get(`${kind} ${place}`)?.[1] ?? 0) + 1, place]);
  }
  return [...found.values()].sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b));
}

/**
 * Return where the server finds what the item is about: the key of the round, or of the section and its round.
 * @param {Item} item
 */
function keyOf(item) {
  if (!isMark(item)) return `${item.round} ${item.number}`;
  const [, section, round] = CHECK_IN.exec(item.round) ?? [];
  if (section) return `${section} ${round}`;
  return item.section && kindOf(item) !== "desk" ? `${item.section} ${item.number}` : "";
}

/** Tells the server what this device could not save, whenever that is not what the server knows. */
export class Report {
  /**
   * @param {object} options
   * @param {string} options.address where the server hears it, "" if nobody is logged in
   * @param {string} options.user
   * @param {string} options.device
   * @param {() => string} options.token
   * @param {() => Item[]} options.held what was not saved for some time, or was refused
   */
  constructor({ address, user, device, token, held }) {
    this.address = address;
    this.user = user;
    this.device = device;
    this.token = token;
    this.held = held;
    this.first = true; // the server may have been told to wait for this device no longer
    this.sending = false;
    this.refused = /** @type {string | null} */ (null);
  }

  /** Return whether the server has heard something new. */
  async send() {
    if (this.sending || !this.address || !this.device) return false;
    const lines = counts(this.held(), keyOf).map(([kind, n, key]) => `${kind} ${key} ${n}`);
    const text = lines.join();
    const known = this.first && text ? null : localStorage.getItem(KNOWN + this.user) ?? "";
    if (text === known || text === this.refused) return false;
    this.sending = true;
    const body = new URLSearchParams({ user: this.user, device: this.device });
    for (const each of lines) body.append("waiting", each);
    try {
      const answer = await fetch(this.address, {
        ...{ method: "POST", body, keepalive: true, signal: AbortSignal.timeout(TIMEOUT) },
        headers: { "X-CSRFToken": this.token(), Accept: "application/json" },
      });
      if (answer.status < 500 && !answer.ok) this.refused = text;
      if (!answer.ok || !answer.headers.get("Content-Type")?.includes("json")) return false;
      this.first = false;
      localStorage.setItem(KNOWN + this.user, text);
      return true;
    } catch {
      return false; // without a network the next look tries again
    } finally {
      this.sending = false;
    }
  }
}
