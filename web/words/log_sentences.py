"""Titles of actions, and the sentences of their rows in the log, from the declarations of the actions.

The words are in `tournaments.declarations`. Here the values of a row are written as people write them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Any

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from base.reader import READER, date_format
from base.text import isolated
from evenboard_engine import ByeKind, Colour, Result
from tournaments.declarations import ACTIONS, SITE_ACTIONS
from tournaments.declarations.declaration import Action, Form, Part, Row, Sentence, value_at
from tournaments.models import EventMakers, EventRole
from web.words.absences import settled_sentences
from web.words.log_values import STRANGE, moment, numbers
from web.words.values import bye_words, colour_word, result_sign


def title_of(action: str) -> str:
    """Return the title of an action; its name if it has no declaration, as in a copy from elsewhere."""
    return str(ACTIONS[action].title) if action in ACTIONS else _plain(action)


def sentence_of(row: Row) -> str:
    """Return the sentence of a row in the log of a section or of an event.

    It is the name of the action if it has no declaration, or if its values have another shape: the log of a copy from
    elsewhere may hold anything.
    """
    return _sentence(ACTIONS.get(row.action), row)


def site_sentence_of(row: Row) -> str:
    """Return the same for a row in the log of the site."""
    return _sentence(SITE_ACTIONS.get(row.action), row)


def _sentence(action: Action | None, row: Row) -> str:
    if action is not None:
        with suppress(*STRANGE):
            return _fill(action.sentence, row)
    return _plain(row.action).capitalize()


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _fill(sentence: Sentence, row: Row) -> str:
    text = sentence.text_of(row)
    return str(text.words % {name: _value(part, row) for name, part in text.parts.items()})


def _value(part: Part | Sentence, row: Row) -> str | int:
    if isinstance(part, Sentence):
        return _fill(part, row)
    return FORMS[part.form](*(value_at(row, path) for path in part.paths))


def _text(value: Any) -> str:
    return "" if value is None else isolated(str(value))


def _count(value: Any) -> int:
    return len(value) if isinstance(value, list | tuple) else int(value or 0)


def _game(subject: str) -> str:
    return " – ".join(map(isolated, subject.split(" - ")))


def _result(value: Any) -> str:
    # a list, because the log of a copy may hold a mapping, and no set can look that up
    return result_sign(Result(value)) if value in list(Result) else ""


def _points(tenths: Any) -> str:
    return READER.points(abs(tenths)) if isinstance(tenths, int) else _text(tenths)


def _colour(value: Any) -> str:
    return colour_word(Colour(value)) if value else ""


def _bye(kind: Any) -> str:
    return bye_words(kind) if kind in list(ByeKind) else _("bye")


def _clock(value: str | None) -> str:
    return date_format(localtime(datetime.fromisoformat(value)), "H:i") if value else ""


def _lines(values: Mapping[str, Any]) -> str:
    return READER.listed(
        (READER.listed(str(text).splitlines(), "comma") for text in values.values()), "semicolon"
    )


def _role(given: Any) -> str:
    """Return one role with its limits, or several."""
    if not isinstance(given, Mapping):
        return _role_name(given)
    role = given.get("role", "")
    if isinstance(role, list):
        return READER.listed(map(_role_name, role), "comma")
    limits = list(map(isolated, given.get("sections") or ()))
    if given.get("own_boards"):
        limits.append(_("boards %(boards)s") % {"boards": given["own_boards"]})
    if given.get("until"):
        limits.append(_("until %(day)s") % {"day": _day(given["until"])})
    if not limits:
        return _role_name(role)
    return _("%(role)s (%(limits)s)") % {"role": _role_name(role), "limits": READER.listed(limits, "comma")}


def _role_name(role: Any) -> str:
    return str(EventRole.Role(role).label) if role in EventRole.Role.values else _text(role)


def _day(text: str) -> str:
    return date_format(date.fromisoformat(text), "j M Y")


def _absences(
    byes: Sequence[tuple[int | None, str]] | None, withdrawn: Sequence[int | None] | None, subject: str
) -> str:
    byes, withdrawn, names = byes or (), withdrawn or (), list(map(isolated, subject.split("; ")))
    if len(names) < len(byes) + len(withdrawn):  # the log cuts a long subject, perhaps inside the last name
        names.pop()
    return settled_sentences(byes, withdrawn, names)


GIVEN = {
    "site_owner": gettext_lazy("became site owner"),
    "makes_events": gettext_lazy("may make events"),
    "makes_logins": gettext_lazy("may make logins"),
    "keeps_lists": gettext_lazy("may keep the rating lists"),
}
TAKEN = {
    "site_owner": gettext_lazy("is no longer site owner"),
    "makes_events": gettext_lazy("may no longer make events"),
    "makes_logins": gettext_lazy("may no longer make logins"),
    "keeps_lists": gettext_lazy("may no longer keep the rating lists"),
}


def _rights(changed: Mapping[str, bool]) -> str:
    return READER.listed(
        ((GIVEN if given else TAKEN)[name] for name, given in sorted(changed.items())), "comma"
    )


def _site_settings(changed: Mapping[str, Any]) -> str:
    return READER.listed((_site_setting(name, value) for name, value in sorted(changed.items())), "semicolon")


def _site_setting(name: str, value: Any) -> str:
    if name == "events_by":
        return _("Events are made by %(who)s") % {"who": EventMakers(value).label}
    return _("Open registration switched on") if value else _("Open registration switched off")


FORMS: Mapping[Form, Callable[..., str | int]] = {
    Form.TEXT: _text,
    Form.COUNT: _count,
    Form.GAME: _game,
    Form.RESULT: _result,
    Form.POINTS: _points,
    Form.COLOUR: _colour,
    Form.BYE: _bye,
    Form.NUMBERS: lambda moved: numbers(moved or ()),
    Form.ROUNDS: lambda rounds: READER.listed(rounds or (), "comma"),
    Form.BOARDS: lambda boards: READER.listed(
        (f"{board}: {white}–{black}" for board, white, black in boards), "comma"
    ),
    Form.FILE: lambda subject: subject or _("a list"),
    Form.LINES: _lines,
    Form.CLOCK: _clock,
    Form.MOMENT: moment,
    Form.PERSON: lambda name: isolated(name) if name else _("somebody"),
    Form.ROLE: _role,
    Form.ABSENCES: _absences,
    Form.RIGHTS: _rights,
    Form.SITE_SETTINGS: _site_settings,
    Form.SENTENCE: sentence_of,
}
