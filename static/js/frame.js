// The frame of those who work on a section: its menus, the way from section to section, the round that was looked at last, and the
// page of each group that was used last.

import { all, around, dataOf, forEachComing, keep, kept, one } from "./dom.js";

// The round and the pages ----------------------------------------------------------------------------------------

const pages = () => all(document, "[data-of-group]", HTMLAnchorElement);

/** Put the round that was looked at last into the links of a page that is about no round. */
function keepRound() {
  const place = pages()[0]?.dataset.sectionKey ?? "";
  const shown = document.querySelector("[data-round]")?.getAttribute("data-round");
  if (shown) return keep(`round ${place}`, shown);
  const number = kept(`round ${place}`);
  if (!Number(number)) return;
  for (const each of all(document, "[data-kept-round]", HTMLAnchorElement)) {
    each.href = dataOf(each).keptRound.replace(/\b0\//, `${number}/`);
  }
}

/** Lead each group to its page that was used last. */
function leadGroups() {
  for (const each of pages()) {
    const { ofGroup, page } = dataOf(each);
    if (each.getAttribute("aria-current")) keep(`page of ${ofGroup}`, page);
  }
  for (const group of all(document, "[data-group]", HTMLAnchorElement)) {
    const name = dataOf(group).group;
    const own = pages().filter((each) => dataOf(each).ofGroup === name);
    const last = own.find((each) => dataOf(each).page === kept(`page of ${name}`)) ?? own[0];
    if (last) group.href = last.href; // with the round
  }
}

forEachComing(".groups", () => {
  keepRound();
  leadGroups();
});

// The menus ------------------------------------------------------------------------------------------------------

const sectionsMenu = () => /** @type {HTMLDetailsElement | null} */ (document.querySelector("[data-sections]"));
let coming = /** @type {Promise<HTMLAnchorElement[]> | null} */ (null);

/** Load the menu of sections and return its links. */
async function load() {
  const menu = /** @type {HTMLElement} */ (sectionsMenu());
  const here = one(menu, "[data-sections-here]");
  const answer = await fetch(dataOf(menu).sections, { headers: { "HX-Request": "true" } });
  if (answer.ok) {
    here.replaceChildren(...new DOMParser().parseFromString(await answer.text(), "text/html").body.children);
  }
  return all(here, "[data-digit]", HTMLAnchorElement);
}

/** @type {() => Promise<HTMLAnchorElement[]>} */
const sections = () => (coming ??= load().finally(() => (coming = null)));

/**
 * Go to the section before or after this one, or to one by its number; 0 is the overview.
 * @param {"before" | "after" | number} to
 */
export async function toSection(to) {
  if (!hasSections()) return;
  const links = await sections(); // the first one leads to the event
  const here = links.findIndex((each) => each.getAttribute("aria-current"));
  const [last, step] = [links.length - 1, to === "before" ? -1 : 1];
  const found = typeof to === "number"
    ? links.find((each) => dataOf(each).digit === String(to))
    : links[1 + ((Math.max(here, to === "before" ? 1 : 0) - 1 + step + last) % last)];
  found?.click();
}

export const hasSections = () => sectionsMenu() !== null;

forEachComing("[data-sections]", (menu) => {
  const look = () => menu.open && sections();
  menu.addEventListener("toggle", look);
  look(); // a person was faster than this script
}, HTMLDetailsElement);

/** @param {HTMLDetailsElement} open */
const close = (open) => {
  open.open = false;
  /** @type {HTMLElement | null} */ (open.querySelector("summary"))?.focus();
};
document.addEventListener("keydown", (event) => {
  const open = /** @type {HTMLDetailsElement | null} */ (document.querySelector("details.menu[open]"));
  if (!open || event.defaultPrevented) return;
  if (event.key === "Escape") {
    event.preventDefault();
    close(open);
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && open.contains(document.activeElement)) {
    const rows = all(open, "a, button").filter((each) => each.checkVisibility());
    const at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    rows.at((at + (event.key === "ArrowDown" ? 1 : at < 0 ? 0 : -1)) % rows.length)?.focus();
    event.preventDefault();
  }
});
document.addEventListener("click", (event) => {
  for (const open of all(document, "details.menu[open]", HTMLDetailsElement)) {
    if (around(event, "details.menu") !== open || around(event, "[data-opens-keys]")) open.open = false;
  }
});
