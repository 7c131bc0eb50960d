// Who is absent from a board: the keys of Results enter the forfeit here too. Without this script the buttons do the same.

import { all, byId, dataOf, reloadIfReplaced, withText } from "../dom.js";
import { lettersOn, toTab } from "../keys.js";
import { meaning, named, prefixName, SCHEMES, table } from "./keys.js";
import { fill } from "../texts.js";
import { announce, words } from "./words.js";

const buttons = all(document, "button[data-result]");
const asked = dataOf(byId("absent")).keys;
const scheme = asked in SCHEMES ? asked : "evenboard";
const firstWay = new Map(table().map(({ result, ways }) => [result, ways[scheme][0]]));
let prefix = ""; // F, which the next key completes

/** @param {string} letter a prefix, "" for none */
function begin(letter) {
  prefix = letter;
  const { white: w, draw: d, black: b } = SCHEMES[scheme];
  announce(letter ? fill(words[prefixName(letter)] ?? "", { w, d, b }) : "");
}

document.addEventListener("keydown", (event) => {
  const key = named(event);
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing || key === "Shift") return;
  if (document.querySelector("dialog[open]") || !lettersOn()) return;
  if (toTab(event)) return event.preventDefault();
  const { result, prefix: letter, wrong } = meaning(scheme, prefix, key) ?? {};
  if (wrong) return event.preventDefault(); // keep waiting for a digit
  const pressed = buttons.find((button) => button.dataset.result === result);
  if (pressed) pressed.click();
  else if (letter === undefined && !prefix) return;
  begin(pressed ? "" : letter ?? "");
  if (pressed || letter !== undefined) event.preventDefault();
});

reloadIfReplaced(byId("absent"));
for (const place of [document, byId("page-keys", HTMLTemplateElement).content]) {
  for (const each of all(place, "[data-ways]")) {
    const way = firstWay.get(dataOf(each).ways) ?? [];
    each.replaceChildren(...way.flatMap((name) => [withText("kbd", name), " "]));
    each.hidden = false;
  }
}
