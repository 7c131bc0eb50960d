"""Words and signs for values: points, results, colours, byes, decided points, and dates that contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from base.reader import READER, date_format
from base.text import isolated
from evenboard_engine import ByeKind, Colour, Result
from evenboard_engine.preference import Preference, Strength
from evenboard_engine.words import catalogue
from tournaments.models import Event, Game
from tournaments.models.entries import BYE_LABELS
from tournaments.models.log import COMMAND, PLAYER, REGISTRATION, REHEARSAL
from tournaments.queries.decided_points import PointsDecision

# Words and signs for the engine's values: points, results, colours, byes.

SIGNS = {
    Result.WHITE_WINS: "1–0",
    Result.DRAW: "½–½",
    Result.BLACK_WINS: "0–1",
    Result.WHITE_WINS_BY_FORFEIT: "+ –",
    Result.BLACK_WINS_BY_FORFEIT: "– +",
    Result.DOUBLE_FORFEIT: "– –",
    Result.HALF_ZERO: "½–0",
    Result.ZERO_HALF: "0–½",
    Result.ZERO_ZERO: "0–0",
    Result.WHITE_WINS_UNRATED: "1–0 u",
    Result.DRAW_UNRATED: "½–½ u",
    Result.BLACK_WINS_UNRATED: "0–1 u",
}
WORDS = {
    Result.WHITE_WINS: gettext_lazy("White wins"),
    Result.DRAW: gettext_lazy("Draw"),
    Result.BLACK_WINS: gettext_lazy("Black wins"),
    Result.WHITE_WINS_BY_FORFEIT: gettext_lazy("White wins by forfeit"),
    Result.BLACK_WINS_BY_FORFEIT: gettext_lazy("Black wins by forfeit"),
    Result.DOUBLE_FORFEIT: gettext_lazy("Both forfeit"),
    Result.ADJOURNED: gettext_lazy("Adjourned"),
    Result.HALF_ZERO: gettext_lazy("Half a point for White, nothing for Black"),
    Result.ZERO_HALF: gettext_lazy("Nothing for White, half a point for Black"),
    Result.ZERO_ZERO: gettext_lazy("Both lose"),
    Result.WHITE_WINS_UNRATED: gettext_lazy("White wins, unrated (less than one move)"),
    Result.DRAW_UNRATED: gettext_lazy("Draw, unrated (less than one move)"),
    Result.BLACK_WINS_UNRATED: gettext_lazy("Black wins, unrated (less than one move)"),
}
_DUE = {
    (Colour.WHITE, Strength.ABSOLUTE): pgettext_lazy("due colour", "White, absolute"),
    (Colour.WHITE, Strength.STRONG): pgettext_lazy("due colour", "White, strong"),
    (Colour.WHITE, Strength.MILD): pgettext_lazy("due colour", "White, mild"),
    (Colour.BLACK, Strength.ABSOLUTE): pgettext_lazy("due colour", "Black, absolute"),
    (Colour.BLACK, Strength.STRONG): pgettext_lazy("due colour", "Black, strong"),
    (Colour.BLACK, Strength.MILD): pgettext_lazy("due colour", "Black, mild"),
}
"""Whole texts, because the word for the strength takes another form beside another colour in some languages."""


def points_text(tenths: int | str | None) -> str:
    """Return points in tenths as people write them: 45 is 4½, 5 is ½, 33 is 3.3. None and "" give nothing."""
    return "" if tenths is None or tenths == "" else catalogue.points_text(int(tenths))


def result_sign(result: Result) -> str:
    """Return the sign of a result for lists: 1–0, ½–½, + –. A small u marks a game that is not sent for rating."""
    if result is Result.ADJOURNED:
        return pgettext("short for adjourned", "adj.")
    return SIGNS[result]


def result_words(result: Result) -> str:
    """Return a result in words: White wins, Draw, Black wins by forfeit."""
    return str(WORDS[result])


def colour_word(colour: Colour) -> str:
    """Return White or Black."""
    return _("White") if colour is Colour.WHITE else _("Black")


def due_words(preference: Preference) -> str:
    """Return a due colour with its strength, if it has one: White, absolute."""
    return str(_DUE.get((preference.colour, preference.strength)) or colour_word(preference.colour))


def bye_words(kind: ByeKind | str, *, free: bool = False) -> str:
    """Return the kind of a bye in words: half-point bye, pairing-allocated bye ...

    free: the rounds are fixed, so a player without an opponent is free by the table.
    """
    if free and kind == ByeKind.ALLOCATED:
        return _("free")
    return str(BYE_LABELS[ByeKind(kind)])


class Logged(Protocol):
    """A row of a log, as far as it says who acted."""

    @property
    def who(self) -> str: ...

    @property
    def origin(self) -> str: ...


def actor_words(row: Logged) -> str:
    """Return who acted: the name of a person, or words for a command without a person."""
    return name_words(row.who, row.origin)


def name_words(who: str, origin: str = COMMAND) -> str:
    """Return the name of a person, or words for a command without a person."""
    if who == origin == REGISTRATION:
        return _("By registration")
    if who == origin == PLAYER:
        return _("A player, by phone")
    if who == origin == REHEARSAL:
        return _("The clock of the rehearsal")
    return _("Command on the server") if who == origin == COMMAND else who


def reader_words(label: str, reading: str | None, pressed: str | None) -> str:
    """Return who entered a result or verified it: the name of a person, or both players; "" if nobody knows.

    pressed: what both players pressed on their phones.
    """
    return label or (_("Both players") if reading and reading == pressed else "")


def disputed_words(game: Game) -> str:
    """Return the different results that the players of a game pressed on their phones."""
    return _("White pressed %(white)s, Black pressed %(black)s.") % {
        "white": result_sign(Result(game.white_pressed)),
        "black": result_sign(Result(game.black_pressed)),
    }


def command_words() -> str:
    """Return what pages show for commands: as the one who acted, and as the place where a person acted."""
    return " ".join((_("Command on the server"), _("a command on the server")))


def origin_words(row: Logged) -> str:
    """Return where a person acted: the address of the browser, or words for a command. "" if `actor_words` says it."""
    if row.origin in (PLAYER, REGISTRATION, REHEARSAL):
        return ""
    if row.origin != COMMAND:
        return row.origin
    return "" if row.who == COMMAND else _("a command on the server")


# Points by decision of the arbiter in words.


def decision_sentence(decision: PointsDecision) -> str:
    """Return what the arbiter decided on the points of a player."""
    values = {
        "player": isolated(decision.name),
        "points": READER.points(abs(decision.points)),
        "round": decision.round,
    }
    if decision.of_result:
        text = _("%(player)s: the result of round %(round)s counts %(points)s, by decision of the arbiter.")
    elif decision.round and decision.points > 0:
        text = _("%(player)s: %(points)s added after round %(round)s, by decision of the arbiter.")
    elif decision.round:
        text = _("%(player)s: %(points)s taken away after round %(round)s, by decision of the arbiter.")
    elif decision.points > 0:
        text = _("%(player)s: %(points)s added before round 1, by decision of the arbiter.")
    else:
        text = _("%(player)s: %(points)s taken away before round 1, by decision of the arbiter.")
    return text % values


# Dates of an event and of its rounds that contradict each other, in words.


def dates_differ(event: Event, days: Iterable[date | None]) -> str:
    """Return the warning if a round is outside the dates of the event, "" otherwise. days: of the rounds."""
    known = [day for day in days if day]
    if all(map(event.includes, known)):
        return ""
    return _(
        "The rounds are %(rounds)s, but the event is %(event)s. The report of the section has dates that "
        "include all rounds (042, 052)."
    ) % {"rounds": _period(min(known), max(known)), "event": _period(event.start, event.end)}


def past_end(event: Event, days: Sequence[date | None]) -> str:
    """Return the warning that rounds begin after the last day of the event, with how many rounds a day would end in
    time; "" if none does. days: of all rounds, in order.
    """
    late = next(((number, day) for number, day in enumerate(days, 1) if day and day > event.end), None)
    if late is None:
        return ""
    first = next(day for day in days if day)
    about = {"number": late[0], "day": date_format(late[1], "j M"), "last": date_format(event.end, "j M")}
    if first > event.end:
        return _("Round %(number)s begins on %(day)s, after the last day of the event, %(last)s.") % about
    return _(
        "Round %(number)s begins on %(day)s, after the last day of the event, %(last)s. To end in time, play %(count)s "
        "rounds a day: type %(count)s times."
    ) % {**about, "count": -(-len(days) // ((event.end - first).days + 1))}


def _period(first: date, last: date) -> str:
    days = {"first": date_format(first, "j M Y"), "last": date_format(last, "j M Y")}
    return (_("on %(first)s") if first == last else _("from %(first)s to %(last)s")) % days


# States of players in the list of entries.

ENTRY_STATES = {
    "active": gettext_lazy("Playing"),
    "here": gettext_lazy("Checked in"),
    "bye": gettext_lazy("Bye"),
    "withdrawn": gettext_lazy("Withdrawn"),
    "expelled": gettext_lazy("Expelled"),
    "no-id": gettext_lazy("No FIDE ID"),
}
"""States of players that the list can show alone (`EntryList.in_state`)."""
