"""Correct results of rounds that are over (GHR 4.3), and points by decision of the arbiter."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from base.text import isolated
from tournaments.actions.corrections import correct_for_rating, correct_result
from tournaments.actions.decided_points import decide_points
from tournaments.errors import DomainError
from tournaments.models import Game, Participant, Round, Section
from tournaments.queries.corrections import (
    Correctable,
    CorrectionWindow,
    correctable_round,
    correction_preview,
)
from tournaments.queries.decided_points import point_decisions_on
from tournaments.queries.field import load_field
from tournaments.queries.rounds import BoardRow
from tournaments.queries.waiting_on_devices import results_on_devices
from web.context import section_context, section_url
from web.forms.corrections import RATING, PointsForm, ResultCorrectionForm
from web.forms.errors import add_refusal
from web.requests import PersonRequest
from web.views.public.lists import find_key, keep_found, search_of
from web.words.next_step_checks import device_words
from web.words.refusals import explain

from .access import DIRECT, actor_of, answers_of, came_from, posted, section_page
from .results import MAX_RESULT
from .rounds import seen_number

# Correct results of rounds that are over (GHR 4.3): choose a board, look at the changes, confirm.


@section_page("GET", "HEAD")
def corrections(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """List the boards of a round, and say what can still be corrected."""
    context = section_context(request, section, "corrections", number) | {"number": number}
    if number == 1 and context["latest_round"] is None:
        return render(request, "staff/corrections.html", context)
    found = _found(section, number)
    rows = [(row, find_key(row.board, row.white.name, row.black.name)) for row in found.view.boards]
    search = search_of(request)
    context |= {
        "window": found.window.value,
        "last": found.last,
        "more_rounds": found.more_rounds,
        "rows": [
            (row, found.rating_results.get(row.game_id, ""), row.game_id in found.corrected)
            for row, _key in keep_found(rows, search)
        ],
        "search": search,
        "waiting_elsewhere": device_words(results_on_devices(section, number)),
    }
    return render(request, "staff/corrections.html", context)


@section_page("GET", "HEAD", "POST", permission=DIRECT)
def correct(request: PersonRequest, section: Section, number: int, board: int) -> HttpResponse:
    """Show the form for one game, then the changes, and then correct the game."""
    found = _found(section, number)
    row = next((row for row in found.view.boards if row.board == board), None)
    if row is None:
        raise Http404
    typed = request.GET.get("result", "")[:MAX_RESULT]
    initial = {"result": typed or found.rating_results.get(row.game_id) or row.result}
    form = ResultCorrectionForm(
        posted(request), window=found.window, more_rounds=found.more_rounds, initial=initial
    )
    if request.method != "POST" or not form.is_valid():
        return _form(request, section, found, row, form, status=422 if form.errors else 200)
    try:
        _correct(request, row, form)
    except DomainError as error:
        if error.code == "correction_unconfirmed":
            return _preview(request, section, found, row, form, error.answer)
        if error.status != 422:
            return _form(request, section, _found(section, number), row, form, error=error)
        add_refusal(form, error)
        return _form(request, section, found, row, form, status=422)
    messages.info(
        request, _("Round %(round)s, board %(board)s is corrected.") % {"round": number, "board": board}
    )
    return redirect(came_from(request, section) or section_url("corrections", section, number=number))


def _correct(request: PersonRequest, row: BoardRow, form: ResultCorrectionForm) -> None:
    asked = form.cleaned_data
    values = {
        "actor": actor_of(request),
        "game_id": row.game_id,
        "result": asked["result"],
        "seen_version": seen_number(request, "version"),
        "reason": asked["reason"],
    }
    values["confirmed"] = answers_of(request, asked, values["game_id"], values["seen_version"])
    if asked["effect"] == RATING:
        correct_for_rating(**values)
    else:
        correct_result(turned=bool(asked.get("turned")), **values)


def _preview(
    request: PersonRequest,
    section: Section,
    found: Correctable,
    row: BoardRow,
    form: ResultCorrectionForm,
    answer: str,
) -> HttpResponse:
    """Show what would change, before anything changes (level 3). answer: the one that corrects the game."""
    asked = form.cleaned_data
    rating_only = asked["effect"] == RATING
    turned = bool(asked.get("turned"))
    game = Game.objects.select_related("round").get(pk=row.game_id)
    context = {
        **section_context(request, section, "corrections", found.view.number),
        "number": found.view.number,
        "row": row,
        "asked": asked,
        "answer": answer,
        "turned": turned,
        "rating_only": rating_only,
        "back": came_from(request, section),
        "former": found.rating_results.get(row.game_id) or row.result if rating_only else row.result,
        "preview": None
        if rating_only
        else correction_preview(section, game, result=asked["result"], turned=turned),
    }
    return render(request, "staff/correction_preview.html", context)


def _form(
    request: PersonRequest,
    section: Section,
    found: Correctable,
    row: BoardRow,
    form: ResultCorrectionForm,
    *,
    status: int = 200,
    error: DomainError | None = None,
) -> HttpResponse:
    context = {
        **section_context(request, section, "corrections", found.view.number),
        "number": found.view.number,
        "window": found.window.value,
        "open": found.window is not CorrectionWindow.DRAFT and row.result is not None and not row.adjourned,
        "last": found.last,
        "more_rounds": found.more_rounds,
        "row": row,
        "form": form,
        "rating_result": found.rating_results.get(row.game_id, ""),
        "problem": explain(error) if error else "",
        "back": came_from(request, section),
    }
    return render(request, "staff/correction.html", context, status=error.status if error else status)


def _found(section: Section, number: int) -> Correctable:
    try:
        return correctable_round(section, number)
    except Round.DoesNotExist as error:
        raise Http404 from error


# Points by decision of the arbiter: a bonus or a penalty for a player.


@section_page("GET", "HEAD", "POST", permission=DIRECT)
def points_page(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Show the form, then ask, then add the points or take them away."""
    entry = section.participants.select_related("player").filter(pk=participant).first()
    if entry is None:
        raise Http404
    last = section.played_rounds.exclude(state="draft").count()
    form = PointsForm(posted(request), last=last)
    if request.method != "POST" or not form.is_valid():
        return _page(request, section, entry, form, last=last, status=422 if form.errors else 200)
    asked = form.cleaned_data
    try:
        decide_points(
            actor=actor_of(request),
            participant_id=entry.pk,
            round_number=asked["after_round"],
            points=asked["points"],
            reason=asked["reason"],
            seen=seen_number(request, "seen"),
            confirmed=answers_of(request),
        )
    except DomainError as error:
        if error.code == "points_unconfirmed":
            return _page(request, section, entry, form, last=last, question=error)
        add_refusal(form, error)
        entry.refresh_from_db(fields=["rulings"])
        return _page(request, section, entry, form, last=last, status=error.status)
    messages.info(
        request,
        _("The points of %(name)s are changed.") % {"name": isolated(entry.player.name)},
        extra_tags="offered",
    )
    return redirect(section_url("player", section, tpn=entry.tpn))


def _page(
    request: PersonRequest,
    section: Section,
    entry: Participant,
    form: PointsForm,
    *,
    last: int,
    question: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        **section_context(request, section, "entries"),
        "entry": entry,
        "form": form,
        "last": last,
        "question": explain(question) if question else "",
        "answer": question.answer if question else "",
        "seen": len(entry.rulings),
        "decisions": tuple(point_decisions_on(load_field(section), entry.pk, last)),
    }
    return render(request, "staff/decided_points.html", context, status=status)
