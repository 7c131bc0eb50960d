"""A whole report file: its lines in order, and what can be asked about them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import TypeVar, cast

from evenboard_engine.model import ByeKind, Colour, PointSystem, Ruling
from evenboard_engine.rulings import PointsByDecision, decided

from .codes import points_table
from .errors import TrfError
from .records import (
    BLANK,
    OF_MATCHES,
    AbnormalPoints,
    Configuration,
    InitialColour,
    KeptLine,
    PlayerRecord,
    Record,
    RoundDates,
    RoundEntry,
    Rounds,
    Scoring,
    TextRecord,
)
from .scoring import point_system, points_of, rulings_of

_R = TypeVar("_R")
_T = TypeVar("_T")


@dataclass(frozen=True)
class Report:
    """records: every line in the order of the file, so that nothing is lost when it is written again. odd: warnings of
    the reader; equal reports may have different ones.

    The properties are right for a report that `read_report` returned, or that `check_report` accepts.
    """

    records: tuple[Record, ...]
    odd: tuple[TrfError, ...] = field(default=(), compare=False, repr=False)
    _found: dict[object, object] = field(default_factory=dict, init=False, compare=False, repr=False)

    def of_type(self, kind: type[_R]) -> tuple[_R, ...]:
        """Return the records of one class, in order. Cost: linear at the first call for a report, then constant."""
        return cast("tuple[_R, ...]", self._by_type.get(kind, ()))

    @cached_property
    def _by_type(self) -> dict[type, tuple[Record, ...]]:
        found: dict[type, list[Record]] = defaultdict(list)
        for record in self.records:
            found[type(record)].append(record)
        return {kind: tuple(records) for kind, records in found.items()}

    def with_players(self, changed: Callable[[PlayerRecord], PlayerRecord]) -> Report:
        """Return the report with other player lines. What was found in its other lines is not searched again."""
        other = Report(
            tuple(changed(record) if isinstance(record, PlayerRecord) else record for record in self.records)
        )
        other._found.update(self._found)
        return other

    @cached_property
    def players(self) -> tuple[PlayerRecord, ...]:
        """The players in the order of the file, which may differ from that of the starting ranks."""
        return self.of_type(PlayerRecord)

    @cached_property
    def kept(self) -> tuple[KeptLine, ...]:
        """The lines without a meaning for the reader: comments, national ratings, teams, ..."""
        return self.of_type(KeptLine)

    @cached_property
    def _texts(self) -> dict[str, tuple[str, ...]]:
        texts: dict[str, list[str]] = defaultdict(list)
        for record in self.of_type(TextRecord):
            texts[record.code].append(record.text)
        return {code: tuple(found) for code, found in texts.items()}

    def headers(self, code: str) -> tuple[TextRecord, ...]:
        return tuple(record for record in self.of_type(TextRecord) if record.code == code)

    def texts(self, code: str) -> tuple[str, ...]:
        """Return the values of a header code, such as every deputy arbiter for 112."""
        return self._texts.get(code, ())

    def text(self, code: str) -> str:
        """Return the first value of a header code, or ""."""
        return next(iter(self.texts(code)), "")

    @cached_property
    def rounds(self) -> int | None:
        """The planned number of rounds (142, XXR), None if the file does not say."""
        return next((record.rounds for record in self.of_type(Rounds)), None)

    @cached_property
    def round_dates(self) -> tuple[str, ...]:
        return next((record.dates for record in self.of_type(RoundDates)), ())

    @cached_property
    def initial_colour(self) -> Colour | None:
        """The initial-colour of 152 or XXC; None if the file does not say."""
        colours = [record.colour for record in self.of_type(InitialColour)]
        colours += [record.colour for record in self.of_type(Configuration) if record.colour is not None]
        return colours[0] if colours else None

    @cached_property
    def by_position(self) -> bool:
        """Whether `XXC rank` ranks the players by their place in the file."""
        return any(record.by_position for record in self.of_type(Configuration))

    @cached_property
    def is_team_event(self) -> bool:
        """Whether the file is of matches between teams, whose numbers 240, 250, 260 and 299 have then."""
        return "TEAM" in self.text("192").upper() or any(map(self.of_type, OF_MATCHES))

    @cached_property
    def points(self) -> PointSystem:
        abnormal = () if self.is_team_event else self.of_type(AbnormalPoints)
        return point_system(self.of_type(Scoring), abnormal)[0]

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """Points by decision of the arbiter (299), by starting rank; () for a team event."""
        if self.is_team_event or not self.of_type(AbnormalPoints):
            return ()
        ranks = [player.starting_rank for player in self.players]
        return tuple(rulings_of(self.of_type(AbnormalPoints), ranks))

    @cached_property
    def rounds_paired(self) -> int:
        """The last round that was paired: the last one with a game, or rounds of byes after it in which nobody is left
        to be paired: a player has the allocated bye, and each other player a bye.

        Other later columns can only hold byes that were given before the pairing, so the next round to be paired is the
        one after it. An allocated bye beside a player without an entry was typed ahead.
        """
        paired = 0
        for player in self.players:
            for number in range(len(player.entries), paired, -1):
                if player.entries[number - 1].opponent is not None:
                    paired = number
                    break
        while self._has_byes_alone(paired + 1):
            paired += 1
        return paired

    def _has_byes_alone(self, number: int) -> bool:
        symbols = [player.entry(number).symbol for player in self.players]
        return ByeKind.ALLOCATED.value in symbols and all(symbols)

    def scores(self, player: PlayerRecord) -> tuple[int, ...]:
        """Return the tenths of a point of the entries: after the paired rounds, then after each later column.

        The first is the score of the player. The others count byes that were announced for rounds that are not paired
        yet, because some programs add them to the points at once. The last one is without the last round while a game
        of it is open: Swiss-Manager counts its byes when the round is complete.
        """
        if (known := self._decided.get(player.starting_rank)) is not None:
            return self._scores_with(known, player)
        value = self._values
        entries = player.entries
        paired = self.rounds_paired
        total = sum([value[entry.symbol, entry.colour] for entry in entries[:paired]])
        total += value["", None] * max(0, paired - len(entries))
        scores = [total]
        if self._last_is_open:
            last = player.entry(paired)
            before = total - value[last.symbol, last.colour]
            return (*self._with_later(scores, entries[paired:]), before)
        return self._with_later(scores, entries[paired:])

    @cached_property
    def _decided(self) -> dict[int, PointsByDecision]:
        """What was decided for players, by starting rank."""
        return decided(self.rulings)

    def _scores_with(self, known: PointsByDecision, player: PlayerRecord) -> tuple[int, ...]:
        """Return the same scores of a player for whom points were decided."""
        value, paired = self._values, self.rounds_paired
        total = known.added.get(0, 0)
        after = [total]
        for number in range(1, max(paired, len(player.entries)) + 1):
            entry = player.entry(number)
            is_later = number > paired
            if not (is_later and entry == BLANK):
                total += points_of(known, number, entry, value[entry.symbol, entry.colour])
            after.append(total)
        before = after[paired - 1 : paired] if self._last_is_open else []
        return (*after[paired:], *before)

    @cached_property
    def _last_is_open(self) -> bool:
        """Whether a game of the last paired round has no result."""
        last = self.rounds_paired
        found = (player.entry(last) for player in self.players) if last else ()
        return any(entry.opponent is not None and not entry.symbol for entry in found)

    def _with_later(self, scores: list[int], later: tuple[RoundEntry, ...]) -> tuple[int, ...]:
        """Return the scores with those after each column of a round that is not paired yet."""
        value, total = self._values, scores[-1]
        for entry in later:
            total += value[entry.symbol, None] if entry != BLANK else 0
            scores.append(total)
        return tuple(scores)

    @cached_property
    def _values(self) -> dict[tuple[str, Colour | None], int]:
        return points_table(self.points)


def from_lines(function: Callable[[Report], _T]) -> Callable[[Report], _T]:
    """Call a function once for a report, and for its copies with other player lines.

    The function must not read player lines. A file may have thousands of comments, and each round asks for what they
    say; without this, the cost would be rounds times lines.
    """

    @wraps(function)
    def found(report: Report) -> _T:
        known = report._found  # noqa: SLF001 - the place for this
        if function not in known:
            known[function] = function(report)
        return cast("_T", known[function])

    return found
