// The sentences of the page, translated by the server, and the signs of results.

export const words = document.getElementById("words").dataset;

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

const signs = new Map(
  [...(document.querySelector("select[data-game]")?.options ?? [])].map((option) => [option.value, option.text]),
);

export const sign = (value) => (value ? signs.get(value) ?? value : words.empty);

const said = document.getElementById("said");

export function say(text) {
  said.textContent = text;
}
