"""Events that affect the integrity of the pairings, as comment lines of the report file (VCL4THP.13 Q112, Q113).

The lines have the pairing numbers of today: after a regeneration the old number would name another player. Only the
lines about regenerations and exchanges have the numbers of their day, so that a reader can follow them back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.db.models import Q

from evenboard_engine import ByeKind, Result
from evenboard_engine.trf import (
    DecidedLater,
    EarlierResult,
    Leaver,
    RatingCorrection,
    left_out_line,
    start_position_lines,
    typed_line,
)
from tournaments.declarations import Kind, names_with
from tournaments.declarations.sections import CLOSE_SECTION, REOPEN_SECTION
from tournaments.models import ActionLog, Bye, Game, Integrity, Participant, Section
from tournaments.queries.field import SectionField
from tournaments.queries.undone import undone_in

from .asked_later import asked_later_lines
from .by_hand_line import line_of_round
from .earlier_ratings import earlier_rating_lines, rates

MOST_PAIRS = 2_000
"""In one comment on either side, so that readers accept the length of the line."""

_HEADS = {
    Integrity.MANUAL: "MPA",
    Integrity.IMPORT: "Import",
    Integrity.CONFIGURATION: "Configuration",
    Integrity.CORRECTION: "Correction",
    Integrity.ADJOURNMENT: "Adjournment",
    Integrity.REGENERATION: "Regeneration",
    Integrity.EXCHANGE: "Exchange",
}
_TOLD_BY_ROWS = frozenset({Integrity.RATING_CORRECTION, Integrity.FULL_POINT_BYE})
"""Events whose lines come from the games and byes: an imported section has such games and byes without the events."""
_MOVES_NUMBERS = frozenset({Integrity.REGENERATION, Integrity.EXCHANGE})
_PAIRS_A_ROUND = names_with(Kind.PAIRING)
_REOPENS = REOPEN_SECTION.name
_CLOSES = CLOSE_SECTION.name
_NAMED_ACTIONS = _PAIRS_A_ROUND | {_REOPENS, _CLOSES}


_SETTINGS = {
    "rounds": "rounds",
    "win_points": "win",
    "draw_points": "draw",
    "loss_points": "loss",
    "bye_points": "bye",
    "acceleration": "acceleration",
    "half_bye_limit": "half-point byes",
    "last_bye_round": "last round for byes",
    "time_control": "time control",
}
"""How a line names the settings from which an arbiter can depart (`declarations.locks`)."""


def comments(field: SectionField, announced: tuple[Bye, ...] = ()) -> tuple[str, ...]:
    """Return the lines, each with its `###`, oldest first. announced: byes of rounds to come. Two queries.

    Undone actions have no line. That FIDE mode was left is never undone (VCL4THP.13 Q44, Q45).
    """
    section: Section = field.section
    undone = undone_in(section.pk)
    apart = _TOLD_BY_ROWS | {Integrity.NONE}
    rows = list(
        ActionLog.objects.filter(section=section)
        .filter(~Q(integrity__in=apart) | Q(action__in=_NAMED_ACTIONS) | rates())
        .order_by("pk")
        .defer("changes")
    )
    numbering = frozenset(row.revision for row in rows if row.integrity in _MOVES_NUMBERS)
    paired_at = _paired_at(rows, undone)
    at = {row.revision: row.at for row in rows}
    writer = _CommentWriter(field, announced, paired_at)
    reported = (
        row
        for row in rows
        if (row.integrity not in apart or row.action in (_REOPENS, _CLOSES))
        and _is_reported(row, numbering, undone)
    )
    return (
        *(line for row in reported for line in writer.lines(row)),
        *writer.full_point_byes(),
        *writer.rating_corrections(),
        *writer.earlier_results(),
        *earlier_rating_lines(field, rows, paired_at),
        *asked_later_lines(
            field, (*field.byes, *announced), {number: at[of] for number, of in paired_at.items()}
        ),
        *_decided(field),
        *_leavers(field),
        *_typed(field),
        *_left_out(field),
        *_periods(field),
        *_start_positions(field),
    )


def _periods(field: SectionField) -> Iterator[str]:
    """Yield the lines about the rating periods (VCL4THP.13 Q212 to Q216)."""
    found = field.periods
    by_number = {field.participants[key].tpn or 0: of for key, of in found.ratings.items()}
    return replace(found, ratings=by_number).lines()


def _start_positions(field: SectionField) -> Iterator[str]:
    """Yield the lines about Chess960."""
    if field.section.chess960:
        known = {row.number: row.start_position for row in field.rounds}
        yield from start_position_lines({number: at for number, at in known.items() if at is not None})


def _left_out(field: SectionField) -> Iterator[str]:
    """Yield a line if rating tie-breaks leave out players without an official rating (VCL4THP.13 Q208, Q209)."""
    if field.section.unrated_left_out:
        yield left_out_line(field.participants[key].tpn or 0 for key in field.left_out)


def _typed(field: SectionField) -> Iterator[str]:
    """Yield a line for each tie-break of the list whose values were computed elsewhere (VCL4THP.13 Q207)."""
    listed = {rule.text.upper() for rule in field.section.tie_break_list if not rule.name}
    for code in sorted(listed & field.typed.keys()):
        players = (entry for entry in field.participants.values() if code in entry.tie_values)
        yield typed_line(code, {entry.tpn or 0: entry.tie_values[code] for entry in players})


def _decided(field: SectionField) -> Iterator[str]:
    """Yield a line for each decision on points that has a reason, or that later rounds were paired without."""
    for entry in field.participants.values():
        for row in entry.rulings:
            if not row["of"] and (row["reason"] or row["after"] > row["round"]):
                yield str(
                    DecidedLater(entry.tpn or 0, row["round"], row["points"], row["after"], row["reason"])
                )


def _leavers(field: SectionField) -> Iterator[str]:
    """Yield a line for each player who was expelled or withdrew.

    Where rounds are fixed, it decides which games count. The entries give these lines, because an imported section has
    them too.
    """
    for entry in field.participants.values():
        expelled = entry.status == Participant.Status.EXPELLED
        if not entry.is_active:
            left_after = min(entry.left_after or 0, field.latest_number)
            yield str(Leaver(left_after, entry.tpn or 0, expelled=expelled))


def _paired_at(rows: Iterable[ActionLog], undone: Mapping[int, int]) -> dict[int, int]:
    """Return the revision of the action that paired each round. A round of an imported file has none."""
    return {
        row.round_number or 0: row.revision
        for row in rows
        if row.action in _PAIRS_A_ROUND and row.revision not in undone
    }


def _is_reported(row: ActionLog, numbering: frozenset[int], undone: Mapping[int, int]) -> bool:
    """Whether an action has a line. numbering: revisions of actions that moved numbers.

    New numbers that were undone have a line if the undo did not bring back the old ones but gave new numbers, too: the
    lines must lead from the numbers of each round to those of today.
    """
    if row.revision not in undone:
        return True
    return row.integrity in _MOVES_NUMBERS and undone[row.revision] in numbering


def _setting(name: str, value: Any) -> str:
    if value is None or value == "":
        return "none"
    return f"{value / 10:g}" if name.endswith("_points") and isinstance(value, int) else str(value)


def _result(values: Mapping[str, Any]) -> str:
    """Return a result in the log, "?" if the log of a copy from elsewhere does not have it."""
    return str(values.get("result", "?"))


class _CommentWriter:
    """Turns rows of the log into lines, with the field as it is now.

    paired_at: the revision of the action that paired each round.
    """

    def __init__(self, field: SectionField, announced: tuple[Bye, ...], paired_at: Mapping[int, int]) -> None:
        self._field = field
        self._paired_at = paired_at
        self._by_hand_in = {played.number: played for played in field.rounds if played.manual}
        self._tpn = {key: entry.tpn for key, entry in field.participants.items()}
        self._games: Mapping[int, Game] = {game.pk: game for game in field.games}
        self._byes: tuple[Bye, ...] = (*field.byes, *announced)
        self._details: dict[str, Callable[[ActionLog], str | None]] = {
            Integrity.MANUAL: self._by_hand,
            Integrity.ADJOURNMENT: self._adjournment,
            Integrity.CORRECTION: self._correction,
            Integrity.REGENERATION: self._numbers,
            Integrity.EXCHANGE: self._numbers,
            Integrity.CONFIGURATION: self._configuration,
        }

    def lines(self, row: ActionLog) -> tuple[str, ...]:
        """Return one line for the event; for an import, one for each round that does not follow the rules (Q55)."""
        if row.integrity == Integrity.IMPORT and "departures" in row.after:
            return tuple(self._departures(row))
        return (line,) if (line := self.line(row)) else ()

    def full_point_byes(self) -> Iterator[str]:
        """Yield a line for each full-point bye (Q179)."""
        full = (
            (bye.round_number, self._tpn[bye.participant_id] or 0)
            for bye in self._byes
            if bye.kind == ByeKind.FULL
        )
        for number, tpn in sorted(full):
            yield f"### FPB @ Round {number}: {tpn}=FPB"

    def rating_corrections(self) -> Iterator[str]:
        """Yield a line for each game that has another result for rating (Q193).

        The log does not give these lines: an imported section has such games too, and several corrections are one.
        """
        for game in self._games_by_number():
            if game.result and game.rating_result not in ("", game.result):
                white, black = self._tpn[game.white_id] or 0, self._tpn[game.black_id] or 0
                results = Result(game.result), Result(game.rating_result)
                yield str(RatingCorrection(game.round.number, white, black, *results))

    def earlier_results(self) -> Iterator[str]:
        """Yield a line for each result with which later rounds were paired before it changed (GHR 3.1 and 4.3).

        The round of such a change is not in the lines of FIDE's form, and the checker needs it. The games give these
        lines, because an imported section has them too.
        """
        for game in self._games_by_number():
            for then in game.earlier_until(self._field.latest_number):
                pair = [self._tpn[game.white_id] or 0, self._tpn[game.black_id] or 0]
                white, black = reversed(pair) if then["turned"] else pair
                result = Result(then["result"])
                yield str(EarlierResult(game.round.number, white, black, result, then["until"]))

    def _games_by_number(self) -> list[Game]:
        """Return the games of each round in the order of White's numbers: an import gives boards their order anew."""
        return sorted(self._field.games, key=lambda game: (game.round.number, self._tpn[game.white_id] or 0))

    def line(self, row: ActionLog) -> str:
        """Return the line, or "" for an event that left no trace in the rounds of the report."""
        number = row.round_number or 0
        if row.integrity in _MOVES_NUMBERS:
            number = min(number, self._rounds_before(row))
        if row.action == _CLOSES:
            early = number < self._field.section.rounds
            return f"### Closed early @ Round {number}: {row.reason}".rstrip(": ") if early else ""
        if row.action == _REOPENS:
            return f"### Reopening @ Round {number}: {row.reason}".rstrip(": ")
        if row.integrity == Integrity.FIDE_MODE:
            return f"### FIDE mode exited @ Round {number}"
        detail_of = self._details.get(row.integrity, self._reason_or_subject)
        detail = detail_of(row)
        if detail is None:
            return ""
        return f"### {_HEADS[Integrity(row.integrity)]} @ Round {number}: {detail}".rstrip(": ")

    def _rounds_before(self, row: ActionLog) -> int:
        """Return how many rounds of the report were paired before an action, without those paired again since."""
        return sum(self._paired_at.get(played.number, 0) < row.revision for played in self._field.rounds)

    def _by_hand(self, row: ActionLog) -> str | None:
        """Describe the round as it is now: unpairing it, or pairing it by hand again, clears the record (Q65)."""
        found = self._by_hand_in.pop(row.round_number or 0, None)
        return line_of_round(self._field, found) if found is not None else None

    def _pair(self, row: ActionLog) -> str | None:
        game = self._games.get(row.after.get("game", 0))
        return f"{self._tpn[game.white_id]}-{self._tpn[game.black_id]}" if game else None

    def _adjournment(self, row: ActionLog) -> str | None:
        pair = self._pair(row)
        return f"{pair} {_result(row.after)}" if pair else None

    def _correction(self, row: ActionLog) -> str | None:
        pair = self._pair(row)
        if pair is None:
            return None
        if row.after.get("turned"):
            former = "-".join(reversed(pair.split("-")))
            return f"{former}: {_result(row.before)} => {pair}: {_result(row.after)}"
        return f"{pair}: {_result(row.before)} => {_result(row.after)}"

    def _numbers(self, row: ActionLog) -> str:
        return " ".join(f"{old}=>{new}" for old, new in row.after.get("numbers", ()))

    def _configuration(self, row: ActionLog) -> str:
        """Write what changed, and the reason, as the arbiter typed it."""
        changed = self._changed(row)
        return f"{changed}; reason: {row.reason}" if row.reason else changed

    def _changed(self, row: ActionLog) -> str:
        """Write the former list of tie-breaks and the new one (VCL4THP.13 Q202), or the ratings that count in them."""
        if "period_counted" in row.after:
            before = row.before.get("period_counted", "?")
            return f"rating in tie-breaks {before} => {row.after['period_counted']}"
        if "tie_breaks" not in row.after:
            return self._settings(row)
        before, after = row.before.get("tie_breaks", "?"), row.after.get("tie_breaks", "?")
        more = {
            True: ", players without an official rating are left out",
            False: ", the tournament rating counts",
        }
        return f"tie-breaks {before} => {after}{more.get(row.after.get('unrated_left_out'), '')}"

    def _settings(self, row: ActionLog) -> str:
        """Write each setting that stood, as it was and as it is, and the rounds that are wrong since (Q59, Q61)."""
        changed = [
            f"{name} {_setting(key, row.before.get(key, '?'))} => {_setting(key, row.after[key])}"
            for key, name in _SETTINGS.items()
            if key in row.after
        ]
        wrong = " ".join(map(str, row.after.get("wrong_rounds", ())))
        return ", ".join([*changed, *([f"rounds paired differently {wrong}"] if wrong else [])])

    def _departures(self, row: ActionLog) -> Iterator[str]:
        """Yield what the engine pairs => what the file has; a bye is 7=PAB.

        A round of which a kept line of the file says that it was paired by hand needs no second line.
        """
        by_hand = tuple(text for text in self._field.section.report_records if text.startswith("### MPA @"))
        for one in row.after["departures"]:
            if any(text.startswith(f"### MPA @ Round {one['round']}:") for text in by_hand):
                continue
            right, found = self._pairs(one["expected"]), self._pairs(one["found"])
            yield f"### Import @ Round {one['round']}: {right} => {found}"
        checked, paired = row.after.get("rounds_checked", 0), row.round_number or 0
        for number in range(checked + 1, paired + 1):
            yield f"### Import @ Round {number}: not checked"

    def _pairs(self, pairs: list[list[int]]) -> str:
        written = [
            f"{self._number(one)}-{self._number(other)}" if other else f"{self._number(one)}=PAB"
            for one, other in pairs[:MOST_PAIRS]
        ]
        return " ".join((*written, "...") if len(pairs) > MOST_PAIRS else written) or "none"

    def _number(self, key: int) -> int | str:
        return self._tpn.get(key) or "?"

    def _reason_or_subject(self, row: ActionLog) -> str:
        return row.reason or row.subject
