from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db.models import F

from evenboard_engine import Result
from evenboard_engine.tiebreaks import PRESETS
from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import EventFactory, GameFactory, RoundFactory, SectionFactory, section_of
from tournaments.actions.events import (
    close_section,
    create_section,
    edit_event,
    edit_section,
    leave_fide_mode,
    reopen_section,
)
from tournaments.actions.ledger import Actor
from tournaments.actions.undo import undo
from tournaments.errors import DomainError
from tournaments.files.report_writing import tournament_report
from tournaments.models import ActionLog, Integrity, Player, Round, Section
from tournaments.questions import Answers

pytestmark = pytest.mark.django_db


def test_new_section_has_fide_points_and_is_in_fide_mode(actor: Actor) -> None:
    event = EventFactory()
    section = create_section(actor=actor, event=event, name=" Open  A", rounds=9)
    section.refresh_from_db()
    assert (section.name, section.slug, section.rounds, section.revision) == ("Open A", "open-a", 9, 1)
    assert (section.win_points, section.draw_points, section.loss_points, section.bye_points) == (
        10,
        5,
        0,
        10,
    )
    assert (section.fide_mode, section.initial_colour, section.all_options["upfloats"]) == (
        True,
        "",
        "played",
    )
    row = ActionLog.objects.get()
    assert (row.section, row.event, row.action, row.revision) == (section, event, "create_tournament", 1)
    assert (row.after["name"], row.after["rounds"]) == ("Open A", 9)


def test_the_bye_of_a_new_section_is_worth_a_win(actor: Actor) -> None:
    """C.04.1, 3."""
    made = create_section(
        actor=actor, event=EventFactory(), name="Open", rounds=5, win_points=30, draw_points=10
    )
    assert made.bye_points == 30


@pytest.mark.parametrize(
    ("system", "preset"), [("dubov", ""), ("uschess", "us_chess"), ("round-robin", "round_robin")]
)
def test_new_section_has_the_ready_made_list_of_its_system(actor: Actor, system: str, preset: str) -> None:
    dubov = ["ARO", "DE", "BH/C1", "BH"]
    first = list(PRESETS.get(preset, dubov))
    section = create_section(actor=actor, event=EventFactory(), name="A", rounds=9, system=system)
    assert section.tie_breaks == first
    for code, codes in (("dubov-1997", dubov), (system, first)):
        edited = edit_section(actor=actor, section_id=section.pk, system=code)
        assert Section.objects.get(pk=edited.pk).tie_breaks == codes
    Section.objects.filter(pk=section.pk).update(tie_breaks=["WIN"])
    edit_section(actor=actor, section_id=section.pk, system="dubov-1997")
    assert Section.objects.get(pk=section.pk).tie_breaks == ["WIN"]


def test_sections_of_an_event_have_different_names_and_addresses(actor: Actor) -> None:
    event = EventFactory()
    names = ["Open", "Open!", "New", "组"]
    slugs = [create_section(actor=actor, event=event, name=name, rounds=7).slug for name in names]
    assert slugs == ["open", "open-2", "new-2", "group"]
    with refused("section_name_taken", name="Open"):
        create_section(actor=actor, event=event, name="Open", rounds=7)
    assert create_section(actor=actor, event=EventFactory(), name="Open", rounds=7).slug == "open"


def test_sections_with_names_without_letters_and_long_names_have_addresses(actor: Actor) -> None:
    event = EventFactory()
    slugs = [create_section(actor=actor, event=event, name=name, rounds=1).slug for name in ("!!", "x" * 80)]
    assert slugs == ["group", "x" * 50]


@pytest.mark.parametrize("rounds", [-1, 0, 31, 10**9])
def test_number_of_rounds_has_limits(actor: Actor, rounds: int) -> None:
    event = EventFactory()
    with refused("rounds_out_of_range", rounds=rounds, minimum=1, maximum=30):
        create_section(actor=actor, event=event, name="Open", rounds=rounds)


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("points", "code"),
    [
        ({"win_points": 10, "draw_points": 6}, "points_unsound"),
        ({"win_points": 0}, "points_unsound"),
        ({"loss_points": -5}, "points_unsound"),
        ({"win_points": 100_000, "draw_points": 10}, "points_unsound"),
        ({"bye_points": 15}, "bye_points_too_high"),
        ({"bye_points": -5}, "bye_points_too_high"),
        ({"bye_points": 7}, "bye_points_not_standard"),
        ({"win_points": 11, "draw_points": 5, "bye_points": 7}, "bye_points_unreachable"),
    ],
)
def test_point_systems_are_checked(actor: Actor, points: dict[str, int], code: str) -> None:
    event = EventFactory()
    with refused(code):
        create_section(actor=actor, event=event, name="Open", rounds=7, **points)


@pytest.mark.parametrize(
    ("points", "byes"),
    [
        ({"win_points": 30, "draw_points": 10}, (0, 10, 20, 30)),
        ({"win_points": 2, "draw_points": 1}, (0, 1, 2)),
        ({"win_points": 30, "draw_points": 10, "loss_points": 5}, (5, 25)),
    ],
)
def test_bye_may_be_worth_a_sum_of_results(
    actor: Actor, points: dict[str, int], byes: tuple[int, ...]
) -> None:
    """VCL4THP.13 Q84: with 3-1-0 nothing, a draw, two draws or a win; a loss that scores counts too."""
    event = EventFactory()
    for bye in byes:
        section = create_section(
            actor=actor, event=event, name=f"Bye {bye}", rounds=7, bye_points=bye, **points
        )
        assert section.point_system.allocated_bye == bye


@pytest.mark.parametrize(
    ("points", "bye", "lower", "higher"),
    [
        ({"win_points": 30, "draw_points": 10}, 27, 20, 30),
        ({"win_points": 20, "draw_points": 10}, 13, 10, 20),
        ({"win_points": 30, "draw_points": 10, "loss_points": 5}, 3, 0, 5),
    ],
)
def test_bye_worth_no_sum_of_results_is_refused(
    actor: Actor, points: dict[str, int], bye: int, lower: int, higher: int
) -> None:
    event = EventFactory()
    with refused("bye_points_unreachable", bye=bye, lower=lower, higher=higher):
        create_section(actor=actor, event=event, name="Open", rounds=7, bye_points=bye, **points)


def test_unknown_way_to_count_upfloats_is_refused(actor: Actor) -> None:
    event = EventFactory()
    with refused("invalid_values"):
        create_section(actor=actor, event=event, name="Open", rounds=7, options={"upfloats": "never"})


@pytest.mark.parametrize(("start", "edition"), [("2026-01-31", "2018"), ("2026-02-01", "2026")])
def test_section_takes_the_edition_in_force_on_the_first_day(actor: Actor, start: str, edition: str) -> None:
    event = EventFactory(start=date.fromisoformat(start))
    assert create_section(actor=actor, event=event, name="Open", rounds=7).options["edition"] == edition
    chosen = create_section(actor=actor, event=event, name="Other", rounds=7, options={"edition": "2025"})
    assert chosen.options["edition"] == "2025"
    edit_section(actor=actor, section_id=chosen.pk, options={"edition": ""})
    chosen.refresh_from_db()
    assert chosen.options["edition"] == edition


@pytest.mark.parametrize("wrong", [{"options": {"edition": "1997"}}, {"acceleration": "haley"}])
def test_unknown_variants_are_refused(actor: Actor, wrong: dict[str, Any]) -> None:
    event = EventFactory()
    with refused("invalid_values"):
        create_section(actor=actor, event=event, name="Open", rounds=7, **wrong)


@pytest.mark.parametrize(
    "points", [{"win_points": 30, "draw_points": 10}, {"loss_points": 1, "win_points": 12}]
)
def test_baku_needs_a_win_worth_two_draws(actor: Actor, points: dict[str, int]) -> None:
    event = EventFactory()
    with refused("acceleration_points"):
        create_section(actor=actor, event=event, name="Open", rounds=7, acceleration="baku", **points)
    section = create_section(actor=actor, event=event, name="Open", rounds=7, **points)
    with refused("acceleration_points"):
        edit_section(actor=actor, section_id=section.pk, acceleration="baku")


def test_settings_change_before_round_1(actor: Actor) -> None:
    section = SectionFactory(rounds=7)
    with one_step(section, "edit_tournament") as logged:
        edit_section(actor=actor, section_id=section.pk, rounds=9, bye_points=5, name=section.name)
    assert (logged[0].before, logged[0].after) == (
        {"rounds": 7, "bye_points": 10},
        {"rounds": 9, "bye_points": 5},
    )


@pytest.mark.parametrize(
    "change",
    [
        {"rounds": 9},
        {"win_points": 30},
        {"draw_points": 4},
        {"bye_points": 5},
        {"options": {"upfloats": "paired"}},
        {"options": {"edition": "2018"}},
        {"acceleration": "baku"},
    ],
)
def test_round_1_locks_the_settings(actor: Actor, change: dict[str, Any]) -> None:
    section = RoundFactory(state=Round.State.DRAFT).section
    with refused("settings_locked", fields=list(change.get("options", change))):
        edit_section(actor=actor, section_id=section.pk, **change)


def test_name_can_always_change_and_the_address_never(actor: Actor) -> None:
    section = RoundFactory().section
    slug = section.slug
    edit_section(actor=actor, section_id=section.pk, name="Other", rounds=section.rounds)
    section.refresh_from_db()
    assert (section.name, section.slug) == ("Other", slug)


def test_same_settings_again_are_not_logged(actor: Actor) -> None:
    section = SectionFactory()
    with unchanged():
        edit_section(actor=actor, section_id=section.pk, name=section.name, rounds=section.rounds)


def test_edit_of_a_stale_form_is_refused(actor: Actor) -> None:
    section = SectionFactory(revision=3)
    with refused("overtaken", theirs={"rounds": 7}):
        edit_section(actor=actor, section_id=section.pk, seen={"rounds": 5}, rounds=9)


def test_status_and_revision_are_not_settings(actor: Actor) -> None:
    with pytest.raises(TypeError):
        edit_section(actor=actor, section_id=1, status="closed")


def played_section(**settings: Any) -> Section:
    """A section of one round, which is published and has its only result."""
    section = section_of(2, **{"rounds": 1, **settings})
    white, black = section.participants.all()
    GameFactory(round=RoundFactory(section=section), white=white, black=black, result=Result.WHITE_WINS)
    return section


def test_closing_finishes_the_last_round(actor: Actor) -> None:
    section = played_section()
    with one_step(section, "close_tournament") as logged:
        assert close_section(actor=actor, section_id=section.pk).is_closed
    section.refresh_from_db()
    last = section.played_rounds.get()
    assert (section.status, last.state, last.finished_at is None) == ("closed", "finished", False)
    assert (logged[0].before, logged[0].after, logged[0].round_number) == (
        {"status": "open"},
        {"status": "closed"},
        1,
    )


def test_nothing_can_be_done_to_a_closed_section(actor: Actor) -> None:
    section = played_section(status=Section.Status.CLOSED)
    with refused("section_closed"):
        close_section(actor=actor, section_id=section.pk)
    with refused("section_closed"):
        edit_section(actor=actor, section_id=section.pk, name="Other")


def test_section_without_a_round_cannot_be_closed(actor: Actor) -> None:
    section = SectionFactory()
    with refused("nothing_to_close"):
        close_section(actor=actor, section_id=section.pk, early=True, reason="nobody came")


@pytest.mark.parametrize(
    ("result", "code", "params"),
    [
        ("", "results_missing", {"round": 1, "boards": [1]}),
        (Result.ADJOURNED, "adjourned_open", {"games": [[1, 1]]}),
    ],
)
def test_section_with_an_open_game_cannot_be_closed(
    actor: Actor, result: str, code: str, params: dict[str, Any]
) -> None:
    section = played_section()
    section.played_rounds.get().games.update(result=result)
    with refused(code, **params):
        close_section(actor=actor, section_id=section.pk)


def test_section_with_an_adjourned_game_of_an_earlier_round_cannot_be_closed(actor: Actor) -> None:
    section = played_section(rounds=2)
    section.played_rounds.update(state=Round.State.FINISHED)
    section.played_rounds.get().games.update(result=Result.ADJOURNED)
    RoundFactory(section=section)
    with refused("adjourned_open", games=[[1, 1]]):
        close_section(actor=actor, section_id=section.pk)


def test_adjourned_games_are_named_by_round_and_board(actor: Actor) -> None:
    section = section_of(4, rounds=2)
    for number, boards in ((1, (1, 2)), (2, (1,))):
        row = RoundFactory(
            section=section, state=Round.State.FINISHED if number == 1 else Round.State.PUBLISHED
        )
        for board in boards:
            white, black = section.participants.filter(tpn__in=(2 * board - 1, 2 * board))
            GameFactory(round=row, board=board, white=white, black=black, result=Result.ADJOURNED)
    with refused("adjourned_open", games=[[1, 1], [1, 2], [2, 1]]):
        close_section(actor=actor, section_id=section.pk)


def test_section_with_a_draft_cannot_be_closed(actor: Actor) -> None:
    section = played_section()
    section.played_rounds.update(state=Round.State.DRAFT)
    with refused("round_is_draft", round=1):
        close_section(actor=actor, section_id=section.pk)


def test_closing_early_needs_a_reason_and_the_report_names_it(actor: Actor) -> None:
    section = played_section(rounds=3)
    with refused("rounds_left", paired=1, rounds=3):
        close_section(actor=actor, section_id=section.pk, reason="flood")
    with refused("reason_required"):
        close_section(actor=actor, section_id=section.pk, early=True, reason=" ")
    with one_step(section, "close_tournament") as logged:
        close_section(actor=actor, section_id=section.pk, early=True, reason="flood")
    assert logged[0].reason == "flood"
    section.refresh_from_db()
    assert "### Closed early @ Round 1: flood" in tournament_report(section).decode()


def test_opening_again_lets_the_last_round_change(actor: Actor) -> None:
    section = played_section()
    close_section(actor=actor, section_id=section.pk)
    with one_step(section, "reopen_tournament") as logged:
        reopen_section(actor=actor, section_id=section.pk, reason="wrong result")
    section.refresh_from_db()
    last = section.played_rounds.get()
    assert (section.status, last.state, last.finished_at) == ("open", "published", None)
    assert (logged[0].reason, logged[0].round_number) == ("wrong result", 1)
    assert (logged[0].before, logged[0].after) == ({"status": "closed"}, {"status": "open"})
    with refused("not_closed"):
        reopen_section(actor=actor, section_id=section.pk, reason="wrong result")


def test_reopening_needs_a_reason_and_the_report_names_it(actor: Actor) -> None:
    section = played_section()
    close_section(actor=actor, section_id=section.pk)
    with refused("reason_required"):
        reopen_section(actor=actor, section_id=section.pk, reason=" ")
    reopen_section(actor=actor, section_id=section.pk, reason="board 1 was a draw")
    line = "### Reopening @ Round 1: board 1 was a draw"
    assert line in tournament_report(section).decode()
    section.refresh_from_db()
    undo(actor=actor, section_id=section.pk, revision=section.revision)  # closed again
    section.refresh_from_db()
    assert (section.is_closed, line in tournament_report(section).decode()) == (True, False)


def test_undo_of_closing_opens_the_section_as_it_was(actor: Actor) -> None:
    section = played_section()
    close_section(actor=actor, section_id=section.pk, reason="all games are played")
    assert "### Closed early" not in tournament_report(section).decode()
    section.refresh_from_db()
    undo(actor=actor, section_id=section.pk, revision=section.revision)
    section.refresh_from_db()
    assert (section.status, section.played_rounds.get().state) == ("open", "published")


def test_yes_to_the_warnings_counts_while_they_are_the_same(actor: Actor) -> None:
    section = played_section()
    Player.objects.filter(entries__section=section).update(fide_id=F("pk"))
    answers = Answers("a page")
    for numbers in (True, False):
        with pytest.raises(DomainError) as asked:
            close_section(actor=actor, section_id=section.pk, proceed=answers)
        assert (asked.value.code, asked.value.params["count"]) == ("warnings_not_seen", 2 + (not numbers))
        answers = Answers("a page", frozenset({asked.value.answer}))
        if numbers:  # a third warning comes up
            Player.objects.filter(entries__section=section, entries__tpn=1).update(fide_id=None)
    assert close_section(actor=actor, section_id=section.pk, proceed=answers).is_closed


def test_event_is_closed_with_its_last_section_and_its_facts_are_frozen(actor: Actor) -> None:
    section = played_section()
    other = section_of(2, event=section.event, slug="other")
    close_section(actor=actor, section_id=section.pk)
    edit_event(actor=actor, event=section.event, chief_arbiter="One, Arbiter")
    other.status = Section.Status.CLOSED
    other.save(update_fields=["status"])
    with refused("event_closed"):
        edit_event(actor=actor, event=section.event, chief_arbiter="Two, Arbiter")
    edit_event(actor=actor, event=section.event, contact="desk@club.example")


def test_fide_mode_is_left_permanently(actor: Actor) -> None:
    section = played_section()
    with refused("reason_required"):
        leave_fide_mode(actor=actor, section_id=section.pk, reason="", asked=True)
    with one_step(section, "leave_fide_mode") as logged:
        leave_fide_mode(actor=actor, section_id=section.pk, reason="club rules", asked=True)
    section.refresh_from_db()
    assert (section.fide_mode, section.fide_mode_left_in_round) == (False, 1)
    assert (logged[0].integrity, logged[0].round_number) == (Integrity.FIDE_MODE, 1)
    assert (logged[0].before, logged[0].after) == ({"fide_mode": True}, {"fide_mode": False})
    with refused("fide_mode_left"):
        leave_fide_mode(actor=actor, section_id=section.pk, reason="again", asked=True)
