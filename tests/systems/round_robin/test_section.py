"""A section with a round robin: numbers by lot, all rounds at once, results in any order, and who leaves."""

from __future__ import annotations

from itertools import combinations

import pytest

from evenboard_engine import Result
from evenboard_engine.trf import read_report
from pairing.rounds import pair_all_rounds, pair_next_round, publish_all_rounds, publish_round, unpair_round
from tests.factories import ParticipantFactory, SectionFactory
from tournaments.actions.byes import request_bye
from tournaments.actions.entries import (
    EntryData,
    add_participant,
    edit_participant,
    remove_participant,
    withdraw_participant,
)
from tournaments.actions.ledger import Actor
from tournaments.actions.pairing_numbers import draw_lots, set_lots
from tournaments.actions.presence import open_check_in
from tournaments.actions.reports import import_report
from tournaments.actions.results import record_result
from tournaments.actions.sections import close_section, edit_section, reopen_section
from tournaments.actions.undo import undo
from tournaments.errors import DomainError
from tournaments.files.report_writing import tournament_report
from tournaments.models import Game, Participant, Round, Section
from tournaments.queries.cockpit import CockpitPhase, NextStep, cockpit
from tournaments.queries.standings import standings_table

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

DESK = Actor.command()


def section_of(players: int, **fields: object) -> Section:
    section = SectionFactory(system="round-robin", initial_colour="", **fields)
    for _ in range(players):
        ParticipantFactory(section=section)
    return section


def drawn(players: int, **fields: object) -> Section:
    section = section_of(players, **fields)
    draw_lots(actor=DESK, section_id=section.pk, seed="seven")
    section.refresh_from_db()
    return section


def all_published(players: int, **fields: object) -> Section:
    section = drawn(players, **fields)
    pair_all_rounds(actor=DESK, section_id=section.pk, after_round=0)
    publish_all_rounds(actor=DESK, section_id=section.pk)
    return section


def enter(game: Game, result: Result) -> None:
    record_result(actor=DESK, game_id=game.pk, result=result, seen_version=game.version)


def play(section: Section, number: int, result: Result = Result.DRAW) -> None:
    for game in Game.objects.filter(round__section=section, round__number=number, result=""):
        enter(game, result)


def refused(code: str) -> pytest.RaisesExc[DomainError]:
    return pytest.raises(DomainError, match=code)


def by_number(section: Section, tpn: int) -> Participant:
    return section.participants.get(tpn=tpn)


# numbers by lot


def test_draw_gives_every_entry_a_number_and_sets_the_rounds() -> None:
    section = section_of(7, rounds=5, options={"cycles": "2"})
    before = {entry.pk: entry.tpn for entry in section.participants.all()}
    assert draw_lots(actor=DESK, section_id=section.pk, seed="seven") == "seven"
    section.refresh_from_db()
    after = {entry.pk: entry.tpn for entry in section.participants.all()}
    assert sorted(after.values()) == list(range(1, 8))
    assert after != before
    assert section.rounds == 14
    row = section.log.latest("pk")
    assert (row.action, row.after["seed"], row.after["rounds"]) == ("draw_lots", "seven", 14)


def test_a_draw_without_a_seed_notes_the_seed_that_repeats_it() -> None:
    section = section_of(9)
    seed = draw_lots(actor=DESK, section_id=section.pk)
    first = dict(section.participants.values_list("pk", "tpn"))
    draw_lots(actor=DESK, section_id=section.pk, seed="another")
    assert dict(section.participants.values_list("pk", "tpn")) != first
    draw_lots(actor=DESK, section_id=section.pk, seed=seed)
    assert dict(section.participants.values_list("pk", "tpn")) == first


def test_a_double_round_robin_of_24_has_46_rounds_and_no_field_has_more() -> None:
    section = section_of(24, options={"cycles": "2"})
    draw_lots(actor=DESK, section_id=section.pk)
    section.refresh_from_db()
    section.full_clean()
    assert section.rounds == 46
    ParticipantFactory(section=section)
    with refused("lots_too_many") as caught:
        draw_lots(actor=DESK, section_id=section.pk)
    assert caught.value.params == {"players": 25, "rounds": 50, "limit": 46}


def test_draw_is_undone() -> None:
    section = section_of(5)
    before = dict(section.participants.values_list("pk", "tpn"))
    draw_lots(actor=DESK, section_id=section.pk, seed="seven")
    undo(actor=DESK, section_id=section.pk, revision=section.log.latest("pk").revision)
    assert dict(section.participants.values_list("pk", "tpn")) == before
    section.refresh_from_db()
    assert section.rounds == 7


def test_numbers_drawn_at_the_board_are_typed() -> None:
    section = section_of(4)
    keys = list(section.participants.order_by("-tpn").values_list("pk", flat=True))
    seen = section.revision
    with refused("lots_to_confirm") as asked:
        set_lots(actor=DESK, section_id=section.pk, order=keys, seen_revision=seen)
    assert asked.value.params["numbers"] == [[1, 4], [2, 3], [3, 2], [4, 1]]
    set_lots(actor=DESK, section_id=section.pk, order=keys, seen_revision=seen, asked=True)
    assert list(section.participants.order_by("tpn").values_list("pk", flat=True)) == keys
    section.refresh_from_db()
    assert section.rounds == 3
    with refused("lots_same"):
        set_lots(actor=DESK, section_id=section.pk, order=keys, seen_revision=section.revision, asked=True)


def test_numbers_stand_once_round_1_is_paired() -> None:
    section = drawn(4)
    pair_next_round(actor=DESK, section_id=section.pk, after_round=0)
    with refused("lots_stand"):
        draw_lots(actor=DESK, section_id=section.pk)
    entry = by_number(section, 3)
    data = EntryData(name="Aaa, A", rating=2900, federation="NED")
    edit_participant(actor=DESK, participant_id=entry.pk, entry=data)
    entry.refresh_from_db()
    assert (entry.tpn, entry.rating) == (3, 2900)


def test_nobody_enters_after_round_1_is_paired() -> None:
    section = drawn(4)
    late = EntryData(name="Late, L", rating=1500)
    with refused("table_stands"):
        add_participant(
            actor=DESK, section_id=section.pk, entry=EntryData(name="L", rating=1500, first_round=2)
        )
    pair_next_round(actor=DESK, section_id=section.pk, after_round=0)
    with refused("table_stands"):
        add_participant(actor=DESK, section_id=section.pk, entry=late)


def test_new_entry_before_round_1_needs_a_draw() -> None:
    section = drawn(4)
    add_participant(actor=DESK, section_id=section.pk, entry=EntryData(name="Late, L", rating=2990))
    assert section.participants.get(rating=2990).tpn == 5
    with refused("lots_missing"):
        pair_next_round(actor=DESK, section_id=section.pk, after_round=0)
    assert (cockpit(section).phase, cockpit(section).step) == (CockpitPhase.SETUP, NextStep.DRAW_LOTS)


def test_other_systems_have_no_lots() -> None:
    section = SectionFactory()
    with refused("rounds_not_fixed"):
        draw_lots(actor=DESK, section_id=section.pk)
    with refused("rounds_not_fixed"):
        pair_all_rounds(actor=DESK, section_id=section.pk, after_round=0)


def test_wrong_number_of_rounds_is_told_before_the_start() -> None:
    section = drawn(6)
    assert "rounds_differ" not in {matter.code for matter in cockpit(section).notices}
    Section.objects.filter(pk=section.pk).update(rounds=8)
    section.refresh_from_db()
    (matter,) = [one for one in cockpit(section).notices if one.code == "rounds_differ"]
    assert matter.number == 5


def test_rounds_follow_the_options_after_the_draw() -> None:
    section = drawn(6)
    edit_section(actor=DESK, section_id=section.pk, options={"cycles": "2"})
    section.refresh_from_db()
    row = section.log.latest("pk")
    assert (section.rounds, row.before["rounds"], row.after["rounds"]) == (10, 5, 10)
    edit_section(actor=DESK, section_id=section.pk, name="Masters")
    assert section.log.latest("pk").after == {"name": "Masters"}
    remove_participant(actor=DESK, participant_id=by_number(section, 4).pk)
    remove_participant(actor=DESK, participant_id=by_number(section, 1).pk)
    section.refresh_from_db()
    assert (section.rounds, section.log.latest("pk").after["rounds"]) == (6, 6)
    undo(actor=DESK, section_id=section.pk, revision=section.log.latest("pk").revision)
    section.refresh_from_db()
    assert section.rounds == 10
    large = drawn(30)
    with refused("lots_too_many"):
        edit_section(actor=DESK, section_id=large.pk, options={"cycles": "2"})


def test_a_swiss_section_has_no_more_rounds_than_before() -> None:
    section = drawn(24, options={"cycles": "2"})
    with refused("rounds_out_of_range") as caught:
        edit_section(actor=DESK, section_id=section.pk, system="dubov")
    assert caught.value.params == {"rounds": 46, "minimum": 1, "maximum": 30}


# rounds


def test_all_rounds_are_paired_and_published_at_once() -> None:
    section = all_published(7, options={"cycles": "2"})
    games = Game.objects.filter(round__section=section)
    met = sorted(tuple(sorted(pair)) for pair in games.values_list("white__tpn", "black__tpn"))
    assert met == sorted([*combinations(range(1, 8), 2)] * 2)
    assert set(section.played_rounds.values_list("state", flat=True)) == {Round.State.PUBLISHED}
    assert section.played_rounds.count() == 14


def test_rounds_can_be_paired_one_by_one_and_the_rest_at_once() -> None:
    section = drawn(6)
    row = pair_next_round(actor=DESK, section_id=section.pk, after_round=0)
    with refused("round_is_draft"):
        pair_next_round(actor=DESK, section_id=section.pk, after_round=1)
    publish_round(actor=DESK, round_id=row.pk, seen_version=row.version)
    rest = pair_all_rounds(actor=DESK, section_id=section.pk, after_round=1)
    assert [made.number for made in rest] == [2, 3, 4, 5]
    state = cockpit(section)
    assert (state.phase, state.current.number, state.drafts) == (CockpitPhase.RUNNING, 1, 4)
    play(section, 1)
    state = cockpit(section)
    assert (state.phase, state.current.number) == (CockpitPhase.DRAFT, 2)
    with refused("all_rounds_paired"):
        pair_all_rounds(actor=DESK, section_id=section.pk, after_round=5)


def test_only_the_last_of_several_drafts_is_unpaired() -> None:
    section = drawn(4)
    first, _second, third = pair_all_rounds(actor=DESK, section_id=section.pk, after_round=0)
    with refused("round_not_last"):
        unpair_round(actor=DESK, round_id=first.pk, seen_version=0)
    unpair_round(actor=DESK, round_id=third.pk, seen_version=0)
    assert list(section.played_rounds.values_list("number", flat=True)) == [1, 2]


def test_results_come_in_any_order_until_the_section_is_closed() -> None:
    section = all_published(4)
    play(section, 3)
    state = cockpit(section)
    assert (state.phase, state.current.number, state.step) == (
        CockpitPhase.RUNNING,
        1,
        NextStep.ENTER_RESULTS,
    )
    play(section, 1)
    assert cockpit(section).current.number == 2
    with refused("results_missing"):
        close_section(actor=DESK, section_id=section.pk)
    play(section, 2)
    assert cockpit(section).phase is CockpitPhase.COMPLETE
    close_section(actor=DESK, section_id=section.pk)
    assert set(section.played_rounds.values_list("state", flat=True)) == {Round.State.FINISHED}
    reopen_section(actor=DESK, section_id=section.pk, reason="a slip was misread")
    assert set(section.played_rounds.values_list("state", flat=True)) == {Round.State.PUBLISHED}


def test_free_player_gets_no_points_and_nobody_has_another_bye() -> None:
    section = all_published(5)
    for number in range(1, 6):
        play(section, number)
    assert {row.points for row in standings_table(section).rows} == {20}
    with refused("no_byes_here"):
        request_bye(actor=DESK, participant_id=by_number(section, 1).pk, round_number=5, kind="H")
    with refused("no_byes_here"):
        open_check_in(actor=DESK, section_id=drawn(4).pk, after_round=0)


def test_standings_count_every_result_and_say_how_many_there_are() -> None:
    section = all_published(4)
    play(section, 3, Result.WHITE_WINS)
    table = standings_table(section)
    assert sum(row.points for row in table.rows) == 20
    assert (table.state.spread, table.state.played, table.state.total) == (True, 2, 6)
    assert (table.running, table.final) == (False, False)


def test_order_of_the_standings_does_not_use_ratings() -> None:
    section = all_published(4)
    for number in (1, 2, 3):
        play(section, number)
    assert [row.tpn for row in standings_table(section).rows] == [1, 2, 3, 4]


# who leaves


def results_of(section: Section, entry: Participant) -> list[tuple[int, str]]:
    games = Game.objects.filter(round__section=section).order_by("round__number")
    return [(game.round.number, game.result) for game in games if entry.pk in (game.white_id, game.black_id)]


def leave_after(section: Section, tpn: int, rounds: int) -> Participant:
    for number in range(1, rounds + 1):
        play(section, number, Result.WHITE_WINS)
    return withdraw_participant(actor=DESK, participant_id=by_number(section, tpn).pk)


def test_games_of_a_player_who_leaves_are_forfeited() -> None:
    section = all_published(4)
    gone = leave_after(section, 4, 1)
    assert gone.left_after == 1
    assert results_of(section, gone) == [(1, "1-0"), (2, "-:+"), (3, "+:-")]
    row = section.log.latest("pk")
    assert (row.action, row.after["forfeited"]) == ("withdraw_participant", [[2, 1], [3, 1]])


def test_fewer_than_half_of_the_games_do_not_count() -> None:
    section = all_published(4)
    gone = leave_after(section, 4, 1)
    play(section, 2)
    play(section, 3)
    table = standings_table(section)
    assert [row.tpn for row in table.rows] == [2, 1, 3]
    assert [row.points for row in table.rows] == [15, 10, 5]
    (out,) = table.uncounted
    assert (out.participant_id, out.tpn, out.completed, out.total) == (gone.pk, 4, 1, 3)


def test_half_of_the_games_count_with_the_forfeits() -> None:
    section = all_published(5)
    gone = leave_after(section, 5, 2)
    assert len([result for _number, result in results_of(section, gone) if result in ("1-0", "0-1")]) == 2
    table = standings_table(section)
    assert (len(table.rows), table.uncounted) == (5, ())
    assert next(row for row in table.rows if row.tpn == 5).withdrawn


def test_withdrawal_is_undone_with_the_forfeits() -> None:
    section = all_published(4)
    gone = leave_after(section, 4, 1)
    undo(actor=DESK, section_id=section.pk, revision=section.log.latest("pk").revision)
    gone.refresh_from_db()
    assert (gone.is_active, gone.left_after) == (True, None)
    assert results_of(section, gone) == [(1, "1-0"), (2, ""), (3, "")]
    assert standings_table(section).uncounted == ()


def test_rounds_paired_later_forfeit_the_games_at_once() -> None:
    section = drawn(4)
    first = pair_next_round(actor=DESK, section_id=section.pk, after_round=0)
    publish_round(actor=DESK, round_id=first.pk, seen_version=0)
    gone = leave_after(section, 4, 1)
    pair_all_rounds(actor=DESK, section_id=section.pk, after_round=1)
    assert results_of(section, gone) == [(1, "1-0"), (2, "-:+"), (3, "+:-")]


def test_two_players_who_left_both_lose_their_game() -> None:
    section = all_published(4)
    first, second = leave_after(section, 4, 1), by_number(section, 2)
    withdraw_participant(actor=DESK, participant_id=second.pk)
    assert results_of(section, first)[2] == (3, "-:-")
    assert results_of(section, second)[2] == (3, "-:-")


def test_player_of_the_table_is_not_removed() -> None:
    section = drawn(4)
    pair_next_round(actor=DESK, section_id=section.pk, after_round=0)
    with refused("already_paired"):
        remove_participant(actor=DESK, participant_id=by_number(section, 2).pk)


def test_players_without_ratings_draw_lots_and_play() -> None:
    section = section_of(3)
    add_participant(actor=DESK, section_id=section.pk, entry=EntryData(name="Unrated, U", rating=0))
    draw_lots(actor=DESK, section_id=section.pk, seed="seven")
    pair_all_rounds(actor=DESK, section_id=section.pk, after_round=0)
    publish_all_rounds(actor=DESK, section_id=section.pk)
    for game in Game.objects.filter(round__section=section):
        enter(game, Result.WHITE_WINS)
    rows = standings_table(section).rows
    assert (len(rows), sum(row.points for row in rows)) == (4, 60)
    report = read_report(tournament_report(section))
    ratings = [player.rating for player in report.players if player.name == "Unrated, U"]
    copied = import_report(actor=DESK, event=section.event, name="Again", report=report)
    assert (ratings, copied.participants.filter(rating=0).count()) == ([None], 1)
    assert copied.log.get(action="import_report").after["departures"] == []
