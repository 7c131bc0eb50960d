"""The pages "Why this pairing?": for a whole round, bracket by bracket, and for one player. For arbiters."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from base.reader import READER
from evenboard_engine import Colour, NoLegalPairing
from evenboard_engine.systems.system import Explainer, why_apart
from evenboard_engine.trace import PlayerExplanation
from evenboard_engine.words.explanation import Statement, Words
from tournaments.files.report_writing import entries_as_paired
from tournaments.models import Bye, Participant, Round, Section
from tournaments.queries.why import Cause, RoundExplanation, explain_round
from web.context import section_context, section_url
from web.requests import PersonRequest
from web.why import (
    LONGEST_LIST,
    as_played,
    bracket_parts,
    colours_of,
    decisions_used,
    in_steps,
    left_out_groups,
    nearer_opponents,
    overview,
    pair_row,
    rules_sentence,
    words_of_round,
)
from web.why_pictures import Address, match_picture
from web.words.refusals.rounds import why_no_legal_pairing
from web.words.systems import numbers_line
from web.words.values import bye_words

from .access import section_page


@section_page("GET", "HEAD")
def why_round(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """Show the whole round: picture, bye, and each bracket with its steps and pairs."""
    found = _explained(section, number)
    context = _context(request, section, number, found)
    if found.explainer is not None:
        words, address = words_of_round(found), _addresses(found)
        trace = found.explainer.trace
        context |= {
            **overview(found, words, trace),
            # What was decided before an offer is among the steps that were tried.
            "round_steps": [] if found.cause is Cause.OFFER else words.round(trace),
            "brackets": [
                {
                    **bracket_parts(found, words, bracket, address),
                    "steps": words.more_of_bracket(bracket),
                    "pairs": [pair_row(found, words, pair) for pair in bracket.pairs],
                }
                for bracket in trace.brackets
            ],
        }
    return render(request, "staff/why_round.html", context)


@section_page("GET", "HEAD")
def why_player(request: PersonRequest, section: Section, number: int, tpn: int) -> HttpResponse:
    """Show the pairing of one player. ?other=<tpn> asks why not another opponent."""
    found = _explained(section, number)
    player = _by_tpn(found, tpn)
    context = _context(request, section, number, found)
    asked = request.GET.get("other", "")[:5]
    context |= {
        "side": found.field.side(player),
        "asked": asked,
        "board": found.boards.get(player),
        "players": as_played(found, words_of_round(found), player),
        "decisions": decisions_used(found, {player, *found.played.get(player, ())}),
    }
    if found.explainer is not None:
        context |= _of_player(found, found.explainer, words_of_round(found), player)
        context |= _why_not(found, found.explainer, words_of_round(found), player, asked)
    return render(request, "staff/why_player.html", context)


def _of_player(found: RoundExplanation, explainer: Explainer, words: Words, player: int) -> dict[str, object]:
    explanation, pair, bracket = (
        explainer.player(player),
        explainer.pair_of(player),
        explainer.bracket_of(player),
    )
    colour = None if pair is None else Colour.WHITE if pair.white == player else Colour.BLACK
    if pair is None or bracket is None:
        statements = words.reasons(explanation.answers[0].reasons)
        why = Statement(
            " ".join(filter(None, (statements[0].text, _out(found, player)))), statements[0].articles
        )
        return {
            "lead": [why],
            "answers": _more(words, explanation, colour),
            "by_rules": rules_sentence(found, words, player, pair),
        }
    address = _addresses(found)
    picture = match_picture(found, bracket, words, address, pair, whole=False) if bracket.g1 else None
    nearer = nearer_opponents(bracket, pair, player)
    without = "opponent" if nearer or words.lead_is_complete else ""
    lead = words.lead_of_pair(explanation, bracket, pair)
    lead[-1] = [colours_of(found, words, pair)]
    return {
        "lead": in_steps(words, lead),
        "answers": _more(words, explanation, colour, without=without),
        "by_rules": rules_sentence(found, words, player, pair),
        "explained_pair": True,
        "steps": words.steps_of_bracket(bracket),
        "has_brackets": words.has_brackets,
        "picture": picture,
        "whole": match_picture(found, bracket, words, address, pair)
        if picture and (picture.above or picture.below)
        else None,
        "nearer": [(found.field.side(key), words.reason(reason)) for key, reason in nearer],
    }


def _more(
    words: Words, explanation: PlayerExplanation, colour: Colour | None, *, without: str = ""
) -> list[tuple[str, list[Statement]]]:
    """Return the questions whose answer has more than the sentence at the head of the page.

    The head already has the first reason for the opponent, or for the bye. without: a question that the page answers
    elsewhere.
    """
    answers = [
        (
            answer,
            words.question(answer, explanation.player, explanation.opponent, colour),
            words.reasons(answer.reasons),
        )
        for answer in explanation.answers
        if answer.question != without
    ]
    return [
        (question, statements[1:] if answer.question in ("opponent", "bye") else statements)
        for answer, question, statements in answers
        if len(statements) > 1
    ]


def _out(found: RoundExplanation, player: int) -> str:
    """Say why a player was not to be paired; "" if the rows do not show it, or the player had the allocated bye."""
    number = found.field.before_round
    for bye in found.field.byes:
        if (bye.participant_id, bye.round_number) == (player, number):
            allocated = bye.source == Bye.Source.ALLOCATED
            return (
                "" if allocated else gettext("The player has a bye: %(bye)s.") % {"bye": bye_words(bye.kind)}
            )
    participant: Participant = found.field.participants[player]
    if number < participant.first_round:
        return gettext("The player enters in round %(round)s.") % {"round": participant.first_round}
    if participant.left_after is not None and participant.left_after < number:
        status = participant.get_status_display()
        return gettext("The player was %(status)s after round %(round)s.") % {
            "status": status,
            "round": participant.left_after,
        }
    return ""


def _addresses(found: RoundExplanation) -> Address:
    """Return the function that returns the page of a player, by key."""
    number = found.field.before_round
    return lambda key: section_url(
        "why-player", found.field.section, number=number, tpn=found.field.participants[key].tpn
    )


def _why_not(
    found: RoundExplanation, explainer: Explainer, words: Words, player: int, asked: str
) -> dict[str, object]:
    if not asked:
        return {}
    if not (asked.isascii() and asked.isdigit()):
        return {"why_not": [Statement(gettext("Type a pairing number."), ())]}
    other = _tpns(found).get(int(asked))
    if other is None or other == player:
        return {"why_not": [Statement(gettext("No other player has this number."), ())]}
    reasons = why_apart(explainer, player, other)
    statements = words.reasons(reasons)
    if found.departs(player) or found.departs(other):
        by_rules = reasons[0].code == "paired"
        statements = [
            Statement(_made(found, words, player, other, by_rules=by_rules), ()),
            *([] if by_rules else statements),
        ]
    return {"why_not": statements, "other": found.field.side(other)}


def _made(found: RoundExplanation, words: Words, player: int, other: int, *, by_rules: bool) -> str:
    """Say who made or parted these two, where the round is not the one of the rules. by_rules: these pair them."""
    hand, file = found.cause is Cause.HAND, found.cause is Cause.FILE
    if other in found.played.get(player, ()):
        sentence = (
            gettext(
                "%(player)s and %(other)s play each other because the arbiters paired them. By the rules:"
            )
            if hand
            else gettext(
                "%(player)s and %(other)s play each other because the file pairs them. By the rules:"
            )
            if file
            else gettext(
                "%(player)s and %(other)s play each other in this round. With today's data, by the rules:"
            )
        )
    elif by_rules:
        sentence = (
            gettext(
                "By the rules, %(player)s and %(other)s would play each other. The arbiters changed the pair."
            )
            if hand
            else gettext(
                "By the rules, %(player)s and %(other)s would play each other. The file has other pairs."
            )
            if file
            else gettext(
                "With today's data, by the rules, %(player)s and %(other)s would play each other. "
                "The round has other pairs."
            )
        )
    else:
        sentence = gettext(
            "%(player)s and %(other)s do not play each other. By the rules they would not either:"
        )
    return sentence % {"player": words.name(player), "other": words.name(other)}


def _explained(section: Section, number: int) -> RoundExplanation:
    try:
        return explain_round(section, number, entries_as_paired(section, number))
    except Round.DoesNotExist as error:
        raise Http404 from error


def _tpns(found: RoundExplanation) -> dict[int, int]:
    return {row.tpn: key for key, row in found.field.participants.items() if row.tpn is not None}


def _by_tpn(found: RoundExplanation, tpn: int) -> int:
    player = _tpns(found).get(tpn)
    if player is None:
        raise Http404
    return player


def _named(words: Words, players: Sequence[int]) -> str:
    """Return the first of these players, and how many more there are."""
    return READER.listed(map(words.name, players), longest=LONGEST_LIST)


def _impossible(found: RoundExplanation) -> str:
    """Say why the rules allow no pairing for a round that was paired by hand; else ""."""
    if found.impossible is None:
        return ""
    players = _left_over(found.impossible, found)
    here = len(found.played) + (found.bye is not None)
    return why_no_legal_pairing(
        {
            "reason": found.impossible.code,
            "players": players,
            "others": here - len(players),
            "system": found.field.section.system,
        }
    )


def _left_over(error: NoLegalPairing, found: RoundExplanation) -> list[tuple[int, str]]:
    """Return the number and the name of the players whom the engine names, by number."""
    entries = [found.field.participants[key] for key in error.params["players"]]
    return sorted((entry.tpn or 0, entry.player.name) for entry in entries)


def _not_taken(found: RoundExplanation, words: Words) -> str:
    """Return the pairs that were offered and are not in the round."""
    pairs = [f"{words.name(white)} – {words.name(black)}" for white, black in found.not_taken]
    return READER.listed(pairs, "semicolon", longest=LONGEST_LIST)


def _context(
    request: PersonRequest, section: Section, number: int, found: RoundExplanation
) -> dict[str, object]:
    return {
        **section_context(request, section, "pairings", number),
        "number": number,
        "explained": found.explainer is not None,
        "cause": found.cause,
        "paired_by": found.paired_by,
        "decisions": decisions_used(found),
        "not_kept_apart": left_out_groups(found),
        "manual_reason": found.reason,
        "nobody": not found.played,
        "impossible": _impossible(found),
        "unfinished": found.impossible is not None and found.impossible.code == "cannot_finish",
        "left_over": READER.listed(f"{number} {name}" for number, name in _left_over(found.impossible, found))
        if found.impossible
        else "",
        "not_taken": _not_taken(found, words_of_round(found)),
        "tried": words_of_round(found).reasons(found.impossible.reasons if found.impossible else ()),
        "offered": words_of_round(found).reasons(found.offered),
        "broken": words_of_round(found).reasons(found.broken),
        "counted": _named(words_of_round(found), found.counted),
        "counted_count": len(found.counted),
        "corrected": found.corrected[:LONGEST_LIST],
        "finished": found.finished[:LONGEST_LIST],
        "renumbered": found.renumbered,
        "rerated": found.rerated,
        "numbers_line": numbers_line(section),
    }
