"""The engine's answer in the form of the reference."""

from __future__ import annotations

from collections.abc import Sequence

from evenboard_engine import Colour, NoLegalPairing
from evenboard_engine.systems.uschess.field import UsChessEntrant, UsChessField
from evenboard_engine.systems.uschess.floaters import size_of_pair
from evenboard_engine.systems.uschess.options import MateRule, Occasion, UsChessSettings
from evenboard_engine.systems.uschess.pairing import UsChessWork, work_on
from evenboard_engine.tests.systems.uschess.enumeration import Answer, Man, Rules

SHARED = ("high", "low", "avoid_unrated", "harkness", "avoid_swap", "max_drop", "bye_28l5")


def worked(men: Sequence[Man], rules: Rules) -> UsChessWork:
    settings = UsChessSettings(
        team_rule=MateRule(rules.team_rule),
        club_rule=MateRule(rules.club_rule),
        **{name: getattr(rules, name) for name in SHARED},
    )
    entrants = [
        UsChessEntrant(**{name: getattr(man, name) for name in UsChessEntrant.__dataclass_fields__})
        for man in men
    ]
    field = UsChessField(
        entrants,
        settings,
        floor=rules.floor,
        forbidden=[(min(pair), max(pair)) for pair in rules.forbidden],
    )
    initial = Colour.WHITE if rules.initial == "w" else Colour.BLACK
    return work_on(field, Occasion(rules.round, rules.rounds, initial))


def engine_answer(men: Sequence[Man], rules: Rules) -> Answer | None:
    try:
        work = worked(men, rules)
    except NoLegalPairing:
        return None
    number = [entrant.number for entrant in work.field.entrants]
    floats, switches = set(), set()
    for chain in work.chains:
        assert work.blocks is not None
        for one, other in chain.taken.floats:
            floats.add((number[one], number[other], work.blocks.size_of_float(one, other)))
        for one, other in chain.taken.pairs:
            natural = chain.taken.natural
            if natural[one] != other:
                size = size_of_pair(work.field, natural, one, other)
                switches.add((number[one], number[other], size))
    return Answer(
        tuple((number[white], number[black]) for white, black, _ in work.boards),
        None if work.bye is None else number[work.bye],
        frozenset(floats),
        frozenset(switches),
    )
