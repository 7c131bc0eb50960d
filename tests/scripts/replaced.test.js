import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { fire, openPage, press } from "./page.js";

// A form that is sent by htmx brings the same page again: all elements are new, and no script runs a second time. Each test
// uses the page that came, not the one that the scripts have seen first.
const PAGE = `<main>
  <nav class="tabs"><a aria-current="page">Check-in</a></nav>
  <button id="large-print" hidden>Large print</button>
  <form class="find" data-list="c-seats"><input name="q"><output data-found="Found:"></output></form>
  <a id="only-missing"></a><div id="live" data-live="/open/a/" data-seen="7"><form id="c-seats" data-seats>
    <input type="hidden" name="csrfmiddlewaretoken" value="key"><input type="hidden" name="round" value="3"><ul id="seats">
    <li id="p-1" class="away" data-find=" ann "><button class="seat" value="yes" formaction="/mark/1/" data-name="Ann">Ann
      <span class="state"></span></button></li>
    <li id="p-2" class="away" data-find=" ben "><button class="seat" value="yes" formaction="/mark/2/" data-name="Ben">Ben
      <span class="state"></span></button></li></ul></form></div>
  <div id="toast" hidden><span data-text></span><button data-undo></button></div><div class="banners"><div id="trouble" hidden></div></div>
  <template id="check-in-words" data-here="{name} is here."></template><template id="waiting-words" data-user="7"></template><p id="live-news"></p><template id="live-words"></template>
  <form id="ties"><ol id="order"><li data-code="a"><button value="up:a"></button></li><li data-code="b"><button
    value="up:b"></button></li></ol><p id="moving" hidden></p><button value="preview"></button></form>
  <input id="link" value="https://a.example/1"><button data-copies="link" data-done="Done" data-failed="No" hidden>Copy</button>
  <form id="list-file" data-parts="/parts/" data-most="9"><input type="hidden" name="csrfmiddlewaretoken"
    value="key"><input type="file"><progress></progress><p data-failed></p><button></button></form>
  <form class="find" data-parts data-list="others"><input name="q"></form>
  <form id="queue"><input type="checkbox" name="chosen" id="a"></form>
</main>`;
const { document, $ } = openPage(PAGE);
const sent = [];
globalThis.location = { href: "https://hall.example/open/a/", pathname: "/open/a/", search: "", hash: "" };
globalThis.matchMedia = () => ({ matches: false });
globalThis.IntersectionObserver = class {
  observe() {}
  disconnect() {}
};
globalThis.fetch = (url, options = {}) => {
  sent.push([options.method ?? "GET", String(url)]);
  return new Promise(() => {});
};
document.execCommand = () => true;
for (
  const name of [
    ...["page", "find", "presence", "tie_breaks", "copying", "rating_lists", "parts", "queue"],
  ]
) {
  await import(`../../static/js/${name}.js`);
}

beforeEach(() => {
  document.activeElement = document.body; // htmx has removed what had the focus
  document.body.replaceChildren(
    document.importNode(new DOMParser().parseFromString(PAGE, "text/html").querySelector("main"), true),
  );
  fire(document, "htmx:afterSettle");
  sent.length = 0;
});

test("the search of the check-in finds, and Enter marks the player", () => {
  const field = $("form.find input");
  field.value = "ben";
  fire(field, "input");
  assert.deepEqual([$("#p-1").hidden, $("#p-2").hidden], [true, false]);
  fire($("form.find"), "submit");
  assert.deepEqual(sent, [["POST", "/mark/2/"]]);
});

test("the search field has the focus, and Escape leaves it", () => {
  assert.equal(document.activeElement, $("form.find input"));
  press($("form.find input"), "Escape");
  assert.equal(document.activeElement, document.body);
});

test("tie-breaks are moved by Alt and an arrow", () => {
  let button = null;
  $("#ties").requestSubmit = (pressed) => button = pressed;
  press($("#order li"), "ArrowUp", { altKey: true });
  assert.equal(button, $("#order button"));
  assert.equal($("#moving").hidden, false);
});

test("a link can be copied", () => {
  assert.equal($("[data-copies]").hidden, false);
});

test("a rating list is sent in parts", () => {
  $("#list-file [type=file]").files = [new Blob(["a list"])];
  assert.equal(fire($("#list-file"), "submit").defaultPrevented, true);
});

test("a list in parts asks the server", () => {
  fire($("form.find[data-parts]"), "submit");
  assert.deepEqual(sent, [["GET", "/open/a/"]]);
});

test("the place of a decision about registrations is remembered", () => {
  $("#a").checked = true;
  fire($("#queue"), "submit");
  assert.equal(sessionStorage.getItem("registrations-row"), "0");
  sessionStorage.removeItem("registrations-row");
});

test("the button for large print works", () => {
  assert.equal($("#large-print").hidden, false);
  fire($("#large-print"), "click");
  assert.equal($("#large-print").getAttribute("aria-pressed"), "true");
});
