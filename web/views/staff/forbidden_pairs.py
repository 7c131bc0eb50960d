"""Pages of forbidden pairs: the list, add a pair, change its rounds, remove it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy

from tournaments.actions.forbidden_pairs import allow_pair, change_forbidden_pair, forbid_pair
from tournaments.declarations.entries import CHANGE_FORBIDDEN_PAIR
from tournaments.errors import DomainError, Stale
from tournaments.models import ForbiddenPair, Participant, Section
from tournaments.models.sections import MAX_ROUNDS
from tournaments.queries.row_cache import participants_of
from web.context import section_context, section_url
from web.forms.conflict_check import ConflictCheckForm
from web.forms.errors import add_refusal
from web.forms.fields import PlayerChoiceField, is_long, offer_players, suggestions
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import actor_of, ask_between_values, asks_for_part, posted, section_page

# Forms of a forbidden pair.


class RoundsForm(ConflictCheckForm):
    """The rounds of a forbidden pair, and the reason. Without a last round: to the end of the section."""

    first_round = forms.IntegerField(label=gettext_lazy("From round"), min_value=1, max_value=MAX_ROUNDS)
    last_round = forms.IntegerField(
        label=gettext_lazy("To round"), min_value=1, max_value=MAX_ROUNDS, required=False
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=120)


class ForbiddenPairForm(RoundsForm):
    first = PlayerChoiceField(
        label=gettext_lazy("Player"), help_text=gettext_lazy("Type the number, or letters of the name.")
    )
    second = PlayerChoiceField(label=gettext_lazy("Other player"))
    field_order = ("first", "second")

    def __init__(self, *args: Any, players: Sequence[Participant], **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("first", "second"):
            offer_players(self, name, players)


@section_page("GET", "HEAD", "POST")
def forbidden_pairs(request: PersonRequest, section: Section) -> HttpResponse:
    if section.fixed_rounds:
        raise Http404
    players = _players(section)
    if asks_for_part(request) and request.method != "POST":
        return suggestions(request, players, request.GET.get("first") or request.GET.get("second", ""))
    initial = {"first_round": _next_round(section)}
    form = ForbiddenPairForm(posted(request), players=players, initial=initial)
    if request.method == "POST" and form.is_valid():
        asked = form.cleaned_data
        try:
            forbid_pair(
                actor=actor_of(request),
                section_id=section.pk,
                players=(asked["first"].pk, asked["second"].pk),
                first_round=asked["first_round"],
                last_round=asked["last_round"],
                reason=asked["reason"],
            )
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect(section_url("forbidden-pairs", section))
    return _page(request, section, players, form, status=422 if form.errors else 200)


@section_page("GET", "HEAD", "POST")
def change(request: PersonRequest, section: Section, pair: int) -> HttpResponse:
    row = _row(section, pair)
    form = RoundsForm(posted(request), initial=_rounds_of(row))
    if request.method == "POST" and form.is_valid():
        try:
            change_forbidden_pair(actor=actor_of(request), pair_id=row.pk, seen=form.shown, **form.wanted())
        except Stale as error:
            row.refresh_from_db()
            fresh = RoundsForm(initial=_rounds_of(row))
            form = ask_between_values(
                form, error, fresh, section.log.filter(action=CHANGE_FORBIDDEN_PAIR.name)
            )
            context = {**_context(request, section), "form": form, "row": row}
            return render(request, "staff/forbidden_pairs_pair.html", context, status=error.status)
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect(section_url("forbidden-pairs", section))
    context = {**_context(request, section), "form": form, "row": row}
    return render(request, "staff/forbidden_pairs_pair.html", context, status=422 if form.errors else 200)


@section_page("POST")
def allow(request: PersonRequest, section: Section, pair: int) -> HttpResponse:
    row = _row(section, pair)
    try:
        allow_pair(actor=actor_of(request), pair_id=row.pk)
    except DomainError as error:
        players = _players(section)
        form = ForbiddenPairForm(players=players, initial={"first_round": _next_round(section)})
        return _page(request, section, players, form, status=error.status, problem=explain(error))
    return redirect(section_url("forbidden-pairs", section))


def _page(
    request: PersonRequest,
    section: Section,
    players: list[Participant],
    form: ForbiddenPairForm,
    *,
    status: int,
    problem: str = "",
) -> HttpResponse:
    context = {
        **_context(request, section),
        "form": form,
        "pairs": section.forbidden_pairs.select_related("first__player", "second__player").order_by(
            "first__tpn", "second__tpn"
        ),
        "players": players,
        "long": is_long(players),
        "problem": problem,
    }
    return render(request, "staff/forbidden_pairs.html", context, status=status)


def _context(request: PersonRequest, section: Section) -> dict[str, object]:
    context = section_context(request, section, "settings")
    paired = context["latest_round"].number if context["latest_round"] else 0
    return {
        **context,
        "paired": paired,
        "locked": section.is_closed or bool(paired and section.in_fide_mode),
    }


def _players(section: Section) -> list[Participant]:
    return list(participants_of(section))


def _next_round(section: Section) -> int:
    latest = section.played_rounds.order_by("-number").first()
    return latest.number + 1 if latest else 1


def _row(section: Section, pair: int) -> ForbiddenPair:
    pairs = section.forbidden_pairs.select_related("first__player", "second__player")
    row = pairs.filter(pk=pair).first()
    if row is None:
        raise Http404
    return row


def _rounds_of(row: ForbiddenPair) -> dict[str, object]:
    return {"first_round": row.first_round, "last_round": row.last_round, "reason": row.reason}
