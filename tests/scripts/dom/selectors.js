// Selectors: those that our scripts use.

const PART =
  /\[([\w-]+)(?:(\^?)=("[^"]*"|[^\]]*))?\]|#([\w-]+)|\.([\w-]+)|:(not)\(((?:[^()]|\([^)]*\))*)\)|:(\w+)|\*|([\w-]+)/gy;
const STATES = {
  checked: (element) => element.checked,
  disabled: (element) => element.disabled,
  enabled: (element) => !element.disabled,
  hover: (element) => element.hovered === true, // set by a test
};

function holds(element, compound) {
  const parts = [...compound.matchAll(PART)];
  if (parts.map(([all]) => all).join("") !== compound) throw new Error(`the page for tests does not know ${compound}`);
  for (const [all, name, begins, value, id, className, not, inner, state, tag] of parts) {
    if (name && !element.hasAttribute(name)) return false;
    if (name && value !== undefined) {
      const [own, wanted] = [element.getAttribute(name), value.replace(/"/g, "")];
      if (begins ? !own.startsWith(wanted) : own !== wanted) return false;
    }
    if (id && element.id !== id) return false;
    if (className && !element.classList.contains(className)) return false;
    if (not && element.matches(inner)) return false;
    if (state && !STATES[state](element)) return false;
    if (tag && all !== "*" && element.localName !== tag) return false;
  }
  return true;
}

export const listed = (selector) => selector.match(/(?:\([^)]*\)|\[[^\]]*\]|[^,([])+/g).map((each) => each.trim());

export function fits(element, selector) {
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
