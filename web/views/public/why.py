"""Why a published round was paired in this way, for visitors: the round, a board, and the steps to work it out.

The arbiter decides who may read it (`Section.explained_to`). Explaining a round may take seconds, so
`server/dispatch.py` gives these pages one thread, and each round is kept (web/why.py).
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from evenboard_engine.systems.system import Explainer
from evenboard_engine.words.explanation import Words
from tournaments.engine_package import engine_package
from tournaments.models import EnginePackage, Section
from tournaments.queries.why import Cause, RoundExplanation
from web.context import section_context, section_url
from web.files import file_name, file_response
from web.views.public.public_page import Visit, between, visitor_page
from web.why import (
    PARTS,
    ROWS,
    Explained,
    as_played,
    bracket_parts,
    decisions_used,
    explained,
    lead_of_pair,
    left_out_groups,
    nearer_opponents,
    overview,
    part_of,
    parts_of,
    sentences_by_rules,
    words_of_round,
)
from web.why_pictures import Address, match_picture
from web.words.systems import numbers_line, system_name

TRF = "text/plain; charset=utf-8"
PYZ = "application/octet-stream"


@visitor_page()
def explained_round(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """Show a whole round: the pictures, the bye, each bracket in short, and the file to check it."""
    shown = _explained(visit, number)
    found, words = shown.found, words_of_round(shown.found)
    context = _context(request, visit.section, number, found)
    context |= {"file": _file_facts(visit.section, number, shown)}
    if found.explainer is not None:
        trace, address = found.explainer.trace, _addresses(found)
        context |= overview(found, words, trace)
        context |= {
            "round_steps": [] if found.cause is Cause.OFFER else words.round(trace),
            "brackets": [
                bracket_parts(found, words, bracket, address, most=ROWS) for bracket in trace.brackets
            ],
        }
    return _answer(visit, render(request, "public/why_round.html", context))


@visitor_page()
def explained_board(request: HttpRequest, visit: Visit, number: int, board: int) -> HttpResponse:
    """Show why the two players of a board meet, in three sentences and a picture, then step by step."""
    found = _explained(visit, number).found
    white = next((key for key, at in found.boards.items() if at == board), None)
    if white is None:
        raise Http404
    white, black = found.played[white]
    words = words_of_round(found)
    context = _context(request, visit.section, number, found)
    context |= {
        "board": board,
        "side": found.field.side(white),
        "players": as_played(found, words, white),
        "decisions": decisions_used(found, (white, black)),
        "before": max((at for at in found.boards.values() if at < board), default=None),
        "after": min((at for at in found.boards.values() if at > board), default=None),
    }
    if found.explainer is not None:
        context["by_rules"] = sentences_by_rules(found, found.explainer, words, (white, black))
        if not found.departs(white):
            context |= _of_pair(found, found.explainer, words, white)
    return _answer(visit, render(request, "public/why_board.html", context))


@visitor_page(part=between(1, PARTS))
def work_out(request: HttpRequest, visit: Visit, number: int, bracket: int) -> HttpResponse:
    """Show the steps of a bracket, each closed at first, so that a reader can choose the pairs before the rules do.

    A long bracket has several parts (?part=2).
    """
    found = _explained(visit, number).found
    brackets = found.explainer.trace.brackets if found.explainer else ()
    if found.explainer is None or not 1 <= bracket <= len(brackets):
        raise Http404
    words = words_of_round(found, longest=ROWS)
    trace = brackets[bracket - 1]
    parts = parts_of(trace)
    part = min(int(request.GET.get("part", "1")), parts)
    context = _context(request, visit.section, number, found)
    context |= {
        "bracket": bracket,
        "brackets": len(brackets),
        "before": bracket - 1,
        "after": bracket + 1 if bracket < len(brackets) else 0,
        "points": words.bracket_name(trace),
        "decisions": decisions_used(
            found, {*trace.residents, *trace.upfloaters, *(member.id for member in (*trace.g1, *trace.g2))}
        ),
        "has_brackets": words.has_brackets,
        "position": words.position(trace),
        "steps": words.steps_of_bracket(trace),
        "work": part_of(found, found.explainer, words, trace, part),
        "part": part,
        "parts": range(1, parts + 1) if parts > 1 else (),
    }
    return _answer(visit, render(request, "public/why_work.html", context))


@visitor_page()
def round_file(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """Send the report file from which the round can be paired again. It names nobody."""
    shown = _explained(visit, number)
    return _answer(visit, file_response(shown.file, _file_name(visit.section, number, shown), TRF))


def _explained(visit: Visit, number: int) -> Explained:
    if not visit.section.is_explained:
        raise Http404
    return explained(visit.section, number)


def _answer(visit: Visit, response: HttpResponse) -> HttpResponse:
    """Ask search engines to leave the page out if it is for players only."""
    if not visit.section.is_explained_to_everybody:
        response["X-Robots-Tag"] = "noindex"
    return response


def _context(request: HttpRequest, section: Section, number: int, found: RoundExplanation) -> dict[str, Any]:
    return {
        **section_context(request, section, "pairings", number),
        "number": number,
        "explained": found.explainer is not None,
        "cause": found.cause,
        "paired_by": found.paired_by,
        "impossible": found.impossible is not None,
        "decisions": decisions_used(found),
        "not_kept_apart": left_out_groups(found),
        "numbers_line": numbers_line(section),
    }


def _of_pair(found: RoundExplanation, explainer: Explainer, words: Words, player: int) -> dict[str, object]:
    """Explain a pair from the side of the player who chose, who stands in the first column."""
    pair, bracket = explainer.pair_of(player), explainer.bracket_of(player)
    assert pair is not None, "the round has this pair"
    assert bracket is not None, "a pair is in a bracket"
    picture = (
        match_picture(found, bracket, words, _addresses(found), pair, whole=False) if bracket.g1 else None
    )
    nearer = nearer_opponents(bracket, pair, pair.first)
    return {
        "lead": lead_of_pair(found, explainer, words, player),
        "picture": picture,
        "steps": words.steps_of_bracket(bracket),
        "has_brackets": words.has_brackets,
        "nearer": [(found.field.side(key), words.reason(reason)) for key, reason in nearer],
        "chooser": words.name(pair.first),
        "bracket": explainer.trace.brackets.index(bracket) + 1,
    }


def _addresses(found: RoundExplanation) -> Address:
    """Return the function that returns the page of a player's board, by key; that of the round without a board."""
    number = found.field.before_round
    whole = section_url("explained", found.field.section, number=number)

    def address(key: int) -> str:
        board = found.boards.get(key)
        return whole if board is None else f"{whole}{board}/"

    return address


def _file_facts(section: Section, number: int, shown: Explained) -> dict[str, object]:
    """Return what a reader needs to check the file: its name and checksum, the engine and the commands."""
    name = _file_name(section, number, shown)
    engine = engine_name(shown.version, shown.program)
    start = f"python {engine} --{section.system} {name}"
    return {
        "name": name,
        "checksum": shown.checksum,
        "version": shown.version,
        "rules": f"{system_name(section.system)}, {shown.rules}",
        "engine": engine,
        "has_engine": shown.program == engine_package()[0]
        or EnginePackage.objects.filter(code=shown.program).exists(),
        "command": f"{start} -p",
        "explain": f"{start} --explain",
    }


def engine_name(version: str, code: str) -> str:
    return f"evenboard-engine-{version}-{code[:12]}.pyz"


@visitor_page()
def engine_file(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """Send the engine that paired the round. An engine that came with a copy from another site is not here."""
    shown = _explained(visit, number)
    code, content = engine_package()
    if shown.program != code:
        content = bytes(get_object_or_404(EnginePackage, code=shown.program).content)
    return _answer(visit, file_response(content, engine_name(shown.version, shown.program), PYZ))


def _file_name(section: Section, number: int, shown: Explained) -> str:
    """Return a name with the beginning of the checksum, so that two files of a round are told apart."""
    return file_name(section, f"-round-{number}-{shown.checksum[:12]}.trf")
