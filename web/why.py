"""What the pages "Why this pairing?" of arbiters and visitors have in common.

A published round is explained once and kept in memory. Then its parts: the overview, the brackets, and the steps of a
bracket for a reader who works them out.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import NamedTuple

from django.utils.translation import gettext, gettext_lazy

from base.cache import Cache
from base.reader import READER
from base.text import isolated
from evenboard_engine import PROGRAM, VERSION, Colour, Tournament
from evenboard_engine.systems.system import Explainer
from evenboard_engine.trace import BracketTrace, PairTrace, Reason, RoundTrace
from evenboard_engine.trf import report_before, write_report
from evenboard_engine.words.explanation import ExplanationColumn, Paragraph, Statement, Words
from evenboard_engine.words.registry import words_of
from tournaments.engine_package import engine_package
from tournaments.files.report_writing import entries_as_paired
from tournaments.models import Participant, Round, Section
from tournaments.models.entries import for_visitors
from tournaments.queries.decided_points import PointsDecision
from tournaments.queries.field import PlayerCell, SectionField
from tournaments.queries.why import RoundExplanation, explain_round, round_file, rules_of
from tournaments.snapshot import KeptGroup
from web.why_pictures import Address, floats_picture, match_picture, shown_surnames, sides_picture

# The words of the pairing system of a section, with the names of its players, in the language of the page.

LONGEST_LIST = 12  # names in a sentence
BOTH_ARE_OF = {
    "club": gettext_lazy("Both play for the club %(group)s."),
    "team": gettext_lazy("Both play for the team %(group)s."),
    "federation": gettext_lazy("Both play for the federation %(group)s."),
    "players": gettext_lazy("Both are in the group “%(group)s”."),
}


def left_out_groups(found: RoundExplanation) -> str:
    """Return the groups that no round keeps apart. Visitors do not read the names of families."""
    return READER.listed(
        Section.ApartKind.PLAYERS.label
        if for_visitors() and group.kind == Section.ApartKind.PLAYERS
        else isolated(group.value)
        for group in found.groups
        if group.left_out
    )


def words_for(
    value: Tournament,
    participants: Mapping[int, Participant],
    longest: int = LONGEST_LIST,
    groups: Iterable[KeptGroup] = (),
) -> Words:
    """Return the words for a tournament. A player is the number and the surname. participants: by key.

    Players who share a surname have an initial too. longest: names in a sentence. groups: players whom a rule keeps
    apart.
    """
    surnames = shown_surnames(participants)

    def name(key: int) -> str:
        return f"{participants[key].tpn}\u00a0{isolated(surnames[key])}"

    def apart_because(one: int, other: int) -> str:
        both = {one, other}
        group = next((each for each in groups if not each.left_out and both <= set(each.players)), None)
        if group is None or (
            for_visitors()
            and (
                group.kind == Section.ApartKind.PLAYERS or any(participants[key].by_initials for key in both)
            )
        ):
            return ""
        return BOTH_ARE_OF[group.kind] % {"group": isolated(group.value)}

    words = words_of(value.system).explanation
    return words(name, tournament=value, language=READER, longest=longest, apart_because=apart_because)


# The explanations of published rounds, kept in the memory of the process: a round is explained once.
#
# What paired a round never changes later, so neither does its explanation. Only names are read for each page.
# See docs/decisions/0066-explanations-for-everybody.md.

logger = logging.getLogger(__name__)

MOST_ROUNDS = 24
"""Kept in each process. A round of 1,000 players takes some megabytes."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A round with its explanation. file: from which the round can be paired again.

    rules, version, program: what paired it, as `RoundFile` keeps them.
    """

    found: RoundExplanation
    file: bytes
    rules: str
    version: str
    program: str

    @property
    def checksum(self) -> str:
        return sha256(self.file).hexdigest()


kept_rounds: Cache[Hashable, Explained] = Cache(MOST_ROUNDS)


def explained(section: Section, number: int) -> Explained:
    """Return a round with its explanation and the names of today. A draft is not explained here.

    Raises Round.DoesNotExist. Three queries if the round is kept.
    """
    shown = section.played_rounds.exclude(state=Round.State.DRAFT).get(number=number)
    kept = _kept(section, shown)
    field = _with_names(kept.found.field, section)
    return replace(kept, found=replace(kept.found, field=field))


def prepare_explanation(section: Section, number: int) -> None:
    """Explain a round, also a draft, so that the first visitor after its publication need not wait.

    Nothing is done where visitors may not read it. A failure keeps nobody from publishing: the page shows it later.
    """
    if not section.is_explained:
        return
    try:
        _kept(section, section.played_rounds.get(number=number))
    except Exception:
        logger.exception("Round %d of section %d could not be explained.", number, section.pk)


def _kept(section: Section, shown: Round) -> Explained:
    pairs = tuple(shown.games.order_by("board").values_list("board", "white_id", "black_id"))
    manual = (shown.manual, shown.manual_phase)
    key = (section.pk, shown.pk, shown.number, shown.paired_at, manual, pairs)
    return kept_rounds.make(key, lambda: _worked_out(section, shown.number))


def _worked_out(section: Section, number: int) -> Explained:
    found = explain_round(section, number, entries_as_paired(section, number))
    kept = round_file(section, section.played_rounds.get(number=number))
    found = replace(found, field=_light(found.field))
    if kept is not None:
        return Explained(found, kept.report.encode(), kept.rules, kept.version, kept.program)
    file = write_report(report_before(found.before, PROGRAM))
    return Explained(found, file, rules_of(section), VERSION, engine_package()[0])


def _light(field: SectionField) -> SectionField:
    """Return the field without the rows of its games. Where rounds are fixed, they decide which points count."""
    return field if field.section.fixed_rounds else replace(field, games=())


def _with_names(field: SectionField, section: Section) -> SectionField:
    """Return the field with the names of today, and the pairing numbers and ratings of then. One query."""
    today = {entry.pk: entry for entry in section.participants.select_related("player")}
    participants: dict[int, Participant] = {}
    for key, then in field.participants.items():
        participants[key] = now = today.get(key, then)
        now.tpn, now.rating = then.tpn, then.rating
    return replace(field, section=section, participants=participants)


# What the pages "Why this pairing?" have in common, those of arbiters and those of visitors.


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


def as_played(
    found: RoundExplanation, words: Words, player: int
) -> list[tuple[Colour, PlayerCell, Figures, str]]:
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


def decisions_used(found: RoundExplanation, players: Collection[int] | None = None) -> list[PointsDecision]:
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
    return words_for(found.field.engine, found.field.participants, longest, found.groups)


# The steps of a bracket for a reader who works them out: two lists, and a question for each row of the first
# one.

ROWS = 50
"""In one part of a long bracket."""
PARTS = 200


@dataclass(frozen=True, slots=True)
class WorkedRow:
    """A row: whom does `first` meet? first_name, second_name: number and surname. passed: who comes earlier in the
    order, with the reason why not. why: the opponent and the colours, in sentences.
    """

    number: int
    first: PlayerCell
    second: PlayerCell
    first_name: str
    second_name: str
    first_has: Colour
    board: int | None
    passed: tuple[tuple[PlayerCell, Statement], ...]
    why: tuple[Statement, ...]

    @property
    def passed_keys(self) -> str:
        """Return the players who come earlier, for the script."""
        return " ".join(str(side.participant_id) for side, _statement in self.passed)


@dataclass(frozen=True, slots=True)
class WorkedPart:
    """A part of a bracket. firsts, seconds: the lists, () if the system has no such lists. columns: their names."""

    steps: tuple[WorkedRow, ...]
    firsts: tuple[tuple[PlayerCell, float], ...]
    seconds: tuple[PlayerCell, ...]
    columns: tuple[ExplanationColumn, ExplanationColumn] | None


def parts_of(bracket: BracketTrace) -> int:
    """Return the number of parts."""
    return max(1, -(-len(bracket.pairs) // ROWS))


def part_of(
    found: RoundExplanation, explainer: Explainer, words: Words, bracket: BracketTrace, part: int
) -> WorkedPart:
    """Return a part of a bracket, from 1. The second list has the players who are taken or passed in this part."""
    first = (part - 1) * ROWS
    rows = bracket.pairs[first : first + ROWS]
    steps = tuple(
        _step(found, explainer, words, pair, number) for number, pair in enumerate(rows, start=first + 1)
    )
    if not bracket.g1:
        return WorkedPart(steps, (), (), None)
    aro = {member.id: member.aro for member in (*bracket.g1, *bracket.g2)}
    concerned = {key for pair in rows for key in (pair.second, *(one.player for one in pair.passed))}
    return WorkedPart(
        steps,
        tuple((found.field.side(pair.first), aro[pair.first]) for pair in rows),
        tuple(found.field.side(key) for key in bracket.order if key in concerned),
        words.columns(bracket),
    )


def _step(
    found: RoundExplanation, explainer: Explainer, words: Words, pair: PairTrace, number: int
) -> WorkedRow:
    explanation = explainer.player(pair.first)
    opponent = next(answer for answer in explanation.answers if answer.question == "opponent")
    has_white = pair.white == pair.first
    return WorkedRow(
        number=number,
        first=found.field.side(pair.first),
        second=found.field.side(pair.second),
        first_name=words.name(pair.first),
        second_name=words.name(pair.second),
        first_has=Colour.WHITE if has_white else Colour.BLACK,
        board=found.boards.get(pair.white) if found.is_played(pair) else None,
        passed=tuple((found.field.side(one.player), words.reason(one.reason)) for one in pair.passed),
        why=(*words.why_they_meet(opponent.reasons), colours_of(found, words, pair)),
    )
