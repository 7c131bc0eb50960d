"""The pages "Why this pairing?": for a whole round, bracket by bracket, and for one player. For arbiters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from pairing.engine import Colour, NoLegalPairing
from pairing.engine.systems.system import Explainer
from pairing.engine.trace import BracketTrace, PairTrace, PlayerExplanation, Reason
from pairing.words.explanation import Paragraph, Statement, Words
from tournaments.exports.entries_as_paired import entries_as_paired
from tournaments.models import Bye, Participant, Round, Section
from tournaments.queries.explanation import Cause, RoundExplanation, explain_round
from tournaments.queries.field import Side
from tournaments.reader import READER
from tournaments.web.context import section_context
from tournaments.web.requests import PersonRequest
from tournaments.web.why_pictures import floats_picture, match_picture, sides_picture
from tournaments.web.words.explained import LONGEST_LIST, words_for
from tournaments.web.words.refusals.rounds import why_no_legal_pairing
from tournaments.web.words.systems import numbers_line
from tournaments.web.words.values import bye_words

from .access import section_page


@section_page("GET", "HEAD")
def why_round(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """Show the whole round: picture, bye, and each bracket with its steps and pairs."""
    found = _explained(section, number)
    context = _context(request, section, number, found)
    if found.explainer is not None:
        words = _words(found)
        trace = found.explainer.trace
        context |= {
            "lead": _lead(words, words.lead_of_round(trace)),
            "floats": floats_picture(found, trace, words),
            "floats_cost": any(one.cost or not one.natural for one in trace.floats),
            "pictured": any(bracket.g1 for bracket in trace.brackets),
            "sides": all(map(words.has_sides, trace.brackets)),
            "has_brackets": words.has_brackets,
            "bye": words.bye_passed(trace.bye),
            # What was decided before an offer is among the steps that were tried.
            "round_steps": [] if found.cause is Cause.OFFER else words.round(trace),
            "brackets": [
                {
                    "points": words.bracket_name(bracket),
                    "count": len(bracket.pairs),
                    "sides": sides_picture(bracket) if bracket.g1 else "",
                    "picture": match_picture(found, bracket, words) if bracket.g1 else None,
                    "lead": _lead(words, words.lead_of_bracket(bracket)),
                    "steps": words.more_of_bracket(bracket),
                    "pairs": [_pair(found, words, pair) for pair in bracket.pairs],
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
        "players": _as_played(found, _words(found), player),
    }
    if found.explainer is not None:
        context |= _of_player(found, found.explainer, _words(found), player)
        context |= _why_not(found, found.explainer, _words(found), player, asked)
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
            "by_rules": _by_rules(found, words, player, pair),
        }
    picture = match_picture(found, bracket, words, pair, whole=False) if bracket.g1 else None
    nearer = _nearer(bracket, pair, player)
    without = "opponent" if nearer or words.lead_is_complete else ""
    lead = words.lead_of_pair(explanation, bracket, pair)
    lead[-1] = [_colours(found, words, pair)]
    return {
        "lead": _lead(words, lead),
        "answers": _more(words, explanation, colour, without=without),
        "by_rules": _by_rules(found, words, player, pair),
        "explained_pair": True,
        "steps": words.steps_of_bracket(bracket),
        "has_brackets": words.has_brackets,
        "picture": picture,
        "whole": match_picture(found, bracket, words, pair)
        if picture and (picture.above or picture.below)
        else None,
        "nearer": [(found.field.side(key), words.reason(reason)) for key, reason in nearer],
    }


class _Figures(NamedTuple):
    """What the head of a pair shows of the games of a player. aro: as the pairing system reads it."""

    games: int
    aro: float
    colours: tuple[Colour, ...]


def _figures(found: RoundExplanation, player: int) -> _Figures:
    past = found.field.histories[player]
    return _Figures(past.games, found.field.aro(player), past.colours)


def _as_played(
    found: RoundExplanation, words: Words, player: int
) -> list[tuple[Colour, Side, _Figures, str]]:
    """Return White and Black of the pair that the player has in the round; nobody without a pair."""
    return [
        (
            colour,
            found.field.side(key),
            _figures(found, key),
            words.points(found.field.side(key).points),
        )
        for colour, key in zip((Colour.WHITE, Colour.BLACK), found.played.get(player, ()), strict=False)
    ]


def _by_rules(found: RoundExplanation, words: Words, player: int, pair: PairTrace | None) -> str:
    """Say what the rules give to a player who has something else in the round; else ""."""
    if pair is None:
        is_other = (
            player in found.played
        )  # everybody who plays in the round has a pair or the bye by the rules
        sentence = gettext("By the rules, %(player)s gets the bye.")
        return sentence % {"player": words.name(player)} if is_other else ""
    if found.is_played(pair):
        return ""
    if found.colours_of_the_file(pair.white, pair.black):
        number = pair.details["number"]
        sentence = (
            gettext("By our reading, %(player)s counts as number %(number)s and has White.")
            if pair.details["colour"] == Colour.WHITE
            else gettext("By our reading, %(player)s counts as number %(number)s and has Black.")
        )
        return sentence % {"player": words.name(pair.details["higher"]), "number": number}
    both = {"white": words.name(pair.white), "black": words.name(pair.black)}
    sentence = gettext("By the rules, %(white)s has White against %(black)s.") % both
    if player != found.bye:
        return sentence
    bye = gettext("%(player)s has the bye in this round.") % {"player": words.name(player)}
    return f"{bye} {sentence}"


def _colours(found: RoundExplanation, words: Words, pair: PairTrace) -> Statement:
    """Say why a pair has its colours; in a round that a file numbered differently, those of the file."""
    return words.reason(found.colours_of_the_file(pair.white, pair.black) or pair.colours)


def _lead(words: Words, paragraphs: Sequence[Paragraph]) -> list[Statement]:
    return [words.step_of(paragraph) for paragraph in paragraphs]


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
            return "" if allocated else gettext("The player has a %(bye)s.") % {"bye": bye_words(bye.kind)}
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
    reasons = [explainer.why_not(player, other)]
    if reasons[0] == Reason("has_bye", {"player": other}):
        reasons.append(explainer.why_not_bye(player))
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


def _nearer(bracket: BracketTrace, pair: PairTrace, player: int) -> list[tuple[int, Reason]]:
    """Return the opponents earlier in the order: for S1 those of G2 who were passed, for G2 the rows that passed."""
    if player == pair.first:
        return [(passed.player, passed.reason) for passed in pair.passed]
    return [
        (row.first, passed.reason)
        for row in bracket.pairs[: bracket.pairs.index(pair)]
        for passed in row.passed
        if passed.player == player
    ]


def _pair(found: RoundExplanation, words: Words, pair: PairTrace) -> dict[str, object]:
    of_the_file = found.colours_of_the_file(pair.white, pair.black)
    white, black = (pair.black, pair.white) if of_the_file else (pair.white, pair.black)
    return {
        "board": found.boards.get(white) if found.played.get(white) == (white, black) else None,
        "white": found.field.side(white),
        "black": found.field.side(black),
        "colours": _colours(found, words, pair),
    }


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


def _words(found: RoundExplanation) -> Words:
    return words_for(found.field.engine, found.field.participants)


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
        "manual_reason": found.reason,
        "nobody": not found.played,
        "impossible": _impossible(found),
        "unfinished": found.impossible is not None and found.impossible.code == "cannot_finish",
        "left_over": READER.listed(f"{number} {name}" for number, name in _left_over(found.impossible, found))
        if found.impossible
        else "",
        "not_taken": _not_taken(found, _words(found)),
        "tried": _words(found).reasons(found.impossible.reasons if found.impossible else ()),
        "offered": _words(found).reasons(found.offered),
        "broken": _words(found).reasons(found.broken),
        "counted": _named(_words(found), found.counted),
        "counted_count": len(found.counted),
        "corrected": found.corrected[:LONGEST_LIST],
        "finished": found.finished[:LONGEST_LIST],
        "renumbered": found.renumbered,
        "rerated": found.rerated,
        "numbers_line": numbers_line(section),
    }
