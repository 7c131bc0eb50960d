"""The worked examples of the rules of 1997 (examples.txt), as input of the reference and of the engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from evenboard_engine.model import Bye, ByeKind, Colour, Game, Player, Result, Tournament
from evenboard_engine.tests.systems.dubov1997.values import Case, Paired, Person

EXAMPLES = Path(__file__).with_name("examples.txt")
RESULTS = {"1": Result.WHITE_WINS, "0": Result.BLACK_WINS, "=": Result.DRAW}
FORFEITS = {"+": Result.WHITE_WINS_BY_FORFEIT, "-": Result.BLACK_WINS_BY_FORFEIT}
TURNED = {
    Result.WHITE_WINS: Result.BLACK_WINS,
    Result.BLACK_WINS: Result.WHITE_WINS,
    Result.WHITE_WINS_BY_FORFEIT: Result.BLACK_WINS_BY_FORFEIT,
    Result.BLACK_WINS_BY_FORFEIT: Result.WHITE_WINS_BY_FORFEIT,
}


@dataclass(frozen=True)
class Example:
    """title: with its number. case: of a state, tournament: of a cross table; one of them. unpaired: () if it finishes.
    expected: the round, or the offer.
    """

    title: str
    case: Case | None
    tournament: Tournament | None
    unpaired: tuple[int, ...]
    expected: Paired


def examples() -> Iterator[Example]:
    """Yield each case of each example."""
    for block in EXAMPLES.read_text().split("\n\n"):
        title, *lines = block.strip().splitlines()
        players = [line for line in lines if line[0].isdigit()]
        first = ""
        unpaired: tuple[int, ...] = ()
        for line in lines:
            words = line.removeprefix("=> ").split()
            if line.startswith("round"):
                first, number = line, title.removeprefix("# ")
                title = f"# {number}, {line}"
                unpaired = ()
            elif line.startswith("=> cannot finish"):
                unpaired = tuple(map(int, words[3:]))
            elif line.startswith("=>"):
                case, table = (
                    (None, _table(first, players)) if "|" in players[0] else (_case(first, players), None)
                )
                yield Example(title.removeprefix("# "), case, table, unpaired, _paired(words))


def _paired(words: list[str]) -> Paired:
    boards = [word.split("-") for word in words if word != "offer"]
    bye = next((int(one) for one, other in boards if other == "bye"), None)
    return Paired(tuple((int(one), int(other)) for one, other in boards if other != "bye"), bye)


def _case(first: str, players: list[str]) -> Case:
    _, number, _, planned = first.split()[:4]
    persons = [_person(line) for line in players]
    for one in persons:  # "met" counts both ways
        for no in one.met:
            at = next(i for i, other in enumerate(persons) if other.no == no)
            persons[at] = replace(persons[at], met=persons[at].met | {one.no})
    return Case(int(number), int(planned), tuple(persons))


def _person(line: str) -> Person:
    no, rating, score, colours, aro, *more = line.split()
    after = dict(zip(more, [*more[1:], ""], strict=False))
    return Person(
        no=int(no),
        rating=int(rating),
        score=Fraction(score),
        colours=colours.strip("-"),
        aro=Fraction(aro),
        met=frozenset(map(int, after.get("met", "").split(","))) if "met" in after else frozenset(),
        rises=int(after.get("ups", 0)),
        rose_last="prev" in after,
        had_point="bye" in after,
    )


def _table(first: str, lines: list[str]) -> Tournament:
    words = first.split()
    number, planned = int(words[1]), int(words[3])
    absent = frozenset({int(words[words.index("absent") + 1])} if "absent" in words else ())
    colour = Colour.BLACK if "black" in words else Colour.WHITE
    players, games, byes = [], set(), []
    for line in lines:
        head, _, entries = line.partition("|")
        no, rating = map(int, head.split())
        players.append(Player(no, no, rating))
        for at, entry in enumerate(entries.split(), start=1):
            if entry in tuple(ByeKind):
                byes.append(Bye(at, no, ByeKind(entry)))
            else:
                games.add(_game(at, no, entry))
    return Tournament(
        rounds=planned,
        round=number,
        players=tuple(players),
        games=tuple(sorted(games, key=lambda game: (game.round, game.white))),
        byes=tuple(byes),
        absent=absent,
        initial_colour=colour,
        system="dubov-1997",
    )


def _game(number: int, no: int, entry: str) -> Game:
    other, colour, mark = int(entry[:-2]), entry[-2], entry[-1]
    result = (RESULTS | FORFEITS)[mark]
    if colour == "w":
        return Game(number, no, other, result)
    return Game(number, other, no, TURNED.get(result, result))
