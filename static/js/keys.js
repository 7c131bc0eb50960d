// Keys: data-key names the key that presses a control. `g` and a letter go to a tab. `?` opens the list of the keys of
// this page. Conventions for pages: docs/keyboard.md.
"use strict";

{
  const TYPING = "select, textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=button], [type=submit])";
  const OWN_ENTER = `${TYPING}, input, button, a, summary`; // controls with an Enter and a space bar of their own
  const SIGNS = { Escape: "Esc", Delete: "Del", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };
  const SECOND_KEY = 1500; // milliseconds after g
  const since = new WeakMap(); // [data-key-after] control -> since when it is on the page
  let going = 0;
  let opener = null;

  const sheet = () => document.getElementById("help") ?? document.getElementById("keys-sheet");
  const isLetter = (key) => key.length === 1 && key !== " ";

  function lettersOn() {
    try {
      return localStorage.getItem("result-keys") !== "off";
    } catch {
      return true; // storage is switched off
    }
  }

  // The controls that can be pressed now. While a dialog is open, only those in it.
  function controls(kind) {
    const scope = document.querySelector("dialog[open]") ?? document;
    return [...scope.querySelectorAll(`[data-${kind}]`)].filter(
      (each) => !each.matches(":disabled, [aria-disabled=true]") && each.checkVisibility() && !each.closest("[inert]"),
    );
  }

  const keysOf = (control) => [control.dataset.key, control.dataset.keyAlso].filter(Boolean);

  function controlOf(event) {
    const all = controls("key");
    const pressedBy = (key) => all.find((each) => keysOf(each).includes(key));
    const exact = pressedBy(event.key);
    if (exact || event.shiftKey || !isLetter(event.key)) return exact;
    return pressedBy(event.key.toLowerCase()); // with the caps lock on
  }

  function use(control) {
    if (!control.matches(TYPING)) return control.click();
    control.focus();
    control.select?.();
  }

  function rest(event) {
    return event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing;
  }

  // Remember since when each [data-key-after] control is on the page: a key may press it only after a while. Players see
  // published pairings at once, so a key that was meant for the control before must not publish.
  function notice() {
    for (const each of document.querySelectorAll("[data-key-after]")) if (!since.has(each)) since.set(each, performance.now());
  }

  const tooSoon = (control) => performance.now() - (since.get(control) ?? 0) < Number(control.dataset.keyAfter ?? 0);

  // Return whether the key is `g`, or the letter after it that names a tab.
  function toTab(event) {
    if (rest(event) || event.key === "Shift" || !lettersOn()) return false;
    const second = going;
    clearTimeout(going);
    going = 0;
    const tab = second ? controls("go").find((each) => each.dataset.go === event.key.toLowerCase()) : null;
    if (tab) use(tab);
    else if (event.key === "g" && sheet() && controls("go").length) going = setTimeout(() => { going = 0; }, SECOND_KEY);
    return Boolean(tab || going);
  }

  function press(event) {
    if (rest(event) || event.key === "Shift") return;
    const letter = isLetter(event.key);
    const taken = event.key === "Enter" || event.key === " " ? OWN_ENTER : TYPING;
    if (event.target.closest?.(taken) || (letter && !lettersOn())) return;
    if (toTab(event)) return event.preventDefault();
    const control = controlOf(event);
    if (control && window.live?.moved(event, control)) return;
    if (control && !tooSoon(control)) use(control);
    else if (control) return window.live ? window.live.refuse(event, "soon") : event.preventDefault();
    else if (event.key === "?" && sheet()) openSheet();
    else return;
    event.preventDefault();
  }

  // The sheet ----------------------------------------------------------------------------------------------------

  function keyNames(text) {
    const names = text.length === 1 && text !== text.toLowerCase() ? ["Shift", text] : [SIGNS[text] ?? text];
    return names.map((name) => (name === " " ? "Space" : name.length === 1 ? name.toUpperCase() : name));
  }

  function labelOf(control) {
    const own = control.dataset.keyLabel ?? control.getAttribute("aria-label");
    if (own) return own;
    const label = (control.labels?.[0] ?? control).cloneNode(true);
    for (const part of label.querySelectorAll("kbd, svg, [aria-hidden=true]")) part.remove();
    return label.textContent.replace(/\s+/g, " ").trim();
  }

  function line(names, label) {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    for (const name of names) {
      const key = document.createElement("kbd");
      key.textContent = name;
      head.append(key, " ");
    }
    const cell = document.createElement("td");
    cell.textContent = label;
    row.append(head, cell);
    return row;
  }

  function fill(own) {
    const first = new Map();
    for (const each of controls("key")) if (!first.has(each.dataset.key)) first.set(each.dataset.key, each);
    const more = document.getElementById("page-keys")?.content.cloneNode(true).children ?? [];
    const here = [...first.values()].flatMap((control) => keysOf(control).map((key) => line(keyNames(key), labelOf(control))));
    own.querySelector("[data-keys-here]").replaceChildren(...here, ...more);
    own.querySelector("[data-keys-none]").hidden = here.length + more.length > 0;
    const tabs = controls("go").map((tab) => line(["G", tab.dataset.go.toUpperCase()], labelOf(tab)));
    own.querySelector("[data-keys-go]").replaceChildren(...tabs);
    own.querySelector("[data-keys-letters]").checked = lettersOn();
  }

  function openSheet() {
    if (document.querySelector("dialog[open]")) return;
    if (sheet().id === "keys-sheet") fill(sheet());
    opener = document.activeElement;
    sheet().showModal();
  }

  // Put the focus back where it was, even if a list has replaced the control meanwhile.
  function goBack() {
    if (!opener || opener.isConnected) return;
    const same = (each) => each.textContent === opener.textContent && each.getAttribute("href") === opener.getAttribute("href");
    const again = opener.id ? document.getElementById(opener.id) : [...document.querySelectorAll(opener.localName)].find(same);
    (again ?? document.getElementById("main"))?.focus();
  }

  function announce() {
    notice();
    if (!lettersOn()) return;
    for (const each of document.querySelectorAll("[data-key]:not([aria-keyshortcuts])")) {
      each.setAttribute("aria-keyshortcuts", keysOf(each).map((key) => (key === " " ? "Space" : key)).join(" "));
    }
  }

  window.addEventListener("keydown", press); // after the listeners of the document, so that a page can handle a key itself
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-opens-keys]")) openSheet();
  });
  document.addEventListener("close", (event) => { if (event.target === sheet()) goBack(); }, true);
  document.addEventListener("change", (event) => {
    if (!event.target.matches?.("[data-keys-letters]")) return;
    try {
      localStorage.setItem("result-keys", event.target.checked ? "on" : "off");
    } catch {
      // storage is switched off: the keys are on at each visit
    }
  });
  document.addEventListener("htmx:afterSettle", announce);
  announce();
  window.keys = { lettersOn, toTab }; // for pages that handle keys themselves
}
