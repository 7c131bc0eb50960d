"""The answer to a form that somebody else has overtaken: both values and a choice, or who has done what since."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.errors import DomainError, Stale
from tournaments.models import ActionLog, Tournament
from tournaments.queries.log import last_log_rows, last_writer
from tournaments.web.forms.seen import SeenForm
from tournaments.web.log_words import sentence_of
from tournaments.web.messages import explain

OF_BOARDS = ("record_result", "confirm_result", "mark_over")
"""Actions that make no page of a round old."""

Form = TypeVar("Form", bound=SeenForm)


def ask(form: Form, error: Stale, fresh: Form, rows: QuerySet[ActionLog], *names: str) -> Form:
    """The form to show. fresh: with what stands now. rows: of the log, which say who wrote it.

    names: under which the rows have it, where they are not those of the fields.
    """
    theirs = error.params["theirs"]
    assert isinstance(theirs, dict)  # as CODES has it
    return form.ask(theirs, last_writer(rows, names or tuple(theirs)), fresh)


def why_not(tournament: Tournament, error: DomainError) -> str:
    """Why an action was refused; where the page was too old, also who has done what since."""
    sentence = explain(error)
    if error.code not in ("stale_version", "stale_round", "stale"):
        return sentence
    said = [
        _("%(who)s at %(time)s: %(action)s.")
        % {"who": row.who, "time": date_format(localtime(row.at), "H:i"), "action": sentence_of(row)}
        for row in last_log_rows(tournament, 1, without=OF_BOARDS)
    ]
    return " ".join([sentence, *said])
