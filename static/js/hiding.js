// A toast of a page with a queue of marks: it is hidden after a time, but not while somebody is in it.

export const SHOWN = 8000; // milliseconds
const timers = /** @type {WeakMap<HTMLElement, number>} */ (new WeakMap());

/** @param {HTMLElement} box */
export function hideLater(box) {
  clearTimeout(timers.get(box));
  const hide = () => {
    if (box.contains(document.activeElement)) hideLater(box);
    else box.hidden = true;
  };
  timers.set(box, setTimeout(hide, SHOWN));
}
