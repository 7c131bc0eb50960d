"""axe, the accessibility checker, in a page that is open.

Comparing colours takes it longer than all other rules. Colours do not depend on the width, so at 360 px it compares
only those of elements that are not visible at 1366 px; in dark mode, those of all elements at 360 px.
"""

from __future__ import annotations

from importlib.resources import files

from playwright.sync_api import Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
LOOK = """async ({ unseen, options }) => {
  const visible = [...document.body.querySelectorAll("*")].filter((element) => element.checkVisibility());
  const fresh = new Set(visible.filter((element) => !window.seen?.has(element)));
  const part = unseen ? [...fresh].filter((element) => !fresh.has(element.parentElement)) : [document];
  window.seen ??= new Set(visible);
  const only = { ...options, resultTypes: ["violations"] };
  const found = part.length ? await axe.run(part, only) : { violations: [] };
  const lines = (each) => each.nodes.map((node) => `${each.id} (${each.impact}): ${node.html.slice(0, 160)}`);
  return found.violations.flatMap(lines);
}"""
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
ALL_BUT_COLOURS = {"rules": {"color-contrast": {"enabled": False}}}
WIDE = 1366
NARROW = 360


def errors(page: Page) -> list[str]:
    """Return what axe finds on the page at both widths, and the text that is too faint in dark mode."""
    page.evaluate(f"window.seen = undefined; {AXE}")
    wide = page.evaluate(LOOK, {"options": {}})
    page.set_viewport_size({"width": NARROW, "height": 768})
    narrow = page.evaluate(LOOK, {"options": ALL_BUT_COLOURS})
    narrow += page.evaluate(LOOK, {"unseen": True, "options": COLOURS})
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(LOOK, {"options": COLOURS})
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": WIDE, "height": 768})
    found = {f"{WIDE} px": wide, f"{NARROW} px": narrow, "dark": dark}
    return [f"{page.url} {where}: {line}" for where, lines in found.items() for line in lines]
