import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Queue } from "../../static/js/waiting_on_devices/queue.js";
import { openPage, settled } from "./page.js";

let clock;
let requests; // what was sent, and the function that answers it
let notices; // what the page was notified of
let kept; // the memory of the browser: put, dropped
let queue;
let changes; // how often the page counted again

const json = (status, body, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
const item = (game, more = {}) => ({
  game,
  kind: "record",
  value: "1-0",
  version: 3,
  typed: 100,
  answer: "",
  round: "31",
  url: "/state/",
  to: `/${more.kind ?? "record"}/${game}/`,
  ...more,
});
const fields = (request) => Object.fromEntries(request.body);

async function answer(response) {
  requests.at(-1).answer(response);
  await settled();
}

beforeEach(() => {
  ({ clock } = openPage(""));
  [requests, notices, changes] = [[], [], 0];
  kept = { put: [], dropped: [], noted: [], turns: {}, ended: [], elsewhere: new Set(), newer: {} };
  globalThis.fetch = (url, options) =>
    new Promise((resolve, reject) => {
      requests.push({ url, ...options, answer: resolve, fail: () => reject(new TypeError("offline")) });
    });
  const notify = Object.fromEntries(
    ["settled", "refused", "clash", "sent", "shut", "changed"].map((name) => [name, (...details) => {
      if (name === "changed") changes += 1;
      else notices.push([name, ...details]);
    }]),
  );
  const keeper = {
    put: (each) => kept.put.push({ ...each }),
    drop: (each) => kept.dropped.push(each.game),
    note: (each, answer) => kept.noted.push([each.game, answer]),
    begin: (game) => (game in kept.turns ? kept.turns[game] : 0),
    end: (game, made) => kept.ended.push([game, made]),
    read: (each) => kept.elsewhere.has(each.game) ? null : { ...each, ...kept.newer[each.game] },
  };
  queue = new Queue({ user: "7", kept: keeper, token: "first", notify });
});

test("a result goes to the address of its game, with all that the server asks for", () => {
  queue.add(item("41", { value: "+:-", version: 5 }));
  assert.equal(requests[0].url, "/record/41/");
  assert.deepEqual(fields(requests[0]), { result: "+:-", version: "5", user: "7", answer: "" });
  assert.equal(requests[0].headers["X-CSRFToken"], "first");
  queue.add(item("42", { kind: "over", answer: "yes to that" }));
  assert.deepEqual(kept.put.map((each) => each.game), ["41", "42"]);
});

test("an answered question takes its answer along", () => {
  queue.add(item("41", { kind: "confirm", answer: "yes to this" }));
  assert.equal(requests[0].url, "/confirm/41/");
  assert.equal(fields(requests[0]).answer, "yes to this");
});

test("items go one after another, in the order of typing", async () => {
  for (const game of ["1", "2", "3"]) queue.add(item(game));
  assert.deepEqual(requests.map((each) => each.url), ["/record/1/"]);
  await answer(json(200, { version: 4 }));
  assert.deepEqual(requests.map((each) => each.url), ["/record/1/", "/record/2/"]);
  await answer(json(200, { version: 4 }));
  await answer(json(200, { version: 4 }));
  assert.deepEqual(notices.map(([name, each]) => [name, each.game]), [["settled", "1"], ["settled", "2"], [
    "settled",
    "3",
  ]]);
  assert.deepEqual(kept.dropped, ["1", "2", "3"]);
  assert.equal(queue.length, 0);
});

test("an item that waits is replaced by a newer one for its game and kind; one that is being sent is not", () => {
  queue.add(item("1"));
  queue.add(item("1", { value: "0-1", typed: 101 }));
  queue.add(item("1", { value: "1/2", typed: 102, answer: "yes" }));
  queue.add(item("1", { kind: "confirm", value: "1/2", typed: 103 }));
  assert.deepEqual(queue.items.map((each) => [each.kind, each.value, each.typed, each.answer]), [
    ["record", "1-0", 100, ""],
    ["record", "1/2", 102, "yes"],
    ["confirm", "1/2", 103, ""],
  ]);
  queue.add(item("3"));
  assert.deepEqual(["1", "2", "3"].map((game) => queue.has(game)), [true, false, true]);
});

test("a later item for the same game is sent with the version of the answer, an item for another game with its own", async () => {
  queue.add(item("1", { version: 3 }));
  queue.add(item("1", { kind: "confirm", version: 3 }));
  queue.add(item("2", { version: 3 }));
  await answer(json(200, { version: 9 }));
  assert.equal(fields(requests[1]).version, "9");
  assert.deepEqual(kept.put.at(-1), item("1", { kind: "confirm", version: 9 }));
  await answer(json(200, { version: 10 }));
  assert.equal(fields(requests[2]).version, "3");
});

test("while the server does not answer, the queue tries again: after 0.5, 1, 2, 3 and then every 3 seconds", async () => {
  queue.add(item("1"));
  const waits = [];
  for (let round = 0; round < 5; round += 1) {
    requests.at(-1).fail();
    await settled();
    waits.push(queue.waiting);
    const sent = requests.length;
    await clock.move(queue.waiting - 1);
    assert.equal(requests.length, sent);
    await clock.move(1);
    assert.equal(requests.length, sent + 1);
  }
  assert.deepEqual(waits, [500, 1000, 2000, 3000, 3000]);
  await answer(json(200, { version: 4 }));
  assert.deepEqual([queue.length, queue.waiting], [0, 0]);
});

test("a server that could not save says why, and the item waits", async () => {
  queue.add(item("1"));
  await answer(json(507, { title: "The disk is full." }, { "X-Failure": "disk" }));
  assert.deepEqual([queue.why, queue.waiting, queue.length], ["The disk is full.", 500, 1]);
  await clock.move(500);
  await answer(new Response("no JSON", { status: 503, headers: { "X-Failure": "disk" } }));
  assert.deepEqual([queue.why, queue.length], ["", 1]);
  await clock.move(1000);
  await answer(json(500, { title: "not a failure page" }));
  assert.equal(queue.why, "");
  assert.deepEqual(notices, []);
});

for (const code of ["stale_result", "adjourned_to_confirm"]) {
  test(`${code} is for the person to decide, and stays in the browser`, async () => {
    queue.add(item("1"));
    await answer(json(409, { code, theirs: "0-1" }));
    assert.deepEqual(notices.map(([name, each, refusal]) => [name, each.game, refusal.theirs]), [[
      "clash",
      "1",
      "0-1",
    ]]);
    assert.deepEqual([kept.dropped, kept.noted, queue.length], [[], [["1", { decide: true }]], 0]);
  });
}

test("a refused item stays in the browser, and the page shows the reason of the server", async () => {
  queue.add(item("1"));
  await answer(json(422, { code: "not_paired", sentence: "No." }));
  queue.add(item("2"));
  await answer(new Response("", { status: 404 }));
  assert.deepEqual(
    notices.map(([name, each, refusal, status]) => [name, each.game, refusal?.sentence ?? null, status]),
    [
      ["refused", "1", "No.", 422],
      ["refused", "2", null, 404],
    ],
  );
  assert.deepEqual([kept.dropped, kept.noted], [[], [
    ["1", { refusal: { code: "not_paired", sentence: "No.", status: 422 } }],
    ["2", { refusal: { status: 404 } }],
  ]]);
});

test("what changed while it was sent is reported as it was sent", async () => {
  queue.add(item("1"));
  queue.items[0].value = "0-1";
  await answer(json(200, { version: 4 }));
  assert.deepEqual(notices[0][1].value, "1-0");
});

test("if somebody else is logged in, items wait and are tried every 3 seconds", async () => {
  queue.add(item("1"));
  await answer(json(403, { code: "other_user" }));
  assert.deepEqual([queue.shut, notices, queue.length], ["other", [["shut", "other"]], 1]);
  await clock.move(3000);
  await answer(json(403, { code: "other_user" }));
  assert.equal(notices.length, 1); // reported once
  await clock.move(3000);
  await answer(json(200, { version: 4 }));
  assert.deepEqual([queue.shut, queue.length, kept.dropped], ["", 0, ["1"]]);
});

test("if nobody is logged in, items wait", async () => {
  queue.add(item("1"));
  await answer(new Response("", { status: 403 }));
  assert.equal(requests.at(-1).url, "/state/?seen=");
  await answer(Object.defineProperty(new Response("", { status: 200 }), "type", { value: "opaqueredirect" }));
  assert.deepEqual([queue.shut, notices, queue.length], ["ended", [["shut", "ended"]], 1]);
});

test("a worthless token is replaced once, and the item is sent again", async () => {
  queue.add(item("1"));
  await answer(new Response("", { status: 403 }));
  await answer(json(200, { user: 7, token: "second", revision: 1, boards: [] }));
  assert.equal(requests.at(-1).headers["X-CSRFToken"], "second");
  await answer(new Response("", { status: 403 }));
  await answer(json(200, { user: 7, token: "third", revision: 1, boards: [] }));
  assert.deepEqual(notices.map(([name, each, refusal, status]) => [name, each.game, refusal, status]), [[
    "refused",
    "1",
    null,
    403,
  ]]);
});

test("a new token of another login is not used", async () => {
  queue.add(item("1"));
  await answer(new Response("", { status: 403 }));
  await answer(json(200, { user: 8, token: "second", revision: 1, boards: [] }));
  assert.deepEqual([queue.shut, queue.token, notices], ["other", "first", [["shut", "other"]]]);
});

test("items of the last visit are sent, except those that another tab has sent", () => {
  kept.elsewhere.add("1");
  queue.restore([item("1"), item("2")]);
  assert.deepEqual(notices.map(([name, each]) => [name, each.game]), [["sent", "1"]]);
  assert.deepEqual(requests.map((each) => each.url), ["/record/2/"]);
});

test("the question about the round says who is logged in, and whether the round is gone", async () => {
  const asked = async (response) => {
    const promise = queue.ask("/state/", 12);
    await answer(response);
    return promise;
  };
  const state = { user: 7, token: "t", revision: 13, boards: [] };
  assert.deepEqual(await asked(json(200, state)), { session: true, state, gone: false });
  assert.equal(requests.at(-1).url, "/state/?seen=12");
  assert.deepEqual(await asked(new Response(null, { status: 204 })), { session: true, state: null, gone: false });
  assert.deepEqual(await asked(json(404, {})), { session: true, state: null, gone: true });
});

test("an empty queue waits for nothing and has nothing to say", () => {
  assert.deepEqual([queue.length, queue.waiting, queue.why, queue.shut, queue.has("1")], [0, 0, "", "", false]);
  queue.send();
  assert.equal(requests.length, 0);
});

test("the page counts again after each answer, and after each try that failed", async () => {
  queue.add(item("1"));
  requests[0].fail();
  await settled();
  assert.equal(changes, 1);
  await clock.move(500);
  await answer(json(200, { version: 4 }));
  assert.equal(changes, 2);
});

test("a try because the network is back replaces the one that waits", async () => {
  queue.add(item("1"));
  requests.at(-1).fail();
  await clock.move(200);
  queue.send();
  requests.at(-1).fail();
  await clock.move(999);
  assert.equal(requests.length, 2);
  await clock.move(1);
  assert.equal(requests.length, 3);
});

test("the reason of the server is forgotten when it saves again", async () => {
  queue.add(item("1"));
  queue.add(item("2"));
  await answer(json(507, { title: "The disk is full." }, { "X-Failure": "disk" }));
  await clock.move(500);
  await answer(json(200, { version: 4 }));
  assert.deepEqual([queue.why, queue.waiting, queue.length], ["", 0, 1]);
});

test("an answer without a body is refused like any other", async () => {
  queue.add(item("1"));
  await answer(new Response(null, { status: 404 }));
  assert.deepEqual(notices.map(([name, , refusal, status]) => [name, refusal, status]), [["refused", null, 404]]);
});

test("a refused mark has no result, so it is dropped", async () => {
  queue.add(item("1", { kind: "over", value: "over" }));
  await answer(json(422, { code: "game_has_result", sentence: "No." }));
  assert.deepEqual([kept.dropped, kept.noted], [["1"], []]);
});

test("an answer that does not come from our server saves nothing", async () => {
  queue.add(item("1"));
  await answer(new Response("<p>Log in to the network of the hotel", { headers: { "Content-Type": "text/html" } }));
  assert.deepEqual([kept.dropped, notices, queue.length, queue.waiting], [[], [], 1, 500]);
});

for (const status of [408, 425, 429, 500, 503]) {
  test(`after ${status} the item is sent again`, async () => {
    queue.add(item("1"));
    await answer(new Response("", { status }));
    assert.deepEqual([queue.length, queue.waiting, notices], [1, 500, []]);
  });
}

test("a request goes on when its page is left, and the rest is sent at once, a game once", async () => {
  for (const game of ["1", "2", "3"]) queue.add(item(game));
  queue.add(item("3", { kind: "confirm" }));
  assert.deepEqual(requests.map((each) => [each.url, each.keepalive]), [["/record/1/", true]]);
  queue.leave();
  assert.deepEqual(requests.slice(1).map((each) => [each.url, each.keepalive]), [
    ["/record/2/", true],
    ["/record/3/", true],
  ]);
  requests[1].fail();
  await settled();
  assert.equal(queue.length, 4); // the browser keeps them until the next page has an answer
});

test("an item of the last visit is sent as another tab has changed it, and not twice", () => {
  kept.newer["1"] = { value: "0-1", typed: 120, version: 4 };
  queue.restore([item("1")]);
  queue.restore([item("1"), item("2", { to: undefined })]);
  assert.deepEqual([fields(requests[0]).result, fields(requests[0]).version], ["0-1", "4"]);
  assert.equal(queue.length, 1);
});

test("what the person deletes is not sent any more", () => {
  for (const game of ["1", "2"]) queue.add(item(game));
  queue.forget([item("1"), item("2")]);
  assert.deepEqual(queue.items.map((each) => each.game), ["1"]); // it is on its way
});

test("a result waits while another tab sends one of its game, and takes the version that this tab has made", async () => {
  kept.turns["41"] = null;
  queue.add(item("41"));
  await clock.move(250);
  assert.equal(requests.length, 0);
  kept.turns["41"] = 5;
  await clock.move(250);
  assert.equal(fields(requests[0]).version, "5");
  await answer(json(200, { version: 6 }));
  assert.deepEqual(kept.ended, [["41", 0], ["41", 6]]);
  kept.turns["42"] = 2;
  queue.add(item("42")); // the page has seen a newer version
  assert.equal(fields(requests[1]).version, "3");
});
