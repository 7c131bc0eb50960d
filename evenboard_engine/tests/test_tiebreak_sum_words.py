"""What people read about each round of a value, below it, and about the neighbours."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from hashlib import sha256

import pytest

from evenboard_engine import Bye, ByeKind, Game, OpenGame, Player, Result, Tournament
from evenboard_engine.tests.random_results import random_results
from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.tests.tiebreak_sums import ALL, RULES
from evenboard_engine.tiebreaks import POINTS, read_list
from evenboard_engine.tiebreaks.parts import PartRole
from evenboard_engine.tiebreaks.parts.sums import Sums, averaged
from evenboard_engine.words.sums import SumsWords, SumTable

NAMES = {1: "Ann", 2: "Ben", 3: "Cem", 4: "Dag", 5: "Eva"}
FIELD = Tournament(
    rounds=3,
    round=4,
    players=tuple(Player(key, key, 2500 - 100 * key if key != 5 else 0) for key in NAMES),
    games=(
        Game(1, 1, 2, Result.WHITE_WINS),
        Game(1, 3, 4, Result.DRAW),
        Game(2, 4, 1, Result.WHITE_WINS_BY_FORFEIT),
        Game(2, 2, 5, Result.WHITE_WINS),
        Game(3, 1, 4, Result.WHITE_WINS),
        Game(3, 5, 3, Result.DRAW),
    ),
    byes=(
        Bye(1, 5, ByeKind.ALLOCATED),
        Bye(2, 3, ByeKind.HALF),
        Bye(3, 2, ByeKind.ZERO),
    ),
)
"""Points: Ann 2, Ben 1, Cem 1.5, Dag 1.5, Eva 1.5. Ann lost by forfeit, and Ben was away in the last round."""


def table(code: str, player: int, tournament: Tournament = FIELD, **options: object) -> SumTable:
    sums = Sums(tournament, (POINTS, *read_list(code)), **options)  # type: ignore[arg-type]
    return SumsWords(NAMES.__getitem__).table(sums.of(player)[-1])


DUMMY = "It counts as a game against a dummy opponent with"


@pytest.mark.parametrize(
    ("code", "player", "round_number", "remark"),
    [
        ("BH", 1, 1, "The opponent scored 1 point. Round 3, which the opponent did not play, counts as a draw."),
        ("BH", 1, 2, f"{DUMMY} 1½ points, as many as the opponent of the pairing has, because the player has more."),
        ("BH", 4, 2, f"{DUMMY} 1½ points, as many as the player has."),
        ("BH", 4, 3, ""),
        ("BH/C1", 2, 3, f"{DUMMY} 1 point, as many as the player has. Cut: the player chose not to play this round."),
        ("BH/M1", 4, 1, "Cut: the lowest value."),
        ("BH/M1", 4, 3, "Cut: the highest value."),
        ("BH/P", 1, 2, "A forfeit counts as a game."),
        ("FB", 5, 3, ""),
        ("FB", 3, 2, f"{DUMMY} 1½ points, as many as the player has with the game of the last round drawn."),
        ("PTP", 4, 1, "A difference of −106 gives 0.36 in FIDE’s table."),
        ("PTP", 4, 3, "A difference of −306 gives 0.14 in FIDE’s table."),
        ("FB", 3, 1, "The opponent scored 1½ points. The last round counts as a draw."),
        ("SB/C1", 4, 1, "Cut: the opponent with the fewest points."),
        ("AOB", 3, 2, "It does not count, because there was no game over the board."),
        ("KS", 2, 3, "It does not count, because the player has no opponent in it."),
        ("KS/L1", 1, 1, "It does not count, because the opponent has less than 2 points."),
        ("STD", 3, 2, "Without an opponent the points are compared with a draw."),
        ("ARO/M1", 4, 1, "Cut: the lowest rating."),
        ("ARO/M1", 4, 3, "Cut: the highest rating."),
        ("ARO", 2, 2, "It does not count, because the opponent has no rating that counts here."),
        ("PS/C1", 1, 1, "Cut: one of the first rounds."),
        ("DE", 3, 2, "It does not count, because there was no game over the board."),
        ("DE", 4, 3, "It does not count, because the opponent is not tied with the player."),
        ("PT", 1, 1, "It does not count, because the score groups had no order yet."),
        ("PT", 1, 3, "The opponent was number 1 of 1 in the score group: 3 × 1 / 1."),
        ("OTHER_SOLKOFF", 4, 2, "It counts as a game against an opponent with 0 points."),
        ("OTHER_CUM", 4, 2, "1 point less, because it is a win without a game."),
    ],
)  # fmt: skip
def test_each_round_says_what_is_not_plain(code: str, player: int, round_number: int, remark: str) -> None:
    assert table(code, player).rows[round_number - 1].remark == remark


def test_a_double_forfeit_is_called_so_and_compared_with_a_draw() -> None:
    nobody = replace(FIELD, games=(*FIELD.games[:-1], Game(3, 5, 3, Result.DOUBLE_FORFEIT)))
    rows = [table(code, 5, nobody).rows[2] for code in ("STD", "BH/P")]
    assert [(row.played, row.counts, row.remark) for row in rows] == [
        ("Double forfeit", "0", "Neither player came, so the points are compared with a draw."),
        ("Double forfeit", "1", "A forfeit counts as a game."),
    ]


def test_a_dummy_without_an_opponent_is_limited_by_draws() -> None:
    away = replace(FIELD, games=FIELD.games[:-1], byes=(*FIELD.byes, Bye(3, 3, ByeKind.FULL)))
    assert table("BH", 3, away).rows[1].remark == (
        f"{DUMMY} 1½ points, as many as a draw in every round gives, because the player has more."
    )
    assert (
        table("BH", 3, away, capped=False).rows[1].remark == f"{DUMMY} 2 points, as many as the player has."
    )


@pytest.mark.parametrize(
    ("kind", "played"), [(ByeKind.ALLOCATED, "Free round"), (ByeKind.ZERO, "No game that counts")]
)
def test_a_round_without_an_opponent_does_not_count_in_a_round_robin(kind: ByeKind, played: str) -> None:
    byes = (Bye(2, 3, kind),)
    row = table("SB", 3, replace(FIELD, system="round-robin", byes=byes)).rows[1]
    assert (row.played, row.counts, row.remark) == (
        played,
        "",
        "It does not count, because the player has no opponent in it.",
    )


def test_points_decide_a_direct_encounter_of_a_round_robin_at_any_time() -> None:
    assert table("DE", 4, replace(FIELD, system="round-robin")).lines[:2] == (
        "In a round robin the points of Dag, Cem and Eva against each other decide at any time: Dag ½, Cem 1, Eva ½.",
        "The order is: Cem, Dag and Eva (tied).",
    )


def test_values_of_opponents_have_their_sums_in_the_notes() -> None:
    sums = Sums(FIELD, (POINTS, *read_list("AOB,APRO")))
    remarks = []
    for found in sums.of(1)[1:]:
        inside = averaged(found.tie_break)
        assert inside is not None
        rows = SumsWords(NAMES.__getitem__).table(found, partial(sums.of_opponent, inside)).rows
        remarks.append([(row.counts, row.remark) for row in rows if row.part.role is not PartRole.LEFT_OUT])
    nothing = "0 points from 1 game is 0 %. FIDE’s table has a difference of −800 for it. 2400 − 800 = 1600."
    half = "½ point from 2 games is 25 %. FIDE’s table has a difference of −193 for it. 2300 − 193 = 2107."
    assert remarks == [
        [("4½", "2 + 1½ + 1 = 4½."), ("5", "1½ + 1½ + 2 = 5.")],
        [("1600", f"2400 / 1 = 2400. {nothing}"), ("2107", f"(2200 + 2400) / 2 = 2300. {half}")],
    ]


def test_names_with_commas_have_semicolons_between_them() -> None:
    sums = Sums(replace(FIELD, system="round-robin"), (POINTS, *read_list("DE")))
    words = SumsWords(lambda key: f"{NAMES[key]}, {'ABCDE'[key - 1]}.")
    assert words.table(sums.of(4)[-1]).lines[:2] == (
        (
            "In a round robin the points of Dag, D.; Cem, C. and Eva, E. against each other decide at any time: "
            "Dag, D. ½; Cem, C. 1; Eva, E. ½."
        ),
        "The order is: Cem, C.; Dag, D. and Eva, E. (tied).",
    )


def test_a_player_without_a_game_has_no_rating_of_opponents() -> None:
    found = table("ARO/C2", 4)
    assert (found.value, found.lines) == ("–", ("No game counts.",))


def test_a_game_without_a_result_does_not_count_yet() -> None:
    running = replace(FIELD, games=FIELD.games[:-1], open_games=(OpenGame(3, 5, 3),))
    row = table("BH", 3, running).rows[2]
    assert (row.played, row.counts, row.remark) == (
        "No result yet",
        "",
        "It does not count yet, because the game has no result.",
    )


@pytest.mark.parametrize(
    ("code", "player", "lines"),
    [
        ("BH", 1, ["1½ + 1½ + 1½ = 4½"]),
        ("WIN", 1, ["1 + 0 + 1 = 2"]),
        ("REP", 3, ["1 + 0 + 1 = 2"]),
        ("BH/C2", 1, ["One round counts: 1½"]),
        (
            "KS/L3",
            1,
            ["Opponents with at least 3 points count. A player who wins every round has 3 points.", "No round counts."],
        ),
        ("AOB", 1, ["(4½ + 5) / 2 = 4.750"]),
        ("ARO", 4, ["(2200 + 2400) / 2 = 2300"]),
        ("ARO", 5, ["(2300 + 2200) / 2 = 2250"]),
        (
            "KS",
            1,
            ["Opponents with at least 1½ points count. A player who wins every round has 3 points.", "0 + 1 = 1"],
        ),
        (
            "TPR",
            1,
            [
                "(2300 + 2100) / 2 = 2200",
                "2 points from 2 games is 100 %. FIDE’s table has a difference of 800 for it.",
                "2200 + 800 = 3000",
            ],
        ),
        (
            "TPR",
            4,
            [
                "(2200 + 2400) / 2 = 2300",
                "½ point from 2 games is 25 %. FIDE’s table has a difference of −193 for it.",
                "2300 − 193 = 2107",
            ],
        ),
        (
            "PTP",
            4,
            [
                ("With a rating of 2094 FIDE’s table expects 0.50, which is not less than the ½ scored. "
                "With 2093 it expects 0.49.")
            ],
        ),
        ("PT", 1, ["(2 + 3) / (2 + 3) = 1.000"]),
        ("PT", 3, ["9 / 3 = 3.000"]),
        (
            "OTHER_MODMED",
            1,
            [
                "The player has 2 points, more than half of the possible points (1½). So the lowest value is cut.",
                "1½ + 1 = 2½",
            ],
        ),
        (
            "OTHER_MODMED",
            4,
            [
                "The player has 1½ points, half of the possible points. So the lowest and the highest value are cut.",
                "One round counts: 1½",
            ],
        ),
        ("DE", 1, ["Nobody else is tied with the player here, so there is nothing to compare."]),
        (
            "DE",
            3,
            [
                (
                    "Not all of Cem, Dag and Eva have met. Their points against each other, up to those with wins in "
                    "all missing games: Cem 1, Dag ½ to 1½, Eva ½ to 1½."
                ),
                "This does not separate the players.",
            ],
        ),
        (
            "OTHER_LOTS/AB",
            4,
            [
                ("The SHA-256 sum of the text “AB/4” is "
                f"{sha256(b'AB/4').hexdigest()}. In the order of the sums of all players it is number 4.")
            ],
        ),
        ("OTHER_LOTS/AB", 1, ["Nobody else is tied with the player here, so no lot was needed."]),
        ("XX", 1, ["The program does not know this tie-break, so it separates nobody."]),
    ],
)  # fmt: skip
def test_the_sum_and_its_steps_are_below(code: str, player: int, lines: list[str]) -> None:
    assert list(table(code, player).lines) == lines


def test_many_tied_players_are_counted() -> None:
    """The player is named first, and then those with most points."""
    games = (Game(1, 1, 2, Result.WHITE_WINS), Game(1, 19, 20, Result.DRAW))
    players = tuple(Player(key, key, 2000) for key in range(1, 21))
    found = Sums(Tournament(rounds=1, round=2, players=players, games=games), read_list("DE")).of(19)
    assert SumsWords(str).table(found[0]).lines[0] == (
        "Not all of 19, 1, 20, 3, 4, 5, 6, 7 and 12 more have met. Their points against each other, up to those with "
        "wins in all missing games: 19 ½ to 18½, 1 1 to 19, 20 ½ to 18½, 3 0 to 19, 4 0 to 19, 5 0 to 19, 6 0 to 19, "
        "7 0 to 19 and 12 more."
    )


def test_a_typed_value_says_so() -> None:
    found = table("OTHER_PLAYOFF", 2, typed={"OTHER_PLAYOFF": {2: Fraction(3, 2)}})
    assert (found.name, found.value, found.rows) == ("Play-off", "1.5", ())
    assert found.lines == ("The value was entered. The program does not compute it.",)


def test_heads_of_the_columns() -> None:
    found = table("SB/C1", 4)
    assert (found.name, found.value, found.article) == ("Sonneborn-Berger cut 1", "1½", "9.1")
    assert (found.scored_head, found.worth_head, found.counts_head) == (
        "Scored",
        "Opponent’s points",
        "Product",
    )
    assert [(row.scored, row.worth, row.counts) for row in found.rows] == [
        ("½", "1½", "¾"),
        ("1", "1½", "1½"),
        ("0", "2", "0"),
    ]
    found = table("BH", 4)
    assert (found.scored_head, found.worth_head, found.counts_head) == ("", "", "Opponent’s points")


@pytest.mark.parametrize(
    ("code", "above", "below", "of_above", "of_below"),
    [
        ("BH", 1, 4, "Before Dag by points: 2 against 1½.", "Behind Ann by points: 1½ against 2."),
        (
            "STD,OTHER_LOTS/AB",
            4,
            3,
            "Before Cem by drawing of lots, seed AB. Both are level in points and standard points.",
            "Behind Dag by drawing of lots, seed AB. Both are level in points and standard points.",
        ),
        (
            "WON",
            4,
            3,
            "Level with Cem in points and games won.",
            "Level with Dag in points and games won.",
        ),
    ],
)
def test_what_separates_neighbours(code: str, above: int, below: int, of_above: str, of_below: str) -> None:
    found = Sums(FIELD, (POINTS, *read_list(code))).separation(above, below)
    words = SumsWords(NAMES.__getitem__)
    assert [words.separation(found, player) for player in (above, below)] == [of_above, of_below]


@for_seeds(12, in_a_case=12)
def test_every_value_has_words(seed: int) -> None:
    tournament = random_results(seed, fixed=seed % 4 == 0)
    words = SumsWords(str)
    sums = Sums(tournament, (POINTS, *RULES), typed={"OTHER_PLAYOFF": {}})
    for player in tournament.players:
        tables = [words.table(found) for found in sums.of(player.id)]
        assert len(tables) == len(ALL) + 1
        for found in tables:
            heads = (found.scored_head, found.worth_head, found.counts_head)
            for row in found.rows:
                for head, text in zip(heads, (row.scored, row.worth, row.counts), strict=True):
                    assert head or not text
            assert not any("%(" in text for text in (*found.lines, *(row.remark for row in found.rows)))
