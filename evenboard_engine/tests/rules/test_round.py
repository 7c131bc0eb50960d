"""Whole rounds: the bye of 2.1, fields without a legal round, and wrong input."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from evenboard_engine import (
    Bye,
    ByeKind,
    InternalError,
    InvalidTournament,
    NoLegalPairing,
    Player,
    Result,
    RoundPairing,
    Tournament,
    pair_round,
)
from evenboard_engine.systems.dubov.pairing.bye import choose_for_bye
from evenboard_engine.systems.dubov.pairing.field import DubovField
from evenboard_engine.systems.field import check_pairs
from evenboard_engine.tests.rules.build import entrant, tournament

WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def boards(pairing: RoundPairing) -> list[tuple[int, int]]:
    return [(pair.white, pair.black) for pair in pairing.pairs]


def test_first_round_pairs_halves_with_alternating_colours() -> None:
    pairing = pair_round(tournament(7))
    assert boards(pairing) == [(1, 4), (5, 2), (3, 6)]
    assert pairing.bye == 7


def test_bye_goes_to_the_lowest_score() -> None:
    field = [entrant(1, score=10), entrant(2, score=0), entrant(3, score=5)]
    assert choose_for_bye(field) is field[1]


def test_bye_goes_to_the_player_with_most_games_among_the_lowest() -> None:
    field = [entrant(1, games=2), entrant(2, games=1), entrant(3, games=1)]
    assert choose_for_bye(field) is field[0]


def test_bye_goes_to_the_largest_number_when_all_else_is_equal() -> None:
    field = [entrant(1), entrant(2), entrant(3)]
    assert choose_for_bye(field) is field[2]


def test_bye_skips_barred_players_and_players_whom_the_others_need() -> None:
    field = [
        entrant(1, score=10, met=(2,)),
        entrant(2, score=5, met=(1,)),
        entrant(3),
        entrant(4, bye_barred=True),
        entrant(5),
    ]
    assert choose_for_bye(field) is field[4]
    three = [entrant(1, score=10, met=(2,)), entrant(2, score=5, met=(1,)), entrant(3)]
    assert choose_for_bye(three) is three[1]


def test_requested_bye_and_absent_are_not_paired() -> None:
    pairing = pair_round(tournament(6, byes=(Bye(1, 2, ByeKind.HALF),), absent=frozenset({5})))
    assert boards(pairing) == [(1, 4), (6, 3)]
    assert pairing.bye is None


def test_players_never_taken_into_account_have_no_number_for_colours() -> None:
    """Reading D7: before 1 arrives, 2 counts as number 1 and gets the initial-colour."""
    assert boards(pair_round(tournament(5, absent=frozenset({1})))) == [(2, 4), (5, 3)]


def test_fields_of_no_player_and_of_one() -> None:
    assert pair_round(tournament(2, absent=frozenset({1, 2}))).pairs == ()
    alone = pair_round(tournament(2, absent=frozenset({1})))
    assert (alone.pairs, alone.bye) == ((), 2)


def test_two_players_who_have_met_have_no_legal_round() -> None:
    with pytest.raises(NoLegalPairing) as refused:
        pair_round(tournament(2, (1, 1, 2, WIN)))
    assert refused.value.code == "no_pairing"
    assert refused.value.params["players"] == (1, 2)


def test_everybody_barred_from_the_bye_has_no_legal_round() -> None:
    byes = tuple(Bye(number, number, ByeKind.ALLOCATED) for number in (1, 2, 3))
    with pytest.raises(NoLegalPairing) as refused:
        pair_round(tournament(3, at=4, byes=byes))
    assert refused.value.code == "no_bye"
    assert refused.value.params["players"] == (1, 2, 3)


def test_no_legal_round_names_the_players_left_over() -> None:
    """Four of six players may meet only the other two, so two of the four are left over."""
    forbidden = frozenset(combinations((1, 2, 3, 4), 2))
    with pytest.raises(NoLegalPairing) as refused:
        pair_round(tournament(6, forbidden=forbidden))
    players = refused.value.params["players"]
    assert isinstance(players, tuple)
    assert len(players) == 2
    assert set(players) <= {1, 2, 3, 4}


def test_bye_that_only_barred_players_could_take() -> None:
    """Players 1 to 4 can be paired only if 5 has the bye, but 5 has had it."""
    forbidden = frozenset((a, 5) for a in (1, 2, 3, 4))
    with pytest.raises(NoLegalPairing) as refused:
        pair_round(tournament(5, at=2, byes=(Bye(1, 5, ByeKind.ALLOCATED),), forbidden=forbidden))
    assert refused.value.code == "no_bye"
    assert refused.value.params["players"] == (5,)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"round": 0}, "round_outside_the_tournament"),
        ({"round": 10}, "round_outside_the_tournament"),
        ({"rounds": 0}, "round_outside_the_tournament"),
        ({"players": (Player(1, 1, 2000), Player(1, 2, 2000))}, "player_twice"),
        ({"players": (Player(1, 1, 2000), Player(2, 1, 2000))}, "pairing_number_twice"),
        ({"players": (Player(1, 1, 2000), Player(2, 2, 0))}, "rating_missing"),
        ({"absent": frozenset({99})}, "unknown_player"),
        ({"forbidden": frozenset({(1, 99)})}, "unknown_player"),
        ({"byes": (Bye(1, 99, ByeKind.HALF),)}, "unknown_player"),
        ({"initial_colour": None}, "initial_colour_missing"),
    ],
)
def test_contradictory_input_is_refused(change: dict[str, object], code: str) -> None:
    with pytest.raises(InvalidTournament) as refused:
        pair_round(replace(tournament(4), **change))  # type: ignore[arg-type]
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("pairs", "bye", "code"),
    [
        ([(1, 2), (3, 4)], None, "may_not_meet"),
        ([(1, 3)], None, "not_everyone_once"),
        ([(1, 3), (2, 3)], None, "not_everyone_once"),
        ([(1, 3)], 2, "not_everyone_once"),
        ([(1, 4), (2, 3)], None, "may_not_meet"),
    ],
)
def test_round_that_breaks_a_rule_does_not_pass_the_check(
    pairs: list[tuple[int, int]], bye: int | None, code: str
) -> None:
    """1 and 2 have met, 1 and 4 are a forbidden pair."""
    assert code_of_check(tournament(4, (1, 1, 2, WIN), forbidden=frozenset({(1, 4)})), pairs, bye) == code


def test_bye_for_a_barred_player_does_not_pass_the_check() -> None:
    before = tournament(3, at=2, byes=(Bye(1, 3, ByeKind.ALLOCATED),))
    assert code_of_check(before, [(1, 2)], 3) == "bye_barred"


def test_pair_with_the_same_absolute_preference_does_not_pass_the_check() -> None:
    """1 and 2 had White twice each; a round that pairs them with each other is refused."""
    before = tournament(6, (1, 1, 3, DRAW), (1, 2, 4, DRAW), (2, 1, 5, DRAW), (2, 2, 6, DRAW))
    assert code_of_check(before, [(1, 2), (3, 4), (5, 6)], None) == "may_not_meet"


def code_of_check(before: Tournament, pairs: list[tuple[int, int]], bye: int | None) -> str:
    """Return the code of the check's error. pairs, bye: pairing numbers (the places are one less)."""
    with pytest.raises(InternalError) as refused:
        check_pairs(
            DubovField(before),
            [(white - 1, black - 1) for white, black in pairs],
            [] if bye is None else [bye - 1],
        )
    return refused.value.code


def test_record_has_the_steps_of_each_bracket() -> None:
    pairing = pair_round(tournament(4, (1, 1, 3, WIN), (1, 4, 2, LOSS)))
    assert [record.score for record in pairing.brackets] == [10, 0]
    top = pairing.brackets[0]
    assert (top.residents, top.upfloaters, top.s1, top.t2) == ((1, 2), (), (2,), (1,))
    assert (top.unplayed, top.shifted_first, top.shifted_second) == (False, (), ())
