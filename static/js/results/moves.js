// What a person does to a board (type, read again, mark, undo, decide), and what the answers of the server change.

import { byId, dataOf } from "../dom.js";
import { fill } from "../texts.js";
import { attach, kept, queue } from "../waiting_on_devices.js";
import { announce, sign, words } from "./words.js";

/** @typedef {import("./row.js").Row} Row */

const moveOf = (/** @type {Item} */ { kind }) => /** @type {Move} */ (kind); // marks have a queue of their own

/**
 * Return whether the clash of an earlier visit is over: the server had the item as the second reading, and has it no more.
 * @param {Item} item
 * @param {Board} board
 */
const isOver = ({ reading, value }, board) =>
  reading !== undefined && board.version > reading && (board.second !== value || board.result === value);

export class Moves {
  /**
   * @param {object} options
   * @param {HTMLFormElement} options.form
   * @param {Row[]} options.rows
   * @param {(row?: Row) => void} options.shown paint the row and count again
   * @param {() => void} options.counted only count
   * @param {(text: string) => void} options.warn show what went wrong, "" for nothing
   * @param {() => void} options.differs play a sound, if the person wants it
   */
  constructor({ form, rows, shown, counted, warn, differs }) {
    this.form = form;
    this.rows = rows;
    this.shown = shown;
    this.counted = counted;
    this.warn = warn;
    this.differs = differs;
    this.byGame = new Map(rows.map((row) => [row.game, row]));
    this.done = /** @type {{ row: Row, kind: Move, value: string }[]} */ ([]); // the values before, for undo
    this.typed = 0; // when the last result was typed
    this.note = ""; // what the last result replaced
    this.beside = /** @type {string[]} */ ([]); // what was refused on boards that the page does not show
    this.kept = kept;
    this.queue = queue;
    /** @type {Answers} */
    const notify = {
      settled: (item, board) => this.settled(item, board),
      refused: (item, refusal, status) => this.refused(item, refusal, status),
      clash: (item, refusal) => this.clash(item, refusal),
      shut: (why) => announce(words[why]),
      sent: (item) => this.shown(this.byGame.get(item.game)),
      changed: () => this.counted(),
    };
    attach(notify);
  }

  // Entries that another visit left in this browser. What the server refused before is tried again in its own round, where the
  // person sees it.
  restore() {
    const { round } = dataOf(this.form);
    const items = this.kept.all().filter((item) =>
      !item.fields && (item.round === round || !(item.decide || item.refusal))
    );
    for (const item of items) {
      if (item.round === round) item.to = this.address(item);
      const row = this.byGame.get(item.game);
      if (row && isOver(item, row.stored)) {
        this.kept.drop(item);
        this.announceDecision(row, row.stored);
      } else if (row) this.apply(row, moveOf(item), item.value);
    }
    this.queue.restore(items.filter((item) => this.kept.read(item)));
  }

  /** @param {Pick<Item, "game" | "kind">} item */
  address({ game, kind }) {
    return dataOf(this.form)[kind].replace("/0/", `/${game}/`);
  }

  /**
   * Type a result. In the second pass it is a reading, unless the board has no result yet.
   * @param {Row} row
   * @param {string} value
   * @param {boolean} verify
   */
  type(row, value, verify) {
    if (!verify || (row.missing && value)) this.move(row, "record", value);
    else if (value || row.second) this.move(row, "confirm", value);
  }

  /**
   * Do something to a board: show it at once, and send it.
   * @param {Row} row
   * @param {Move} kind
   * @param {string} value
   * @param {{ undo?: boolean, answer?: string }} options answer: to the question of the server about this result
   */
  move(row, kind, value, { undo = false, answer = "" } = {}) {
    const former = { record: row.typed, confirm: row.second, over: row.over ? "over" : "" }[kind];
    this.note =
      kind === "record" && former && former !== value && row.unseen === null && !("finished" in this.form.dataset)
        ? fill(row.verified ? words.rewroteread : words.rewrote, {
          n: row.board,
          first: sign(former),
          result: sign(value),
        })
        : "";
    row.pending = null;
    row.lost = "";
    row.flash = "";
    this.apply(row, kind, value);
    if (!undo && former !== value) this.done.push({ row, kind, value: former });
    const { round, number, place, state, who } = dataOf(this.form);
    this.typed = Math.max(Date.now(), this.typed + 1);
    const version = row.unseen ?? row.stored.version;
    row.unseen = null;
    this.queue.add({
      game: row.game,
      board: row.board,
      kind,
      value,
      version,
      typed: this.typed,
      answer,
      round,
      number,
      place,
      sign: kind === "over" ? words.over : sign(value),
      url: state,
      to: this.address({ game: row.game, kind }),
      who,
    });
    this.announce(row, kind, value);
    this.shown(row);
  }

  /**
   * @param {Row} row
   * @param {Move} kind
   * @param {string} value
   */
  apply(row, kind, value) {
    if (kind === "record") {
      row.typed = value;
      if (row.second !== value) row.second = "";
      if (value) row.over = false;
    } else if (kind === "confirm") row.second = value;
    else row.over = value === "over";
  }

  /**
   * @param {Row} row
   * @param {Move} kind
   * @param {string} value
   */
  announce(row, kind, value) {
    const about = { n: row.board, result: sign(value), first: sign(row.value) };
    if (kind === "over") about.result = value ? words.over : words.notover;
    if (this.queue.shut) announce(fill(words.unsaved, about));
    else if (kind !== "confirm" || !value) announce(fill(words.recorded, about));
    else if (row.differs) {
      announce(fill(words.differed, about));
      this.differs();
    } else announce(fill(words.confirmed, about));
  }

  undo() {
    const last = this.done.pop();
    if (!last) {
      announce(words.undone);
      return null;
    }
    if (last.row.pending?.item.kind === last.kind) this.drop(last.row);
    else this.move(last.row, last.kind, last.value, { undo: true });
    return last.row;
  }

  /**
   * End a clash as if nothing had been typed here: a second reading that the server has made of it is removed too.
   * @param {Row} row
   */
  drop(row) {
    const item = row.pending?.item;
    if (!item) return;
    this.kept.drop(item);
    row.pending = null;
    row.unseen = null;
    row.settle(row.stored);
    if (item.kind === "record" && row.second === item.value && row.differs) {
      this.move(row, "confirm", "", { undo: true });
    } else this.shown(row);
  }

  /**
   * In a clash: keep our result, or the first of two results.
   * @param {Row} row
   */
  keep(row) {
    row.unseen = null; // the page shows both results
    if (row.pending) {
      const { item } = row.pending;
      this.move(row, moveOf(item), item.value, { answer: row.asked ? row.pending.refusal.answer ?? "" : "" });
    } else if (row.differs) this.move(row, "confirm", row.value);
    else announce(words.nochoice);
  }

  /**
   * In a clash: take the result of the other person, or the second of two results. If the server keeps our result as a
   * second reading, that reading becomes the same as theirs.
   * @param {Row} row
   */
  take(row) {
    row.unseen = null;
    if (row.pending) {
      const { item } = row.pending;
      this.kept.drop(item);
      row.pending = null;
      row.settle(row.stored);
      if (item.kind === "record" && row.second === item.value && row.differs) this.move(row, "confirm", row.value);
      else this.shown(row);
    } else if (row.differs) this.move(row, "record", row.second);
    else announce(words.nochoice);
  }

  /** @param {Row} row */
  waiting(row) {
    return new Set(
      this.queue.items.filter((item) => item.game === row.game && item !== this.queue.sending).map(moveOf),
    );
  }

  /**
   * @param {Item} item
   * @param {Board} board
   */
  settled(item, board) {
    this.warn(this.beside.join(" "));
    const row = this.byGame.get(item.game);
    if (!row) return;
    row.settle(board, this.waiting(row));
    this.shown(row);
  }

  /**
   * @param {Item} item
   * @param {Refusal} refusal
   */
  clash(item, refusal) {
    const row = this.byGame.get(item.game);
    if (!row) return;
    row.settle(
      refusal.stands ?? { ...row.stored, version: refusal.version ?? row.stored.version },
      new Set([moveOf(item), ...this.waiting(row)]),
    );
    row.pending = { item, refusal };
    if (row.asked) this.note = ""; // nothing changes before the person answers the question
    this.shown(row);
    if (!row.asked) return;
    announce(refusal.sentence ?? "");
    row.line.nextElementSibling?.scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {Item} item
   * @param {Refusal | null} refusal
   * @param {number} status
   */
  refused(item, refusal, status) {
    const row = this.byGame.get(item.game);
    const { gone, forbidden } = dataOf(byId("trouble"));
    const lost = fill(words.refused, { n: item.board, result: item.sign });
    const why = refusal?.sentence ?? (status === 404 ? gone : forbidden);
    announce(lost);
    if (!row) this.beside.push(`${lost}. ${why}`);
    this.warn([...this.beside, ...(row ? [why] : [])].join(" "));
    if (!row) return;
    row.lost = item.sign;
    row.settle(row.stored, this.waiting(row));
    this.shown(row);
  }

  /**
   * Take news from another desk. Return whether it was news. The person may have begun to type before the news was on the
   * page. So the version before the news is sent, and another result is a clash.
   * @param {Board} board
   * @param {Row | null} at the row on which the cursor waits
   */
  hear(board, at) {
    const row = this.byGame.get(String(board.id));
    if (!row || row.stored.version >= board.version) return false;
    const doubted = row.differs;
    const seen = row.stored;
    if (row.pending && this.decided(row.pending.item, row, board)) {
      this.kept.drop(row.pending.item);
      row.pending = null;
      row.settle(board);
      this.announceDecision(row, board);
    } else if (row.pending) {
      row.pending.refusal = { theirs: board.result, by: board.by, at: board.at };
      row.settle(board, new Set([moveOf(row.pending.item)]));
    } else {
      row.flash = board.result === row.stored.result ? board.second_by || board.over_by : board.by;
      row.settle(board);
      setTimeout(() => {
        row.flash = "";
        this.shown(row);
      }, 10000);
    }
    if (row === at && !row.pending && (board.result !== seen.result || board.second !== seen.second)) {
      row.unseen = board.result ? row.unseen ?? seen.version : null; // a cleared board is open for any result
    }
    if (row.differs && !doubted && !row.pending) {
      announce(row.choice().text);
      this.differs();
    }
    this.shown(row);
    return true;
  }

  /**
   * Say who has decided a clash, and how.
   * @param {Row} row
   * @param {Board} board
   */
  announceDecision(row, board) {
    const by = board.second_by || board.by || words.somebody;
    announce(fill(words.decided, { n: row.board, by, result: sign(board.result) }));
  }

  /**
   * Return whether somebody at another desk has decided the clash that our result was in.
   * @param {Item} item
   * @param {Row} row
   * @param {Board} board
   */
  decided(item, row, board) {
    if (item.kind !== "record" || row.stored.second !== item.value) return false;
    return board.second !== item.value || board.result === item.value;
  }
}
