"""Say each row of the log as a sentence: what was done, and what changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from pairing.engine import ByeKind, Colour, Result
from tournaments.log_seal import shown
from tournaments.queries.log import LogRow
from tournaments.web.absence_words import say_absences, say_all_here, say_late
from tournaments.web.copy_words import Brought, say_marks
from tournaments.web.hall_words import say_countdown, say_message
from tournaments.web.log_values import (
    LONGEST_LIST,
    STRANGE,
    in_order,
    is_setting,
    name_of,
    numbers,
    say_value,
)
from tournaments.web.undo_words import say_back, say_restored, say_undo
from tournaments.web.words import bye_words, colour_word, result_sign


@dataclass(frozen=True, slots=True)
class Value:
    """A value that changed; "" before or after means nothing."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Change:
    """A row in words. values: what changed, if the sentence does not say it all."""

    at: datetime
    who: str
    origin: str
    sentence: str
    values: tuple[Value, ...]
    reason: str
    integrity: str
    revision: int
    undone_by: int | None = None
    undone_who: str = ""
    undoable: bool = False
    details: tuple[Value, ...] = ()
    brought: Brought | None = None
    seal: str = ""


def say_row(row: LogRow) -> Change:
    """Return the row in words. An action without a sentence is shown by its name."""
    return Change(
        at=row.at,
        who=row.who,
        origin=row.origin,
        sentence=sentence_of(row),
        values=_values(row) if row.action in TELL_VALUES else (),
        reason=row.reason,
        integrity=row.integrity_label,
        revision=row.revision,
        undone_by=row.undone_by,
        undone_who=row.undone_who,
        undoable=row.undoable,
        details=_details(row),
        brought=say_marks(row.brought),
        seal=shown(row.seal),
    )


def sentence_of(row: LogRow) -> str:
    """Return the sentence of a row, or the name of its action if it has no sentence or if its values do not fit."""
    say = SENTENCES.get(row.action)
    if say:
        with suppress(*STRANGE):
            return say(row)
    return row.action.replace("_", " ").capitalize()


Say = Callable[[LogRow], str]
TELL_VALUES = frozenset(
    {"edit_participant", "edit_player", "edit_tournament", "create_tournament", "set_round_starts"}
)
KEYS = frozenset({
    "participant", "game", "changed", "revision", "actions", "board", "turned", "move", "round", "version", "ranks",
})  # fmt: skip
"""Values that the details leave out: keys of rows, and what the sentence says (board, round, kind of move)."""


def _values(row: LogRow) -> tuple[Value, ...]:
    before, after = _mapping(row.before), _mapping(row.after)
    return tuple(
        Value(name_of(name), say_value(name, before.get(name)), say_value(name, after.get(name)))
        for name in in_order({**before, **after})
        if is_setting(name)
    )


def _details(row: LogRow) -> tuple[Value, ...]:
    """Return all values that the log keeps, except those that are nothing before and after."""
    before, after = _mapping(row.before), _mapping(row.after)
    hidden = KEYS if row.back_to is None else {*before, *after}  # the sentence about going back says it all
    said = (
        Value(
            name_of(name),
            say_value(name, before.get(name), people=row.people, of=before),
            say_value(name, after.get(name), people=row.people, of=after),
        )
        for name in in_order({**before, **after})
        if name not in hidden
    )
    return tuple(value for value in said if value.before or value.after)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _result(value: Any) -> str:
    # a list, because the log of a copy may hold a mapping, and no set can look that up
    return result_sign(Result(value)) if value in list(Result) else ""


def _record(row: LogRow) -> str:
    before, after = _result(_mapping(row.before).get("result")), _result(_mapping(row.after).get("result"))
    game = row.subject.replace(" - ", " – ")
    about = {"round": row.round_number, "game": game, "before": before, "after": after}
    if not after:
        return _("Round %(round)s, board %(game)s: %(before)s cleared") % about
    if before:
        return _("Round %(round)s, board %(game)s: %(before)s changed to %(after)s") % about
    return _("Round %(round)s, board %(game)s: %(after)s") % about


def _confirm(row: LogRow) -> str:
    after = _mapping(row.after)
    stands, read = _result(after.get("result")), _result(after.get("second_result"))
    about = {
        "round": row.round_number,
        "game": row.subject.replace(" - ", " – "),
        "stands": stands,
        "read": read,
    }
    if not read:
        return _("Round %(round)s, board %(game)s: second result removed") % about
    if read == stands:
        return _("Round %(round)s, board %(game)s: %(stands)s verified") % about
    return (
        _("Round %(round)s, board %(game)s: typed again as %(read)s, but %(stands)s had been entered") % about
    )


def _over(row: LogRow) -> str:
    about = {"round": row.round_number, "game": row.subject.replace(" - ", " – ")}
    if _mapping(row.after).get("over"):
        return _("Round %(round)s, board %(game)s: ended, no slip yet") % about
    return _("Round %(round)s, board %(game)s: mark “ended, no slip yet” removed") % about


def _draw(row: LogRow) -> str:
    after = _mapping(row.after)
    colour = colour_word(Colour(after["initial_colour"])) if after.get("initial_colour") else ""
    if after.get("by_lot"):
        return _("Initial-colour drawn by lot: %(colour)s") % {"colour": colour}
    return _("Initial-colour set: %(colour)s") % {"colour": colour}


def _bye(sentence: str, side: str) -> Say:
    def say(row: LogRow) -> str:
        told = _mapping(getattr(row, side))
        kind = told.get("kind")
        said = bye_words(kind) if kind in list(ByeKind) else _("bye")
        return str(sentence) % {"player": row.subject, "bye": said, "round": row.round_number}

    return say


def _pairing(row: LogRow) -> str:
    pairs = len(_mapping(row.after).get("pairs", ()))
    return ngettext(
        "Round %(round)s paired: %(count)s board", "Round %(round)s paired: %(count)s boards", pairs
    ) % {"round": row.round_number, "count": pairs}


def _correction(row: LogRow) -> str:
    after = _mapping(row.after)
    about = {
        "round": row.round_number,
        "game": row.subject.replace(" - ", " – "),
        "before": _result(_mapping(row.before).get("result")),
        "after": _result(after.get("result")),
    }
    if row.action == "correct_for_rating":
        return (
            _("Round %(round)s, board %(game)s: %(before)s corrected to %(after)s, for rating only") % about
        )
    if after.get("turned"):
        return _("Round %(round)s, board %(game)s: colours turned, %(before)s corrected to %(after)s") % about
    return _("Round %(round)s, board %(game)s: %(before)s corrected to %(after)s") % about


MOVES = {
    "swap": gettext_lazy("Round %(round)s by hand: places of %(subject)s exchanged"),
    "pair": gettext_lazy("Round %(round)s by hand: new pair of %(subject)s"),
    "unpair": gettext_lazy("Round %(round)s by hand: %(subject)s unpaired"),
    "colours": gettext_lazy("Round %(round)s by hand: colours exchanged for %(subject)s"),
    "bye": gettext_lazy("Round %(round)s by hand: bye for %(subject)s"),
    "half": gettext_lazy("Round %(round)s by hand: half-point bye for %(subject)s"),
    "zero": gettext_lazy("Round %(round)s by hand: zero-point bye for %(subject)s"),
    "engine": gettext_lazy("Round %(round)s by hand: all pairs by the rules again"),
}


def _by_hand(row: LogRow) -> str:
    after = _mapping(row.after)
    about = {"round": row.round_number, "subject": row.subject}
    move = after.get("move", "swap")
    if move == "swap" and len(_mapping(row.before).get("pool", ())) == 2:
        move = "pair"  # neither of the two was paired
    said = str(MOVES[move]) % about
    boards = [f"{board}: {white}–{black}" for board, white, black in after.get("boards", ())[:LONGEST_LIST]]
    return f"{said} ({', '.join(boards)})" if boards and len(after["boards"]) <= LONGEST_LIST else said


def _end_by_hand(row: LogRow) -> str:
    if row.integrity:
        return _("Round %(round)s: pairing by hand ended, different from the pairing by the rules") % {
            "round": row.round_number
        }
    return _("Round %(round)s: pairing by hand ended, same as the pairing by the rules") % {
        "round": row.round_number
    }


def _import(row: LogRow) -> str:
    after = _mapping(row.after)
    about = {
        "added": len(after.get("added", ())),
        "changed": len(after.get("changed", ())),
        "file": row.subject or _("a list"),
    }
    return _("Entries imported from %(file)s: %(added)s added, %(changed)s changed") % about


def _import_report(row: LogRow) -> str:
    taken = _mapping(_mapping(row.after).get("event"))
    said = _("Section imported from the report file %(file)s") % {"file": row.subject}
    if not taken:
        return said
    values = "; ".join(", ".join(str(text).splitlines()) for text in taken.values())
    return _("%(said)s. Added to the event: %(values)s") % {"said": said, "values": values}


def _about(sentence: str) -> Say:
    """Return a function for a sentence that needs only the subject and the round."""
    return lambda row: str(sentence) % {"subject": row.subject, "round": row.round_number}


def _loaded(row: LogRow) -> str:
    sentence = LOADED.get(_mapping(row.after).get("origin", ""), LOADED[""])
    return str(sentence) % {"subject": row.subject}


LOADED = {
    "": gettext_lazy("Section loaded from the copy %(subject)s"),
    "own": gettext_lazy("Section loaded from the copy %(subject)s of the same server"),
    "changed": gettext_lazy("Section loaded from the copy %(subject)s, which was changed after it was made"),
    "other": gettext_lazy("Section loaded from the copy %(subject)s of another server"),
    "unsealed": gettext_lazy("Section loaded from the copy %(subject)s, which has no seal"),
}


def _equals(row: LogRow) -> str:
    moved = numbers(_mapping(row.after).get("numbers", ()))
    return _("Players with rating %(rating)s renumbered: %(numbers)s") % {
        "rating": row.subject,
        "numbers": moved,
    }


def _checked(row: LogRow) -> str:
    after = _mapping(row.after)
    if after.get("same"):
        return _("Round %(round)s checked: same as the pairing by the rules") % {"round": row.round_number}
    return _("Round %(round)s checked: different from the pairing by the rules") % {"round": row.round_number}


SENTENCES: dict[str, Say] = {
    "create_tournament": _about(gettext_lazy("%(subject)s created")),
    "edit_tournament": _about(gettext_lazy("Settings changed")),
    "set_round_starts": _about(gettext_lazy("Dates of the rounds changed")),
    "set_countdown": say_countdown,
    "set_hall_message": say_message,
    "close_tournament": _about(gettext_lazy("Section closed after round %(round)s")),
    "reopen_tournament": _about(gettext_lazy("Section reopened")),
    "take_section_away": _about(gettext_lazy("%(subject)s hidden")),
    "bring_section_back": _about(gettext_lazy("%(subject)s shown again")),
    "leave_fide_mode": _about(gettext_lazy("Section left FIDE mode in round %(round)s")),
    "add_participant": _about(gettext_lazy("%(subject)s entered")),
    "edit_participant": _about(gettext_lazy("Entry of %(subject)s changed")),
    "edit_player": _about(gettext_lazy("%(subject)s was changed in another section of the event")),
    "withdraw_participant": _about(gettext_lazy("%(subject)s withdrawn")),
    "expel_participant": _about(gettext_lazy("%(subject)s expelled")),
    "settle_absences": say_absences,
    "check_in_all": say_all_here,
    "late_check_in": say_late,
    "open_check_in": _about(gettext_lazy("Round %(round)s: check-in opened")),
    "close_check_in": _about(gettext_lazy("Round %(round)s: check-in closed")),
    "check_in": _about(gettext_lazy("Round %(round)s: %(subject)s checked in")),
    "take_back_check_in": _about(gettext_lazy("Round %(round)s: check-in of %(subject)s removed")),
    "check_round": _checked,
    "readmit_participant": _about(gettext_lazy("%(subject)s plays again")),
    "remove_participant": _about(gettext_lazy("Entry of %(subject)s removed")),
    "allow_half_byes": _about(gettext_lazy("Right to half-point byes of %(subject)s changed")),
    "order_equals": _equals,
    "import_entries": _import,
    "import_report": _import_report,
    "request_bye": _bye(gettext_lazy("Round %(round)s: %(bye)s for %(player)s"), "after"),
    "cancel_bye": _bye(gettext_lazy("Round %(round)s: %(bye)s for %(player)s cancelled"), "before"),
    "record_result": _record,
    "confirm_result": _confirm,
    "mark_over": _over,
    "draw_initial_colour": _draw,
    "pair_next_round": _pairing,
    "publish_round": _about(gettext_lazy("Round %(round)s published")),
    "unpublish_round": _about(gettext_lazy("Round %(round)s unpublished")),
    "forbid_pair": _about(gettext_lazy("%(subject)s must not meet")),
    "change_forbidden_pair": _about(gettext_lazy("Rounds of the forbidden pair %(subject)s changed")),
    "allow_pair": _about(gettext_lazy("%(subject)s may meet again")),
    "correct_result": _correction,
    "correct_for_rating": _correction,
    "start_by_hand": _about(
        gettext_lazy("Round %(round)s: pairing by hand started, because the rules allow no pairing")
    ),
    "begin_manual_phase": _about(gettext_lazy("Round %(round)s: pairing by hand started")),
    "change_by_hand": _by_hand,
    "end_manual_phase": _end_by_hand,
    "unpair_round": _about(gettext_lazy("Round %(round)s unpaired")),
    "undo": lambda row: say_undo(row, sentence_of),
    "undo_since": say_back,
    "restore_before_round": say_restored,
    "backup_failed": _about(
        gettext_lazy("No copy of the section could be written after round %(round)s was published")
    ),
    "load_copy": _loaded,
}
