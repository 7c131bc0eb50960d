// Who is absent from a board: the keys of Results enter the forfeit here too. Without this script the buttons do the same.

import { meaning, named, prefixName, SCHEMES, table } from "./keys.js";
import { fill, say, words } from "./words.js";

const buttons = document.querySelectorAll("button[data-result]");
const asked = document.getElementById("absent").dataset.keys;
const scheme = asked in SCHEMES ? asked : "evenboard";
const ways = new Map(table().map(([result, found]) => [result, found[scheme][0]]));
let prefix = ""; // F, which the next key completes

function cap(text) {
  const key = document.createElement("kbd");
  key.textContent = text;
  return key;
}

function begin(letter) {
  prefix = letter;
  const { white: w, draw: d, black: b } = SCHEMES[scheme];
  say(letter ? fill(words[prefixName(letter)] ?? "", { w, d, b }) : "");
}

document.addEventListener("keydown", (event) => {
  const key = named(event);
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing || key === "Shift") return;
  if (document.querySelector("dialog[open]") || !window.keys.lettersOn()) return;
  if (window.keys.toTab(event)) return event.preventDefault();
  const { result, prefix: letter, wrong } = meaning(scheme, prefix, key) ?? {};
  if (wrong) return event.preventDefault(); // keep waiting for a digit
  const pressed = [...buttons].find((button) => button.dataset.result === result);
  if (pressed) pressed.click();
  else if (letter === undefined && !prefix) return;
  begin(pressed ? "" : letter ?? "");
  if (pressed || letter !== undefined) event.preventDefault();
});

for (const place of [document, document.getElementById("page-keys").content]) {
  for (const each of place.querySelectorAll("[data-ways]")) {
    each.replaceChildren(...ways.get(each.dataset.ways).flatMap((name) => [cap(name), " "]));
    each.hidden = false;
  }
}
