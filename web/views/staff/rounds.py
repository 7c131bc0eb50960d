"""What happens to a round as a whole: the lot and the checklist before it, pairing, publishing, and the way back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from itertools import groupby
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from base.reader import READER
from evenboard_engine import Offer, system_named
from evenboard_engine.words.explanation import Statement
from pairing import ahead, rounds
from pairing.rounds import check_round, pair_all_rounds, publish_all_rounds
from tournaments.actions.cockpit import leave_notice as leave
from tournaments.actions.rounds import publish_lists
from tournaments.actions.waiting_on_devices import forget_device
from tournaments.errors import DomainError
from tournaments.models import Round, Section
from tournaments.queries.why import Stopped, stopped_round
from web.context import section_context, section_url
from web.forms.sections import ColourForm
from web.prewarm import pages_prepared
from web.requests import PersonRequest
from web.views.public.lists import find_key, keyed, part_of, search_of
from web.views.public.paper import checklist_context
from web.why import prepare_explanation, words_for
from web.words.refusals import explain

from .access import actor_of, answers_of, section_page, why_overtaken
from .cockpit import cockpit_page
from .waiting_on_devices import waiting_first


def seen_number(request: PersonRequest, name: str) -> int:
    """A number that the form sent back. A text that is not a number was on no page, so it is stale."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _done(
    request: PersonRequest,
    section: Section,
    action: Callable[..., Any],
    *,
    public: bool = False,
    **arguments: Any,
) -> HttpResponse:
    """Do it. public: it changes which round visitors see, so their pages are made before."""
    try:
        with pages_prepared(request, section) if public else nullcontext():
            action(actor=actor_of(request), **arguments)
    except DomainError as error:
        section.refresh_from_db()
        return cockpit_page(request, section, problem=why_overtaken(section, error), status=error.status)
    return redirect(section_url("cockpit", section))


@section_page("POST")
def forget(request: PersonRequest, section: Section, device: int) -> HttpResponse:
    """No longer wait for a device that went home with what was typed there."""
    count = seen_number(request, "count")
    return _done(request, section, forget_device, section_id=section.pk, waiting_id=device, count=count)


@section_page("POST")
def leave_notice(request: PersonRequest, section: Section) -> HttpResponse:
    """Leave a notice of the cockpit alone, or take it back."""
    notice, left = request.POST.get("notice", ""), request.POST.get("left") == "yes"
    return _done(request, section, leave, section_id=section.pk, notice=notice, left=left)


@section_page("POST")
def draw_colour(request: PersonRequest, section: Section) -> HttpResponse:
    form = ColourForm(request.POST)
    if not form.is_valid():
        return cockpit_page(request, section, problem=_("The initial-colour is White or Black."), status=422)
    return _done(request, section, rounds.draw_initial_colour, section_id=section.pk, colour=form.drawn)


@section_page("POST")
@waiting_first
def pair(request: PersonRequest, section: Section) -> HttpResponse:
    after = seen_number(request, "after_round")
    try:
        rounds.pair_next_round(
            actor=actor_of(request),
            section_id=section.pk,
            after_round=after,
            proceed=answers_of(request, section.pk, after),
        )
    except DomainError as error:
        section.refresh_from_db()
        if error.code in ("no_legal_pairing", "pairing_failed"):
            return _no_pairing(request, section, error)
        if error.code == "adjourned_earlier":
            return _ask_about_adjourned(request, section, error)
        return cockpit_page(request, section, problem=why_overtaken(section, error), status=error.status)
    return redirect(section_url("cockpit", section))


@section_page("POST")
def pair_ahead(request: PersonRequest, section: Section) -> HttpResponse:
    """Prepare the next round while the last games are played, or stop that."""
    if request.POST.get("stop"):
        return _done(request, section, ahead.stop_ahead, section_id=section.pk)
    return _done(
        request,
        section,
        ahead.pair_ahead,
        section_id=section.pk,
        after_round=seen_number(request, "after_round"),
        forfeits=bool(request.POST.get("forfeits")),
    )


@section_page("POST")
@waiting_first
def pair_all(request: PersonRequest, section: Section) -> HttpResponse:
    """Pair all rounds that are left, where the numbers fix them."""
    after = seen_number(request, "after_round")
    return _done(request, section, pair_all_rounds, section_id=section.pk, after_round=after)


@section_page("POST")
@waiting_first
def publish_all(request: PersonRequest, section: Section) -> HttpResponse:
    return _done(request, section, publish_all_rounds, public=True, section_id=section.pk)


@section_page("POST")
@waiting_first
def publish_list(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    return _done(request, section, publish_lists, section_id=section.pk, after_round=number)


def _no_pairing(request: PersonRequest, section: Section, error: DomainError) -> HttpResponse:
    """The rules give no round: why, and how to pair it by hand (VCL4THP.13 Q63), or which round is offered."""
    stopped = stopped_round(section) if error.code == "no_legal_pairing" else None
    if stopped is not None and stopped.offer is not None:
        return _offered(request, section, stopped, stopped.offer, error)
    system = system_named(section.system)
    latest = section.played_rounds.order_by("-number").first()
    paired = latest.number if latest else 0
    context = {
        **section_context(request, section, "cockpit", paired or None),
        "problem": explain(error),
        "paired": paired,
        "number": paired + 1,
        "rules": READER.listed(
            (system.regulation, *system.articles_of("no_legal_round", section.options)), "comma"
        ),
        "tried": _tried(stopped) if stopped is not None else [],
    }
    answer = render(request, "staff/rounds_no_pairing.html", context, status=error.status)
    answer["HX-Push-Url"] = section_url("cockpit", section)
    return answer


def _tried(stopped: Stopped) -> list[Statement]:
    """Say what the procedure did until it could not go on."""
    return words_for(stopped.value, stopped.field.participants).reasons(stopped.error.reasons)


def _offered(
    request: PersonRequest, section: Section, stopped: Stopped, offered: Offer, error: DomainError
) -> HttpResponse:
    """The procedure cannot finish the round: what was tried, and the round that the arbiter may take over."""
    words = words_for(stopped.value, stopped.field.participants)
    number, side = stopped.value.round, stopped.field.side
    boards = [
        (board, side(pair.white), side(pair.black))
        for board, pair in enumerate(offered.pairing.pairs, start=1)
    ]
    bye = offered.pairing.bye
    context = {
        **section_context(request, section, "cockpit", (number - 1) or None),
        "problem": explain(error),
        "number": number,
        "paired": number - 1,
        "tried": _tried(stopped),
        "why": words.reasons(offered.reasons),
        "broken": words.reasons(offered.broken),
        "boards": boards,
        "bye": side(bye) if bye is not None else None,
    }
    answer = render(request, "staff/rounds_cannot_finish.html", context, status=error.status)
    answer["HX-Push-Url"] = section_url("cockpit", section)
    return answer


@section_page("POST")
@waiting_first
def take_offer(request: PersonRequest, section: Section) -> HttpResponse:
    """Take over the round that was offered; the form sends the boards that it showed."""
    boards = [tuple(_keys(text)) for text in request.POST.getlist("board")]
    after = seen_number(request, "after_round")
    return _done(request, section, rounds.take_offer, section_id=section.pk, after_round=after, boards=boards)


def _keys(text: str) -> list[int]:
    """The two players of a board as the page sent them."""
    return [int(part) for part in text.split("-")[:2] if part.isascii() and part.isdigit() and len(part) < 19]


def _ask_about_adjourned(request: PersonRequest, section: Section, error: DomainError) -> HttpResponse:
    """A game of a former round is still adjourned: pair with draws, or enter the results first (Q168)."""
    number = error.params["round"]
    context = {
        **section_context(request, section, "cockpit", number - 1),
        "question": explain(error),
        "answer": error.answer,
        "number": number,
        "paired": number - 1,
        "games": [(played, board) for played, board in error.params["games"]],
    }
    answer = render(request, "staff/rounds_pair_ask.html", context, status=error.status)
    answer["HX-Push-Url"] = section_url("cockpit", section)
    return answer


@section_page("POST")
def check(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """Compare the draft with the pairing by the rules from the data of now."""
    row = get_object_or_404(Round, section=section, number=number)
    return _done(request, section, check_round, round_id=row.pk, seen_version=seen_number(request, "version"))


def _change(action: str, *, public: bool = False) -> Callable[..., HttpResponse]:
    """A view that does one thing to a round that the form saw in a certain version."""

    def view(request: PersonRequest, section: Section, number: int) -> HttpResponse:
        row = get_object_or_404(Round, section=section, number=number)
        seen = seen_number(request, "version")
        if action == "publish_round":
            prepare_explanation(section, number)
        do = getattr(rounds, action)
        return _done(request, section, do, public=public, round_id=row.pk, seen_version=seen)

    asks = action in ("publish_round", "pair_again")
    return section_page("POST")(waiting_first(view) if asks else view)


publish = _change("publish_round", public=True)
unpublish = _change("unpublish_round", public=True)
unpair = _change("unpair_round")
pair_again = _change("pair_again")


@section_page("GET", "HEAD")
def checklist_page(request: PersonRequest, section: Section, number: int | None = None) -> HttpResponse:
    """Show what the pairing looks at of each player, before the next round or before round `number`."""
    try:
        found = checklist_context(section, number)
    except Round.DoesNotExist as error:
        raise Http404 from error
    lines = [(group, row) for group, rows in found["groups"] for row in rows]
    part = part_of(
        request,
        keyed(lines, lambda line: find_key(line[1].name, line[1].tpn)),
        number_of=lambda line: line[1].tpn,
    )
    groups = groupby(part.rows, key=lambda each: each[0][0])
    context = section_context(request, section, "documents") | found
    context |= {
        "part": part,
        "groups": [(group, [(row, key) for (_group, row), key in rows]) for group, rows in groups],
        "search": search_of(request),
    }
    return render(request, "staff/rounds_checklist.html", context)
