"""Check-in: who is in the hall, marked by several people at once; and the choices for those who are not."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from base.reader import READER
from tournaments.actions import presence as actions
from tournaments.actions.presence import Absence, Settled, settle_absences
from tournaments.errors import DomainError
from tournaments.models import Section, WaitingOnDevice
from tournaments.models.rounds import rounds_paired
from tournaments.queries.presence import PresenceList, PresenceRow, presence_list, replaced_marks
from tournaments.rights import Right
from web.context import section_context, section_url
from web.requests import PersonRequest
from web.views.public.lists import LONGEST_SEARCH, WHOLE, cut, find_key, found_or_similar, keyed, search_of
from web.words.log import log_line_of
from web.words.presence import overtaken_sentence, settled_sentences
from web.words.refusals import explain

from .access import (
    PRESENCE,
    actor_of,
    answers_of,
    asks_for_part,
    login_state,
    other_login,
    section_page,
    why_overtaken,
)
from .rounds import seen_number
from .waiting_on_devices import ask_first

CHOICES = frozenset(Absence)
FEWEST = 2
"""Players who must be left, so that the round can be paired."""
ROWS = ("q", "show", "part", "parts")
"""Parameters that say which rows of the check-in list a page shows."""
LONGEST_WAY = timedelta(hours=24)
"""Of a mark, from the tap to this server."""


@section_page("GET", "HEAD", permission=PRESENCE)
def check_in(request: PersonRequest, section: Section) -> HttpResponse:
    """The list. Asked by itself with the revision it shows: 204 while nothing has changed.

    A script with marks that wait asks for JSON, and gets who is logged in.
    """
    if section.fixed_rounds:
        raise Http404
    if _wants_json(request):
        return JsonResponse(login_state(request))
    if asks_for_part(request) and request.GET.get("seen") == str(section.revision):
        return HttpResponse(status=204)
    return _page(request, section)


def _page(request: PersonRequest, section: Section, *, problem: str = "", status: int = 200) -> HttpResponse:
    number = _next_round(section)
    people = presence_list(section, number)
    only_missing = request.GET.get("show") == "missing"
    long = len(people.rows) > WHOLE
    rows = keyed(people.missing if long and only_missing else people.rows, _words)
    search = search_of(request)
    found, similar = found_or_similar(rows, search) if search else (rows, False)
    context = {
        **section_context(request, section, "check-in"),
        "people": people,
        "close_answer": _close_answer(request, section, people),
        "part": replace(cut(request, found, "q", "show", long=long, grows=True), similar=similar),
        "search": search,
        "number": number,
        "over": section.is_closed or number > section.rounds,
        "replaced": [log_line_of(row).sentence for row in replaced_marks(section, people)],
        "only_missing": only_missing,
        "runs": Right.RUN in request.rights,
        "with_desk": number == 1 and Right.DESK in request.rights and hasattr(section.event, "registration"),
        "problem": problem,
    }
    template = "staff/presence.html#live" if asks_for_part(request) else "staff/presence.html"
    answer = render(request, template, context, status=status)
    if problem:
        answer["HX-Push-Url"] = section_url("check-in", section)
    return answer


def _words(row: PresenceRow) -> str:
    """Return what a row of the list is found by."""
    return find_key(row.name, row.club, str(row.tpn or ""))


@section_page("POST", permission=PRESENCE)
def mark(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """One player is here, or is not. A script gets JSON, a form gets its list again.

    ago: milliseconds since the tap. waited: "yes" if the phone had no connection. 409: a later mark counts.
    user: who tapped, as in `other_login`.
    """
    if not section.participants.filter(pk=participant).exists():
        raise Http404
    here = request.POST.get("here", "yes") == "yes"
    number = seen_number(request, "round")
    wants_json = _wants_json(request)
    if refusal := other_login(request):
        return refusal
    try:
        stands = actions.mark_presence(
            actor=actor_of(request),
            participant_id=participant,
            round_number=number,
            here=here,
            ago=_age(request),
            waited=request.POST.get("waited") == "yes",
        )
    except DomainError as error:
        if wants_json:
            return JsonResponse({"sentence": explain(error)}, status=error.status)
        return _page(request, section, problem=explain(error), status=error.status)
    if wants_json and stands is not None:
        return JsonResponse({"here": stands.here, "sentence": overtaken_sentence(stands)}, status=409)
    if wants_json:
        return JsonResponse({"here": here})
    if back := request.POST.get("next"):
        return _onward(request, section, number, back)
    return redirect(f"{section_url('check-in', section)}{_same_rows(request)}#p-{participant}")


def _wants_json(request: PersonRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def _same_rows(request: PersonRequest) -> str:
    """Return the part of the address that brings back the rows from which a form was sent."""
    asked = {name: value[:LONGEST_SEARCH] for name in ROWS if (value := request.POST.get(name, ""))}
    return f"?{urlencode(asked)}" if asked else ""


def _age(request: PersonRequest) -> timedelta:
    """Return how long ago a mark was made, at most LONGEST_WAY: the clock of a phone may have jumped."""
    text = request.POST.get("ago", "")
    if not (text.isascii() and text.isdigit()):
        return timedelta(0)
    return min(timedelta(milliseconds=int(text[:12])), LONGEST_WAY)


@section_page("POST")
def mark_all(request: PersonRequest, section: Section) -> HttpResponse:
    """Everybody who is not marked is here."""
    number = seen_number(request, "round")
    try:
        actions.check_in_all(actor=actor_of(request), section_id=section.pk, round_number=number)
    except DomainError as error:
        section.refresh_from_db()
        return _page(request, section, problem=why_overtaken(section, error), status=error.status)
    return redirect(section_url("check-in", section))


def _onward(request: PersonRequest, section: Section, number: int, back: str) -> HttpResponse:
    """Back to where one choice was made, or to the cockpit when that was the last."""
    left = presence_list(section, number).missing
    return redirect(section_url("absences" if left and back == "absences" else "cockpit", section))


@section_page("POST")
def open_check_in(request: PersonRequest, section: Section) -> HttpResponse:
    """Begin to ask who is here for the next round."""
    try:
        actions.open_check_in(
            actor=actor_of(request),
            section_id=section.pk,
            after_round=seen_number(request, "after_round"),
        )
    except DomainError as error:
        section.refresh_from_db()
        return _page(request, section, problem=why_overtaken(section, error), status=error.status)
    return redirect(section_url("check-in", section))


@section_page("POST")
def close_check_in(request: PersonRequest, section: Section) -> HttpResponse:
    """End the check-in: players who were not seen are paired too. The page says so beside the button.

    If others are absent now than the page said, it says so again. Marks that wait in browsers are asked about first.
    """
    if (page := ask_first(request, section, but=WaitingOnDevice.Kind.RESULTS)) is not None:
        return page
    try:
        actions.close_check_in(
            actor=actor_of(request), section_id=section.pk, proceed=answers_of(request, section.pk)
        )
    except DomainError as question:
        section.refresh_from_db()
        return _page(request, section, problem=explain(question), status=question.status)
    return redirect(section_url("cockpit", section))


@section_page("GET", "HEAD", "POST")
def absences(request: PersonRequest, section: Section) -> HttpResponse:
    """Those who are not here, each with one choice; or one choice for all of them, shown before it is done.

    ?all=Z shows what a choice for all of them would do; posted as `choice` with the players' keys it is done.
    """
    if request.method != "POST":
        if asks_for_part(request) and request.GET.get("seen") == str(section.revision):
            return HttpResponse(status=204)
        return _absences(request, section, chosen=request.GET.get("all", ""))
    choice = request.POST.get("choice", "")
    players = [int(key) for key in request.POST.getlist("player") if key.isdecimal() and len(key) < 10]
    number = seen_number(request, "round")
    try:
        settled = settle_absences(
            actor=actor_of(request),
            section_id=section.pk,
            round_number=number,
            choices=dict.fromkeys(players, choice),
            proceed=answers_of(request, section.pk, number, choice, sorted(players)),
        )
    except DomainError as error:
        if error.code == "byes_to_confirm":
            return _absences(request, section, chosen=choice, players=players, question=error, status=422)
        section.refresh_from_db()
        return _absences(request, section, problem=why_overtaken(section, error), status=error.status)
    _message_settled(request, settled)
    return _onward(request, section, number, request.POST.get("next", "absences"))


def _message_settled(request: PersonRequest, settled: Settled) -> None:
    if sentence := settled_sentences(settled.byes, settled.withdrawn, settled.names):
        messages.info(request, f"{sentence}.")
    if settled.came:
        names = READER.listed(settled.came)
        messages.warning(
            request,
            _("Not changed, because they came or somebody else decided meanwhile: %(names)s.")
            % {"names": names},
        )


def _absences(
    request: PersonRequest,
    section: Section,
    *,
    chosen: str = "",
    players: list[int] | None = None,
    question: DomainError | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """chosen: what is proposed for `players`, or for all who are missing; nothing is written by that."""
    number = _next_round(section)
    people = presence_list(section, number)
    missing = people.missing if people.open else ()
    proposed = _proposed(people, chosen, players)
    context = {
        **section_context(request, section, "check-in"),
        "people": people,
        "close_answer": _close_answer(request, section, people),
        "number": number,
        "missing": missing,
        "part": cut(request, missing, long=len(missing) > WHOLE),
        "chosen": chosen if chosen in CHOICES else "",
        "proposed": proposed,
        "refused": [row for row in missing if row.half == "refused"] if chosen == Absence.HALF else [],
        "left_to_pair": people.expected - len(proposed),
        "by_enter": chosen != Absence.WITHDRAW and not question and people.mostly_here,
        "too_few_left": bool(proposed) and people.expected - len(proposed) < FEWEST,
        "question": explain(question) if question else "",
        "answer": question.answer if question else "",
        "problem": problem,
    }
    template = (
        "staff/presence_absences.html#live" if asks_for_part(request) else "staff/presence_absences.html"
    )
    return render(request, template, context, status=status)


def _close_answer(request: PersonRequest, section: Section, people: PresenceList) -> str:
    """Return the answer that the button "Close check-in" gives: who is absent, as the page says."""
    question = actions.close_question(people.round_number, (row.participant_id for row in people.missing))
    return answers_of(request, section.pk).to(question)


def _proposed(people: PresenceList, chosen: str, players: list[int] | None) -> list[object]:
    """Who the choice would be made for: half-point byes leave out those who have no right to one."""
    if chosen not in CHOICES:
        return []
    rows = [row for row in people.missing if players is None or row.participant_id in players]
    return [row for row in rows if chosen != Absence.HALF or row.half != "refused"]


def _next_round(section: Section) -> int:
    return rounds_paired(section) + 1
