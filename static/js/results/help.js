// The list of keys: the table of the schemes, the choice of a scheme, and the two switches.

import { all, byId, dataOf, withText } from "../dom.js";
import { SCHEMES, table } from "./keys.js";
import { sign, words } from "./words.js";

/**
 * Return a choice that this browser remembers; `first` if there is none.
 * @param {string} name
 * @param {string} first
 */
function remembered(name, first) {
  try {
    return localStorage.getItem(name) ?? first;
  } catch {
    return first;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // storage is switched off: the choice lasts for this visit
  }
}

/**
 * Let the box switch the choice. Return a function that returns whether it is on.
 * @param {string} id
 * @param {string} name
 * @param {string} first
 */
function tick(id, name, first) {
  const box = byId(id, HTMLInputElement);
  box.checked = remembered(name, first) === "on";
  box.addEventListener("change", () => remember(name, box.checked ? "on" : "off"));
  return () => box.checked;
}

/**
 * Fill the list of keys. Return what the page needs of it while it runs.
 * @param {HTMLFormElement} form its data attributes name the scheme and the address that stores it
 * @param {() => string} token the CSRF token
 */
export function makeHelp(form, token) {
  const dialog = byId("help", HTMLDialogElement);
  const menu = byId("scheme", HTMLSelectElement);
  const outcome = byId("scheme-outcome");
  const { keys, keysUrl } = dataOf(form);
  let scheme = keys in SCHEMES ? keys : "evenboard";

  /**
   * @param {string} name
   * @param {string[][]} ways
   */
  function cell(name, ways) {
    const place = document.createElement("td");
    place.dataset.scheme = name;
    ways.forEach((way, number) => {
      if (number) place.append(" ");
      for (const key of way) place.append(withText("kbd", key));
    });
    return place;
  }

  function show() {
    for (const each of all(dialog, "[data-scheme]")) each.classList.toggle("chosen", each.dataset.scheme === scheme);
    const digits = /** @type {Record<string, any>} */ (SCHEMES[scheme]);
    for (const each of all(document, "[data-key-of]")) each.textContent = digits[dataOf(each).keyOf];
  }

  const labels = words.labels.split("|");
  byId("key-table").replaceChildren(
    ...table().map(({ result, ways }, number) => {
      const line = document.createElement("tr");
      const head = withText("th", labels[number]);
      head.scope = "row";
      if (result) head.title = sign(result);
      line.append(head, ...Object.entries(ways).map(([name, each]) => cell(name, each)));
      return line;
    }),
  );
  menu.value = scheme;
  menu.addEventListener("change", async () => {
    scheme = menu.value;
    show();
    const kept = await fetch(keysUrl, {
      method: "POST",
      body: new URLSearchParams({ keys: scheme }),
      headers: { "X-CSRFToken": token(), Accept: "application/json" },
    }).then((answer) => answer.ok, () => false);
    outcome.textContent = kept ? dataOf(outcome).saved : dataOf(outcome).lost;
  });
  show();

  return {
    get scheme() {
      return scheme;
    },
    open: () => dialog.showModal(),
    lettersOn: tick("letters-on", "result-keys", "on"),
    soundOn: tick("sound-on", "result-sound", "off"),
  };
}

// A low tone. The page says the same in words and marks.
export function beep() {
  try {
    const sounds = new AudioContext();
    const tone = sounds.createOscillator();
    tone.frequency.value = 330;
    tone.connect(sounds.destination);
    tone.start();
    tone.stop(sounds.currentTime + 0.25);
    tone.addEventListener("ended", () => sounds.close());
  } catch {
    // no sound on this machine
  }
}
