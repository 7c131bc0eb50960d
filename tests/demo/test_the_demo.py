"""What is in the demo. It is made once; each test works in a transaction that is taken back."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from pytest_django import DjangoDbBlocker

from evenboard_engine import ByeKind, pair_round
from evenboard_engine.trf import read_report, to_tournament
from tournaments.files.report_writing import tournament_report
from tournaments.models import Bye, Event, EventRole, Game, Participant, Round, Section, User
from tournaments.queries.rounds import round_board_list

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture(scope="module")
def logins(
    django_db_setup: None,
    settings_of_tests: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Path]:
    """Make the demo in a transaction around those of the tests."""
    path = tmp_path_factory.mktemp("demo") / "logins.txt"
    around = transaction.atomic()
    around._from_testcase = True  # actions may refuse to run inside any transaction except those of tests
    with django_db_blocker.unblock(), around:
        call_command("make_demo", credentials_file=str(path), verbosity=0)
        yield path
        transaction.set_rollback(True)


def test_the_demo_is_an_open_in_its_fourth_round(logins: Path) -> None:
    section = Section.objects.get()
    assert (section.participants.count(), section.rounds) == (60, 7)
    assert list(section.played_rounds.order_by("number").values_list("number", "state")) == [
        (1, Round.State.FINISHED),
        (2, Round.State.FINISHED),
        (3, Round.State.FINISHED),
        (4, Round.State.DRAFT),
    ]
    assert not Game.objects.filter(round__number__lte=3, result="").exists()
    assert not Game.objects.filter(round__number=4).exclude(result="").exists()


def test_the_demo_has_byes_a_withdrawal_and_a_forfeit(logins: Path) -> None:
    allocated = Bye.objects.filter(kind=ByeKind.ALLOCATED).values_list("round_number", flat=True)
    half = Bye.objects.filter(kind=ByeKind.HALF).values_list("round_number", flat=True)
    assert list(allocated.order_by("round_number")) == [1, 3]
    assert list(half.order_by("round_number")) == [1, 2, 2, 4]
    assert Participant.objects.filter(status=Participant.Status.WITHDRAWN).count() == 1
    assert Game.objects.filter(result__in=["+:-", "-:+"]).count() == 1


def test_the_demo_has_names_with_accents_titles_and_many_federations(logins: Path) -> None:
    entries = list(Participant.objects.select_related("player"))
    assert sum(not entry.player.name.isascii() for entry in entries) > 45
    assert {entry.player.title for entry in entries} == {
        "GM",
        "IM",
        "FM",
        "CM",
        "WGM",
        "WIM",
        "WFM",
        "WCM",
        "",
    }
    assert len({entry.player.federation for entry in entries}) > 30


def test_two_demos_have_the_same_games(logins: Path, tmp_path: Path) -> None:
    def games() -> list[tuple[object, ...]]:
        return list(
            Game.objects.order_by("round__number", "board").values_list(
                "round__number", "board", "white__tpn", "black__tpn", "result"
            )
        )

    first = games()
    Round.objects.all().delete()
    Event.objects.update(name="The first one")
    for user in User.objects.all():
        user.username += "-of-the-first"
        user.save()
    call_command("make_demo", credentials_file=str(tmp_path / "again"), verbosity=0)
    assert games() == first


def test_the_logins_work_and_only_their_owner_can_read_them(logins: Path) -> None:
    assert stat.S_IMODE(logins.stat().st_mode) == 0o600
    lines = [line.split(" ") for line in logins.read_text(encoding="utf-8").splitlines()]
    assert [(user, role) for user, _, role in lines] == [("organiser", "owner"), ("arbiter", "chief")]
    for name, password, role in lines:
        user = User.objects.get(username=name)
        assert user.check_password(password)
        assert EventRole.objects.get(user=user).role == role
        assert (user.is_staff, user.is_superuser) == (False, False)
    assert len({password for _, password, _ in lines}) == 2


def test_organiser_of_the_demo_owns_the_site_of_a_new_installation(logins: Path) -> None:
    assert dict(User.objects.values_list("username", "site_owner")) == {"organiser": True, "arbiter": False}


def test_a_second_demo_is_refused(logins: Path) -> None:
    before = logins.read_text(encoding="utf-8")
    with pytest.raises(CommandError):
        call_command("make_demo", credentials_file=str(logins), verbosity=0)
    assert (Event.objects.count(), logins.read_text(encoding="utf-8")) == (1, before)


def test_the_draft_of_the_demo_pairs_everybody_who_is_there(logins: Path) -> None:
    view = round_board_list(Section.objects.get(), 4, include_drafts=True)
    assert (view.total, len(view.byes), [row.withdrawn for row in view.out]) == (29, 1, [True])


def test_the_report_of_the_demo_pairs_the_same_round(logins: Path) -> None:
    section = Section.objects.get()
    pairing = pair_round(to_tournament(read_report(tournament_report(section))))
    boards = Game.objects.filter(round__number=4).order_by("board").values_list("white__tpn", "black__tpn")
    assert [(pair.white, pair.black) for pair in pairing.pairs] == list(boards)
    assert pairing.bye is None
