"""Article 1 for the oracle: each player's history, written again from C.04.4.1 (edition of 1 July 2025)."""

from __future__ import annotations

from dataclasses import dataclass

from evenboard_engine.model import Bye, ByeKind, Game, Player, PointSystem, Tournament
from evenboard_engine.systems.dubov.options import Edition, UpfloatCount, edition_of, upfloats_of

PLAYED_RESULTS = {
    "1-0": ("win", "loss"),
    "W-L": ("win", "loss"),
    "0-1": ("loss", "win"),
    "L-W": ("loss", "win"),
    "1/2": ("draw", "draw"),
    "D-D": ("draw", "draw"),
    "adj": ("draw", "draw"),
    "1/2-0": ("draw", "loss"),
    "0-1/2": ("loss", "draw"),
    "0-0": ("loss", "loss"),
}
FORFEITED_RESULTS = {
    "+:-": ("forfeit_win", "forfeit_loss"),
    "-:+": ("forfeit_loss", "forfeit_win"),
    "-:-": ("forfeit_loss", "forfeit_loss"),
}
BYE_POINTS = {
    ByeKind.ALLOCATED: "allocated_bye",
    ByeKind.FULL: "full_bye",
    ByeKind.HALF: "half_bye",
    ByeKind.ZERO: "zero_bye",
}
MILD, STRONG, ABSOLUTE = 1, 2, 3


@dataclass(frozen=True, slots=True)
class Entrant:
    """The values of article 1 for one player before the round.

    score: the pairing score, in tenths of a point. colours: "W" and "B" of the played games, oldest first. opponents:
    of the played games.
    aro: 1.6. upfloats: how many times upfloated. upfloated_last: in the previous round. barred: from the bye, by C2.
    number: the pairing number that counts for 5.2.1.
    """

    id: int
    tpn: int
    score: int = 0
    colours: str = ""
    opponents: frozenset[int] = frozenset()
    aro: int = 0
    upfloats: int = 0
    upfloated_last: bool = False
    barred: bool = False
    number: int = 0

    @property
    def preference(self) -> tuple[str, int]:
        """Return the due colour and its strength (1.5.2). A colour difference above 1 decides first (reading D10)."""
        difference = self.colours.count("W") - self.colours.count("B")
        if difference > 1:
            return "B", ABSOLUTE
        if difference < -1:
            return "W", ABSOLUTE
        if self.colours.endswith("WW"):
            return "B", ABSOLUTE
        if self.colours.endswith("BB"):
            return "W", ABSOLUTE
        if difference == 1:
            return "B", STRONG
        if difference == -1:
            return "W", STRONG
        if self.colours.endswith("B"):
            return "W", MILD
        return "B", MILD

    @property
    def rank(self) -> tuple[int, int]:
        """Return the rank for 5.2.1; the higher ranked player has the smaller value."""
        return -self.score, self.tpn


def points_of(entry: Game | Bye | None, player: int, points: PointSystem) -> int:
    """Return the points of a player for one round, in tenths. entry: None without a game or a bye."""
    if entry is None:
        return points.zero_bye
    if isinstance(entry, Bye):
        return int(getattr(points, BYE_POINTS[entry.kind]))
    side = 0 if entry.white == player else 1
    if entry.result.value in FORFEITED_RESULTS:
        return int(getattr(points, FORFEITED_RESULTS[entry.result.value][side]))
    scored = PLAYED_RESULTS[entry.result.value][side]
    return int(getattr(points, f"{('white', 'black')[side]}_{scored}"))


LETTERS = {"win": "W", "draw": "D", "loss": "L", "forfeit_win": "+", "forfeit_loss": "-"}
"""The letters with which record 299 names what a player did in a round."""


def letter_of(entry: Game | Bye | None, player: int) -> str:
    if entry is None:
        return "Z"
    if isinstance(entry, Bye):
        return entry.kind.value
    side = 0 if entry.white == player else 1
    return LETTERS[{**PLAYED_RESULTS, **FORFEITED_RESULTS}[entry.result.value][side]]


def decided_points(tournament: Tournament, entry: Game | Bye | None, player: int, number: int) -> int:
    """Return the points of a player for one round, where the arbiter may have decided what the result is worth."""
    points = points_of(entry, player, tournament.points)
    for wanted in (0, number):  # a decision on the round itself goes before one on all rounds
        for ruling in tournament.rulings:
            if (
                ruling.player == player
                and ruling.round == wanted
                and ruling.of is not None
                and {**LETTERS, "forfeit win": "+", "forfeit loss": "-"}.get(ruling.of.value, ruling.of.value)
                == letter_of(entry, player)
            ):
                points = ruling.points
    return points


def bonus(tournament: Tournament, player: int, number: int) -> int:
    """Return what was added to the score of a player after a round, 0 for before round 1; penalties are negative."""
    return sum(
        ruling.points
        for ruling in tournament.rulings
        if ruling.player == player and ruling.round == number and ruling.of is None
    )


def is_played(entry: Game | Bye | None) -> bool:
    return isinstance(entry, Game) and entry.result.value in PLAYED_RESULTS


def is_to_be_paired(tournament: Tournament, player: Player) -> bool:
    away = {bye.player for bye in tournament.byes if bye.round == tournament.round} | tournament.absent
    return player.id not in away


def pairing_numbers(tournament: Tournament) -> dict[int, int]:
    """Return the numbers of players ever taken into account for a pairing (5.2.1, note; reading D7)."""
    known = {player.id for player in tournament.players if is_to_be_paired(tournament, player)}
    for game in tournament.games:
        known |= {game.white, game.black}
    known |= {bye.player for bye in tournament.byes if bye.kind is ByeKind.ALLOCATED}
    in_order = sorted((player for player in tournament.players if player.id in known), key=lambda p: p.tpn)
    return {player.id: number for number, player in enumerate(in_order, start=1)}


def virtual_points(tournament: Tournament, player: int, number: int) -> int:
    """Return the virtual points of a player for the pairing of a round, in tenths."""
    return sum(
        given.points
        for given in tournament.accelerations
        if player in given.players and given.first_round <= number <= given.last_round
    )


def bars_from_the_bye(entry: Game | Bye | None, player: int, number: int, tournament: Tournament) -> bool:
    """Return whether C2 bars: in 2018 an allocated bye or forfeit win, later any unplayed round with a win's points."""
    if isinstance(entry, Bye) and entry.kind is ByeKind.ALLOCATED:
        return True
    if is_played(entry):
        return False
    if edition_of(tournament.options) is Edition.E2018:
        wins = {"+:-": "white", "-:+": "black"}
        return isinstance(entry, Game) and getattr(entry, wins.get(entry.result.value, ""), None) == player
    full_points = min(tournament.points.white_win, tournament.points.black_win)
    return decided_points(tournament, entry, player, number) >= full_points


def read_history(tournament: Tournament) -> dict[int, Entrant]:
    """Return the values of article 1 for every player, by id."""
    entries: dict[tuple[int, int], Game | Bye] = {}
    for game in tournament.games:
        entries[game.white, game.round] = entries[game.black, game.round] = game
    for bye in tournament.byes:
        entries[bye.player, bye.round] = bye

    before: dict[tuple[int, int], int] = {}
    for player in tournament.players:
        before[player.id, 1] = bonus(tournament, player.id, 0)
        for number in range(1, tournament.round):
            gained = decided_points(tournament, entries.get((player.id, number)), player.id, number)
            gained += bonus(tournament, player.id, number)
            before[player.id, number + 1] = before[player.id, number] + gained
    paired_at = {
        (player, number): points + virtual_points(tournament, player, number)
        for (player, number), points in before.items()
    }

    ratings = {player.id: player.rating for player in tournament.players}
    numbers = pairing_numbers(tournament)
    entrants = {}
    for player in tournament.players:
        colours, opponents, upfloated, barred = "", [], set(), False
        for number in range(1, tournament.round):
            entry = entries.get((player.id, number))
            if isinstance(entry, Game):
                white = entry.white == player.id
                opponent = entry.black if white else entry.white
                if is_played(entry):
                    colours += "W" if white else "B"
                    opponents.append(opponent)
                counts = is_played(entry) or upfloats_of(tournament.options) is UpfloatCount.PAIRED
                if counts and paired_at[player.id, number] < paired_at[opponent, number]:
                    upfloated.add(number)
            barred = barred or bars_from_the_bye(entry, player.id, number, tournament)
        games = len(opponents)
        total = sum(ratings[opponent] for opponent in opponents)
        entrants[player.id] = Entrant(
            id=player.id,
            tpn=player.tpn,
            score=paired_at[player.id, tournament.round],
            colours=colours,
            opponents=frozenset(opponents),
            aro=(2 * total + games) // (2 * games) if games else 0,
            upfloats=len(upfloated),
            upfloated_last=tournament.round - 1 in upfloated,
            barred=barred,
            number=numbers.get(player.id, 0),
        )
    return entrants
