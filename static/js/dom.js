// Elements of the page, with their types. A missing element is an error of ours, so the functions fail at once and name it.

/**
 * The kind of an element, such as HTMLInputElement. It is for the type checker alone.
 * @template {Element} T
 * @typedef {{ new (): T }} Kind
 */

/**
 * Return the element with this id. Throw an error if the page has none.
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {Kind<T>} [_kind]
 * @returns {T}
 */
export function byId(id, _kind) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return /** @type {T} */ (/** @type {unknown} */ (found));
}

/**
 * Return the first element in `scope` that matches. Throw an error if there is none.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} scope
 * @param {string} selector
 * @param {Kind<T>} [_kind]
 * @returns {T}
 */
export function one(scope, selector, _kind) {
  const found = scope.querySelector(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return /** @type {T} */ (found);
}

/**
 * Return all elements in `scope` that match.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} scope
 * @param {string} selector
 * @param {Kind<T>} [_kind]
 * @returns {T[]}
 */
export function all(scope, selector, _kind) {
  return /** @type {T[]} */ ([...scope.querySelectorAll(selector)]);
}

/**
 * Do this to each element that matches: to those of the page, and to those that come when a part of the page is replaced.
 * A script that kept an element from the beginning would go on with one that is no longer on the page.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {(element: T) => void} begin
 * @param {Kind<T>} [_kind]
 */
export function forEachComing(selector, begin, _kind) {
  const begun = new WeakSet();
  const look = () => {
    for (const each of /** @type {T[]} */ (all(document, selector))) {
      if (begun.has(each)) continue;
      begun.add(each);
      begin(each);
    }
  };
  document.addEventListener("htmx:afterSettle", look);
  look();
}

/**
 * Load the page again when something has replaced this element: for scripts that run a whole page.
 * @param {Element} element
 */
export function reloadIfReplaced(element) {
  document.addEventListener("htmx:afterSettle", () => {
    if (!element.isConnected) location.reload();
  });
}

/**
 * Return the element that the event is about, null if it is about the whole page.
 * @param {Event} event
 * @returns {HTMLElement | null}
 */
export function elementOf(event) {
  return event.target instanceof Element ? /** @type {HTMLElement} */ (event.target) : null;
}

/**
 * Return the nearest element around the target of the event that matches, null if there is none.
 * @template {Element} [T=HTMLElement]
 * @param {Event} event
 * @param {string} selector
 * @param {Kind<T>} [_kind]
 * @returns {T | null}
 */
export function around(event, selector, _kind) {
  return /** @type {T | null} */ (/** @type {unknown} */ (elementOf(event)?.closest(selector) ?? null));
}

/**
 * Return the part of the page that asks the server for news; null on the pages of an archived event.
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function awake(selector) {
  const found = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  return found?.closest("[data-rests]") ? null : found;
}

/**
 * Return the values of the data attributes. The templates write all that the scripts read.
 * @param {HTMLElement} element
 * @returns {Record<string, string>}
 */
export function dataOf(element) {
  return /** @type {Record<string, string>} */ (element.dataset);
}

/**
 * Return the field of the form with this name.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {HTMLInputElement}
 */
export function fieldOf(form, name) {
  return /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
}

/**
 * Return a new element that shows the text.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} text
 * @returns {HTMLElementTagNameMap[T]}
 */
export function withText(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

/**
 * Return what this tab has kept under a name, or null.
 * @param {string} name
 */
export function kept(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null; // storage is switched off
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function keep(name, value) {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // It holds until the next page.
  }
}
