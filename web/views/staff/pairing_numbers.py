"""Pairing numbers: the order of players with the same rating, and the drawing of lots.

Lots are drawn by the program, or typed as they were drawn at the board.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from base.text import one_line
from tournaments.actions.pairing_numbers import draw_lots, order_equals, set_lots
from tournaments.errors import DomainError
from tournaments.models import Participant, Section
from tournaments.models.rounds import rounds_paired
from tournaments.queries.entries import equal_entries, numbered_entries
from tournaments.queries.pairing_numbers import FROZEN_BY_ROUND, last_draw, lots_missing
from web.context import section_context, section_url
from web.forms.pairing_numbers import EqualsForm, LotsForm
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import ENTRIES, actor_of, answers_of, section_page
from .cockpit import cockpit_page
from .rounds import seen_number

# The page where the arbiter changes the order of players with the same rating.


@dataclass(frozen=True, slots=True)
class Question:
    """The question before the order is written. moves: (player, new number) for each number that would change."""

    answer: str
    sentence: str
    moves: list[tuple[Participant, int]]


@section_page("GET", "HEAD", "POST", permission=ENTRIES)
def equal_ratings(request: PersonRequest, section: Section) -> HttpResponse:
    """One form for each rating that several players have. Numbers drawn by lot have a page of their own."""
    if section.fixed_rounds:
        raise Http404
    groups = equal_entries(section)
    if request.method != "POST":
        return _equals_page(request, section, [EqualsForm(None, group=group) for group in groups])
    group = next((group for group in groups if str(group[0].rating) == request.POST.get("rating")), None)
    if group is None:
        raise Http404
    form = EqualsForm(request.POST, group=group)
    forms = [form if one is group else EqualsForm(None, group=one) for one in groups]
    if not form.is_valid():
        return _equals_page(request, section, forms, asked=form, status=422)
    try:
        order_equals(
            actor=actor_of(request),
            section_id=section.pk,
            order=form.order(),
            seen_revision=seen_number(request, "revision"),
            asked=answers_of(request),
        )
    except DomainError as error:
        if error.code != "equals_to_confirm":
            status = error.status
            return _equals_page(request, section, forms, asked=form, problem=explain(error), status=status)
        numbers = dict(error.params["numbers"])
        moves = [(player, numbers[player.tpn]) for player in group if player.tpn in numbers]
        question = Question(error.answer, explain(error), sorted(moves, key=lambda move: move[1]))
        return _equals_page(request, section, forms, asked=form, question=question)
    messages.info(request, _("The players rated %(rating)s have new numbers.") % {"rating": group[0].rating})
    return redirect(section_url("equal-ratings", section))


def _equals_page(
    request: PersonRequest,
    section: Section,
    forms: list[EqualsForm],
    *,
    asked: EqualsForm | None = None,
    question: Question | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """asked: the form that was sent; the question or the problem is shown with it."""
    section.refresh_from_db(fields=["revision"])
    context = {
        **section_context(request, section, "entries"),
        "forms": forms,
        "asked": asked,
        "question": question,
        "problem": problem,
        "frozen": rounds_paired(section) >= FROZEN_BY_ROUND,
    }
    return render(request, "staff/pairing_numbers_equals.html", context, status=status)


# The drawing of lots: numbers drawn by the program, or typed as they were drawn at the board.

LONGEST_SEED = 40


@section_page("GET", "HEAD", "POST")
def lots_page(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the numbers and the seed of the last draw. A POST types numbers that were drawn at the board."""
    if not section.fixed_rounds:
        raise Http404
    group = numbered_entries(section)
    if request.method != "POST":
        return _lots_page(request, section, LotsForm(None, group=group))
    form = LotsForm(request.POST, group=group)
    if not form.is_valid():
        return _lots_page(request, section, form, status=422)
    try:
        set_lots(
            actor=actor_of(request),
            section_id=section.pk,
            order=form.order(),
            seen_revision=seen_number(request, "revision"),
            asked=answers_of(request),
        )
    except DomainError as error:
        if error.code != "lots_to_confirm":
            return _lots_page(request, section, form, problem=explain(error), status=error.status)
        by_key = {entry.pk: entry for entry in group}
        numbers = [(by_key[key], number) for number, key in enumerate(form.order(), start=1)]
        return _lots_page(request, section, form, numbers=numbers, answer=error.answer)
    return redirect(section_url("cockpit", section))


@section_page("POST")
def draw_lots_page(request: PersonRequest, section: Section) -> HttpResponse:
    """Draw all numbers. seed: what the arbiter typed; empty takes one by chance."""
    seed = one_line(request.POST.get("seed", ""))[:LONGEST_SEED]
    try:
        draw_lots(actor=actor_of(request), section_id=section.pk, seed=seed)
    except DomainError as error:
        section.refresh_from_db()
        return cockpit_page(request, section, problem=explain(error), status=error.status)
    return redirect(section_url("cockpit", section))


def _lots_page(
    request: PersonRequest,
    section: Section,
    form: LotsForm,
    *,
    numbers: object = None,
    answer: str = "",
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """numbers: (entry, number) to be confirmed, with this answer."""
    section.refresh_from_db(fields=["revision"])
    context = {
        **section_context(request, section, "entries"),
        "form": form,
        "numbers": numbers,
        "answer": answer,
        "problem": problem,
        "stand": rounds_paired(section) > 0,
        "missing": lots_missing(form.group),
        "draw": last_draw(section),
    }
    return render(request, "staff/pairing_numbers_lots.html", context, status=status)
