"""axe, the accessibility checker, in a page that is open.

Comparing colours takes it longer than all other rules. Colours follow from what the styles can select: the tag, the
classes and the other attributes of an element and of those around it. So of the elements that are alike in this, such
as the cells of a column, it compares the first and the last one. Colours do not depend on the width, and no other rule
depends on dark mode. So axe looks at the page twice: at 1366 px, and at 360 px in dark mode. If elements are visible at
360 px alone, it also compares their colours in light mode.
"""

from __future__ import annotations

from importlib.resources import files
from weakref import WeakKeyDictionary

from playwright.sync_api import CDPSession, Page

AXE = "window.seen = undefined; " + files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
LOOK = """async ({ unseen, options }) => {
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-compared]" }] });
  const selected = (element) => {
    const known = new Set(["class", "style", "type", "dir", "lang", "aria-current", "aria-checked"]);
    const names = [...element.attributes].map(({ name, value }) => (known.has(name) ? `${name}=${value}` : name));
    const odd = element.matches("tr, li") && element.matches(":nth-child(odd)");
    return [element.tagName, odd, ...names].join();
  };
  const chains = new Map([[document.documentElement, ""]]);
  const chain = (element) => {
    if (!chains.has(element)) chains.set(element, `${chain(element.parentElement)}>${selected(element)}`);
    return chains.get(element);
  };
  const written = (element) => element.matches("input, select, textarea") ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const visible = [...document.body.querySelectorAll("*")].filter((element) => element.checkVisibility());
  const alike = new Map();
  for (const element of visible.filter((each) => written(each) && !(unseen && window.seen.has(each)))) {
    alike.set(chain(element), [...(alike.get(chain(element)) ?? []), element]);
  }
  window.seen ??= new Set(visible);
  const compared = [...alike.values()].flatMap((all) => [all[0], all.at(-1)]);
  if (unseen && !compared.length) return [];
  for (const element of compared) element.setAttribute("data-compared", "");
  const found = await axe.run(document, { ...options, resultTypes: ["violations"] });
  for (const element of compared) element.removeAttribute("data-compared");
  const lines = (each) => each.nodes.map((node) => `${each.id} (${each.impact}): ${node.html.slice(0, 160)}`);
  return found.violations.flatMap(lines);
}"""
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
_sessions: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
WIDE = 1366
NARROW = 360


def errors(page: Page) -> list[str]:
    """Return what axe finds on the page at both widths, text that is too faint in light or dark mode, and whether the
    page is wider than a phone.
    """
    _load(page)
    wide = page.evaluate(LOOK, {"options": {}})
    page.set_viewport_size({"width": NARROW, "height": 768})
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(LOOK, {"options": {}})
    page.emulate_media(color_scheme="light")
    narrow = page.evaluate(LOOK, {"unseen": True, "options": COLOURS})
    if (width := page.evaluate("document.documentElement.scrollWidth")) > NARROW:
        narrow.append(f"the page is {width} px wide")
    page.set_viewport_size({"width": WIDE, "height": 768})
    found = {f"{WIDE} px": wide, f"{NARROW} px, dark": dark, f"{NARROW} px": narrow}
    return [f"{page.url} {where}: {line}" for where, lines in found.items() for line in lines]


def _load(page: Page) -> None:
    """Put axe into the page, as a script of its own: Chromium then uses what it has compiled for the page before."""
    if page not in _sessions:
        _sessions[page] = page.context.new_cdp_session(page)
    answer = _sessions[page].send("Runtime.evaluate", {"expression": AXE, "silent": True})
    assert "exceptionDetails" not in answer, answer
