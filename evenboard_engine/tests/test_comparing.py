"""A round beside other systems: who is compared, what differs, how far the AROs lie apart, and why a system fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from evenboard_engine import (
    Acceleration,
    Bye,
    ByeKind,
    Colour,
    Game,
    Player,
    Result,
    Tournament,
    pair_round,
)
from evenboard_engine.cli.command import main
from evenboard_engine.comparing import (
    UPPER_HALF,
    SeatChange,
    Spread,
    Variant,
    compare,
    published,
    variants_of,
)
from evenboard_engine.findings import Published
from evenboard_engine.tests.systems.toy import LADDER
from evenboard_engine.tests.systems.two_systems import two_systems_known
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.words.comparing import (
    agreement_text,
    failure_text,
    options_text,
    other_text,
    variant_name,
)

LADDER_VARIANT = Variant("ladder", LADDER.checked({}))


@pytest.fixture(autouse=True)
def two_systems() -> Iterator[None]:
    """Leave two systems: the one with editions, and the ladder of the tests."""
    with two_systems_known():
        yield


def field(size: int, **more: object) -> Tournament:
    """Return round 1 of players 1, 2, ... with the ratings 2400, 2300, ..."""
    players = tuple(
        Player(id=number, tpn=number, rating=2500 - 100 * number) for number in range(1, size + 1)
    )
    return Tournament(rounds=5, round=1, players=players, initial_colour=Colour.WHITE, **more)  # type: ignore[arg-type]


def round_2() -> Tournament:
    """Return round 2 of six players: 1, 3 and 5 have won with White against 2, 4 and 6."""
    games = tuple(Game(1, one, one + 1, Result.WHITE_WINS) for one in (1, 3, 5))
    return replace(field(6), round=2, games=games)


def test_compared_are_the_system_its_other_editions_and_the_other_systems() -> None:
    tournament = replace(field(4), options={"edition": "2025", "upfloats": "paired"})
    assert variants_of(tournament) == (
        Variant("dubov", {"edition": "2025", "upfloats": "paired"}),
        Variant("dubov", {"edition": "2018", "upfloats": "paired"}),
        Variant("dubov", {"edition": "2026", "upfloats": "paired"}),
        LADDER_VARIANT,
    )
    own = LADDER.checked({"start": "bottom"})
    assert variants_of(replace(tournament, system="ladder", options=own), "2025-12-01") == (
        Variant("ladder", own),
        Variant("dubov", {"edition": "2018", "upfloats": "played"}),
    )


def test_system_whose_rounds_are_fixed_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(LADDER), "fixed_rounds", True)
    assert {variant.system for variant in variants_of(field(4))} == {"dubov"}
    assert variants_of(replace(field(4), system="ladder", options={})) == ()


def test_other_opponents_and_other_colours_are_found() -> None:
    """The ladder pairs 1-3, 5-2 and 4-6; turned, the same with the other colours."""
    tournament = round_2()
    here = published(LADDER.pair(replace(tournament, system="ladder", options={})))
    assert here.pairs == ((3, 1), (2, 5), (6, 4))
    swapped = Published(2, ((3, 1), (5, 2), (6, 4)))
    found = compare(
        tournament, swapped, [LADDER_VARIANT, Variant("ladder", LADDER.checked({"turned": "on"}))]
    )
    first, turned = found.others
    assert (first.pairs, first.same, first.turned, first.agrees) == (3, 3, 1, False)
    assert [found.change(first, player) for player in (1, 5, 2)] == [
        SeatChange.NONE,
        SeatChange.COLOUR,
        SeatChange.COLOUR,
    ]
    assert (turned.same, turned.turned) == (3, 2)
    apart = compare(tournament, Published(2, ((1, 4), (5, 2), (6, 3))), [LADDER_VARIANT])
    changes = [apart.change(apart.others[0], player) for player in range(1, 7)]
    assert changes == [
        SeatChange.OPPONENT,
        SeatChange.COLOUR,
        *[SeatChange.OPPONENT] * 2,
        SeatChange.COLOUR,
        SeatChange.OPPONENT,
    ]
    assert agreement_text(apart.others[0]) == (
        "1 of 3 pairs is the same. 1 of them has the colours the other way round."
    )


def test_bye_of_another_player_is_another_opponent() -> None:
    tournament = field(3)
    found = compare(tournament, Published(1, ((2, 3),), (1,)), [LADDER_VARIANT])
    assert found.others[0].bye == 3
    assert [found.change(found.others[0], player) for player in (1, 2, 3)] == [SeatChange.OPPONENT] * 3


def test_forfeit_without_colours_has_no_other_colours() -> None:
    here = Published(1, ((2, 1), (4, 3)), colourless=frozenset({2}))
    (ladder,) = compare(field(4), here, [LADDER_VARIANT]).others
    assert (ladder.same, ladder.turned) == (2, 1)


def test_own_system_is_shown_only_where_it_pairs_another_round() -> None:
    tournament = round_2()
    variants = variants_of(tournament)
    by_the_rules = compare(tournament, published(pair_round(tournament)), variants)
    assert variants[0] not in [other.variant for other in by_the_rules.others]
    by_hand = compare(tournament, Published(2, ((1, 6), (3, 2), (5, 4))), variants)
    assert by_hand.others[0].variant == variants[0]
    assert by_hand.others[0].differs


def test_spread_is_that_of_the_aros_after_the_round_in_each_score_group() -> None:
    """1, 3 and 5 have met 2300, 2100 and 1900, and meet 2200, 2400 and 2100: the AROs are 2250, 2250 and 2000.

    2, 4 and 6 have met 2400, 2200 and 2000, and meet 1900, 2000 and 2300: the AROs are 2150, 2100 and 2150.
    """
    found = compare(round_2(), Published(2, ((3, 1), (5, 4), (6, 2))), [])
    upper, lower, everybody = found.round.spreads
    assert found.groups == ((10, (1, 3, 5)), (0, (2, 4, 6)))
    assert (upper.score, upper.players, upper.width) == (10, 3, 250)
    assert upper.deviation == pytest.approx((125_000 / 9) ** 0.5)
    assert (lower.score, lower.players, lower.width) == (0, 3, 50)
    assert lower.deviation == pytest.approx((5_000 / 9) ** 0.5)
    assert (everybody.score, everybody.players, everybody.width) == (None, 6, 250)
    assert everybody.deviation == pytest.approx((65_000 / 9) ** 0.5)


def test_opponents_without_a_rating_and_byes_do_not_count_for_the_spread() -> None:
    """After the round 1 and 2 have met nobody with a rating, 3 has the bye, 4 has met 2200 before."""
    players = (Player(1, 1, 0), Player(2, 2, 0), Player(3, 3, 2200), Player(4, 4, 2100))
    earlier = (Game(1, 3, 4, Result.DRAW), Game(1, 1, 2, Result.DRAW))
    tournament = replace(field(4), round=2, players=players, games=earlier, system="ladder", options={})
    found = compare(tournament, Published(2, ((1, 2),), (3, 4)), [])
    assert found.round.spreads == (Spread(5, 2, 100, 50), Spread(None, 2, 100, 50))


def test_score_groups_are_those_of_the_pairing_score() -> None:
    lent = Acceleration(1, 2, 10, frozenset({2}))
    found = compare(replace(round_2(), accelerations=(lent,)), Published(2, ((3, 1), (5, 2), (6, 4))), [])
    assert found.groups == ((10, (1, 2, 3, 5)), (0, (4, 6)))


def test_system_without_acceleration_pairs_by_points() -> None:
    lent = Acceleration(1, 2, 20, frozenset({4, 6}))
    tournament = replace(round_2(), accelerations=(lent,))
    found = compare(tournament, Published(2, ((3, 1), (5, 2), (6, 4))), [LADDER_VARIANT])
    assert {key: seat.opponent for key, seat in found.others[0].seats.items()} == {
        1: 3,
        3: 1,
        5: 2,
        2: 5,
        4: 6,
        6: 4,
    }


def failure_of(tournament: Tournament, here: Published, variant: Variant) -> str:
    (other,) = compare(tournament, here, [variant]).others
    assert other.failure is not None
    assert (other.seats, other.spreads, other.agrees, other.differs) == ({}, (), False, False)
    return failure_text(other.failure, lambda key: f"P{key}")


def test_system_that_cannot_pair_says_why() -> None:
    dubov = Variant("dubov", {"edition": "2026", "upfloats": "played"})
    unrated = replace(field(4), players=(*field(3).players, Player(4, 4, 0)), system="ladder", options={})
    both = Published(1, ((1, 2), (3, 4)))
    assert failure_of(unrated, both, dubov) == "It takes no unrated players, and P4 has no rating."
    undrawn = replace(field(4), initial_colour=None, system="ladder", options={})
    assert failure_of(undrawn, both, dubov) == "It needs the initial-colour, which is not drawn."
    met = replace(field(2), round=2, games=(Game(1, 1, 2, Result.DRAW),), system="ladder", options={})
    assert failure_of(met, Published(2, ((2, 1),)), dubov) == (
        "By its rules, no legal pairing exists: P1 and P2 cannot all be placed."
    )
    alone = replace(field(1), round=2, byes=(Bye(1, 1, ByeKind.ALLOCATED),), system="ladder", options={})
    nobody = "By its rules, the bye would be left for P1, who may not get it."
    assert failure_of(alone, Published(2, (), (1,)), dubov) == nobody


def test_offer_of_a_system_that_cannot_finish_is_beside_the_round() -> None:
    drawn = tuple(Game(1, one, one + 1, Result.DRAW) for one in (1, 3, 5))
    reach = Variant("ladder", LADDER.checked({"reach": "1", "far": "1"}))
    tournament = replace(field(6), round=2, games=drawn)
    (same,) = compare(tournament, Published(2, ((3, 1), (5, 2), (6, 4))), [reach]).others
    assert (same.offered, same.agrees, same.differs) == (True, True, False)
    left = "Its procedure cannot finish this round: P1 and P6 are left over."
    assert other_text(same, lambda key: f"P{key}") == f"{left} It offers the same round."
    (other,) = compare(tournament, Published(2, ((1, 4), (5, 2), (6, 3))), [reach]).others
    assert (other.offered, other.agrees, other.differs, other.same) == (True, False, True, 1)
    assert other_text(other, lambda key: f"P{key}") == (
        f"{left} The round that it offers is shown. 1 of 3 pairs is the same."
    )
    own = replace(tournament, system="ladder", options=reach.options)
    found = compare(own, Published(2, ((3, 1), (5, 2), (6, 4))), [reach])
    assert (found.round.offered, found.others) == (True, ())


def test_options_of_other_systems_are_those_asked_for() -> None:
    asked = {"ladder": {"reach": "30", "turned": "on"}}
    variant = variants_of(field(4), asked=asked)[-1]
    assert variant.options == LADDER.checked({"reach": "30", "turned": "on"})
    assert options_text(variant) == "Turn the colours: yes; Reach: 30"
    assert options_text(LADDER_VARIANT) == "With its default options."


def test_names_have_the_edition_where_the_rules_have_several() -> None:
    assert (
        variant_name(Variant("dubov", {"edition": "2025", "upfloats": "paired"}))
        == "Dubov System (1 July 2025)"
    )
    assert variant_name(LADDER_VARIANT) == "Ladder System"
    assert variant_name(UPPER_HALF) == "Upper half against lower half"


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """Round 1 is that of `round_2`. In round 2 of the file, the arbiter has paired 3-1, 5-4 and 6-2."""
    path = tmp_path / "six.trf"
    rounds = [
        ("2 w 1", "3 b 1"),
        ("1 b 0", "6 b 1"),
        ("4 w 1", "1 w 0"),
        ("3 b 0", "5 b 1"),
        ("6 w 1", "4 w 0"),
        ("5 b 0", "2 w 0"),
    ]
    lines = [
        player_line(*entries, starting_rank=rank, rating=2500 - 100 * rank)
        for rank, entries in enumerate(rounds, start=1)
    ]
    path.write_bytes(as_file(*lines, "XXR 5", "XXC white1"))
    return path


def test_command_line_compares_the_next_round_and_earlier_ones(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--dubov", str(played), "--compare"]) == 0
    assert capsys.readouterr().out.splitlines()[0:5] == [
        "Round 3. Here: Dubov System (1 February 2026).",
        "",
        "A  Dubov System (2018, in force until 31 January 2026): It pairs the same round.",
        "B  Dubov System (1 July 2025): It pairs the same round.",
        "C  Ladder System: 0 of 3 pairs are the same.",
    ]
    assert main(["--ladder", str(played), "--option", "turned=on", "--compare", "2"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Round 2 of the file. Here: Ladder System.",
        "",
        "A  Ladder System: 1 of 3 pairs is the same. 1 of them has the colours the other way round.",
        "B  Dubov System (1 February 2026): 1 of 3 pairs is the same.",
        "",
        "The ARO of a player is the average rating of the opponents, this round included. The spread of",
        "opposition of a score group is how far its AROs lie apart: the highest minus the lowest, and the",
        "standard deviation (±).",
        "",
        "                here        A        B",
        "1 point     250 ±118  150 ±71  150 ±71",
        "0 points      50 ±24  150 ±71  150 ±71",
        "all groups   250 ±85  150 ±71  150 ±71",
        "",
        "w: White, b: Black, *: another opponent, ~: the other colour",
        "",
        "   here    A    B",
        "1    3b  3w~   3b",
        "3    1w  1b~   1w",
        "5    4w  2w*  2b*",
        "2    6b  5b*  5w*",
        "4    5b  6w*  6w*",
        "6    2w  4b*  4b*",
    ]


def test_command_line_compares_the_offer_where_the_system_cannot_finish(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "drawn.trf"
    rounds = ["2 w =", "1 b =", "4 w =", "3 b =", "6 w =", "5 b ="]
    lines = [
        player_line(entry, starting_rank=rank, rating=2500 - 100 * rank)
        for rank, entry in enumerate(rounds, start=1)
    ]
    path.write_bytes(as_file(*lines, "XXR 5", "XXC white1"))
    asked = ["--ladder", str(path), "--option", "reach=1", "--option", "far=1"]
    assert main([*asked, "-p"]) == 1
    capsys.readouterr()
    assert main([*asked, "--compare"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "Round 2. Here: Ladder System.",
        "The system of this round offered these pairs, because its procedure could not finish.",
    ]


def test_wrong_use_of_compare_is_exit_3(
    played: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["--dubov", str(played), str(played), "--compare"]) == 3
    assert capsys.readouterr().err.splitlines()[0] == "pairing: only one file can be compared at a time"
    assert main(["--dubov", str(played), "--compare", "4"]) == 3
    assert main(["--dubov", str(played), "--compare", "3"]) == 3
    assert "round 3 has no pairs; --compare alone compares the next round" in capsys.readouterr().err
    monkeypatch.setattr(type(LADDER), "fixed_rounds", True)
    assert main(["--ladder", str(played), "--compare"]) == 3
    sentence = "all rounds of --ladder are fixed, so no other system is compared with it"
    assert capsys.readouterr().err.splitlines() == [f"pairing: {sentence}"]
