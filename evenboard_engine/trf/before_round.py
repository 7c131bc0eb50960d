"""A tournament before a round as a report file, so that any program can pair the round again.

The file has what decides the pairing, and nothing about persons: a player is a number with a rating.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from evenboard_engine.model import ByeKind, Colour, Game, OpenGame, Player, Result, Tournament
from evenboard_engine.systems.registry import histories, system_of

from .acceleration import acceleration_records
from .pairing_comments import fact_lines, reading_lines
from .records import (
    Absentees,
    AnnouncedBye,
    Configuration,
    InitialColour,
    KeptLine,
    PlayerRecord,
    Prohibition,
    Record,
    RoundEntry,
    Rounds,
    TextRecord,
)
from .report import Report
from .scoring import abnormal_records, scoring_records


def report_before(tournament: Tournament, program: str) -> Report:
    """Return the report from which `to_tournament` reads this tournament again, with pairing numbers as ids.

    program: its name and version, for record 182. Players have numbers instead of names, and so have teams and clubs.
    Cost: linear, and that of the points of all players.
    """
    value = _without_names(_numbered(tournament))
    system = system_of(value)
    return Report(
        (
            TextRecord("012", f"Round {value.round}: what it is paired from"),
            TextRecord("062", str(len(value.players))),
            TextRecord("072", str(sum(player.rating > 0 for player in value.players))),
            *head_records(value),
            *scoring_records(
                value.points, adjourned=any(one.result is Result.ADJOURNED for one in value.games)
            ),
            TextRecord("182", program),
            TextRecord("192", system.coded(value.options, accelerated=bool(value.accelerations))),
            *_players(value),
            *_not_paired(value),
            *abnormal_records(value.rulings),
            *acceleration_records(
                value.accelerations, [player.id for player in value.players], min(value.round, value.rounds)
            ),
            *(Prohibition(pair, value.round, value.round) for pair in sorted(value.forbidden)),
            *fact_lines(value.players, system.player_facts),
            *map(KeptLine, reading_lines(value.system, value.options)),
        )
    )


def head_records(tournament: Tournament) -> Iterator[Record]:
    """Yield the records of the pairing system, the rounds and the initial-colour."""
    system = system_of(tournament)
    yield TextRecord("092", system.report_name)
    yield Rounds(tournament.rounds)
    yield Rounds(tournament.rounds, code="XXR")
    if tournament.initial_colour and not system.fixed_rounds:
        yield InitialColour(tournament.initial_colour)
        yield Configuration(colour=tournament.initial_colour)


def entries_before(tournament: Tournament) -> Mapping[int, tuple[RoundEntry, ...]]:
    """Return the columns of each player for the rounds before `tournament.round`. The ids are starting ranks."""
    entries = {
        player.id: [RoundEntry() for _ in range(tournament.round - 1)] for player in tournament.players
    }
    games: tuple[Game | OpenGame, ...] = (*tournament.games, *tournament.open_games)
    for game in games:
        result = game.result if isinstance(game, Game) else None
        entries[game.white][game.round - 1] = RoundEntry.of_game(game.black, Colour.WHITE, result)
        entries[game.black][game.round - 1] = RoundEntry.of_game(game.white, Colour.BLACK, result)
    for bye in tournament.byes:
        if bye.round < tournament.round:
            entries[bye.player][bye.round - 1] = RoundEntry.of_bye(bye.kind)
    return {key: tuple(_shortened(found)) for key, found in entries.items()}


def _shortened(entries: list[RoundEntry]) -> list[RoundEntry]:
    while entries and entries[-1] == RoundEntry():
        entries.pop()
    return entries


def _players(tournament: Tournament) -> Iterator[PlayerRecord]:
    entries, past = entries_before(tournament), histories(tournament)
    for player in sorted(tournament.players, key=lambda player: player.tpn):
        yield PlayerRecord(
            player.tpn,
            name=f"Player {player.tpn:04}",
            rating=player.rating or None,
            points=past[player.id].score,
            entries=entries[player.id],
        )


def _not_paired(tournament: Tournament) -> Iterator[Record]:
    """Yield the byes of this round and, for a system that looks ahead, of later ones (240), and who is absent (XXZ)."""
    for number in sorted({bye.round for bye in tournament.byes if bye.round >= tournament.round}):
        for kind in ByeKind:
            given = [bye.player for bye in tournament.byes if (bye.round, bye.kind) == (number, kind)]
            if given:
                yield AnnouncedBye(kind, number, tuple(sorted(given)))
    resting = {bye.player for bye in tournament.byes if bye.round == tournament.round}
    if out := tournament.absent | resting:
        yield Absentees(tuple(sorted(out)))


def _numbered(tournament: Tournament) -> Tournament:
    """Return the tournament with the pairing numbers as ids."""
    number = {player.id: player.tpn for player in tournament.players}

    def game(one: Game) -> Game:
        return one._replace(white=number[one.white], black=number[one.black])

    def open_game(one: OpenGame) -> OpenGame:
        return one._replace(white=number[one.white], black=number[one.black])

    def numbers(ids: Iterable[int]) -> frozenset[int]:
        return frozenset(number[key] for key in ids)

    return replace(
        tournament,
        players=tuple(replace(player, id=player.tpn) for player in tournament.players),
        games=tuple(map(game, tournament.games)),
        open_games=tuple(map(open_game, tournament.open_games)),
        byes=tuple(bye._replace(player=number[bye.player]) for bye in tournament.byes),
        absent=numbers(tournament.absent),
        rulings=tuple(one._replace(player=number[one.player]) for one in tournament.rulings),
        forbidden=frozenset((min(pair), max(pair)) for pair in map(numbers, tournament.forbidden)),
        accelerations=tuple(one._replace(players=numbers(one.players)) for one in tournament.accelerations),
    )


def _without_names(tournament: Tournament) -> Tournament:
    """Return the tournament with numbers instead of the names of teams and clubs: only who has the same one counts."""
    teams = _codes(tournament, lambda player: player.team)
    clubs = _codes(tournament, lambda player: player.club)
    players = (
        replace(player, team=teams[player.team], club=clubs[player.club]) for player in tournament.players
    )
    return replace(tournament, players=tuple(players))


def _codes(tournament: Tournament, name: Callable[[Player], str]) -> Mapping[str, str]:
    names = dict.fromkeys(filter(None, map(name, sorted(tournament.players, key=lambda player: player.tpn))))
    return {"": "", **{one: str(number) for number, one in enumerate(names, start=1)}}
