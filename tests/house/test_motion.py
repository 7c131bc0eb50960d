"""Nothing moves for people who ask their system for less motion."""

from __future__ import annotations

import re
from pathlib import Path

from tests.house.packages import SITE

RULE = re.compile(
    r"@media \(prefers-reduced-motion: reduce\) \{ \*, \*::before, \*::after \{ "
    r"animation: none !important; transition: none !important; scroll-behavior: auto !important; \} \}"
)
IMPORTANT = re.compile(r"(?:animation|transition|scroll-behavior)[\w-]*:[^;}]*!important")
OF_SCRIPTS = re.compile(
    r"""behavior: *["']smooth|\.animate\(|startViewTransition|style\.(?:transition|animation)"""
)
OF_PICTURES = re.compile(r"<animate|<set |<marquee|<video|autoplay")


def found(folder: Path, kind: str, what: re.Pattern[str]) -> list[str]:
    """Return the places where the files have it."""
    files = [file for file in sorted(folder.rglob(f"*.{kind}")) if "vendor" not in file.parts]
    assert files
    return [f"{file.name}: {hit}" for file in files for hit in what.findall(file.read_text(encoding="utf-8"))]


def test_one_rule_stops_everything_that_style_sheets_move(root: Path) -> None:
    """The rule is in the sheet of all pages, and nothing is stronger than the rule."""
    sheets = root / "static" / "css"
    base = (sheets / "base.css").read_text(encoding="utf-8")
    assert len(RULE.findall(base)) == 1
    assert found(sheets, "css", re.compile("@view-transition")) == []
    stronger = [each for each in found(sheets, "css", IMPORTANT) if not each.startswith("base.css: ")]
    assert stronger == []
    assert len(IMPORTANT.findall(base)) == 3
    pages = [file.read_text("utf-8") for file in (root / "templates").rglob("*.html")]
    tags = [" ".join(re.findall(r"{% styles (.+?) %}", page)) for page in pages if "<html" in page]
    of_others = {f"{name}.css" for tag in tags if '"base"' not in tag for name in re.findall(r"[\w-]+", tag)}
    assert of_others == {"tokens.css", "hall.css"}
    moving = found(sheets, "css", re.compile(r"(?:animation|transition|scroll-behavior)[\w-]*:"))
    assert of_others & {each.partition(":")[0] for each in moving} == set()


def test_letters_never_change_before_the_ground_below_them(root: Path) -> None:
    """A button that becomes active turns from dark on light to light on dark. Only its ground would do it slowly."""
    rule = re.compile(r"([^{}]+)\{[^{}]*\btransition: (?!none)([^;}]+)")
    moving = [
        (selector.split("*/")[-1].strip(), what)
        for file in sorted((root / "static" / "css").glob("*.css"))
        for selector, what in rule.findall(file.read_text(encoding="utf-8"))
    ]
    assert moving == [(".btn:not(.go):hover", "background var(--fast)")]


def test_scripts_and_pictures_move_nothing_by_themselves(root: Path) -> None:
    assert found(root / "static" / "js", "js", OF_SCRIPTS) == []
    assert found(root / "templates", "html", OF_PICTURES) == ["desk.html: <video"]  # on a press: the camera
    assert [each for name in SITE for each in found(root / name, "py", OF_PICTURES)] == []
