"""The rounds and the ratings of a report file as rows: games with boards, byes, pairs that must not meet.

Ratings: the method of record 172, national records, and origins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import ngettext_lazy

from evenboard_engine import RESULTS, ByeKind, Colour, Outcome, Pair, Result, system_named
from evenboard_engine.result import board_order
from evenboard_engine.rulings import PointsByDecision
from evenboard_engine.trf import (
    NO_FEDERATION,
    ORIGINS,
    EarlierResult,
    ForbiddenGroup,
    RatingCorrection,
    Report,
    apart_if_possible,
    as_paired,
    forbidden_spans,
    left_out,
    national_numbers,
    national_ratings,
    official_ratings,
    ratings_by_origin,
    read_method,
    reported_rounds,
    start_positions,
    tournament_ratings,
)
from tournaments.errors import ROUND_OUT_OF_RANGE, Refusal
from tournaments.files.report_check import Pairs, RoundsCheck, system_of_report
from tournaments.files.report_reading import MAX_FORBIDDEN_PAIRS
from tournaments.models import Bye, ForbiddenPair, Game, Participant, RatingSource, Round, Section
from tournaments.snapshot import accelerations, groups_apart, rulings_of

# Refusals
TOO_MANY_FORBIDDEN = Refusal(
    "too_many_forbidden",
    ngettext_lazy(
        "The report file forbids more than %(limit)s pair. Leave out lines (260, XXP) that are not needed.",
        "The report file forbids more than %(limit)s pairs. Leave out lines (260, XXP) that are not needed.",
        "limit",
    ),
    ("limit",),
)


# The ratings of a report file as those of a section: the method of record 172, national records, and origins.

_SOURCES = dict(
    zip(
        ORIGINS,
        (RatingSource.STANDARD, RatingSource.RAPID, RatingSource.BLITZ, RatingSource.TYPED),
        strict=True,
    )
)


@dataclass(frozen=True, slots=True)
class ReportRatings:
    """method, federation: as in `Section`. The ratings and numbers are by starting rank."""

    method: str
    federation: str
    official: Mapping[int, int | None]
    national: Mapping[int, int]
    national_ids: Mapping[int, str]
    origins: Mapping[int, tuple[str, int]]

    def of_entry(self, rank: int, rating: int, *, provisional: bool) -> dict[str, Any]:
        """Return the values of an entry. provisional: the arbiter gave this rating, because the file has none."""
        official, national = self.official[rank], self.national.get(rank)
        if rank in self.origins:
            source = _SOURCES[self.origins[rank][0]]
        elif provisional and not official:
            source = RatingSource.PROVISIONAL
        elif self.method != Section.RatingMethod.OTHER and rating == national != official:
            source = RatingSource.NATIONAL
        elif self.method != Section.RatingMethod.OTHER and rating != official:
            source = RatingSource.TYPED
        else:
            source = RatingSource.FILE
        return {
            "official_rating": official,
            "national_rating": national,
            "national_id": self.national_ids.get(rank, ""),
            "rating_source": source,
        }


def ratings_of_report(report: Report, section: Section) -> ReportRatings:
    """Return the ratings. report: as it was read. Where its ratings are not those of its method, there is no method."""
    method = read_method(report.text("172"))
    lines = [record.text for record in report.kept]
    national = national_ratings(lines, method.federation) if method else {}
    official = _official(report, section) | dict.fromkeys(left_out(report) or (), None)
    code = Section.RatingMethod.OTHER.value
    if method is not None and code != method.code:
        highest = method.code == Section.RatingMethod.HBFN
        by_method = (
            (method.rating(official[player.starting_rank], national.get(player.starting_rank)), player.rating)
            for player in as_paired(report).players
        )
        if all(
            not given or given == rating or (highest and (rating or 0) > given) for given, rating in by_method
        ):
            code = method.code
    return ReportRatings(
        method=code,
        federation=method.federation if method and method.federation != NO_FEDERATION else "",
        official=official,
        national=national,
        national_ids=national_numbers(lines, method.federation) if method else {},
        origins=ratings_by_origin(report),
    )


def _official(report: Report, section: Section) -> dict[int, int | None]:
    """Return the official ratings by starting rank.

    Comments of this program name them. Otherwise a report does not say whose ratings it has. If FIDE does not pair the
    section, they need not be FIDE's, except where the file has the ratings of the tournament besides.
    """
    system = system_named(system_of_report(report, section))
    of_fide = system.of_fide or bool(tournament_ratings(report) or ratings_by_origin(report))
    named = official_ratings(report)
    ratings = {player.starting_rank: player.rating if of_fide else None for player in report.players}
    return {rank: named.get(rank, rating) for rank, rating in ratings.items()}


# The rounds of a report file as rows: games with boards, byes, pairs that must not meet.


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
        self._reported = reported_rounds(report)
        self._apart = apart_if_possible(report)
        self._by_rank = by_rank
        self._keys = keys = {rank: participant.pk for rank, participant in by_rank.items()}
        self._rated = {(one.round, keys[one.white], keys[one.black]): one.rated.value for one in corrections}
        self._earlier: dict[tuple[int, int, int], list[EarlierResult]] = defaultdict(list)
        for then in sorted(earlier, key=lambda then: then.until):
            self._earlier[then.round, min(then.white, then.black), max(then.white, then.black)].append(then)
        self._ranks = {key: rank for rank, key in keys.items()}
        self._points = section.point_system
        self._virtual = accelerations(section, by_rank.values())
        self._decided = {
            entry.pk: PointsByDecision(rulings_of(entry)) for entry in by_rank.values() if entry.rulings
        }
        self._scores = dict.fromkeys(keys.values(), 0)
        self._add(0)
        self._positions = start_positions(report) or {}
        self._rounds: list[Round] = []
        self._games: list[Game] = []
        self._byes: list[Bye] = []
        self._adjourned: list[list[int]] = []
        for number, results in enumerate(self._results_by_round(), start=1):
            self._take_round(number, results)
            self._take_byes(number)
            self._add(number)
        self._announce_byes()
        self._forbidden = self._forbid()

    def save(self) -> None:
        Round.objects.bulk_create(self._rounds)
        Game.objects.bulk_create(self._games)
        Bye.objects.bulk_create(self._byes)
        ForbiddenPair.objects.bulk_create(self._forbidden)
        if self._section.apart_rules:
            self._section.save(update_fields=["apart_rules"])

    def mark(self, checked: RoundsCheck) -> None:
        """Note for which rounds the rules give no pairing."""
        for row in self._rounds:
            row.rules_gave_none = row.number in checked.without

    def log_payload(self) -> dict[str, Any]:
        """Return what the log says. adjourned: [round, board] of games without a result in a finished round."""
        return {
            "rounds_paired": len(self._rounds),
            "games": len(self._games),
            "byes": len(self._byes),
            "forbidden_pairs": len(forbidden_spans(self._reported.forbidden)),
            "adjourned": self._adjourned,
        }

    def _results_by_round(self) -> list[dict[tuple[int, int], Result | None]]:
        """Return the result of each game by White's and Black's keys, for each paired round."""
        rounds: list[dict[tuple[int, int], Result | None]] = [{} for _ in range(self._reported.paired)]
        for game in self._reported.games:
            rounds[game.round - 1][self._keys[game.white], self._keys[game.black]] = game.result
        for still in self._reported.open:
            rounds[still.round - 1][self._keys[still.white], self._keys[still.black]] = None
        return rounds

    def _take_round(self, number: int, results: dict[tuple[int, int], Result | None]) -> None:
        lasting = self._section.fixed_rounds or number == self._reported.paired
        row = Round(  # No file says when a round was published, so there is no time.
            section=self._section,
            number=number,
            state=Round.State.PUBLISHED if lasting else Round.State.FINISHED,
            start_position=self._positions.get(number),
        )
        self._rounds.append(row)
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
            if result is None and not lasting:
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
                self._score(
                    pair.white, number, meaning.white, self._points.of_game(meaning.white, Colour.WHITE)
                )
                self._score(
                    pair.black, number, meaning.black, self._points.of_game(meaning.black, Colour.BLACK)
                )

    def _before(self, number: int, pair: Pair) -> list[dict[str, Any]]:
        """Return the earlier results of a game in the form of `Game.earlier`."""
        white, black = self._ranks[pair.white], self._ranks[pair.black]
        return [
            {"until": then.until, "result": then.result.value, "turned": then.white == black}
            for then in self._earlier.get((number, min(white, black), max(white, black)), ())
        ]

    def _take_byes(self, number: int) -> None:
        for bye in self._reported.byes:
            if bye.round == number:
                participant = self._by_rank[bye.player]
                self._add_bye(participant, number, bye.kind)
                self._score(participant.pk, number, bye.kind, self._points.of_bye(bye.kind))

    def _score(self, key: int, number: int, of: Outcome | ByeKind, usual: int) -> None:
        """Add the points of a round. usual: of the result or the bye by the point system."""
        decided = self._decided.get(key)
        points = decided.points_of(of, number) if decided else None
        self._scores[key] += usual if points is None else points

    def _add(self, number: int) -> None:
        """Add the bonuses and penalties of a round, 0 for before round 1."""
        for key, decided in self._decided.items():
            self._scores[key] += decided.added.get(number, 0)

    def _announce_byes(self) -> None:
        """Take the byes of rounds that are not paired yet. A player who left needs none."""
        for (number, rank), kind in self._announced().items():
            if number > self._section.rounds:
                raise ROUND_OUT_OF_RANGE.error(round=number, rounds=self._section.rounds)
            if self._by_rank[rank].is_active:
                self._add_bye(self._by_rank[rank], number, kind)

    def _announced(self) -> dict[tuple[int, int], ByeKind]:
        """Return the byes of rounds that are not paired yet. Who is absent without one has a zero-point bye."""
        following = self._reported.paired + 1
        announced = {
            (bye.round, bye.player): bye.kind for bye in self._reported.byes if bye.round >= following
        }
        if following <= self._section.rounds:
            for rank in sorted(self._reported.absent_in(following)):
                announced.setdefault((following, rank), ByeKind.ZERO)
        return announced

    def _add_bye(self, participant: Participant, number: int, kind: ByeKind) -> None:
        source = Bye.Source.ALLOCATED if kind is ByeKind.ALLOCATED else Bye.Source.REQUESTED
        self._byes.append(Bye(participant=participant, round_number=number, kind=kind.value, source=source))

    def _forbid(self) -> list[ForbiddenPair]:
        """Return one row for each pair whose records leave no round out. The other records become rules with chosen
        players, and what the rounds were paired with.
        """
        groups = self._reported.forbidden
        loose = sum(len(players) * (len(players) - 1) // 2 for _first, _last, players in self._apart)
        if loose + sum(group.pairs for group in groups) > MAX_FORBIDDEN_PAIRS:
            raise TOO_MANY_FORBIDDEN.error(limit=MAX_FORBIDDEN_PAIRS)
        records: dict[frozenset[int], list[ForbiddenGroup]] = defaultdict(list)
        for group in groups:
            records[group.players].append(group)
        typed: list[ForbiddenPair] = []
        spans: list[tuple[list[int], int, int | None]] = []
        for players, found in records.items():
            keys = sorted(self._keys[rank] for rank in players)
            rounds = {number for one in found for number in self._numbers_of(one)}
            if len(keys) == 2 and len(rounds) == max(rounds) - min(rounds) + 1:
                ((first, last),) = forbidden_spans(tuple(found)).values()
                pair = {"first_id": keys[0], "second_id": keys[1]}
                typed.append(ForbiddenPair(section=self._section, **pair, first_round=first, last_round=last))
            elif len(keys) > 1:
                is_always = any((one.first, one.last) == (1, None) for one in found)
                spans += [(keys, 1, None)] if is_always else [(keys, one.first, one.last) for one in found]
        rules = [(*span, True) for span in spans]
        rules += [
            (
                sorted(self._keys[rank] for rank in players),
                first,
                None if last >= self._section.rounds else last,
                False,
            )
            for first, last, players in self._apart
        ]
        self._section.apart_rules = [
            {
                "number": number,
                "kind": Section.ApartKind.PLAYERS.value,
                "value": "260",
                "players": keys,
                "first_round": first,
                "last_round": last,
                "strict": strict,
                "reason": "",
            }
            for number, (keys, first, last, strict) in enumerate(rules, start=1)
        ]
        for row in self._rounds:
            kept = groups_apart(self._section.apart_rules, tuple(self._by_rank.values()), row.number)
            row.kept_apart = [group.row for group in kept]
        return typed

    def _numbers_of(self, group: ForbiddenGroup) -> range:
        return range(group.first, (group.last or max(group.first, self._section.rounds)) + 1)


def deviations_of_rounds(checked: RoundsCheck, by_rank: dict[int, Participant]) -> dict[str, Any]:
    """Return what the log says of rounds that break the rules in each reading (D7).

    Pairs are keys of participants, with 0 for a bye.
    """
    keys = {0: 0, **{rank: participant.pk for rank, participant in by_rank.items()}}

    def numbered(pairs: Pairs) -> list[list[int]]:
        return [[keys[one], keys[other]] for one, other in pairs]

    return {
        "rounds_checked": checked.rounds,
        "departures": [
            {"round": one.round, "expected": numbered(one.expected), "found": numbered(one.found)}
            for one in checked.departures
            if not one.counted
        ],
        **({"older_edition": int(checked.older_edition)} if checked.older_edition else {}),
    }
