// The players of the desk as this device knows them: what the server has sent, and what waits here to be sent.

import { matching } from "../spelling.js";

export const MOST = 8; // players shown at once
const CODE = /(?:^|\D)(\d{1,15})[^0-9a-f]([0-9a-f]{40})(?![0-9a-f])/; // the end of a personal link, as a scanner types it

/** @param {DeskRow} row @param {boolean} here @returns {DeskPerson} */
const personOf = ([id, name, title, federation, fide, rating, section, plain, owed, section_id], here) => ({
  ...{ id, name, title, federation, fide, rating, section, plain, owed, section_id, here },
});
const keyOf = (/** @type {DeskPerson} */ { name, id, fide }) =>
  [...(name.toLowerCase().normalize("NFC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? []), id, fide ?? ""].join(" ");
const isReady = (/** @type {DeskPerson} */ person) => person.here && person.owed <= 0;

/**
 * Return the player as the page shows it, with the marks that wait.
 * @param {DeskPerson} person
 * @param {DeskMark[]} marks
 * @returns {DeskPerson}
 */
export function withMarks(person, marks) {
  const shown = { ...person, plain: { ...person.plain } };
  for (const mark of marks) {
    if (mark.id !== person.id) continue;
    if (mark.do === "here" || mark.do === "both") shown.here = true;
    if (mark.do === "away") shown.here = false;
    if (mark.do === "paid" || mark.do === "both") shown.owed -= mark.paid;
    if (mark.undoes) shown.owed += mark.paid;
    for (const [name, [, typed]] of Object.entries(mark.fields)) {
      if (name === "fide_id") shown.fide = Number(typed) || null;
      else if (name === "name" || name === "federation") shown[name] = typed;
      else shown.plain[name] = typed;
    }
  }
  return shown;
}

export class People {
  constructor() {
    this.known = false; // whether there is a list at all
    this.seen = "";
    this.at = 0;
    this.until = 0;
    this.counts = { accepted: 0, present: 0, ready: 0 };
    /** @type {Map<number, DeskPerson>} */
    this.rows = new Map();
    /** @type {Map<number, DeskPerson>} */
    this.counted = new Map(); // players changed by an answer since they were counted, as they were then
    /** @type {string[]} */
    this.keys = [];
  }

  /** @param {DeskList} list what the device has kept */
  restore(list) {
    this.rows = new Map(list.people.map((person) => [person.id, person]));
    Object.assign(this, { known: true, seen: list.seen, at: list.at, until: list.until, counts: list.counts });
    this.index();
  }

  /** @returns {DeskList} */
  list() {
    const { seen, at, until, counts } = this;
    return { seen, at, until, counts, people: [...this.rows.values()] };
  }

  /** @param {DeskNews} news */
  take(news) {
    const here = new Set(news.here);
    if (news.whole) this.rows = new Map();
    for (const id of news.gone) this.rows.delete(id);
    for (const row of news.people) this.rows.set(row[0], personOf(row, false));
    for (const person of this.rows.values()) person.here = here.has(person.id);
    const { seen, at, until, counts } = news;
    Object.assign(this, { known: true, seen, at, until, counts, counted: new Map() });
    this.index();
  }

  /** @param {DeskRow} row the answer to a mark */
  update(row) {
    const former = this.rows.get(row[0]);
    if (former && !this.counted.has(row[0])) this.counted.set(row[0], former);
    this.rows.set(row[0], personOf(row, Boolean(row[10])));
    this.index();
  }

  index() {
    this.keys = [...this.rows.values()].map(keyOf);
  }

  /**
   * Return the counts of the server, with what is noted here and not counted there yet.
   * @param {DeskMark[]} marks
   */
  now(marks) {
    const { accepted } = this.counts;
    let { present, ready } = this.counts;
    for (const id of new Set([...this.counted.keys(), ...marks.map((mark) => mark.id)])) {
      const person = this.rows.get(id);
      if (!person) continue;
      const [before, after] = [this.counted.get(id) ?? person, withMarks(person, marks)];
      present += Number(after.here) - Number(before.here);
      ready += Number(isReady(after)) - Number(isReady(before));
    }
    return { accepted, present, ready };
  }

  /**
   * Return whom the words find; similar names if nobody has them.
   * @param {string} words
   */
  find(words) {
    if (!/[\p{L}\p{N}]/u.test(words)) return [];
    const { hits } = matching(this.keys, words);
    return [...this.rows.values()].filter((_, place) => hits[place]).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Return the one player whom a scanned code, the number of a registration or a FIDE ID names. A number of this event
   * goes before FIDE IDs.
   * @param {string} typed
   */
  named(typed) {
    const number = Number(CODE.exec(typed)?.[1] ?? (/^\d{1,15}$/.test(typed) ? typed : NaN));
    return this.rows.get(number) ?? [...this.rows.values()].find(({ fide }) => fide === number && !CODE.test(typed)) ??
      null;
  }
}
