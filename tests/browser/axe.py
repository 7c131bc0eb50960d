"""axe, the accessibility checker, in a page that is open.

Comparing colours takes it longer than all other rules. The contrast of a text follows from its computed colour, from
what is behind it down to the first colour that covers all below, and from effects on what it is in. Whether it is
enough follows from whether the text is large. So texts that are alike in this are one kind. axe compares a kind until
it has decided about it once, on whatever page: at 1366 px, at 360 px, and there in dark mode, which changes only
colours. All other rules look at each page at both widths.
"""

from __future__ import annotations

from importlib.resources import files
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
KINDS = """() => {
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
}"""
_sessions: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
_decided: set[str] = set()
WIDE = 1366
NARROW = 360
EDGES = {1024: 16, WIDE: 16, 1920: 276, NARROW: 16}
"""Where the title begins at each width, and below it what follows."""
TITLE = 93
LINE = 56
HAS_FRAME = "() => document.body.matches('.framed')"
PLACE = """() => {
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
}"""
SMALL = """(least) => {
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
}"""


def errors(page: Page, *, framed: bool = False) -> list[str]:
    """Return what axe finds on the page at both widths, text that is too faint in light or dark mode, and whether the
    page is wider than a phone. framed: if somebody is logged in, also what is wrong with the frame of the page. Such a
    page is then hidden: the next one begins at 1366 px in light mode, and this one is not laid out for it.

    Each change of the width costs as much as a look, so all that a width shows is looked at together.
    """
    _load(page)
    edges = framed and page.evaluate(HAS_FRAME)
    wide = [*_seen(page), *(_shifted(page, WIDE) if edges else [])]
    found = {f"{WIDE} px": wide}
    for width in (width for width in EDGES if edges and width not in (WIDE, NARROW)):
        page.set_viewport_size({"width": width, "height": 768})
        found[f"{width} px"] = _shifted(page, width)
    page.set_viewport_size({"width": NARROW, "height": 768})
    narrow = [*_seen(page), *(_shifted(page, NARROW) if edges else [])]
    if (width := page.evaluate("document.documentElement.scrollWidth")) > NARROW:
        narrow.append(f"the page is {width} px wide")
    page.emulate_media(color_scheme="dark")
    dark = _seen(page, colours=True)
    if framed:
        page.evaluate("document.documentElement.hidden = true")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": WIDE, "height": 768})
    found |= {f"{NARROW} px": narrow, f"{NARROW} px, dark": dark}
    return [f"{page.url} {where}: {line}" for where, lines in found.items() for line in lines]


def _seen(page: Page, *, colours: bool = False) -> list[str]:
    """Return what axe finds, with the texts that have too little contrast of kinds that axe has not yet decided about.
    colours: only these texts.
    """
    wanted = [kind for kind in page.evaluate(KINDS) if kind not in _decided]
    if colours and not wanted:
        return []
    decided, found = page.evaluate(LOOK, [wanted, colours])
    _decided.update(decided)
    return list(found)


def _shifted(page: Page, width: int) -> list[str]:
    """Return what is wrong with the frame at a width: the title does not begin where it does on every page, its line
    has another height at a desk, the actions beside it are on two lines at 1366 px or more than three, its facts are
    cut there, what is below the page is not in its column, or the page is too wide; and the controls that are under
    24 px, or under 44 px with a finger.
    """
    left, top, lines, wide, height, crowded = page.evaluate(PLACE)
    crowded = width == WIDE and (crowded or lines > 1)
    is_high = width != NARROW and height != LINE
    found = []
    if width in (WIDE, NARROW):
        found += [f"small: {each}" for each in _small(page, touch=width == NARROW)]
    if (left, top) != (EDGES[width], TITLE) or wide > width or crowded or is_high:
        found.append(
            f"title at {left}, {top}, {height} px high, {lines} lines of actions, crowded: {crowded}, {wide} px wide"
        )
    return found


def _small(page: Page, *, touch: bool) -> list[str]:
    """Return the controls that a mouse, or a finger, hardly hits. A link inside a sentence is as high as its line."""
    method, finger = "Emulation.setTouchEmulationEnabled", {"maxTouchPoints": 1}
    _sessions[page].send(method, {**finger, "enabled": touch})
    found = page.evaluate(SMALL, 44 if touch else 24)
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
    if not page.evaluate("'runAxe' in window"):
        answer = _sessions[page].send("Runtime.evaluate", {"expression": AXE + RUN, "silent": True})
        assert "exceptionDetails" not in answer, answer
