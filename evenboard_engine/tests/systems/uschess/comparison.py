"""Compare the engine with plain enumeration on random rounds, of fields and of whole tournaments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from evenboard_engine import Colour, NoLegalPairing, RoundPairing, Tournament
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.model import RESULTS, ByeKind, Flag, Outcome
from evenboard_engine.systems.uschess.system import US_CHESS
from evenboard_engine.tests.systems.uschess.engine import engine_answer
from evenboard_engine.tests.systems.uschess.enumeration import Answer, Man, Rules
from evenboard_engine.tests.systems.uschess.random_fields import SIZES, random_field
from evenboard_engine.tests.systems.uschess.reference import answer


@dataclass(frozen=True)
class Difference:
    seed: int
    men: tuple[Man, ...]
    rules: Rules
    reference: Answer | None
    engine: object


def field_difference(seed: int, sizes: tuple[int, ...] = SIZES) -> Difference | None:
    """Return how engine and enumeration differ on the field of a seed. An error of the engine is a difference."""
    men, rules = random_field(seed, sizes)
    expected = answer(men, rules)
    found: object
    try:
        found = engine_answer(men, rules)
    except Exception as error:  # noqa: BLE001 any error is shown with its seed
        found = f"{type(error).__name__}: {error}"
    return None if found == expected else Difference(seed, tuple(men), rules, expected, found)


def men_of(tournament: Tournament) -> tuple[list[Man], Rules]:
    """Return a tournament in the form of the enumeration: document, 1.1."""
    points = {player.id: 0 for player in tournament.players}
    colours: dict[int, dict[int, str]] = {player.id: {} for player in tournament.players}
    met: dict[int, dict[int, int]] = {player.id: {} for player in tournament.players}
    forfeits = dict.fromkeys(points, 0)
    full = dict.fromkeys(points, 0)
    half = set()
    here_in: dict[int, set[int]] = {number: set() for number in range(1, tournament.round)}
    tpn = {player.id: player.tpn for player in tournament.players}
    for game in tournament.games:
        meaning = RESULTS[game.result]
        here_in[game.round] |= {game.white, game.black}
        points[game.white] += tournament.points.of_game(meaning.white, Colour.WHITE)
        points[game.black] += tournament.points.of_game(meaning.black, Colour.BLACK)
        forfeits[game.white] += meaning.white is Outcome.FORFEIT_WIN
        forfeits[game.black] += meaning.black is Outcome.FORFEIT_WIN
        if meaning.played:
            colours[game.white][game.round], colours[game.black][game.round] = "w", "b"
            for one, other in ((game.white, game.black), (game.black, game.white)):
                met[one][tpn[other]] = met[one].get(tpn[other], 0) + 1
    for bye in tournament.byes:
        if bye.kind is ByeKind.HALF:
            half.add(bye.player)
        if bye.round < tournament.round:
            here_in[bye.round].add(bye.player)
            points[bye.player] += tournament.points.of_bye(bye.kind)
            full[bye.player] += bye.kind in (ByeKind.ALLOCATED, ByeKind.FULL)
    for here in here_in.values():
        for key in points:
            if key not in here:
                points[key] += tournament.points.zero_bye
    away = tournament.absent | {bye.player for bye in tournament.byes if bye.round == tournament.round}
    men = [
        Man(
            number=player.tpn,
            rating=player.rating,
            points=points[player.id],
            colours="".join(colours[player.id][number] for number in sorted(colours[player.id])),
            met=met[player.id],
            full_byes=full[player.id],
            forfeit_wins=forfeits[player.id],
            half_bye=player.id in half,
            keep=Flag.KEEP in player.flags,
            new=Flag.NEW in player.flags,
            late=Flag.LATE in player.flags,
            team=player.team,
            club=player.club,
        )
        for player in tournament.players
        if player.id not in away
    ]
    return men, _rules_of(tournament, tpn)


def _rules_of(tournament: Tournament, tpn: dict[int, int]) -> Rules:
    options = US_CHESS.checked(tournament.options)
    return Rules(
        high=int(options["high"]),
        low=int(options["low"]),
        avoid_unrated=options["avoid_unrated"] == "on",
        harkness=options["harkness"] == "on",
        avoid_swap=options["avoid_swap"] == "on",
        max_drop=None if options["max_drop"] == "none" else int(float(options["max_drop"]) * 10),
        team_rule=options["team_rule"],
        club_rule=options["club_rule"],
        bye_28l5=options["bye_28L5"] == "on",
        initial="b" if tournament.initial_colour is Colour.BLACK else "w",
        round=tournament.round,
        rounds=tournament.rounds,
        floor=min((player.rating for player in tournament.players if player.rating), default=0),
        forbidden=frozenset(frozenset(tpn[key] for key in pair) for pair in tournament.forbidden),
    )


def tournament_rounds(seed: int, most: int = 9) -> Iterator[tuple[Tournament, Answer | None, Answer | None]]:
    """Yield each round of a generated tournament, with the answers of enumeration and engine by pairing number."""
    rng = Random(seed)
    options = {
        "high": rng.choice(("200", "200", "120")),
        "avoid_unrated": rng.choice(("on", "on", "off")),
        "harkness": rng.choice(("off", "off", "on")),
        "avoid_swap": rng.choice(("off", "off", "on")),
        "max_drop": rng.choice(("none", "none", "1", "2")),
        "team_rule": rng.choice(("ignore", "if_required", "dont")),
        "club_rule": rng.choice(("ignore", "if_required", "dont")),
        "bye_28L5": rng.choice(("off", "on")),
    }
    settings = GeneratorSettings(
        players=rng.randint(4, most),
        rounds=rng.choice((3, 4, 4, 5, 7)),
        half_byes=rng.choice((0, 8)),
        full_byes=rng.choice((0, 20)),
        zero_byes=rng.choice((0, 20)),
        forfeits=rng.choice((0, 8)),
        retirements=rng.choice((0, 30)),
        forbidden=rng.choice((0, 0, 2)),
        accelerated=False,
        system="uschess",
        options=options,
    )
    asked: list[Tournament] = []

    def pair(tournament: Tournament) -> RoundPairing:
        asked.append(tournament)
        return US_CHESS.pair(tournament)

    generate(str(seed), settings, pair=pair)
    for tournament in asked:
        yield tournament, answer(*men_of(tournament)), engine_round(tournament)


def engine_round(tournament: Tournament) -> Answer | None:
    """Return boards and bye as pairing numbers."""
    tpn = {player.id: player.tpn for player in tournament.players}
    try:
        pairing = US_CHESS.pair(replace(tournament, system=US_CHESS.code))
    except NoLegalPairing:
        return None
    boards = tuple((tpn[pair.white], tpn[pair.black]) for pair in pairing.pairs)
    return Answer(boards, None if pairing.bye is None else tpn[pairing.bye])
