// Types that the scripts in static/js share. The browser never loads this file.

/** The details of the events of htmx. */
interface HtmxDetail {
  boosted: boolean;
  elt: Element;
  requestConfig: { verb: string };
  serverResponse: string;
  shouldSwap: boolean;
  successful: boolean;
  target: Element;
  xhr: XMLHttpRequest;
}

interface DocumentEventMap {
  "htmx:afterRequest": CustomEvent<HtmxDetail>;
  "htmx:beforeRequest": CustomEvent<HtmxDetail>;
  "htmx:beforeSwap": CustomEvent<HtmxDetail>;
  "htmx:responseError": CustomEvent<HtmxDetail>;
}

// The page as an app --------------------------------------------------------------------------------------------------

/** The event by which a browser offers to install the page as an app. */
interface InstallPrompt extends Event {
  prompt(): Promise<void>;
}

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface WorkerFetch extends WorkerEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}

/** What a service worker has instead of a window. */
interface WorkerScope {
  addEventListener(name: "install" | "activate", does: (event: WorkerEvent) => void): void;
  addEventListener(name: "fetch", does: (event: WorkerFetch) => void): void;
  addEventListener(name: "push", does: (event: WorkerEvent & { data: { text(): string } | null }) => void): void;
  addEventListener(
    name: "notificationclick",
    does: (event: WorkerEvent & { notification: Notification }) => void,
  ): void;
  addEventListener(name: "message", does: (event: WorkerEvent & MessageEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void>; openWindow(url: string): Promise<unknown> };
  location: Location;
  registration: ServiceWorkerRegistration;
}

// Results -----------------------------------------------------------------------------------------------------------

/** A board as the server has it: the JSON of game_json() in web/views/staff/results.py. */
interface Board {
  id: number;
  board: number;
  result: string;
  version: number;
  by: string;
  at: string;
  second: string;
  second_by: string;
  second_at: string;
  over: boolean;
  over_by: string;
  over_at: string;
  disputed: string;
}

/** The answer to a question about the round. */
interface RoundState {
  revision: number;
  boards: Board[];
  token: string;
  user: number;
}

/** The answer of the server that refuses what was typed. */
interface Refusal {
  code?: string;
  sentence?: string;
  theirs?: string;
  version?: number;
  by?: string;
  at?: string;
  stands?: Board | null;
  /** where the person may correct a result of a finished round */
  correct?: string;
  /** what says yes, if this is a question */
  answer?: string;
  /** of the desk: both values of each fact, in sentences */
  differs?: Record<string, string>;
}

type Move = "record" | "confirm" | "over";

/** What a person did to a board, until the server has answered. */
interface Item {
  /** of a mark: the player */
  game: string;
  /** of a mark: the name of the player */
  board: string;
  /** a Move; of the check-in "here"; of the desk "desk" and a key, because marks of the desk do not replace each other */
  kind: string;
  value: string;
  /** of the game when the person typed */
  version: number;
  /** when the person typed, in milliseconds */
  typed: number;
  /** to the question of the server, "" if it asked nothing */
  answer: string;
  round: string;
  number: string;
  place: string;
  /** how the page shows the value */
  sign: string;
  /** of the page of the round */
  url: string;
  /** where it is sent; an older version of the program kept none */
  to?: string;
  /** the name of the person who typed it */
  who?: string;
  /** of a mark: what is sent. A result sends its value and its version */
  fields?: Record<string, string>;
  /** of a mark: where the server says who is logged in */
  state?: string;
  /** of a mark: the page on which it was made, and when, on the clock of that page */
  opened?: number;
  since?: number;
  /** of a mark: when this device forgets it */
  until?: number;
  /** of a mark: it was sent at least once, so the server may have it */
  tried?: boolean;
  /** of the desk: the key of the player's section */
  section?: number;
  /** of the desk: what was noted */
  noted?: DeskMark;
  /** the person must decide, because the server has another result, or asks about this one */
  decide?: boolean;
  /** the version of the game since the server has it as the second reading of the slip */
  reading?: number;
  /** the server has not taken it */
  refusal?: Refusal & { status: number };
  /** it was left by the last visit */
  restored?: boolean;
  /** it was sent again with a new token */
  again?: boolean;
}

/** The memory of the browser for items that are not saved yet. */
interface Keeper {
  put(item: Item): void;
  drop(item: Item): void;
  note(item: Item, answer: Pick<Item, "decide" | "reading" | "refusal" | "tried">): void;
  read(item: Item): Item | null;
  begin(game: string): number | null;
  end(game: string, made: number): void;
}

/** What the page does with the answers to the queue. The server answers a result with a Board, a mark of the desk with a DeskAnswer. */
interface Answers {
  // deno-lint-ignore no-explicit-any
  settled(item: Item, answer: any): void;
  refused(item: Item, refusal: Refusal | null, status: number): void;
  clash(item: Item, refusal: Refusal): void;
  /** another tab has sent the item */
  sent(item: Item): void;
  /** nobody ("ended") or somebody else ("other") is logged in */
  shut(why: string): void;
  changed(): void;
  /** an item was typed and waits for the server */
  waits?(): void;
}

// The desk -----------------------------------------------------------------------------------------------------------

/** A player as the server sends it: COLUMNS of registrations/queries/desk.py, and for one player whether they are here. */
type DeskRow = [
  number,
  string,
  string,
  string,
  number | null,
  number | null,
  string,
  DeskPerson["plain"],
  number,
  number,
  boolean?,
];

/** The answer to the question for the players: all of them, or those who have changed. */
interface DeskNews {
  seen: string;
  at: number;
  whole: boolean;
  people: DeskRow[];
  here: number[];
  gone: number[];
  until: number;
  counts: DeskCounts;
  token: string;
  user: number;
}

interface DeskCounts {
  accepted: number;
  present: number;
  ready: number;
}

interface DeskPerson {
  id: number;
  name: string;
  title: string;
  federation: string;
  fide: number | null;
  rating: number | null;
  section: string;
  /** the key of the section; a list that an older version of the program has kept does not have it */
  section_id?: number;
  /** the plain fields of the desk, such as the club, by their names */
  plain: Record<string, string>;
  /** in cents; below 0 is to repay */
  owed: number;
  here: boolean;
}

/** The list as the device keeps it. */
interface DeskList {
  seen: string;
  at: number;
  until: number;
  counts: DeskCounts;
  people: DeskPerson[];
}

type DeskDo = "here" | "away" | "paid" | "both" | "correct" | "repay";

/** What a person noted at the desk. */
interface DeskMark {
  /** random: a mark that arrives twice is noted once */
  key: string;
  id: number;
  do: DeskDo;
  /** what the page showed as owed, and what was paid, in cents */
  owed: number;
  paid: number;
  /** what was corrected: the shown and the typed value */
  fields: Record<string, [string, string]>;
  /** the key of the mark whose payment was a mistake */
  undoes: string;
}

/** The answer of the server to a mark. */
interface DeskAnswer {
  code?: string;
  sentence?: string;
  opened?: string;
  person?: DeskRow;
}

/** What reads codes in a picture. Not every browser has it: ask by typeof. */
interface BarcodeReader {
  detect(video: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
declare const BarcodeDetector: {
  new (options: { formats: string[] }): BarcodeReader;
  getSupportedFormats(): Promise<string[]>;
};
