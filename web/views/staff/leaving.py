"""Ways out that want a page of their own: of a player from the section, and of the section from FIDE mode."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from base.text import isolated
from evenboard_engine import Colour
from pairing.late_withdrawal import pair_again_without
from tournaments.actions.absences import Absent, forfeit_absent
from tournaments.actions.entries import allow_half_byes, withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import leave_fide_mode
from tournaments.errors import DomainError
from tournaments.models import Game, Participant, Section
from tournaments.queries.leaving import leaving
from tournaments.rights import Right
from web.context import section_context, section_url
from web.forms.entries import ReasonForm
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import DIRECT, ENTRIES, RUN, actor_of, answers_of, asked_again, may_not, section_page
from .overtaken import why_not
from .rounds import seen_number
from .waiting_on_devices import ask_first

ONLY, FORFEIT, AGAIN = "only", "forfeit", "again"
"""What happens to the board of the running round: it is played, it is forfeited, or the round is paired again."""


def _entry(section: Section, participant: int) -> Participant:
    entry = section.participants.select_related("player").filter(pk=participant).first()
    if entry is None:
        raise Http404
    return entry


def board_of(section: Section, entry: Participant) -> Game | None:
    """The board that the entry has in the latest round, while it has no result. One query."""
    related = ("round", "white__player", "black__player")
    if section.fixed_rounds:  # every game without a result is forfeited
        return None
    open_games = Game.objects.select_related(*related).filter(
        Q(white=entry) | Q(black=entry), round__section=section, result=""
    )
    return open_games.exclude(round__state="finished").order_by("-round__number").first()


def _reason(request: PersonRequest) -> str:
    form = ReasonForm(request.POST)
    return str(form.cleaned_data["reason"]) if form.is_valid() else ""


@section_page("GET", "HEAD", "POST", permission=ENTRIES)
def leave(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Withdrawal or expulsion, and what becomes of the board of the round that is on.

    ?expel=1 is for expulsion, which needs a reason. The board changes only by people who may change rounds.
    """
    entry = _entry(section, participant)
    expelled = (request.POST if request.method == "POST" else request.GET).get("expel") == "1"
    if request.method != "POST":
        return _leave(request, section, entry, expelled=expelled)
    if request.POST.get("board", ONLY) != ONLY and Right.RUN not in request.rights:
        raise PermissionDenied(may_not(RUN))
    if request.POST.get("board") == AGAIN and (page := ask_first(request, section)) is not None:
        return page
    reason = _reason(request)
    try:
        if expelled and not reason:
            raise DomainError("reason_required")
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
        entry = _entry(section, participant)
        return _leave(
            request,
            section,
            entry,
            expelled=expelled,
            problem=why_not(section, error),
            reason=reason,
            status=error.status,
        )
    sentence = _("%(name)s is expelled.") if expelled else _("%(name)s is withdrawn.")
    messages.info(request, sentence % {"name": isolated(entry.player.name)})
    return redirect(section_url("cockpit" if request.POST.get("board") else "entries", section))


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
    return render(request, "staff/leave.html", context, status=status)


@section_page("POST")
def half_byes(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Whether a player may ask for half-point byes (VCL4THP.13 Q175)."""
    entry = _entry(section, participant)
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
    reason = _reason(request) if request.method == "POST" else ""
    problem, status, answers = "", 200, answers_of(request, section.pk)
    question = DomainError("fide_mode_to_confirm", paired=section.played_rounds.count())
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
    return render(request, "staff/fide_mode.html", context, status=status)
