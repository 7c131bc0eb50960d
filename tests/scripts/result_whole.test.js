import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { openPage, settled } from "./page.js";

const STATE = "/open/a/round/1/results/";

const cells = (board, names) =>
  `<th class="bd">${board}</th><td class="nm p-w">${names[0]}</td><td class="pts c-p">1</td>
  <td><select name="result-${board}0" data-game="${board}0" aria-label="Board ${board}, ${names.join(" against ")}">
  <option value=""></option><option value="1-0">1–0</option></select><input type="hidden" name="version-${board}0" value="0">
  <input type="hidden" name="was-${board}0" value=""></td>
  <td class="nm p-b">${names[1]}</td><td class="pts c-p">½</td><td class="st"></td>`;
const line = (board, ...names) =>
  `<tr id="board-${board}" data-board="${board}" data-game="${board}0" data-find=" ${board} ${
    names.join(" ").toLowerCase()
  } ">${cells(board, names)}</tr>`;
const PAGE =
  `<form id="results" data-state="${STATE}" data-part-rows="2"><p data-part-after></p><div id="boards"><table class="entry"><caption></caption><tbody>
  ${line(1, "Ada", "Bo")}</tbody></table><table class="entry"><caption></caption><tbody>${
    line(2, "Cy", "Di")
  }</tbody></table></div></form>
  <p id="announcer"></p><template id="waiting-words"></template><template id="words" data-from="From {a}" data-board="Board {n}"></template>
  <script id="boards-state">[{"id":10,"board":1},{"id":20,"board":2,"result":"1-0","version":1},{"id":30,"board":3},
  {"id":40,"board":4,"result":"1-0","version":3},{"id":50,"board":5}]</script>`;

let { document, $ } = openPage(PAGE);
const { addRows, readBoards } = await import("../../static/js/results/whole.js");
const { Names } = await import("../../static/js/results/names.js");

let requests;
let rows;
let names;
let current;
let arrivals;
let clock;
const texts = (selector) => document.querySelectorAll(selector).map((each) => each.textContent.trim());
async function respond(html, status = 200) {
  requests.shift().answer(new Response(`<table><tbody>${html}</tbody></table>`, { status }));
  await settled();
}

beforeEach(() => {
  ({ clock, document, $ } = openPage(PAGE));
  [requests, current, arrivals] = [[], null, 0];
  globalThis.fetch = (url) => new Promise((answer) => requests.push({ url, answer }));
  addRows($("#results"), readBoards());
  rows = document.querySelectorAll("tr[data-game]").map((each) => ({
    line: each,
    menu: each.querySelector("select"),
    game: each.dataset.game,
  }));
  names = new Names({
    form: $("#results"),
    rows,
    current: () => current,
    arrived: () => {
      arrivals += 1;
    },
  });
});

test("every board of the round has a row, with what is stored of it", () => {
  assert.deepEqual(texts(".bd"), ["1", "2", "3", "4", "5"]);
  assert.deepEqual(texts(".p-w"), ["Ada", "Cy", "…", "…", "…"]);
  assert.deepEqual(texts("caption"), ["From 1", "From 4"]);
  assert.deepEqual(
    document.querySelectorAll("select").map(({ name, value }) => [name, value]).slice(2),
    [["result-30", ""], ["result-40", "1-0"], ["result-50", ""]],
  );
  assert.equal(document.querySelector("[name=version-40]").value, "3");
  assert.equal($("#board-4").querySelector("select").getAttribute("aria-label"), "Board 4");
  assert.equal(document.querySelector("[data-part-after]").hidden, true);
});

test("names come part by part, the part of the current board first; results stay", async () => {
  current = rows[4];
  rows[3].menu.value = "";
  void names.load();
  assert.equal(requests[0].url, `${STATE}?rows=3`);
  await respond(line(5, "Ed", "Flo"));
  assert.equal(requests[0].url, `${STATE}?rows=2`);
  assert.deepEqual([names.missing, names.coming], [true, true]);
  await respond(line(3, "Gus", "Hal") + line(4, "Ida", "Jo"));
  assert.deepEqual(texts(".p-w"), ["Ada", "Cy", "Gus", "Ida", "Ed"]);
  assert.deepEqual(texts(".p-b"), ["Bo", "Di", "Hal", "Jo", "Flo"]);
  assert.equal(rows[3].line.dataset.find, " 4 ida jo ");
  assert.equal(rows[3].menu.getAttribute("aria-label"), "Board 4, Ida against Jo");
  assert.equal(rows[3].menu.value, "");
  assert.deepEqual([names.missing, arrivals, requests.length], [false, 2, 0]);
});

test("without an answer, or with boards of another round, the names are asked for again later", async () => {
  void names.load();
  await respond("", 503);
  assert.deepEqual([names.missing, names.coming, requests.length], [true, false, 0]);
  await clock.move(5000);
  await respond(line(7, "Gus", "Hal"));
  assert.deepEqual([names.coming, requests.length], [false, 0]);
  await clock.move(5000);
  await respond(line(3, "Gus", "Hal") + line(4, "Ida", "Jo"));
  assert.equal(names.coming, true);
  await respond(line(5, "Ed", "Flo"));
  assert.equal(names.missing, false);
});
