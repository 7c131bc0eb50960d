"""Rebuild each value of a tie-break from its parts alone, and compare the parts with what happened in the rounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from math import floor

from evenboard_engine import OpenGame, Tournament
from evenboard_engine.tests.random_results import random_results
from evenboard_engine.tests.random_rulings import with_rulings
from evenboard_engine.tests.tiebreak_comparison import CODES
from evenboard_engine.tests.tiebreak_definitions import Defined, Round, expectation
from evenboard_engine.tiebreaks import POINTS, read_list, standings, without_ratings
from evenboard_engine.tiebreaks.parts import (
    Cut,
    DrawnLot,
    How,
    KoyaLimit,
    Median,
    PartRole,
    Perfect,
    Performance,
    RoundPart,
    ValueParts,
    Weights,
    Why,
)
from evenboard_engine.tiebreaks.parts.sums import Sums

ALL = (
    *CODES,
    *("OTHER_MODMED", "OTHER_SOLKOFF", "OTHER_CUM", "PT", "PT/BH", "PT/ARO97", "PT/RTNG", "OTHER_LOTS/7F3A"),
    *("OTHER_PLAYOFF", "UNKNOWN", "DE"),
)
RULES = read_list(",".join(ALL))
KINDS = {"win": "played", "draw": "played", "loss": "played", "allocated": "allocated bye"}
CHOSEN = ("half-point bye", "zero-point bye", "forfeit loss", "double forfeit")


def wrong_parts(seed: int, *, fixed: bool = False) -> list[str]:
    """Return what is wrong with the parts of the values of one random tournament.

    In a fifth of the tournaments games are open, in another fifth ratings are left out, and in a third one the arbiter
    decided points.
    """
    tournament = random_results(seed, fixed=fixed)
    if seed % 5 == 1:
        tournament = _with_open_games(tournament)
    if seed % 5 == 3 and tournament.round > 1:
        tournament = with_rulings(tournament, seed)
    if seed % 5 == 2:
        tournament = without_ratings(tournament, {player.id for player in tournament.players[::2]})
    capped = seed % 4 != 0
    typed = {"OTHER_PLAYOFF": {player.id: Fraction(player.tpn, 2) for player in tournament.players[::2]}}
    defined = Defined(tournament, fixed=fixed, capped=capped)
    values = {
        row.player: (Fraction(row.points, 10), *row.values)
        for row in standings(tournament, RULES, capped=capped, typed=typed)
    }
    sums = Sums(tournament, (POINTS, *RULES), capped=capped, typed=typed)
    return [
        f"{found.tie_break.text} of {player}: {problem}"
        for player, expected in values.items()
        for value, found in zip(expected, sums.of(player), strict=True)
        for problem in _problems(found, value, defined, tournament)
    ]


def _with_open_games(tournament: Tournament) -> Tournament:
    """Return the tournament without the results of every third game."""
    return replace(
        tournament,
        games=tuple(game for at, game in enumerate(tournament.games) if at % 3),
        open_games=tuple(OpenGame(game.round, game.white, game.black) for game in tournament.games[::3]),
    )


def _problems(
    found: ValueParts, value: Fraction | None, defined: Defined, tournament: Tournament
) -> Iterator[str]:
    if found.value != value:
        yield f"value {found.value}, not {value}"
    rebuilt = value_of(found, tournament)
    if rebuilt is not None and rebuilt != (value or 0):
        yield f"parts make {rebuilt}, not {value}"
    rounds = defined.fore(found.tie_break.fore and found.tie_break.name == "BH").rounds[found.player]
    if found.how in (How.OWN, How.TYPED, How.UNKNOWN, How.LOT):
        if found.parts:
            yield "parts"
    elif [part.round for part in found.parts] != list(range(1, len(rounds) + 1)):
        yield "not every round once"
    for part, one in zip(found.parts, rounds, strict=False):
        if not _is_round(part, one, found.player, tournament) or (
            part.role is PartRole.LEFT_OUT and (part.counts or part.cut)
        ):
            yield f"round {part.round} is {part}, not {one}"
    yield from _wrong_cuts(found)
    if not tournament.open_games and found.tie_break.name in ("BH", "SB"):
        yield from _wrong_worths(found, defined)


def _is_round(part: RoundPart, one: Round, player: int, tournament: Tournament) -> bool:
    """Return whether a part is what happened. The definitions know nothing of open games."""
    if any(
        game.round == part.round and {game.white, game.black} == {player, part.opponent}
        for game in tournament.open_games
    ):
        return part.role is PartRole.LEFT_OUT or part.place is not None or part.kind == "played"
    return (
        part.kind == KINDS.get(one.what, one.what)
        and part.points == one.points
        and part.opponent == one.opponent
    )


def _wrong_cuts(found: ValueParts) -> Iterator[str]:
    left = [part for part in found.parts if not part.cut and part.role is not PartRole.LEFT_OUT]
    product = found.tie_break.name == "SB"
    for part in found.parts:
        mine = part.worth or Fraction(0), part.counts if product else 0
        others = [(other.worth or Fraction(0), other.counts if product else 0) for other in left]
        chosen = [other for other in left if other.role is PartRole.DUMMY and other.kind in CHOSEN]
        if part.cut is Cut.LOWEST and any(other < mine for other in others):
            yield f"round {part.round} is not the lowest"
        if part.cut is Cut.HIGHEST and any(other > mine for other in others):
            yield f"round {part.round} is not the highest"
        if part.cut is Cut.BY_CHOICE and (
            part.role is not PartRole.DUMMY
            or part.kind not in CHOSEN
            or any(other.counts < part.counts for other in chosen)
        ):
            yield f"round {part.round} was not the lowest of those by choice"
    rule = found.tie_break
    number = sum(part.cut is not None for part in found.parts)
    if rule.name == "PS":
        if number != sum(part.role is not PartRole.LEFT_OUT for part in found.parts[: rule.cut]):
            yield f"{number} cuts"
    elif rule.name != "OTHER_MODMED" and number != min(rule.cut + 2 * rule.median, number + len(left)):
        yield f"{number} cuts"


def _wrong_worths(found: ValueParts, defined: Defined) -> Iterator[str]:
    """Compare opponents and dummies of Buchholz and Sonneborn-Berger with the definitions."""
    counted = defined.fore(found.tie_break.fore)
    own = counted.score(found.player)
    for part in found.parts:
        if part.role is PartRole.OPPONENT and part.opponent is not None:
            scored, worth = defined.score(part.opponent), counted.adjusted(part.opponent)
            changed = tuple(
                at
                for at, (one, other) in enumerate(
                    zip(defined.rounds[part.opponent], _adjusted(counted, part.opponent), strict=True),
                    start=1,
                )
                if one.points != other
            )
            if (part.worth, part.scored or scored, part.drawn) != (worth, scored, changed):
                yield f"the opponent of round {part.round} counts as {part}"
        elif part.role is PartRole.DUMMY:
            limit = defined.draw * defined.number
            if part.opponent is not None:
                limit = counted.adjusted(part.opponent)
            limited = defined.capped and limit < own
            why = Why.OPPONENT if part.opponent is not None else Why.DRAWS
            if (part.worth, part.why) != ((limit, why) if limited else (own, Why.OWN_SCORE)):
                yield f"the dummy of round {part.round} is {part}"


def _adjusted(defined: Defined, player: int) -> list[Fraction]:
    """Return the points of each round that count for opponents."""
    rounds = defined.rounds[player]
    last = max((at for at, one in enumerate(rounds) if one.what not in CHOSEN), default=-1)
    return [
        defined.draw
        if at > last and one.what in ("half-point bye", "zero-point bye") and not defined.fixed
        else one.points
        for at, one in enumerate(rounds)
    ]


def value_of(found: ValueParts, tournament: Tournament) -> Fraction | None:
    """Return the value that the parts make, None if nobody can tell from them."""
    kept = [part for part in found.parts if not part.cut and part.role is not PartRole.LEFT_OUT]
    total = sum((part.counts for part in kept), Fraction(0))
    fact, rule = found.fact, found.tie_break
    if found.how is How.SUM:
        assert isinstance(fact, KoyaLimit | Median | None)
        return total
    if found.how in (How.AVERAGE, How.WHOLE_AVERAGE):
        average = total / len(kept) if kept else Fraction(0)
        return average if found.how is How.AVERAGE else Fraction(floor(average + Fraction(1, 2)))
    if found.how is How.PERFORMANCE:
        return _performance(fact, total, len(kept))
    if found.how is How.PERFECT:
        return _perfect(found, kept)
    if found.how is How.WEIGHTED:
        assert isinstance(fact, Weights | None)
        assert fact is None or (fact.total, fact.rounds) == (total, sum(part.round for part in kept))
        return total / fact.rounds if fact else Fraction(0)
    if found.how is How.LOT:
        return _lot(fact, found.player, tournament) if found.value is not None else None
    if found.how is How.PLACE:
        return _place(found) if found.value is not None else None
    if found.how is How.OWN:
        player = next(one for one in tournament.players if one.id == found.player)
        return Fraction(player.tpn if rule.name == "TPN" else player.rating)
    return None


def _performance(fact: object, total: Fraction, games: int) -> Fraction:
    if not games:
        assert fact is None
        return Fraction(0)
    assert isinstance(fact, Performance)
    assert fact.average == floor(total / games + Fraction(1, 2))
    assert (fact.games, fact.share) == (games, floor(100 * fact.scored / games + Fraction(1, 2)))
    return Fraction(fact.average + fact.difference)


def _perfect(found: ValueParts, kept: list[RoundPart]) -> Fraction:
    fact = found.fact
    if not kept:
        assert fact is None
        return Fraction(0)
    assert isinstance(fact, Perfect)
    assert found.value is not None
    ratings = [int(part.worth or 0) for part in kept]
    assert [100 * part.counts for part in kept] == [expectation(int(found.value) - each) for each in ratings]
    assert fact.expected == sum(part.counts for part in kept)
    assert 100 * fact.below == sum(expectation(int(found.value) - 1 - each) for each in ratings)
    if not fact.scored:
        return Fraction(fact.lowest - 800)
    assert fact.below < fact.scored <= fact.expected
    return found.value


def _lot(fact: object, player: int, tournament: Tournament) -> Fraction:
    assert isinstance(fact, DrawnLot)
    digests = {one.id: sha256(f"7F3A/{one.tpn}".encode()).hexdigest() for one in tournament.players}
    assert (fact.digest, sha256(fact.text.encode()).hexdigest()) == (digests[player], digests[player])
    return Fraction(1 + sum(other < fact.digest for other in digests.values()))


def _place(found: ValueParts) -> Fraction:
    """Return the place from the tables: those of better groups are before, and each table belongs to the last group."""
    assert isinstance(found.fact, tuple)
    first = next(row for row in found.fact[0].rows if row.player == found.player)
    for other, points in first.points.items():
        met = [
            part.counts for part in found.parts if part.opponent == other and part.role is PartRole.OPPONENT
        ]
        assert sum(met) / len(met) == points
    assert {part.opponent for part in found.parts if part.role is PartRole.OPPONENT} == set(first.points)
    place, tied = 1, {row.player for row in found.fact[0].rows}
    for encounter in found.fact:
        assert {row.player for row in encounter.rows} == tied
        assert tied == {key for group in encounter.groups for key in group}
        rows = {row.player: row for row in encounter.rows}
        for row in encounter.rows:
            assert row.least == sum(row.points.values())
            assert set(row.points) < tied
        for better, worse in pairwise(encounter.groups):
            assert min(rows[key].least for key in better) > max(rows[key].most for key in worse)
        before = [group for group in encounter.groups if found.player not in group]
        at = next(at for at, group in enumerate(encounter.groups) if found.player in group)
        place += sum(len(group) for group in before[:at])
        tied = set(encounter.groups[at])
    return Fraction(place)
