"""Check a draft again before it is published: is it still the pairing that the rules give, or the offer?"""

from __future__ import annotations

from typing import Any

from evenboard_engine import NoLegalPairing, RoundPairing, offer, pair_round
from tournaments.actions.ledger import Actor, act
from tournaments.errors import DomainError
from tournaments.models import Bye, Game, Round, Section
from tournaments.snapshot import engine_tournament

from .actions import locked_round, section_of_round


def check_round(*, actor: Actor, round_id: int, seen_version: int) -> dict[str, Any]:
    """Pair the round again with the data of now, and write to the log whether the draft agrees. Nothing else changes.

    Results, ratings or absences may have changed, or somebody has paired by hand. Returns, and writes to the log: the
    version of the round, `same`, the boards that differ from the rules, and `bye` (whether the bye is the same).
    Where the rules cannot finish the round, it is compared with the offer, and `offer` is true. `nothing` is true
    if there is neither.
    Raises NotFound; Stale("stale_version"); DomainError("round_not_draft").
    """
    with act(section_id=section_of_round(round_id), actor=actor, action="check_round") as entry:
        row = locked_round(round_id, seen_version)
        if not row.is_draft:
            raise DomainError("round_not_draft", round=row.number)
        entry.round_number = row.number
        entry.after = _compared(entry.section, row)
    return entry.after


def _compared(section: Section, row: Round) -> dict[str, Any]:
    """Compare the draft with the engine's pairing of now."""
    games = list(Game.objects.filter(round=row).order_by("board"))
    byes = list(Bye.objects.filter(participant__section=section))
    allocated = [
        bye.participant_id
        for bye in byes
        if bye.round_number == row.number and bye.source == Bye.Source.ALLOCATED
    ]
    answer, is_offer = _answer(section, row.number, byes)
    pairs = {(pair.white, pair.black) for pair in answer.pairs} if answer else set()
    boards = [game.board for game in games if (game.white_id, game.black_id) not in pairs]
    bye = answer is not None and allocated == ([] if answer.bye is None else [answer.bye])
    return {
        "version": row.version,
        "same": bye and not boards and len(games) == len(pairs),
        "boards": boards,
        "bye": bye,
        **({"offer": True} if is_offer else {}),
        **({"nothing": True} if answer is None else {}),
    }


def _answer(section: Section, number: int, byes: list[Bye]) -> tuple[RoundPairing | None, bool]:
    """Pair the players who are present now. None where the rules give no pairing and no offer.

    The second value says whether the pairing is an offer.
    """
    value = engine_tournament(
        section,
        round_number=number,
        participants=section.participants.all(),
        rounds=section.played_rounds.all(),
        games=Game.objects.filter(round__section=section),
        byes=[bye for bye in byes if bye.source != Bye.Source.ALLOCATED or bye.round_number < number],
        forbidden=section.forbidden_pairs.order_by(),
    )
    try:
        return pair_round(value), False
    except NoLegalPairing:
        offered = offer(value)
        return (offered.pairing, True) if offered else (None, False)
