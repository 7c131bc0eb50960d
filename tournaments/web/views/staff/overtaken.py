"""The answer to a form that somebody else has overtaken: both values, and a choice."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import QuerySet

from tournaments.errors import Stale
from tournaments.models import ActionLog
from tournaments.queries.log import last_writer
from tournaments.web.forms.seen import SeenForm

Form = TypeVar("Form", bound=SeenForm)


def ask(form: Form, error: Stale, fresh: Form, rows: QuerySet[ActionLog], *names: str) -> Form:
    """The form to show. fresh: with what stands now. rows: of the log, which say who wrote it.

    names: under which the rows have it, where they are not those of the fields.
    """
    theirs = error.params["theirs"]
    assert isinstance(theirs, dict)  # as CODES has it
    return form.ask(theirs, last_writer(rows, names or tuple(theirs)), fresh)
