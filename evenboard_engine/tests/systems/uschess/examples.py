"""The worked examples of docs/uschess.md as values. examples.txt has them as the document does, in its notation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from evenboard_engine.tests.systems.uschess.enumeration import Man, Rules

EXAMPLES = Path(__file__).with_name("examples.txt")
NAMES = {"fb": "full_byes", "fw": "forfeit_wins", "hb": "half_bye"}


@dataclass(frozen=True)
class Example:
    """floats, switches: None if the example does not say them."""

    name: str
    men: tuple[Man, ...]
    rules: Rules
    boards: tuple[tuple[int, int], ...]
    bye: int | None
    floats: frozenset[tuple[int, int, int]] | None
    switches: frozenset[tuple[int, int, int]] | None


def examples() -> list[Example]:
    """Return all examples, in the order of the document."""
    parts = re.split(r"^example ", EXAMPLES.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [_example(part) for part in parts]


def _example(text: str) -> Example:
    head, *lines = text.strip().splitlines()
    parts = dict.fromkeys(("options", "answer", "floats", "switches"), "")
    players = []
    for line in lines:
        key, colon, rest = line.partition(":")
        if colon and key in parts:
            parts[key] = f"{rest.strip()} "
        else:
            players.append(line)
    men = _men(" ".join(players))
    boards = [pair for pair in parts["answer"].split() if not pair.startswith("bye")]
    bye = re.search(r"bye:(\d+)", parts["answer"])
    return Example(
        name=head.partition(":")[0],
        men=men,
        rules=_rules(parts["options"], men),
        boards=tuple(_pair(pair) for pair in boards),
        bye=int(bye.group(1)) if bye else None,
        floats=_sized(parts["floats"]),
        switches=_sized(parts["switches"]),
    )


def _pair(text: str) -> tuple[int, int]:
    one, _, other = text.partition("-")
    return int(one), int(other)


def _sized(text: str) -> frozenset[tuple[int, int, int]] | None:
    if not text:
        return None
    return frozenset(
        (*_pair(pair), int(size)) for pair, _, size in (one.partition("=") for one in text.split())
    )


def _men(text: str) -> tuple[Man, ...]:
    men: dict[int, Man] = {}
    met: dict[int, set[int]] = {}
    for entry in text.split(";"):
        number, rating, points, colours, *marks = entry.split()
        facts: dict[str, object] = {}
        for mark in marks:
            key, equals, value = mark.partition("=")
            if key == "met":
                for other in value.split(","):
                    met.setdefault(int(number), set()).add(int(other))
                    met.setdefault(int(other), set()).add(int(number))
            else:
                facts[NAMES.get(key, key)] = value if equals else True
        tenths = round(float(points) * 10)
        first, _, last = number.partition("..")
        start, _, step = rating.partition("/")
        for place in range(int(last or first) - int(first) + 1):
            key_of = int(first) + place
            men[key_of] = Man(
                key_of,
                int(start) + place * int(step or 0),
                tenths,
                "" if colours == "-" else colours,
                **facts,  # type: ignore[arg-type]
            )
    for number_of, others in met.items():
        men[number_of].met.update(dict.fromkeys(others, 1))  # type: ignore[attr-defined]
    return tuple(men.values())


def _rules(text: str, men: tuple[Man, ...]) -> Rules:
    facts: dict[str, object] = {"floor": min((man.rating for man in men if man.rating), default=0)}
    for word in text.split():
        name, _, value = word.partition("=")
        if value in ("on", "off"):
            facts[name.lower()] = value == "on"
        elif name == "max_drop":
            facts[name] = round(float(value) * 10)
        else:
            facts[name] = int(value) if value.isdigit() else value
    return Rules(**facts)  # type: ignore[arg-type]
