"""Answer a form that is out of date: show both values and a choice, or say who has done what since."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import QuerySet
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from base.reader import date_format
from tournaments.declarations import Kind, names_with
from tournaments.errors import DomainError, Stale
from tournaments.models import ActionLog, Section
from tournaments.queries.log import last_log_rows, last_writer
from web.forms.seen import SeenForm
from web.words.log_sentences import sentence_of
from web.words.refusals import explain
from web.words.values import actor_words

OF_BOARDS = names_with(Kind.RESULT)
"""Actions after which the page of a round is not out of date."""

Form = TypeVar("Form", bound=SeenForm)


def ask(form: Form, error: Stale, fresh: Form, rows: QuerySet[ActionLog], *names: str) -> Form:
    """Return the form to show. fresh: the form with the current values. rows: of the log, to find who wrote them.

    names: the names of the values in the log, if they differ from the names of the fields.
    """
    theirs = error.params["theirs"]
    assert isinstance(theirs, dict)  # as CODES has it
    return form.ask(theirs, last_writer(rows, names or tuple(theirs)), fresh)


def why_not(section: Section, error: DomainError) -> str:
    """Say why an action was refused; if the page was out of date, also who has done what since."""
    sentence = explain(error)
    if error.code not in ("stale_version", "stale_round", "stale"):
        return sentence
    since = [
        _("%(who)s at %(time)s: %(action)s.")
        % {"who": actor_words(row), "time": date_format(localtime(row.at), "H:i"), "action": sentence_of(row)}
        for row in last_log_rows(section, 1, without=OF_BOARDS)
    ]
    return " ".join([sentence, *since])
