"""Drawing of lots: free, and by the Varma tables (C.05, Annex 2)."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import combinations

import pytest

from evenboard_engine.systems.lots import LotsPlayer
from evenboard_engine.systems.round_robin.lots import VARMA, draw
from evenboard_engine.systems.round_robin.system import ROUND_ROBIN
from evenboard_engine.systems.round_robin.table import BY_FEDERATION, FREELY, Schedule


def entrants(*federations: str) -> list[LotsPlayer]:
    return [LotsPlayer(100 + n, f"Player {n:02}", federation) for n, federation in enumerate(federations, 1)]


@pytest.mark.parametrize("last", VARMA)
def test_envelopes_hold_each_number_once(last: int) -> None:
    assert sorted(number for envelope in VARMA[last] for number in envelope) == list(range(1, last + 1))


@pytest.mark.parametrize("last", VARMA)
@pytest.mark.parametrize("odd", [0, 1])
def test_numbers_of_an_envelope_do_not_meet_in_the_last_three_rounds(last: int, odd: int) -> None:
    schedule = Schedule(last - odd)
    late = {
        frozenset(game)
        for number in range(schedule.rounds - 2, schedule.rounds + 1)
        for game in schedule.round(number)
    }
    together = {frozenset(pair) for envelope in VARMA[last] for pair in combinations(envelope, 2)}
    # The handbook's table for 12 players has this slip: 6 and 12 are in one envelope and meet in the last round.
    assert late & together == ({frozenset({6, 12})} if (last, odd) == (12, 0) else set())


def test_a_draw_can_be_repeated_by_hand_from_its_seed() -> None:
    drawn = draw(entrants("", "", ""), "lots 7")
    assert (drawn.seed, drawn.restricted) == ("lots 7", False)
    left, expected = [1, 2, 3], {}
    for place, player in enumerate((101, 102, 103), start=1):
        lot = int(sha256(f"lots 7/{place}".encode()).hexdigest(), 16)
        expected[player] = left.pop(lot % len(left))
    assert drawn.numbers == expected


def test_option_decides_whether_the_federations_count() -> None:
    players = entrants(*["NED"] * 3, *["GER"] * 3, *["FRA"] * 4)
    free, restricted = (
        ROUND_ROBIN.draw_lots(players, {"lots": lots}, "7") for lots in (FREELY, BY_FEDERATION)
    )
    assert free == draw(players, "7")
    assert restricted == draw(players, "7", by_federation=True)
    assert (free.restricted, restricted.restricted) == (False, True)


def test_order_of_the_entries_does_not_change_a_draw() -> None:
    players = entrants("NED", "NED", "GER", "", "FRA")
    assert draw(players, "x").numbers == draw(reversed(players), "x").numbers


@pytest.mark.parametrize("restricted", [False, True])
def test_every_number_is_drawn_by_everybody_about_equally_often(restricted: bool) -> None:
    """Ten players of ten federations, 2,000 draws: each number falls 200 times on a player, give or take."""
    players = entrants(*(chr(65 + n) * 3 for n in range(10)))
    counts = Counter[tuple[int, int]]()
    for seed in range(2000):
        counts.update(draw(players, str(seed), by_federation=restricted).numbers.items())
    least = 90 if restricted else 140  # an envelope with two numbers is chosen as often as one with three
    assert min(counts[player.id, number] for player in players for number in range(1, 11)) > least


def test_players_of_a_federation_share_an_envelope_that_is_large_enough() -> None:
    players = entrants(*["NED"] * 4, *["GER"] * 3, *["FRA"] * 3, *["ESP"] * 2)
    for seed in range(50):
        drawn = draw(players, str(seed), by_federation=True)
        assert drawn.restricted
        assert sorted(drawn.numbers.values()) == list(range(1, 13))
        for federation in ("NED", "GER"):
            numbers = {drawn.numbers[one.id] for one in players if one.federation == federation}
            assert any(numbers <= set(envelope) for envelope in VARMA[12])


def test_contingent_without_a_large_enough_envelope_empties_the_fullest() -> None:
    players = entrants(*["NED"] * 6, "GER", "FRA", "ESP", "ITA")
    drawn = draw(players, "1", by_federation=True)
    numbers = {drawn.numbers[one.id] for one in players if one.federation == "NED"}
    envelopes = sorted(len(numbers & set(envelope)) for envelope in VARMA[10])
    assert envelopes == [0, 0, 3, 3]


def test_small_fields_are_drawn_freely() -> None:
    drawn = draw(entrants(*["NED"] * 8), "1", by_federation=True)
    assert not drawn.restricted
    assert sorted(drawn.numbers.values()) == list(range(1, 9))
