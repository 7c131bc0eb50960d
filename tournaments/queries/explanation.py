"""Why a round was paired in this way: the round is paired again from the rounds before it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pairing.engine import PairingError, RoundPairing, pair_round
from pairing.engine import Tournament as EngineTournament
from pairing.engine.dubov.why import Explainer
from tournaments.models import Bye, Tournament

from .by_hand import forbidden_in
from .field import Field, load_field


@dataclass(frozen=True, slots=True)
class RoundExplanation:
    """field: before the round. explainer: None if the rules find no round from what is known now.

    boards: the number of the board, by participant. differs: the round is not the one that is explained,
    because it was paired by hand, or because something that affects it was changed later. corrected: games that
    were corrected after the round was paired, as (round, board). The results before these corrections count
    here (GHR 4.3).
    """

    field: Field
    explainer: Explainer | None
    boards: dict[int, int]
    differs: bool
    corrected: tuple[tuple[int, int], ...] = ()


def explain_round(tournament: Tournament, number: int) -> RoundExplanation:
    """Pair round `number` again, from the earlier rounds and the players who took part, and compare. Drafts
    count.

    Raises Round.DoesNotExist. Five queries, and the cost of a traced pairing.
    """
    known = load_field(tournament, before_round=number, include_drafts=True)
    field = known.as_paired()
    shown = field.round(number)
    games = [game for game in field.games if game.round_id == shown.pk]
    corrected = tuple(
        (now.round.number, now.board)
        for now, then in zip(known.games, field.games, strict=True)
        if now is not then and now.round.number < number
    )
    allocated = {
        bye.participant_id
        for bye in field.byes
        if bye.round_number == number and bye.source == Bye.Source.ALLOCATED
    }
    boards = {key: game.board for game in games for key in (game.white_id, game.black_id)}
    here = allocated | boards.keys()
    before = replace(
        field.engine,
        absent=frozenset(field.participants) - frozenset(here),
        forbidden=forbidden_in(tournament, number),
    )
    pairing = _paired(before)
    if pairing is None:
        return RoundExplanation(field, None, boards, differs=True, corrected=corrected)
    stored = {(game.white_id, game.black_id) for game in games}
    engine = {(pair.white, pair.black) for pair in pairing.pairs}
    differs = stored != engine or allocated != ({pairing.bye} - {None})
    return RoundExplanation(field, Explainer(before, pairing), boards, differs, corrected)


def _paired(before: EngineTournament) -> RoundPairing | None:
    try:
        return pair_round(before, trace=True)
    except PairingError:
        return None
