"""The pictures of the manual, and whether their pages still look like that.

The tests of axe open these pages anyway. With PICTURES=make they save a picture of each (`make pictures`). Without it
they compare the texts of the page that are not data: headings, labels, buttons, heads of columns, each once, because
rows repeat them. What the picture showed of them is noted in `manual/pictures.json`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.axe import WIDE

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "static" / "manual"
NOTES = ROOT / "manual" / "pictures.json"
OF = {
    ("nothing", "owner", "/site/rating-lists/"): "rating-lists",
    ("running", "arbiter", "cockpit/"): "cockpit",
    ("running", "arbiter", "round/3/results/"): "results",
    ("running", "arbiter", "byes/"): "byes",
    ("running", "nobody", "standings/"): "standings",
    ("running", "arbiter", "documents/"): "documents",
    ("check-in", "arbiter", "check-in/"): "check-in",
    ("by hand", "arbiter", "round/2/by-hand/?picked={entry}"): "by-hand",
    ("registering", "owner", "/{event}/-/registration/"): "registrations",
    ("registering", "owner", "/{event}/-/registration/desk/?q=Hru"): "desk",
}
"""The names of pictures of pages that the tests of axe open: the state of the section, the person, the address.
test_arbiters_round.py makes one of a draft, and test_import_list.py one of the check of a list."""
SIZE = {"width": 1000, "height": 640}
WIDER = {"import": {"width": 1240, "height": 760}}
"""Pages whose tables are wide."""
QUALITIES = (0.9, 0.8, 0.7, 0.5)
LARGEST = 60_000  # bytes
TEXTS = """() => {
  const parts = "h1, h2, h3, legend, label, button, summary, caption, thead th, a.btn, .pill";
  const data = "tbody, .toast, [data-live] li";
  const shown = [...document.querySelectorAll("main")].flatMap((main) => [...main.querySelectorAll(parts)])
    .filter((part) => part.checkVisibility() && !part.closest(data));
  const texts = shown.map((part) => `${part.localName} ${part.textContent.replace(/\\s+/g, " ").trim()}`);
  return [...new Set(texts)];
}"""
SMALLER = """async ({ picture, quality }) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""


def changed(page: Page, name: str | None) -> list[str]:
    """Return a sentence if the picture of this name no longer shows the page. With PICTURES=make, make the picture."""
    if name is None:
        return []
    texts = page.evaluate(TEXTS)
    noted = json.loads(NOTES.read_text("utf-8")).get(f"{name}.webp", {}).get("texts")
    if noted == seen(texts):
        return []
    if os.environ.get("PICTURES") == "make":
        make(page, name, seen(texts))
        return []
    return [f"{name}.webp shows another page than {page.url}: run make pictures. The page has {texts}"]


def seen(texts: list[str]) -> str:
    """Return a hash of the texts without their numbers, which are data."""
    plain = ["".join("#" if sign.isdigit() else sign for sign in text) for text in texts]
    return hashlib.sha256("\n".join(plain).encode()).hexdigest()[:16]


def make(page: Page, name: str, texts: str) -> None:
    """Save a picture of the page, and note what it shows."""
    size = WIDER.get(name, SIZE)
    page.set_viewport_size(size)
    picture = base64.b64encode(page.screenshot()).decode()
    page.set_viewport_size({"width": WIDE, "height": 768})
    studio = page.context.new_page()  # a page without the security policy of ours
    found = (
        base64.b64decode(studio.evaluate(SMALLER, {"picture": picture, "quality": each}))
        for each in QUALITIES
    )
    small = next(each for each in found if len(each) <= LARGEST)
    studio.close()
    (FOLDER / f"{name}.webp").write_bytes(small)
    notes = json.loads(NOTES.read_text("utf-8"))
    notes[f"{name}.webp"] = {**size, "texts": texts}
    NOTES.write_text(json.dumps(dict(sorted(notes.items())), indent=2) + "\n", encoding="utf-8")
