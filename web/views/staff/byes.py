"""Requested byes and absences, and ways out that want a page of their own.

A player leaves the section; a section leaves FIDE mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from base.text import alphabetical, isolated
from evenboard_engine import ByeKind, Colour
from pairing.rounds import pair_again_without
from tournaments.actions.byes import cancel_bye, request_byes
from tournaments.actions.entries import allow_half_byes, edit_participant, withdraw_participant
from tournaments.actions.ledger import Actor, transaction_or_busy
from tournaments.actions.moved_entries import move_or_keep
from tournaments.actions.presence import Absent, forfeit_absent
from tournaments.actions.roster import entry_data
from tournaments.actions.sections import leave_fide_mode
from tournaments.errors import FIDE_MODE_TO_CONFIRM, REASON_REQUIRED, DomainError
from tournaments.models import Bye, Game, Participant, Section
from tournaments.models.entries import names_for_arbiters
from tournaments.queries.byes import FULL_POINT_BYE, bye_warnings
from tournaments.queries.entries import EntryRow, RequestedBye, entry_list, leaving
from tournaments.queries.row_cache import entries_and_byes
from tournaments.rights import Right
from web.context import section_context, section_url
from web.forms.byes import ByeForm
from web.forms.errors import add_refusal
from web.forms.fields import is_long, suggestions
from web.requests import PersonRequest
from web.views.public.lists import WHOLE, cut
from web.views.public.paper import sheets_context
from web.views.public.public_page import Visit
from web.words.refusals import explain

from .access import (
    DIRECT,
    ENTRIES,
    MOST_STEPS,
    RUN,
    actor_of,
    answers_of,
    asked_again,
    asks_for_part,
    may_not,
    posted,
    reason_of,
    section_page,
    why_overtaken,
)
from .entries import entry_of, moves_to, say_moved
from .rounds import seen_number
from .waiting_on_devices import ask_first

# Requested byes, and absences.

DEPRECATED = gettext_lazy(
    "%(name)s now has a full-point bye. The report file shows it to the rating officer."
)


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
        messages.info(request, gettext_lazy("This bye no longer exists. Somebody has removed it already."))
        return redirect(section_url("byes", section))
    try:
        cancel_bye(actor=actor_of(request), bye_id=bye)
    except DomainError as error:
        form = ByeForm(players=_players(section))
        return _page(request, section, form, status=error.status, problem=explain(error))
    return redirect(section_url("byes", section))


# Ways out that want a page of their own: of a player from the section, and of the section from FIDE mode.

ONLY, FORFEIT, AGAIN = "only", "forfeit", "again"
"""What happens to the board of the running round: it is played, it is forfeited, or the round is paired again."""


def board_of(section: Section, entry: Participant) -> Game | None:
    """The board that the entry has in the latest round, while it has no result. One query."""
    related = ("round", "white__player", "black__player")
    if section.fixed_rounds:  # every game without a result is forfeited
        return None
    open_games = Game.objects.select_related(*related).filter(
        Q(white=entry) | Q(black=entry), round__section=section, result=""
    )
    return open_games.exclude(round__state="finished").order_by("-round__number").first()


@section_page("GET", "HEAD", "POST", permission=ENTRIES)
def leave_section(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Withdrawal or expulsion, and what becomes of the board of the round that is on.

    ?expel=1 is for expulsion, which needs a reason. The board changes only by people who may change rounds.
    """
    entry = entry_of(section, participant)
    expelled = (request.POST if request.method == "POST" else request.GET).get("expel") == "1"
    if request.method != "POST":
        return _leave(request, section, entry, expelled=expelled)
    if request.POST.get("board", ONLY) != ONLY and Right.RUN not in request.rights:
        raise PermissionDenied(may_not(RUN))
    if request.POST.get("board") == AGAIN and (page := ask_first(request, section)) is not None:
        return page
    reason = reason_of(request)
    try:
        if expelled and not reason:
            raise REASON_REQUIRED.error()
        _go(
            actor_of(request),
            entry,
            board_of(section, entry),
            request.POST.get("board", ONLY),
            seen=seen_number(request, "round" if request.POST.get("board") == AGAIN else "version"),
            reason=reason,
            expelled=expelled,
        )
    except DomainError as error:
        entry = entry_of(section, participant)
        return _leave(
            request,
            section,
            entry,
            expelled=expelled,
            problem=why_overtaken(section, error),
            reason=reason,
            status=error.status,
        )
    sentence = _("%(name)s is expelled.") if expelled else _("%(name)s is withdrawn.")
    messages.info(request, sentence % {"name": isolated(entry.player.name)})
    return redirect(section_url("cockpit" if request.POST.get("board") else "entries", section))


MOST_CHOSEN = 10_000
LONGEST_CLUB = 80


def chosen_keys(sent: QueryDict) -> list[int]:
    """Return the keys of the chosen players. The list of entries sends all of them in one field, players, because a
    form has at most `DATA_UPLOAD_MAX_NUMBER_FIELDS` fields; without its script it sends a field for each.
    """
    keys = [*sent.getlist("player"), *sent.get("players", "").split()]
    return [int(key) for key in keys[:MOST_CHOSEN] if key.isascii() and key.isdecimal() and len(key) < 10]


@section_page("GET", "HEAD", "POST", permission=ENTRIES)
def chosen_entries(request: PersonRequest, section: Section) -> HttpResponse:
    """Name the chosen players before they get a bye (do: bye), go to another section, are withdrawn, or get a club
    (club). One press is for as many as one undo is. The list posts them, because an address has no room for
    thousands; named: the page with their names sent the form.

    do: cards is their place cards.
    """
    sent = request.POST if request.method == "POST" else request.GET
    active = section.participants.filter(pk__in=chosen_keys(sent), status=Participant.Status.ACTIVE)
    every = list(active.select_related("player").order_by("tpn", "pk"))
    chosen = every[:MOST_STEPS]
    do = sent.get("do", "withdraw")[:10]
    if do == "bye" and Right.RUN not in request.rights:
        raise PermissionDenied(may_not(RUN))
    club = " ".join(sent.get("club", "").split())[:LONGEST_CLUB] if do == "club" else ""
    if do == "cards" and chosen:
        with names_for_arbiters():
            context = sheets_context(request, Visit(section, staff=True), "cards", None)
            return render(request, "print/cards.html", context)
    named = request.method == "POST" and "named" in sent
    form = ByeForm(posted(request) if named and do == "bye" else None, players=chosen)
    del form.fields["participant"]
    others = {other.slug: other for other in moves_to(request, section)} if do == "move" else {}
    to = others.get(sent.get("to", ""))
    complete = {"move": to is not None, "club": bool(club)}
    ready = named and (form.is_valid() if do == "bye" else complete.get(do, True))
    questions: list[DomainError] = []
    if chosen and ready:
        questions = _change_chosen(request, chosen, form if do == "bye" else None, to, club)
    if not chosen or (ready and not questions):
        return redirect(section_url("entries", section))
    context = section_context(request, section, "entries")
    context |= {
        "chosen": chosen,
        "of": len(every),
        "do": do,
        "form": form,
        "moves_to": others.values(),
        "to": to,
    }
    context["questions"] = [(question, explain(question)) for question in questions]
    status = 422 if form.errors or questions else 200
    return render(request, "staff/entries_chosen.html", context, status=status)


def _change_chosen(
    request: PersonRequest, chosen: Sequence[Participant], byes: ByeForm | None, to: Section | None, club: str
) -> list[DomainError]:
    """Give the byes, move the players to a section, give them a club, or else withdraw them.

    Return questions; then nothing is saved.
    """
    answers = replace(answers_of(request), given=frozenset(request.POST.getlist("answer")))
    refused: list[DomainError] = []
    moved = []
    with transaction_or_busy():
        for entry in chosen:
            of: dict[str, Any] = {"actor": actor_of(request), "participant_id": entry.pk}
            try:
                if byes is not None:
                    request_byes(**of, **byes.cleaned_data, proceed=answers, instead=answers)
                elif to is not None:
                    found = move_or_keep(**of, section_id=to.pk, asked=answers, both=answers)
                    moved.append((entry, found, to))
                elif club:
                    edit_participant(**of, entry=replace(entry_data(entry), club=club))
                else:
                    withdraw_participant(**of, reason=reason_of(request))
            except DomainError as error:  # not this player: a registration, or somebody else was faster
                refused.append(error)
        questions = [error for error in refused if error.answer]
        transaction.set_rollback(bool(questions))
    if questions:
        return questions
    for each in refused:
        messages.warning(request, explain(each))
    for move in moved:
        say_moved(request, *move)
    return []


def _go(
    actor: Actor, entry: Participant, game: Game | None, board: str, *, seen: int, reason: str, expelled: bool
) -> None:
    if game is not None and board == AGAIN:
        pair_again_without(
            actor=actor,
            participant_id=entry.pk,
            round_id=game.round_id,
            seen_version=seen,
            reason=reason,
            expelled=expelled,
        )
        return
    if game is not None and board == FORFEIT and (entry.is_active or expelled):
        forfeit_absent(
            actor=actor,
            game_id=game.pk,
            absent=Absent.WHITE if _colour(game, entry) is Colour.WHITE else Absent.BLACK,
            seen_version=seen,
            withdraw=True,
            expelled=expelled,
            reason=reason,
        )
        return
    withdraw_participant(actor=actor, participant_id=entry.pk, reason=reason, expelled=expelled)


def _colour(game: Game, entry: Participant) -> Colour:
    return Colour.WHITE if game.white_id == entry.pk else Colour.BLACK


def _leave(
    request: PersonRequest,
    section: Section,
    entry: Participant,
    *,
    expelled: bool,
    problem: str = "",
    reason: str = "",
    status: int = 200,
) -> HttpResponse:
    section.refresh_from_db()
    game = board_of(section, entry)
    context = {
        **section_context(request, section, "entries"),
        "entry": entry,
        "expel": expelled,
        "game": game,
        "runs": Right.RUN in request.rights,
        "opponent": (game.black if game.white_id == entry.pk else game.white) if game else None,
        "untouched": game is not None and not game.round.games.exclude(result="").exists(),
        "sign": "– +" if game and game.white_id == entry.pk else "+ –",
        "fixed": leaving(section, entry),
        "reason": reason,
        "problem": problem,
    }
    return render(request, "staff/entries_leave.html", context, status=status)


@section_page("POST")
def half_byes(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Whether a player may ask for half-point byes (VCL4THP.13 Q175)."""
    entry = entry_of(section, participant)
    allowed = request.POST.get("allowed") == "yes"
    allow_half_byes(actor=actor_of(request), participant_id=entry.pk, allowed=allowed)
    sentence = (
        _("%(name)s may ask for half-point byes.")
        if allowed
        else _("%(name)s may no longer ask for half-point byes. Byes that were given stay.")
    )
    messages.info(request, sentence % {"name": isolated(entry.player.name)})
    return redirect(section_url("edit-entry", section, participant=entry.pk))


@section_page("GET", "HEAD", "POST", permission=DIRECT)
def fide_mode(request: PersonRequest, section: Section) -> HttpResponse:
    """Out of FIDE mode: asked twice, the second time with the consequences (VCL4THP.13 Q43), and never back (Q45)."""
    reason = reason_of(request) if request.method == "POST" else ""
    problem, status, answers = "", 200, answers_of(request, section.pk)
    question = FIDE_MODE_TO_CONFIRM.error(paired=section.played_rounds.count())
    question.answer = answers.to(question)
    if request.method == "POST":
        try:
            leave_fide_mode(actor=actor_of(request), section_id=section.pk, reason=reason, asked=answers)
        except DomainError as error:
            question = error
            if error.code != "fide_mode_to_confirm":
                problem, status = explain(error), error.status
        else:
            return redirect(section_url("settings", section))
    section.refresh_from_db()
    context = {
        **section_context(request, section, "settings"),
        **asked_again(request, question),
        "reason": reason,
        "problem": problem,
    }
    return render(request, "staff/sections_fide_mode.html", context, status=status)
