import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { fire, openPage, settled } from "./page.js";

// A cockpit with the button "Pair round 7", opened on a device on which results were typed. All tests use one page, because
// its queue lives as long as the page.
const counted = (one, many) => JSON.stringify([[one, many], [[0, 1], [1, 0], [2, 1]]]).replaceAll('"', "&quot;");
const { clock, window, document, $, stored } = openPage(
  `<details class="plate" hidden><summary><span data-long></span><span data-short></span></summary><div id="waiting"></div></details>
  <p id="saved"></p><form id="results" data-finished data-round="31"><table><tr data-game="3"><td>0–1</td></tr></table></form>
  <template id="waiting-kept"><p data-kept><span data-text></span><a data-correct></a></p></template><template id="waiting-words" data-user="7" data-report="/report/"
  data-unsaved="${counted("{n} is not saved.", "{n} are not saved.")}" data-decide="${counted("{n} to decide.", "")}"
  data-others="${counted("{n} of {who}.", "{n} of {who}.")}" data-forget="${counted("Delete {n}", "Delete {n}")}"
  data-plate="${counted("{n} result not saved", "{n} results not saved")}" data-count="${
    counted("{n} not saved", "{n} not saved")
  }"
  data-saved="Saved {time}" data-keptresult="Here: {result}" data-comma="{first}, {last}" data-typed="{n}: {result}" data-onboard="board {n}: {result}" data-elsewhere="{place}, round {round}: {what}."
  data-refused="{place}, round {round}, board {n}: {result}. {why}" data-sending="Sending." data-network="No answer."
  data-failing="It says {why}." data-ended="Log in." data-other="Another." data-gone="Gone." data-forbidden="Not allowed."
  data-somebody="Somebody" data-marked="{place}: {what}." data-marksrefused="{place}, {n}: {result}. {why}"
  data-marksgone="No such player." data-checkin="Check-in" data-desk="Desk" data-marksended="Log in!" data-marksother="Another!"
  data-marksunsaved="${counted("{n} mark is not saved.", "{n} marks are not saved.")}" data-marksdecide="${
    counted("{n} mark to decide.", "")
  }" data-marksothers="${counted("{n} mark of {who}.", "")}" data-marksforget="${
    counted("Delete {n} mark", "")
  }" data-onmap="${counted("{saved} saved, {n} here", "")}"></template>
  <template id="waiting-line"><div data-line><span data-text></span><a data-log-in></a><a data-correct></a><a data-open>Open round</a>
    <button data-send></button><button data-forget>Delete</button></div></template>
  <form id="pair" data-after-results><button>Pair round 7</button></form>
  <div id="d-todo"><ul class="todo"></ul></div><template id="waiting-cockpit"><li data-unsent><span data-text></span><a data-open></a></li>
    <button data-unsent data-send></button><span data-unsent data-head></span><span data-unsent data-cell> not saved</span></template>
  <div id="d-head"><p class="push"><a id="step" class="btn go" data-key="Enter">Enter results <kbd>Enter</kbd></a></p></div>
  <div id="head"><span data-boards>2 in</span></div><div class="map"><a href="/open/a/round/6/results/#board-1">1</a><a href="/open/a/round/6/results/#board-2">2</a></div>
  <p class="map-key"><span data-only hidden></span></p><form id="note"></form><p id="own"></p><p data-device="other"></p>`,
);
const SOME = { place: "Open, A", round: "31", number: "6", url: "/open/a/round/6/results/", who: "Ada" };
let requests = [];
let reports = [];
let submitted = [];
let answers = () => null; // null: the server does not answer

globalThis.fetch = (url, options = {}) => {
  if (url === "/report/") reports.push(options.body.getAll("waiting").join());
  else requests.push([url, options]);
  const found = answers(url, options);
  return found ? Promise.resolve(found) : Promise.reject(new TypeError("offline"));
};
Object.defineProperty(globalThis, "crypto", { value: { getRandomValues: (list) => list }, configurable: true });
const json = (body, status = 200) => Response.json(body, { status });

/** Keep a typed result in the browser, as the page Results does. */
function typed(game, more = {}, user = "7") {
  const item = {
    game,
    board: game,
    kind: "record",
    value: "1-0",
    sign: "1–0",
    version: 2,
    typed: clock.now,
    answer: "",
  };
  Object.assign(item, SOME, { to: `/open/a/game/${game}/result/` }, more);
  stored.set(`evenboard:typed:${user}:${item.round}:${game}:${item.kind}`, JSON.stringify(item));
  return item;
}
/** Keep a mark of the check-in in the browser, as its page does. */
const marked = (game, more = {}, user = "7") =>
  typed(game, {
    ...{
      kind: "here",
      value: "yes",
      sign: "here",
      board: `Player ${game}`,
      round: "check-in-5:7",
      url: "/open/a/check-in/",
    },
    ...{ to: `/open/a/check-in/${game}/`, state: "/open/a/check-in/", fields: { round: "7", here: "yes" } },
    ...more,
  }, user);
typed("1");
typed("2", {
  round: "40",
  number: "2",
  place: "Open, B",
  url: "/open/b/round/2/results/",
  to: "/open/b/game/2/result/",
});
const { allWaiting, marks, queue, show } = await import("../../static/js/waiting_on_devices.js");
await settled();
const first = requests.map(([url]) => url);

const texts = () => $("#waiting").querySelectorAll("[data-text]").map((each) => each.textContent);
const button = (name, at = 0) => $("#waiting").querySelectorAll(`[data-${name}]`).filter((each) => !each.hidden)[at];
for (const form of document.querySelectorAll("form")) {
  form.requestSubmit = () => fire(form, "submit");
  form.addEventListener(
    "submit",
    () => submitted.push([form.id, form.querySelectorAll("[name=waiting]").map((each) => each.value)]),
  );
}

beforeEach(async () => {
  for (const key of [...stored.keys()]) if (key.includes(":typed:")) stored.delete(key);
  queue.items.length = marks.items.length = 0;
  queue.shut = marks.shut = "";
  answers = () => json({ version: 3 });
  await clock.move(5000);
  [requests, submitted, reports] = [[], [], []];
  show(true);
});

test("a page sends what waits for every section as soon as it is opened", () => {
  assert.deepEqual(first, ["/open/a/game/1/result/"]); // the second one follows when the first is answered
});

test("what is not saved is named with the reason and the round, until it is saved", async () => {
  answers = () => null;
  typed("1");
  typed("2", { typed: clock.now + 1 });
  await clock.move(15_000);
  assert.deepEqual(texts(), ["2 are not saved. No answer.", "Open, A, round 6: board 1: 1–0, board 2: 1–0."]);
  assert.equal(button("open").href, SOME.url);
  answers = () => Response.json({ title: "The disk is full" }, { status: 507, headers: { "X-Failure": "disk" } });
  await clock.move(3000);
  assert.equal(texts()[0], "2 are not saved. It says The disk is full.");
  answers = () => json({ version: 3 });
  fire(button("send"), "click");
  await settled();
  assert.deepEqual([texts(), $(".plate").hidden, $("#waiting").dataset.left], [[], true, "0"]);
});

test("the board map of the cockpit marks the boards whose result is only on this device, until it is saved", async () => {
  const cells = () => $(".map").querySelectorAll("a").map((each) => [each.textContent, each.className]);
  answers = () => null;
  typed("2");
  typed("1", { url: "/open/b/round/6/results/" });
  await clock.move(15_000);
  assert.deepEqual([cells(), $("[data-only]").hidden], [[["1", ""], ["2 not saved", "only"]], false]);
  const head = () => $("#head").querySelectorAll("span").filter((each) => !each.hidden).map((each) => each.textContent);
  assert.deepEqual(head(), ["1 saved, 1 here"]);
  const step = () => [$("#step").className, $("#step").dataset.key, $("#step kbd").hidden];
  assert.deepEqual(step(), ["btn", undefined, true]);
  answers = () => json({ version: 3 });
  fire(button("send"), "click");
  await settled();
  assert.deepEqual([cells(), $("[data-only]").hidden, head()], [[["1", ""], ["2", ""]], true, ["2 in"]]);
  assert.deepEqual(step(), ["btn go", "Enter", false]);
});

test("what is being sent is silent for three seconds, then the plate counts it, and then the page says when it was saved", async () => {
  let arrive = () => {};
  answers = () => new Promise((done) => arrive = () => done(json({ version: 3 })));
  queue.add(typed("1"));
  await clock.move(2900);
  assert.deepEqual([texts(), $(".plate").hidden], [[], true]);
  await clock.move(200);
  const labels = () => ["long", "short"].map((name) => $(`.plate [data-${name}]`).textContent);
  assert.deepEqual([labels(), $(".plate").hidden], [["1 result not saved", "1 not saved"], false]);
  assert.equal(texts()[0], "1 is not saved. Sending.");
  arrive();
  await settled();
  assert.deepEqual([$(".plate").hidden, /^Saved \d/.test($("#saved").textContent)], [true, true]);
});

test("a result that another tab has just typed is left to that tab for ten seconds", async () => {
  typed("1");
  await clock.move(8000);
  assert.deepEqual([requests, $(".plate").hidden], [[], false]);
  await clock.move(10_000);
  assert.deepEqual(requests.map(([url]) => url), ["/open/a/game/1/result/"]);
});

test("a result of a round that is over stays, with the way to its correction, until the person deletes it", async () => {
  answers = () =>
    json({ code: "round_finished", sentence: "Round 6 is finished.", correct: "/correct/?result=1-0" }, 422);
  typed("3");
  await clock.move(15_000);
  assert.deepEqual(texts(), ["Open, A, round 6, board 3: 1–0. Round 6 is finished."]);
  const below = () => $("#results").querySelectorAll("[data-kept]");
  assert.deepEqual(below().map((each) => each.querySelector("[data-text]").textContent), ["Here: 1–0"]);
  assert.equal(below()[0].querySelector("[data-correct]").href, "/correct/?result=1-0");
  assert.deepEqual([button("correct").href, button("open"), allWaiting()], [
    "/correct/?result=1-0",
    undefined,
    ["results 1 Open, A"],
  ]);
  const sent = requests.length;
  await clock.move(20_000);
  assert.equal(requests.length, sent); // it is not sent again by itself
  fire(button("forget"), "click");
  assert.equal(button("forget").textContent, "Delete 1");
  fire(button("forget"), "click");
  assert.deepEqual([texts(), allWaiting(), below().length], [[], [], 0]);
});

test("a game that no longer exists and a right that ended are said in the words of the page", async () => {
  answers = (url) => new Response("", { status: url.includes("/1/") ? 404 : 400 });
  typed("1");
  typed("2", { typed: clock.now + 1 });
  await clock.move(15_000);
  assert.deepEqual(texts(), [
    "Open, A, round 6, board 1: 1–0. Gone.",
    "Open, A, round 6, board 2: 1–0. Not allowed.",
  ]);
});

test("results that somebody else typed here are named and not sent, and can be deleted after twelve hours", async () => {
  typed("1", { who: "Bo" }, "8");
  show();
  assert.deepEqual([texts(), button("forget")], [["1 of Bo."], undefined]);
  await clock.move(20_000);
  assert.deepEqual(requests, []);
  typed("1", { who: "Bo", typed: clock.now - 13 * 3_600_000 }, "8");
  show();
  fire(button("forget"), "click");
  fire(button("forget"), "click");
  assert.deepEqual(texts(), []);
});

test("pairing sends first, and goes on without a question if all is saved", async () => {
  typed("1");
  typed("2", { typed: clock.now + 1 });
  fire($("#pair"), "submit");
  assert.deepEqual(submitted, []);
  await clock.move(250);
  assert.deepEqual([requests.map(([url]) => url), submitted], [
    ["/open/a/game/1/result/", "/open/a/game/2/result/"],
    [["pair", []]],
  ]);
});

test("pairing tells the server how many still wait, whoever typed them; a second press meanwhile does nothing", async () => {
  answers = () => null;
  typed("1");
  typed("2", { who: "Bo" }, "8");
  typed("3", { place: "Open, B", url: "/open/b/round/2/results/" });
  fire($("#pair"), "submit");
  await clock.move(500);
  assert.equal($("#pair").hasAttribute("data-busy"), true); // news do not replace the form
  fire($("#pair"), "submit");
  await clock.move(6000);
  assert.deepEqual([submitted, $("#pair").hasAttribute("data-busy")], [[
    ["pair", ["results 2 Open, A", "results 1 Open, B"]],
  ], false]);
});

test("other forms go at once", () => {
  typed("1");
  fire($("#note"), "submit");
  assert.deepEqual(submitted.map(([id]) => id), ["note"]);
});

test("when the page is left, what waits is sent without waiting for an answer", async () => {
  answers = () => null;
  typed("1");
  typed("2", { typed: clock.now + 1 });
  await clock.move(15_000);
  requests = [];
  fire(window, "pagehide");
  assert.deepEqual(requests.map(([url, { keepalive }]) => [url, keepalive]), [
    ["/open/a/game/1/result/", true],
    ["/open/a/game/2/result/", true],
  ]);
});

test("marks that were left by another page are sent from every page, beside the results", async () => {
  answers = (url) => (url.includes("check-in") ? json({ here: true }) : null);
  typed("1");
  marked("11");
  marked("12", { typed: clock.now + 1 });
  await clock.move(15_000);
  const sent = requests.filter(([url]) => url.includes("check-in"));
  assert.deepEqual(sent.map(([url]) => url), ["/open/a/check-in/11/", "/open/a/check-in/12/"]);
  const { round, here, user, waited, ago } = Object.fromEntries(sent[0][1].body);
  assert.deepEqual([round, here, user, waited, Number(ago) >= 10_000], ["7", "yes", "7", "yes", true]);
  assert.deepEqual(texts(), ["1 is not saved. No answer.", "Open, A, round 6: board 1: 1–0."]);
});

test("the login page of a network, or any answer that is not of our server, saves no mark", async () => {
  answers = () => new Response("<h1>Wifi: log in</h1>", { headers: { "Content-Type": "text/html" } });
  marked("11");
  marked("12", { typed: clock.now + 1 });
  await clock.move(15_000);
  assert.deepEqual(texts(), ["2 marks are not saved. No answer.", "Open, A: Player 11: here, Player 12: here."]);
  assert.deepEqual([button("open").href, button("open").textContent], ["/open/a/check-in/", "Check-in"]);
  assert.deepEqual(allWaiting(), ["here 2 Open, A"]);
});

test("the way to what waits is named by its page", async () => {
  answers = () => null;
  typed("1");
  marked("11");
  marked("12", { round: "desk-open", url: "/open/-/desk/" });
  await clock.move(15_000);
  assert.deepEqual([0, 1, 2].map((at) => button("open", at).textContent), ["Open round", "Check-in", "Desk"]);
});

test("a mark that the server refuses stays with the reason, and one of somebody else waits for that person", async () => {
  answers = () => json({ sentence: "Check-in is closed." }, 422);
  marked("11");
  marked("12", { who: "Bo" }, "8");
  await clock.move(15_000);
  assert.deepEqual(texts(), ["Open, A, Player 11: here. Check-in is closed.", "1 mark of Bo."]);
  fire(button("forget"), "click");
  assert.equal(button("forget").textContent, "Delete 1 mark");
  fire(button("forget"), "click");
  assert.deepEqual([texts(), marks.length], [["1 mark of Bo."], 0]);
});

test("when the session has ended, marks wait and the page leads to the login", async () => {
  answers = (_url, { method } = {}) =>
    method === "POST"
      ? new Response("", { status: 403 })
      : Object.defineProperty(new Response(""), "type", { value: "opaqueredirect" });
  marked("11");
  await clock.move(15_000);
  assert.deepEqual([texts()[0], button("log-in") !== undefined], ["1 mark is not saved. Log in!", true]);
  assert.equal(requests.at(-1)[0], "/open/a/check-in/?seen=");
});

test("pairing asks about marks too", async () => {
  answers = () => null;
  typed("1");
  marked("11");
  fire($("#pair"), "submit");
  await clock.move(6000);
  assert.deepEqual(submitted, [["pair", ["results 1 Open, A", "here 1 Open, A"]]]);
});

test("marks are counted by what they say of a player, and only the last one counts", () => {
  marked("11");
  marked("12", { value: "no" });
  marked("13", { kind: "desk-1", value: "both", place: "Open", round: "desk-open" });
  marked("14", { kind: "desk-2", value: "here", place: "Open", round: "desk-open" });
  marked("14", { kind: "desk-3", value: "away", place: "Open", round: "desk-open", typed: clock.now + 1 });
  marked("13", { kind: "desk-4", value: "correct", place: "Open", round: "desk-open" });
  assert.deepEqual(allWaiting(), ["here 1 Open, A", "here 1 Open", "away 1 Open, A", "away 1 Open", "desk 1 Open"]);
});

test("the server hears what this device could not save for some time, until all is saved, and nothing of the rest", async () => {
  answers = (url) => (url === "/report/" ? json({}) : null);
  typed("1");
  typed("2");
  marked("11");
  marked("12", { value: "no" });
  marked("13", { kind: "desk-1", value: "here", place: "Open", round: "desk-open", number: "1", section: 5 });
  marked("14", { kind: "desk-2", value: "paid", place: "Open", round: "desk-open", number: "1", section: 5 });
  marked("15", { kind: "desk-3", value: "here", place: "Open", round: "desk-open", number: "1" }); // of an older page
  await clock.move(5000);
  await clock.move(15_000);
  assert.deepEqual(reports, ["results 31 6 2,here 5 7 1,here 5 1 1,away 5 7 1"]);
  let news = 0;
  document.addEventListener("evenboard:saved", () => news += 1);
  answers = (url) => json(url.includes("/result/") ? { version: 3 } : { here: true });
  await clock.move(10_000);
  assert.deepEqual([reports.at(-1), news > 0], ["", true]);
  const before = reports.length;
  typed("1");
  await clock.move(30_000); // another tab has typed it: it is sent after ten seconds
  assert.deepEqual([reports.length - before, reports.at(-1)], [2, ""]);
});

test("a result that the server refused is reported until the person deletes it", async () => {
  answers = (url) =>
    url === "/report/" ? json({}) : json({ code: "round_finished", sentence: "Round 6 is finished." }, 422);
  typed("3");
  await clock.move(15_000);
  assert.equal(reports.at(-1), "results 31 6 1");
  fire(button("forget"), "click");
  fire(button("forget"), "click");
  await settled();
  assert.equal(reports.at(-1), "");
});

test("a report that did not arrive is sent again, and a refused one is not", async () => {
  answers = () => null;
  typed("1");
  await clock.move(20_000);
  assert.equal(new Set(reports).size, 1);
  assert.ok(reports.length > 1);
  answers = (url) => (url === "/report/" ? json({}, 403) : null);
  await clock.move(5000);
  const before = reports.length;
  await clock.move(20_000);
  assert.equal(reports.length, before);
});

test("a form says which device sends it, and the page hides what the server says of that device", () => {
  fire($("#pair"), "submit");
  const device = stored.get("evenboard:device");
  assert.equal($("#pair").querySelectorAll("[name=device]").map((each) => each.value).join(), device);
  $("#own").dataset.device = device;
  fire(document, "htmx:afterSettle");
  assert.deepEqual([$("#own").hidden, $("[data-device=other]").hidden], [true, false]);
});

test("a device that has sent everything says so, also on a page whose reports were never refused", async () => {
  answers = () => json({});
  const { Report } = await import("../../static/js/waiting_on_devices/report.js");
  let held = [typed("3")];
  const report = new Report({ address: "/report/", user: "7", device: "1", token: () => "", held: () => held });
  await report.send();
  held = [];
  await report.send();
  assert.deepEqual(reports, ["results 31 6 1", ""]);
});
