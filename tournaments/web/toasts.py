"""After a form did something, the next page offers to undo it."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from tournaments.actions.backups import FAILED
from tournaments.models import ActionLog
from tournaments.queries.log import log_row
from tournaments.web.context import section_url
from tournaments.web.log_words import sentence_of

SILENT = frozenset({"record_result", "confirm_result", "mark_over", "check_in", "take_back_check_in"})
"""What is done many times a minute, and corrected where it was typed."""
MARK = "undo "
"""Begins the tags of such a message; the address that undoes follows."""


def offer_undo(request: HttpRequest, steps: Sequence[ActionLog]) -> None:
    """Leave a message with its way back, if just one thing was done and can be undone. Three SQL queries.

    A copy that could not be kept is told too: nobody reads the log for it.
    """
    for step in steps:
        if step.action == FAILED and step.tournament is not None:
            _warn(request, step)
    steps = [step for step in steps if step.action != FAILED]
    if len(steps) != 1 or steps[0].action in SILENT or steps[0].tournament is None:
        return
    section, revision = steps[0].tournament, steps[0].revision
    row = log_row(section, revision)
    if row is not None and row.undoable:
        address = section_url("undo", section, revision=revision)
        messages.info(request, sentence_of(row), extra_tags=f"{MARK}{address}")


def _warn(request: HttpRequest, step: ActionLog) -> None:
    said = _(
        "The round is published, but no copy of the section could be kept (%(reason)s). Take one away: Log, Copies."
    )
    messages.warning(request, said % {"reason": step.reason})
