"""The settings of a generated tournament, and how they are read from a file of `Key=Value` lines.

Most keys up to PointsForPAB are also keys of JaVaFo and bbpPairings; the others are ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field, replace
from random import Random

from evenboard_engine.errors import PairingError
from evenboard_engine.model import Colour
from evenboard_engine.systems.registry import DEFAULT_SYSTEM, system_named
from evenboard_engine.tiebreaks import MANDATORY, OWN, read_list
from evenboard_engine.trf.players import points_in_tenths

MAX_PLAYERS = 9998
MAX_ROUNDS = 99
LEAST_OF_A_TABLE, MOST_OF_A_TABLE = 3, 24
"""Players of a random tournament whose rounds follow from the numbers."""
MAX_RATE = 1_000_000


@dataclass(frozen=True, slots=True)
class GeneratorSettings:
    """The settings. None: chosen at random. A rate N means one in N, on average; 0 means never.

    players, rounds: how many. highest, lowest: Elo. ratings: one for each player, instead of players, highest and
    lowest.
    draws: percent of the games played, as far as the players' expected scores allow; None: as the ratings give it.
    forfeits, unusual: rates of games. double_forfeits: rate of games forfeited by both; None: one in nine forfeits.
    half_byes, zero_byes, full_byes, retirements: rates of players in each round. late: rate of players.
    forbidden: how many pairs must not meet. accelerated: with Baku Acceleration.
    system: the pairing system. options: of it; those that are missing are as on a day in the future.
    tie_breaks: codes of the tie-breaks after the points; None: chosen at random; (): only points.
    win, draw, loss, zero_bye, forfeit_loss, allocated_bye: tenths of a point.
    """

    players: int | None = None
    rounds: int | None = None
    highest: int | None = None
    lowest: int | None = None
    ratings: tuple[int, ...] = ()
    draws: int | None = None
    forfeits: float | None = None
    double_forfeits: float | None = None
    unusual: float | None = None
    half_byes: float | None = None
    zero_byes: float | None = None
    full_byes: float | None = None
    retirements: float | None = None
    late: float | None = None
    forbidden: int | None = None
    initial_colour: Colour | None = None
    accelerated: bool | None = None
    system: str = DEFAULT_SYSTEM
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    tie_breaks: tuple[str, ...] | None = None
    win: int = 10
    draw: int = 5
    loss: int = 0
    zero_bye: int = 0
    forfeit_loss: int = 0
    allocated_bye: int | None = None


class BadSettings(PairingError):
    """A settings file is wrong. line: from 1; 0 for the whole file. params: what was found and what is allowed.

    Codes: `not_a_setting`, `unknown_setting`, `setting_twice`, `bad_setting`, `settings_disagree`, `barred_tie_breaks`.
    """

    code = "bad_settings"

    def __init__(self, code: str, *, line: int = 0, **params: object) -> None:
        super().__init__(code, **params)
        self.line = line


def read_settings(text: str) -> GeneratorSettings:
    """Return the settings of a file with one `Key=Value` in each line; # begins a comment. Raises BadSettings."""
    given: dict[str, object] = {}
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            raise BadSettings("not_a_setting", line=number, found=line[:40])
        if key not in _KEYS:
            raise BadSettings("unknown_setting", line=number, found=key[:40], allowed=tuple(_KEYS))
        name, read = _KEYS[key]
        if name in given:
            raise BadSettings("setting_twice", line=number, found=key)
        try:
            given[name] = read(value)
        except ValueError as error:
            raise BadSettings(
                "bad_setting", line=number, key=key, found=value[:40], allowed=str(error)
            ) from error
    settings = replace(GeneratorSettings(), **given)  # type: ignore[arg-type]
    _check(settings)
    return settings


def _check(settings: GeneratorSettings) -> None:
    if settings.ratings and (settings.players or len(settings.ratings)) != len(settings.ratings):
        raise BadSettings("settings_disagree", keys=("PlayersNumber", "Ratings"))
    if settings.lowest and settings.highest and settings.lowest > settings.highest:
        raise BadSettings("settings_disagree", keys=("LowestRating", "HighestRating"))
    ordered = settings.win > settings.loss and settings.draw >= settings.loss
    if not ordered or 2 * settings.draw > settings.win + settings.loss:  # VCL4THP.13 Q74
        raise BadSettings("settings_disagree", keys=("PointsForWin", "PointsForDraw", "PointsForLoss"))
    if settings.accelerated and not _suit_baku(settings):
        raise BadSettings(
            "settings_disagree", keys=("Acceleration", "PointsForWin", "PointsForDraw", "PointsForLoss")
        )


def _suit_baku(settings: GeneratorSettings) -> bool:
    """Return whether the points allow Baku Acceleration (C.04.7, 1.1)."""
    return settings.win == 2 * settings.draw and not settings.loss


def refuse_barred(settings: GeneratorSettings) -> None:
    """Raise BadSettings if the pairing system allows one of the tie-breaks no place in its standings."""
    barred = system_named(settings.system).barred_tie_breaks
    rules = read_list(",".join(settings.tie_breaks or ()))
    if found := tuple(rule.text.removeprefix(OWN) for rule in rules if rule.name in barred):
        raise BadSettings("barred_tie_breaks", found=found)


def drawn(settings: GeneratorSettings, rng: Random) -> GeneratorSettings:
    """Return the settings with a sensible random value for each that is None.

    It always draws the same number of random values, so a setting in the file does not change the values drawn after
    it.
    """
    players = len(settings.ratings) or settings.players
    size = rng.randrange(15, 216)
    players = players or size
    highest = rng.randrange(2000, 2801)
    lowest = rng.randrange(1000, 1901)
    values: dict[str, int | None] = {
        "players": players,
        "rounds": max(1, min(rng.randrange(5, 14), players - 1)),
        "highest": max(highest, settings.lowest or 0),
        "lowest": min(lowest, settings.highest or lowest),
        "forfeits": rng.choice((0, 200, 100, 50, 25)),
        "unusual": rng.choice((0, 0, 500, 100)),
        "half_byes": rng.choice((0, 200, 100, 50, 25)),
        "zero_byes": rng.choice((0, 400, 200, 100)),
        "full_byes": rng.choice((0, 0, 0, 500)),
        "retirements": rng.choice((0, 1000, 300, 100)),
        "late": rng.choice((0, 0, 50, 20)),
        "forbidden": rng.choice((0, 0, 0, players // 10)),
    }
    colour = rng.choice(tuple(Colour))
    accelerated = rng.random() < 0.2
    missing = {name: value for name, value in values.items() if getattr(settings, name) is None}
    allocated = settings.win if settings.allocated_bye is None else settings.allocated_bye
    return replace(
        settings,
        initial_colour=settings.initial_colour or colour,
        accelerated=accelerated if settings.accelerated is None else settings.accelerated,
        allocated_bye=allocated,
        **missing,  # type: ignore[arg-type]
    )


def for_system(given: GeneratorSettings, chosen: GeneratorSettings) -> GeneratorSettings:
    """Return the drawn settings as their pairing system can play them. given: before the drawing.

    Where all rounds follow from the numbers, nobody asks for a bye, comes late or is kept apart, a free player gets no
    points, and the number of players decides that of the rounds. Such a field is small.
    """
    system = system_named(chosen.system)
    if not system.accelerated_code or not _suit_baku(chosen):
        chosen = replace(chosen, accelerated=False)
    if not system.fixed_rounds:
        return chosen
    players = chosen.players or 0
    if not (given.players or given.ratings):
        players = LEAST_OF_A_TABLE + players % (MOST_OF_A_TABLE - LEAST_OF_A_TABLE + 1)
    return replace(
        chosen,
        players=players,
        rounds=given.rounds or system.rounds_for(players, chosen.options),
        half_byes=0,
        zero_byes=0,
        full_byes=0,
        late=0,
        forbidden=0,
        accelerated=False,
        allocated_bye=0,
    )


def _number(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 9 and low <= int(text) <= high):
            raise ValueError(f"a number from {low} to {high}")
        return int(text)

    return read


def _points(text: str) -> int:
    points = points_in_tenths(text)
    if points is None or points > 990:
        raise ValueError("a number of points such as 0.5")
    return points


def _ratings(text: str) -> tuple[int, ...]:
    words = text.replace(",", " ").split()
    if not 2 <= len(words) <= MAX_PLAYERS:
        raise ValueError(f"from 2 to {MAX_PLAYERS} ratings")
    return tuple(map(_rating, words))


def _colour(text: str) -> Colour:
    if text.lower() not in ("w", "b"):
        raise ValueError("W or B")
    return Colour(text.lower())


def _accelerated(text: str) -> bool:
    if text.lower() not in ("none", "baku"):
        raise ValueError("none or Baku")
    return text.lower() == "baku"


def _tie_breaks(text: str) -> tuple[str, ...]:
    rules = read_list(text.upper())
    if rules and rules[0].name == "PTS":
        rules = rules[1:]
    codes = tuple(rule.code for rule in rules)
    if (
        not text
        or not all(rule.name and rule.name != "PTS" for rule in rules)
        or len(set(codes)) < len(codes)
    ):
        raise ValueError(f"PTS, or a list such as BH/C1,BH,DE (the codes are {' '.join(MANDATORY)})")
    return codes


def tie_breaks_by_chance(rng: Random, barred: Set[str]) -> tuple[str, ...]:
    """Return one to five of the tie-breaks that every program must know, no two with the same name.

    barred: names that the pairing system does not allow.
    """
    allowed = [code for code in MANDATORY if code.partition("/")[0] not in barred]
    codes: list[str] = []
    for code in rng.sample(allowed, 5 * rng.randint(1, 5)):
        if len(codes) < 5 and code.partition("/")[0] not in {known.partition("/")[0] for known in codes}:
            codes.append(code)
    return tuple(codes)


_rating = _number(1, 3500)
_once_in = _number(0, MAX_RATE)
_percent = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3})?) ?%").fullmatch


def _rate(text: str) -> float:
    """Return N for "N" or for a percentage: "20" and "5%" both mean one in 20."""
    found = _percent(text)
    if found is None and text.isdigit():
        return _once_in(text)
    if found is None or float(found[1]) > 100:
        raise ValueError(f"a rate: N for one in N (at most {MAX_RATE}), or a percentage such as 5%")
    percent = float(found[1])
    return 100 / percent if percent else 0


_KEYS: dict[str, tuple[str, Callable[[str], object]]] = {
    "PlayersNumber": ("players", _number(2, MAX_PLAYERS)),
    "RoundsNumber": ("rounds", _number(1, MAX_ROUNDS)),
    "DrawPercentage": ("draws", _number(0, 100)),
    "ForfeitRate": ("forfeits", _rate),
    "DoubleForfeitRate": ("double_forfeits", _rate),
    "RetiredRate": ("retirements", _rate),
    "HalfPointByeRate": ("half_byes", _rate),
    "HighestRating": ("highest", _rating),
    "LowestRating": ("lowest", _rating),
    "PointsForWin": ("win", _points),
    "PointsForDraw": ("draw", _points),
    "PointsForLoss": ("loss", _points),
    "PointsForZPB": ("zero_bye", _points),
    "PointsForForfeitLoss": ("forfeit_loss", _points),
    "PointsForPAB": ("allocated_bye", _points),
    "ZeroPointByeRate": ("zero_byes", _rate),
    "FullPointByeRate": ("full_byes", _rate),
    "LateEntryRate": ("late", _rate),
    "UnusualResultRate": ("unusual", _rate),
    "ForbiddenPairs": ("forbidden", _number(0, 10_000)),
    "Acceleration": ("accelerated", _accelerated),
    "InitialColour": ("initial_colour", _colour),
    "Ratings": ("ratings", _ratings),
    "TieBreaks": ("tie_breaks", _tie_breaks),
}
