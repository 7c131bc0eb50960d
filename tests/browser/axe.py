"""axe, the accessibility checker, in a page that is open.

Comparing colours takes it longer than all other rules. The contrast of a text follows from its computed colour, from
what is behind it down to the first colour that covers all below, and from effects on what it is in. Whether it is
enough follows from whether the text is large. So texts that are alike in this are one kind. axe compares a kind until
it has decided about it once, on whatever page: at 1366 px, at 360 px, and there in dark mode, which changes only
colours.

All other rules look at each page at 1366 px. At 360 px the page has the same elements with the same attributes. What
axe says there can differ only where an element is shown at one of the widths alone, a link has another look, or a part
scrolls. Such a difference is of a kind: the element, its parent, the parts of the page around it, and whether the
control around it still has a text; for a heading all headings of the page, for a landmark all of its role. All rules
look at a page at 360 px too if it has a kind of difference that they have not looked at, or an error at 1366 px.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import CDPSession, Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
RUN = """axe.addReporter("plain", (results, options, done) => done(results));
window.runAxe = async (options, rules = []) => {
  // What closed parts of a very long page hold is out of sight, and axe takes seconds to find this out.
  const long = document.getElementsByTagName("*").length > 5000;
  const closed = long ? [...document.querySelectorAll("details:not([open]) > :not(summary)")] : [];
  const back = closed.map((element) => {
    const place = document.createComment("");
    element.replaceWith(place);
    return () => place.replaceWith(element);
  });
  axe.reset();
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-compared]" }, ...rules] });
  const found = await axe.run(document, { ...options, reporter: "plain" });
  for (const put of back) put();
  return found;
};"""
LOOK = """async ([wanted, colours]) => {
  for (const [at, kind] of wanted.entries()) {
    for (const element of [kinds.get(kind)[0], kinds.get(kind).at(-1)]) element.dataset.compared = at;
  }
  const compares = { "color-contrast": { enabled: wanted.length > 0 } };
  // axe compares the colour of a link with its sentence only if some link is neither underlined nor bold.
  const links = "link-in-text-block";
  const found = colours ? await runAxe({ runOnly: ["color-contrast"] })
    : await runAxe({ rules: compares }, [{ id: links, any: [`${links}-style`] }]);
  const at = found.findIndex(({ id, violations }) => id === links && violations.length);
  if (at >= 0) found.splice(at, 1, ...(await runAxe({ runOnly: [links] })));
  const { passes = [], violations = [] } = found.find(({ id }) => id === "color-contrast") ?? {};
  const decided = [...passes, ...violations].map(({ node }) => wanted[node.element.dataset.compared]);
  for (const element of document.querySelectorAll("[data-compared]")) delete element.dataset.compared;
  const html = ({ node }) => node.element.outerHTML.slice(0, 160);
  const lines = ({ id, impact, violations }) => violations.map((each) => `${id} (${impact}): ${html(each)}`);
  return [decided, found.flatMap(lines)];
}"""
KINDS = """(() => {
  const seen = new Map([[null, ["", ""]]]);
  const behind = (element) => {
    if (!seen.has(element)) {
      const style = getComputedStyle(element);
      const { backgroundColor, backgroundImage, clipPath, filter, mixBlendMode, opacity, position } = style;
      const effects = [clipPath, filter, mixBlendMode, opacity].join(" ");
      const ground = [backgroundColor, backgroundImage, position].join(" ");
      const [around, below] = behind(element.parentElement);
      // Nothing shows through a colour without an image, whatever is behind it.
      const covers = backgroundColor.startsWith("rgb(") && backgroundImage === "none";
      seen.set(element, [
        around + (effects === "none none normal 1" ? "" : `>${effects}`),
        covers ? ground : below + (ground === "rgba(0, 0, 0, 0) none static" ? "" : `>${ground}`),
      ]);
    }
    return seen.get(element);
  };
  // axe does not decide about a text of one letter, of a disabled control, or that is clipped or above the screen.
  const written = (element) => element.matches("input:not([type=checkbox], [type=radio]), select, textarea") ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 1);
  const shown = (element) => element.checkVisibility() && !element.matches(":disabled") &&
    !behind(element)[0].includes("inset(50%)") && element.getBoundingClientRect().bottom + scrollY > 0;
  window.kinds = new Map();
  for (const element of document.body.querySelectorAll("*")) {
    if (!written(element) || !shown(element)) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    // Large text needs less contrast. The limits are those of axe, in points.
    const isLarge = Math.ceil(parseFloat(fontSize) * 72) / 96 >= (fontWeight >= 700 ? 14 : 18);
    const kind = [...behind(element), color, isLarge, textShadow].join("|");
    kinds.set(kind, [...(kinds.get(kind) ?? []), element]);
  }
  return [...kinds.keys()];
})()"""
DIFFERENCES = """((wide) => {
  const everything = [...document.querySelectorAll("*")];
  const look = (element) => {
    const { clipPath, color, fontWeight, opacity, overflow, textDecorationLine, visibility } =
      getComputedStyle(element);
    const { right, bottom } = element.getBoundingClientRect();
    const isOut = right <= 0 || bottom + scrollY <= 0;
    const scrolls = /auto|scroll/.test(overflow) && element.checkVisibility() &&
      (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight);
    const link = element.localName === "a" ? [color, fontWeight, textDecorationLine] : [];
    return [element.checkVisibility(), isOut, scrolls, clipPath, opacity, visibility, ...link].join(" ");
  };
  const looks = new Map(everything.map((element) => [element, look(element)]));
  if (wide) {
    window.looksWide = looks;
    return [];
  }
  const focusable = "a[href], button, input, select, textarea, summary, [tabindex]";
  // axe looks at what is hidden from readers only for the focus in it.
  const isHidden = (element) => element.closest("[aria-hidden=true]") &&
    !element.matches(`:is(${focusable}, :has(${focusable}))`);
  const different = everything
    .filter((element) => looks.get(element) !== window.looksWide.get(element) && !isHidden(element));
  const role = (element) => element.getAttribute("role") ?? element.localName;
  const own = (element) => [element.localName, element.getAttribute("class"), ...element.getAttributeNames()].join(" ");
  const headings = ":is(h1, h2, h3, h4, h5, h6)";
  const landmarks = ":is(main, nav, header, footer, aside, section, form, [role])";
  const parts = `:is(${landmarks}, dialog, details, table, ul, ol, dl, a, button, label, [aria-hidden])`;
  const around = (element) => {
    const found = [];
    for (let part = element.parentElement?.closest(parts); part; part = part.parentElement?.closest(parts)) {
      found.push(role(part));
    }
    return found.join(" ");
  };
  const alike = (element) => {
    const which = element.matches(headings) ? headings : element.matches(landmarks) ? landmarks : "";
    const shown = everything.filter((one) => which && one.matches(which) && one.checkVisibility());
    return shown.filter((one) => which === headings || role(one) === role(element))
      .map((one) => role(one) + (one.ariaLabel ?? "")).filter((one, at, all) => one !== all[at - 1]).join(" ");
  };
  const named = `:is(a, button, label, legend, summary, caption, th, td, dt, dd, li, option, ${headings}, [role])`;
  const kind = (element) => {
    const hasText = Boolean(element.closest(named)?.innerText.trim());
    const holdsFocus = Boolean(element.querySelector(focusable));
    const parent = element.parentElement ? own(element.parentElement) : "";
    const place = [own(element), parent, around(element), looks.get(element)];
    return [...place, hasText, holdsFocus, alike(element)].join("|");
  };
  return [...new Set(different.map(kind))];
})"""
WIDE = 1366
NARROW = 360
EDGES = {1024: 16, WIDE: 16, 1920: 276, NARROW: 16}
"""Where the title begins at each width, and below it what follows."""
TITLE = 93
LINE = 56
PLACE = """(() => {
  if (!document.body.matches(".framed")) return null;
  const title = document.querySelector(".head h1");
  const box = title.getBoundingClientRect();
  const actions = [...title.closest(".head").querySelectorAll(":scope > .push > *")];
  const boxes = actions.filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect());
  const middles = boxes.map(({ top, height }) => top + height / 2);
  const lines = middles.length && Math.max(...middles) - Math.min(...middles) > 8 ? 2 : 1;
  const shown = (which) => [...document.querySelectorAll(which)].filter((each) => each.checkVisibility());
  const cut = shown("main .head p").some((each) => each.scrollWidth > each.clientWidth);
  const buttons = shown(".head > .push :is(.btn, .menu > summary):not(.seg .btn, .pop .btn)");
  const many = buttons.length > 3 || buttons.filter((each) => each.matches(".go")).length > 1;
  const height = Math.round(title.closest(".head").getBoundingClientRect().height);
  const wide = document.documentElement.scrollWidth;
  const below = shown("main ~ *").filter((each) => getComputedStyle(each).position === "static")
    .every((each) => each.getBoundingClientRect().left + parseFloat(getComputedStyle(each).paddingLeft) === box.left);
  return [Math.round(box.left), Math.round(box.top), lines, wide, height, cut || many || !below];
})"""
SMALL = """((least) => {
  const inSentence = (each) => {
    let around = each.parentElement;
    while (getComputedStyle(around).display.startsWith("inline")) around = around.parentElement;
    const [own, all] = [each, around].map((one) => one.innerText.trim().length);
    return getComputedStyle(each).display === "inline" && all > own + 1;
  };
  const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  return [...document.querySelectorAll(controls)].filter((each) => {
    const inside = { visibilityProperty: true, opacityProperty: true };
    if (!each.checkVisibility(inside) || each.matches(".skip, .sr, .sr *") || inSentence(each)) return false;
    const boxes = [each, ...(each.labels ?? [])].map((one) => one.getBoundingClientRect());
    const [width, height] = ["width", "height"].map((side) => Math.max(...boxes.map((box) => box[side])));
    const tall = each.closest(".rounds, .map") ? Math.min(least, 36) : least;  // the rail and the map of boards
    return width > 1 && (height < tall - 0.5 || width < (each.closest("td, th") ? 24 : tall) - 0.5);
  }).map((each) => each.outerHTML.slice(0, 100));
})"""
SEE = f"""([wide, framed]) => {{
  const place = framed ? {PLACE}() : null;
  return [{KINDS}, {DIFFERENCES}(wide), place, place && wide ? {SMALL}(24) : [], document.documentElement.scrollWidth];
}}"""
_sessions: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
_decided: set[str] = set()
_looked_at: set[str] = set()
"""Differences between the widths."""


def errors(page: Page, *, framed: bool = False) -> list[str]:
    """Return what axe finds on the page at both widths, text that is too faint in light or dark mode, and whether the
    page is wider than a phone. framed: if somebody is logged in, also what is wrong with the frame of the page. Such a
    page is then hidden: the next one begins at 1366 px in light mode, and this one is not laid out for it.

    Each change of the width costs as much as a look, and each question to the browser a tenth of it. So all that a
    width shows is looked at together.
    """
    _load(page)
    kinds, _none, place, small, _width = page.evaluate(SEE, [True, framed])
    wide = _seen(page, kinds)
    found = {f"{WIDE} px": [*wide, *_shifted(place, small, WIDE)]}
    for width in (width for width in EDGES if place and width not in (WIDE, NARROW)):
        page.set_viewport_size({"width": width, "height": 768})
        found[f"{width} px"] = _shifted(page.evaluate(f"{PLACE}()"), [], width)
    page.set_viewport_size({"width": NARROW, "height": 768})
    kinds, differences, place, _small, width = page.evaluate(SEE, [False, framed])
    is_new = bool(wide) or not _looked_at.issuperset(differences)
    narrow = _seen(page, kinds, colours=not is_new)
    if place:
        narrow += _shifted(place, _small_for_a_finger(page), NARROW)
    _looked_at.update(differences)
    if width > NARROW:
        narrow.append(f"the page is {width} px wide")
    page.emulate_media(color_scheme="dark")
    dark = _seen(page, page.evaluate(KINDS), colours=True)
    if framed:
        page.evaluate("document.documentElement.hidden = true")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": WIDE, "height": 768})
    found |= {f"{NARROW} px": narrow, f"{NARROW} px, dark": dark}
    return [f"{page.url} {where}: {line}" for where, lines in found.items() for line in lines]


def _seen(page: Page, kinds: list[str], *, colours: bool = False) -> list[str]:
    """Return what axe finds, with the texts that have too little contrast of kinds that axe has not yet decided about.
    colours: only these texts.
    """
    wanted = [kind for kind in kinds if kind not in _decided]
    if colours and not wanted:
        return []
    decided, found = page.evaluate(LOOK, [wanted, colours])
    _decided.update(decided)
    return list(found)


def _shifted(place: list[Any] | None, small: list[str], width: int) -> list[str]:
    """Return what is wrong with the frame at a width: the title does not begin where it does on every page, its line
    has another height at a desk, the actions beside it are on two lines at 1366 px or more than three, its facts are
    cut there, what is below the page is not in its column, or the page is too wide; and the controls that are under
    24 px, or under 44 px with a finger. A link inside a sentence is as high as its line.
    """
    if place is None:
        return []
    left, top, lines, wide, height, crowded = place
    crowded = width == WIDE and (crowded or lines > 1)
    is_high = width != NARROW and height != LINE
    found = [f"small: {each}" for each in small]
    if (left, top) != (EDGES[width], TITLE) or wide > width or crowded or is_high:
        found.append(
            f"title at {left}, {top}, {height} px high, {lines} lines of actions, crowded: {crowded}, {wide} px wide"
        )
    return found


def _small_for_a_finger(page: Page) -> list[str]:
    method, finger = "Emulation.setTouchEmulationEnabled", {"maxTouchPoints": 1}
    _sessions[page].send(method, {**finger, "enabled": True})
    found = page.evaluate(f"{SMALL}(44)")
    _sessions[page].send(method, {**finger, "enabled": False})
    return list(found)


def _load(page: Page) -> None:
    """Put axe into the page, and into each one that it opens later. It is a script of its own: Chromium then uses what
    it has compiled for the page before.
    """
    if page not in _sessions:
        _sessions[page] = page.context.new_cdp_session(page)
        source = f"if (window === top) {{{AXE + RUN}}}"
        _sessions[page].send("Page.enable")
        _sessions[page].send("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        answer = _sessions[page].send("Runtime.evaluate", {"expression": AXE + RUN, "silent": True})
        assert "exceptionDetails" not in answer, answer
