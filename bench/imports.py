"""Draw the imports between the rooms of the program, from the real imports.

python -m bench.imports [--root .] [--out docs/imports.svg]

A room is a box; its row is its layer (pyproject.toml). A line goes from a room to a room that it imports; a red line
with its name goes up. --root: another tree of the program, such as an older commit.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

import grimp

LAYERS: tuple[tuple[str, ...], ...] = (
    ("server",),
    ("registrations",),
    ("api",),
    ("web",),
    ("pairing",),
    ("tournaments.actions",),
    ("tournaments.files",),
    ("tournaments.queries",),
    ("tournaments.snapshot",),
    ("tournaments.declarations",),
    ("tournaments.models",),
    ("ratings",),
    ("base",),
    ("evenboard_engine.cli",),
    ("evenboard_engine.words",),
    ("evenboard_engine.fairness", "evenboard_engine.regulations"),
    ("evenboard_engine.checking", "evenboard_engine.comparing", "evenboard_engine.generating"),
    ("evenboard_engine.tiebreaks", "evenboard_engine.trf", "evenboard_engine.upper_half"),
    ("evenboard_engine.systems",),
    ("evenboard_engine.matching",),
    ("evenboard_engine.prizes", "evenboard_engine (shared)"),
)
"""The rooms, from the top to the bottom."""
SHARED = "evenboard_engine (shared)"
ROW_OF = {room: row for row, rooms in enumerate(LAYERS) for room in rooms}
NO_ROOM = {
    "evenboard_engine.__main__",
    "evenboard_engine.tests",
    "ratings.migrations",
    "registrations.migrations",
    "tournaments.migrations",
}
PACKAGES = (
    "api",
    "base",
    "evenboard_engine",
    "pairing",
    "ratings",
    "registrations",
    "server",
    "tournaments",
    "web",
)

STYLE = """
    text { font: 13px system-ui, sans-serif; fill: #1c2430 }
    .ground { fill: #ffffff } .box { fill: #eef1f5; stroke: #8b96a5 } .down { stroke: #9aa5b4; fill: none }
    .up { stroke: #c0261c; stroke-width: 2.5; fill: none } text.up { fill: #c0261c; stroke: none }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #14181f } .box { fill: #222933; stroke: #6d7887 } text { fill: #e8ecf2 }
      .down { stroke: #5b6675 } .up { stroke: #ff8f85 } text.up { fill: #ff8f85 }
    }
"""
WIDTH, ROW, TALL, TOP, LINE = 1100, 62, 30, 60, 18


def room_of(module: str) -> str | None:
    """Return the room of a module. None for the packages that only contain rooms, and for modules beside them."""
    for depth in range(module.count(".") + 1, 0, -1):
        prefix = ".".join(module.split(".")[:depth])
        if prefix in NO_ROOM:
            return None
        if prefix in ROW_OF:
            return prefix
    return SHARED if module.startswith("evenboard_engine.") else None


def imports_between_rooms(root: Path) -> Counter[tuple[str, str]]:
    """Return how many imports go from a room to another one."""
    sys.path.insert(0, str(root))
    try:
        graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    finally:
        sys.path.remove(str(root))
    found: Counter[tuple[str, str]] = Counter()
    for module in graph.modules:
        start = room_of(module)
        for imported in graph.find_modules_directly_imported_by(module):
            end = room_of(imported)
            if start and end and start != end:
                found[start, end] += 1
    return found


def upward(found: Mapping[tuple[str, str], int]) -> list[tuple[str, str]]:
    """Return the imports that do not point down, in the order of their names. Two rooms of one row do not import."""
    return sorted((start, end) for start, end in found if ROW_OF[start] >= ROW_OF[end])


def drawing(found: Mapping[tuple[str, str], int]) -> str:
    """Return the SVG: the rooms in their rows, each import as a line, those that point up in red."""
    rooms = {room for pair in found for room in pair}
    rows = [kept for row in LAYERS if (kept := [room for room in row if room in rooms])]
    up = upward(found)
    top = TOP + LINE * len(up)
    places = {
        room: (WIDTH * (at + 1) / (len(row) + 1), top + ROW * number)
        for number, row in enumerate(rows)
        for at, room in enumerate(row)
    }
    height = top + ROW * len(rows)
    label = f"{len(rooms)} rooms, {len(found)} kinds of imports, {len(up)} of them up"
    lines = [
        _line(pair, places, "up" if pair in up else "down")
        for pair in sorted(found, key=lambda pair: (pair in up, pair))
    ]
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}">',
            f"<style>{STYLE}</style>",
            f'<rect class="ground" width="{WIDTH}" height="{height}"/>',
            f'<text x="20" y="26">{label}</text>',
            *lines,
            *_boxes(places),
            *_named(up),
            "</svg>\n",
        )
    )


def _line(pair: tuple[str, str], places: Mapping[str, tuple[float, float]], kind: str) -> str:
    (x1, y1), (x2, y2) = (places[room] for room in pair)
    bend = (y2 - y1) * 0.35 if kind == "down" else 0.0
    side = bend if x1 <= WIDTH / 2 else -bend
    middle = (x1 + x2) / 2 + (side if abs(y2 - y1) > ROW and x1 == x2 else 0)
    ends = (y1 + TALL / 2, y2 - TALL / 2) if y1 < y2 else (y1 - TALL / 2, y2 + TALL / 2)
    shift = -18 if kind == "up" else 0
    return (
        f'<path class="{kind}" d="M{x1 + shift:.0f} {ends[0]:.0f} Q{middle + shift:.0f} {(y1 + y2) / 2:.0f} '
        f'{x2 + shift:.0f} {ends[1]:.0f}"/>'
    )


def _boxes(places: Mapping[str, tuple[float, float]]) -> Iterable[str]:
    for room, (x, y) in places.items():
        wide = 16 + 7.4 * len(room)
        corner = f'x="{x - wide / 2:.0f}" y="{y - TALL / 2:.0f}"'
        yield f'<rect class="box" {corner} width="{wide:.0f}" height="{TALL}" rx="6"/>'
        yield f'<text x="{x:.0f}" y="{y + 5:.0f}" text-anchor="middle">{escape(room)}</text>'


def _named(up: Iterable[tuple[str, str]]) -> Iterable[str]:
    for number, (start, end) in enumerate(up):
        yield f'<text class="up" x="20" y="{TOP - 10 + LINE * number}">{escape(start)} imports {escape(end)}</text>'


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the imports between the rooms of the program.")
    parser.add_argument("--root", type=Path, default=Path.cwd())
    parser.add_argument("--out", type=Path, default=Path("docs/imports.svg"))
    chosen = parser.parse_args()
    found = imports_between_rooms(chosen.root.resolve())
    chosen.out.write_text(drawing(found), encoding="utf-8")
    for start, end in upward(found):
        print(f"up: {start} imports {end} ({found[start, end]})")


if __name__ == "__main__":
    main()
