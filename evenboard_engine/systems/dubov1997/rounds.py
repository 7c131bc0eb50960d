"""From a tournament to the round: that of the procedure, or the offer where it cannot finish."""

from __future__ import annotations

from collections.abc import Iterable

from evenboard_engine.errors import InternalError, NoLegalPairing
from evenboard_engine.model import Tournament
from evenboard_engine.result import RoundPairing

from .pairing import Dubov1997Round, coloured, coloured_in_round_1, pair
from .pairing.field import Dubov1997Field, field_of
from .pairing.offer import Offered


def paired_sheet(tournament: Tournament) -> Dubov1997Round:
    """Return the sheet of a round that the procedure can finish.

    Raises InvalidTournament, InternalError, and NoLegalPairing with all that was decided and tried until then.
    """
    field = field_of(tournament)
    if field.round == 1 and len(field.ids) > 1:
        field.first_is_white()
    sheet = pair(field)
    if sheet.where:
        from .explaining.dead_ends import reasons_of

        unpaired = sorted(sheet.unpaired, key=field.tpn.__getitem__)
        players = tuple(map(field.ids.__getitem__, unpaired))
        reasons = reasons_of(tournament, sheet)
        raise NoLegalPairing("cannot_finish", players=players, where=sheet.where, reasons=reasons)
    check_round(field, sheet.made, sheet.bye)
    return sheet


def pairing_of(sheet: Dubov1997Round) -> RoundPairing:
    """Return a finished sheet as a round."""
    field = sheet.field
    give = coloured_in_round_1 if field.round == 1 else coloured
    bye = None if sheet.bye is None else field.ids[sheet.bye]
    return RoundPairing(field.round, give(field, sheet.made), bye)


def offered_pairing(sheet: Dubov1997Round, offered: Offered) -> RoundPairing:
    """Return an offer as a round."""
    field = sheet.field
    pairs = (*offered.kept, *offered.added)
    check_round(field, pairs, offered.bye)
    bye = None if offered.bye is None else field.ids[offered.bye]
    return RoundPairing(field.round, coloured(field, pairs), bye)


# Check what every round must satisfy. This runs after every pairing, and for every offer.


def check_round(field: Dubov1997Field, pairs: Iterable[tuple[int, int]], bye: int | None) -> None:
    """Check that everyone present is paired once or has the bye, and 2.1 to 2.4. Raises InternalError."""
    seen: set[int] = set() if bye is None else {bye}
    if bye is not None and field.round > 1 and field.entrants[bye].had_point:
        raise InternalError("bye_barred", player=field.ids[bye])
    count = len(seen)
    for one, other in pairs:
        seen |= {one, other}
        count += 2
        if not field.possible(one) >> other & 1:
            raise InternalError("may_not_meet", white=field.ids[one], black=field.ids[other])
    if count != len(field.ids) or len(seen) != count:
        raise InternalError("not_everyone_once")
