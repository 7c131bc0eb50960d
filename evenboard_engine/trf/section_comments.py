"""Comments on a whole section, for which no record exists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from evenboard_engine.chess960 import POSITIONS, first_rank
from evenboard_engine.model import Tournament
from evenboard_engine.rounding import half_up

from .report import Report, from_lines

if TYPE_CHECKING:
    from fractions import Fraction


# Comments on a whole section: players who left, the end of FIDE mode, values of tie-breaks that were computed
# elsewhere (VCL4THP.13 Q43, Q197, Q207).
#
# ### Expulsion @ Round 3: 7
# ### Withdrawal @ Round 3: 9
# ### FIDE mode exited @ Round 3
# ### Tie-break OTHER_PLAYOFF: 3=1.5 7=1
# ### Left out of rating tie-breaks: 5 12
# ### Apart if possible @ Rounds 4-7: 2 9 31

_leaver = re.compile("### (Expulsion|Withdrawal) @ Round ([0-9]{1,3}): ([0-9]{1,5}) *").fullmatch
_exit = re.compile("### FIDE mode exited @ Round ([0-9]{1,3}) *").fullmatch
_typed = re.compile("### Tie-break (.{1,40}): ((?:[0-9]{1,5}=-?[0-9]{1,6}(?:[.][0-9]{1,3})? *)+)").fullmatch
_left_out = re.compile("### Left out of rating tie-breaks:((?: [0-9]{1,5})*) *").fullmatch

_apart = re.compile("### Apart if possible @ Rounds ([0-9]{1,3})-([0-9]{1,3}):((?: [0-9]{1,5})+) *").fullmatch


def apart_line(first: int, last: int, ranks: Iterable[int]) -> str:
    """Return the comment line with players who meet in rounds to come only if no other round exists. Record 260 cannot
    say this: it forbids.
    """
    return " ".join((f"### Apart if possible @ Rounds {first}-{last}:", *map(str, sorted(ranks))))


def apart_if_possible(report: Report) -> list[tuple[int, int, frozenset[int]]]:
    """Return the groups of these lines: the first round, the last one, the players by starting rank."""
    known = {player.starting_rank for player in report.players}
    lines = [found for record in report.kept if (found := _apart(record.text))]
    groups = [
        (int(line[1]), int(line[2]), frozenset(known & set(map(int, line[3].split())))) for line in lines
    ]
    return [group for group in groups if group[0] <= group[1] and len(group[2]) > 1]


def is_apart_line(text: str) -> bool:
    """Return whether a line names players who meet only if no other round exists."""
    return _apart(text) is not None


def left_out_line(ranks: Iterable[int]) -> str:
    """Return the comment line with the players without an official rating, whose games are left out."""
    return " ".join(("### Left out of rating tie-breaks:", *map(str, sorted(ranks))))


def left_out(report: Report) -> frozenset[int] | None:
    """Return the players whom rating tie-breaks leave out, by starting rank; None if the file leaves out nobody."""
    lines = [found for record in report.kept if (found := _left_out(record.text))]
    known = {player.starting_rank for player in report.players}
    return frozenset(known & set(map(int, lines[-1][1].split()))) if lines else None


def is_left_out_line(text: str) -> bool:
    """Return whether a line names the players whom rating tie-breaks leave out."""
    return _left_out(text) is not None


def typed_line(code: str, values: Mapping[int, str]) -> str:
    """Return the comment line with the values of a tie-break, by starting rank."""
    return f"### Tie-break {code}: {' '.join(f'{rank}={value}' for rank, value in sorted(values.items()))}"


def typed_values(report: Report) -> dict[str, dict[int, str]]:
    """Return the values of tie-breaks that were computed elsewhere, by code and starting rank. The last line counts."""
    known = {player.starting_rank for player in report.players}
    found: dict[str, dict[int, str]] = {}
    for record in report.kept:
        if line := _typed(record.text):
            pairs = (pair.split("=") for pair in line[2].split())
            found[line[1].upper()] = {int(rank): value for rank, value in pairs if int(rank) in known}
    return found


def is_typed_line(text: str) -> bool:
    """Return whether a line has values of a tie-break."""
    return _typed(text) is not None


@dataclass(frozen=True, slots=True)
class Leaver:
    """A player who was expelled or withdrew. player: starting rank. round: the last one of the player."""

    round: int
    player: int
    expelled: bool

    def __str__(self) -> str:
        head = "Expulsion" if self.expelled else "Withdrawal"
        return f"### {head} @ Round {self.round}: {self.player}"


def leavers(report: Report) -> frozenset[Leaver]:
    """Return the players of the file who left. A line about another player or round is only a comment."""
    known = {player.starting_rank for player in report.players}
    found = (one for record in report.kept if (one := _read(record.text)) is not None)
    return frozenset(one for one in found if one.player in known and one.round <= report.rounds_paired)


def is_leaver(text: str, known: Set[Leaver]) -> bool:
    """Return whether a line is a comment on one of these players."""
    return _read(text) in known


def fide_mode_left(report: Report) -> int | None:
    """Return the round in which the section left FIDE mode; None if it did not."""
    rounds = [int(found[1]) for record in report.kept if (found := _exit(record.text))]
    return min(min(rounds), report.rounds_paired) if rounds else None


def is_fide_mode_left(text: str) -> bool:
    return _exit(text) is not None


def _read(text: str) -> Leaver | None:
    found = _leaver(text)
    return Leaver(int(found[2]), int(found[3]), expelled=found[1] == "Expulsion") if found else None


# Comments on a tournament of Chess960, for which no record exists.
#
# ### Chess960
# ### Chess960 @ Round 1: 518 RNBQKBNR

_CHESS960 = "### Chess960"
_of_round = re.compile(rf"{_CHESS960} @ Round ([0-9]{{1,3}}): ([0-9]{{1,3}})(?: [BKNQR]{{8}})?\s*").fullmatch


def start_position_lines(positions: Mapping[int, int]) -> Iterator[str]:
    """Yield the comment lines. positions: the numbers of the start positions, by round."""
    yield _CHESS960
    for number, position in sorted(positions.items()):
        yield f"{_CHESS960} @ Round {number}: {position} {first_rank(position)}"


@from_lines
def start_positions(report: Report) -> Mapping[int, int] | None:
    """Return the start positions by round; None if the tournament is not of Chess960."""
    lines = [record.text for record in report.kept if is_start_position_line(record.text)]
    found = (_of_round(text) for text in lines)
    return {int(one[1]): int(one[2]) for one in found if one} if lines else None


def is_start_position_line(text: str) -> bool:
    """Return whether a line is one of these comments. Any number of a position is below 960."""
    found = _of_round(text)
    return text.rstrip() == _CHESS960 or (found is not None and int(found[2]) < POSITIONS)


# Comments on the rating periods of a tournament of more than 30 days, for which no record exists.
#
# ### Rating periods: 5 9
# ### Period ratings @ Round 5: 3=2015 7=1800
# ### Rating in tie-breaks: round
#
# The first line has the first round of each period but the first one. The next lines have the official
# ratings of players from such a round on, where they differ from those before (0: none). The last line says
# which of them count in tie-breaks from ratings: those of the round, or the last ones; without it those of
# the first period.

_STARTS, _RATINGS, _COUNTED = "### Rating periods:", "### Period ratings @ Round", "### Rating in tie-breaks:"
FIRST, OF_ROUND, LAST = "first", "round", "last"
_starts = re.compile(rf"{_STARTS}((?: [0-9]{{1,3}})+)\s*").fullmatch
_ratings = re.compile(rf"{_RATINGS} ([0-9]{{1,3}}):((?: [0-9]{{1,5}}=[0-9]{{1,4}})+)\s*").fullmatch
_counted = re.compile(rf"{_COUNTED} ({OF_ROUND}|{LAST})\s*").fullmatch
IN_A_LINE = 20


@dataclass(frozen=True, slots=True)
class RatingPeriods:
    """starts: the first rounds of the periods from the second one on. ratings: by player and first round, 0 for none.
    counted: FIRST, OF_ROUND or LAST, the ratings that count in tie-breaks.
    """

    starts: tuple[int, ...] = ()
    ratings: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    counted: str = FIRST

    def lines(self) -> Iterator[str]:
        """Yield the comment lines. The players are starting ranks."""
        if not self.starts:
            return
        yield " ".join((_STARTS, *map(str, self.starts)))
        for start in self.starts:
            found = [f"{rank}={of[start]}" for rank, of in sorted(self.ratings.items()) if start in of]
            for place in range(0, len(found), IN_A_LINE):
                yield " ".join((f"{_RATINGS} {start}:", *found[place : place + IN_A_LINE]))
        if self.counted != FIRST:
            yield f"{_COUNTED} {self.counted}"

    def counted_in(self, tournament: Tournament) -> Tournament:
        """Return the tournament with the ratings that count in tie-breaks. The players are those of the tournament."""
        if self.counted == FIRST or not self.starts:
            return tournament
        players = tuple(
            replace(player, later=self._later(self.ratings[player.id]))
            if player.id in self.ratings
            else player
            for player in tournament.players
        )
        return replace(tournament, players=players)

    def _later(self, ratings: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
        known = tuple((start, ratings[start]) for start in self.starts if ratings.get(start))
        return known if self.counted == OF_ROUND else tuple((1, rating) for _start, rating in known[-1:])


def is_period_line(text: str) -> bool:
    return any(form(text) is not None for form in (_starts, _ratings, _counted))


@from_lines
def rating_periods(report: Report) -> RatingPeriods:
    """Return what the comments say. Ratings of a round with which no period begins do not count."""
    starts: tuple[int, ...] = ()
    ratings: dict[int, dict[int, int]] = {}
    counted = FIRST
    for record in report.kept:
        if (found := _starts(record.text)) is not None:
            starts = tuple(sorted({int(word) for word in found[1].split()}))
        elif (found := _ratings(record.text)) is not None:
            for word in found[2].split():
                rank, rating = map(int, word.split("="))
                ratings.setdefault(rank, {})[int(found[1])] = rating
        elif (found := _counted(record.text)) is not None:
            counted = found[1]
    known = {rank: {start: of[start] for start in starts if start in of} for rank, of in ratings.items()}
    return RatingPeriods(starts, {rank: of for rank, of in known.items() if of}, counted)


# Comments on how fair the pairings of a section were. They are made from the rounds and never read.
#
# ### Fairness, spread of ARO by round: 2=89.0/28.8 3=29.0/27.1
# ### Fairness, agreement of points and performance: 0.933
# ### Fairness, quality of the pairing: OTHER_PT/ARO=12.3% OTHER_PT/BH=10.1%
# ### Fairness, score groups of round 2, before/after/upper_half: 1.0=93.1/20.0/25.0 all=89.0/28.8/31.7
# ### Fairness, score groups of round 3, before/after: 2.0=30.0/27.0 1.0=28.0/27.2 all=29.0/27.1
# ### Fairness, other pairings: worked out for rounds 2, not for 3

_ELO = "[0-9.]{1,6}"
_measure = re.compile(
    "### Fairness, (?:"
    f"spread of ARO by round:(?: [0-9]{{1,3}}={_ELO}/{_ELO})*"
    "|agreement of points and performance: (?:-?[0-9.]{1,6}|none)"
    "|quality of the pairing:(?: OTHER_PT/[A-Z0-9]{1,5}=(?:[0-9.]{1,6}%|none))*"
    "|score groups of round [0-9]{1,3}, before/after(?:/[a-z0-9_-]{1,40}){0,20}:"
    f"(?: (?:-?[0-9.]{{1,7}}|all)=(?:{_ELO}|-)(?:/(?:{_ELO}|-)){{0,21}})*"
    "|other pairings: (?:not worked out|worked out for rounds [0-9 ]{1,2000}(?:, not for [0-9 ]{1,2000})?)"
    ") *"
).fullmatch


@dataclass(frozen=True, slots=True)
class GroupSpread:
    """The standard deviations of the AROs of a score group, in Elo; None where nobody has an ARO or there is no round.

    score: in tenths of a point, None for all groups. values: before the pairing, after it, and after other pairings.
    """

    score: int | None
    values: tuple[float | None, ...]

    def __str__(self) -> str:
        label = "all" if self.score is None else f"{self.score / 10:.1f}"
        return (
            f"{label}={'/'.join('-' if value is None else str(half_up(value, 1)) for value in self.values)}"
        )


@dataclass(frozen=True, slots=True)
class RoundSpreads:
    """The spreads of a round. others: codes of the other pairings; () if they are not worked out."""

    number: int
    groups: tuple[GroupSpread, ...]
    others: tuple[str, ...] = ()

    def __str__(self) -> str:
        head = "/".join(("before", "after", *self.others))
        groups = " ".join(map(str, self.groups))
        return f"### Fairness, score groups of round {self.number}, {head}: {groups}"


def measure_lines(
    spreads: Mapping[int, tuple[float, float]],
    agreement: Fraction | None,
    qualities: Mapping[str, Fraction | None],
    rounds: Sequence[RoundSpreads] = (),
) -> tuple[str, ...]:
    """Return the comment lines that say how fair the pairings were.

    spreads: by round, the standard deviation of the AROs inside the score groups before and after the pairing, in Elo.
    qualities: by the code of the Pairing Tiebreaker. rounds: the same spreads by score group, beside other pairings.
    """
    by_round = (
        f"{number}={half_up(before, 1)}/{half_up(after, 1)}" for number, (before, after) in spreads.items()
    )
    found = (
        f"{code}={'none' if value is None else f'{half_up(100 * float(value), 1)}%'}"
        for code, value in qualities.items()
    )
    return (
        *([" ".join(("### Fairness, spread of ARO by round:", *by_round))] if spreads else []),
        f"### Fairness, agreement of points and performance: {_decimal(agreement)}",
        " ".join(("### Fairness, quality of the pairing:", *found)),
        *map(str, rounds),
        *_beside(rounds),
    )


def is_measure_line(text: str) -> bool:
    """Return whether a line says how fair the pairings were. The report of a section makes these lines again."""
    return _measure(text) is not None


def _beside(rounds: Iterable[RoundSpreads]) -> Iterator[str]:
    """Yield the line that says which rounds have other pairings beside them."""
    done = [str(one.number) for one in rounds if one.others]
    missing = [str(one.number) for one in rounds if not one.others]
    words = f"worked out for rounds {' '.join(done)}" if done else "not worked out"
    if done and missing:
        words += f", not for {' '.join(missing)}"
    if done or missing:
        yield f"### Fairness, other pairings: {words}"


def _decimal(value: Fraction | None) -> str:
    return "none" if value is None else str(half_up(float(value), 3))
