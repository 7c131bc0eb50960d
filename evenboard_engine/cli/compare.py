"""The command that compares pairing systems: `evenboard-engine --SYSTEM file.trf --compare [round]`."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase
from textwrap import wrap
from typing import TYPE_CHECKING

from .console import BAD_REQUEST, CommandOptions, CommandStop, in_columns, names_in, wrong_input_stops

if TYPE_CHECKING:
    from evenboard_engine.comparing import Alternative, SystemComparison
    from evenboard_engine.trf import Report

WIDTH = 100
MARKS = {"": "", "colour": "~", "opponent": "*"}


def comparison(data: bytes, number: int | None, asked: CommandOptions) -> str:
    """Compare the next round by the system, or an earlier round of the file, with what other systems pair.

    Where the rules cannot finish the next round, it is the offer. Raises CommandStop where the system pairs no round,
    or where all its rounds are fixed.
    """
    from evenboard_engine.checking.rounds import published_round
    from evenboard_engine.comparing import compare, published, variants_of
    from evenboard_engine.trf import first_day

    from .pair import paired, tournament_in

    if number is None:
        report, tournament, pairing = paired(data, asked, or_offered=True)
        round_ = published(pairing)
    else:
        report, tournament = tournament_in(data, asked, number)
        round_ = published_round(report, number)
        if not round_.pairs:
            raise CommandStop(
                BAD_REQUEST, f"round {number} has no pairs; --compare alone compares the next round"
            )
    with wrong_input_stops():
        variants = variants_of(tournament, first_day(report))
        if not variants:
            raise CommandStop(
                BAD_REQUEST,
                f"all rounds of --{tournament.system} are fixed, so no other system is compared with it",
            )
        found = compare(tournament, round_, variants)
    title = f"Round {round_.round}{' of the file' if number else ''}"
    return _page(report, found, title)


def _page(report: Report, found: SystemComparison, title: str) -> str:
    from evenboard_engine.words.comparing import OWN_OFFER, SPREAD, other_text, variant_name

    names = names_in(report)
    blocks = [f"{title}. Here: {variant_name(found.round.variant)}.", ""]
    if found.round.offered:
        blocks[1:1] = [OWN_OFFER]
    letters = ascii_uppercase[: len(found.others)]
    for letter, other in zip(letters, found.others, strict=True):
        sentence = other_text(other, names.__getitem__)
        blocks += wrap(f"{letter}  {variant_name(other.variant)}: {sentence}", WIDTH, subsequent_indent="   ")
    shown = [(letter, other) for letter, other in zip(letters, found.others, strict=True) if other.differs]
    blocks += ["", *wrap(SPREAD, WIDTH), ""]
    blocks += in_columns([["", "here", *(letter for letter, _ in shown)], *_spreads(found, shown)])
    blocks += ["", "w: White, b: Black, *: another opponent, ~: the other colour", ""]
    blocks += in_columns([["", "here", *(letter for letter, _ in shown)], *_seats(found, shown, names)])
    return "\n".join(blocks) + "\n"


def _spreads(found: SystemComparison, shown: Sequence[tuple[str, Alternative]]) -> list[list[str]]:
    from evenboard_engine.rounding import half_up
    from evenboard_engine.words.catalogue import ENGLISH

    columns = [found.round, *(other for _, other in shown)]
    return [
        [
            "all groups" if spreads[0].score is None else ENGLISH.points(spreads[0].score),
            *(f"{half_up(spread.width)} ±{half_up(spread.deviation)}" for spread in spreads),
        ]
        for spreads in zip(*(one.spreads for one in columns), strict=True)
    ]


def _seats(
    found: SystemComparison, shown: Sequence[tuple[str, Alternative]], names: dict[int, str]
) -> list[list[str]]:
    def cell(one: Alternative, player: int) -> str:
        seat = one.seats[player]
        mark = MARKS[found.change(one, player)]
        return f"bye{mark}" if seat.opponent is None else f"{seat.opponent}{seat.colour or ''}{mark}"

    columns = [found.round, *(other for _, other in shown)]
    return [
        [names[player], *(cell(one, player) for one in columns)]
        for _score, players in found.groups
        for player in players
    ]
