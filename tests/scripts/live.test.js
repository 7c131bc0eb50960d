import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { moved } from "../../static/js/live/guard.js";
import { fire, openPage, settled } from "./page.js";

const WORDS = `<div id="live-state" hidden></div><p id="live-news"></p>
  <template id="live-words" data-lost="No connection since {at}." data-ended="Ended." data-login="Log in" data-gone="Gone." data-just="just now"></template>`;
const LIST = (rows, foot = "") => `<ul id="list" data-part>${rows}</ul><div id="foot" data-part>${foot}</div>`;
const ROW = (id, text) => `<li id="${id}" data-part>${text}</li>`;

let clock;
let document;
let window;
let $;
let requests;
let processed;
let settles;
let visits = 0;
globalThis.htmx = { process: (element) => processed.push(element.id) };

// Open a live page: a new copy of the script, as after a new page in the browser.
async function open(inner, attributes = "") {
  ({ clock, document, window, $ } = openPage(`<main data-live="" data-seen="7"${attributes}>${inner}</main>${WORDS}`));
  [requests, processed, settles] = [[], [], 0];
  globalThis.fetch = (url, options) =>
    new Promise((resolve, reject) => {
      requests.push({ url: String(url), ...options, answer: resolve, fail: () => reject(new TypeError("offline")) });
      options.signal.addEventListener("abort", () => reject(options.signal.reason));
    });
  document.addEventListener("htmx:afterSettle", () => {
    settles += 1;
  });
  visits += 1;
  await import(`../../static/js/live.js?${visits}`);
  await clock.move(4000);
}

const respond = async (response) => {
  requests.at(-1).answer(response);
  await settled();
};
const news = (inner, attributes = "") =>
  respond(new Response(`<main data-live="" data-seen="8"${attributes}>${inner}</main>`, { status: 200 }));

beforeEach(() => open(LIST(ROW("a", "Ann") + ROW("b", "Ben"), "<p>Foot</p>")));

test("the page asks every 4 seconds with the revision that it shows", async () => {
  assert.deepEqual(requests.map((each) => each.url), ["https://hall.example/open/a/?seen=7"]);
  assert.deepEqual([requests[0].headers, requests[0].cache], [{ "HX-Request": "true" }, "no-store"]);
  await respond(new Response(null, { status: 204 }));
  await clock.move(3999);
  assert.equal(requests.length, 1);
  await clock.move(1);
  assert.equal(requests.length, 2);
  await news(LIST(ROW("a", "Ann") + ROW("b", "Ben"), "<p>Foot</p>"));
  await clock.move(4000);
  assert.equal(requests[2].url, "https://hall.example/open/a/?seen=8");
});

test("a page with an address of its own asks there", async () => {
  await open(LIST(""), ' id="own"');
  $("main").dataset.live = "/open/a/news/?only=list";
  await respond(new Response(null, { status: 204 }));
  await clock.move(4000);
  assert.equal(requests[1].url, "https://hall.example/open/a/news/?only=list&seen=7");
});

test("only parts that changed are replaced", async () => {
  const [list, ann, foot] = [$("#list"), $("#a"), $("#foot")];
  await news(LIST(ROW("a", "Ann") + ROW("b", "Bea"), "<p>Foot</p>"), ' data-news="Ben is now Bea"');
  assert.deepEqual([$("#list") === list, $("#a") === ann, $("#foot") === foot, $("#b").textContent], [
    true,
    true,
    true,
    "Bea",
  ]);
  assert.deepEqual([processed, settles, $("#live-news").textContent], [["b"], 1, "Ben is now Bea"]);
  await clock.move(4000);
  await news(LIST(ROW("a", "Ann") + ROW("b", "Bea"), "<p>Foot</p>"));
  assert.equal(settles, 1);
  fire(document.body, "focusout"); // nothing waits
  await clock.move(60);
  assert.equal(settles, 1);
});

test("if nothing changed, nothing is replaced or announced", async () => {
  await news(LIST(ROW("a", "Ann") + ROW("b", "Ben"), "<p>Foot</p>"), ' data-news="x"');
  assert.deepEqual([processed, settles, $("#live-news").textContent], [[], 0, ""]);
});

test("what the server sent before is compared, not what scripts made of it", async () => {
  $("#a").append("!");
  await news(LIST(ROW("a", "Ann") + ROW("b", "Ben"), "<p>Foot</p>"));
  assert.equal($("#a").textContent, "Ann!");
  await clock.move(4000);
  await news(LIST(ROW("a", "Anna") + ROW("b", "Ben"), "<p>Foot</p>"));
  assert.equal($("#a").textContent, "Anna");
});

test("a list with other rows is replaced as a whole, and its rows are known then", async () => {
  await news(LIST(ROW("b", "Ben") + ROW("c", "Cem"), "<p>Foot</p>"));
  assert.deepEqual([$("#list").textContent, processed], ["BenCem", ["list"]]);
  await clock.move(4000);
  await news(LIST(ROW("b", "Ben") + ROW("c", "Can"), "<p>Foot</p>"));
  assert.deepEqual(processed, ["list", "c"]);
});

test("a page with other parts is replaced as a whole", async () => {
  await news('<p id="note" data-part>Closed</p>');
  assert.deepEqual([$("main").textContent, $("main").dataset.seen], ["Closed", "8"]);
  await clock.move(4000);
  assert.equal(requests[1].url, "https://hall.example/open/a/?seen=8");
});

test("a part waits while the person types in it, and comes when the person leaves it; other parts come at once", async () => {
  await open(LIST(ROW("a", "Ann"), '<input name="why">'));
  $("input").focus();
  await news(LIST(ROW("a", "Anna"), '<input name="why"><b>New</b>'));
  assert.deepEqual([$("#a").textContent, $("#foot").textContent], ["Anna", ""]);
  $("input").blur();
  fire(document.body, "focusout");
  await clock.move(59);
  assert.equal($("#foot").textContent, "");
  await clock.move(1);
  assert.equal($("#foot").textContent, "New");
});

test("a part that waits for typed words is asked for again when a form replaces the page", async () => {
  await open(LIST(ROW("a", "Ann"), '<input name="why">'));
  $("input").value = "late";
  await news(LIST(ROW("a", "Ann"), '<input name="why"><b>New</b>'));
  assert.equal($("main").dataset.seen, "8");
  fire(document, "htmx:afterSwap");
  assert.equal($("main").dataset.seen, "");
  $("input").value = "";
  fire(document.body, "focusout");
  await clock.move(60);
  assert.equal($("#foot").textContent, "");
});

test("nothing is replaced under a finger", async () => {
  for (const type of ["pointerdown", "pointerup"]) $("#a").addEventListener(type, (event) => event.stopPropagation());
  fire($("#a"), "pointerdown");
  await news(LIST(ROW("a", "Anna") + ROW("b", "Ben"), "<p>Foot</p>"));
  assert.equal($("#a").textContent, "Ann");
  fire($("#a"), "pointerup");
  await clock.move(60);
  assert.equal($("#a").textContent, "Anna");
});

test("nothing is replaced while the person's own press is answered, for at most 5 seconds", async () => {
  fire($("#a"), "htmx:beforeRequest");
  $("#foot").className = "htmx-request";
  await news(LIST(ROW("a", "Anna") + ROW("b", "Ben"), "<p>Foot</p>"));
  assert.equal($("#a").textContent, "Ann");
  await clock.move(4000);
  await respond(new Response(null, { status: 204 }));
  await clock.move(1000);
  fire(document, "htmx:afterRequest");
  await clock.move(60);
  assert.equal($("#a").textContent, "Anna");
});

test("the focus stays on its control, and what is open stays open", async () => {
  await open(
    LIST(
      ROW("a", '<button name="do" value="1">Go</button>') + ROW("b", "Ben"),
      '<details id="d" open><b>1</b></details><details id="e"><b>1</b></details>',
    ),
  );
  $("button").focus();
  await news(
    LIST(
      ROW("a", 'Ann <button name="do" value="1">Go</button>') + ROW("b", "Ben"),
      '<details id="d"><b>2</b></details><details id="e"><b>2</b></details>',
    ),
  );
  assert.equal(document.activeElement, $("button"));
  assert.equal($("#a").textContent, "Ann Go");
  assert.deepEqual([$("#d").open, $("#e").open, $("#foot").textContent], [true, false, "22"]);
});

test("a lost connection is shown with the time, and tried again ever more slowly", async () => {
  const tried = async () => {
    const { length } = requests;
    const began = clock.now;
    while (requests.length === length) await clock.move(500);
    return clock.now - began;
  };
  requests.at(-1).fail();
  await settled();
  assert.match($("#live-state").textContent, /^No connection since \d\d:\d\d:\d\d\.$/);
  assert.deepEqual([$("#live-state").hidden, $("#live-state").className], [false, "live-state note warn"]);
  const waits = [];
  for (let round = 0; round < 4; round += 1) {
    waits.push(await tried());
    requests.at(-1).fail();
    await settled();
  }
  assert.deepEqual(waits, [3000, 6000, 12000, 15000]);
  await tried();
  await respond(new Response("", { status: 500 }));
  assert.equal($("#live-state").hidden, false);
  await tried();
  await respond(new Response(null, { status: 204 }));
  assert.deepEqual([$("#live-state").textContent, $("#live-state").hidden], ["", true]);
  assert.equal(await tried(), 4000);
  requests.at(-1).fail();
  await settled();
  assert.equal(await tried(), 3000);
});

test("a server that does not answer within 10 seconds counts as lost", async () => {
  await clock.move(9999);
  assert.equal($("#live-state").hidden, true);
  await clock.move(1);
  assert.equal($("#live-state").hidden, false);
});

test("a page that is no longer there is reported, and nothing more is asked", async () => {
  for (const status of [401, 403, 404]) {
    await open(LIST(""));
    await respond(new Response("", { status }));
    assert.deepEqual([$("#live-state").textContent, $("#live-state").className], ["Gone.", "live-state note bad"]);
    await clock.move(60000);
    assert.equal(requests.length, 1);
  }
});

test("after the end of the session the page offers to log in again", async () => {
  await respond(new Response("", { status: 200, headers: { "HX-Redirect": "/login/" } }));
  assert.equal($("#live-state").textContent, "Ended. Log in");
  assert.equal($("#live-state a").href, "/login/?next=%2Fopen%2Fa%2F");
  await clock.move(60000);
  assert.equal(requests.length, 1);
});

test("a page that nobody sees does not ask; it asks at once when it is seen again", async () => {
  await respond(new Response(null, { status: 204 }));
  document.hidden = true;
  await clock.move(60000);
  fire(document, "visibilitychange");
  assert.equal(requests.length, 1);
  document.hidden = false;
  fire(document, "visibilitychange");
  assert.equal(requests.length, 2);
});

test("a newer question replaces one that is not answered yet", async () => {
  fire(window, "focus");
  await settled();
  assert.deepEqual([requests.length, requests[0].signal.aborted, $("#live-state").hidden], [2, true, true]);
  await news(LIST(ROW("a", "Anna") + ROW("b", "Ben"), "<p>Foot</p>"));
  assert.equal($("#a").textContent, "Anna");
});

test("without a network the page says so at once", () => {
  fire(window, "offline");
  assert.match($("#live-state").textContent, /^No connection/);
});

test("an answer for a page that a form has replaced is not put in", async () => {
  $("main").replaceWith(Object.assign(document.createElement("main"), { id: "other" }));
  $("main").dataset.live = "";
  await news(LIST(ROW("a", "Anna") + ROW("b", "Ben"), "<p>Foot</p>"));
  assert.equal($("main").textContent, "");
});

test("after news that was put in as a whole, only newer news is put in", async () => {
  await news('<p id="note" data-part>Closed</p>');
  processed.length = 0;
  await clock.move(4000);
  await news('<p id="note" data-part>Closed</p>');
  assert.deepEqual(processed, []);
});

test("a page whose news was put in is not asked for again when a form replaces it", async () => {
  for (const body of [LIST(ROW("a", "Anna") + ROW("b", "Ben"), "<p>Foot</p>"), '<p id="note" data-part>Closed</p>']) {
    await news(body);
    fire(document, "htmx:afterSwap");
    assert.equal($("main").dataset.seen, "8");
    await clock.move(4000);
  }
});

test("what a form put on the page is what the server sent", async () => {
  $("#a").textContent = "Anna";
  fire(document, "htmx:afterSwap");
  await news(LIST(ROW("a", "Anna") + ROW("b", "Ben"), "<p>Foot</p>"));
  assert.deepEqual(processed, []);
});

test("the address to ask comes with the news", async () => {
  await respond(
    new Response(
      `<main data-live="/open/a/two/" data-seen="8">${LIST(ROW("a", "Ann") + ROW("b", "Ben"), "<p>Foot</p>")}</main>`,
    ),
  );
  await clock.move(4000);
  assert.equal(requests[1].url, "https://hall.example/open/a/two/?seen=8");
});

test("another page with other parts waits under a finger, and while somebody types", async () => {
  const act = [() => fire($("#a"), "pointerdown"), () => $("input").focus()];
  for (const begin of act) {
    await open(LIST(ROW("a", "<input>")));
    begin();
    await news('<p id="note" data-part>Closed</p>');
    assert.equal($("#note"), null);
    $("input").blur();
    fire($("#a"), "pointerup");
    await clock.move(60);
    assert.equal($("#note").textContent, "Closed");
  }
});

test("after news a key and a tap that would reach another control do nothing", async () => {
  const button = (name) => `<button id="${name}" data-key="Enter">${name}</button>`;
  await open(LIST(ROW("a", button("ann"))));
  $("#ann").box = { left: 0, top: 0, right: 100, bottom: 20 };
  await news(LIST(ROW("b", button("ben"))));
  assert.equal(moved(Object.assign(new Event("keydown", { cancelable: true }), { key: "Enter" }), $("#ben")), true);
  const taps = [];
  $("#ben").addEventListener("click", () => taps.push("heard"));
  const tap = () => ({
    type: "click",
    bubbles: true,
    isTrusted: true,
    detail: 1,
    clientX: 5,
    clientY: 5,
    preventDefault() {
      taps.push("refused");
    },
  });
  $("#ben").dispatchEvent(tap());
  assert.deepEqual(taps, ["refused"]);
  await clock.move(451);
  $("#ben").dispatchEvent(tap());
  assert.deepEqual(taps, ["refused", "heard"]);
});

test("times in the news count on at once, and every 15 seconds", async () => {
  await open(LIST('<b id="since" data-part data-since="1970-01-01T00:00:00Z">x</b>'));
  assert.equal($("#since").textContent, "");
  $("#live-words").dataset.minutes = "{m} min";
  await respond(new Response(null, { status: 204 }));
  await clock.move(11000);
  assert.match($("#since").textContent, /^\d+ min$/);
  $("#since").textContent = "x";
  fire(document, "htmx:afterSwap");
  assert.match($("#since").textContent, /^\d+ min$/);
  requests.at(-1).answer(
    new Response(
      `<main data-live="" data-seen="9"><b id="until" data-part data-since="1970-01-01T00:00:00Z">y</b></main>`,
    ),
  );
  await settled();
  assert.match($("#until").textContent, /^\d+ min$/);
});

test("a question that was answered in time does not count as lost later, and only one question is on its way", async () => {
  await respond(new Response(null, { status: 204 }));
  fire(window, "focus");
  await respond(new Response(null, { status: 204 }));
  await clock.move(3999);
  assert.equal(requests.length, 2);
  await clock.move(1);
  assert.equal(requests.length, 3);
  await respond(new Response(null, { status: 204 }));
  for (let round = 0; round < 5; round += 1) {
    await clock.move(4000);
    await respond(new Response(null, { status: 204 }));
  }
  assert.equal($("#live-state").hidden, true);
});

test("a page that was never live does not ask", async () => {
  await respond(new Response(null, { status: 204 }));
  $("main").replaceWith(document.createElement("main"));
  fire(window, "focus");
  fire(window, "offline");
  await clock.move(20000);
  assert.deepEqual([requests.length, $("#live-state").hidden], [1, true]);
});
