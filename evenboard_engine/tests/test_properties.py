"""Properties of the engine for any field of up to 40 players, with any history.

C1 to C3 are checked with the oracle's history, which is computed independently of the engine.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from evenboard_engine import (
    Bye,
    ByeKind,
    Colour,
    Game,
    NoLegalPairing,
    Player,
    Result,
    RoundPairing,
    Tournament,
    pair_round,
)
from evenboard_engine.tests.brute_force import Field
from evenboard_engine.tests.brute_history import is_to_be_paired, read_history
from evenboard_engine.tests.comparison import engine_answer, oracle_answer
from evenboard_engine.tests.random_rounds import random_rounds

the_same_every_time = settings(
    derandomize=True,
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
)


@st.composite
def tournaments(draw: st.DrawFn, largest: int = 40) -> Tournament:
    """Draw a round of a random tournament, whose earlier rounds were paired by the engine or by hand."""
    size = draw(st.integers(2, largest))
    seed = draw(st.integers(0, 1_000_000))
    rounds = [tournament for tournament, _ in random_rounds(seed, engine_answer, sizes=(size,))]
    return draw(st.sampled_from(rounds))


def pair_or_reject(tournament: Tournament) -> RoundPairing:
    try:
        return pair_round(tournament)
    except NoLegalPairing:
        assume(False)
        raise


def outcome_of(tournament: Tournament) -> RoundPairing | tuple[str, dict[str, object]]:
    """Return the pairing, or the code and parameters of the refusal."""
    try:
        return pair_round(tournament)
    except NoLegalPairing as error:
        return error.code, error.params


def field_of(tournament: Tournament) -> Field:
    history = read_history(tournament)
    here = [player for player in tournament.players if is_to_be_paired(tournament, player)]
    return Field(tournament, [history[player.id] for player in here])


@given(tournaments())
@the_same_every_time
def test_everyone_is_placed_once_and_c1_to_c3_hold(tournament: Tournament) -> None:
    pairing = pair_or_reject(tournament)
    field = field_of(tournament)
    placed = [player for pair in pairing.pairs for player in (pair.white, pair.black)]
    if pairing.bye is not None:
        assert not field.by_id[pairing.bye].barred
        placed.append(pairing.bye)
    assert sorted(placed) == sorted(field.by_id)
    assert (pairing.bye is not None) == (len(placed) % 2 == 1)
    assert all(pair.black in field.partners[pair.white] for pair in pairing.pairs)


@given(tournaments())
@the_same_every_time
def test_the_record_of_the_brackets_has_the_same_pairs(tournament: Tournament) -> None:
    pairing = pair_or_reject(tournament)
    field = field_of(tournament)
    traced = [pair for bracket in pairing.brackets for pair in zip(bracket.s1, bracket.t2, strict=True)]
    assert {frozenset(pair) for pair in traced} == {
        frozenset((pair.white, pair.black)) for pair in pairing.pairs
    }
    assert len(traced) == len(pairing.pairs)
    scores = [bracket.score for bracket in pairing.brackets]
    assert scores == sorted(set(scores), reverse=True)
    for bracket in pairing.brackets:
        assert {field.by_id[player].score for player in bracket.residents} == {bracket.score}
        assert all(field.by_id[player].score < bracket.score for player in bracket.upfloaters)
        assert sorted(bracket.residents + bracket.upfloaters) == sorted(bracket.s1 + bracket.t2)


@given(tournaments())
@the_same_every_time
def test_boards_are_ordered_by_higher_score_then_sum_then_ranking(tournament: Tournament) -> None:
    """GHR 3.6 (C.04.2)."""
    pairing = pair_or_reject(tournament)
    field = field_of(tournament)

    def board(white: int, black: int) -> tuple[int, int, int]:
        higher, lower = sorted((field.by_id[white], field.by_id[black]), key=lambda player: player.rank)
        return -higher.score, -higher.score - lower.score, higher.tpn

    boards = [board(pair.white, pair.black) for pair in pairing.pairs]
    assert boards == sorted(boards)


@given(tournaments(), st.integers(0, 1000))
@the_same_every_time
def test_the_order_of_the_input_does_not_matter(tournament: Tournament, seed: int) -> None:
    rng = Random(seed)
    shuffled = replace(
        tournament,
        players=tuple(rng.sample(tournament.players, len(tournament.players))),
        games=tuple(rng.sample(tournament.games, len(tournament.games))),
        byes=tuple(rng.sample(tournament.byes, len(tournament.byes))),
    )
    assert outcome_of(shuffled) == outcome_of(tournament)


@given(tournaments(), st.integers(0, 1000))
@the_same_every_time
def test_other_ids_give_the_same_pairing(tournament: Tournament, seed: int) -> None:
    pairing = pair_or_reject(tournament)
    ids = [player.id for player in tournament.players]
    known = {player for game in tournament.games for player in (game.white, game.black)} | set(ids)
    everyone = sorted(known | {bye.player for bye in tournament.byes})
    new = dict(
        zip(everyone, Random(seed).sample(range(1, 10 * len(everyone) + 1), len(everyone)), strict=True)
    )
    renamed = replace(
        tournament,
        players=tuple(replace(player, id=new[player.id]) for player in tournament.players),
        games=tuple(game._replace(white=new[game.white], black=new[game.black]) for game in tournament.games),
        byes=tuple(bye._replace(player=new[bye.player]) for bye in tournament.byes),
        absent=frozenset(new[player] for player in tournament.absent),
        forbidden=frozenset(
            (min(new[one], new[two]), max(new[one], new[two])) for one, two in tournament.forbidden
        ),
        accelerations=tuple(
            given._replace(players=frozenset(new[player] for player in given.players))
            for given in tournament.accelerations
        ),
    )
    again = pair_round(renamed)
    assert again.pairs == tuple(
        pair._replace(white=new[pair.white], black=new[pair.black]) for pair in pairing.pairs
    )
    assert again.bye == (None if pairing.bye is None else new[pairing.bye])


@given(tournaments(largest=12))
@the_same_every_time
def test_round_has_a_pairing_without_the_players_that_a_refusal_names(tournament: Tournament) -> None:
    try:
        pair_round(tournament)
    except NoLegalPairing as error:
        check_named(tournament, error)


def check_named(tournament: Tournament, error: NoLegalPairing) -> None:
    """Check that a round exists without all players of `no_pairing`, or with the bye for any one of `no_bye`."""
    named = error.params["players"]
    assert isinstance(named, tuple)
    field = field_of(tournament).by_id
    assert set(named) <= set(field)
    assert len(named) > 0
    if error.code == "no_pairing":
        assert oracle_answer(replace(tournament, absent=tournament.absent | set(named))) is not None
        return
    for key in named:
        assert field[key].barred
        assert oracle_answer(replace(tournament, absent=tournament.absent | {key})) is not None


def test_barred_players_are_named_one_by_one() -> None:
    """Any of three players could have the bye but has had one; without all three, the other two may not meet."""
    tournament = Tournament(
        rounds=7,
        round=3,
        players=tuple(Player(number, number, 2010 - number) for number in (1, 2, 3, 4, 5)),
        games=(
            Game(1, 4, 1, Result.WHITE_WINS_BY_FORFEIT),
            Game(1, 2, 5, Result.WHITE_WINS_BY_FORFEIT),
            Game(2, 4, 3, Result.DOUBLE_FORFEIT),
            Game(2, 2, 5, Result.DOUBLE_FORFEIT),
        ),
        byes=(Bye(1, 3, ByeKind.ALLOCATED), Bye(2, 1, ByeKind.ALLOCATED)),
        forbidden=frozenset({(2, 3), (3, 5), (1, 3), (4, 5), (1, 2)}),
        initial_colour=Colour.BLACK,
    )
    with pytest.raises(NoLegalPairing) as refused:
        pair_round(tournament)
    assert refused.value.code == "no_bye"
    check_named(tournament, refused.value)


def all_have_met(size: int) -> Tournament:
    """Return one more round after a complete round robin."""
    players = tuple(Player(number, number, 2000) for number in range(1, size + 1))
    order = list(range(1, size + 1))
    games = []
    for number in range(1, size):
        half = size // 2
        pairs = zip(order[:half], reversed(order[half:]), strict=True)
        games += [Game(number, white, black, Result.DRAW) for white, black in pairs]
        order = [order[0], order[-1], *order[1:-1]]
    return Tournament(rounds=size, round=size, players=players, games=tuple(games))


@pytest.mark.parametrize("size", [2, 4, 6, 20])
def test_nobody_left_to_meet_is_refused_with_everybody_named(size: int) -> None:
    with pytest.raises(NoLegalPairing) as refused:
        pair_round(all_have_met(size))
    assert refused.value.code == "no_pairing"
    assert refused.value.params["players"] == tuple(range(1, size + 1))


def test_an_odd_field_in_which_everyone_had_the_bye_is_refused() -> None:
    tournament = Tournament(
        rounds=4,
        round=2,
        players=tuple(Player(number, number, 2000) for number in (1, 2, 3)),
        byes=tuple(Bye(1, number, ByeKind.FULL) for number in (1, 2, 3)),
        initial_colour=Colour.WHITE,
    )
    with pytest.raises(NoLegalPairing) as refused:
        pair_round(tournament)
    assert refused.value.code == "no_bye"
    assert refused.value.params["players"] == (1, 2, 3)


def test_a_player_who_may_meet_nobody_is_named() -> None:
    players = tuple(Player(number, number, 2000) for number in range(1, 7))
    forbidden = frozenset((1, number) for number in range(2, 7))
    tournament = Tournament(
        rounds=4, round=1, players=players, forbidden=forbidden, initial_colour=Colour.WHITE
    )
    with pytest.raises(NoLegalPairing) as refused:
        pair_round(tournament)
    named = refused.value.params["players"]
    assert isinstance(named, tuple)
    assert 1 in named
    assert len(named) == 2


def test_nobody_to_pair_is_an_empty_round() -> None:
    tournament = Tournament(rounds=3, round=1, players=(Player(1, 1, 2000),), absent=frozenset({1}))
    pairing = pair_round(tournament)
    assert (pairing.pairs, pairing.bye) == ((), None)


def test_a_single_player_has_the_bye() -> None:
    pairing = pair_round(Tournament(rounds=3, round=1, players=(Player(5, 1, 2000),)))
    assert (pairing.pairs, pairing.bye) == ((), 5)
