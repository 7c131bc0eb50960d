"""From a tournament to the round: that of the procedure, or the offer where it cannot finish."""

from __future__ import annotations

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.model import Tournament
from evenboard_engine.result import RoundPairing

from .pairing import Sheet, coloured, coloured_in_round_1, pair
from .pairing.final_check import check_round
from .pairing.history import field_of
from .pairing.offer import Offered


def paired_sheet(tournament: Tournament) -> Sheet:
    """Return the sheet of a round that the procedure can finish.

    Raises InvalidTournament, InternalError, and NoLegalPairing with all that was decided and tried until then.
    """
    field = field_of(tournament)
    if field.round == 1 and len(field.ids) > 1:
        field.first_is_white()
    sheet = pair(field)
    if sheet.where:
        from .explaining.stuck import reasons_of

        unpaired = sorted(sheet.unpaired, key=field.tpn.__getitem__)
        players = tuple(map(field.ids.__getitem__, unpaired))
        reasons = reasons_of(tournament, sheet)
        raise NoLegalPairing("cannot_finish", players=players, where=sheet.where, reasons=reasons)
    check_round(field, sheet.made, sheet.bye)
    return sheet


def pairing_of(sheet: Sheet) -> RoundPairing:
    """Return a finished sheet as a round."""
    field = sheet.field
    give = coloured_in_round_1 if field.round == 1 else coloured
    bye = None if sheet.bye is None else field.ids[sheet.bye]
    return RoundPairing(field.round, give(field, sheet.made), bye)


def offered_pairing(sheet: Sheet, offered: Offered) -> RoundPairing:
    """Return an offer as a round."""
    field = sheet.field
    pairs = (*offered.kept, *offered.added)
    check_round(field, pairs, offered.bye)
    bye = None if offered.bye is None else field.ids[offered.bye]
    return RoundPairing(field.round, coloured(field, pairs), bye)
