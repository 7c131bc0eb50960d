"""Ask the engine of 1997 in the terms of the reference."""

from __future__ import annotations

from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.model import Colour
from evenboard_engine.result import Pair
from evenboard_engine.systems.dubov1997.pairing import Dubov1997Round, coloured, coloured_in_round_1
from evenboard_engine.systems.dubov1997.pairing import pair as pair_sheet
from evenboard_engine.systems.dubov1997.pairing.field import ColourFigures, Dubov1997Entrant, Dubov1997Field
from evenboard_engine.systems.dubov1997.pairing.offer import offer_for
from evenboard_engine.tests.systems.dubov1997.values import Case, Paired, Stuck

SIDES = {"w": WHITE_SIDE, "b": BLACK_SIDE}


def engine_field(case: Case) -> Dubov1997Field:
    """Return a case as the engine's field. Ids are numbers, scores are in tenths."""
    entrants = [
        Dubov1997Entrant(
            id=person.no,
            tpn=person.no,
            rating=person.rating,
            score=int(person.score * 10),
            colours=ColourFigures.after([SIDES[colour] for colour in person.colours]),
            aro=person.aro,
            met=[
                *person.met,
                *(no for pair in case.forbidden if person.no in pair for no in pair - {person.no}),
            ],
            rises=person.rises,
            rose_last=person.rose_last,
            had_point=person.had_point,
        )
        for person in case.persons
    ]
    return Dubov1997Field(entrants, number=case.round, rounds=case.rounds, first=Colour(case.first))


def answer(sheet: Dubov1997Round) -> Paired | Stuck:
    """Return what the engine says of a round, as the reference would."""
    field = sheet.field
    if not sheet.where:
        give = coloured_in_round_1 if field.round == 1 else coloured
        return _paired(field, give(field, sheet.made), sheet.bye)
    found = offer_for(sheet)
    offer = found and _paired(field, coloured(field, (*found.kept, *found.added)), found.bye)
    tpn = field.tpn.__getitem__
    made = tuple((tpn(one), tpn(other)) for one, other in sheet.made)
    return Stuck(sheet.where, tuple(sorted(map(tpn, sheet.unpaired))), offer, made)


def ask_engine(case: Case) -> Paired | Stuck:
    return answer(pair_sheet(engine_field(case)))


def _paired(field: Dubov1997Field, pairs: tuple[Pair, ...], bye: int | None) -> Paired:
    tpn = dict(zip(field.ids, field.tpn, strict=True))
    return Paired(
        tuple((tpn[pair.white], tpn[pair.black]) for pair in pairs), None if bye is None else field.tpn[bye]
    )
