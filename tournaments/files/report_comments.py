"""Events that affect the integrity of the pairings, as comment lines of the report file (VCL4THP.13 Q112, Q113).

The lines have the pairing numbers of today: after a regeneration the old number would name another player. Only the
lines about regenerations and exchanges have the numbers of their day, so that a reader can follow them back.

Lines of an imported file and lines that the section writes itself have one order, so that a file stays the same when
it is imported and written again. A round paired by hand has the engine's pairs => those of the arbiter: `19-7 44=PAB
=> 19-44 7=PAB`. Ratings that were used for earlier rounds and edited since come from the log, where each row about an
entry has its rating before and after.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from operator import itemgetter
from typing import Any

from django.db.models import Q

from evenboard_engine import ByeKind, Result, system_named
from evenboard_engine.trf import (
    DecidedLater,
    EarlierResult,
    Leaver,
    RatingCorrection,
    apart_line,
    asked_later_line,
    left_out_line,
    rating_lines,
    start_position_lines,
    typed_line,
)
from evenboard_engine.trf.file_warnings import BEGAN
from tournaments.declarations import ActionKind, names_of, names_with
from tournaments.declarations.entries import (
    ADD_PARTICIPANT,
    EDIT_PARTICIPANT,
    IMPORT_ENTRIES,
    REMOVE_PARTICIPANT,
)
from tournaments.declarations.sections import CLOSE_SECTION, REOPEN_SECTION, SET_RATING_METHOD
from tournaments.models import ActionLog, Bye, Game, Integrity, Participant, Round, Section
from tournaments.queries.by_hand import HandComparison
from tournaments.queries.field import SectionField
from tournaments.queries.forbidden_pairs import kept_groups
from tournaments.queries.log import undone_in

# The order of the comment lines of a report file.
#
# Lines of an imported file and lines that the section writes itself have one order, so that a file stays the
# same when it is imported and written again.

_EVENTS = "|".join(
    [
        *("MPA", "Import", "Configuration", "Correction", "Adjournment", "Regeneration", "Exchange"),
        *("FIDE mode exited", "Closed early", "Reopening"),
    ]
)
_KINDS = tuple(
    re.compile(f"### {begin}").match
    for begin in (
        rf"({_EVENTS}) @ Round ",
        "FPB @ Round ",
        "Rating correction @ Round ",
        "Earlier result @ Round ",
        "Earlier ratings @ Round ",
        "Half-point byes asked later @ Round ",
        "Points @ Round ",
        "(Expulsion|Withdrawal) @ Round ",
        "Tie-break ",
        "Left out of rating tie-breaks:",
        "(Rating periods:|Period ratings @ Round |Rating in tie-breaks:)",
        "Chess960",
        "Apart if possible @ Rounds ",
    )
)
"""What a section writes, in this order. Lines of one kind are in the order in which they came."""


def comment_kind(text: str) -> int | None:
    """Return the place of a line's kind; None for a line that no section writes."""
    return next((at for at, begins in enumerate(_KINDS) if begins(text)), None)


def comments_in_order(lines: Iterable[str]) -> tuple[str, ...]:
    """Return lines that a section writes, kind by kind."""
    return tuple(sorted(lines, key=lambda text: comment_kind(text) or 0))


# The comment on a round paired by hand: the engine's pairs => those of the arbiter, `19-7 44=PAB => 19-44
# 7=PAB`.

MOST_CHANGED_PAIRS = 2_000
"""Pairs on either side, so that readers accept the length of the line."""

NO_ROUND = "none"
"""In place of the engine's pairs where no legal round exists."""

Pairs = Iterable[tuple[int, int]]


def line_of_round(field: SectionField, row: Round) -> str:
    """Return the line of a round that pairing by hand has left, with the pairing numbers of today. No query."""
    engine: Mapping[str, Any] = row.engine_pairing
    games = [game.as_of(row.number) for game in field.games if game.round_id == row.pk]
    byes = [
        bye.participant_id
        for bye in field.byes
        if bye.round_number == row.number and bye.source == Bye.Source.ALLOCATED
    ]
    return _line(
        _numbers(field),
        theirs=([(white, black) for white, black in engine.get("pairs", ())], engine.get("bye")),
        mine=([(game.white_id, game.black_id) for game in games], byes[0] if byes else None),
    )


def line_of_comparison(compared: HandComparison) -> str:
    """Return the line that the report file would have if pairing by hand ended now."""
    mine, theirs = compared.bye
    return _line(
        _numbers(compared.position.field), theirs=(compared.engines, theirs), mine=(compared.mine, mine)
    )


def _numbers(field: SectionField) -> dict[int, int | None]:
    return {key: entry.tpn for key, entry in field.participants.items()}


def _line(
    tpn: Mapping[int, int | None], *, theirs: tuple[Pairs, int | None], mine: tuple[Pairs, int | None]
) -> str:
    """Return both sides without what they share: pairs, White first, in the order of White's numbers, then the bye.

    The order is not that of the boards: they get new numbers at the end of pairing by hand, after the line was shown.
    """
    sides = []
    for (pairs, bye), (other_pairs, other_bye) in ((theirs, mine), (mine, theirs)):
        others = set(other_pairs)
        alone = [(tpn[white] or 0, tpn[black]) for white, black in pairs if (white, black) not in others]
        words = [f"{white}-{black}" for white, black in sorted(alone, key=itemgetter(0))]
        if bye is not None and bye != other_bye:
            words.append(f"{tpn[bye]}=PAB")
        sides.append(" ".join(words[:MOST_CHANGED_PAIRS]) or NO_ROUND)
    return " => ".join(sides)


# Half-point byes that players asked for after earlier rounds were paired, as comment lines of the report
# file.


def asked_later_lines(
    field: SectionField, byes: Iterable[Bye], paired: Mapping[int, datetime]
) -> Iterator[str]:
    """Yield the lines, by round. paired: when each round was paired; a round of an imported file is not there.

    Only for a pairing system that looks at byes of later rounds.
    """
    if not system_named(field.section.system).looks_ahead:
        return
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for bye in byes:
        before = [at for at, when in paired.items() if at < bye.round_number and when < bye.created_at]
        if bye.kind == ByeKind.HALF and before:
            found[max(before)].append((field.participants[bye.participant_id].tpn or 0, bye.round_number))
    for number, requests in sorted(found.items()):
        yield asked_later_line(number, requests)


# Ratings that were used for earlier rounds and edited since, as comment lines of the report file.
#
# The log has them: each row about an entry has its rating before and after.

_ENTERS = names_of((ADD_PARTICIPANT, EDIT_PARTICIPANT, IMPORT_ENTRIES, REMOVE_PARTICIPANT, SET_RATING_METHOD))


def rates() -> Q:
    """Return the condition for rows of the log that may change ratings, or undo such a change."""
    return Q(action__in=_ENTERS) | Q(undoes__isnull=False) | Q(back_to__isnull=False)


def earlier_rating_lines(
    field: SectionField, rows: Iterable[ActionLog], paired_at: Mapping[int, int]
) -> Iterator[str]:
    """Yield the lines, by round. rows: of the log, oldest first, at least those of `rates`.

    paired_at: the revision of the action that paired each round. A round of an imported file has none: it has the
    ratings of the import, or those of the comments that are kept with it. Fixed rounds were paired without ratings, and
    a substitute there has the number of somebody else: no line.
    """
    if field.section.fixed_rounds:
        return
    history = _Ratings(rows)
    later = {key: entry.rating for key, entry in field.participants.items()}
    lines: list[tuple[str, ...]] = []
    for played in reversed(field.rounds):
        then = {
            key: history.at(key, paired_at.get(played.number, 0), now=entry.rating)
            for key, entry in field.participants.items()
        }
        found = {
            field.participants[key].tpn or 0: rating
            for key, rating in then.items()
            if rating is not None and rating != later[key]
        }
        later = {key: rating or later[key] for key, rating in then.items()}
        lines.append(tuple(rating_lines(found, played.number)))
    for of_round in reversed(lines):
        yield from of_round


class _Ratings:
    """The ratings of the entries at any revision of the section."""

    def __init__(self, rows: Iterable[ActionLog]) -> None:
        self._steps: dict[int, list[tuple[int, int | None, int | None]]] = defaultdict(list)
        self._back: dict[int, int] = {}
        for row in rows:
            before, after = _ratings(row.before), _ratings(row.after)
            for key in {**before, **after}:
                self._steps[key].append((row.revision, before.get(key), after.get(key)))
            if row.back_to is not None:
                self._back[row.revision] = row.back_to
            elif row.undoes in self._back:
                self._back[row.revision] = row.undoes - 1

    def at(self, key: int, revision: int, *, now: int) -> int | None:
        """Return the rating of an entry after an action; None before it was entered. now: if the log has no change."""
        steps = self._steps.get(key, [])
        if not steps:
            return now
        while True:
            earlier = [step for step in steps if step[0] <= revision]
            last = earlier[-1][0] if earlier else -1
            back = max((at for at in self._back if last < at <= revision), default=None)
            if back is None:
                return earlier[-1][2] if earlier else steps[0][1]
            revision = self._back[back]


def _ratings(values: Any) -> dict[int, int]:
    """Return the ratings in one side of a row, by participant. The log of a copy from elsewhere may hold anything."""
    content = values if isinstance(values, dict) else {}
    entries = [[content.get("participant"), content], *(content.get("entries") or ())]
    return {
        entry[0]: entry[1]["rating"]
        for entry in entries
        if isinstance(entry[0], int)
        and isinstance(entry[1], dict)
        and isinstance(entry[1].get("rating"), int)
    }


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
_PAIRS_A_ROUND = names_with(ActionKind.PAIRING)
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
        *_apart_if_possible(field),
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


def _apart_if_possible(field: SectionField) -> Iterator[str]:
    """Yield a line for each group that rounds to come keep apart as far as possible."""
    rounds: dict[tuple[int, ...], set[int]] = defaultdict(set)
    for number in range(field.before_round, field.section.rounds + 1):
        for group in kept_groups(field, number):
            if not group.strict:
                rounds[group.players].add(number)
    for players, numbers in rounds.items():
        for first, last in spans(numbers):
            yield apart_line(first, last, (field.participants[key].tpn or 0 for key in players))


def spans(numbers: Collection[int]) -> list[tuple[int, int]]:
    """Return the first and the last of each run of numbers that follow one another."""
    starts = sorted(number for number in numbers if number - 1 not in numbers)
    ends = sorted(number for number in numbers if number + 1 not in numbers)
    return list(zip(starts, ends, strict=True))


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
        if older := row.after.get("older_edition"):
            edition = self._field.section.all_options["edition"]
            line = f"{BEGAN}{older}, checked by the edition of {edition}"
            if line not in self._field.section.report_records:
                yield line
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
