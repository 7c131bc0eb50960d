"""Make a report file of a generated tournament."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from evenboard_engine.history import without_games_of
from evenboard_engine.model import RESULTS, ByeKind, Tournament
from evenboard_engine.systems.registry import system_of
from evenboard_engine.tiebreaks import ranking, read_list
from evenboard_engine.trf import (
    AnnouncedBye,
    KeptLine,
    Leaver,
    PlayerRecord,
    Prohibition,
    Record,
    Report,
    TextRecord,
    entries_before,
    fact_lines,
    head_records,
    reading_lines,
    scoring_records,
    system_lines,
)

from .settings import Settings, tie_breaks_by_chance


def report_of(seed: str, settings: Settings, tournament: Tournament) -> Report:
    """Return the report of a tournament that was played up to the round before `tournament.round`.

    Its ranks follow the tie-breaks of its record 212. Players who are still tied after all of them share a rank.
    tournament.absent: where rounds are fixed, the players who have left. Those whose games do not count have no rank.
    """
    system = system_of(tournament)
    codes = settings.tie_breaks
    if codes is None:
        chance = Random(f"{seed} tie-breaks")  # noqa: S311 a game of chance, not a secret
        codes = tie_breaks_by_chance(chance, system.barred_tie_breaks)
    tie_breaks = ",".join(("PTS", *codes))
    head: tuple[Record, ...] = (
        TextRecord("012", f"Random tournament, seed {seed}"),
        TextRecord("062", str(len(tournament.players))),
        TextRecord("072", str(sum(player.rating > 0 for player in tournament.players))),
        *head_records(tournament),
        *scoring_records(tournament.points),
        TextRecord("182", "Evenboard"),
        TextRecord("192", system.coded(tournament.options, accelerated=bool(tournament.accelerations))),
        TextRecord("212", tie_breaks),
        *(Prohibition(pair) for pair in sorted(tournament.forbidden)),
        *_readings(settings, tournament),
        *fact_lines(tournament.players, system.player_facts),
        *_announced(tournament),
        *_leavers(tournament),
    )
    players = _player_records(tournament)
    sums = Report((*head, *players))
    rank, place = {}, 1
    uncounted = system.uncounted(tournament).keys()
    among = [player.id for player in tournament.players if player.id not in uncounted]
    counted = without_games_of(tournament, uncounted)
    for group in ranking(counted, read_list(tie_breaks), among=among).groups:
        rank.update(dict.fromkeys(group, place))
        place += len(group)
    return Report(
        (
            *head,
            *(
                replace(player, points=sums.scores(player)[0], rank=rank.get(player.starting_rank))
                for player in players
            ),
        )
    )


def _readings(settings: Settings, tournament: Tournament) -> Iterable[KeptLine]:
    """Return comments for the system, and for its options if the settings choose one: no record has them."""
    lines_of = reading_lines if settings.options else system_lines
    return map(KeptLine, lines_of(tournament.system, tournament.options))


def _announced(tournament: Tournament) -> Iterable[AnnouncedBye]:
    """Yield the byes of rounds that were not played."""
    later = [bye for bye in tournament.byes if bye.round >= tournament.round]
    for number in sorted({bye.round for bye in later}):
        yield AnnouncedBye(ByeKind.HALF, number, tuple(bye.player for bye in later if bye.round == number))


def _leavers(tournament: Tournament) -> Iterable[KeptLine]:
    """Yield a comment for each player who has left, after the last round that the player played."""
    for player in sorted(tournament.absent):
        played = (
            game.round
            for game in tournament.games
            if player in (game.white, game.black) and RESULTS[game.result].played
        )
        yield KeptLine(str(Leaver(max(played, default=0), player, expelled=False)))


def _player_records(tournament: Tournament) -> list[PlayerRecord]:
    entries = entries_before(tournament)
    return [
        PlayerRecord(
            player.tpn,
            name=f"Player {player.tpn:04}",
            rating=player.rating or None,
            entries=entries[player.id],
        )
        for player in tournament.players
    ]
