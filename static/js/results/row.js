// A board on the page: what the server has, what was typed since, and how both are shown.

import { byId, dataOf, fieldOf, one, withText } from "../dom.js";
import { fill, listed } from "../texts.js";
import { sign, words } from "./words.js";

/** @type {Record<string, string[]>} */
const WON = {
  "1-0": ["won", "lost"],
  "+:-": ["won", "lost"],
  "W-L": ["won", "lost"],
  "0-1": ["lost", "won"],
  "-:+": ["lost", "won"],
  "L-W": ["lost", "won"],
};

export class Row {
  /**
   * @param {HTMLSelectElement} menu
   * @param {Board} stored
   * @param {boolean} finished the round is finished. A form with thousands of fields is asked about itself once: the browser
   *   looks through the names of all fields each time
   */
  constructor(menu, stored, finished) {
    this.finished = finished;
    this.menu = menu;
    this.form = /** @type {HTMLFormElement} */ (menu.form);
    this.game = dataOf(menu).game;
    this.line = /** @type {HTMLElement} */ (menu.closest("tr"));
    this.board = dataOf(this.line).board;
    this.cell = one(this.line, ".st");
    this.stored = stored; // as the server has it
    this.typed = menu.value; // as typed, sent or not
    this.second = stored.second; // the second reading, and whether the game is over, as typed
    this.over = stored.over;
    // Somebody else was faster, and our result waits for a decision.
    this.pending = /** @type {{ item: Item, refusal: Refusal } | null} */ (null);
    this.lost = ""; // a result that was refused
    this.unseen = /** @type {number | null} */ (null); // the version before news that came while the cursor waited here
    this.flash = ""; // the person whose result has just come from another desk
  }

  // The name of the player with White. In a long round it may come later than the row.
  get white() {
    return one(this.line, ".p-w").textContent.trim();
  }

  get value() {
    return this.typed;
  }

  get missing() {
    return this.value === "";
  }

  // Whether the result no longer changes here: in a finished round only an adjourned game can get its result.
  get closed() {
    return this.finished && this.stored.result !== "adj";
  }

  get verified() {
    return !this.missing && this.second === this.value;
  }

  get differs() {
    return this.second !== "" && this.second !== this.value;
  }

  // Whether the server asks first, because an adjourned game has counted as a draw until now.
  get asked() {
    return this.pending?.refusal.code === "adjourned_to_confirm";
  }

  get clashes() {
    return this.pending !== null || this.differs;
  }

  // Whether two different results are known: of two readings, or of both players, who pressed on their phones.
  get twoResults() {
    return this.clashes || this.disputed;
  }

  get disputed() {
    return this.missing && this.stored.disputed !== "";
  }

  /**
   * In the second pass the first result is nowhere on the page, neither visible nor for a screen reader.
   * @param {boolean} verify
   */
  hidden(verify) {
    return verify && !this.missing && !this.verified && !this.clashes;
  }

  /**
   * Show what the server has, except for moves that are not sent yet.
   * @param {Board} stored
   * @param {Set<Move>} keep
   */
  settle(stored, keep = new Set()) {
    this.stored = stored;
    if (!keep.has("record")) this.typed = stored.result;
    if (!keep.has("confirm")) this.second = stored.second;
    if (!keep.has("over")) this.over = stored.over;
    fieldOf(this.form, `version-${this.game}`).value = String(stored.version);
    fieldOf(this.form, `was-${this.game}`).value = stored.result;
  }

  /** @param {{ queued: boolean, here: boolean, verify: boolean }} mode */
  paint({ queued, here, verify }) {
    const { menu, line } = this;
    menu.classList.toggle("open", this.missing);
    menu.classList.toggle("sent", queued);
    menu.classList.toggle("type", here && !this.closed);
    menu.classList.toggle("clash", this.clashes);
    line.classList.toggle("differs", this.clashes);
    menu.disabled = this.closed;
    const hidden = this.hidden(verify);
    line.classList.toggle("unread", hidden);
    const shown = hidden ? "" : this.value;
    if (menu.value !== shown) menu.value = shown;
    if (hidden) menu.setAttribute("aria-description", words.toread);
    else menu.removeAttribute("aria-description");
    const [white, black] = WON[shown] ?? ["", ""];
    for (const [cells, name] of [[".p-w", white], [".p-b", black]]) {
      const side = one(line, cells);
      side.classList.toggle("won", name === "won");
      side.classList.toggle("lost", name === "lost");
    }
    this.paintState(queued, verify);
    this.paintClash();
  }

  /**
   * @param {boolean} queued
   * @param {boolean} verify
   */
  paintState(queued, verify) {
    const [text, look, more = ""] = this.state(queued, verify);
    const shown = withText("span", text);
    shown.className = look;
    if (this.cell.textContent !== text || this.cell.firstElementChild?.className !== look) {
      this.cell.replaceChildren(shown);
    }
    this.cell.title = more || (text.length > 10 ? text : "");
  }

  /**
   * Return the words for the state of the board, their class, and more words for its title.
   * @param {boolean} queued
   * @param {boolean} verify
   */
  state(queued, verify) {
    if (this.lost) return [fill(words.lost, { result: this.lost }), "bad-ink"];
    if (queued) return [words.queued, ""];
    if (this.clashes) return this.asked ? [words.asked, "pill warn"] : [words.clashes, "pill bad"];
    if (this.disputed) return [words.clashes, "pill bad", this.stored.disputed];
    if (this.over && this.missing) return [words.noslip, "pill warn"];
    if (this.flash) return [this.flash.split(" ")[0], "quiet", this.flash];
    if (this.missing) return [words.play, "quiet small"];
    if (verify && this.verified) return [words.twice, "small", fill(words.twiceby, { by: this.readers() })];
    if (this.value === "adj" && !this.hidden(verify)) return [words.adjourned, "quiet small"];
    return ["", ""];
  }

  readers() {
    const { by, second_by: again } = this.stored;
    return again && again !== by ? listed([by || "?", again], words.comma) : again || by;
  }

  // Who entered what and when, for the bar of keys.
  history() {
    const { result, by, at, second, second_by: again, second_at: later, over_by: seen, over_at: ended } = this.stored;
    if (!result && this.stored.disputed) return this.stored.disputed;
    if (!result) return this.stored.over ? fill(words.seen, { by: seen, at: ended }) : "";
    const first = fill(by || at ? words.entered : words.fromfile, {
      result: sign(result),
      by: by || words.somebody,
      at,
    });
    if (!second || second !== result) return first;
    return listed(
      [first, fill(again === by ? words.rereadself : words.reread, { by: again, at: later })],
      words.semicolon,
    );
  }

  // Under the board: both values, who and when, and a button for each.
  paintClash() {
    const below = /** @type {HTMLElement | null} */ (this.line.nextElementSibling);
    const there = below?.classList.contains("clash") ? below : null;
    if (!this.clashes) {
      there?.remove();
      return;
    }
    const { text, keep, take } = this.choice();
    if (there?.dataset.text === text) return;
    const line =
      /** @type {HTMLElement} */ (document.importNode(one(byId("clash", HTMLTemplateElement).content, "tr"), true));
    const why = one(line, "[data-why]");
    line.dataset.text = text;
    line.firstElementChild?.classList.toggle("asked", this.asked);
    why.textContent = text;
    why.id = `why-${this.board}`;
    one(line, "[data-keep]").append(keep, " ", withText("kbd", "K"));
    one(line, "[data-take]").append(take, " ", withText("kbd", "T"));
    there?.remove();
    this.line.after(line);
  }

  choice() {
    if (this.pending) {
      const { item, refusal } = this.pending;
      if (this.asked) {
        return { text: refusal.sentence ?? "", keep: fill(words.enter, { mine: sign(item.value) }), take: words.leave };
      }
      const mine = item.kind === "over" ? (item.value ? words.over : words.notover) : sign(item.value);
      const theirs = sign(refusal.theirs);
      const text = fill(words.clash, { mine, theirs, by: refusal.by || words.somebody, at: refusal.at });
      return { text, keep: fill(words.keep, { mine }), take: fill(words.take, { theirs }) };
    }
    const mine = sign(this.value);
    const theirs = sign(this.second);
    const { by, at, second_by: again, second_at: later } = this.stored;
    const names = { by: by || words.somebody, at, again: again || words.somebody, later };
    const text = fill(words.differs, { first: mine, second: theirs, ...names });
    return { text, keep: fill(words.keep, { mine }), take: fill(words.take, { theirs }) };
  }
}
