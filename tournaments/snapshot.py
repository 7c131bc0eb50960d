"""The border between the database and the engine: rows become values, values become rows. No SQL query here.

The engine knows players by the key of their `Participant`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

from evenboard_engine import (
    SYSTEMS,
    Acceleration,
    Bye,
    ByeKind,
    Colour,
    Flag,
    Game,
    OpenGame,
    Pair,
    Player,
    Result,
    RoundPairing,
    Ruling,
    Tournament,
    most_kept_apart,
    system_named,
    system_of,
)
from evenboard_engine.acceleration import baku, joined
from evenboard_engine.trf.codes import RULED
from tournaments import models
from tournaments.seating import FixedBoards, numbered_boards


def engine_tournament(
    section: models.Section,
    *,
    round_number: int,
    participants: Iterable[models.Participant],
    rounds: Iterable[models.Round],
    games: Iterable[models.Game],
    byes: Iterable[models.Bye],
    forbidden: Iterable[models.ForbiddenPair] = (),
) -> Tournament:
    """A section as it is before a round, for the engine.

    participants: all, numbered. rounds: at least those before `round_number`; games of other rounds are left out.
    Games without a result are open games (who pairs a round makes sure that there are none). byes: those of earlier
    rounds and of the round itself, with later ones for a system that looks ahead. Not to be paired are those who are
    out, and late entries before their first round (GHR 2.4).
    """
    entries = tuple(participants)
    system = system_named(section.system)
    looks_ahead = system.looks_ahead
    earlier = {row.pk: row.number for row in rounds if row.number < round_number}
    known = tuple(row for row in games if row.round_id in earlier)
    return Tournament(
        rounds=section.rounds,
        round=round_number,
        players=_players(entries, frozenset(system.player_facts)),
        games=engine_games(known, earlier),
        open_games=engine_open_games(known, earlier),
        byes=tuple(
            Bye(round=row.round_number, player=row.participant_id, kind=ByeKind(row.kind))
            for row in byes
            if row.round_number <= round_number or (looks_ahead and row.kind == ByeKind.HALF.value)
        ),
        absent=frozenset(row.pk for row in entries if not row.is_active or row.first_round > round_number),
        forbidden=frozenset(
            (row.first_id, row.second_id)
            for row in forbidden
            if row.first_round <= round_number and (row.last_round is None or round_number <= row.last_round)
        ),
        initial_colour=Colour(section.initial_colour) if section.initial_colour else None,
        points=section.point_system,
        system=section.system,
        options=section.all_options,
        accelerations=accelerations(section, entries),
        rulings=tuple(ruling for row in entries if row.rulings for ruling in rulings_of(row)),
    )


# Players whom a rule keeps apart.


@dataclass(frozen=True, slots=True)
class KeptGroup:
    """Players of whom no two meet in a round, because of a rule of the section.

    kind: of `Section.ApartKind`. value: the club, team or federation, or the name of chosen players ("260" for those
    of a report file). left_out: the rule holds only as far as possible, and no round existed with this group.
    """

    kind: str
    value: str
    players: tuple[int, ...]
    strict: bool = True
    left_out: bool = False

    @property
    def pairs(self) -> frozenset[tuple[int, int]]:
        """Return the pairs that must not meet, the smaller key first."""
        return frozenset() if self.left_out else frozenset(combinations(sorted(self.players), 2))

    @property
    def row(self) -> dict[str, Any]:
        """Return the group as `Round.kept_apart` has it."""
        return {**asdict(self), "players": list(self.players)}

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> KeptGroup:
        return cls(**{**row, "players": tuple(row["players"])})


def groups_apart(
    rules: Iterable[Mapping[str, Any]], participants: Collection[models.Participant], number: int
) -> list[KeptGroup]:
    """Return the groups of the rules that hold in a round, from the players of now.

    They are in the order of the rules; in one rule, smaller groups come first.
    """
    found = []
    for rule in rules:
        if not rule["first_round"] <= number <= (rule["last_round"] or number):
            continue
        groups: dict[str, list[models.Participant]] = defaultdict(list)
        for entry in participants:
            value = _same_spelling(_fact(rule, entry))
            if value and (not rule["value"] or value == _same_spelling(rule["value"])):
                groups[value].append(entry)
        found += sorted(
            (
                KeptGroup(
                    rule["kind"],
                    rule["value"] or _fact(rule, entries[0]),
                    tuple(entry.pk for entry in entries),
                    rule["strict"],
                )
                for entries in groups.values()
                if len(entries) > 1
            ),
            key=lambda group: (len(group.players), _same_spelling(group.value)),
        )
    return found


def _fact(rule: Mapping[str, Any], entry: models.Participant) -> str:
    """Return what an entry has in common with others of its group; "" for none."""
    match rule["kind"]:
        case models.Section.ApartKind.PLAYERS:
            return str(rule["value"]) if entry.pk in rule["players"] else ""
        case models.Section.ApartKind.FEDERATION:
            return entry.player.federation
        case kind:
            return str(getattr(entry, kind))


def _same_spelling(text: str) -> str:
    return " ".join(text.casefold().split())


def keeping_apart(value: Tournament, groups: Sequence[KeptGroup]) -> tuple[Tournament, tuple[KeptGroup, ...]]:
    """Return a round in which these groups are kept apart, and the groups: those without which no round exists are
    marked as left out. Cost: a pairing of the round if a group is not strict, and more if one is left out.
    """
    if not groups:
        return value, ()
    strict = value.forbidden.union(*(group.pairs for group in groups if group.strict))
    value = replace(value, forbidden=strict)
    loose = [place for place, group in enumerate(groups) if not group.strict]
    if loose and present(value) > 1:
        kept = most_kept_apart(value, [groups[place].pairs for place in loose])
        loose = [place for at, place in enumerate(loose) if at not in kept]
    found = tuple(replace(group, left_out=place in loose) for place, group in enumerate(groups))
    return kept_apart(value, found), found


def kept_apart(value: Tournament, groups: Sequence[KeptGroup]) -> Tournament:
    """Return a round in which these groups are kept apart, except those that are left out."""
    return replace(value, forbidden=value.forbidden.union(*(group.pairs for group in groups)))


def rulings_of(entry: models.Participant) -> tuple[Ruling, ...]:
    """Return the points of an entry by decision of the arbiter."""
    return tuple(
        Ruling(entry.pk, row["round"], row["points"], RULED[row["of"]] if row["of"] else None)
        for row in entry.rulings
    )


def engine_games(rows: Iterable[models.Game], numbers: Mapping[int, int]) -> tuple[Game, ...]:
    """Return the games with a result. numbers: of the rounds, by key."""
    return tuple(
        Game(numbers[row.round_id], row.white_id, row.black_id, Result(row.result))
        for row in rows
        if row.result
    )


def engine_open_games(rows: Iterable[models.Game], numbers: Mapping[int, int]) -> tuple[OpenGame, ...]:
    """Return the games without a result."""
    return tuple(
        OpenGame(numbers[row.round_id], row.white_id, row.black_id) for row in rows if not row.result
    )


def with_all_facts(tournament: Tournament, participants: Mapping[int, models.Participant]) -> Tournament:
    """Return a tournament whose players have what any pairing system asks of them, for other systems than its own."""
    facts = frozenset(fact for system in SYSTEMS.values() for fact in system.player_facts)
    shown = {player.id: player for player in _players(participants.values(), facts)}
    players = tuple(
        replace(player, team=shown[player.id].team, club=shown[player.id].club, flags=shown[player.id].flags)
        for player in tournament.players
    )
    return replace(tournament, players=players)


def _players(entries: Iterable[models.Participant], facts: Set[str]) -> tuple[Player, ...]:
    """Return the players, with these facts about them."""
    return tuple(
        Player(
            id=row.pk,
            tpn=row.tpn or 0,
            rating=row.rating,
            team=row.team if "team" in facts else "",
            club=row.club if "club" in facts else "",
            flags=frozenset(Flag(flag) for flag in row.pairing_flags.split() if flag in facts),
        )
        for row in entries
    )


def accelerations(
    section: models.Section, participants: Iterable[models.Participant]
) -> tuple[Acceleration, ...]:
    """Return the virtual points of a section, by participant key. Before the split of round 1 nobody is in GA.

    A player without a group who is above the last player of GA counts as GA. The group is given on arrival, but
    lists and reports show the virtual points before that.
    """
    if section.acceleration == models.Section.Acceleration.LISTED:
        return joined(
            {
                (number, row.pk): points
                for row in participants
                for number, points in enumerate(row.virtual_points, start=1)
            }
        )
    if section.acceleration != models.Section.Acceleration.BAKU:
        return ()
    entries = tuple(participants)
    last = max(
        (row.tpn or 0 for row in entries if row.acceleration_group == row.AccelerationGroup.GA), default=0
    )
    ga = [
        row.pk
        for row in entries
        if row.acceleration_group == row.AccelerationGroup.GA
        or (not row.acceleration_group and 0 < (row.tpn or 0) < last)
    ]
    return baku(ga, rounds=section.rounds, win=section.win_points)


def present(tournament: Tournament) -> int:
    """How many players are there to be paired."""
    away = tournament.absent | {bye.player for bye in tournament.byes if bye.round == tournament.round}
    return len(tournament.players) - len(away)


def fixed_boards(participants: Iterable[models.Participant]) -> FixedBoards:
    """Return the fixed boards of these players, by key."""
    return {
        row.pk: (not row.step_free, row.fixed_board) for row in participants if row.fixed_board is not None
    }


def game_rows(
    row: models.Round, pairing: RoundPairing, value: Tournament, fixed: FixedBoards
) -> list[models.Game]:
    """The games of a round, not saved, in the order of the pairs. value: as it was paired. fixed: the fixed boards.

    A game that cannot be played, because the system pairs players who have left, has its result at once.
    """
    forfeit = system_of(value).forfeit
    pairs = [(pair.white, pair.black) for pair in pairing.pairs]
    return [
        models.Game(
            round=row,
            board=board,
            white_id=pair.white,
            black_id=pair.black,
            result=forfeit(value, pair.white, pair.black) or "",
        )
        for board, pair in zip(numbered_boards(pairs, fixed), pairing.pairs, strict=True)
    ]


def bye_rows(pairing: RoundPairing) -> list[models.Bye]:
    """The pairing-allocated bye of a round, not saved; empty for an even field."""
    if pairing.bye is None:
        return []
    allocated = models.Bye.Source.ALLOCATED
    kind = ByeKind.ALLOCATED.value
    return [models.Bye(participant_id=pairing.bye, round_number=pairing.round, kind=kind, source=allocated)]


def engine_answer(pairing: RoundPairing) -> dict[str, object]:
    """The pairing as `Round.engine_pairing` keeps it."""
    return {"pairs": [[pair.white, pair.black] for pair in pairing.pairs], "bye": pairing.bye}


def pairing_of_row(number: int, row: Mapping[str, Any]) -> RoundPairing:
    """Return the pairing of round `number` that `engine_answer` wrote, without what the system noted."""
    return RoundPairing(number, tuple(Pair(white, black, "") for white, black in row["pairs"]), row["bye"])
