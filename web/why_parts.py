"""What the pages "Why this pairing?" have in common, those of arbiters and those of visitors."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.utils.translation import gettext

from evenboard_engine import Colour
from evenboard_engine.systems.system import Explainer
from evenboard_engine.trace import BracketTrace, PairTrace, Reason, RoundTrace
from evenboard_engine.words.explanation import Paragraph, Statement, Words
from tournaments.queries.explanation import RoundExplanation
from tournaments.queries.field import Side
from tournaments.queries.rulings import Decision
from web.why_pictures import Address, floats_picture, match_picture, sides_picture
from web.words.explained import LONGEST_LIST, words_for


def overview(found: RoundExplanation, words: Words, trace: RoundTrace) -> dict[str, object]:
    """Return the pictures and the sentences about a whole round."""
    return {
        "lead": in_steps(words, words.lead_of_round(trace)),
        "floats": floats_picture(found, trace, words),
        "floats_cost": any(one.cost or not one.natural for one in trace.floats),
        "pictured": any(bracket.g1 for bracket in trace.brackets),
        "sides": all(map(words.has_sides, trace.brackets)),
        "has_brackets": words.has_brackets,
        "bye": words.bye_passed(trace.bye),
    }


def bracket_parts(
    found: RoundExplanation,
    words: Words,
    bracket: BracketTrace,
    address: Address,
    *,
    most: int | None = None,
) -> dict[str, object]:
    """Return the name, the pictures and the short sentences of a bracket. most: with more pairs, it is not drawn."""
    is_drawn = bracket.g1 and (most is None or len(bracket.pairs) <= most)
    return {
        "points": words.bracket_name(bracket),
        "count": len(bracket.pairs),
        "sides": sides_picture(bracket) if bracket.g1 else "",
        "picture": match_picture(found, bracket, words, address) if is_drawn else None,
        "lead": in_steps(words, words.lead_of_bracket(bracket)),
    }


class Figures(NamedTuple):
    """What the head of a pair shows of the games of a player. aro: as the pairing system reads it."""

    games: int
    aro: float
    colours: tuple[Colour, ...]


def figures(found: RoundExplanation, player: int) -> Figures:
    past = found.field.histories[player]
    return Figures(past.games, found.field.aro(player), past.colours)


def as_played(found: RoundExplanation, words: Words, player: int) -> list[tuple[Colour, Side, Figures, str]]:
    """Return White and Black of the pair that the player has in the round; nobody without a pair."""
    return [
        (
            colour,
            found.field.side(key),
            figures(found, key),
            words.points(found.field.side(key).points),
        )
        for colour, key in zip((Colour.WHITE, Colour.BLACK), found.played.get(player, ()), strict=False)
    ]


def decisions_used(found: RoundExplanation, players: Collection[int] | None = None) -> list[Decision]:
    """Return the decisions in the scores of these players, by default of all, with the names of today."""
    return [
        replace(one, name=found.field.participants[one.participant_id].shown_name)
        for one in found.decisions
        if players is None or one.participant_id in players
    ]


def rules_sentence(found: RoundExplanation, words: Words, player: int, pair: PairTrace | None) -> str:
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


def sentences_by_rules(
    found: RoundExplanation, explainer: Explainer, words: Words, players: tuple[int, int]
) -> list[str]:
    """Say what the rules give to the two players of a board, each sentence once; [] if it is this pair."""
    sentences = (rules_sentence(found, words, key, explainer.pair_of(key)) for key in players)
    return list(dict.fromkeys(filter(None, sentences)))


def lead_of_pair(found: RoundExplanation, explainer: Explainer, words: Words, player: int) -> list[Statement]:
    """Say in short why a player meets the opponent of the rules, from the side of the one who stands in the first
    column.
    """
    pair, bracket = explainer.pair_of(player), explainer.bracket_of(player)
    if pair is None or bracket is None:
        return []
    lead = words.lead_of_pair(explainer.player(pair.first), bracket, pair)
    lead[-1] = [colours_of(found, words, pair)]
    return in_steps(words, lead)


def colours_of(found: RoundExplanation, words: Words, pair: PairTrace) -> Statement:
    """Say why a pair has its colours; in a round that a file numbered differently, those of the file."""
    return words.reason(found.colours_of_the_file(pair.white, pair.black) or pair.colours)


def in_steps(words: Words, paragraphs: Sequence[Paragraph]) -> list[Statement]:
    return [words.step_of(paragraph) for paragraph in paragraphs]


def nearer_opponents(bracket: BracketTrace, pair: PairTrace, player: int) -> list[tuple[int, Reason]]:
    """Return the opponents earlier in the order: for S1 those of G2 who were passed, for G2 the rows that passed."""
    if player == pair.first:
        return [(passed.player, passed.reason) for passed in pair.passed]
    return [
        (row.first, passed.reason)
        for row in bracket.pairs[: bracket.pairs.index(pair)]
        for passed in row.passed
        if passed.player == player
    ]


def pair_row(found: RoundExplanation, words: Words, pair: PairTrace) -> dict[str, object]:
    of_the_file = found.colours_of_the_file(pair.white, pair.black)
    white, black = (pair.black, pair.white) if of_the_file else (pair.white, pair.black)
    return {
        "board": found.boards.get(white) if found.played.get(white) == (white, black) else None,
        "white": found.field.side(white),
        "black": found.field.side(black),
        "colours": colours_of(found, words, pair),
    }


def words_of_round(found: RoundExplanation, longest: int = LONGEST_LIST) -> Words:
    return words_for(found.field.engine, found.field.participants, longest)
