"""The Dubov System (FIDE Handbook C.04.4.1, edition of 1 July 2025), told in the order of the handbook.

Which function implements which article, and how open articles are read: docs/rules.md.
"""

from __future__ import annotations

from itertools import groupby

from pairing.engine.boards import board_order
from pairing.engine.checks import check_round
from pairing.engine.model import Tournament
from pairing.engine.result import BracketRecord, Pair, RoundPairing

from .bye import allocate_bye
from .colours import allocate_colours
from .field import Entrant, entrants
from .shifters import recompose
from .transposition import first_transposition, s1_order
from .upfloaters import choose_upfloaters


def pair_round(tournament: Tournament) -> RoundPairing:
    """The pairing of round `tournament.round`, boards in the order of GHR 3.6.

    The same input gives the same answer, whatever the order of its players, games and byes.
    Raises InvalidTournament for input that contradicts itself, NoLegalPairing when no round satisfies C1 to C3
    (1.8.3), InternalError if the answer does not pass its own check.
    """
    field = entrants(tournament)
    bye = allocate_bye(field)
    remaining = [player for player in field if player is not bye]
    remaining.sort(key=lambda player: (-player.score, player.rank))
    last_round = tournament.round == tournament.rounds
    pairs: list[Pair] = []
    brackets: list[BracketRecord] = []
    while remaining:
        residents = list(next(groupby(remaining, key=lambda player: player.score))[1])
        lower = remaining[len(residents) :]
        upfloaters = choose_upfloaters(residents, lower, last_round=last_round)
        record, couples = _pair_bracket(residents, upfloaters)
        brackets.append(record)
        pairs.extend(allocate_colours(one, other, tournament.initial_colour) for one, other in couples)
        floated = {player.rank for player in upfloaters}
        remaining = [player for player in lower if player.rank not in floated]
    pairing = RoundPairing(
        round=tournament.round,
        pairs=board_order(pairs, {player.id: (player.score, player.rank) for player in field}),
        bye=bye.id if bye else None,
        brackets=tuple(brackets),
    )
    check_round(tournament, pairing)
    return pairing


def _pair_bracket(
    residents: list[Entrant], upfloaters: list[Entrant]
) -> tuple[BracketRecord, list[tuple[Entrant, Entrant]]]:
    """Articles 2.2.3 to 2.2.6 for residents and the upfloaters chosen for them."""
    bracket = [*residents, *upfloaters]
    groups = recompose(bracket)
    s1 = sorted(groups.g1, key=s1_order)
    t2 = first_transposition(s1, sorted(groups.g2, key=lambda player: player.rank))
    record = BracketRecord(
        score=residents[0].score,
        residents=tuple(player.id for player in residents),
        upfloaters=tuple(player.id for player in upfloaters),
        unplayed=not any(player.games for player in bracket),
        shifted_first=tuple(player.id for player in groups.first),
        shifted_second=tuple(player.id for player in groups.second),
        s1=tuple(player.id for player in s1),
        t2=tuple(player.id for player in t2),
    )
    return record, list(zip(s1, t2, strict=True))
