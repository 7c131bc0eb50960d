"""The round robin pairs, explains, compares, and says what is unusual in a round paired by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from evenboard_engine import Bye, ByeKind, Game, NoLegalPairing, Player, Result, Tournament
from evenboard_engine.findings import HandMadeDraft, Level, Published
from evenboard_engine.systems.round_robin.pairing import uncounted
from evenboard_engine.systems.round_robin.system import ROUND_ROBIN
from evenboard_engine.tests.systems.round_robin.tables import printed
from evenboard_engine.words.round_robin import ROUND_ROBIN_WORDS

TWICE = {"cycles": "2"}
SUM = "In this row two numbers meet if their sum is 3 or 10."
REST = "The number that is left meets the last number of the table."


def field(players: int, number: int = 1, options: Mapping[str, str] | None = None) -> Tournament:
    """Players 11, 12, ... have the numbers 1, 2, ..."""
    return Tournament(
        rounds=30,
        round=number,
        players=tuple(Player(10 + n, n, 2000) for n in range(1, players + 1)),
        system="round-robin",
        options=options or {},
    )


def pairs(tournament: Tournament) -> list[tuple[int, int]]:
    return [(pair.white, pair.black) for pair in ROUND_ROBIN.pair(tournament).pairs]


def words(tournament: Tournament) -> object:
    return ROUND_ROBIN_WORDS.explanation(lambda key: f"P{key - 10}", tournament=tournament)


@pytest.mark.parametrize("number", range(1, 8))
def test_each_round_is_the_row_of_the_table_at_any_time(number: int) -> None:
    row = [(10 + white, 10 + black) for white, black in printed(8)[number - 1]]
    assert pairs(field(8, number)) == row


def test_second_cycle_turns_the_colours() -> None:
    assert pairs(field(6, 6, TWICE)) == [(black, white) for white, black in pairs(field(6, 1, TWICE))]


def test_last_two_rounds_of_the_first_cycle_are_swapped_unless_the_option_is_off() -> None:
    assert pairs(field(6, 4, TWICE)) == pairs(field(6, 5))
    assert pairs(field(6, 4, {**TWICE, "swap": "off"})) == pairs(field(6, 4))
    assert pairs(field(6, 4)) == [(10 + white, 10 + black) for white, black in printed(6)[3]]


def test_odd_number_leaves_one_player_free() -> None:
    assert [ROUND_ROBIN.pair(field(5, number)).bye for number in range(1, 6)] == [11, 14, 12, 15, 13]


def test_players_who_have_left_stay_in_the_table() -> None:
    gone = replace(field(4), absent=frozenset({14, 13}))
    assert pairs(gone) == [(11, 14), (12, 13)]
    assert ROUND_ROBIN.forfeit(gone, 11, 14) is Result.WHITE_WINS_BY_FORFEIT
    assert ROUND_ROBIN.forfeit(gone, 14, 11) is Result.BLACK_WINS_BY_FORFEIT
    assert ROUND_ROBIN.forfeit(gone, 13, 14) is Result.DOUBLE_FORFEIT
    assert ROUND_ROBIN.forfeit(gone, 11, 12) is None


def test_player_with_a_bye_in_a_report_is_left_out_with_the_opponent() -> None:
    asked = replace(field(4), byes=(Bye(1, 14, ByeKind.ZERO),))
    assert pairs(asked) == [(12, 13)]


def test_round_after_the_table_cannot_be_paired() -> None:
    with pytest.raises(NoLegalPairing) as refused:
        ROUND_ROBIN.pair(field(4, 4))
    assert refused.value.params["players"] == (11, 12, 13, 14)


def test_number_of_rounds_follows_from_the_players() -> None:
    assert [ROUND_ROBIN.rounds_for(players, {}) for players in (3, 4, 7, 10)] == [3, 3, 7, 9]
    assert ROUND_ROBIN.rounds_for(7, TWICE) == 14


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({}, "BERGER_ROUNDROBIN"),
        (TWICE, "FIDE_DOUBLEROUNDROBIN"),
        ({**TWICE, "swap": "off"}, "BERGER_DOUBLEROUNDROBIN"),
    ],
)
def test_code_of_the_report_carries_cycles_and_swap(options: dict[str, str], code: str) -> None:
    assert ROUND_ROBIN.coded(options) == code
    read = ROUND_ROBIN.decoded(code)
    assert read is not None
    assert ROUND_ROBIN.checked({**read}) == ROUND_ROBIN.checked(options)
    assert ROUND_ROBIN.decoded("FIDE_DUTCH_2026") is None


def explained(tournament: Tournament, player: int) -> list[str]:
    explainer = ROUND_ROBIN.explain(tournament, ROUND_ROBIN.pair(tournament))
    shown = words(tournament)
    return [
        shown.reason(reason).text for answer in explainer.player(player).answers for reason in answer.reasons
    ]


def test_pair_is_explained_by_the_numbers_that_meet_in_its_row() -> None:
    assert explained(field(8, 2), 13) == [
        "P3 meets P7, because their numbers meet in row 2 of the table: 3 and 7 are 10.",
        "Round 2 is row 2 of the Berger table for 8 numbers.",
        f"{SUM} {REST}",
        "P7 has White, because the sum of the two numbers is even: the higher number has White.",
    ]


def test_last_row_has_one_sum_and_the_table_misses_nothing() -> None:
    tournament = field(8, 7)
    assert explained(tournament, 13)[2] == f"In this row two numbers meet if their sum is 8. {REST}"
    (bracket,) = ROUND_ROBIN.explain(tournament, ROUND_ROBIN.pair(tournament)).trace.brackets
    assert (bracket.unplayed, bracket.missed) == (False, ())


def test_game_against_the_last_number_and_the_second_cycle_are_explained() -> None:
    shown = explained(field(6, 7, TWICE), 16)
    assert shown[0] == "P6 meets P4, because number 4 meets the last number, 6, in row 2 of the table."
    assert shown[1].startswith(
        "Round 7 is in the second cycle. It is row 2 of the Berger table for 6 numbers again"
    )
    assert shown[-1] == "P4 has White, because P6 has White in their game of round 2."
    assert explained(field(6, 5, TWICE), 11)[1].startswith(
        "The last two rounds of the first cycle change places. So"
    )


def test_free_player_is_explained() -> None:
    tournament = field(5, 2)
    explainer = ROUND_ROBIN.explain(tournament, ROUND_ROBIN.pair(tournament))
    assert explained(tournament, 14) == [
        "P4 is free: in this row the number meets the last number, which no player has."
    ]
    shown = words(tournament)
    assert shown.reason(explainer.why_not_bye(11)).text == "By the table P1 is free in round 1."
    assert shown.reason(explainer.why_not(11, 13)).text == "By the table P1 and P3 meet in round 3."
    assert shown.reason(explainer.why_not(11, 12)).text == "P1 and P2 meet in this round."


def test_every_round_of_every_size_is_explained() -> None:
    """For each size up to 24 all sentences exist, and the sums of the row are those of its pairs."""
    for players in range(3, 25):
        for number in (1, 2, players - 1, players + 1, 2 * players - 2):
            tournament = field(players, number, TWICE)
            pairing = ROUND_ROBIN.pair(tournament, trace=True)
            assert pairing.trace is not None
            _row, *meet = pairing.trace.steps
            explainer = ROUND_ROBIN.explain(tournament, pairing)
            shown = words(tournament)
            for player in tournament.players:
                for answer in explainer.player(player.id).answers:
                    assert all(shown.reason(reason).text for reason in answer.reasons)
            last = players + players % 2
            numbers = [(pair.white - 10, pair.black - 10) for pair in pairing.pairs]
            sums = {white + black for white, black in numbers if last not in (white, black)}
            assert all(sums <= set(reason.params.values()) for reason in meet)


def test_published_round_that_is_not_the_row_is_named() -> None:
    published = Published(2, ((14, 13), (12, 11)))
    found = ROUND_ROBIN.compare(field(4, 2), published, None)
    assert [ROUND_ROBIN_WORDS.difference(one) for one in found] == [
        "round 2: 12 has White against 11, but 11 must have White (C.05 Annex 1)"
    ]
    wrong = Published(2, ((13, 11), (14, 12)))
    assert [ROUND_ROBIN_WORDS.difference(one) for one in ROUND_ROBIN.compare(field(4, 2), wrong, None)] == [
        "round 2: 13 plays 11, but by the table they meet in round 3 (C.05 Annex 1)",
        "round 2: 14 plays 12, but by the table they meet in round 3 (C.05 Annex 1)",
    ]


def test_missing_games_and_a_free_player_without_a_bye_are_no_differences() -> None:
    assert ROUND_ROBIN.compare(field(5, 1), Published(1, ((12, 15),)), None) == ()
    (found,) = ROUND_ROBIN.compare(field(5, 1), Published(1, ((12, 15), (13, 14)), byes=(12,)), None)
    assert (found.code, found.found, found.expected) == ("free", (12,), (11,))


def test_hand_pairing_is_compared_with_the_plan() -> None:
    played = (Game(1, 11, 14, Result.DRAW), Game(1, 12, 13, Result.DRAW))
    tournament = replace(field(4, 2), games=played)
    found = ROUND_ROBIN.concerns(tournament, HandMadeDraft(((11, 14), (12, 13))))
    assert [(one.code, one.level, one.rounds) for one in found] == [
        ("met", Level.PROCEED, (1,)),
        ("met", Level.PROCEED, (1,)),
    ]
    (found_later,) = ROUND_ROBIN.concerns(tournament, HandMadeDraft(((13, 11),)))
    assert (found_later.code, found_later.players, found_later.rounds) == ("planned", (13, 11), (3,))
    found = ROUND_ROBIN.concerns(tournament, HandMadeDraft(((13, 14), (11, 12))))
    assert [(one.code, one.level, one.players) for one in found] == [("colours", Level.SHOW, (14, 13))]


def test_third_equal_colour_in_a_row_is_told() -> None:
    played = (Game(1, 11, 14, Result.DRAW), Game(2, 11, 12, Result.DRAW), Game(2, 14, 13, Result.DRAW))
    tournament = replace(field(4, 3), games=played)
    found = ROUND_ROBIN.concerns(tournament, HandMadeDraft(((11, 13),)))
    assert [(one.code, one.players, one.count) for one in found if one.code == "third_colour"] == [
        ("third_colour", (11, 13), 3)
    ]


def test_free_player_of_a_hand_pairing_is_compared_with_the_table() -> None:
    (found,) = ROUND_ROBIN.concerns(field(5, 1), HandMadeDraft((), bye=12))
    assert (found.code, found.players, found.rounds) == ("free", (12,), (3,))
    assert ROUND_ROBIN.concerns(field(5, 1), HandMadeDraft((), bye=11)) == ()
    (never,) = ROUND_ROBIN.concerns(field(4, 1), HandMadeDraft((), bye=11))
    assert never.code == "free_never"


def left(*results: Result, players: int = 5) -> Tournament:
    """Player 11 has White in all games so far, then leaves."""
    games = tuple(Game(n, 11, 11 + n, result) for n, result in enumerate(results, start=1))
    return replace(field(players, len(games) + 1), games=games, absent=frozenset({11}))


def test_games_do_not_count_if_fewer_than_half_were_completed() -> None:
    win, lost, adjourned = Result.WHITE_WINS, Result.BLACK_WINS_BY_FORFEIT, Result.ADJOURNED
    given = Result.WHITE_WINS_BY_FORFEIT
    assert uncounted(left(win)) == {11: (1, 4)}
    assert uncounted(left(win, win)) == {}  # exactly half of four
    assert uncounted(left(win, lost)) == {11: (1, 4)}
    assert uncounted(left(win, given)) == {}
    assert uncounted(left(win, adjourned)) == {}
    assert uncounted(left(win, win, players=6)) == {11: (2, 5)}
    assert uncounted(replace(left(win), absent=frozenset())) == {}
    assert uncounted(replace(left(win, win), options=TWICE)) == {11: (2, 8)}
