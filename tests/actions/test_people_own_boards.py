"""A result clerk with own boards: the role, its invitation, and the results that it lets the person enter."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from tests.actions.refusals import refused
from tests.factories import EventRoleFactory, SectionFactory, UserFactory, section_of
from tests.web.staff.conftest import paired
from tournaments.actions.copies import load_event_copy
from tournaments.actions.ledger import Actor
from tournaments.actions.people import (
    accept_invitation,
    change_boards,
    give_role,
    has_already,
    invite_by_link,
    invite_by_name,
)
from tournaments.actions.results import confirm_result, mark_over, record_result
from tournaments.errors import REFUSALS
from tournaments.files.copy_reading import CopiedRole, EventCopy, copied_role, read_any
from tournaments.files.copy_writing import event_file
from tournaments.models import ActionLog, EventRole, Game, Invitation, Section, User
from tournaments.models.events import Boards, joined_boards
from tournaments.rules import held_in
from tournaments.who_may_appoint import may_appoint
from web.words.log_sentences import sentence_of
from web.words.refusals import explain

pytestmark = pytest.mark.django_db
FIRST, LATER = Boards(1, 2), Boards(3, 4)


@pytest.fixture
def section() -> Section:
    """Eight players at four boards of a published round."""
    made = section_of(8)
    paired(made)
    return made


@pytest.fixture
def owner(section: Section) -> Actor:
    return Actor(EventRoleFactory(event=section.event, role="owner").user)


def clerk_of(section: Section, *, boards: Boards | None, whole: bool = False) -> User:
    user = UserFactory()
    give_role(
        actor=Actor.command(),
        event=section.event,
        user=user,
        role="clerk",
        sections=() if whole else [section.pk],
        boards=boards,
    )
    return user


def acting(user: User, section: Section) -> Actor:
    return Actor(user, boards=held_in(user, section).boards)


def test_clerk_enters_results_of_own_boards_and_of_no_other(section: Section) -> None:
    actor = acting(clerk_of(section, boards=FIRST), section)
    games = {game.board: game for game in Game.objects.filter(round__section=section)}
    record_result(actor=actor, game_id=games[2].pk, result="1-0", seen_version=games[2].version)
    about = {"actor": actor, "game_id": games[3].pk, "seen_version": games[3].version}
    for tried in (
        lambda: record_result(**about, result="1-0"),
        lambda: record_result(**about, result=""),
        lambda: record_result(**about, result="1-0", typed=True),
        lambda: confirm_result(**about, result="1-0"),
        lambda: mark_over(**about, over=True),
    ):
        with refused("not_own_board", board=3, boards=["1–2"]):
            tried()
    stored = Game.objects.filter(round__section=section).order_by("board").values_list("result", flat=True)
    assert list(stored) == ["", "1-0", "", ""]
    sentence = explain(REFUSALS["not_own_board"].error(board=3, boards=["1–2", "7"]))
    assert sentence.startswith("Board 3 is not one of your boards (1–2, 7)")


def test_boards_of_several_roles_count_together_and_a_role_without_a_range_gives_all(
    section: Section,
) -> None:
    """A role of the whole event counts in each section by the numbers of its boards."""
    other = SectionFactory(event=section.event)
    user = clerk_of(section, boards=Boards(4, 6))
    EventRoleFactory(event=section.event, user=user, role="clerk", first_board=1, last_board=3)
    assert (held_in(user, section).boards, held_in(user, other).boards) == ((Boards(1, 6),), (Boards(1, 3),))
    EventRoleFactory(event=section.event, section=section, user=user, role="arbiter")
    assert (held_in(user, section).boards, held_in(user, other).boards) == (None, (Boards(1, 3),))
    assert joined_boards([Boards(5, 9), Boards(1, 2), Boards(6, 7)]) == (Boards(1, 2), Boards(5, 9))


def test_role_that_is_over_gives_no_boards(section: Section) -> None:
    user = clerk_of(section, boards=FIRST)
    EventRole.objects.filter(user=user).update(until="2020-01-01")
    EventRoleFactory(event=section.event, user=user, role="clerk", first_board=3, last_board=4)
    assert held_in(user, section).boards == (LATER,)


def test_boards_change_and_the_log_says_so(section: Section, owner: Actor) -> None:
    user = clerk_of(section, boards=FIRST)
    row = EventRole.objects.get(user=user)
    about = {"actor": owner, "event": section.event, "role_id": row.pk}
    change_boards(**about, boards=LATER)
    assert held_in(user, section).boards == (LATER,)
    expected = f"Role of {user.username} changed: result clerk ({section.name}, boards 1–2) → "
    assert sentence_of(ActionLog.objects.latest("pk")).startswith(expected)
    change_boards(**about, boards=None)
    assert held_in(user, section).boards is None
    count = ActionLog.objects.count()
    change_boards(**about, boards=None)
    assert ActionLog.objects.count() == count
    with refused("boards_out_of_range", first=4, last=3):
        change_boards(**about, boards=Boards(4, 3))
    arbiter = EventRoleFactory(event=section.event, role="arbiter")
    with refused("boards_of_clerk"):
        change_boards(actor=owner, event=section.event, role_id=arbiter.pk, boards=FIRST)
    with refused("boards_of_clerk"):
        invite_by_link(actor=owner, event=section.event, role="arbiter", boards=FIRST)


def test_organiser_does_not_widen_the_own_boards(section: Section) -> None:
    """As an organiser takes no role, none gets more boards either."""
    user = clerk_of(section, boards=FIRST)
    EventRoleFactory(event=section.event, user=user, role="organiser")
    row = EventRole.objects.get(user=user, role="clerk")
    about = {"event": section.event, "role_id": row.pk, "naming": may_appoint(user, section.event)}
    with refused("own_role"):
        change_boards(actor=Actor(user), **about, boards=None)
    assert held_in(user, section).boards == (FIRST,)


def test_chief_arbiter_of_a_section_changes_boards_there_alone(section: Section) -> None:
    other = SectionFactory(event=section.event)
    chief = EventRoleFactory(event=section.event, section=section, role="chief").user
    naming = may_appoint(chief, section.event)
    here, there = (EventRole.objects.get(user=clerk_of(each, boards=FIRST)) for each in (section, other))
    whole = EventRole.objects.get(user=clerk_of(section, boards=FIRST, whole=True))
    about = {"actor": Actor(chief), "event": section.event, "boards": LATER, "naming": naming}
    change_boards(**about, role_id=here.pk)
    with refused("not_found"):
        change_boards(**about, role_id=there.pk)
    with refused("role_beyond"):
        change_boards(**about, role_id=whole.pk)


def test_invitation_gives_the_boards_that_it_names(section: Section, owner: Actor) -> None:
    event, nia = section.event, UserFactory(username="nia")
    made, _token = invite_by_link(actor=owner, event=event, role="clerk", sections=[section.pk], boards=FIRST)
    assert not has_already(nia, made)
    accept_invitation(actor=Actor(nia), invitation=made)
    assert held_in(nia, section).boards == (FIRST,)
    assert has_already(nia, made)
    wider, _token = invite_by_link(actor=owner, event=event, role="clerk", sections=[section.pk])
    assert not has_already(nia, wider)
    invite_by_name(
        actor=owner, event=event, username="nia", role="clerk", sections=[section.pk], boards=LATER
    )
    assert held_in(nia, section).boards == (LATER,)
    UserFactory(username="bo")
    invite_by_name(actor=owner, event=event, username="bo", role="clerk", boards=LATER)
    assert Invitation.objects.latest("pk").boards == LATER


@pytest.mark.parametrize(
    "wrong",
    [
        {"first_board": 3},
        {"last_board": 3},
        {"first_board": 3, "last_board": 2},
        {"first_board": 0, "last_board": 2},
    ],
)
def test_database_holds_no_half_range(section: Section, wrong: dict[str, int]) -> None:
    with transaction.atomic(), pytest.raises(IntegrityError):
        EventRoleFactory(event=section.event, role="clerk", **wrong)
    with transaction.atomic(), pytest.raises(IntegrityError):
        Invitation.objects.create(event=section.event, role="clerk", token_hash="x", **wrong)
    with transaction.atomic(), pytest.raises(IntegrityError):
        EventRoleFactory(event=section.event, role="arbiter", first_board=1, last_board=2)


def test_copy_of_an_event_has_the_boards_and_older_copies_are_read(section: Section) -> None:
    user = clerk_of(section, boards=FIRST)
    copy = read_any(event_file(section.event))
    assert isinstance(copy, EventCopy)
    made = load_event_copy(actor=Actor.command(), copy=copy, roles=True)
    assert EventRole.objects.get(event=made, user=user).boards == FIRST
    assert copied_role(["pia", "clerk", 0, ""], 1) == CopiedRole("pia", "clerk")
    assert copied_role(["pia", "clerk", 1, "", 5, 9], 1).boards == Boards(5, 9)
    for ends in ([5], [9, 5], [0, 2], ["1", "2"], [True, 2], [1, 2, 3]):
        with pytest.raises((ValueError, TypeError)):
            copied_role(["pia", "clerk", 1, "", *ends], 1)
    with pytest.raises(ValueError, match="roles"):
        copied_role(["pia", "arbiter", 1, "", 1, 2], 1)


def test_loaded_copy_invites_a_person_to_all_sections_of_a_role(section: Section) -> None:
    """A person has one open invitation to a role, so it names all sections with the same limits."""
    event, user = section.event, clerk_of(section, boards=FIRST)
    other = SectionFactory(event=event, name="Youth")
    more = {"first_board": 1, "last_board": 2}
    EventRoleFactory(event=event, section=other, user=user, role="clerk", **more)
    EventRoleFactory(event=event, section=other, user=user, role="check-in")
    copy = read_any(event_file(event))
    assert isinstance(copy, EventCopy)
    made = load_event_copy(actor=Actor(UserFactory()), copy=copy, invite=True)
    sent = {one.role: one for one in made.invitations.filter(state=Invitation.State.OPEN)}
    assert {role: sorted(one.section_names) for role, one in sent.items()} == {
        "clerk": sorted([section.name, "Youth"]),
        "check-in": ["Youth"],
    }
    assert sent["clerk"].boards == FIRST
