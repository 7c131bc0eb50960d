import assert from "node:assert/strict";
import { test } from "node:test";

import { nextStep, paired, verdict } from "../../static/js/why_work_steps.js";
import { openPage, press } from "./page.js";

const STEPS = [
  { first: "1", second: "5", passed: ["4"], open: true },
  { first: "2", second: "4", passed: [], open: false },
];

test("the next step is the first that is closed", () => {
  assert.deepEqual([nextStep(STEPS), nextStep(STEPS.slice(0, 1)), nextStep([])], [1, -1, -1]);
});

test("the rules agree with their own opponent, have a reason against one who comes earlier, or have another one", () => {
  assert.deepEqual(["5", "4", "6"].map((chosen) => verdict(STEPS[0], chosen)), ["agree", "passed", "other"]);
});

test("both players of an open step are paired", () => {
  assert.deepEqual([...paired(STEPS)], ["1", "5"]);
});

const row = (key, more = "") => `<li data-player="${key}"${more}><span>${key}</span></li>`;
const step = (first, second, passed) =>
  `<details data-first="${first}" data-second="${second}" data-passed="${passed}" data-first-name="F${first}"
    data-second-name="F${second}"><summary><span class="num">${first}</span></summary></details>`;
const WORDS = {
  agree: "{first} meets {second}",
  passed: "not {first}, step {step}",
  other: "no: {second}",
  done: "all",
};

test("a choice is judged and opens the step, the arrow opens the next one, and paired players cannot be chosen", async () => {
  const { $, document } = openPage(`<section id="work">
    <span data-script hidden></span>
    <div class="both"><ol>${row(1)}${row(2)}</ol><ol>${row(4, " data-choice")}${row(5, " data-choice")}</ol></div>
    <p id="verdict"></p><button id="next"></button>${step(1, 5, "4")}${step(2, 4, "")}</section>
    <div id="verdicts">${
    Object.entries(WORDS).map(([kind, text]) => `<p data-kind="${kind}">${text}</p>`).join("")
  }</div>`);
  const words = $("#verdicts");
  Object.defineProperty(words, "content", { value: words });
  globalThis.HTMLTemplateElement = words.constructor;
  const element = Object.getPrototypeOf($("#next"));
  let scrolled = 0;
  element.scrollIntoView = () => scrolled += 1;
  await import("../../static/js/why_work.js");
  const buttons = [...document.querySelectorAll("[data-choice]")].map((each) => each.firstElementChild);
  assert.equal($("[data-script]").hidden, false);
  buttons[0].click();
  assert.equal($("#verdict").textContent, "not F1, step 1");
  assert.deepEqual([...document.querySelectorAll("details")].map((each) => each.open), [true, false]);
  assert.deepEqual(buttons.map((button) => button.disabled), [false, true]);
  assert.equal(scrolled, 0, "the lists stay in view for the next choice");
  assert.equal($("[data-player=2]").classList.contains("pick"), true);
  assert.equal(press(document, "ArrowRight"), true);
  assert.equal($("#verdict").textContent, "all");
  assert.equal(scrolled, 1);
  assert.equal($("#next").disabled, true);
});
