from __future__ import annotations

import pytest
from django.utils import timezone

from evenboard_engine import ByeKind
from pairing.rounds import check_round, pair_next_round
from tests.queries.sections import MadeSection, add_bye, make_section
from tournaments.actions.entries import add_participant, withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import check_in, close_check_in, open_check_in
from tournaments.entry_data import EntryData
from tournaments.models import ActionLog, ForbiddenPair, Game, Participant, Player, Round, Section
from tournaments.models.log import REGISTRATION
from tournaments.queries.cockpit import Cockpit, CockpitPhase, NextStep, cockpit
from tournaments.queries.field import load_field
from tournaments.queries.next_step_checks import ADVICE, BLOCKERS, rating_advice

pytestmark = pytest.mark.django_db

FOUR = {"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700}


def look(section: MadeSection) -> Cockpit:
    return cockpit(Section.objects.get(pk=section.row.pk))


def state(section: MadeSection) -> tuple[CockpitPhase, NextStep, list[str], int | None]:
    seen = look(section)
    return seen.phase, seen.step, [blocker.code for blocker in seen.blockers], seen.next_round


def test_an_empty_section_needs_players_first() -> None:
    assert state(make_section({}, initial_colour="")) == (
        CockpitPhase.SETUP,
        NextStep.ADD_PLAYERS,
        ["too_few_players", "no_initial_colour"],
        1,
    )


def test_the_initial_colour_comes_after_the_players() -> None:
    section = make_section(FOUR, initial_colour="", planned=3)
    assert state(section) == (CockpitPhase.SETUP, NextStep.DRAW_COLOUR, ["no_initial_colour"], 1)


def test_round_1_can_be_paired_after_the_initial_colour() -> None:
    assert state(make_section(FOUR, planned=3)) == (CockpitPhase.READY, NextStep.PAIR, [], 1)


def test_a_draft_waits_to_be_published() -> None:
    section = make_section(FOUR, "Anna . Bert; Carl . Dora", draft=True, planned=3)
    assert state(section) == (CockpitPhase.DRAFT, NextStep.CHECK, ["draft_unpublished"], 2)
    row = Round.objects.get()
    checked = check_round(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    seen = look(section)
    assert (seen.phase, seen.step) == (
        CockpitPhase.DRAFT,
        NextStep.PUBLISH if checked["same"] else NextStep.PAIR_AGAIN,
    )
    assert (seen.checked.same, seen.checked.boards) == (checked["same"], tuple(checked["boards"]))
    Round.objects.update(manual_phase=True, version=row.version + 1)
    assert look(section).blockers[0].code == "manual_phase_open"
    assert look(section).step is NextStep.END_BY_HAND


def test_check_of_an_older_draft_does_not_count() -> None:
    section = make_section(FOUR, "Anna . Bert; Carl . Dora", draft=True, planned=3)
    row = Round.objects.get()
    check_round(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    Round.objects.update(version=row.version + 1)
    assert (look(section).checked, look(section).step) == (None, NextStep.CHECK)


def test_draft_that_differs_from_the_rules_has_a_notice() -> None:
    section = make_section(FOUR, "Anna . Bert; Carl . Dora", draft=True, planned=3)
    row = Round.objects.get()
    check_round(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    (notice,) = [notice for notice in look(section).notices if notice.code == "check_differs"]
    assert (notice.round_number, notice.boards, notice.number) == (1, (1, 2), 2)


def test_player_without_a_board_and_without_a_bye_has_a_notice() -> None:
    section = make_section({**FOUR, "Eva": 1600}, "Anna . Bert; Carl . Dora", draft=True, planned=3)
    (notice,) = [notice for notice in look(section).notices if notice.code == "left_out"]
    assert [side.name for side in notice.sides] == ["Eva"]


def test_two_different_results_of_a_board_keep_the_round_running() -> None:
    section = make_section(FOUR, "Anna 1-0 Bert; Carl 1-0 Dora", planned=3)
    Game.objects.filter(board=2).update(second_result="0-1")
    seen = look(section)
    assert (seen.phase, seen.step) == (CockpitPhase.RUNNING, NextStep.SETTLE_BOARDS)
    assert [(matter.code, matter.boards) for matter in seen.blockers] == [("results_in_conflict", (2,))]
    assert [row.board for row in seen.floor.conflicts] == [2]


def test_a_settled_clash_does_not_make_verifying_the_next_step() -> None:
    section = make_section(FOUR, "Anna 1-0 Bert; Carl 1-0 Dora", planned=3)
    Game.objects.filter(board=1).update(second_result="0-1")
    assert look(section).step is NextStep.SETTLE_BOARDS
    Game.objects.filter(board=1).update(second_result="1-0")
    assert look(section).step is NextStep.PAIR


def test_ended_game_waits_for_its_slip() -> None:
    section = make_section(FOUR, "Anna . Bert; Carl . Dora", planned=3)
    Game.objects.filter(board=2).update(over_at=timezone.now())
    seen = look(section)
    assert seen.step is NextStep.SETTLE_BOARDS
    assert [row.board for row in seen.floor.no_slip] == [2]
    assert [row.board for row in seen.floor.in_play] == [1]


def test_board_of_a_withdrawn_player_waits_for_a_forfeit() -> None:
    section = make_section(FOUR, "Anna . Bert; Carl . Dora", planned=3)
    withdraw_participant(actor=Actor.command(), participant_id=section.people["Bert"].pk)
    seen = look(section)
    (gone,) = seen.floor.gone
    assert (gone.row.board, gone.absent, seen.step) == (1, "black", NextStep.SETTLE_BOARDS)
    assert [(row.side.name, row.after) for row in seen.withdrawn] == [("Bert", 1)]


def test_open_check_in_turns_the_cockpit_to_the_next_round() -> None:
    section = make_section(FOUR, "Anna 1-0 Bert; Carl 1-0 Dora", planned=3)
    assert (look(section).about, look(section).presence.asked) == (1, False)
    open_check_in(actor=Actor.command(), section_id=section.row.pk, after_round=1)
    check_in(actor=Actor.command(), participant_id=section.people["Carl"].pk, round_number=2)
    seen = look(section)
    assert (seen.about, seen.step) == (2, NextStep.SETTLE_ABSENT)
    assert [side.name for side in seen.presence.missing] == ["Anna", "Bert", "Dora"]
    assert [matter.code for matter in seen.blockers] == ["check_in_missing"]
    assert [row.action for row in seen.log] == ["open_check_in"]


def test_a_running_round_names_the_boards_without_a_result() -> None:
    section = make_section(FOUR, "Anna . Bert; Carl 1-0 Dora", planned=3)
    seen = look(section)
    assert (seen.phase, seen.step) == (CockpitPhase.RUNNING, NextStep.ENTER_RESULTS)
    (blocker,) = seen.blockers
    assert (blocker.code, blocker.round_number, blocker.boards) == ("results_missing", 1, (1,))
    assert [(row.board, row.white.name) for row in seen.missing] == [(1, "Anna")]


def test_with_all_results_the_next_round_can_be_paired() -> None:
    assert state(make_section(FOUR, "Anna 1-0 Bert; Carl 1-0 Dora", planned=3)) == (
        CockpitPhase.ALL_IN,
        NextStep.PAIR,
        [],
        2,
    )


def test_after_the_last_round_the_section_can_be_closed() -> None:
    section = make_section(FOUR, "Anna 1-0 Bert; Carl 1-0 Dora", planned=1)
    assert state(section) == (CockpitPhase.COMPLETE, NextStep.CLOSE, [], None)
    Section.objects.update(status="closed")
    assert state(section) == (CockpitPhase.CLOSED, NextStep.NOTHING, [], None)


def test_adjourned_games_have_a_notice_and_block_nothing() -> None:
    section = make_section(FOUR, "Anna adj Bert; Carl 1-0 Dora", planned=3)
    assert state(section) == (CockpitPhase.ALL_IN, NextStep.PAIR, [], 2)
    notices = {notice.code: (notice.round_number, notice.boards) for notice in look(section).notices}
    assert notices["adjourned"] == (1, (1,))


def test_adjourned_games_block_the_end_of_the_section() -> None:
    section = make_section(FOUR, "Anna adj Bert; Carl 1-0 Dora", "Anna 1-0 Carl; Bert . Dora", planned=2)
    Game.objects.filter(result="").update(result="adj")
    seen = look(section)
    assert (seen.phase, seen.step) == (CockpitPhase.COMPLETE, NextStep.CLOSE)
    blockers = [(blocker.code, blocker.round_number, blocker.boards) for blocker in seen.blockers]
    assert blockers == [("adjourned_open", 1, (1,)), ("adjourned_open", 2, (2,))]
    assert "adjourned" not in [notice.code for notice in seen.notices]


def test_notices_before_round_1() -> None:
    section = make_section(FOUR, planned=4)
    Player.objects.filter(name="Anna").update(fide_id=7)
    Participant.objects.filter(player__name="Anna").update(official_rating=2000)
    notices = {notice.code: notice.number for notice in look(section).notices}
    assert notices == {"too_many_rounds": 3, "no_fide_id": 3, "no_official_rating": 3}


def test_missing_ids_are_counted_as_in_the_report_for_rating() -> None:
    section = make_section(FOUR, planned=3)
    Participant.objects.filter(player__name="Anna").update(status=Participant.Status.WITHDRAWN, left_after=0)
    notices = {notice.code: notice.number for notice in look(section).notices}
    in_report = {notice.code: notice.number for notice in rating_advice(load_field(section.row))}
    assert (notices["no_fide_id"], notices["no_official_rating"]) == (4, 4)
    assert in_report == {"no_fide_id": 4, "no_official_rating": 4}


def test_players_who_have_all_met_are_no_round_that_is_ready() -> None:
    two = ("Anna 1-0 Bert; Carl 1-0 Dora", "Carl 1-0 Anna; Dora 1-0 Bert")
    for last, notices in (
        ("Anna 1-0 Dora; Bert 1-0 Carl", ["all_met"]),
        ("Anna +:- Dora; Bert 1-0 Carl", []),
    ):
        seen = look(make_section(FOUR, *two, last, planned=4))
        assert [notice.code for notice in seen.notices if notice.code == "all_met"] == notices
        assert seen.nobody_left_to_meet == bool(notices)


def test_an_odd_field_can_play_as_many_rounds_as_it_has_players() -> None:
    section = make_section({"Anna": 2000, "Bert": 1900, "Carl": 1800}, planned=3)
    assert "too_many_rounds" not in [notice.code for notice in look(section).notices]


def test_players_outside_the_next_round_are_listed() -> None:
    section = make_section(
        {**FOUR, "Eva": 1600, "Finn": 1500, "Gus": 1400, "Hal": 1300},
        "Anna 1-0 Bert; Carl 1-0 Dora; Eva U",
        planned=5,
    )
    Participant.objects.filter(player__name="Finn").update(status="withdrawn")
    Participant.objects.filter(player__name="Gus").update(first_round=3)
    Participant.objects.filter(player__name="Hal").update(first_round=2)
    add_bye(section, "Carl", 2, "H")
    add_bye(section, "Carl", 3, "Z")
    seen = look(section)
    assert [(row.side.name, row.kind) for row in seen.requested] == [("Carl", ByeKind.HALF)]
    assert [row.side.name for row in seen.withdrawn] == ["Finn"]
    assert [side.name for side in seen.late] == ["Gus"]
    assert [(row.side.name, row.kind) for row in seen.byes] == [("Eva", ByeKind.ALLOCATED)]
    assert (seen.active, seen.entered) == (6, 8)
    late = next(notice for notice in seen.notices if notice.code == "late_entries")
    assert [side.name for side in late.sides] == ["Hal"]


@pytest.mark.parametrize(("draft", "counted"), [(False, (2, 2)), (True, (1, 2))], ids=["played", "draft"])
def test_forbidden_pairs_of_the_next_round_are_counted(draft: bool, counted: tuple[int, int]) -> None:
    """As long as the last round is a draft, those of the draft."""
    section = make_section(FOUR, "Anna . Bert; Carl . Dora", planned=5, draft=draft)
    anna, bert, carl, dora = section.people.values()
    for one, other, first, last in (
        (anna, bert, 1, 1),
        (anna, carl, 1, None),
        (bert, carl, 2, 2),
        (bert, dora, 3, 4),
    ):
        ForbiddenPair.objects.create(
            section=section.row, first=one, second=other, first_round=first, last_round=last
        )
    notices = {notice.code: (notice.round_number, notice.number) for notice in look(section).notices}
    assert notices["forbidden_pairs"] == counted


def test_the_cockpit_has_the_last_ten_rows_of_the_log() -> None:
    section = make_section(FOUR)
    for number in range(12):
        ActionLog.objects.create(
            event=section.row.event,
            section=section.row,
            who="x",
            action=f"a{number}",
            revision=number + 1,
        )
    assert [row.action for row in look(section).log] == [f"a{number}" for number in range(11, 1, -1)]


def test_every_blocker_and_notice_has_a_text() -> None:
    section = make_section(FOUR, "Anna . Bert; Carl adj Dora", draft=True, planned=9, initial_colour="")
    seen = look(section)
    assert {matter.code for matter in seen.blockers} <= BLOCKERS.keys()
    assert {matter.code for matter in seen.notices} <= ADVICE.keys()


def test_open_games_of_an_earlier_round_come_first() -> None:
    section = make_section(FOUR, "Anna . Bert; Carl 1-0 Dora", "Bert . Carl; Dora . Anna", planned=3)
    assert look(section).blockers[0].round_number == 1
    Game.objects.filter(round__number=1).update(result="1-0")
    assert (look(section).blockers[0].round_number, look(section).blockers[0].boards) == (2, (1, 2))


def test_round_cannot_be_paired_while_all_but_one_have_byes() -> None:
    section = make_section(FOUR, "Anna 1-0 Bert; Carl 1-0 Dora", planned=3)
    for name in ("Anna", "Bert"):
        add_bye(section, name, 2, "H")
    assert state(section) == (CockpitPhase.ALL_IN, NextStep.PAIR, [], 2)
    add_bye(section, "Carl", 2, "Z")
    assert state(section) == (CockpitPhase.ALL_IN, NextStep.SEE_BYES, ["too_few_players"], 2)
    assert look(section).blockers[0].number == 1


def test_round_1_without_players_to_pair_leads_to_the_byes() -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, planned=3)
    add_bye(section, "Anna", 1, "H")
    assert state(section) == (CockpitPhase.SETUP, NextStep.SEE_BYES, ["too_few_players"], 1)


def not_seen(section: MadeSection) -> list[int]:
    return [notice.number for notice in look(section).notices if notice.code == "not_checked_in"]


def test_a_check_in_that_was_closed_before_anybody_was_marked_is_no_silent_default() -> None:
    actor = Actor.command()
    section = make_section(FOUR, planned=3)
    assert not_seen(section) == []  # a section that does not use check-in
    open_check_in(actor=actor, section_id=section.row.pk, after_round=0)
    assert not_seen(section) == []  # it blocks the pairing itself
    close_check_in(actor=actor, section_id=section.row.pk)
    assert not_seen(section) == [4]
    pair_next_round(actor=actor, section_id=section.row.pk, after_round=0)
    assert not_seen(section) == []


def test_players_who_have_registered_are_not_paired_unseen_without_a_word() -> None:
    section = make_section(FOUR, planned=3)
    came = Actor(user=None, origin=REGISTRATION)
    entry = EntryData(name="Emil", rating=1500)
    add_participant(actor=came, section_id=section.row.pk, entry=entry, proceed=True)
    assert not_seen(section) == [5]
    add_bye(section, "Anna", 1, "H")
    assert not_seen(section) == [4]
