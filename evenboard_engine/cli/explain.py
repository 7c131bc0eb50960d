"""The command that explains the next round of a report file: `evenboard-engine --SYSTEM file.trf --explain`."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from textwrap import wrap
from typing import TYPE_CHECKING

from .console import BAD_REQUEST, CommandStop, names_in, with_articles

if TYPE_CHECKING:
    from evenboard_engine import RoundPairing, Tournament
    from evenboard_engine.trf import Report
    from evenboard_engine.words.explanation import Statement

WIDTH = 100


def explanation(
    report: Report,
    tournament: Tournament,
    pairing: RoundPairing,
    player: int | None,
    other: int | None = None,
) -> str:
    """Explain the whole round, bracket by bracket, or the pairing of one player, and why `other` is not the opponent.

    Raises CommandStop for an unknown player.
    """
    from evenboard_engine import Colour, system_of
    from evenboard_engine.systems.system import why_apart
    from evenboard_engine.words.registry import words_of

    names = names_in(report)
    explainer = system_of(tournament).explain(tournament, pairing)
    system_words = words_of(tournament.system)
    words = system_words.explanation(names.__getitem__, tournament=tournament)
    lines = [f"Round {pairing.round}. {system_words.heading(tournament.options)}"]
    asked_about = names.keys() if player is None else {player, other}
    if decided := _decided(tournament, names, asked_about):
        lines += ["", "Points by decision of the arbiter", *decided]
    if player is None:
        lines += ["", "Bye", *_listed(words.steps_of_bye(explainer.trace.bye))]
        if steps := words.round(explainer.trace):
            lines += ["", "The whole round", *_listed(steps)]
        for bracket in explainer.trace.brackets:
            name = words.bracket_name(bracket)
            title = f"{'Bracket' if words.has_brackets else 'Score group'} of {name}" if name else "Pairs"
            lines += ["", title, *_listed(words.steps_of_bracket(bracket))]
            for row in bracket.pairs:
                both, why = f"{names[row.white]} - {names[row.black]}", words.reason(row.colours)
                lines += _wrapped(f"{both}: {with_articles(why)}", "  ", "    ")
        return "\n".join(lines) + "\n"
    for asked in (player, other):
        if asked is not None and asked not in names:
            raise CommandStop(BAD_REQUEST, f"there is no player {asked}")
    explanation = explainer.player(player)
    pair = explainer.pair_of(player)
    colour = None if pair is None else Colour.WHITE if pair.white == player else Colour.BLACK
    lines += ["", names[player]]
    for answer in explanation.answers:
        lines += [
            "",
            words.question(answer, explanation.player, explanation.opponent, colour),
            *_listed(words.reasons(answer.reasons)),
        ]
    if other is not None:
        reasons = why_apart(explainer, player, other)
        lines += ["", f"Why not {names[other]}?", *_listed(words.reasons(reasons))]
    own = explainer.bracket_of(player)
    if own is not None and (steps := words.steps_of_bracket(own)):
        lines += ["", "The bracket" if words.has_brackets else "The score group", *_listed(steps)]
    return "\n".join(lines) + "\n"


def _decided(tournament: Tournament, names: Mapping[int, str], players: Container[int | None]) -> list[str]:
    """Return the decisions of the arbiter that are in the scores of these players, by player and round."""
    from evenboard_engine.rulings import added_points, ruled_results
    from evenboard_engine.words.catalogue import ENGLISH

    found = [
        (player, number, f"the result of round {number} counts {ENGLISH.points(one.points)}")
        for (number, player), one in ruled_results(tournament).items()
        if one.points != one.usual
    ]
    for player, rounds in added_points(tournament).items():
        for number, tenths in rounds.items():
            what = "added" if tenths > 0 else "taken away"
            when = f"after round {number}" if number else "before round 1"
            found.append((player, number, f"{ENGLISH.points(abs(tenths))} {what} {when}" if tenths else ""))
    return [
        line
        for player, _number, text in sorted(found)
        if text and player in players
        for line in _wrapped(f"{names[player]}: {text}", "- ", "  ")
    ]


def _listed(statements: Iterable[Statement], margin: str = "") -> Iterator[str]:
    for statement in statements:
        yield from _wrapped(with_articles(statement), f"{margin}- ", f"{margin}  ")
        yield from _listed(statement.below, f"{margin}  ")


def _wrapped(text: str, first: str, others: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=first, subsequent_indent=others)
