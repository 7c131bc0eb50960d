// Texts, elements and documents, and how a document is read.

import { Target } from "./events.js";
import { fits, listed } from "./selectors.js";

const VOID = new Set(["br", "img", "input", "link", "meta"]);
const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
const plain = (text) => text.replace(/&quot;/g, '"').replace(/&lt;/g, "<").replace(/&amp;/g, "&");

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

  prepend(...nodes) {
    this.replaceChildren(...nodes, ...this.childNodes);
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
    const outside = (each) => this.localName === "template" || !each.parentNode?.closest?.("template"); // its content is apart
    return [...this.inside()].filter((each) => each.matches(selector) && outside(each));
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

export class Element extends Parent {
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
      getOwnPropertyDescriptor: (_, name) => ({
        value: this.getAttribute(`data-${kebab(name)}`) ?? undefined,
        enumerable: true,
        configurable: true,
      }),
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

  before(...nodes) {
    this.beside(nodes, 0);
  }

  after(...nodes) {
    this.beside(nodes, 1);
  }

  beside(nodes, step) {
    for (const node of nodes) {
      node.remove();
      node.parentNode = this.parentNode;
    }
    const around = this.parentNode.childNodes;
    around.splice(around.indexOf(this) + step, 0, ...nodes);
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

  select() {}

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

export class Document extends Parent {
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

  get documentElement() {
    return this.querySelector("html") ?? this.body;
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
