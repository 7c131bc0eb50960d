// A small page for tests: the part of the DOM that our scripts use, and a clock that the test moves. It knows no layout.
// What needs a real browser is tested in tests/browser.

import { Clock } from "./dom/clock.js";
import { Target } from "./dom/events.js";
import { Document, Element } from "./dom/nodes.js";

export { settled } from "./dom/clock.js";

// Make a page with this body the page of the scripts. Import a script after it.
export function openPage(body) {
  const clock = new Clock();
  const window = new Target();
  const stored = new Map();
  globalThis.page = { window };
  const storage = new Proxy({
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => {
      stored.set(key, String(value));
    },
    removeItem: (key) => {
      stored.delete(key);
    },
  }, { ownKeys: () => [...stored.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) });
  const globals = {
    AbortSignal: { timeout: () => new AbortController().signal },
    DOMParser: class {
      parseFromString(html) {
        return new Document(html);
      }
    },
    Element,
    addEventListener: window.addEventListener.bind(window),
    clearInterval: (id) => clock.timers.delete(id),
    clearTimeout: (id) => clock.timers.delete(id),
    document: new Document(`<body>${body}</body>`),
    getSelection: () => null,
    localStorage: storage,
    location: { href: "https://hall.example/open/a/", pathname: "/open/a/", search: "" },
    ResizeObserver: class {
      observe() {}
    },
    scrollX: 0,
    scrollY: 0,
    setInterval: (work, delay) => clock.set(work, delay, delay),
    setTimeout: (work, delay) => clock.set(work, delay),
  };
  for (
    const name of [
      "HTMLAnchorElement",
      "HTMLButtonElement",
      "HTMLDetailsElement",
      "HTMLFormElement",
      "HTMLInputElement",
      "HTMLProgressElement",
      "HTMLSelectElement",
      "HTMLTemplateElement",
      "HTMLVideoElement",
    ]
  ) {
    globals[name] = Element;
  }
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
  performance.now = () => clock.now;
  Date.now = () => clock.now;
  Math.random = () => 0.5;
  return {
    clock,
    window,
    document: globalThis.document,
    stored,
    $: (selector) => globalThis.document.querySelector(selector),
  };
}

// Press a key. Return whether a script has used it.
export function press(target, key, more = {}) {
  const event = Object.assign(new Event("keydown", { bubbles: true, cancelable: true }), { key, ...more });
  target.dispatchEvent(event);
  return event.defaultPrevented;
}

export function fire(target, type, more = {}) {
  const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), more);
  target.dispatchEvent(event);
  return event;
}
