"""Taking back, one case each: what rests on what, what is told, and what stays exact."""

from __future__ import annotations

import pytest

from pairing.actions import draw_initial_colour
from tests.actions.refusals import refused
from tests.factories import entry_data, section_of
from tests.web.staff.conftest import enter, paired, played
from tournaments.actions.byes import cancel_bye, request_bye
from tournaments.actions.corrections import correct_result
from tournaments.actions.entries import add_participant, edit_participant, remove_participant
from tournaments.actions.ledger import Actor, act
from tournaments.actions.schedule import set_round_starts
from tournaments.actions.sections import edit_tournament, leave_fide_mode
from tournaments.actions.undo import restore_before_round, undo
from tournaments.exports.report_trf import tournament_report
from tournaments.models import Bye, Game, RoundStart, Tournament
from tournaments.queries.undo import undo_preview

pytestmark = pytest.mark.django_db


def take_back(section: Tournament, actor: Actor, revision: int | None = None) -> None:
    revision = revision or section.log.latest("revision").revision
    undo(actor=actor, tournament_id=section.pk, revision=revision)


def comments(section: Tournament) -> list[str]:
    report = tournament_report(Tournament.objects.get(pk=section.pk)).decode()
    return [line for line in report.splitlines() if line.startswith("###") and "@" in line]


def test_bye_of_somebody_who_was_removed_since_does_not_come_back(actor: Actor) -> None:
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


def test_numbers_are_made_anew_where_entries_were_ranked_since(actor: Actor) -> None:
    section = section_of(6)
    entry = section.participants.select_related("player").get(tpn=2)
    edit_participant(actor=actor, participant_id=entry.pk, entry=entry_data(entry.player.name, 1200))
    add_participant(actor=actor, tournament_id=section.pk, entry=entry_data("New, Nora", 2700))
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
    assert [line[:26] for line in comments(section)] == ["### Correction @ Round 1: "]
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
    set_round_starts(actor=actor, tournament_id=section.pk, starts={1: RoundStart.read("2026-10-17")})
    edit_tournament(actor=actor, tournament_id=section.pk, rounds=5)
    set_round_starts(actor=actor, tournament_id=section.pk, starts={1: RoundStart.read("2026-10-17")})
    assert len(Tournament.objects.get(pk=section.pk).schedule) == 7
    take_back(section, actor, 1)
    assert Tournament.objects.get(pk=section.pk).schedule == []


def test_action_that_wrote_something_is_logged_whatever_it_says(actor: Actor) -> None:
    section = section_of(4)
    with act(tournament_id=section.pk, actor=actor, action="set_hall_message") as entry:
        entry.unchanged = True
        entry.tournament.hall_message = "Phones off"
        entry.tournament.save(update_fields=["hall_message"])
    assert section.log.get().changes == [
        ["tournament", section.pk, {"hall_message": ""}, {"hall_message": "Phones off"}]
    ]


def test_report_tells_nothing_that_was_undone_but_fide_mode_left(actor: Actor) -> None:
    section = section_of(6)
    entry = section.participants.get(tpn=2)
    request_bye(actor=actor, participant_id=entry.pk, round_number=1, kind="F", proceed=True)
    full = section.log.latest("revision").revision
    paired(section)
    assert comments(section) == ["### FPB @ Round 1: 2=FPB"]
    for game in section.played_rounds.get().games.all():
        enter(game, "1-0")
    leave_fide_mode(actor=actor, tournament_id=section.pk, reason="odd points")
    section.refresh_from_db()
    restore_before_round(
        actor=actor, tournament_id=section.pk, number=1, seen_revision=section.revision, reason="again"
    )
    take_back(section, actor, full)
    paired(section)
    assert comments(section) == ["### FIDE mode exited @ Round 1"]
    assert not Tournament.objects.get(pk=section.pk).fide_mode


def test_colour_that_was_drawn_goes_only_before_a_round_is_paired_from_it(actor: Actor) -> None:
    section = section_of(4, initial_colour="")
    draw_initial_colour(actor=actor, tournament_id=section.pk)
    paired(section)
    with refused("undo_depends"):
        take_back(section, actor, 1)
    assert [found.reason for found in undo_preview(section, 1).resting] == ["paired"]
