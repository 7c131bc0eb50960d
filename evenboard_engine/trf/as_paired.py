"""A report with the ratings and results that its rounds were paired with, where its 001 lines have others.

A report for rating sends official ratings, and results that were corrected too late to count for pairings (GHR 4.3). No
record says which ratings and results were used instead, so two comments do. A third one names a result that was used
until the game ended (GHR 3.1) or was corrected (GHR 4.3), and a fourth one ratings that were used up to a round:

    ### Tournament ratings: 3=2333 7=1800
    ### Rating correction @ Round 3: 6-17: 1-0 => 0-1
    ### Earlier result @ Round 1: 3-27: adj until round 2
    ### Earlier ratings @ Round 2: 3=2300 7=1795

The other way round, a report with tournament ratings in its 001 lines names the official ratings (0: none), or says
that nobody has one:

    ### Official ratings: 3=2310 7=0
    ### Official ratings: none
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from evenboard_engine.model import Colour, Result

from .codes import result_of, symbol_of
from .ranking_method import ratings_by_method
from .records import PlayerRecord, RoundEntry
from .report import Report, from_lines

RATINGS = "### Tournament ratings:"
OFFICIAL = "### Official ratings:"
NO_OFFICIAL = f"{OFFICIAL} none"
IN_A_LINE = 20
"""Ratings in one comment line."""

_RATING = "([0-9]{1,5})=([0-9]{1,4})"
_EARLIER_RATINGS_HEAD = "### Earlier ratings @ Round ([0-9]{1,3}):"
_CORRECTION = r"### Rating correction @ Round ([0-9]{1,3}): ([0-9]{1,5})-([0-9]{1,5}): (\S+) => (\S+)\s*"
_EARLIER = (
    r"### Earlier result @ Round ([0-9]{1,3}): ([0-9]{1,5})-([0-9]{1,5}): (\S+) until round ([0-9]{1,3})\s*"
)


class RatingCorrection(NamedTuple):
    """A game with another result for rating than for pairings and standings. used: for these. rated: for rating.

    white, black: starting ranks.
    """

    round: int
    white: int
    black: int
    used: Result
    rated: Result

    def __str__(self) -> str:
        """Return the comment line."""
        game = f"@ Round {self.round}: {self.white}-{self.black}"
        return f"### Rating correction {game}: {self.used.value} => {self.rated.value}"


class EarlierResult(NamedTuple):
    """The result with which the rounds up to `until` were paired, with the colours of that time.

    white, black: starting ranks.
    """

    round: int
    white: int
    black: int
    result: Result
    until: int

    def __str__(self) -> str:
        """Return the comment line."""
        game = f"@ Round {self.round}: {self.white}-{self.black}"
        return f"### Earlier result {game}: {self.result.value} until round {self.until}"


def rating_lines(ratings: Mapping[int, int], until: int | None = None) -> Iterator[str]:
    """Yield the comment lines for tournament ratings. ratings: by starting rank.

    until: the last round that was paired with these ratings. None: they are those of now.
    """
    return _in_lines(RATINGS if until is None else f"### Earlier ratings @ Round {until}:", ratings)


def official_lines(ratings: Mapping[int, int | None]) -> Iterator[str]:
    """Yield the comment lines for official ratings. ratings: by starting rank, None for none."""
    return _in_lines(OFFICIAL, {rank: rating or 0 for rank, rating in ratings.items()})


def official_ratings(report: Report) -> dict[int, int | None]:
    """Return the official ratings that comments give, by starting rank; None for a player without one."""
    ratings: dict[int, int | None] = {}
    for record in report.kept:
        if record.text.rstrip() == NO_OFFICIAL:
            ratings |= dict.fromkeys(player.starting_rank for player in report.players)
        found = _official(record.text) or {}
        ratings |= {rank: rating or None for rank, rating in found.items()}
    return ratings


def is_official_line(text: str) -> bool:
    """Whether a line is a comment with official ratings."""
    return text.rstrip() == NO_OFFICIAL or _official(text) is not None


def _official(text: str) -> dict[int, int] | None:
    return _ratings(text[len(OFFICIAL) :], least=0) if text.startswith(OFFICIAL) else None


def _in_lines(head: str, ratings: Mapping[int, int]) -> Iterator[str]:
    written = [f"{rank}={rating}" for rank, rating in sorted(ratings.items())]
    for start in range(0, len(written), IN_A_LINE):
        yield " ".join((head, *written[start : start + IN_A_LINE]))


@from_lines
def tournament_ratings(report: Report) -> dict[int, int | None]:
    """Return the ratings that comments give, by starting rank; None for an unrated player.

    A line in another form is a comment without meaning.
    """
    ratings: dict[int, int | None] = {}
    for record in report.kept:
        if record.text.startswith(RATINGS):
            found = _ratings(record.text[len(RATINGS) :], 0) or {}
            ratings |= {rank: rating or None for rank, rating in found.items()}
    return ratings


def has_earlier_ratings(text: str) -> bool:
    """Whether a line is a comment with ratings that were used up to a round."""
    return _earlier_ratings(text) is not None


def _ratings_of_round(report: Report, number: int) -> dict[int, int]:
    """Return the ratings with which a round was paired, by starting rank, where comments say so.

    For each player the first comment counts whose round is not before this one.
    """
    ratings: dict[int, int] = {}
    for until, then in _ratings_in_comments(report):
        if number <= until <= report.rounds_paired:
            ratings |= then
    return ratings


@from_lines
def _ratings_in_comments(report: Report) -> tuple[tuple[int, dict[int, int]], ...]:
    """Return the earlier ratings of the comments, each with its round, the last round first."""
    ratings = (found for record in report.kept if (found := _earlier_ratings(record.text)) is not None)
    return tuple(sorted(ratings, key=lambda one: -one[0]))


def rating_corrections(report: Report) -> tuple[RatingCorrection, ...]:
    """Return the corrections in comments, for games that the file has with either result.

    Several lines about one game are read in their order, each from the result before it.
    """
    steps = _steps(report)
    if not steps:
        return ()
    players = {player.starting_rank: player for player in report.players}
    return tuple(
        correction
        for game, results in steps.items()
        if (correction := _whole(game, results, _shown(players, *game))) is not None
    )


@from_lines
def _steps(report: Report) -> dict[tuple[int, int, int], list[tuple[Result, Result]]]:
    """Return the steps of each game, by (round, White, Black). A repeated step adds nothing."""
    steps: dict[tuple[int, int, int], list[tuple[Result, Result]]] = defaultdict(list)
    for record in report.kept:
        if (found := _step(record.text)) is not None:
            game, step = found
            if steps[game][-1:] != [step]:
                steps[game].append(step)
    return dict(steps)


@from_lines
def _earlier_in_comments(report: Report) -> tuple[EarlierResult, ...]:
    """Return the earlier results in comments, each once."""
    earlier = (_earlier_result(record.text) for record in report.kept)
    return tuple(dict.fromkeys(one for one in earlier if one is not None))


def earlier_results(report: Report) -> tuple[EarlierResult, ...]:
    """Return the earlier results in comments, for games in the file, in the order of the file.

    A line about another game, or about rounds that are not in the file, is a comment without meaning.
    """
    earlier = _earlier_in_comments(report)
    if not earlier:
        return ()
    players = {player.starting_rank: player for player in report.players}

    def is_of_the_file(one: EarlierResult) -> bool:
        if one.white not in players or one.black not in players:
            return False
        mine, theirs = players[one.white].entry(one.round), players[one.black].entry(one.round)
        return (mine.opponent, theirs.opponent) == (one.black, one.white)

    return tuple(
        one for one in earlier if 1 <= one.round <= one.until <= report.rounds_paired and is_of_the_file(one)
    )


def applied(
    corrections: Iterable[RatingCorrection], earlier: Iterable[EarlierResult] = ()
) -> Callable[[str], bool]:
    """Return a function that says whether a line is one of these comments and takes effect, for many lines."""
    games = {(one.round, one.white, one.black) for one in corrections}
    known = frozenset(earlier)

    def takes_effect(text: str) -> bool:
        if text.startswith(RATINGS):
            return _ratings(text[len(RATINGS) :], 0) is not None
        if (one := _earlier_result(text)) is not None:
            return one in known
        found = _step(text)
        return found is not None and found[0] in games

    return takes_effect


def as_paired(report: Report, round: int | None = None) -> Report:  # noqa: A002 the handbook's word
    """Return the report with tournament ratings and the results that count for pairings in its player lines.

    round: a round of the file, for the ratings, results and colours with which it was paired. None, or a round to come:
    those that count now. A report without such comments comes back itself. Cost: linear.
    """
    ratings: dict[int, int | None] = {**ratings_by_method(report), **tournament_ratings(report)}
    if round is not None:
        ratings |= _ratings_of_round(report, round)
    entries: dict[int, dict[int, RoundEntry]] = defaultdict(dict)
    if corrections := rating_corrections(report):
        players = {player.starting_rank: player for player in report.players}
        for one in corrections:
            for rank, colour in ((one.white, Colour.WHITE), (one.black, Colour.BLACK)):
                entry = players[rank].entry(one.round)
                entries[rank][one.round] = entry._replace(symbol=symbol_of(one.used, colour))
    if round is not None:
        used = (one for one in earlier_results(report) if one.until >= round)
        for then in sorted(used, key=lambda one: -one.until):  # the first `until` from the round on counts
            for rank, opponent, colour in (
                (then.white, then.black, Colour.WHITE),
                (then.black, then.white, Colour.BLACK),
            ):
                entries[rank][then.round] = RoundEntry.of_game(opponent, colour, then.result)
    if not ratings and not entries:
        return report
    return report.with_players(
        lambda record: replace(
            record,
            rating=ratings.get(record.starting_rank, record.rating),
            entries=tuple(_with(record.entries, entries.get(record.starting_rank, {}))),
        )
    )


def _with(entries: Iterable[RoundEntry], others: Mapping[int, RoundEntry]) -> Iterator[RoundEntry]:
    for number, entry in enumerate(entries, start=1):
        yield others.get(number, entry)


def _earlier_ratings(text: str) -> tuple[int, dict[int, int]] | None:
    head = re.match(_EARLIER_RATINGS_HEAD, text)
    ratings = _ratings(text[head.end() :]) if head else None
    return (int(head[1]), ratings) if head and ratings else None


def _ratings(text: str, least: int = 1) -> dict[int, int] | None:
    """Return ratings of at least this height, by starting rank; None if a word has another form."""
    found = [re.fullmatch(_RATING, word) for word in text.split()]
    ratings = {int(one[1]): int(one[2]) for one in found if one is not None and int(one[2]) >= least}
    return ratings if len(ratings) == len(found) else None


def _step(text: str) -> tuple[tuple[int, int, int], tuple[Result, Result]] | None:
    found = re.fullmatch(_CORRECTION, text)
    results = {result.value: result for result in Result}
    if found is None or found[4] not in results or found[5] not in results:
        return None
    return (int(found[1]), int(found[2]), int(found[3])), (results[found[4]], results[found[5]])


def _earlier_result(text: str) -> EarlierResult | None:
    found = re.fullmatch(_EARLIER, text)
    if found is None or found[4] not in tuple(Result):
        return None
    return EarlierResult(int(found[1]), int(found[2]), int(found[3]), Result(found[4]), int(found[5]))


def _shown(players: Mapping[int, PlayerRecord], number: int, white: int, black: int) -> Result | None:
    """Return the result that the player lines show, None where there is no such game."""
    if white not in players or black not in players or not number:
        return None
    mine, theirs = players[white].entry(number), players[black].entry(number)
    if (mine.opponent, theirs.opponent) != (black, white) or mine.colour is Colour.BLACK:
        return None
    return result_of(mine.symbol, theirs.symbol)


def _whole(
    game: tuple[int, int, int], steps: list[tuple[Result, Result]], shown: Result | None
) -> RatingCorrection | None:
    """Return the steps of one game as one correction. shown: the result in the file, the first or the last of them."""
    used = rated = shown
    if shown is None:
        return None
    if shown is steps[-1][1]:
        for before, after in reversed(steps):
            used = before if after is used else used
    elif shown is steps[0][0]:
        for before, after in steps:
            rated = after if before is rated else rated
    if used is None or rated is None or used is rated:
        return None
    return RatingCorrection(*game, used, rated)
