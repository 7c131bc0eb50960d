"""Arbiters do every action, in any order: a stored page is always up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from datetime import time, timedelta
from functools import partial
from random import Random
from typing import Any
from unittest import mock

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from api.v1.view import ReaderThrottle
from base.cache import Cache
from evenboard_engine import Colour, Result
from pairing import rounds
from pairing.ahead import pair_ahead, stop_ahead
from pairing.by_hand import begin_manual_phase, change_by_hand, end_manual_phase
from pairing.rounds import check_round
from tests.actions.declared import undeclared
from tests.actions.test_random_walk import Walk
from tests.actions.wide_walk import TwoSections, WideWalk
from tests.factories import UserFactory, entry_data, section_of
from tournaments.actions.byes import cancel_bye, request_bye
from tournaments.actions.cockpit import leave_notice
from tournaments.actions.corrections import correct_for_rating, correct_result
from tournaments.actions.decided_points import decide_points
from tournaments.actions.entries import allow_half_byes, withdraw_participant
from tournaments.actions.entry_lists import import_entries
from tournaments.actions.event_life import archive_event
from tournaments.actions.events import edit_event
from tournaments.actions.fixed_boards import fix_board
from tournaments.actions.forbidden_pairs import (
    allow_pair,
    change_forbidden_pair,
    change_rule,
    end_rule,
    forbid_pair,
    keep_apart,
)
from tournaments.actions.hall import set_countdown, set_hall_message
from tournaments.actions.incidents import change_incident, note_incident, remove_incident
from tournaments.actions.ledger import Actor
from tournaments.actions.pairing_numbers import order_equals
from tournaments.actions.people import add_role, remove_role
from tournaments.actions.persons_page import renew_persons_link
from tournaments.actions.player_results import press_result, renew_player_link
from tournaments.actions.presence import (
    check_in,
    check_in_all,
    close_check_in,
    open_check_in,
    take_back_check_in,
)
from tournaments.actions.prizes import set_prizes
from tournaments.actions.rating_lists import set_list_use, set_rating_lists
from tournaments.actions.ratings import set_period_ratings, set_rating_method, set_rating_periods
from tournaments.actions.results import confirm_result, mark_over, record_result
from tournaments.actions.rounds import publish_lists, set_round_starts
from tournaments.actions.sections import (
    close_section,
    create_section,
    edit_section,
    leave_fide_mode,
    reopen_section,
    take_section_away,
)
from tournaments.actions.stored_copies import note_last_step
from tournaments.actions.tie_breaks import set_tie_breaks, set_tie_values
from tournaments.actions.undo import restore_before_round, undo, undo_since
from tournaments.declarations import SECTION_ACTIONS
from tournaments.declarations.entries import (
    ERASE_PLAYER,
    KEEP_FOR_ARBITER,
    LEAVE_LATE_PLAYER,
    MOVE_ENTRIES_AWAY,
    MOVE_ENTRIES_HERE,
)
from tournaments.declarations.presence import FORFEIT_AND_WITHDRAW, LATE_CHECK_IN
from tournaments.declarations.results import FORGET_DEVICE
from tournaments.declarations.rounds import BACKUP_FAILED, DRAW_LOTS, SET_LOTS, START_BY_HAND, TAKE_OFFER
from tournaments.declarations.sections import IMPORT_REPORT, LOAD_COPY
from tournaments.entry_data import ImportRow
from tournaments.errors import DomainError
from tournaments.models import ActionLog, ForbiddenPair, Game, PrizeCategory, PrizePlan, RoundStart, Section
from tournaments.queries.cockpit import cockpit
from tournaments.queries.player_results import player_link
from tournaments.seating import SeatingStep, SeatMove
from web import page_cache, why
from web.page_cache import PageStore
from web.views.public.public_page import POLICY

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

PAGES = (
    *[
        "pairings/",
        "names/",
        "results/",
        "results/?by=newest",
        "standings/",
        "crosstable/",
        "fairness/",
        "rules/",
        "hall-map/",
        "aro/",
        "aro/?by=name",
        "aro/2/1/",
    ],
    *["players/", "players/?by=rating", "players/1/", "players/3/", "round/1/pairings/", "round/2/pairings/"],
    *[
        "results/1/",
        "standings/1/",
        "standings/1/2/",
        "aro/2/",
        "screen/",
        "screen/?show=names",
        "screen/?show=standings",
    ],
    *[
        "embed/pairings/",
        "embed/standings/",
        "embed/standings/?theme=dark",
        "embed/aro/",
        "feed.xml",
        "calendar.ics",
        "round/1/boards.pgn",
    ],
    *[
        "print/boards/",
        "print/names/",
        "print/standings/",
        "print/sums/",
        "print/crosstable/",
        "print/starting-list/",
    ],
    *[
        "round/1/explained/",
        "round/2/explained/1/",
        "round/2/explained/work/1/",
        "round/2/explained/file.trf",
        "print/aro/1/",
        "lists/pairings.csv",
        "lists/standings.csv",
        "lists/players.csv",
        "lists/crosstable.csv",
        "lists/standings.xlsx",
    ],
)
SEVERAL = (
    *["pairings/", "players/", "standings/", "screen/?show=names", "print/boards/", "lists/players.csv"],
    *["embed/pairings/", "feed.xml", "calendar.ics", "round/1/boards.pgn"],
)
"""A page of each kind. The random walks look at all pages."""
ELSEWHERE = {
    START_BY_HAND.name,  # a draft, as pair_next_round, but only of a round that the rules cannot pair
    *(IMPORT_REPORT.name, LOAD_COPY.name),  # entries, as import_entries; a new section, as create_section
    *(MOVE_ENTRIES_AWAY.name, MOVE_ENTRIES_HERE.name),  # as move_entry_away and move_entry_here
    LATE_CHECK_IN.name,  # as check_in
    *(BACKUP_FAILED.name, KEEP_FOR_ARBITER.name, LEAVE_LATE_PLAYER.name),  # only a row of the log
    FORGET_DEVICE.name,  # what arbiters alone see
    FORFEIT_AND_WITHDRAW.name,  # a result, as record_result, and the player, as withdraw
    *(DRAW_LOTS.name, SET_LOTS.name),  # numbers, as order_equals, but only where all rounds are fixed
    ERASE_PLAYER.name,  # the name of a player, as edit_participant
    TAKE_OFFER.name,  # a draft, as pair_next_round, where the rules cannot finish a round
}


@contextmanager
def empty_store() -> Iterator[None]:
    """Make pages as a process does that has just been started."""
    kept = page_cache.store, why.kept_rounds
    page_cache.store, why.kept_rounds = PageStore(lambda: 1024**2), Cache(16)
    try:
        yield
    finally:
        page_cache.store, why.kept_rounds = kept


@contextmanager
def pages_made() -> Iterator[Sized]:
    """Count the pages that are made for the store."""
    made, page_of = [], page_cache.page_of

    def noted(response: HttpResponse, **how: Any) -> page_cache.Page:
        made.append(response)
        return page_of(response, **how)

    with mock.patch.object(page_cache, "page_of", noted):
        yield made


class Visitor:
    """A visitor who keeps pages open while the arbiters do something, and then compares them with new pages.

    A page that is made for the visitor at this moment is new itself. held: the pages as they are after the last step.
    """

    def __init__(self) -> None:
        self.client = Client()
        self.held: dict[str, HttpResponse] = {}
        self.looks = self.changed = self.stored = 0

    def watch(self, addresses: Iterable[str], step: Callable[[], object]) -> None:
        held = {address: self.held.get(address) or self.client.get(address) for address in addresses}
        step()
        self.held = {address: self.look(address, before) for address, before in held.items()}

    def look(self, address: str, before: HttpResponse) -> HttpResponse:
        with pages_made() as made:
            shown = fresh = self.client.get(address)
        if not len(made):
            with empty_store():
                fresh = self.client.get(address)
            self.stored += 1
        assert (shown.status_code, shown.content) == (fresh.status_code, fresh.content), address
        for name in ("Location", POLICY):
            assert shown.headers.get(name) == fresh.headers.get(name), (address, name)
        again = self.client.get(address, headers={"If-None-Match": before.headers.get("ETag", "")})
        if again.status_code == 304:
            assert before.content == fresh.content, address
        else:
            assert (again.status_code, again.content) == (fresh.status_code, fresh.content), address
        self.changed += before.content != fresh.content
        self.looks += 1
        return shown


@pytest.fixture(autouse=True)
def _no_limit_of_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests ask the API far more often in a minute than a program would."""
    monkeypatch.setattr(ReaderThrottle, "rate", "100000/min")


def base(section: Section) -> str:
    return f"/{section.event.slug}/{section.slug}/"


def around(section: Section) -> list[str]:
    """Return the addresses that are not pages of the section, but show something of it."""
    api = f"/api/v1/public/sections/{section.pk}/"
    event = f"/{section.event.slug}/"
    of_event = ["/", event, f"{event}-/calendar.ics"]
    return [*of_event, base(section), f"{api}standings/", f"{api}rounds/1/"]


@pytest.mark.slow
def test_stored_pages_of_a_section_are_up_to_date() -> None:
    walk = WideWalk(2, section_of(9), Actor.command())
    visitor, chosen = Visitor(), Random(2)  # a page more or less changes no step of the walk

    def steps() -> None:
        for _ in range(3):
            walk.step()
        if walk.random.random() < 0.15:
            take_back(walk)

    for _ in range(40):
        pages = chosen.sample(PAGES, 3)
        visitor.watch([*around(walk.section), *(base(walk.section) + page for page in pages)], steps)
    assert walk.done["publish"] >= 1
    assert (visitor.looks, visitor.changed > 40, visitor.stored > 40) == (360, True, True)


@pytest.mark.slow
def test_stored_pages_of_two_sections_with_the_same_players_are_up_to_date() -> None:
    walk = TwoSections(0, Actor.command())
    visitor, chosen = Visitor(), Random(0)
    for step in range(60):
        if step % 2:
            walk.step()
            visitor.held = {}
        else:
            pages = chosen.sample(PAGES, 2)
            addresses = [base(section) + page for section in walk.sections for page in pages]
            visitor.watch([*addresses, "/", f"/{walk.sections[0].event.slug}/"], walk.step)
    assert ActionLog.objects.filter(action="edit_player").exists()
    assert (visitor.looks, visitor.changed > 10, visitor.stored > 40) == (180, True, True)


def take_back(walk: Walk) -> None:
    """Undo some action, or all actions since then."""
    actor, key = Actor.command(), walk.section.pk
    highest = Section.objects.get(pk=key).revision
    revision = walk.random.randint(1, max(1, highest))
    try:
        if walk.random.random() < 0.7:
            undo(actor=actor, section_id=key, revision=revision)
        else:
            undo_since(actor=actor, section_id=key, revision=revision, seen_revision=highest)
    except DomainError:
        pass  # refused: nothing has changed
    walk.section.refresh_from_db()


def rare_actions(section: Section, actor: Actor) -> Iterator[Callable[..., object]]:
    """Yield each action that a walk does rarely or never, ready to be done, one after another."""
    event, key = section.event, section.pk
    first, second = section.participants.order_by("pk")[:2]
    section.participants.update(rating=2000)

    def round_now() -> dict[str, int]:
        row = section.played_rounds.latest("number")
        return {"round_id": row.pk, "seen_version": row.version}

    def revision() -> int:
        return Section.objects.get(pk=key).revision

    def pair() -> int:
        return ForbiddenPair.objects.get().pk

    yield partial(edit_event, event=event, name="Another name", chief_arbiter="Ada", federation="GER")
    yield partial(edit_event, event=event, time_zone="Asia/Tokyo")
    yield partial(edit_event, event=event, public_pgn=True, embed_sites="https://club.example", contact="Ada")
    yield partial(edit_event, event=event, state="draft")
    yield partial(edit_event, event=event, state="public")
    yield partial(archive_event, event=event)
    yield partial(archive_event, event=event, archived=False)
    yield partial(take_section_away, section_id=key)
    yield partial(take_section_away, section_id=key, away=False)
    yield partial(add_role, event=event, username="owner", role="owner")
    yield partial(add_role, event=event, username="helper", role="arbiter")
    yield partial(remove_role, event=event, username="helper")
    yield partial(create_section, event=event, name="Section Z", rounds=5)
    yield partial(set_hall_message, section_id=key, message="Phones off.")
    yield partial(set_countdown, section_id=key, to=timezone.now() + timedelta(minutes=5))
    starts = {1: RoundStart(event.start, time(14, 0))}
    yield partial(set_round_starts, section_id=key, starts=starts)
    yield partial(import_entries, section_id=key, rows=[ImportRow(entry=entry_data("New, Nora", 1990))])
    yield partial(forbid_pair, section_id=key, players=(first.pk, second.pk), reason="club")
    left_alone = next(
        notice.key for notice in cockpit(Section.objects.get(pk=key)).notices if notice.can_be_left
    )
    yield partial(leave_notice, section_id=key, notice=left_alone, left=True)
    yield partial(leave_notice, section_id=key, notice=left_alone, left=False)
    yield partial(change_forbidden_pair, pair_id=pair(), first_round=1, last_round=2, reason="family")
    yield partial(allow_pair, pair_id=pair())
    yield partial(keep_apart, section_id=key, kind="federation", reason="league")
    yield partial(
        change_rule, section_id=key, number=1, first_round=1, last_round=3, strict=True, reason="league"
    )
    yield partial(end_rule, section_id=key, number=1)
    order = [*section.participants.filter(rating=2000).order_by("-tpn").values_list("pk", flat=True)]
    yield partial(order_equals, section_id=key, order=order, seen_revision=revision(), asked=True)
    for allowed in (False, True, True):  # the last one changes nothing
        yield partial(allow_half_byes, participant_id=first.pk, allowed=allowed)
    yield partial(set_rating_lists, section_id=key, codes=["FIDE:rapid+", "DWZ:national"])
    yield partial(set_list_use, section_id=key, lists_compared=False, minimum_rating=1400)
    yield partial(set_tie_breaks, section_id=key, codes=["BH/C1", "OTHER_DICE", "TPN"])
    yield partial(set_tie_values, section_id=key, code="OTHER_DICE", values={first.pk: "2", second.pk: "1"})
    yield partial(set_rating_method, section_id=key, rating_method="FIDON", equals_by="older")
    yield partial(set_rating_method, section_id=key, rating_method="OTHER")
    yield partial(set_rating_periods, section_id=key, longer_than_30_days=True, period_starts=[2])
    yield partial(set_period_ratings, section_id=key, period=2, ratings={first.pk: 2345})
    yield partial(set_prizes, section_id=key, plan=PrizePlan((PrizeCategory("General", (50000, 30000)),)))
    yield partial(open_check_in, section_id=key, after_round=0)
    yield partial(check_in, participant_id=first.pk, round_number=1)
    yield partial(take_back_check_in, participant_id=first.pk, round_number=1)
    yield partial(check_in_all, section_id=key, round_number=1)
    yield partial(close_check_in, section_id=key)
    yield partial(rounds.draw_initial_colour, section_id=key, colour=Colour.BLACK)
    yield partial(rounds.pair_next_round, section_id=key, after_round=0, proceed=True)
    yield partial(check_round, **round_now())
    yield partial(begin_manual_phase, **round_now())
    step = SeatingStep(SeatMove.SWAP, first.pk, second.pk)
    yield partial(change_by_hand, **round_now(), step=step, confirmed=True)
    yield partial(end_manual_phase, **round_now(), reason="asked for", confirmed=True)
    yield partial(rounds.publish_round, **round_now())
    yield partial(rounds.unpublish_round, **round_now())
    yield partial(rounds.unpair_round, **round_now())
    yield partial(undo, section_id=key, revision=revision())
    yield partial(rounds.publish_round, **round_now())
    games = Game.objects.filter(round__section=section).order_by("board")
    for over in (True, False):
        yield partial(mark_over, game_id=games[0].pk, over=over, seen_version=games[0].version)
    yield partial(pair_ahead, section_id=key, after_round=1)
    yield partial(stop_ahead, section_id=key)
    for board in (3, None):
        yield partial(fix_board, participant_id=first.pk, board=board, step_free=board is not None)
    yield partial(note_incident, section_id=key, participant_id=first.pk, round_number=1, kind="illegal")
    incident = section.incidents.get().pk
    yield partial(change_incident, incident_id=incident, kind="claim", note="of a draw")
    yield partial(remove_incident, incident_id=incident)
    yield partial(edit_section, section_id=key, players_confirm="instead")
    yield partial(renew_player_link, game_id=games[0].pk, colour=Colour.WHITE)
    for colour in Colour:
        yield partial(by_phone, games[0].pk, colour)
    for game in games:
        yield partial(record_result, game_id=game.pk, result=Result.DRAW, seen_version=game.version)
    yield partial(edit_section, section_id=key, lists_by_hand=True)
    for result in ("", Result.DRAW):
        game = games.get(board=1)
        yield partial(record_result, game_id=game.pk, result=result, seen_version=game.version)
    yield partial(publish_lists, section_id=key, after_round=1)
    game = games.get(board=1)
    yield partial(confirm_result, game_id=game.pk, result=Result.DRAW, seen_version=game.version)
    yield partial(request_bye, participant_id=first.pk, round_number=3, kind="H")
    yield partial(cancel_bye, bye_id=first.byes.get(round_number=3).pk)
    yield partial(rounds.pair_next_round, section_id=key, after_round=1, proceed=True)
    yield partial(rounds.publish_round, **round_now())
    asked = {"reason": "wrong slip", "confirmed": True}
    for correct, result in ((correct_result, Result.WHITE_WINS), (correct_for_rating, Result.DRAW)):
        version = Game.objects.get(pk=game.pk).version
        yield partial(correct, game_id=game.pk, result=result, seen_version=version, **asked)
    yield partial(decide_points, participant_id=first.pk, round_number=1, points=5, **asked)
    for game in games.filter(round__number=2):
        yield partial(record_result, game_id=game.pk, result=Result.DRAW, seen_version=game.version)
    yield partial(withdraw_participant, participant_id=first.pk, expelled=True, reason="against the rules")
    yield partial(renew_persons_link, participant_id=first.pk)
    yield partial(note_last_step, section_id=key, step="paper")
    yield partial(close_section, section_id=key, early=True, reason="storm")
    yield partial(reopen_section, section_id=key, reason="a slip was misread")
    yield partial(
        restore_before_round, section_id=key, number=1, seen_revision=revision(), reason="late entry"
    )
    yield partial(undo, section_id=key, revision=revision())
    yield partial(undo_since, section_id=key, revision=revision() - 3, seen_revision=revision())
    yield partial(undo, section_id=key, revision=revision())
    yield partial(undo, section_id=key, revision=revision())
    yield partial(leave_fide_mode, section_id=key, reason="a friendly tournament", asked=True)


def by_phone(game_id: int, colour: Colour, *, actor: Actor) -> Game:
    game = Game.objects.select_related("round").get(pk=game_id)
    return press_result(
        game_id=game_id, colour=colour, link=player_link(game, colour), result=Result.BLACK_WINS.value
    )


def prepared(event_slug: str = "rare") -> Section:
    UserFactory(username="owner")
    UserFactory(username="helper")
    return section_of(6, event__slug=event_slug)


@pytest.mark.slow
def test_no_rare_action_leaves_an_old_page() -> None:
    section, actor, visitor = prepared(), Actor.command(), Visitor()
    pages = [*around(section), *(base(section) + page for page in SEVERAL)]
    for action in rare_actions(section, actor):
        visitor.watch(pages, partial(action, actor=actor))
    assert (visitor.changed > 40, visitor.stored > 40) == (True, True)


def test_the_walks_do_every_action() -> None:
    """A new action on a section is added to the rare actions, to a walk, or with its reason to ELSEWHERE.

    Each row of the log then has what the declaration of its action says.
    """
    section, actor = prepared(), Actor.command()
    for action in rare_actions(section, actor):
        action(actor=actor)
    done: set[str] = set()
    for seed in range(20):
        walk = TwoSections(seed, actor)
        for _ in range(60):
            walk.step()
        done = set(ActionLog.objects.values_list("action", flat=True).distinct())
        if done | ELSEWHERE >= set(SECTION_ACTIONS):
            break
    assert sorted(set(SECTION_ACTIONS) - done - ELSEWHERE) == []
    assert undeclared(list(ActionLog.objects.select_related("section"))) == []


def test_no_stored_page_has_what_the_visitor_sent_for_whom_it_was_made(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["hall.example", "chess.example"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    section = prepared("hosts")
    first: dict[str, Any] = {
        "HTTP_HOST": "hall.example:8123",
        "HTTP_X_FORWARDED_PROTO": "http",
        "HTTP_USER_AGENT": "zqagent",
        "HTTP_REFERER": "http://zqreferer.example/",
        "HTTP_COOKIE": "sessionid=zqsession; messages=zqmessage; theme=zqtheme",
        "REMOTE_ADDR": "192.0.2.111",
        "QUERY_STRING": "unread=zqquery",
    }
    second = {"HTTP_HOST": "chess.example", "HTTP_X_FORWARDED_PROTO": "https", "REMOTE_ADDR": "198.51.100.7"}
    words = (b"zqagent", b"zqreferer", b"zqsession", b"zqmessage", b"zqtheme", b"zqquery")
    of_first = (b"hall.example", b":8123", b"http://hall", *words, b"192.0.2.111")
    addresses = [*around(section), *(base(section) + page for page in PAGES)]
    stored = 0
    for address in addresses:
        Client().get(address, **first)
        with pages_made() as made:
            shown = Client().get(address, **second)
        stored += not len(made)
        assert [part for part in of_first if part in shown.content] == [], address
        with empty_store():
            fresh = Client().get(address, **second)
        assert (shown.status_code, shown.content) == (fresh.status_code, fresh.content), address
        assert shown.headers.get("Location") == fresh.headers.get("Location"), address
    assert stored == 0  # the schemes are different; under one scheme and two names, pages are shared
    for address in addresses:
        Client().get(address, HTTP_HOST="hall.example")
        with pages_made() as made:
            shown = Client().get(address, HTTP_HOST="chess.example")
        stored += not len(made)
        assert b"hall.example" not in shown.content, address
    assert stored > len(addresses) / 2
