"""Absent players: byes and withdrawals before the pairing, forfeits after it."""

from __future__ import annotations

import pytest

from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import ByeFactory, GameFactory, RoundFactory, section_of
from tests.web.staff.conftest import paired
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import check_in, forfeit_absent, open_check_in, settle_absences
from tournaments.actions.undo import undo
from tournaments.models import ActionLog, Bye, Game, Participant, Round, Section

pytestmark = pytest.mark.django_db


@pytest.fixture
def section() -> Section:
    return section_of(6)


def keys(section: Section, *numbers: int) -> list[int]:
    return [section.participants.get(tpn=number).pk for number in numbers]


def byes(section: Section) -> list[tuple[int, int, str, str]]:
    rows = Bye.objects.filter(participant__section=section).order_by("participant__tpn")
    return list(rows.values_list("participant__tpn", "round_number", "kind", "source"))


def test_choices_for_several_absences_are_one_action(actor: Actor, section: Section) -> None:
    one, two, three = keys(section, 1, 2, 3)
    with one_step(section, "settle_absences") as logged:
        settled = settle_absences(
            actor=actor,
            section_id=section.pk,
            round_number=1,
            choices={one: "H", two: "Z", three: "W"},
        )
    assert byes(section) == [(1, 1, "H", "absent"), (2, 1, "Z", "absent")]
    gone = section.participants.get(tpn=3)
    assert (gone.status, gone.left_after) == ("withdrawn", 0)
    assert (settled.byes, settled.withdrawn, settled.came) == (((1, "H"), (2, "Z")), (3,), ())
    assert logged[0].after == {
        "byes": [[1, "H"], [2, "Z"]],
        "withdrawn": [3],
        "changed": [one, two, three],
    }
    names = [section.participants.get(pk=key).player.name for key in (one, two, three)]
    assert (logged[0].round_number, logged[0].subject) == (1, "; ".join(names))


def test_player_who_checked_in_meanwhile_is_left_out(actor: Actor, section: Section) -> None:
    one, two, three = keys(section, 1, 2, 3)
    open_check_in(actor=actor, section_id=section.pk, after_round=0)
    check_in(actor=actor, participant_id=one, round_number=1)
    ByeFactory(participant_id=two, round_number=1, kind="H")
    choices = dict.fromkeys((one, two, three), "Z")
    settled = settle_absences(actor=actor, section_id=section.pk, round_number=1, choices=choices)
    assert (settled.byes, len(settled.came)) == (((3, "Z"),), 2)
    with unchanged():
        again = settle_absences(actor=actor, section_id=section.pk, round_number=1, choices=choices)
    assert len(again.came) == 3


def test_limits_of_byes_apply_to_absent_players(actor: Actor, section: Section) -> None:
    one, two = keys(section, 1, 2)
    ByeFactory(participant_id=one, round_number=5, kind="H")
    with refused("byes_to_confirm"):
        settle_absences(actor=actor, section_id=section.pk, round_number=1, choices={two: "Z", one: "H"})
    Participant.objects.filter(pk=two).update(half_bye_allowed=False)
    with refused("half_bye_not_allowed"):
        settle_absences(actor=actor, section_id=section.pk, round_number=1, choices={two: "H"}, proceed=True)
    settle_absences(actor=actor, section_id=section.pk, round_number=1, choices={one: "H"}, proceed=True)
    assert (1, 1, "H", "absent") in byes(section)


def test_absence_is_decided_for_the_next_round_only(actor: Actor, section: Section) -> None:
    RoundFactory(section=section)
    (one,) = keys(section, 1)
    for number in (1, 3):
        with refused("stale_round", after_round=number - 1, last_round=1):
            settle_absences(actor=actor, section_id=section.pk, round_number=number, choices={one: "Z"})
    with refused("bye_kind", kind="F"):
        settle_absences(actor=actor, section_id=section.pk, round_number=2, choices={one: "F"})


@pytest.mark.parametrize(
    ("absent", "result", "gone"),
    [("white", "-:+", ["white"]), ("black", "+:-", ["black"]), ("both", "-:-", ["white", "black"])],
)
def test_absent_player_forfeits_the_board(
    actor: Actor, section: Section, absent: str, result: str, gone: list[str]
) -> None:
    game = paired(section).games.get(board=2)
    with one_step(section, "forfeit_and_withdraw") as logged:
        forfeit_absent(actor=actor, game_id=game.pk, absent=absent, seen_version=game.version, withdraw=True)
    assert (logged[0].round_number, logged[0].after["result"]) == (1, result)
    game.refresh_from_db()
    assert game.result == result
    left = Participant.objects.filter(section=section, status="withdrawn")
    assert {entry.pk for entry in left} == {getattr(game, f"{side}_id") for side in gone}
    assert {entry.left_after for entry in left} == {1}


def test_one_undo_brings_back_the_board_and_both_players(actor: Actor, section: Section) -> None:
    game = paired(section).games.get(board=2)
    forfeit_absent(actor=actor, game_id=game.pk, absent="both", seen_version=game.version, withdraw=True)
    section.refresh_from_db()
    undo(actor=actor, section_id=section.pk, revision=section.revision)
    game.refresh_from_db()
    assert game.result == ""
    assert section.participants.exclude(status="active").count() == 0


def test_player_who_has_left_is_forfeited_alone(actor: Actor, section: Section) -> None:
    game = paired(section).games.get(board=1)
    withdraw_participant(actor=actor, participant_id=game.white_id)
    with one_step(section, "record_result"):
        forfeit_absent(actor=actor, game_id=game.pk, absent="white", seen_version=game.version, withdraw=True)


def test_forfeit_without_withdrawal_keeps_the_player_in_the_section(actor: Actor, section: Section) -> None:
    game = paired(section).games.get(board=1)
    with one_step(section, "record_result"):
        forfeit_absent(actor=actor, game_id=game.pk, absent="white", seen_version=game.version)
    assert section.participants.exclude(status="active").count() == 0


def test_forfeit_and_withdrawal_are_done_together_or_not_at_all(actor: Actor, section: Section) -> None:
    game = paired(section).games.get(board=1)
    with refused("absent_who"):
        forfeit_absent(actor=actor, game_id=game.pk, absent="nobody", seen_version=game.version)
    with refused("stale_result"):
        forfeit_absent(actor=actor, game_id=game.pk, absent="white", seen_version=9, withdraw=True)
    draft = GameFactory(round__state=Round.State.DRAFT)
    with refused("round_not_published"):
        forfeit_absent(actor=actor, game_id=draft.pk, absent="white", seen_version=0, withdraw=True)
    assert Game.objects.exclude(result="").count() == 0
    assert ActionLog.objects.filter(action="forfeit_and_withdraw").count() == 0
