"""Pairing ahead: the draft is the one that pairing without preparation gives, and it is there with the last result."""

from __future__ import annotations

from functools import partial

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from evenboard_engine import SYSTEMS, ByeKind, Colour, Result
from pairing.ahead import pair_ahead, prepare, prepare_all, stop_ahead
from pairing.rounds import pair_next_round, unpair_round
from tests.actions.refusals import one_step, refused
from tests.actions.test_concurrency import at_once
from tests.ahead_walk import AheadWalk
from tests.factories import UserFactory, section_of
from tests.web.staff.conftest import paired
from tournaments.actions.byes import cancel_bye, request_bye
from tournaments.actions.ledger import Actor
from tournaments.actions.player_results import press_result
from tournaments.actions.results import confirm_result, record_result
from tournaments.actions.undo import undo
from tournaments.models import EventRole, Game, Round, Section
from tournaments.queries.ahead import RoundAhead, round_ahead
from tournaments.queries.field import load_field
from tournaments.queries.player_results import player_links

pytestmark = pytest.mark.django_db
OPEN = (6, 12)


@pytest.mark.parametrize("system", [code for code in SYSTEMS if code != "round-robin"])
def test_draft_is_the_one_without_preparation(actor: Actor, system: str) -> None:
    walk = AheadWalk(1, system, actor, players=9, rounds=4)
    walk.play()
    assert walk.counted["by itself"], walk.counted


@pytest.fixture
def section() -> Section:
    """Two rounds of 24 players are played, mostly won by the stronger one. In round 3, boards 6 and 12 are open."""
    section = section_of(24)
    for _number in range(3):
        row = paired(section)
        for game in row.games.all():
            stronger = Result.WHITE_WINS if game.white.tpn < game.black.tpn else Result.BLACK_WINS
            result = Result.DRAW if game.board % 4 == 0 else stronger
            Game.objects.filter(pk=game.pk).update(result=result)
    Game.objects.filter(round=row, board__in=OPEN).update(result="")
    return section


def state(section: Section) -> RoundAhead:
    section.refresh_from_db()
    found = round_ahead(load_field(section, include_drafts=True))
    assert found is not None
    return found


def end(actor: Actor, section: Section, board: int, result: Result | str = Result.DRAW) -> Game:
    game = Game.objects.get(round__section=section, round__number=3, board=board)
    return record_result(actor=actor, game_id=game.pk, result=result, seen_version=game.version)


def test_draft_is_there_with_the_last_result(
    actor: Actor, section: Section, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    assert (state(section).open, state(section).can_be_asked, state(section).asked) == (OPEN, True, False)
    with one_step(section, "pair_ahead"):
        pair_ahead(actor=actor, section_id=section.pk, after_round=3)
    assert (state(section).combinations, state(section).prepared, state(section).sure) == (9, 0, ())
    assert prepare_all() == 9
    before = state(section)
    assert before.is_complete
    assert 0 < len(before.sure) < before.boards == 12
    end(actor, section, 6)
    after = state(section)
    assert (after.combinations, after.prepared) == (3, 3)
    assert {(one.board, one.white.tpn) for one in before.sure} <= {
        (one.board, one.white.tpn) for one in after.sure
    }
    clerk = Actor(UserFactory(username="clerk"))
    with django_capture_on_commit_callbacks(execute=True):
        end(clerk, section, 12)
    draft = section.played_rounds.get(number=4)
    assert draft.is_draft
    for one in after.sure:
        game = draft.games.get(board=one.board)
        assert (game.white_id, game.black_id) == (one.white.participant_id, one.black.participant_id)
    logged = section.log.order_by("-pk")[0]
    assert (logged.action, logged.who, logged.after["by_itself"]) == (
        "pair_next_round",
        actor.name,
        True,
    )
    with django_capture_on_commit_callbacks(execute=True):  # one undo, after which nothing comes by itself
        undo(actor=actor, section_id=section.pk, revision=logged.revision)
    assert not section.played_rounds.filter(number=4).exists()
    with django_capture_on_commit_callbacks(execute=True):  # until a result changes
        end(actor, section, 12, Result.BLACK_WINS)
    assert section.played_rounds.filter(number=4).exists()


def test_draft_is_there_when_both_players_press_the_last_result(
    actor: Actor, section: Section, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    Section.objects.filter(pk=section.pk).update(players_confirm=Section.PlayersConfirm.INSTEAD)
    section.refresh_from_db()
    pair_ahead(actor=actor, section_id=section.pk, after_round=3)
    prepare(section.pk)
    end(actor, section, 6)  # a player without a phone
    last = Game.objects.get(round__section=section, round__number=3, board=12)
    for colour in Colour:
        assert not section.played_rounds.filter(number=4).exists()
        with django_capture_on_commit_callbacks(execute=True):
            link = player_links(section, 3)[last.pk, colour]
            press_result(game_id=last.pk, colour=colour, link=link, result="1/2")
    assert section.played_rounds.get(number=4).is_draft


def test_any_other_change_drops_what_was_prepared(
    actor: Actor, section: Section, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    pair_ahead(actor=actor, section_id=section.pk, after_round=3)
    prepare(section.pk)
    last = section.participants.get(tpn=24)
    bye = request_bye(actor=actor, participant_id=last.pk, round_number=4, kind=ByeKind.ZERO, proceed=True)
    assert (state(section).changed, state(section).can_be_asked) == (("absences",), True)
    assert prepare(section.pk) == 0
    cancel_bye(actor=actor, bye_id=bye.pk)
    assert state(section).is_complete, "the same data: what was prepared is right again"
    other = Game.objects.get(round__section=section, round__number=3, board=5)
    record_result(actor=actor, game_id=other.pk, result=Result.DRAW, seen_version=other.version)
    assert state(section).changed == ("results",)
    end(actor, section, 6)
    with django_capture_on_commit_callbacks(execute=True):
        end(actor, section, 12)
    assert not section.played_rounds.filter(number=4).exists(), "nothing is paired by itself"
    assert state(section).changed == ("results",)
    assert pair_next_round(actor=actor, section_id=section.pk, after_round=3).is_draft


def test_forfeits_on_request_and_stop(actor: Actor, section: Section) -> None:
    pair_ahead(actor=actor, section_id=section.pk, after_round=3, forfeits=True)
    assert state(section).combinations == 36
    with one_step(section, "stop_ahead"):
        stop_ahead(actor=actor, section_id=section.pk)
    assert prepare(section.pk) == 0
    assert not state(section).asked


def test_nothing_comes_by_itself_while_the_arbiter_decides(
    actor: Actor, section: Section, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    """Slips are read twice; or whoever asked may no longer pair. The button then takes what is prepared."""
    role = EventRole.objects.create(event=section.event, user=UserFactory(), role=EventRole.Role.CHIEF)
    pair_ahead(actor=Actor(role.user), section_id=section.pk, after_round=3)
    prepare(section.pk)
    read = Game.objects.get(round__section=section, round__number=3, board=5)
    confirm_result(actor=actor, game_id=read.pk, result=read.result, seen_version=read.version)
    end(actor, section, 6)
    with django_capture_on_commit_callbacks(execute=True):
        end(actor, section, 12)
    assert not section.played_rounds.filter(number=4).exists()
    Game.objects.filter(pk=read.pk).update(second_result="")
    role.delete()
    with django_capture_on_commit_callbacks(execute=True):
        end(actor, section, 12, Result.WHITE_WINS)
    assert not section.played_rounds.filter(number=4).exists()
    section.prepared_rounds.all().delete()
    with refused("not_prepared"):
        pair_next_round(actor=actor, section_id=section.pk, after_round=3, by_itself=True)


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_one_process_prepares_while_others_save(actor: Actor, section: Section) -> None:
    pair_ahead(actor=actor, section_id=section.pk, after_round=3)
    last = section.participants.get(tpn=24)
    bye = {"participant_id": last.pk, "round_number": 4, "kind": ByeKind.ZERO}
    at_once(lambda: prepare(section.pk), lambda: request_bye(actor=actor, proceed=True, **bye))
    assert (state(section).changed, prepare(section.pk)) == (
        ("absences",),
        0,
    )  # another process has dropped it
    for board in OPEN:
        end(actor, section, board)
    assert not section.played_rounds.filter(number=4).exists()
    for board in OPEN:
        end(actor, section, board, "")
    pair_ahead(actor=actor, section_id=section.pk, after_round=3)
    at_once(lambda: prepare(section.pk), *(partial(end, actor, section, board) for board in OPEN))
    prepare_all()  # what the process prepares that was asked again by the last result
    draft = section.played_rounds.get(number=4)
    assert draft.is_draft
    assert section.log.filter(action="pair_next_round", after__by_itself=True).count() == 1
    boards = list(draft.games.order_by("board").values_list("board", "white", "black"))
    unpair_round(actor=actor, round_id=draft.pk, seen_version=draft.version)
    section.prepared_rounds.all().delete()
    again = pair_next_round(actor=actor, section_id=section.pk, after_round=3)
    assert list(again.games.order_by("board").values_list("board", "white", "black")) == boards


def test_when_a_round_cannot_be_prepared(actor: Actor, section: Section) -> None:
    with refused("stale_round"):
        pair_ahead(actor=actor, section_id=section.pk, after_round=2)
    Game.objects.filter(round__section=section, round__number=3, board__in=(4, 5)).update(result="")
    with refused("open_games_ahead"):
        pair_ahead(actor=actor, section_id=section.pk, after_round=3)
    Game.objects.filter(round__section=section, round__number=3, board__in=(4, 5)).update(result="1-0")
    Round.objects.filter(section=section, number=3).update(state=Round.State.DRAFT)
    with refused("round_is_draft"):
        pair_ahead(actor=actor, section_id=section.pk, after_round=3)
    Section.objects.filter(pk=section.pk).update(rounds=3)
    Round.objects.filter(section=section, number=3).update(state=Round.State.PUBLISHED)
    with refused("all_rounds_paired"):
        pair_ahead(actor=actor, section_id=section.pk, after_round=3)
    Section.objects.filter(pk=section.pk).update(system="round-robin", rounds=11, options={})
    with refused("rounds_are_fixed"):
        pair_ahead(actor=actor, section_id=section.pk, after_round=3)
