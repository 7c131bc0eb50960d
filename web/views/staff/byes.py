"""Requested byes, and absences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from base.text import alphabetical, isolated
from evenboard_engine import ByeKind
from tournaments.actions.byes import cancel_bye, request_byes
from tournaments.errors import DomainError
from tournaments.models import Bye, Participant, Section
from tournaments.queries.bye_limits import FULL_POINT_BYE, bye_warnings
from tournaments.queries.entries import EntryRow, RequestedBye, entry_list
from tournaments.queries.kept_rows import entries_and_byes
from web.context import section_context, section_url
from web.forms.byes import ByeForm
from web.forms.errors import add_refusal
from web.forms.players import is_long, suggestions
from web.requests import PersonRequest
from web.views.public.parts import WHOLE, cut
from web.words.refusals import explain

from .access import actor_of, answers_of, asks_for_part, posted, section_page

DEPRECATED = _("%(name)s now has a full-point bye. The report file shows it to the rating officer.")


@dataclass(frozen=True, slots=True)
class RoundByes:
    """The byes of one round, or some of them. paired: they can no longer change. total: how many the round has."""

    number: int
    paired: bool
    rows: tuple[tuple[EntryRow, RequestedBye], ...]
    total: int


@section_page("GET", "HEAD", "POST")
def byes(request: PersonRequest, section: Section) -> HttpResponse:
    """Byes by round; one form gives a player the same bye in several rounds, all of them or none.

    Asked by itself with the revision it shows: 204 while nothing has changed.
    """
    if section.fixed_rounds:
        raise Http404
    if asks_for_part(request) and request.GET.get("seen") == str(section.revision):
        return HttpResponse(status=204)
    players = _players(section)
    if asks_for_part(request) and "participant" in request.GET:
        return suggestions(request, players, request.GET["participant"])
    form = ByeForm(posted(request), players=players, initial=_asked(request, players))
    question = None
    if request.method == "POST" and form.is_valid():
        try:
            _give(request, section, form)
        except DomainError as error:
            if error.code in ("bye_to_confirm", "bye_differs"):
                question = error
            else:
                add_refusal(form, error)
        else:
            return redirect(section_url("byes", section))
    status = 422 if form.errors or question else 200
    return _page(request, section, form, status=status, question=question)


def _give(request: PersonRequest, section: Section, form: ByeForm) -> None:
    """Give the byes, all or none. A bye above the regulations must be confirmed first (VCL4THP.13 Q174)."""
    participant = section.participants.select_related("player", "section").get(
        pk=form.cleaned_data["participant"]
    )
    kind = ByeKind(form.cleaned_data["kind"])
    answers = answers_of(request)
    request_byes(
        actor=actor_of(request),
        participant_id=participant.pk,
        rounds=form.cleaned_data["rounds"],
        kind=kind,
        proceed=answers,
        instead=answers,
    )
    if FULL_POINT_BYE in bye_warnings(participant, kind):
        messages.warning(request, DEPRECATED % {"name": isolated(participant.player.name)})


def _players(section: Section) -> list[Participant]:
    active = (entry for entry in entries_and_byes(section)[0] if entry.is_active)
    return sorted(active, key=lambda entry: alphabetical(entry.player.name))


def _asked(request: PersonRequest, players: Sequence[Participant]) -> dict[str, str]:
    """Return the player that a link names, as the field has one."""
    asked = request.GET.get("player", "")[:20]
    if is_long(players):
        asked = next((str(entry) for entry in players if str(entry.pk) == asked), "")
    return {"participant": asked}


def _page(
    request: PersonRequest,
    section: Section,
    form: ByeForm,
    *,
    status: int,
    problem: str = "",
    question: DomainError | None = None,
) -> HttpResponse:
    """question: why the requested byes are above the regulations, or whether they replace others."""
    context = section_context(request, section, "byes")
    latest = context["latest_round"]
    paired = latest.number if latest else 0
    rounds = _by_round(entry_list(section).rows, paired)
    rows = [(group, row) for group in rounds for row in group.rows]
    part = cut(request, rows, "player", long=len(rows) > WHOLE)
    context |= {
        "form": form,
        "rounds": _shown(part.rows) if part.long else rounds,
        "part": part,
        "next_round": paired + 1,
        "problem": problem,
        "question": explain(question) if question else "",
        "asked": question,
        "over": section.is_closed or paired >= section.rounds,
    }
    template = "staff/byes.html#live" if asks_for_part(request) else "staff/byes.html"
    return render(request, template, context, status=status)


def _by_round(entries: Sequence[EntryRow], paired: int) -> list[RoundByes]:
    """Return rounds that are not paired in their order, then paired rounds with the latest first."""
    rounds: dict[int, list[tuple[EntryRow, RequestedBye]]] = {}
    for row in entries:
        for bye in row.byes:
            rounds.setdefault(bye.round_number, []).append((row, bye))
    order = sorted(rounds, key=lambda number: (number <= paired, number if number > paired else -number))
    return [
        RoundByes(
            number,
            number <= paired,
            tuple(sorted(rounds[number], key=lambda pair: alphabetical(pair[0].name))),
            len(rounds[number]),
        )
        for number in order
    ]


def _shown(rows: Sequence[tuple[RoundByes, tuple[EntryRow, RequestedBye]]]) -> list[RoundByes]:
    """Return the rounds of a part, each with those of its byes that are in the part."""
    groups = groupby(rows, key=lambda row: row[0])
    return [replace(group, rows=tuple(row for _group, row in shown)) for group, shown in groups]


@section_page("POST")
def cancel(request: PersonRequest, section: Section, bye: int) -> HttpResponse:
    if not Bye.objects.filter(pk=bye, participant__section=section).exists():
        messages.info(request, _("This bye no longer exists. Somebody has removed it already."))
        return redirect(section_url("byes", section))
    try:
        cancel_bye(actor=actor_of(request), bye_id=bye)
    except DomainError as error:
        form = ByeForm(players=_players(section))
        return _page(request, section, form, status=error.status, problem=explain(error))
    return redirect(section_url("byes", section))
