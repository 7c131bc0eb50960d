// The list of keys: the table of the schemes, the choice of a scheme, and the two switches.

import { SCHEMES, table } from "./keys.js";
import { sign, words } from "./words.js";

// Read a choice that this browser remembers; `first` if there is none.
function remembered(name, first) {
  try {
    return localStorage.getItem(name) ?? first;
  } catch {
    return first;
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // storage is switched off: the choice lasts for this visit
  }
}

function tick(id, name, first) {
  const box = document.getElementById(id);
  box.checked = remembered(name, first) === "on";
  box.addEventListener("change", () => remember(name, box.checked ? "on" : "off"));
  return () => box.checked;
}

// form: its data attributes name the scheme and the address that stores it. token(): the CSRF token. Returns what the page
// needs while it runs.
export function makeHelp(form, token) {
  const dialog = document.getElementById("help");
  const menu = document.getElementById("scheme");
  const said = document.getElementById("scheme-said");
  let scheme = form.dataset.keys in SCHEMES ? form.dataset.keys : "evenboard";

  function cap(text) {
    const each = document.createElement("kbd");
    each.textContent = text;
    return each;
  }

  function cell(name, waysOf) {
    const place = document.createElement("td");
    place.dataset.scheme = name;
    waysOf.forEach((keys, number) => {
      if (number) place.append(" ");
      for (const key of keys) place.append(cap(key));
    });
    return place;
  }

  function show() {
    for (const each of dialog.querySelectorAll("[data-scheme]")) each.classList.toggle("chosen", each.dataset.scheme === scheme);
    for (const each of document.querySelectorAll("[data-key-of]")) each.textContent = SCHEMES[scheme][each.dataset.keyOf];
  }

  const labels = words.labels.split("|");
  document.getElementById("key-table").replaceChildren(
    ...table().map(([result, ways], number) => {
      const line = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = labels[number];
      if (result) head.title = sign(result);
      line.append(head, ...Object.entries(ways).map(([name, each]) => cell(name, each)));
      return line;
    }),
  );
  menu.value = scheme;
  menu.addEventListener("change", async () => {
    scheme = menu.value;
    show();
    const kept = await fetch(form.dataset.keysUrl, {
      method: "POST",
      body: new URLSearchParams({ keys: scheme }),
      headers: { "X-CSRFToken": token(), Accept: "application/json" },
    }).then((answer) => answer.ok, () => false);
    said.textContent = kept ? said.dataset.saved : said.dataset.lost;
  });
  show();

  return {
    get scheme() { return scheme; },
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
