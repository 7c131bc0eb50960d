"""Undo, case by case: which action depends on which, what the report says, and what is restored exactly."""

from __future__ import annotations

import pytest

from evenboard_engine.trf import read_report
from pairing.rounds import draw_initial_colour, unpair_round, unpublish_round
from tests.actions.refusals import refused
from tests.factories import entry_data, section_of
from tests.web.staff.conftest import enter, paired
from tests.web.staff.conftest import played_and_logged as played
from tournaments.actions.byes import cancel_bye, request_bye
from tournaments.actions.corrections import correct_result
from tournaments.actions.entries import add_participant, edit_participant, import_report, remove_participant
from tournaments.actions.hall import set_hall_message
from tournaments.actions.ledger import Actor, act
from tournaments.actions.rounds import set_round_starts
from tournaments.actions.sections import close_section, edit_section, leave_fide_mode
from tournaments.actions.undo import restore_before_round, undo, undo_since
from tournaments.declarations.sections import SET_HALL_MESSAGE
from tournaments.files.report_writing import tournament_report
from tournaments.models import Bye, Game, RoundStart, Section
from tournaments.queries.undo_preview import loss_before_round, undo_preview

pytestmark = pytest.mark.django_db


def take_back(section: Section, actor: Actor, revision: int | None = None) -> None:
    revision = revision or section.log.latest("revision").revision
    undo(actor=actor, section_id=section.pk, revision=revision)


def comments(section: Section) -> list[str]:
    report = tournament_report(Section.objects.get(pk=section.pk)).decode()
    return [line for line in report.splitlines() if line.startswith("###") and "@" in line]


def test_undo_does_not_restore_a_bye_of_a_removed_player(actor: Actor) -> None:
    section = section_of(6)
    entry = section.participants.get(tpn=4)
    request_bye(actor=actor, participant_id=entry.pk, round_number=3, kind="H")
    cancel_bye(actor=actor, bye_id=Bye.objects.get().pk)
    remove_participant(actor=actor, participant_id=entry.pk)
    with refused("undo_depends", revisions=[3], elsewhere=0):
        take_back(section, actor, 2)
    assert [found.reason for found in undo_preview(section, 2).resting] == ["gone"]
    take_back(section, actor, 3)
    take_back(section, actor, 2)
    assert Bye.objects.get().participant_id == entry.pk


def test_numbers_are_made_again_if_entries_were_ranked_since(actor: Actor) -> None:
    section = section_of(6)
    entry = section.participants.select_related("player").get(tpn=2)
    edit_participant(actor=actor, participant_id=entry.pk, entry=entry_data(entry.player.name, 1200))
    add_participant(actor=actor, section_id=section.pk, entry=entry_data("New, Nora", 2700))
    take_back(section, actor, 1)
    take_back(section, actor, 2)
    ratings = list(section.participants.order_by("tpn").values_list("rating", flat=True))
    assert ratings == sorted(ratings, reverse=True)
    assert section.participants.get(tpn=2).pk == entry.pk


def test_turned_colours_turn_back(actor: Actor) -> None:
    section = section_of(6)
    played(section)
    paired(section)
    game = Game.objects.get(round__number=1, board=1)
    correct_result(
        actor=actor,
        game_id=game.pk,
        result="1-0",
        seen_version=game.version,
        turned=True,
        reason="x",
        confirmed=True,
    )
    assert Game.objects.get(pk=game.pk).white_id == game.black_id
    assert [line.split(":")[0] for line in comments(section)] == [
        "### Correction @ Round 1",
        "### Earlier result @ Round 1",
    ]
    take_back(section, actor)
    back = Game.objects.get(pk=game.pk)
    assert (back.white_id, back.black_id, back.result, back.earlier) == (
        game.white_id,
        game.black_id,
        game.result,
        game.earlier,
    )
    assert comments(section) == []


def test_dates_that_are_the_same_are_not_written(actor: Actor) -> None:
    section = section_of(4)
    set_round_starts(actor=actor, section_id=section.pk, starts={1: RoundStart.read("2026-10-17")})
    edit_section(actor=actor, section_id=section.pk, rounds=5)
    set_round_starts(actor=actor, section_id=section.pk, starts={1: RoundStart.read("2026-10-17")})
    assert len(Section.objects.get(pk=section.pk).schedule) == 7
    take_back(section, actor, 1)
    assert Section.objects.get(pk=section.pk).schedule == []


def test_action_that_wrote_something_is_logged_even_if_it_says_unchanged(actor: Actor) -> None:
    section = section_of(4)
    with act(section_id=section.pk, actor=actor, action=SET_HALL_MESSAGE) as entry:
        entry.unchanged = True
        entry.section.hall_message = "Phones off"
        entry.section.save(update_fields=["hall_message"])
    assert section.log.get().changes == [
        ["section", section.pk, {"hall_message": ""}, {"hall_message": "Phones off"}]
    ]


def test_report_mentions_no_undone_action_except_leaving_fide_mode(actor: Actor) -> None:
    section = section_of(6)
    entry = section.participants.get(tpn=2)
    request_bye(actor=actor, participant_id=entry.pk, round_number=1, kind="F", proceed=True)
    full = section.log.latest("revision").revision
    paired(section)
    assert comments(section) == ["### FPB @ Round 1: 2=FPB"]
    for game in section.played_rounds.get().games.all():
        enter(game, "1-0")
    leave_fide_mode(actor=actor, section_id=section.pk, reason="odd points", asked=True)
    section.refresh_from_db()
    restore_before_round(
        actor=actor, section_id=section.pk, number=1, seen_revision=section.revision, reason="again"
    )
    take_back(section, actor, full)
    paired(section)
    assert comments(section) == ["### FIDE mode exited @ Round 1"]
    assert not Section.objects.get(pk=section.pk).fide_mode


def test_initial_colour_can_be_undone_only_before_round_1_is_paired(actor: Actor) -> None:
    section = section_of(4, initial_colour="")
    draw_initial_colour(actor=actor, section_id=section.pk)
    paired(section)
    with refused("undo_depends"):
        take_back(section, actor, 1)
    assert [found.reason for found in undo_preview(section, 1).resting] == ["paired"]


def two_sections(**settings: object) -> tuple[Section, Section]:
    """Six players each; number 2 of the second is number 2 of the first, too."""
    one = section_of(6, **settings)
    other = section_of(6, event=one.event)
    one.participants.filter(tpn=2).update(player=other.participants.get(tpn=2).player)
    return one, other


def standing_in(section: Section) -> list[tuple[int, str]]:
    """Return the rounds of a section."""
    return list(section.played_rounds.values_list("number", "state"))


def test_rounds_of_another_section_do_not_depend_on_a_result(actor: Actor) -> None:
    one, other = two_sections()
    played(one)
    result = one.log.latest("revision").revision
    played(other)
    paired(other)
    assert undo_preview(one, result).resting == ()
    take_back(one, actor, result)
    assert standing_in(other) == [(1, "finished"), (2, "published")]


def test_rounds_of_another_section_do_not_depend_on_a_pairing(actor: Actor) -> None:
    one, other = two_sections()
    paired(one)
    played(other)
    for revision in range(one.log.latest("revision").revision, 0, -1):
        take_back(one, actor, revision)
    assert (standing_in(one), standing_in(other)) == ([], [(1, "published")])


def test_going_back_does_not_ask_about_another_section(actor: Actor) -> None:
    one, other = two_sections()
    played(one)
    paired(one)
    played(other)
    assert loss_before_round(one, 2).outside == ()
    one.refresh_from_db()
    restore_before_round(actor=actor, section_id=one.pk, number=2, seen_revision=one.revision, reason="again")
    assert (standing_in(one), standing_in(other)) == ([(1, "published")], [(1, "published")])
    logged = one.log.latest("revision")
    assert logged.after["actions"] == 2  # round 2 was paired and published
    assert (logged.round_number, logged.reason) == (2, "again")


def go_back(section: Section, actor: Actor, number: int) -> None:
    section.refresh_from_db()
    restore_before_round(
        actor=actor, section_id=section.pk, number=number, seen_revision=section.revision, reason="again"
    )


def test_round_that_came_back_in_place_of_another_is_gone_after_going_back(actor: Actor) -> None:
    section = section_of(6)
    paired(section)
    first = section.played_rounds.get().pk
    beginning = section.log.get(action="pair_next_round").revision
    go_back(section, actor, 1)
    paired(section)
    back = section.log.get(action="restore_before_round").revision
    section.refresh_from_db()
    undo_since(actor=actor, section_id=section.pk, revision=back, seen_revision=section.revision)
    assert section.played_rounds.get().pk == first
    lost = loss_before_round(section, 1)
    assert [row.action for row in lost.rows] == ["publish_round", "pair_next_round"]
    go_back(section, actor, 1)
    assert standing_in(section) == []
    assert section.log.latest("revision").back_to == beginning - 1


def test_log_names_the_round_before_which_the_section_is_again(actor: Actor) -> None:
    section = section_of(6)
    played(section)
    paired(section)
    go_back(section, actor, 1)
    logged = section.log.latest("revision")
    assert (logged.action, logged.round_number, logged.after["actions"]) == ("restore_before_round", 1, 7)


def test_round_that_was_imported_has_no_pairing_to_go_back_to(actor: Actor) -> None:
    played_here = section_of(6)
    played(played_here)
    section = import_report(
        actor=actor,
        event=played_here.event,
        name="From a file",
        report=read_report(tournament_report(played_here)),
        rounds=7,
    )
    with refused("restore_unknown", round=1):
        go_back(section, actor, 1)


def test_import_of_another_section_prevents_no_undo(actor: Actor) -> None:
    one = section_of(6)
    played(one)
    import_report(
        actor=actor, event=one.event, name="From a file", report=read_report(tournament_report(one)), rounds=7
    )
    take_back(one, actor)
    assert one.played_rounds.get().games.filter(result="").count() == 1


def test_round_that_comes_back_does_not_depend_on_entries_of_another_section(actor: Actor) -> None:
    one, other = two_sections()
    draft = paired(one, published=False)
    unpair_round(actor=actor, round_id=draft.pk, seen_version=draft.version)
    add_participant(actor=actor, section_id=other.pk, entry=entry_data("New, Nora", 2700))
    take_back(one, actor)
    assert standing_in(one) == [(1, "draft")]


def test_fewer_rounds_take_no_bye_of_another_section(actor: Actor) -> None:
    one, other = two_sections()
    edit_section(actor=actor, section_id=one.pk, rounds=9)
    edit_section(actor=actor, section_id=other.pk, rounds=9)
    request_bye(
        actor=actor, participant_id=other.participants.get(tpn=3).pk, round_number=9, kind="H", proceed=True
    )
    take_back(one, actor)
    assert Section.objects.get(pk=one.pk).rounds == 7


def test_only_its_own_closing_prevents_an_undo_in_a_section(actor: Actor) -> None:
    one, other = two_sections()
    set_hall_message(actor=actor, section_id=one.pk, message="Phones off")
    for section in (one, other):
        played(section)
        close_section(actor=actor, section_id=section.pk, early=True, reason="storm")
    one.refresh_from_db()
    assert [(found.where, found.reason) for found in undo_preview(one, 1).resting] == [("", "closed")]


def test_title_that_two_sections_share_counts_for_the_rounds_of_both(actor: Actor) -> None:
    one, other = two_sections()
    equal_first, shared = other.participants.get(tpn=1), other.participants.get(tpn=2)
    other.participants.update(rating=2000)
    entry = one.participants.select_related("player").get(tpn=2)
    edit_participant(
        actor=actor, participant_id=entry.pk, entry=entry_data(entry.player.name, entry.rating, title="GM")
    )
    assert list(other.participants.order_by("tpn"))[:2] == [shared, equal_first]
    edited = one.log.latest("revision").revision
    paired(other)
    with refused("undo_depends", revisions=[], elsewhere=1):
        take_back(one, actor, edited)
    assert [(found.where, found.reason) for found in undo_preview(one, edited).resting] == [
        (other.name, "paired")
    ]
    round_1 = other.played_rounds.get()
    unpublish_round(actor=actor, round_id=round_1.pk, seen_version=round_1.version)
    round_1.refresh_from_db()
    unpair_round(actor=actor, round_id=round_1.pk, seen_version=round_1.version)
    take_back(one, actor, edited)
    assert list(other.participants.order_by("tpn"))[:2] == [equal_first, shared]
    again = one.log.latest("revision").revision
    paired(other)
    assert [found.reason for found in undo_preview(one, again).resting] == ["paired"]


def test_new_name_of_a_player_of_two_sections_prevents_no_undo_of_a_round(actor: Actor) -> None:
    one, other = two_sections()
    entry = one.participants.select_related("player").get(tpn=2)
    edit_participant(actor=actor, participant_id=entry.pk, entry=entry_data("Zylka, Zoe", entry.rating))
    edited = one.log.latest("revision").revision
    paired(one)
    paired(other)
    assert undo_preview(one, edited).resting == ()


def test_person_in_two_sections_depends_on_the_entry_that_made_the_person(actor: Actor) -> None:
    one, other = two_sections()
    entered = add_participant(actor=actor, section_id=one.pk, entry=entry_data("New, Nora", 2700, fide_id=77))
    made = one.log.latest("revision").revision
    again = entry_data("New, Nora", 2700, fide_id=77)
    twin = add_participant(actor=actor, section_id=other.pk, entry=again, both=True)
    assert twin.player_id == entered.player_id
    assert [(found.where, found.reason) for found in undo_preview(one, made).resting] == [
        (other.name, "names")
    ]
    one.refresh_from_db()
    with refused("undo_depends", elsewhere=1):
        undo_since(actor=actor, section_id=one.pk, revision=made, seen_revision=one.revision)
    take_back(other, actor)
    assert undo_preview(one, made).resting == ()


def test_undone_action_of_another_section_prevents_no_undo(actor: Actor) -> None:
    one, other = two_sections()
    entry = one.participants.select_related("player").get(tpn=2)
    edit_participant(actor=actor, participant_id=entry.pk, entry=entry_data("Zylka, Zoe", entry.rating))
    edited = one.log.latest("revision").revision
    twin = other.participants.get(player=entry.player)
    edit_participant(actor=actor, participant_id=twin.pk, entry=entry_data("Zylka, Zora", twin.rating))
    assert [found.reason for found in undo_preview(one, edited).resting] == ["same"]
    take_back(other, actor)
    assert undo_preview(one, edited).resting == ()
    take_back(one, actor, edited)
    entry.player.refresh_from_db()
    assert entry.player.name != "Zylka, Zoe"


def test_numbers_are_right_if_a_change_in_another_section_stays(actor: Actor) -> None:
    """Going back undoes the actions of the section, not changes in another section."""
    one, other = two_sections()
    one.participants.update(rating=2000)
    edit_section(actor=actor, section_id=one.pk, rounds=5)
    twin = other.participants.select_related("player").get(tpn=2)
    edit_participant(
        actor=actor, participant_id=twin.pk, entry=entry_data(twin.player.name, twin.rating, title="GM")
    )
    assert one.participants.get(tpn=1).player_id == twin.player_id
    one.refresh_from_db()
    undo_since(actor=actor, section_id=one.pk, revision=1, seen_revision=one.revision)
    assert Section.objects.get(pk=one.pk).rounds == 7
    assert one.participants.get(tpn=1).player_id == twin.player_id


def test_removal_of_an_entry_with_only_a_new_number_prevents_no_undo(actor: Actor) -> None:
    section = section_of(4)
    add_participant(actor=actor, section_id=section.pk, entry=entry_data("New, Nora", 2700))
    remove_participant(actor=actor, participant_id=section.participants.get(tpn=4).pk)
    assert undo_preview(section, 1).resting == ()
    take_back(section, actor, 1)
    assert list(section.participants.order_by("tpn").values_list("rating", flat=True)) == [2490, 2480, 2460]
