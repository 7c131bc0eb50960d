"""Declarations of actions: complete, told apart, and each one done by an action."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import MISSING, fields
from datetime import date, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.utils import timezone

from ratings.actions.importing import import_list
from ratings.actions.offering import new_file, path_of
from ratings.models import RatingList
from registrations.actions.settings import set_up_registration
from tests.actions.declared import undeclared
from tests.factories import UserFactory
from tests.rating_lists import made
from tournaments import declarations
from tournaments.actions.event_life import (
    GRACE,
    archive_event,
    bring_event_back,
    delete_event,
    delete_for_good,
)
from tournaments.actions.events import create_event, edit_event
from tournaments.actions.hall import make_screen, remove_screen
from tournaments.actions.ledger import Actor
from tournaments.actions.logins import (
    create_login,
    create_site_login,
    make_device_link,
    make_link,
    sign_up,
    use_device_link,
    use_link,
)
from tournaments.actions.people import (
    accept_invitation,
    add_role,
    change_boards,
    decline_invitation,
    invite_by_link,
    invite_by_name,
    remove_role,
    revoke_invitation,
    send_invitation_again,
)
from tournaments.actions.programs import (
    change_secret,
    choose_kinds,
    end_token,
    make_token,
    make_webhook,
    remove_webhook,
)
from tournaments.actions.rating_lists import accept_list, keep_list, remove_list, stop_keeping, take_list
from tournaments.actions.rehearsals import set_rehearsal
from tournaments.actions.site import choose_site_settings, set_rights
from tournaments.actions.spare import end_spare_key, go_on_here, make_spare_key, next_term, take_over
from tournaments.actions.stored_copies import note_archive
from tournaments.declarations import ACTIONS, EVENT_ACTIONS, SECTION_ACTIONS, SITE_ACTIONS, Undo
from tournaments.declarations.declaration import Action, Form, Sentence, SentenceText, now, text
from tournaments.models import ActionLog, Event, Integrity, Invitation, SiteLog
from tournaments.models.events import Boards
from tournaments.models.spare import guard
from web.words.log_sentences import FORMS, sentence_of, site_sentence_of, title_of

ROOT = Path(__file__).resolve().parents[2]
LOGS = {"section": SECTION_ACTIONS, "event": EVENT_ACTIONS, "site": SITE_ACTIONS}
DECLARED = {f"{log}-{name}": action for log, actions in LOGS.items() for name, action in actions.items()}
DAY = date(2026, 10, 17)
BEGIN = {"act", "act_on_event", "act_on_game", "act_on_list", "_acting", "_answered", "note", "row"}
"""Functions that get the name of an action from the function that does it."""


def texts_of(sentence: Sentence) -> Iterator[SentenceText]:
    for one in sentence.texts.values():
        yield one
        for part in one.parts.values():
            if isinstance(part, Sentence):
                yield from texts_of(part)


def constants() -> Iterator[tuple[str, Action]]:
    """Yield each declaration with the name of its constant."""
    for module in vars(declarations).values():
        if isinstance(module, ModuleType) and module.__package__ == declarations.__name__:
            yield from ((name, value) for name, value in vars(module).items() if isinstance(value, Action))


@pytest.mark.parametrize("part", ["name", "title", "sentence", "undo", "integrity"])
def test_declaration_without_a_part_is_refused(part: str) -> None:
    assert {one.name: one.default for one in fields(Action)}[part] is MISSING
    given: dict[str, Any] = {one.name: None for one in fields(Action)}
    del given[part]
    with pytest.raises(TypeError, match=part):
        Action(**given)


@pytest.mark.parametrize("action", DECLARED.values(), ids=list(DECLARED))
def test_declaration_is_complete(action: Action) -> None:
    assert 0 < len(action.name) <= (ActionLog._meta.get_field("action").max_length or 0)
    assert str(action.title).strip()
    assert isinstance(action.undo, Undo)
    assert action.integrity <= set(Integrity) - {Integrity.NONE}
    for one in texts_of(action.sentence):
        assert str(one.words % dict.fromkeys(one.placeholders, 2)).strip()
        assert one.placeholders <= set(one.parts)
        assert set(one.parts) - {"subject", "round"} <= one.placeholders


def test_each_form_of_a_value_can_be_written() -> None:
    assert set(FORMS) == set(Form)


@pytest.mark.parametrize(
    "log", [SECTION_ACTIONS, EVENT_ACTIONS, SITE_ACTIONS], ids=["section", "event", "site"]
)
def test_titles_tell_the_actions_of_a_log_apart(log: dict[str, Action]) -> None:
    titles = [str(action.title) for action in log.values()]
    assert sorted(set(titles)) == sorted(titles)


def test_names_are_declared_once() -> None:
    assert sorted(action.name for _, action in constants()) == sorted(
        action.name for action in DECLARED.values()
    )


def test_each_declared_action_is_done() -> None:
    files = [
        file
        for package in ("tournaments/actions", "pairing", "registrations/actions")
        for file in (ROOT / package).rglob("*.py")
    ]
    named = {
        getattr(node, "id", getattr(node, "attr", ""))
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Name | ast.Attribute)
    }
    done = {action.name for name, action in constants() if name in named}
    assert {action.name for _, action in constants()} - done == set()


def test_queries_and_files_ask_the_declarations_and_name_no_action() -> None:
    """Another name, or another action of the same kind, then needs no change in them."""
    files = [*(ROOT / "tournaments/queries").glob("*.py"), *(ROOT / "tournaments/files").glob("*.py")]
    found = {
        (file.name, node.value)
        for file in files
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and node.value in ACTIONS
    }
    assert found == set()


def test_sentence_names_the_values_that_a_row_lacks() -> None:
    about = text("%(player)s got %(points)s in round %(round)s", points=now("points"))
    sentence = Sentence({"": about})
    row = ActionLog(round_number=1, after={})
    assert list(sentence.absent(row)) == ["player", "after.points"]
    assert list(sentence.absent(ActionLog(round_number=1, after={"points": None}))) == ["player"]


def test_action_that_nobody_knows_is_shown_by_its_name() -> None:
    """The log of a copy from elsewhere may have it."""
    row = ActionLog(action="paint_the_hall", subject="Hall 1")
    assert (title_of(row.action), sentence_of(row)) == ("paint the hall", "Paint the hall")
    assert site_sentence_of(SiteLog(action="paint_the_hall")) == "Paint the hall"


def _use_programs(actor: Actor, event: Event) -> None:
    later = timezone.now() + timedelta(days=1)
    for of in (event, None):
        token, _text = make_token(
            actor=actor, event=of, name="web site", scopes=["lists:read"], expires_at=later
        )
        end_token(actor=actor, event=of, token_id=token.pk)
    webhook, _secret = make_webhook(actor=actor, event=event, address="https://club.example/hook")
    change_secret(actor=actor, event=event, webhook_id=webhook.pk)
    choose_kinds(actor=actor, event=event, webhook_id=webhook.pk, kinds=["results"])
    remove_webhook(actor=actor, event=event, webhook_id=webhook.pk)


def _use_rating_lists(actor: Actor, event: Event) -> None:
    for of in (event, None):
        token = new_file()
        path_of(token).write_bytes(made.text(*made.field(3)))
        series = "Club" if of else "FIDE"
        listing = take_list(
            actor=actor, event=of, file=token, file_name="players_list_foa.txt", series=series
        )
        import_list(listing.pk)
        RatingList.objects.update(state=RatingList.State.ASKING)
        accept_list(actor=actor, event=of, list_id=listing.pk)
        remove_list(actor=actor, event=of, list_id=listing.pk)
    stop_keeping(actor=actor, origin_id=keep_list(actor=actor).pk)


def _use_spare(actor: Actor) -> None:
    make_spare_key(actor=actor)
    take_over(term=next_term(guard.heard), state="2026-10-17T12:00:00+00:00", peer="")
    go_on_here(actor=actor)
    end_spare_key(actor=actor)
    guard.clear()
    guard.known = True


def test_rows_of_events_and_of_the_site_have_what_their_sentences_need(actor: Actor) -> None:
    event = create_event(actor=actor, name="Rijswijk", start=DAY, end=DAY)
    edit_event(actor=actor, event=event, city="Rijswijk")
    for state in ("draft", "unlisted", "public"):
        edit_event(actor=actor, event=event, state=state)
    for archived in (True, False):
        archive_event(actor=actor, event=event, archived=archived)
    deleted = delete_event(actor=actor, event=event, typed=event.name)
    bring_event_back(actor=actor, event=deleted)
    over = delete_event(
        actor=actor, event=create_event(actor=actor, name="Over", start=DAY, end=DAY), typed="Over"
    )
    assert over.state_since is not None
    delete_for_good(now=over.state_since + 2 * GRACE)
    rehearsal = create_event(actor=actor, name="Rijswijk", start=DAY, end=DAY, rehearsal=True)
    for speed in (10, 0):
        set_rehearsal(actor=actor, event=rehearsal, speed=speed)
    people = [UserFactory(username=name) for name in ("pia", "joost")]
    for user, answer in zip(people, (accept_invitation, decline_invitation), strict=True):
        invitation = invite_by_name(actor=actor, event=event, username=user.username, role="arbiter")
        assert isinstance(invitation, Invitation)
        answer(actor=Actor(user), invitation=invitation)
    for note_of in ("", "for the hall"):
        link, _token = invite_by_link(actor=actor, event=event, role="arbiter", note=note_of)
        send_invitation_again(actor=actor, event=event, invitation_id=link.pk)
        revoke_invitation(actor=actor, event=event, invitation_id=link.pk)
    add_role(actor=actor, event=event, username="pia", role="owner")
    add_role(actor=actor, event=event, username="joost", role="arbiter")
    clerk = add_role(actor=actor, event=event, username="joost", role="clerk", boards=Boards(1, 20))
    change_boards(actor=actor, event=event, role_id=clerk.pk, boards=None)
    set_up_registration(actor=actor, event=event, values={}, sections={})
    screen = make_screen(actor=actor, event=event, name="Left projector")
    remove_screen(actor=actor, event=event, screen_id=screen.pk)
    user, token = make_link(actor=actor, event=event, username="joost")
    use_link(token=token, user=user, origin="192.0.2.1")
    remove_role(actor=actor, event=event, username="joost")
    create_login(actor=actor, event=event, username="kim", role="arbiter")
    create_site_login(actor=actor, username="lou")
    sign_up(username="max", full_name="", password="knights-on-the-rim", origin="192.0.2.1")
    token = make_device_link(actor=actor, user=user)
    use_device_link(token=token, origin="192.0.2.1")
    choose_site_settings(actor=actor, events_by="owners", open_registration=True)
    set_rights(actor=actor, changes={user.pk: {"makes_events": True, "site_owner": True}})
    _use_programs(actor, event)
    _use_rating_lists(actor, event)
    note_archive(actor=actor, event_id=event.pk, subject="Open")
    _use_spare(actor)
    rows, of_site = ActionLog.objects.all(), SiteLog.objects.all()
    assert {row.action for row in rows} == set(EVENT_ACTIONS)
    assert {row.action for row in of_site} == set(SITE_ACTIONS)
    assert undeclared([*rows, *of_site]) == []
    shown = [sentence_of(row) for row in rows] + [site_sentence_of(row) for row in of_site]
    assert [sentence for sentence in shown if not sentence or "None" in sentence] == []
