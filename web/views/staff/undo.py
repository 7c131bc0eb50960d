"""Pages that say what an undo will change, and then undo."""

from __future__ import annotations

import re

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_noop as _

from tournaments.actions.ledger import transaction_or_busy
from tournaments.actions.undo import restore_before_round, undo, undo_since
from tournaments.declarations import ActionKind, names_with
from tournaments.declarations.entries import MOVE_ENTRY_AWAY
from tournaments.errors import DomainError, Refusal
from tournaments.models import Section
from tournaments.queries.log import LogRow
from tournaments.queries.undo_preview import Tally, UndoPreview, loss_before_round, loss_since, undo_preview
from tournaments.questions import ask
from tournaments.rights import Right
from tournaments.rules import held_in
from web.context import section_context, section_url
from web.forms.log import ReasonForm
from web.requests import PersonRequest, own_page
from web.views.staff.access import MOST_STEPS
from web.words.log import REASONS, log_line_of, tally_text
from web.words.refusals import explain

from .access import (
    ASKS_BOTH,
    DIRECT,
    ENTRIES,
    SEE,
    actor_of,
    answers_of,
    asks_both,
    close_offer,
    posted,
    section_page,
)
from .log import may_undo, refuse_undo_without_right, rights_to_undo
from .rounds import seen_number

# Refusals
# `revisions`: those that come back or are undone again
UNDO_TO_CONFIRM = Refusal(
    "undo_to_confirm",
    _("Nothing was undone: it now changes other actions than this page said. Look at them, and undo again."),
    params=("revisions",),
)


THERE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
OF_ROUNDS = names_with(ActionKind.PAIRING, ActionKind.PUBLICATION, ActionKind.RESULT)
"""Actions that everybody expects to be undone together with a round."""


@section_page("GET", "HEAD", "POST", permission=ENTRIES, look=ENTRIES)
def undo_action(request: PersonRequest, section: Section, revision: int) -> HttpResponse:
    """Show an action and what depends on it. A POST undoes the action, or shows why it cannot be undone.

    ?also=7&also=8: earlier steps of the same form, which are undone together with it or not at all.
    ?there=3-21: the same for a player who came from section 3, in its step 21; one for each player.
    close: only take the offer to undo from the pages.
    """
    if "close" in request.POST:
        close_offer(request, section)
        return redirect(_back(request, section))
    refused = None
    if request.method == "POST":
        reason = request.POST.get("reason", "")[:300]
        steps = [revision, *_also(request, revision)]
        refuse_undo_without_right(_rights(request), section, section.log.filter(revision__in=steps))
        left = _left(request, section)
        try:
            if "answer" in request.POST:
                _ask_about_turned(request, section, revision)
            with transaction_or_busy():
                actor, both = actor_of(request), answers_of(request, section.pk, steps, left)
                for there, each in [*((section.pk, each) for each in steps), *left]:
                    undo(actor=actor, section_id=there, revision=each, reason=reason, both=both)
        except DomainError as error:
            if error.code not in ("undo_depends", "undo_to_confirm", ASKS_BOTH):
                raise
            refused = error
        else:
            return redirect(_back(request, section))
    return _undo_page(request, section, revision, refused)


def _turned_question(seen: UndoPreview) -> DomainError:
    rows = (*seen.back.rows, *seen.gone.rows)
    return UNDO_TO_CONFIRM.error(revisions=[row.revision for row in rows])


def _ask_about_turned(request: PersonRequest, section: Section, revision: int) -> None:
    """Ask again if other actions come back, or are undone again, than the page said from which the form comes."""
    ask(_turned_question(undo_preview(section, revision)), answers_of(request, section.pk, revision))


def _rights(request: PersonRequest) -> frozenset[Right]:
    return rights_to_undo(request.rights, request.boards)


def _undo_page(
    request: PersonRequest, section: Section, revision: int, refused: DomainError | None
) -> HttpResponse:
    """Show what an undo changes. refused: why it was not made, or the question about players in two sections."""
    seen = undo_preview(section, revision)
    request.only_looks = section.event.is_archived or not may_undo(_rights(request), seen.row)
    together = loss_since(section, revision) if seen.resting else None
    context = section_context(request, section, "log") | {
        "change": log_line_of(seen.row),
        "resting": [
            (log_line_of(found.row) if found.row else None, found, REASONS[found.reason])
            for found in seen.resting
        ],
        "back": _turned(seen.back),
        "gone": _turned(seen.gone),
        "together": together,
        "loss": tally_text(together) if together else "",
        "form": ReasonForm(),
        "problem": explain(refused) if refused else "",
        "asks_both": asks_both(refused),
        "answer": answers_of(request, section.pk, revision).to(_turned_question(seen)),
    }
    return render(request, "staff/undo.html", context, status=refused.status if refused else 200)


@section_page("POST", permission=SEE)
def undo_together(request: PersonRequest, section: Section, revision: int) -> HttpResponse:
    """Undo an action and everything that was done after it."""
    refuse_undo_without_right(_rights(request), section, section.log.filter(revision__gte=revision))
    seen = seen_number(request, "seen")
    try:
        undo_since(
            actor=actor_of(request),
            section_id=section.pk,
            revision=revision,
            seen_revision=seen,
            reason=request.POST.get("reason", "")[:300],
            both=answers_of(request, section.pk, revision, seen),
        )
    except DomainError as error:
        if error.code != ASKS_BOTH:
            raise
        return _undo_page(request, section, revision, error)
    return redirect(section_url("log", section))


@section_page("GET", "HEAD", "POST", permission=DIRECT)
def restore(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """Show what is undone if the section goes back to before a round. A POST with a reason goes back."""
    form = ReasonForm(posted(request))
    form.fields["reason"].required = True
    status, question, seen = 200, None, seen_number(request, "seen")
    if request.method == "POST" and form.is_valid():
        try:
            restore_before_round(
                actor=actor_of(request),
                section_id=section.pk,
                number=number,
                seen_revision=seen,
                reason=form.cleaned_data["reason"],
                both=answers_of(request, section.pk, number, seen),
            )
        except DomainError as error:
            if error.code != ASKS_BOTH:
                raise
            question = error
        else:
            return redirect(section_url("cockpit", section))
    if form.is_bound:
        status = 422
    loss = loss_before_round(section, number)
    context = section_context(request, section, "log") | {
        "number": number,
        "together": loss,
        "loss": tally_text(loss),
        "lost": [log_line_of(row) for row in loss.rows],
        "besides": [log_line_of(row) for row in loss.rows if _unexpected(row, number)],
        "form": form,
        "problem": explain(question) if question else "",
        "asks_both": asks_both(question),
    }
    return render(request, "staff/undo_restore.html", context, status=status)


def _also(request: PersonRequest, revision: int) -> list[int]:
    """Return the earlier steps that a toast undoes together with this one, the latest first."""
    named = {
        int(text) for text in request.GET.getlist("also")[:MOST_STEPS] if text.isdecimal() and len(text) < 10
    }
    return sorted((each for each in named if each < revision), reverse=True)


def _left(request: PersonRequest, section: Section) -> list[tuple[int, int]]:
    """Return section and revision of the steps that ?there= names, in which players left the other section."""
    named = map(THERE.fullmatch, request.GET.getlist("there")[:MOST_STEPS])
    left = sorted({(int(found[1]), int(found[2])) for found in named if found}, reverse=True)
    for key, revision in left:
        other = get_object_or_404(section.event.sections, pk=key)
        row = other.log.filter(revision=revision, action=MOVE_ENTRY_AWAY.name)
        if not row.exists():
            raise Http404
        held = held_in(request.user, other)
        refuse_undo_without_right(rights_to_undo(held.rights, held.boards), other, row)
    return left


def _turned(tally: Tally) -> dict[str, object]:
    return {"tally": tally, "words": tally_text(tally), "rows": [log_line_of(row) for row in tally.rows]}


def _unexpected(row: LogRow, number: int) -> bool:
    """Return whether this action is neither a pairing nor a result of round `number` or later."""
    return row.action not in OF_ROUNDS or (row.round_number is not None and row.round_number < number)


def _back(request: PersonRequest, section: Section) -> str:
    """Return the page that showed the toast, or the log."""
    return own_page(request.POST.get("back", ""), section_url("log", section))
