"""Proposals of what to relax if no legal round exists, compared with a search through all rounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from evenboard_engine import (
    Bye,
    ByeKind,
    Game,
    NoLegalPairing,
    Relaxation,
    RelaxationKind,
    Result,
    Tournament,
    pair_round,
    propose_relaxations,
)
from evenboard_engine.systems import relaxing
from evenboard_engine.tests.brute_history import ABSOLUTE, Entrant, is_to_be_paired, read_history
from evenboard_engine.tests.random_rounds import random_rounds
from evenboard_engine.tests.rules.build import tournament

WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS
REMATCH, BYE, COLOUR, FORBIDDEN = RelaxationKind

Weight = tuple[int, ...]


def all_rounds(ids: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield every way to pair the players, with one alone if their number is odd."""
    if not ids:
        yield ()
        return
    first, *rest = ids
    if len(ids) % 2:
        for alone in ids:
            for pairs in all_rounds(tuple(player for player in ids if player != alone)):
                yield ((alone,), *pairs)
        return
    for other in rest:
        for pairs in all_rounds(tuple(player for player in rest if player != other)):
            yield ((first, other), *pairs)


def weight(asked: Tournament, known: dict[int, Entrant], group: tuple[int, ...]) -> Weight:
    """Return the weight: rematch, second bye, C3, forbidden, difference in points, points; all 0 if legal."""
    players = [known[key] for key in group]
    if len(players) == 1:
        one = players[0]
        return (0, 1, 0, 0, 0, one.score) if one.barred else (0,) * 6
    one, other = players
    broken = (
        int(other.id in one.opponents),
        0,
        int(one.preference == other.preference and one.preference[1] == ABSOLUTE),
        int((min(group), max(group)) in asked.forbidden),
    )
    if not any(broken):
        return (0,) * 6
    return *broken, abs(one.score - other.score), one.score + other.score


def total(weights: Iterator[Weight]) -> Weight:
    return tuple(map(sum, zip(*weights, strict=True)))


def least(asked: Tournament) -> Weight:
    known = read_history(asked)
    ids = tuple(player.id for player in asked.players if is_to_be_paired(asked, player))
    return min(total(weight(asked, known, group) for group in pairs) for pairs in all_rounds(ids))


@pytest.mark.parametrize("first_seed", range(0, 300, 50))
def test_proposal_is_the_least_of_all(first_seed: int) -> None:
    proposals = 0
    for seed in range(first_seed, first_seed + 50):
        for asked, _ in random_rounds(seed, lambda _asked: None, sizes=(4, 5, 6, 7, 8)):
            proposed = propose_relaxations(asked)
            try:
                pair_round(asked)
            except NoLegalPairing:
                known = read_history(asked)
                groups = {relaxation.players for relaxation in proposed}
                assert total(weight(asked, known, group) for group in groups) == least(asked)
                kinds = [relaxation.kind for relaxation in proposed]
                assert tuple(map(kinds.count, RelaxationKind)) == least(asked)[:4]
                assert a_round_exists_with(asked, groups)
                proposals += 1
            else:
                assert proposed == ()
    assert proposals >= 10


def a_round_exists_with(asked: Tournament, groups: set[tuple[int, ...]]) -> bool:
    """Return whether the others can be paired legally after these pairs, and the bye, are made by hand."""
    gone = frozenset(player for group in groups for player in group)
    rest = replace(asked, absent=asked.absent | gone)
    odd = sum(is_to_be_paired(rest, player) for player in rest.players) % 2
    try:
        paired = pair_round(rest)
    except NoLegalPairing:
        return False
    return (paired.bye is not None) == bool(odd)


def test_a_rematch_is_proposed() -> None:
    asked = tournament(2, (1, 1, 2, WIN))
    assert propose_relaxations(asked) == (Relaxation(REMATCH, (1, 2)),)


def test_a_second_bye_is_proposed() -> None:
    """Both players have had the bye; 2 has fewer points."""
    byes = (Bye(1, 1, ByeKind.ALLOCATED), Bye(2, 2, ByeKind.ALLOCATED))
    asked = tournament(3, (1, 2, 3, LOSS), (2, 3, 1, LOSS), at=3, byes=byes)
    asked = replace(asked, absent=frozenset({3}), byes=(*byes, Bye(3, 1, ByeKind.HALF)))
    assert propose_relaxations(asked) == (Relaxation(BYE, (2,)),)


def test_third_colour_is_proposed_before_a_rematch() -> None:
    """1 and 2 had White twice each; each of 1 and 2 has met 3 and 4, and there are no other games."""
    games = ((1, 1, 3, DRAW), (1, 2, 4, DRAW), (2, 1, 4, DRAW), (2, 2, 3, DRAW))
    asked = tournament(4, *games)
    assert propose_relaxations(asked) == (Relaxation(COLOUR, (1, 2)), Relaxation(COLOUR, (3, 4)))


def test_forbidden_pair_is_relaxed_before_any_rule_of_fide() -> None:
    games = ((1, 1, 3, DRAW), (1, 2, 4, DRAW), (2, 4, 1, DRAW), (2, 3, 2, DRAW))
    asked = tournament(4, *games, forbidden=frozenset({(1, 2)}))
    assert propose_relaxations(asked) == (Relaxation(FORBIDDEN, (1, 2)),)


def test_a_pair_may_break_two_rules() -> None:
    asked = tournament(2, (1, 1, 2, DRAW), forbidden=frozenset({(1, 2)}))
    assert propose_relaxations(asked) == (Relaxation(REMATCH, (1, 2)), Relaxation(FORBIDDEN, (1, 2)))


def test_nothing_is_proposed_where_a_round_exists() -> None:
    assert propose_relaxations(tournament(4, (1, 1, 2, WIN))) == ()
    assert propose_relaxations(tournament(5)) == ()


def test_equal_players_at_the_bottom_are_chosen() -> None:
    """Everybody has met everybody."""
    games = [(1, 1, 2, WIN), (1, 3, 4, WIN), (2, 1, 3, WIN), (2, 2, 4, DRAW), (3, 1, 4, WIN), (3, 2, 3, DRAW)]
    (first, second) = propose_relaxations(tournament(4, *games))
    assert {first.players, second.players} == {(1, 3), (2, 4)}


def test_order_of_the_input_does_not_matter() -> None:
    games = [
        Game(number, one, other, DRAW)
        for number, (one, other) in enumerate(combinations(range(1, 7), 2), start=1)
    ]
    asked = replace(tournament(6, rounds=30), games=tuple(games), round=16)
    turned = replace(asked, players=asked.players[::-1], games=asked.games[::-1])
    assert propose_relaxations(asked) == propose_relaxations(turned)


def test_in_a_large_field_only_players_who_can_be_left_over_are_considered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody may meet 1; only players who could be left over together with 1 need to be considered."""
    monkeypatch.setattr(relaxing, "MAX_PLAYERS", 3)
    apart = frozenset({(1, other) for other in range(2, 7)} | {(2, other) for other in range(3, 7)})
    asked = tournament(6, forbidden=apart)
    assert propose_relaxations(asked) == (Relaxation(FORBIDDEN, (1, 2)),)
    assert propose_relaxations(tournament(6, forbidden=frozenset(combinations(range(1, 7), 2)))) == ()


def test_proposal_for_three_hundred_players_is_found() -> None:
    """No player of one half may meet the other half, and both halves have an odd number of players.

    A search of all pairs would not end within the limit of a test.
    """
    apart = frozenset((one, other) for one in range(1, 152) for other in range(152, 301))
    asked = tournament(300, forbidden=apart)
    assert [relaxation.kind for relaxation in propose_relaxations(asked)] == [FORBIDDEN]
