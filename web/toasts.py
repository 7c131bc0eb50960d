"""After a form did something, the next page offers to undo it."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from base.reader import READER
from evenboard_engine.words.catalogue import FULL_STOP
from tournaments.declarations import ACTIONS, names_of
from tournaments.declarations.entries import MOVE_ENTRY_AWAY, MOVE_ENTRY_HERE
from tournaments.declarations.rounds import BACKUP_FAILED
from tournaments.models import ActionLog
from tournaments.queries.log import log_row
from web.context import section_url
from web.words.log_sentences import sentence_of

SILENT = names_of(action for action in ACTIONS.values() if action.silent)
"""Actions that are done many times a minute. They are corrected where they were typed."""
MOST_STEPS = 100
"""Of one press, such as pairing all rounds of a table. More are undone in the log."""
MOST_SENTENCES = 3
MARK = "undo "
"""Begins the tags of such a message; the address that undoes the steps follows."""


def offer_undo(request: HttpRequest, steps: Sequence[ActionLog], *, silent: frozenset[str] = SILENT) -> None:
    """Leave a message with an Undo for what was just done, if all of it can be undone. Three SQL queries a step.

    silent: actions without a message. A copy that could not be kept is reported too, because nobody would look for
    it in the log.
    """
    for step in steps:
        if step.action == BACKUP_FAILED.name and step.section is not None:
            _warn(request, step)
    steps = [step for step in steps if step.action != BACKUP_FAILED.name]
    if not 1 <= len(steps) <= MOST_STEPS or any(step.action in silent for step in steps):
        return
    section = steps[-1].section
    moved = [step.action for step in steps] == [MOVE_ENTRY_AWAY.name, MOVE_ENTRY_HERE.name]
    if section is None or any(step.section != section for step in steps if not moved):
        return
    rows = [log_row(step.section, step.revision) for step in steps if step.section is not None]
    if all(row is not None and row.undoable for row in rows):
        *earlier, last = (step.revision for step in steps)
        address = section_url("undo", section, revision=last)
        if moved:
            rows, asked = rows[:1], {"there": [f"{steps[0].section_id}-{earlier[0]}"]}
        else:
            asked = {"also": [str(revision) for revision in earlier]}
        also = f"?{urlencode(asked, doseq=True)}" if earlier else ""
        sentences = [sentence_of(row) for row in rows[:MOST_SENTENCES] if row is not None]
        if len(rows) > MOST_SENTENCES:
            sentences.append(_more(len(rows) - MOST_SENTENCES))
        *before, newest = sentences
        sentence = " ".join([*(READER.text_of(FULL_STOP, {"sentence": each}) for each in before), newest])
        messages.info(request, sentence, extra_tags=f"{MARK}{address}{also}")


def _more(count: int) -> str:
    return ngettext("And %(count)s more step", "And %(count)s more steps", count) % {"count": count}


def _warn(request: HttpRequest, step: ActionLog) -> None:
    sentence = _(
        "The round is published, but no copy of the section could be kept (%(reason)s). Take one away: Log, Copies."
    )
    messages.warning(request, sentence % {"reason": step.reason})
