"""Baku Acceleration in a section: how the field is split, and that players keep their group."""

from __future__ import annotations

import pytest

from evenboard_engine.trf import group_of_baku, read_report
from pairing.rounds import pair_next_round, publish_round, unpair_round
from tests.factories import entry_data as entry
from tests.factories import section_of
from tournaments.actions.entries import add_participant, readmit_participant, withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.files.report_writing import tournament_report
from tournaments.models import Bye, Game, Round, Section
from tournaments.snapshot import accelerations

pytestmark = pytest.mark.django_db


def pair(actor: Actor, section: Section, after: int) -> Round:
    return pair_next_round(actor=actor, section_id=section.pk, after_round=after)


def groups(section: Section) -> str:
    """Return the group of each entry by pairing number, "-" for none."""
    return "".join(
        group or "-"
        for group in section.participants.order_by("tpn").values_list("acceleration_group", flat=True)
    )


def boards(row: Round) -> list[set[int | None]]:
    return [
        {game.white.tpn, game.black.tpn}
        for game in row.games.order_by("board").select_related("white", "black")
    ]


def play(actor: Actor, row: Round) -> None:
    publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    Game.objects.filter(round=row).update(result="1-0")


def test_round_1_splits_the_field(actor: Actor) -> None:
    section = section_of(9, acceleration="baku")
    row = pair(actor, section, 0)
    assert groups(section) == "AAAAAABBB"
    assert boards(row) == [{1, 4}, {2, 5}, {3, 6}, {7, 8}]


def test_without_acceleration_nobody_is_in_a_group(actor: Actor) -> None:
    section = section_of(8)
    assert boards(pair(actor, section, 0)) == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]
    assert groups(section) == "--------"


def test_withdrawn_and_late_players_are_not_counted(actor: Actor) -> None:
    """Of ten players, 2 has withdrawn and 3 is a late entry. Eight are split, and four of them are in GA."""
    section = section_of(10, acceleration="baku")
    two, three = section.participants.filter(tpn__in=(2, 3)).order_by("tpn")
    withdraw_participant(actor=actor, participant_id=two.pk)
    section.participants.filter(pk=three.pk).update(first_round=2)
    play(actor, pair(actor, section, 0))
    assert groups(section) == "A--AAABBBB"
    readmit_participant(actor=actor, participant_id=two.pk)
    pair(actor, section, 1)
    assert groups(section) == "AAAAAABBBB"


def bye_in(section: Section, tpn: int, *rounds: int) -> None:
    player = section.participants.get(tpn=tpn)
    for number in rounds:
        Bye.objects.create(participant=player, round_number=number, kind="H")


def test_player_with_a_bye_in_round_1_is_not_counted(actor: Actor) -> None:
    """VCL4THP.13 Q111: player 9 of nine has a half-point bye in round 1. Eight are split, four of them are GA."""
    section = section_of(9, acceleration="baku")
    bye_in(section, 9, 1)
    play(actor, pair(actor, section, 0))
    assert groups(section) == "AAAABBBB-"
    pair(actor, section, 1)
    assert groups(section) == "AAAABBBBB"


def test_player_above_the_last_of_ga_joins_ga_after_the_byes(actor: Actor) -> None:
    """Nine players play round 1, and GA is 2 to 7. Player 1 has byes in rounds 1 and 2 and gets a group in round 3."""
    section = section_of(10, acceleration="baku", rounds=9)
    bye_in(section, 1, 1, 2)
    play(actor, pair(actor, section, 0))
    assert groups(section) == "-AAAAAABBB"
    play(actor, pair(actor, section, 1))
    assert groups(section) == "-AAAAAABBB"
    pair(actor, section, 2)
    assert groups(section) == "AAAAAAABBB"


def test_group_on_arrival_goes_if_the_round_is_unpaired_and_the_player_gets_a_bye(actor: Actor) -> None:
    """Player 1 is in GA as soon as round 2 is paired, but has never been in a round when round 2 is unpaired."""
    section = section_of(10, acceleration="baku", rounds=9)
    bye_in(section, 1, 1)
    play(actor, pair(actor, section, 0))
    row = pair(actor, section, 1)
    assert groups(section) == "AAAAAAABBB"
    unpair_round(actor=actor, round_id=row.pk, seen_version=row.version)
    bye_in(section, 1, 2)
    pair(actor, section, 1)
    assert groups(section) == "-AAAAAABBB"


def test_lists_show_the_virtual_points_of_a_player_who_has_not_arrived(actor: Actor) -> None:
    """Player 1 has a bye in round 1 and is above player 7, the last of GA."""
    section = section_of(10, acceleration="baku", rounds=9)
    assert accelerations(section, section.participants.all()) == ()
    bye_in(section, 1, 1)
    play(actor, pair(actor, section, 0))
    first, _second = accelerations(section, section.participants.all())
    assert set(section.participants.filter(pk__in=first.players).values_list("tpn", flat=True)) == set(
        range(1, 8)
    )
    report = tournament_report(Section.objects.get(pk=section.pk)).decode().splitlines()
    assert "250      01.0 001 003 0001 0007" in report


@pytest.mark.parametrize("why", ["bye", "withdrawn", "late entry"])
@pytest.mark.parametrize("rounds_paired", [0, 1])
def test_report_file_of_nine_with_one_who_is_not_in_round_1_has_four_in_ga(
    actor: Actor, why: str, rounds_paired: int
) -> None:
    """With the records of virtual points, which the file has once round 1 is paired, and by the rule without them."""
    section = section_of(9, acceleration="baku", rounds=9)
    if why == "bye":
        bye_in(section, 9, 1)
    elif why == "withdrawn":
        withdraw_participant(actor=actor, participant_id=section.participants.get(tpn=9).pk)
    else:
        section.participants.filter(tpn=9).update(first_round=2)
    if rounds_paired:
        play(actor, pair(actor, section, 0))
    lines = tournament_report(Section.objects.get(pk=section.pk)).decode().splitlines(keepends=True)
    by_rule = [line for line in lines if line[:3] not in ("250", "XXA")]
    assert (len(lines) > len(by_rule)) == bool(rounds_paired)
    assert [group_of_baku(read_report("".join(kept).encode())) for kept in (lines, by_rule)] == [
        {1, 2, 3, 4}
    ] * 2


def test_report_names_baku_only_while_somebody_is_or_may_come_into_ga(actor: Actor) -> None:
    """A reader of the accelerated code would split the field again. Here all of GA lose their places by hand."""
    section = section_of(6, acceleration="baku", rounds=5)

    def code() -> str:
        return read_report(tournament_report(Section.objects.get(pk=section.pk))).text("192")

    assert code().endswith("_BAKU")
    play(actor, pair(actor, section, 0))
    assert (groups(section), code().endswith("_BAKU")) == ("AAAABB", True)
    section.participants.filter(acceleration_group="A").update(acceleration_group="B")
    assert (groups(section), code().endswith("_BAKU")) == ("BBBBBB", False)


def test_player_with_the_allocated_bye_of_round_1_keeps_the_group(actor: Actor) -> None:
    section = section_of(5, acceleration="baku", rounds=9)
    play(actor, pair(actor, section, 0))
    assert Bye.objects.get().participant.tpn == 5
    assert groups(section) == "AAAAB"
    section.participants.filter(tpn=5).update(tpn=0)
    section.participants.filter(tpn=4).update(tpn=5)
    section.participants.filter(tpn=0).update(tpn=4)
    pair(actor, section, 1)
    assert groups(section) == "AAABA"


def test_late_entry_above_the_last_of_ga_is_accelerated(actor: Actor) -> None:
    section = section_of(8, acceleration="baku", rounds=9)
    play(actor, pair(actor, section, 0))
    for data in (entry("High, Rated", rating=2475), entry("Low, Rated", rating=2455)):
        add_participant(actor=actor, section_id=section.pk, entry=data, asked=True)
    pair(actor, section, 1)
    assert groups(section) == "AAAAABBBBB"


def test_round_1_paired_again_splits_again(actor: Actor) -> None:
    section = section_of(8, acceleration="baku")
    row = pair(actor, section, 0)
    unpair_round(actor=actor, round_id=row.pk, seen_version=row.version)
    one = section.participants.get(tpn=1)
    withdraw_participant(actor=actor, participant_id=one.pk)
    pair(actor, section, 0)
    assert groups(section) == "-AAAABBB"


def test_pairing_uses_virtual_points_and_points_do_not_change(actor: Actor) -> None:
    """White won all games: the losers of GA meet the winners of GB in round 2."""
    section = section_of(8, acceleration="baku", rounds=9)
    first = pair(actor, section, 0)
    play(actor, first)
    winners = {game.white.tpn for game in first.games.select_related("white")}
    second = pair(actor, section, 1)
    ga = {1, 2, 3, 4}
    assert boards(second)[0] == winners & ga
    assert boards(second)[-1] == set(range(5, 9)) - winners
