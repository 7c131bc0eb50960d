"""Why this pairing? For a whole round, bracket by bracket, and for one player. Arbiters only."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from pairing.engine import Colour
from pairing.engine.dubov.why import Explainer
from pairing.engine.trace import BracketTrace, PairTrace, Reason
from pairing.explanation_words import Statement, Words
from tournaments.models import Bye, Participant, Round, Tournament
from tournaments.queries.explanation import RoundExplanation, explain_round
from tournaments.queries.field import Side
from tournaments.web.context import section_context
from tournaments.web.row_chart import pair_lines
from tournaments.web.words import bye_words

from .access import section_page

LONGEST_LIST = 12  # names in a sentence


@dataclass(frozen=True, slots=True)
class Row:
    """A row of S1 and G2 as the picture shows them. first, second: Side and ARO; they need not meet."""

    first: Side
    first_aro: int
    first_here: bool
    second: Side
    second_here: bool


@dataclass(frozen=True, slots=True)
class Picture:
    rows: tuple[Row, ...]
    lines: SafeString


@section_page("GET", "HEAD")
def why_round(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The whole round: the bye, then each bracket with its steps and its pairs."""
    found = _explained(tournament, number)
    context = _context(request, tournament, number, found)
    if found.explainer is not None:
        words = _words(found)
        trace = found.explainer.trace
        context |= {
            "bye": words.bye(trace.bye),
            "brackets": [
                {
                    "score": bracket.score,
                    "steps": words.bracket(bracket),
                    "pairs": [_pair(found, words, pair) for pair in bracket.pairs],
                }
                for bracket in trace.brackets
            ],
        }
    return render(request, "staff/why_round.html", context)


@section_page("GET", "HEAD")
def why_player(request: HttpRequest, tournament: Tournament, number: int, tpn: int) -> HttpResponse:
    """What one player may ask. ?other=<tpn> asks why not somebody else."""
    found = _explained(tournament, number)
    player = _by_tpn(found, tpn)
    context = _context(request, tournament, number, found)
    context |= {"side": found.field.side(player), "asked": request.GET.get("other", "")[:5]}
    if found.explainer is not None:
        context |= _of_player(found, found.explainer, _words(found), player)
        context |= _why_not(found, found.explainer, _words(found), player, context["asked"])
    return render(request, "staff/why_player.html", context)


def _of_player(found: RoundExplanation, explainer: Explainer, words: Words, player: int) -> dict[str, object]:
    told, pair, bracket = explainer.player(player), explainer.pair_of(player), explainer.bracket_of(player)
    colour = None if pair is None else Colour.WHITE if pair.white == player else Colour.BLACK
    answers = [
        (words.question(answer, told.opponent, colour), words.reasons(answer.reasons))
        for answer in told.answers
    ]
    context: dict[str, object] = {"answers": answers, "first": answers[0][1][0]}
    if pair is None or bracket is None:
        return context | {"out": _out(found, player)}
    return context | {
        "board": found.boards.get(player),
        "players": [
            (key_colour, found.field.side(key), found.field.histories[key])
            for key_colour, key in ((Colour.WHITE, pair.white), (Colour.BLACK, pair.black))
        ],
        "steps": words.bracket(bracket),
        "picture": _picture(found, bracket, pair),
        "by_colour": not (bracket.unplayed or bracket.shifted_first or bracket.shifted_second),
        "nearer": [
            (found.field.side(key), words.reason(reason)) for key, reason in _nearer(bracket, pair, player)
        ],
    }


def _out(found: RoundExplanation, player: int) -> str:
    """Why somebody was not to be paired; "" where the rows do not tell, or the pairing gave the bye."""
    number = found.field.before_round
    for bye in found.field.byes:
        if (bye.participant_id, bye.round_number) == (player, number):
            allocated = bye.source == Bye.Source.ALLOCATED
            return "" if allocated else gettext("There is a %(bye)s.") % {"bye": bye_words(bye.kind)}
    participant: Participant = found.field.participants[player]
    if number < participant.first_round:
        return gettext("The player enters in round %(round)s.") % {"round": participant.first_round}
    if participant.left_after is not None and participant.left_after < number:
        status = participant.get_status_display()
        return gettext("Status: %(status)s, after round %(round)s.") % {
            "status": status,
            "round": participant.left_after,
        }
    return ""


def _why_not(
    found: RoundExplanation, explainer: Explainer, words: Words, player: int, asked: str
) -> dict[str, object]:
    if not asked:
        return {}
    if not (asked.isascii() and asked.isdigit()):
        return {"why_not": [Statement(gettext("That is no pairing number."), ())]}
    other = _tpns(found).get(int(asked))
    if other is None or other == player:
        return {"why_not": [Statement(gettext("There is no other player with this number."), ())]}
    reasons = [explainer.why_not(player, other)]
    if reasons[0] == Reason("has_bye", {"player": other}):
        reasons.append(explainer.why_not_bye(player))
    return {"why_not": words.reasons(reasons), "other": found.field.side(other)}


def _nearer(bracket: BracketTrace, pair: PairTrace, player: int) -> list[tuple[int, Reason]]:
    """Who stood nearer in the order: for a row those of G2 it passed, for the others the rows that passed them."""
    if player == pair.first:
        return [(passed.player, passed.reason) for passed in pair.passed]
    return [
        (row.first, passed.reason)
        for row in bracket.pairs[: bracket.pairs.index(pair)]
        for passed in row.passed
        if passed.player == player
    ]


def _picture(found: RoundExplanation, bracket: BracketTrace, picked: PairTrace) -> Picture:
    aro = {member.id: member.aro for member in (*bracket.g1, *bracket.g2)}
    column = {key: place for place, key in enumerate(bracket.order)}
    rows = [
        Row(
            found.field.side(pair.first),
            aro[pair.first],
            pair is picked,
            found.field.side(second),
            second == picked.second,
        )
        for pair, second in zip(bracket.pairs, bracket.order, strict=True)
    ]
    lines = pair_lines([column[pair.second] for pair in bracket.pairs], picked=bracket.pairs.index(picked))
    return Picture(tuple(rows), lines)


def _pair(found: RoundExplanation, words: Words, pair: PairTrace) -> dict[str, object]:
    return {
        "board": found.boards.get(pair.white),
        "white": found.field.side(pair.white),
        "black": found.field.side(pair.black),
        "colours": words.reason(pair.colours),
    }


def _explained(tournament: Tournament, number: int) -> RoundExplanation:
    try:
        return explain_round(tournament, number)
    except Round.DoesNotExist as error:
        raise Http404 from error


def _tpns(found: RoundExplanation) -> dict[int, int]:
    return {row.tpn: key for key, row in found.field.participants.items() if row.tpn is not None}


def _by_tpn(found: RoundExplanation, tpn: int) -> int:
    player = _tpns(found).get(tpn)
    if player is None:
        raise Http404
    return player


def _words(found: RoundExplanation) -> Words:
    def name(key: int) -> str:
        participant: Participant = found.field.participants[key]
        return f"{participant.tpn} {participant.player.name.partition(',')[0]}"

    edition = found.field.engine.edition
    return Words(name, edition=edition, translate=gettext, plural=ngettext, longest=LONGEST_LIST)


def _context(
    request: HttpRequest, tournament: Tournament, number: int, found: RoundExplanation
) -> dict[str, object]:
    return {
        **section_context(request, tournament, "pairings", number),
        "number": number,
        "explained": found.explainer is not None,
        "differs": found.differs,
        "corrected": found.corrected[:LONGEST_LIST],
        "edition": found.field.engine.edition.value,
    }
