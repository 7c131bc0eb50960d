"""The standings: points, then ARO, then TPN."""

from __future__ import annotations

from dataclasses import dataclass

from pairing.engine.standings import standings
from tournaments.models import Participant, Round, Tournament

from .field import Field, load_field


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One line.

    place: from 1; no two players share one. points: in tenths. aro: in Elo, 0 without a game. games: those
    played.
    """

    place: int
    participant_id: int
    tpn: int | None
    name: str
    title: str
    federation: str
    club: str
    rating: int
    points: int
    aro: int
    games: int
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """The table after a round (0: before the first one), expelled players left out (VCL4THP.13 Q198).

    final: all is over and nothing is open (Q161, Q169). running: the round has boards without a result, whose
    players stand with what they had. open_games: such boards in any round that counts; adjourned: games to be
    finished, standing as draws.
    """

    after_round: int
    rounds: int
    latest_round: int
    rows: tuple[StandingRow, ...]
    final: bool
    running: bool
    open_games: int
    adjourned: int


def standings_table(tournament: Tournament, after_round: int | None = None) -> StandingsTable:
    """Return the standings after a published round, by default the latest. Drafts never count. Four queries.

    Each result of a running round counts as soon as it is entered. Raises Round.DoesNotExist for a round that
    is not published.
    """
    field = load_field(tournament, before_round=None if after_round is None else after_round + 1)
    return table(field)


def table(field: Field) -> StandingsTable:
    """Return the standings of a field, before `field.before_round`."""
    after = field.before_round - 1
    past = field.histories
    out = frozenset(
        key
        for key, participant in field.participants.items()
        if not field.takes_part(participant, field.before_round)
    )
    rows = []
    for standing in standings(field.engine, past=past, leave_out=out):
        participant = field.participants[standing.player]
        player = participant.player
        rows.append(
            StandingRow(
                place=standing.place,
                participant_id=participant.pk,
                tpn=participant.tpn,
                name=player.name,
                title=player.title,
                federation=player.federation,
                club=participant.club,
                rating=participant.rating,
                points=standing.points,
                aro=standing.aro,
                games=standing.games,
                withdrawn=participant.status == Participant.Status.WITHDRAWN,
            )
        )
    open_games = [game for game in field.open_games if game.round.number <= after]
    adjourned = sum(game.round.number <= after for game in field.adjourned_games)
    return StandingsTable(
        after_round=after,
        rounds=field.tournament.rounds,
        latest_round=field.latest_number,
        rows=tuple(rows),
        final=is_final(field),
        running=any(game.round.number == after for game in open_games),
        open_games=len(open_games),
        adjourned=adjourned,
    )


def is_final(field: Field) -> bool:
    """Nothing can change any more: closed or all rounds over, no game open or adjourned (Q161, Q169)."""
    after = field.before_round - 1
    latest = field.latest
    return (
        after > 0
        and after == field.latest_number
        and (field.tournament.is_closed or after >= field.tournament.rounds)
        and latest is not None
        and latest.state in (Round.State.PUBLISHED, Round.State.FINISHED)
        and not field.open_games
        and not field.adjourned_games
    )
