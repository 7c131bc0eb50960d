"""The rounds of a report file as rows: games with boards, byes, pairs that must not meet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from pairing.engine import RESULTS, ByeKind, Colour, Pair, Result
from pairing.engine.boards import board_order
from pairing.engine.trf import (
    Absentees,
    AnnouncedBye,
    EarlierResult,
    RatingCorrection,
    Report,
    RoundEntry,
    forbidden_groups,
)
from pairing.engine.trf.codes import BYE_OF_SYMBOL, result_of
from pairing.rounds.snapshot import accelerations
from tournaments.errors import DomainError
from tournaments.imports.report_check import Pairs, RoundsCheck
from tournaments.imports.report_trf import MAX_FORBIDDEN_PAIRS
from tournaments.models import Bye, ForbiddenPair, Game, Participant, Round, Section


class ImportedRounds:
    """Rows for a section that has its entries and nothing else.

    by_rank: the entries by starting rank, numbered and saved. report: with the results that count for pairings.
    corrections: results for rating only. earlier: results with which rounds were paired before they changed.
    """

    def __init__(
        self,
        section: Section,
        report: Report,
        by_rank: dict[int, Participant],
        corrections: Sequence[RatingCorrection] = (),
        earlier: Sequence[EarlierResult] = (),
    ) -> None:
        self._section = section
        self._report = report
        self._by_rank = by_rank
        self._rated = {
            (one.round, by_rank[one.white].pk, by_rank[one.black].pk): one.rated.value for one in corrections
        }
        self._earlier: dict[tuple[int, int, int], list[EarlierResult]] = defaultdict(list)
        for then in sorted(earlier, key=lambda then: then.until):
            self._earlier[then.round, min(then.white, then.black), max(then.white, then.black)].append(then)
        self._ranks = {participant.pk: rank for rank, participant in by_rank.items()}
        self._entries = {player.starting_rank: player for player in report.players}
        self._points = section.point_system
        self._virtual = accelerations(section, by_rank.values())
        self._scores = dict.fromkeys((p.pk for p in by_rank.values()), 0)
        self._rounds: list[Round] = []
        self._games: list[Game] = []
        self._byes: list[Bye] = []
        self._adjourned: list[list[int]] = []
        for number in range(1, report.rounds_paired + 1):
            self._take_round(number)
        self._announce_byes()
        self._forbidden = self._forbid()

    def save(self) -> None:
        Round.objects.bulk_create(self._rounds)
        Game.objects.bulk_create(self._games)
        Bye.objects.bulk_create(self._byes)
        ForbiddenPair.objects.bulk_create(self._forbidden)

    def told(self) -> dict[str, Any]:
        """Return what the log says. adjourned: [round, board] of games without a result in a finished round."""
        return {
            "rounds_paired": len(self._rounds),
            "games": len(self._games),
            "byes": len(self._byes),
            "forbidden_pairs": len(self._forbidden),
            "adjourned": self._adjourned,
        }

    def _take_round(self, number: int) -> None:
        last = number == self._report.rounds_paired
        row = Round(  # No file says when a round was published, so there is no time.
            section=self._section,
            number=number,
            state=Round.State.PUBLISHED if last else Round.State.FINISHED,
        )
        self._rounds.append(row)
        results = dict(self._results(number))
        number_of = {p.pk: p.tpn or 0 for p in self._by_rank.values()}
        score = {tpn: self._scores[key] for key, tpn in number_of.items()}
        for given in self._virtual:
            if given.first_round <= number <= given.last_round:
                for key in given.players:
                    score[number_of[key]] += given.points
        # The file does not say by which rule the colours were given, and the order of boards does not depend on it.
        pairs = board_order((Pair(white, black, "") for white, black in results), number_of, score)
        for board, pair in enumerate(pairs, start=1):
            result = results[pair.white, pair.black]
            if result is None and not last:
                result = Result.ADJOURNED
                self._adjourned.append([number, board])
            self._games.append(
                Game(
                    round=row,
                    board=board,
                    white_id=pair.white,
                    black_id=pair.black,
                    result=result.value if result else "",
                    rating_result=self._rated.get((number, pair.white, pair.black), ""),
                    earlier=self._before(number, pair),
                )
            )
            if result:
                meaning = RESULTS[result]
                self._scores[pair.white] += self._points.of_game(meaning.white, Colour.WHITE)
                self._scores[pair.black] += self._points.of_game(meaning.black, Colour.BLACK)
        self._take_byes(number)

    def _before(self, number: int, pair: Pair) -> list[dict[str, Any]]:
        """Return the earlier results of a game in the form of `Game.earlier`."""
        white, black = self._ranks[pair.white], self._ranks[pair.black]
        return [
            {"until": then.until, "result": then.result.value, "turned": then.white == black}
            for then in self._earlier.get((number, min(white, black), max(white, black)), ())
        ]

    def _results(self, number: int) -> Iterator[tuple[tuple[int, int], Result | None]]:
        """Yield White's and Black's keys and the result of each game once."""
        for player in self._report.players:
            rank, entry = player.starting_rank, player.entry(number)
            if entry.opponent is not None and _is_white(rank, entry):
                theirs = self._entries[entry.opponent].entry(number)
                keys = self._by_rank[rank].pk, self._by_rank[entry.opponent].pk
                yield keys, result_of(entry.symbol, theirs.symbol)

    def _take_byes(self, number: int) -> None:
        for player in self._report.players:
            entry = player.entry(number)
            if entry.opponent is None and entry.symbol:
                participant = self._by_rank[player.starting_rank]
                self._add_bye(participant, number, BYE_OF_SYMBOL[entry.symbol])
                self._scores[participant.pk] += self._points.of_bye(BYE_OF_SYMBOL[entry.symbol])

    def _announce_byes(self) -> None:
        """Take the byes of rounds that are not paired yet. An expelled player needs none."""
        for (number, rank), kind in self._announced().items():
            if number > self._section.rounds:
                raise DomainError("round_out_of_range", round=number, rounds=self._section.rounds)
            if self._by_rank[rank].status != Participant.Status.EXPELLED:
                self._add_bye(self._by_rank[rank], number, kind)

    def _announced(self) -> dict[tuple[int, int], ByeKind]:
        """Return the byes of rounds that are not paired yet, from later columns, then from 240, then from XXZ.

        Where two of them name the same player and round, the first counts.
        """
        following = self._report.rounds_paired + 1
        announced: dict[tuple[int, int], ByeKind] = {}
        for player in self._report.players:
            for number in range(following, len(player.entries) + 1):
                if symbol := player.entry(number).symbol:
                    announced.setdefault((number, player.starting_rank), BYE_OF_SYMBOL[symbol])
        for record in self._report.of_type(AnnouncedBye):
            if record.round >= following:
                for rank in record.players:
                    announced.setdefault((record.round, rank), record.kind)
        if following <= self._section.rounds:
            for absentees in self._report.of_type(Absentees):
                for rank in absentees.players:
                    announced.setdefault((following, rank), ByeKind.ZERO)
        return announced

    def _add_bye(self, participant: Participant, number: int, kind: ByeKind) -> None:
        source = Bye.Source.ALLOCATED if kind is ByeKind.ALLOCATED else Bye.Source.REQUESTED
        self._byes.append(Bye(participant=participant, round_number=number, kind=kind.value, source=source))

    def _forbid(self) -> list[ForbiddenPair]:
        """Return one row for each pair, over all rounds from the first to the last that its records name."""
        groups = forbidden_groups(self._report)
        if sum(group.pairs for group in groups) > MAX_FORBIDDEN_PAIRS:
            raise DomainError("too_many_forbidden", limit=MAX_FORBIDDEN_PAIRS)
        spans: dict[tuple[int, int], tuple[int, int | None]] = {}
        for group in groups:
            for pair in combinations(sorted(self._by_rank[rank].pk for rank in group.players), 2):
                first, last = group.first, group.last
                if pair in spans:
                    earlier, later = spans[pair]
                    first = min(first, earlier)
                    last = None if last is None or later is None else max(last, later)
                spans[pair] = first, last
        return [
            ForbiddenPair(
                section=self._section,
                first_id=one,
                second_id=other,
                first_round=first,
                last_round=last,
            )
            for (one, other), (first, last) in spans.items()
        ]


def departures(checked: RoundsCheck, by_rank: dict[int, Participant]) -> dict[str, Any]:
    """Return what the log says of rounds that break the rules in each reading (D7).

    Pairs are keys of participants, with 0 for a bye.
    """
    keys = {0: 0, **{rank: participant.pk for rank, participant in by_rank.items()}}

    def told(pairs: Pairs) -> list[list[int]]:
        return [[keys[one], keys[other]] for one, other in pairs]

    return {
        "rounds_checked": checked.rounds,
        "departures": [
            {"round": one.round, "expected": told(one.expected), "found": told(one.found)}
            for one in checked.departures
            if not one.counted
        ],
    }


def _is_white(rank: int, entry: RoundEntry) -> bool:
    """Whether a player counts as White: in a forfeit without colours the smaller starting rank, as in the engine."""
    if entry.colour is None:
        return entry.opponent is not None and rank < entry.opponent
    return entry.colour is Colour.WHITE
