"""Pairing by hand: begin, change pairs one by one, compare with the pairing by the rules, end."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render

from evenboard_engine.findings import Level
from pairing.by_hand import (
    begin_manual_phase,
    change_by_hand,
    concern_values,
    end_by_the_rules,
    end_manual_phase,
    question_of,
    start_by_hand,
)
from tournaments.actions.undo import undo
from tournaments.declarations import names_of
from tournaments.declarations.rounds import BEGIN_MANUAL_PHASE, CHANGE_BY_HAND, START_BY_HAND
from tournaments.errors import PAIRS_ARE_PUBLIC, DomainError
from tournaments.files.report_comments import line_of_comparison
from tournaments.models import ActionLog, Round, Section
from tournaments.queries.by_hand import HandComparison, HandRound, hand_comparison, hand_position, hand_round
from tournaments.queries.log import undone_in
from tournaments.questions import Answers
from tournaments.seating import OF_ALL, SeatingStep, SeatMove
from web.context import section_context, section_url
from web.requests import PersonRequest
from web.views.public.lists import find_key
from web.words.by_hand import (
    ConcernWords,
    broken_rules,
    concern_words,
    reasons_of,
    why_impossible,
)
from web.words.refusals.byes import bye_to_confirm

from .access import actor_of, answers_of, asks_for_part, section_page, why_overtaken
from .rounds import seen_number
from .waiting_on_devices import waiting_first


@section_page("GET", "HEAD", "POST")
def by_hand(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """Show the round while the phase is open; before and after that, the page that opens the phase."""
    row = _round(section, number)
    if not row.manual_phase:
        return _closed(request, section, row)
    if request.method == "POST":
        return _change(request, section, row)
    return _open(request, section, number, picked=_key(request.GET, "picked"))


@section_page("POST")
def begin(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    row = _round(section, number)
    try:
        begin_manual_phase(
            actor=actor_of(request),
            round_id=row.pk,
            seen_version=seen_number(request, "version"),
            public=_to_public(request, row),
        )
    except DomainError as error:
        row.refresh_from_db()
        if row.manual_phase:
            return redirect(section_url("by-hand", section, number=number))
        return _closed(request, section, row, error)
    return redirect(section_url("by-hand", section, number=number))


@section_page("POST")
@waiting_first
def start(request: PersonRequest, section: Section) -> HttpResponse:
    """Start the next round, which the rules cannot pair: empty, or with the pairs that break the fewest rules."""
    row = start_by_hand(
        actor=actor_of(request),
        section_id=section.pk,
        after_round=seen_number(request, "after_round"),
        proposal=request.POST.get("with") == "proposal",
    )
    return redirect(section_url("by-hand", section, number=row.number))


@section_page("GET", "HEAD", "POST")
def end(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """Compare with the pairing by the rules, or the offer, and end the phase; ?do=engine takes these pairs first."""
    row = _round(section, number)
    if not row.manual_phase:
        return _closed(request, section, row)
    error = None
    if request.method == "POST":
        seen = seen_number(request, "version")
        try:
            if request.POST.get("do") == SeatMove.ENGINE:
                end_by_the_rules(actor=actor_of(request), round_id=row.pk, seen_version=seen)
            else:
                reason = request.POST.get("reason", "")[:300]
                end_manual_phase(
                    actor=actor_of(request),
                    round_id=row.pk,
                    seen_version=seen,
                    reason=reason,
                    confirmed=answers_of(request, row.pk, seen),
                )
        except DomainError as refusal:
            error = refusal
        else:
            return redirect(section_url("cockpit", section))
    return _compared(request, section, number, error)


# --- the open round


def _change(request: PersonRequest, section: Section, row: Round) -> HttpResponse:
    """Make one change; or, without a script, pick the first of two players."""
    step = _step(request.POST)
    address = section_url("by-hand", section, number=row.number)
    if step is None:
        picked = _key(request.POST, "player")
        part = asks_for_part(request)
        return (
            _open(request, section, row.number, picked=picked)
            if part
            else redirect(f"{address}?picked={picked or ''}")
        )
    try:
        fresh = _apply(request, section, row, step)
    except DomainError as error:
        section.refresh_from_db()
        return _open(request, section, row.number, refused=error, step=step, status=error.status)
    if not asks_for_part(request) and not fresh:
        return redirect(address)
    return _open(request, section, row.number, fresh=fresh)


def _apply(
    request: PersonRequest, section: Section, row: Round, step: SeatingStep | int
) -> list[ConcernWords]:
    """Make the change; return what the arbiter must acknowledge. A number is the revision of a change to undo."""
    if isinstance(step, int):
        undo(actor=actor_of(request), section_id=section.pk, revision=step)
        return []
    seen = seen_number(request, "version")
    _row, fresh = change_by_hand(
        actor=actor_of(request),
        round_id=row.pk,
        seen_version=seen,
        step=step,
        confirmed=answers_of(request, row.pk, seen, step),
    )
    if all(one.level < Level.ACKNOWLEDGE for one in fresh):
        return []
    found = hand_position(section, row.number)
    return [
        concern_words(concern_values(one, found), one.level)
        for one in fresh
        if one.level >= Level.ACKNOWLEDGE
    ]


def _step(sent: QueryDict) -> SeatingStep | int | None:
    """Return what a form asks for: a change for one player or for two, or the revision of a change to undo."""
    what, picked, other = sent.get("do", ""), _key(sent, "picked"), _key(sent, "player")
    if (again := sent.get("again")) in set(SeatMove) and "answer" in sent:
        return SeatingStep(SeatMove(again), _key(sent, "again-player"), _key(sent, "again-other"))
    if what.startswith("undo:"):
        revision = what.removeprefix("undo:")
        return int(revision) if revision.isascii() and revision.isdigit() and len(revision) < 10 else -1
    if what in set(SeatMove) - {SeatMove.SWAP}:
        return SeatingStep(SeatMove(what), 0 if what in OF_ALL else _key(sent, "on") or picked)
    return SeatingStep(SeatMove.SWAP, picked, other) if picked and other else None


def _open(
    request: PersonRequest,
    section: Section,
    number: int,
    *,
    picked: int = 0,
    refused: DomainError | None = None,
    step: SeatingStep | int | None = None,
    fresh: list[ConcernWords] | None = None,
    status: int = 200,
) -> HttpResponse:
    try:
        found = hand_round(section, number)
    except Round.DoesNotExist as error:
        raise Http404 from error
    if not found.position.round.manual_phase:  # somebody else has ended the phase
        return redirect(section_url("by-hand", section, number=number))
    asks = refused if refused is not None and refused.code == "by_hand_concerns" else None
    context = {
        **section_context(request, section, "pairings", number),
        "number": number,
        "round": found.position.round,
        "hand": found,
        "impossible": why_impossible(found.model.impossible),
        "rows": [_row(found, board) for board in found.boards],
        "bye_concerns": _concern_words(found, found.bye_concerns),
        "picked": found.position.field.participants.get(picked),
        "picked_seat": found.seats.get(picked),
        "asked": [concern_words(concern, Level.PROCEED) for concern in asks.params["concerns"]]
        if asks
        else [],
        "asked_byes": [bye_to_confirm(bye) for bye in asks.params["byes"]] if asks else [],
        "asked_step": step if asks else None,
        "answer": asks.answer if asks else "",
        "refusal": why_overtaken(section, refused) if refused is not None and not asks else "",
        "fresh": fresh or [],
        "last": _last_change(section, number),
    }
    template = "staff/by_hand.html#live" if asks_for_part(request) else "staff/by_hand.html"
    return render(request, template, context, status=status)


def _row(found: HandRound, board: Any) -> dict[str, Any]:
    white, black = board.white.side, board.black.side
    key = find_key(board.board, white.tpn, white.name, black.tpn, black.name)
    return {"board": board, "concerns": _concern_words(found, board.concerns), "find": key}


def _concern_words(found: HandRound, concerns: Any) -> list[ConcernWords]:
    return [concern_words(concern_values(concern, found.position), concern.level) for concern in concerns]


def _last_change(section: Section, number: int) -> ActionLog | None:
    """Return the last change of the phase that is not undone. Two queries."""
    rows = ActionLog.objects.filter(section=section, round_number=number)
    began = rows.filter(action__in=names_of((BEGIN_MANUAL_PHASE, START_BY_HAND))).order_by("-pk").first()
    if began is None:
        return None
    undone = undone_in(section.pk)
    changes = rows.filter(action=CHANGE_BY_HAND.name, revision__gt=began.revision).order_by("-pk")
    return next((row for row in changes if row.revision not in undone), None)


# --- before and after


def _closed(
    request: PersonRequest, section: Section, row: Round, error: DomainError | None = None
) -> HttpResponse:
    """Say what will happen, with the button; for a finished round, say why it is too late."""
    unconfirmed = error is not None and error.code == "pairs_are_public"
    question = PAIRS_ARE_PUBLIC.error(round=row.number)
    context = {
        **section_context(request, section, "pairings", row.number),
        "round": row,
        "number": row.number,
        "results": _results(row),
        "answer": _to_public(request, row).to(question),
        "problem": why_overtaken(section, error) if error is not None and not unconfirmed else "",
    }
    status = error.status if error else 200
    return render(request, "staff/by_hand_begin.html", context, status=status)


def _to_public(request: PersonRequest, row: Round) -> Answers:
    """Return what the person answered about published pairs, of which some have results."""
    return answers_of(request, row.pk, row.version, _results(row))


def _results(row: Round) -> int:
    return row.games.exclude(result="").count()


def _compared(
    request: PersonRequest, section: Section, number: int, error: DomainError | None
) -> HttpResponse:
    found = hand_position(section, number)
    compared = hand_comparison(found)
    again = error is not None and error.code == "differs_from_engine" and error.time > 1
    version = seen_number(request, "version") if again else found.round.version
    first = answers_of(request, found.round.pk, version).to(question_of(found.round, compared))
    context = {
        **section_context(request, section, "pairings", number),
        "number": number,
        "round": found.round,
        "compared": compared,
        "offered": compared.model.offered,
        "impossible": why_impossible(compared.model.impossible),
        "mine": [_pair(compared, pair) for pair in compared.mine],
        "engines": [_pair(compared, pair) for pair in compared.engines],
        "byes": [found.field.side(key) if key else None for key in _different(*compared.bye)],
        "pool": [found.field.side(key) for key in found.pool],
        "broken": broken_rules(found),
        "reasons": reasons_of(compared),
        "line": line_of_comparison(compared),
        "reason": request.POST.get("reason", "")[:300],
        "problem": why_overtaken(section, error)
        if error is not None and error.code != "differs_from_engine"
        else "",
        "version": version,
        "answer": error.answer if error is not None and again else first,
    }
    template = "staff/by_hand_confirm.html" if again else "staff/by_hand_end.html"
    return render(request, template, context, status=error.status if error else 200)


def _different(mine: int | None, engines: int | None) -> tuple[int | None, int | None]:
    """Who has the bye on each side; nobody where both sides agree."""
    return (None, None) if mine == engines else (mine, engines)


def _pair(compared: HandComparison, pair: tuple[int, int]) -> dict[str, Any]:
    field = compared.position.field
    boards = {(game.white_id, game.black_id): game.board for game in compared.position.games}
    return {"board": boards.get(pair), "white": field.side(pair[0]), "black": field.side(pair[1])}


def _round(section: Section, number: int) -> Round:
    return get_object_or_404(Round, section=section, number=number)


def _key(sent: QueryDict, name: str) -> int:
    """The participant that a form names; 0 for none."""
    text = sent.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
