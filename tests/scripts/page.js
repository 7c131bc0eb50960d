// A small page for tests: the part of the DOM that our scripts use, and a clock that the test moves. It knows no layout.
// What needs a real browser is tested in tests/browser.

const VOID = new Set(["br", "img", "input", "link", "meta"]);
const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
const plain = (text) => text.replace(/&quot;/g, '"').replace(/&lt;/g, "<").replace(/&amp;/g, "&");

// Selectors ---------------------------------------------------------------------------------------------------------

const PART =
  /\[([\w-]+)(?:=("[^"]*"|[^\]]*))?\]|#([\w-]+)|\.([\w-]+)|:(not)\(((?:[^()]|\([^)]*\))*)\)|:(\w+)|\*|([\w-]+)/gy;
const STATES = {
  disabled: (element) => element.disabled,
  enabled: (element) => !element.disabled,
};

function holds(element, compound) {
  const parts = [...compound.matchAll(PART)];
  if (parts.map(([all]) => all).join("") !== compound) throw new Error(`the page for tests does not know ${compound}`);
  for (const [all, name, value, id, className, not, inner, state, tag] of parts) {
    if (name && !element.hasAttribute(name)) return false;
    if (name && value !== undefined && element.getAttribute(name) !== value.replace(/"/g, "")) return false;
    if (id && element.id !== id) return false;
    if (className && !element.classList.contains(className)) return false;
    if (not && element.matches(inner)) return false;
    if (state && !STATES[state](element)) return false;
    if (tag && all !== "*" && element.localName !== tag) return false;
  }
  return true;
}

const listed = (selector) => selector.match(/(?:\([^)]*\)|\[[^\]]*\]|[^,([])+/g).map((each) => each.trim());

function fits(element, selector) {
  const steps = selector.match(/(?:\([^)]*\)|\[[^\]]*\]|[^\s([])+/g);
  const climb = (here, place) => {
    if (!holds(here, steps[place])) return false;
    if (place === 0) return true;
    if (steps[place - 1] === ">") return here.parentElement !== null && climb(here.parentElement, place - 2);
    for (let above = here.parentElement; above; above = above.parentElement) if (climb(above, place - 1)) return true;
    return false;
  };
  return climb(element, steps.length - 1);
}

// Events ------------------------------------------------------------------------------------------------------------

class Target {
  listeners = [];

  addEventListener(type, listener, capture = false) {
    this.listeners.push({ type, listener, capture: capture === true });
  }

  // Listeners of the window and the document that capture come first, then the target, and then those around it.
  dispatchEvent(event) {
    const around = [];
    for (let each = this; each; each = each.above) around.push(each);
    let [stopped, ended] = [false, false];
    Object.defineProperties(event, {
      target: { value: this, configurable: true },
      stopPropagation: {
        value: () => {
          stopped = true;
        },
      },
      stopImmediatePropagation: {
        value: () => {
          stopped = ended = true;
        },
      },
    });
    const call = (place, capture) => {
      for (const each of place.listeners) {
        if (!ended && each.type === event.type && each.capture === capture) each.listener.call(place, event);
      }
    };
    for (const place of [...around].reverse()) if (!stopped) call(place, true);
    for (const place of event.bubbles ? around : [this]) if (!stopped) call(place, false);
    return !event.defaultPrevented;
  }
}

// Nodes -------------------------------------------------------------------------------------------------------------

class Text {
  parentNode = null;

  constructor(text) {
    this.textContent = String(text);
  }

  get outerHTML() {
    return escaped(this.textContent);
  }

  cloneNode() {
    return new Text(this.textContent);
  }
}

class Parent extends Target {
  childNodes = [];
  parentNode = null;

  get children() {
    return this.childNodes.filter((node) => node instanceof Element);
  }

  get firstElementChild() {
    return this.children[0] ?? null;
  }

  append(...nodes) {
    for (const each of nodes) {
      const node = typeof each === "string" ? new Text(each) : each;
      node.remove?.();
      node.parentNode = this;
      this.childNodes.push(node);
    }
  }

  replaceChildren(...nodes) {
    for (const node of this.childNodes) node.parentNode = null;
    this.childNodes = [];
    this.append(...nodes);
  }

  *inside() {
    for (const child of this.children) {
      yield child;
      yield* child.inside();
    }
  }

  querySelectorAll(selector) {
    return [...this.inside()].filter((each) => each.matches(selector));
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  contains(node) {
    for (let each = node; each; each = each.parentNode) if (each === this) return true;
    return false;
  }

  get textContent() {
    return this.childNodes.map((node) => node.textContent).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text ? [text] : []));
  }
}

class Element extends Parent {
  attributes = new Map();

  constructor(localName) {
    super();
    this.localName = localName;
    this.dataset = new Proxy({}, {
      get: (_, name) => this.getAttribute(`data-${kebab(name)}`) ?? undefined,
      set: (_, name, value) => {
        this.setAttribute(`data-${kebab(name)}`, value);
        return true;
      },
      deleteProperty: (_, name) => {
        this.removeAttribute(`data-${kebab(name)}`);
        return true;
      },
      has: (_, name) => this.hasAttribute(`data-${kebab(name)}`),
      ownKeys: () =>
        [...this.attributes.keys()].filter((name) => name.startsWith("data-")).map((name) => camel(name.slice(5))),
    });
    this.classList = {
      contains: (name) => this.className.split(" ").includes(name),
      toggle: (name, on = !this.classList.contains(name)) => {
        this.className = [...this.className.split(" ").filter((each) => each && each !== name), ...(on ? [name] : [])]
          .join(" ");
        return on;
      },
    };
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  hasAttribute(name) {
    return this.attributes.has(name);
  }

  toggleAttribute(name, on) {
    if (on) this.setAttribute(name, "");
    else this.removeAttribute(name);
  }

  get above() {
    return this.parentNode;
  }

  get parentElement() {
    return this.parentNode instanceof Element ? this.parentNode : null;
  }

  get isConnected() {
    return globalThis.document.contains(this);
  }

  matches(selector) {
    return listed(selector).some((each) => fits(this, each));
  }

  closest(selector) {
    for (let each = this; each; each = each.parentElement) if (each.matches(selector)) return each;
    return null;
  }

  remove() {
    if (!this.parentNode) return;
    this.parentNode.childNodes = this.parentNode.childNodes.filter((node) => node !== this);
    this.parentNode = null;
  }

  replaceWith(node) {
    const { parentNode } = this;
    parentNode.childNodes = parentNode.childNodes.map((each) => (each === this ? node : each));
    this.parentNode = null;
    node.parentNode = parentNode;
    if (this.contains(globalThis.document.activeElement)) globalThis.document.activeElement = globalThis.document.body;
  }

  cloneNode(deep = false) {
    const copy = new Element(this.localName);
    for (const [name, value] of this.attributes) copy.setAttribute(name, value);
    for (const node of deep ? this.childNodes : []) {
      const child = node.cloneNode(true);
      child.parentNode = copy;
      copy.childNodes.push(child);
    }
    return copy;
  }

  get outerHTML() {
    const attributes = [...this.attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
    const inner = this.childNodes.map((node) => node.outerHTML).join("");
    return VOID.has(this.localName)
      ? `<${this.localName}${attributes}>`
      : `<${this.localName}${attributes}>${inner}</${this.localName}>`;
  }

  get content() {
    return this;
  }

  get options() {
    return this.querySelectorAll("option");
  }

  get form() {
    return this.closest("form");
  }

  get labels() {
    return this.localName === "input" ? [this.closest("label")] : undefined;
  }

  get elements() {
    return { namedItem: (name) => this.querySelector(`[name=${name}]`) };
  }

  get type() {
    return this.getAttribute("type") ?? (this.localName === "input" ? "text" : this.localName);
  }

  get defaultValue() {
    return this.localName === "textarea" ? this.textContent : this.getAttribute("value") ?? "";
  }

  get value() {
    return this.typed ?? this.defaultValue;
  }

  set value(text) {
    if (this.localName === "input" || this.localName === "textarea") this.typed = String(text);
    else this.setAttribute("value", text);
  }

  get defaultChecked() {
    return this.hasAttribute("checked");
  }

  get checked() {
    return this.ticked ?? this.defaultChecked;
  }

  set checked(on) {
    this.ticked = on;
  }

  get defaultSelected() {
    return this.hasAttribute("selected");
  }

  get selected() {
    return this.chosen ?? this.defaultSelected;
  }

  set selected(on) {
    this.chosen = on;
  }

  focus() {
    globalThis.document.activeElement = this;
  }

  blur() {
    globalThis.document.activeElement = globalThis.document.body;
  }

  click() {
    this.dispatchEvent(new Event("click", { bubbles: true, cancelable: true }));
  }

  showModal() {
    this.setAttribute("open", "");
  }

  checkVisibility() {
    return !this.closest("[hidden], dialog:not([open])");
  }

  getBoundingClientRect() {
    return this.box ?? { left: 0, top: 0, right: 0, bottom: 0 };
  }

  scrollIntoView() {}
}

for (const name of ["id", "name", "href", "scope"]) {
  Object.defineProperty(Element.prototype, name, {
    get() {
      return this.getAttribute(name) ?? "";
    },
    set(value) {
      this.setAttribute(name, value);
    },
  });
}
Object.defineProperty(Element.prototype, "className", {
  get() {
    return this.getAttribute("class") ?? "";
  },
  set(value) {
    this.setAttribute("class", value);
  },
});
for (const name of ["hidden", "disabled", "open"]) {
  Object.defineProperty(Element.prototype, name, {
    get() {
      return this.hasAttribute(name);
    },
    set(on) {
      this.toggleAttribute(name, on);
    },
  });
}

class Document extends Parent {
  hidden = false;

  constructor(html) {
    super();
    this.append(...parsed(html));
    this.body = this.querySelector("body") ?? this;
    this.activeElement = this.body;
  }

  get above() {
    return globalThis.page?.window ?? null;
  }

  getElementById(id) {
    return [...this.inside()].find((each) => each.id === id) ?? null;
  }

  createElement(localName) {
    return new Element(localName);
  }

  importNode(node, deep) {
    return node.cloneNode(deep);
  }
}

function parsed(html) {
  const top = new Element("html");
  let here = top;
  for (const [, close, tag, attributes, text] of html.matchAll(/<(\/?)([\w-]+)([^>]*)>|([^<]+)/g)) {
    if (text !== undefined) here.append(plain(text));
    else if (close) here = here.parentNode;
    else {
      const element = new Element(tag);
      for (const [, name, value = ""] of attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) {
        element.setAttribute(name, plain(value));
      }
      here.append(element);
      if (!VOID.has(tag)) here = element;
    }
  }
  if (here !== top) throw new Error(`${here.localName} is not closed`);
  return [...top.childNodes];
}

// The page of a test --------------------------------------------------------------------------------------------------

// A clock for timers and performance.now(). It stands still until the test moves it.
class Clock {
  now = 1_000_000;
  timers = new Map();
  count = 0;

  set(work, delay, every) {
    this.count += 1;
    this.timers.set(this.count, { work, at: this.now + (delay ?? 0), every });
    return this.count;
  }

  async move(milliseconds) {
    const end = this.now + milliseconds;
    await settled();
    for (;;) {
      const due = [...this.timers].filter(([, timer]) => timer.at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      const [id, timer] = due;
      this.now = timer.at;
      if (timer.every) timer.at += timer.every;
      else this.timers.delete(id);
      timer.work();
      await settled();
    }
    this.now = end;
  }
}

// Wait until all promises have done their work. There is no timer and no network in tests, so this many rounds are enough.
export async function settled() {
  for (let round = 0; round < 50; round += 1) await Promise.resolve();
}

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
    scrollX: 0,
    scrollY: 0,
    setInterval: (work, delay) => clock.set(work, delay, delay),
    setTimeout: (work, delay) => clock.set(work, delay),
  };
  for (const name of ["HTMLButtonElement", "HTMLDetailsElement", "HTMLFormElement", "HTMLInputElement"]) {
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
