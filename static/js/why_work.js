// "Work it out yourself": the reader chooses an opponent in the second list, or opens the next step. Without this script
// each step opens by itself.

import { all, byId, dataOf, one, reloadIfReplaced } from "./dom.js";
import { fill } from "./texts.js";
import { nextStep, paired, verdict } from "./why_work_steps.js";

const page = byId("work");
const details = all(page, "details[data-first]", HTMLDetailsElement);
const line = byId("verdict");
const next = byId("next", HTMLButtonElement);

const steps = () =>
  details.map((each) => {
    const { first, second, passed } = dataOf(each);
    return { first, second, passed: passed.split(" ").filter(Boolean), open: each.open };
  });

/**
 * Show a sentence of the page about a step.
 * @param {string} kind
 * @param {number} [place]
 */
function show(kind, place = 0) {
  const words = one(byId("verdicts", HTMLTemplateElement).content, `[data-kind=${kind}]`).textContent.trim();
  const { firstName, secondName } = dataOf(details[place]);
  line.textContent = fill(words, {
    first: firstName,
    second: secondName,
    step: one(details[place], "summary .num").textContent,
  });
}

/** Mark in both lists who is paired, and the player whose turn it is. */
function mark() {
  const now = steps();
  const done = paired(now);
  const turn = now[nextStep(now)];
  for (const row of all(page, ".both [data-player]")) {
    const key = dataOf(row).player;
    row.classList.toggle("done", done.has(key));
    row.classList.toggle("pick", key === turn?.first);
    const button = row.querySelector("button");
    if (button) button.disabled = done.has(key) || !turn;
  }
  next.disabled = !turn;
}

/**
 * Open the next step.
 * @param {string} [chosen] the key of the player whom the reader has chosen
 */
function open(chosen = "") {
  const now = steps();
  const place = nextStep(now);
  if (place < 0) return;
  details[place].open = true;
  mark();
  if (chosen) show(verdict(now[place], chosen), place);
  else if (nextStep(steps()) < 0) show("done", place);
  else line.textContent = "";
  // A reader who chooses needs the lists for the next choice. The answer is in the bar, which stays in view.
  if (!chosen) details[place].scrollIntoView({ block: "nearest" });
}

for (const row of all(page, "[data-choice]")) {
  const button = document.createElement("button");
  button.setAttribute("type", "button");
  button.append(...row.childNodes);
  button.addEventListener("click", () => open(dataOf(row).player));
  row.append(button);
}
for (const each of all(page, "[data-script]")) each.hidden = false;
page.classList.toggle("scripted", true);
for (const each of details) each.addEventListener("toggle", mark);
reloadIfReplaced(page);
next.addEventListener("click", () => open());
document.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowRight" || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open();
});
mark();
