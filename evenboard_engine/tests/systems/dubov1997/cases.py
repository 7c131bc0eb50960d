"""From a tournament to the input of the reference: the figures of S1, counted by themselves, apart from the engine."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from evenboard_engine.model import RESULTS, Bye, ByeKind, Colour, Game, Outcome, Tournament
from evenboard_engine.tests.systems.dubov1997.values import Case, Person

Entries = Mapping[int, Game | Bye]
"""What a player has in each round."""


def case_of(tournament: Tournament) -> Case:
    """Return the round of a tournament as a case. Players are their pairing numbers."""
    number = tournament.round
    tpn = {player.id: player.tpn for player in tournament.players}
    away = {*tournament.absent, *(bye.player for bye in tournament.byes if bye.round == number)}
    entries = {player.id: _entries(tournament, player.id) for player in tournament.players}
    scores = {at: _scores(tournament, entries, at) for at in range(1, number + 1)}
    persons = tuple(
        _person(tournament, player.id, tpn, scores, entries[player.id])
        for player in tournament.players
        if player.id not in away
    )
    return Case(
        number,
        tournament.rounds,
        tuple(sorted(persons, key=lambda person: person.no)),
        (tournament.initial_colour or Colour.WHITE).value,
        frozenset(frozenset(tpn[key] for key in pair) for pair in tournament.forbidden),
    )


def _person(
    tournament: Tournament,
    key: int,
    tpn: Mapping[int, int],
    scores: Mapping[int, Mapping[int, Fraction]],
    entries: Entries,
) -> Person:
    rating = {player.id: player.rating for player in tournament.players}
    mine = sorted(
        (game for game in tournament.games if key in (game.white, game.black)), key=lambda game: game.round
    )
    played = [game for game in mine if RESULTS[game.result].played]
    opponents = [game.black if game.white == key else game.white for game in played]
    rises = [game.round for game in mine if scores[game.round][_other(game, key)] > scores[game.round][key]]
    return Person(
        no=tpn[key],
        rating=rating[key],
        score=scores[tournament.round][key],
        colours="".join("w" if game.white == key else "b" for game in played),
        aro=Fraction(sum(rating[other] for other in opponents), len(opponents)) if opponents else Fraction(0),
        met=frozenset(tpn[other] for other in opponents),
        rises=len(rises),
        rose_last=tournament.round - 1 in rises,
        had_point=_had_point(tournament, entries, key),
    )


def _other(game: Game, key: int) -> int:
    return game.black if game.white == key else game.white


def _points(tournament: Tournament, entry: Game | Bye, key: int) -> int:
    if isinstance(entry, Bye):
        return tournament.points.of_bye(entry.kind)
    meaning = RESULTS[entry.result]
    if entry.white == key:
        return tournament.points.of_game(meaning.white, Colour.WHITE)
    return tournament.points.of_game(meaning.black, Colour.BLACK)


def _entries(tournament: Tournament, key: int) -> Entries:
    games = {game.round: game for game in tournament.games if key in (game.white, game.black)}
    byes = {bye.round: bye for bye in tournament.byes if bye.player == key}
    return {**games, **byes}


def _scores(tournament: Tournament, entries: Mapping[int, Entries], before: int) -> Mapping[int, Fraction]:
    """The scores before a round. A round without an entry scores as a zero-point bye."""
    scores = {}
    for key, of_player in entries.items():
        earlier = [entry for at, entry in of_player.items() if at < before]
        scores[key] = Fraction(
            sum(_points(tournament, entry, key) for entry in earlier)
            + (before - 1 - len(earlier)) * tournament.points.zero_bye
        )
    return scores


def _had_point(tournament: Tournament, entries: Entries, key: int) -> bool:
    """S1.8."""
    for at, entry in entries.items():
        if at >= tournament.round:
            continue
        full = _points(tournament, entry, key) >= tournament.points.win
        if isinstance(entry, Bye):
            if entry.kind is ByeKind.ALLOCATED or (entry.kind is ByeKind.FULL and full):
                return True
        else:
            meaning = RESULTS[entry.result]
            mine = meaning.white if entry.white == key else meaning.black
            if mine is Outcome.FORFEIT_WIN and full:
                return True
    return False
