"""Why a round was paired as it was: the pairing worked out again from what stood before it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pairing.engine import PairingError, RoundPairing, pair_round
from pairing.engine import Tournament as EngineTournament
from pairing.engine.dubov.why import Explainer
from tournaments.models import Bye, Tournament

from .field import Field, load_field


@dataclass(frozen=True, slots=True)
class RoundExplanation:
    """field: before the round. explainer: None where the rules give no round from what is known now.

    boards: number of the board by participant. differs: the round as it stands is not the one that is explained, since
    something that it depends on was changed later, or it was paired by hand.
    """

    field: Field
    explainer: Explainer | None
    boards: dict[int, int]
    differs: bool


def explain_round(tournament: Tournament, number: int) -> RoundExplanation:
    """Pair round `number` again, from the rounds before it and those who were there, and compare.

    Drafts are part of it: for arbiters. Raises Round.DoesNotExist. Five queries, and the cost of a traced pairing.
    """
    field = load_field(tournament, before_round=number, include_drafts=True)
    shown = field.round(number)
    games = [game for game in field.games if game.round_id == shown.pk]
    allocated = {
        bye.participant_id
        for bye in field.byes
        if bye.round_number == number and bye.source == Bye.Source.ALLOCATED
    }
    boards = {key: game.board for game in games for key in (game.white_id, game.black_id)}
    here = allocated | boards.keys()
    forbidden = frozenset(
        (row.first_id, row.second_id)
        for row in tournament.forbidden_pairs.all()
        if row.first_round <= number and (row.last_round is None or number <= row.last_round)
    )
    before = replace(
        field.engine, absent=frozenset(field.participants) - frozenset(here), forbidden=forbidden
    )
    pairing = _paired(before)
    if pairing is None:
        return RoundExplanation(field, None, boards, differs=True)
    stored = {(game.white_id, game.black_id) for game in games}
    engine = {(pair.white, pair.black) for pair in pairing.pairs}
    differs = stored != engine or allocated != ({pairing.bye} - {None})
    return RoundExplanation(field, Explainer(before, pairing), boards, differs)


def _paired(before: EngineTournament) -> RoundPairing | None:
    try:
        return pair_round(before, trace=True)
    except PairingError:
        return None
