import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { fire, openPage, press, settled } from "./page.js";

// A desk with three players, and a server that knows who is here and what is owed.
const FORMS = (one, more) => JSON.stringify([[one, more], [[0, 1], [1, 0], [2, 1]]]).replaceAll('"', "&quot;");
const FIELDS = ["name", "federation", "fide_id", "club"].map((name) => `<label></label><input name="${name}">`).join(
  "",
);
const { clock, document, stored, $ } = openPage(
  `<form id="find"><input name="csrfmiddlewaretoken" value="old"><input id="q" name="q"></form><a id="ready"></a>
  <b id="present"></b><p id="desk-state" hidden></p><p id="desk-enter" hidden></p><p id="desk-nothing" hidden></p>
  <button id="desk-scan" hidden></button><div id="desk-camera" hidden><video></video><button>Stop</button></div>
  <div id="desk-differs"></div><div id="desk-rows"></div>
  <div id="toast" hidden><span data-text></span><button data-undo></button></div>
  <template id="desk-row"><div><b data-is="name"></b><i data-is="owed"></i><i data-is="here">here</i>
    <i data-is="waits">not sent</i><div data-buttons></div><details><form class="fix">${FIELDS}</form></details></div></template>
  <template id="desk-differs-row"><div><p data-text></p><button data-mine></button><button data-theirs></button></div>
  </template><template id="desk-words" data-user="7" data-event="open" data-shows-waiting="desk-open" data-place="Open" data-page="/desk/" data-people="/people/" data-mark="/desk/0/"
    data-currency="EUR" data-here="{name} is here" data-both="{name} is here and has paid" data-paid="{name} has paid"
    data-away="{name} is not here" data-correct="{name} is corrected" data-repaid="{name}: undone" data-number="{n}"
    data-fide="{n}" data-owes="owes {owed}" data-ready="{ready} of {of}" data-present="here: {n}" data-lost="Lost." data-empty="Lost, no list." data-waiting="${
    FORMS("{n} mark", "{n} marks")
  }"
    data-volatile="${
    FORMS("{n} mark!", "{n} marks!")
  }"></template><template id="waiting-words" data-user="7" data-marksended="Log in." data-marksother="Somebody else."></template>`,
);

let players; // key -> [name, fide, club, owed, here]
let online;
let refuse; // an answer instead of the usual one, by the do of the mark
let sent;
let token;
let user;
let revision = 1;

const rowOf = (
  id,
) => [id, players[id][0], "", "NED", players[id][1], 1800, "A", { club: players[id][2] }, players[id][3], 5];
const counts = () => {
  const all = Object.values(players);
  const here = all.filter((one) => one[4]);
  return { accepted: all.length, present: here.length, ready: here.filter((one) => one[3] <= 0).length };
};
globalThis.fetch = (url, { method = "GET", body, headers = {} } = {}) => {
  if (!online) return Promise.reject(new TypeError("offline"));
  const { pathname, searchParams } = new URL(url, "https://hall.example/");
  if (method === "GET") {
    if (user === null) {
      return Promise.resolve(Object.defineProperty(new Response(""), "type", { value: "opaqueredirect" }));
    }
    if (searchParams.get("seen") === String(revision)) return Promise.resolve(new Response(null, { status: 204 }));
    const ids = Object.keys(players).map(Number);
    return Promise.resolve(Response.json({
      ...{
        seen: String(revision),
        at: 1,
        whole: true,
        people: ids.map(rowOf),
        gone: [],
        until: 1e12,
        counts: counts(),
      },
      ...{ here: ids.filter((id) => players[id][4]), token, user },
    }));
  }
  if (headers["X-CSRFToken"] !== token) return Promise.resolve(new Response("", { status: 403 }));
  const mark = Object.fromEntries(body);
  const id = Number(pathname.split("/")[2]);
  sent.push({ id, ...mark });
  if (refuse[mark.do]) return Promise.resolve(refuse[mark.do]());
  revision += 1;
  if (mark.do === "here" || mark.do === "both") players[id][4] = true;
  if (mark.do === "away") players[id][4] = false;
  if (mark.do === "paid" || mark.do === "both") players[id][3] -= Number(mark.paid);
  if (mark.do === "correct") players[id][2] = mark.club;
  return Promise.resolve(Response.json({ person: [...rowOf(id), players[id][4]] }));
};
[online, token, user, sent, refuse] = [true, "old", 7, [], {}];
players = { 1: ["Ann", 4711, "", 2500, false], 2: ["Ben", null, "", 0, false], 3: ["Anna", null, "SK", 0, true] };
document.body.setAttribute("hx-headers", '{"X-CSRFToken": "old"}');
const { pressedBy } = await import("../../static/js/desk.js");
const { forgetLists, forgetOldLists, keepList, keptList } = await import("../../static/js/desk/list.js");
const { forgetOld } = await import("../../static/js/waiting_on_devices/kept.js");
const { People } = await import("../../static/js/desk/people.js");
await settled();

const names = () => document.querySelectorAll("#desk-rows [data-is=name]").map((each) => each.textContent).join();
const buttons = () => document.querySelectorAll("#desk-rows button").map((each) => each.textContent).join();
const marks = () => [...stored.keys()].filter((key) => key.startsWith("evenboard:typed:7:desk-open:"));
const facts = ({ id, do: act, owed, paid, waited }) => [id, act, owed, paid, waited].join(" ");
async function type(text) {
  $("#q").value = text;
  fire($("#q"), "input");
  await settled();
}
async function push(name) {
  fire(document.querySelectorAll("button").find((each) => each.textContent === name), "click");
  await settled();
}

beforeEach(async () => {
  [online, refuse, token, user] = [true, {}, "old", 7];
  await clock.move(20_000);
  players = { 1: ["Ann", 4711, "", 2500, false], 2: ["Ben", null, "", 0, false], 3: ["Anna", null, "SK", 0, true] };
  revision += 1;
  await clock.move(8000);
  await type("");
  [sent.length] = [0];
});

test("Enter in the empty field presses the button of the one player who is shown", () => {
  const [one, other] = [{}, {}].map((each) => /** @type {HTMLElement} */ (each));
  assert.equal(pressedBy(" ", [one]), one);
  assert.equal(pressedBy("lov", [one]), null);
  assert.equal(pressedBy("", [one, other]), null);
  assert.equal(pressedBy("", []), null);
});

test("letters find players at once, and a press notes what is next with what was shown", async () => {
  await type("ann");
  assert.deepEqual([names(), buttons()], ["Ann,Anna", "Ann is here and has paid,Ann is here,Anna is not here"]);
  assert.deepEqual([$("#ready").textContent, $("#present").textContent], ["1 of 3", "here: 1"]);
  await push("Ann is here and has paid");
  assert.deepEqual(sent.map(facts), ["1 both 2500 2500 "]);
  assert.deepEqual([$("#ready").textContent, marks(), $("#toast").hidden], ["2 of 3", [], false]);
  await push("Ann is not here"); // the second tap on the same place came too soon
  assert.deepEqual([sent.length, players[1][4]], [1, true]);
});

test("without a network marks wait in the browser, and are sent in their order with their keys", async () => {
  await type("ann");
  online = false;
  await push("Ann is here and has paid");
  await type("ben");
  await push("Ben is here");
  assert.deepEqual([$("#desk-state").textContent, marks().length, $("#present").textContent], [
    "2 marks",
    2,
    "here: 3",
  ]);
  const keys = marks().map((key) => JSON.parse(stored.get(key))).sort((a, b) => a.game - b.game)
    .map(({ noted }) => noted.key);
  fire(globalThis.page.window, "offline");
  assert.equal($("#desk-state").textContent, "Lost. 2 marks");
  online = true;
  await clock.move(5000);
  assert.deepEqual(sent.map(facts), ["1 both 2500 2500 yes", "2 here 0 0 yes"]);
  assert.deepEqual([sent.map((mark) => mark.key), marks(), $("#desk-state").hidden], [keys, [], true]);
});

test("undo of a mark that was never sent sends nothing, of another one the opposite", async () => {
  online = false;
  await type("ben");
  await push("Ben is here"); // on its way
  await type("ann");
  await push("Ann is here and has paid");
  fire($("[data-undo]"), "click");
  assert.equal(marks().length, 1);
  online = true;
  await clock.move(5000);
  assert.deepEqual(sent.map(facts), ["2 here 0 0 yes"]);
  await type("ann");
  await push("Ann is here and has paid");
  fire($("[data-undo]"), "click");
  await settled();
  const [both, away] = sent.slice(1);
  assert.deepEqual([both.do, away.do, away.undoes], ["both", "away", both.key]);
});

test("both values of a clash wait for a decision, also over a reload", async () => {
  refuse.both = () =>
    Response.json({ person: [...rowOf(1), true], differs: { paid: "15.00 is owed now." } }, { status: 409 });
  await type("ann");
  await push("Ann is here and has paid");
  assert.equal($("#desk-differs [data-text]").textContent, "15.00 is owed now.");
  const { decide, refusal } = JSON.parse(stored.get(marks()[0]));
  assert.deepEqual([decide, refusal.differs], [true, { paid: "15.00 is owed now." }]);
  players[1][3] = 1500;
  revision += 1;
  await clock.move(8000);
  assert.equal(sent.length, 1);
  refuse = {};
  fire($("[data-mine]"), "click");
  await settled();
  assert.deepEqual([facts(sent[1]), sent[1].key === sent[0].key], ["1 both 1500 2500 ", false]);
  refuse.here = () => Response.json({ sentence: "Ben left." }, { status: 422 });
  await type("ben");
  await push("Ben is here");
  assert.deepEqual([$("[data-mine]").hidden, marks().length], [true, 1]);
  fire($("[data-theirs]"), "click");
  assert.deepEqual([marks(), $("#desk-differs").children.length], [[], 0]);
});

test("a correction is sent with what was shown", async () => {
  await type("ben");
  $("#desk-rows [name=club]").value = " Chess Club ";
  fire($("#desk-rows form"), "submit");
  await settled();
  assert.deepEqual([sent[0].do, sent[0].shown_club, sent[0].club, sent[0].name], ["correct", "", "Chess Club", "Ben"]);
});

test("a code and Enter find the player, and Enter in the empty field presses the black button", async () => {
  await type("4711");
  fire($("#find"), "submit");
  assert.deepEqual([names(), $("#q").value, $("#desk-enter").hidden], ["Ann", "", false]);
  assert.equal(press($("#q"), "Enter"), true);
  await settled();
  assert.equal(facts(sent[0]), "1 both 2500 2500 ");
});

test("a mark waits for its person after another login, and a new token is asked for", async () => {
  token = "new";
  revision += 1;
  await type("ben");
  await push("Ben is here");
  await settled(); // the question for the new token
  assert.deepEqual([sent.map(facts), marks()], [["2 here 0 0 "], []]);
  refuse.away = () => Response.json({ code: "other_user" }, { status: 403 });
  await push("Ben is not here");
  assert.equal(marks().length, 0); // the second tap came too soon
  await clock.move(1000);
  await push("Ben is not here");
  assert.deepEqual([marks().length, $("#desk-state").textContent], [1, "Somebody else. 1 mark"]);
  refuse = {};
  await clock.move(10_000);
  assert.deepEqual([marks(), players[2][4]], [[], false]);
  token = "old";
});

test("when the session has ended, the list of the players is not kept and not shown", async () => {
  await type("ann");
  assert.ok(stored.has("evenboard:desk:list:7:open"));
  user = null;
  await clock.move(8000);
  assert.deepEqual([stored.has("evenboard:desk:list:7:open"), names(), $("#desk-state").textContent], [
    false,
    "",
    "Log in.",
  ]);
  user = 7;
  await clock.move(8000);
  await type("ann");
  assert.equal(names(), "Ann,Anna");
});

test("lists go when nobody is logged in, and everything when the event is long over", () => {
  const mark = "evenboard:typed:7:desk-open:1:desk-k";
  stored.set(mark, JSON.stringify({ game: "1", typed: 1, until: 900 }));
  const list = keptList("7", "open");
  assert.ok(list.until > 900);
  forgetLists();
  keepList("7", "open", list); // an answer was on its way
  assert.deepEqual([keptList("7", "open"), stored.has(mark)], [null, true]);
  stored.set("evenboard:desk:list:7:open", JSON.stringify({ ...list, until: 900 }));
  forgetOld(900);
  forgetOldLists(899);
  assert.deepEqual([keptList("7", "open")?.until, stored.has(mark)], [900, true]);
  forgetOld(901);
  forgetOldLists(901);
  assert.deepEqual([keptList("7", "open"), stored.has(mark)], [null, false]);
});

test("a scanner may believe in another keyboard, and a number of the event goes before FIDE IDs", () => {
  const people = new People();
  const news = { seen: "1", at: 1, whole: true, until: 9, counts: counts(), here: [], gone: [] };
  people.take({ ...news, people: [[12, "A", "", "", 4711, 0, "", "", 0], [4711, "B", "", "", 12, 0, "", "", 0]] });
  const proof = "ab".repeat(20);
  for (
    const [typed, name] of [
      [`https://hall.example/x/-/entry/12-${proof}/`, "A"],
      [`https>&&hall.example&x&ß&entry&12ß${proof}&`, "A"],
      ["12", "A"],
      ["4711", "B"],
      ["13", undefined],
    ]
  ) assert.equal(people.named(typed)?.name, name);
  people.take({ ...news, whole: false, people: [[13, "C", "", "", null, 0, "", "", 0]], here: [13], gone: [12] });
  assert.deepEqual([...people.rows.values()].map(({ name, here }) => [name, here]), [["B", false], ["C", true]]);
});
