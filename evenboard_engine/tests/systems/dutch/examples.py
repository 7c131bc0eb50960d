"""The worked examples of examples.txt, as values of the engine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from evenboard_engine.model import (
    Acceleration,
    Bye,
    ByeKind,
    Colour,
    Game,
    Player,
    PointSystem,
    Result,
    Tournament,
)

TEXT = Path(__file__).with_name("examples.txt")
OF_WHITE = {
    "1": Result.WHITE_WINS,
    "0": Result.BLACK_WINS,
    "+": Result.WHITE_WINS_BY_FORFEIT,
    "-": Result.BLACK_WINS_BY_FORFEIT,
}
OF_BOTH = {"=": Result.DRAW, "0": Result.ZERO_ZERO, "-": Result.DOUBLE_FORFEIT}
Pairs = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Answer:
    """pairs: (white, black). bye: None without one."""

    pairs: Pairs
    bye: int | None


@dataclass(frozen=True)
class Example:
    """answer: None if no round exists. without: the answers by the name of the rule that is left out."""

    name: str
    tournament: Tournament
    answer: Answer | None
    without: dict[str, Answer | None]


def examples() -> list[Example]:
    """Return all examples, in the order of the file."""
    text = TEXT.read_text(encoding="utf-8")
    return [_example(part) for part in re.split(r"^example ", text, flags=re.MULTILINE)[1:]]


def _example(text: str) -> Example:
    name, *lines = text.strip().splitlines()
    keyed = {key: [] for key in ("round", "points", "forbidden", "virtual", "answer", "without")}
    players = []
    for line in lines:
        key, colon, rest = line.partition(": ")
        if colon:
            keyed[key].append(rest)
        else:
            players.append(line.split())
    current, rounds, initial = re.split("[/ ]", keyed["round"][0])
    games, byes = _entries(players)
    groups = [sorted(map(int, group.split("-"))) for group in " ".join(keyed["forbidden"]).split()]
    without = [one.split(": ") for line in keyed["without"] for one in line.split("; ")]
    return Example(
        name=name,
        tournament=Tournament(
            rounds=int(rounds),
            round=int(current),
            players=tuple(Player(int(row[0]), int(row[0]), 2500 - int(row[0])) for row in players),
            games=games,
            byes=byes,
            forbidden=frozenset(pair for group in groups for pair in combinations(group, 2)),
            initial_colour=Colour.WHITE if initial == "W" else Colour.BLACK,
            points=_points(keyed["points"]),
            accelerations=_virtual(keyed["virtual"]),
            system="dutch",
        ),
        answer=_answer(keyed["answer"][0]),
        without={name: _answer(answer) for name, answer in without},
    )


def _entries(players: list[list[str]]) -> tuple[tuple[Game, ...], tuple[Bye, ...]]:
    symbols: dict[tuple[int, int], str] = {}
    pairings = []
    byes = []
    for player, *entries in players:
        for number, entry in enumerate(entries, start=1):
            if entry.isalpha():
                byes.append(Bye(number, int(player), ByeKind(entry)))
                continue
            symbols[number, int(player)] = entry[-1]
            if entry[-2] == "w":
                pairings.append((number, int(player), int(entry[:-2])))
    games = []
    for number, white, black in sorted(pairings):
        of_white, of_black = symbols[number, white], symbols[number, black]
        result = OF_BOTH[of_white] if of_white == of_black else OF_WHITE[of_white]
        games.append(Game(number, white, black, result))
    return tuple(games), tuple(byes)


def _points(lines: list[str]) -> PointSystem:
    if not lines:
        return PointSystem()
    win, draw, loss, bye = (round(10 * float(points)) for points in lines[0].split())
    return PointSystem(
        *(win, win, draw, draw, loss, loss),
        forfeit_win=win,
        forfeit_loss=loss,
        allocated_bye=bye,
        full_bye=win,
        half_bye=draw,
    )


def _virtual(lines: list[str]) -> tuple[Acceleration, ...]:
    return tuple(
        Acceleration(number, number, round(10 * float(points)), frozenset((int(player),)))
        for player, *given in map(str.split, lines)
        for number, points in enumerate(given, start=1)
    )


def _answer(text: str) -> Answer | None:
    if text == "none":
        return None
    pairs = {(int(white), int(black)) for white, black in (pair.split("-") for pair in text.split())}
    return Answer(
        frozenset(pair for pair in pairs if pair[1]), next((one for one, two in pairs if not two), None)
    )
