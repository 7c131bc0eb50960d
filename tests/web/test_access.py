"""Every address of the program, opened by everybody: anonymous, a stranger, an arbiter, the organiser.

An address that is in none of the lists below fails the test. A new address needs a line that says who may open
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.factories import (
    EventFactory,
    EventRoleFactory,
    ForbiddenPairFactory,
    UserFactory,
    section_of,
)
from tests.web.staff.conftest import enter, paired
from tournaments.actions.backups import take_copy
from tournaments.models import ActionLog, Bye, Event, EventRole, Tournament, User

# What everybody may open. The value is the status of a GET by somebody without any role.
OPEN = {
    "healthz": 200,
    "set_language": 302,
    "home": 200,
    "login": 200,
    "login-code": 302,
    "forgotten": 200,
    "new-password": 410,
    "logout": 302,
}
# Pages of a public event, for everybody. Those of a private event exist only for the people who work on it.
PUBLIC = {
    "event", "section", "pairings", "names", "results", "standings", "aro", "crosstable", "players", "player", "me",
    "list-csv", "print", "screen",
}  # fmt: skip
# Pages for anybody with an account, for arbiters, and for organisers.
PERSON = {
    "new-event", "load-copy", "load-copy-check",
    "account", "password", "second-factor", "mail", "result-keys",
}  # fmt: skip
PERSON_POST = {"end-session"}
ARBITER = {
    "desk", "enter-results", "board-result", "entries", "equal-ratings", "add-entry", "edit-entry", "import",
    "import-check", "byes",
    "documents", "rating-report", "report", "csv", "log", "settings", "why", "why-player",
    "check-in", "absences", "screens", "leave", "absent", "fide-mode",
    "by-hand", "by-hand-end", "corrections", "correct",
    "forbidden-pairs", "forbidden-pair", "log-file", "log-check", "undo", "restore",
    "copies", "copy-now", "kept-copy",
}  # fmt: skip
OWNER = {"edit-event", "people", "new-section", "new-section-from-report", "event-copy"}
AFTER_A_FILE = {"import-check", "load-copy-check"}  # without a file they lead back
# Addresses that only take a POST.
ARBITER_POST = {
    "undo-since", "keep-copy", "copy-elsewhere", "open-copy",
    "draw-colour", "pair", "publish", "unpublish", "unpair", "record-result", "confirm-result", "mark-over",
    "withdraw", "readmit", "remove-entry", "cancel-bye", "close", "reopen", "schedule",
    "countdown", "hall-message",
    "open-check-in", "close-check-in", "check-in-player", "check-in-all", "check-round", "settle", "half-byes",
    "by-hand-start", "by-hand-begin", "allow-pair",
}  # fmt: skip
OWNER_POST = {"remove-person", "make-login", "password-link", "take-away", "bring-back"}
EVERYBODY_POST = {"me"}
API = {"api:round", "api:standings"}  # needs no key; what is not public is 404 for everybody
KNOWN = OPEN.keys() | PUBLIC | API | PERSON | PERSON_POST | ARBITER | OWNER | ARBITER_POST | OWNER_POST


@dataclass(frozen=True)
class Address:
    name: str
    path: str


def walk(
    patterns: list[URLPattern | URLResolver], values: dict[str, object], base: str = "/"
) -> Iterator[Address]:
    """Yield every address with its parts filled in. Names of the JSON API begin with `api:`, and it names
    sections by key.
    """
    for pattern in patterns:
        route = str(pattern.pattern)
        for name, converter in pattern.pattern.converters.items():
            kind = type(converter).__name__.removesuffix("Converter").lower()
            route = route.replace(f"<{kind}:{name}>", str(values[name])).replace(
                f"<{name}>", str(values[name])
            )
        if isinstance(pattern, URLResolver):
            of_api = {"section": values["key"]} if pattern.app_name == "api" else {}
            for found in walk(pattern.url_patterns, {**values, **of_api}, base + route):
                yield Address(f"api:{found.name}", found.path) if of_api else found
        else:
            yield Address(pattern.name or "", base + route)


def section(event: Event) -> Tournament:
    """Two rounds: the first finished, the second running with open boards."""
    tournament = section_of(6, event=event, name="A", slug="a")
    for game in paired(tournament).games.all():
        enter(game, "1/2")
    paired(tournament)
    return tournament


def addresses(tournament: Tournament) -> list[Address]:
    bye = Bye.objects.create(participant=tournament.participants.get(tpn=1), round_number=5, kind="H")
    values = {
        "event": tournament.event.slug,
        "section": tournament.slug,
        "key": tournament.pk,
        "number": 2,
        "tpn": 1,
        "document": "standings",
        "participant": tournament.participants.get(tpn=1).pk,
        "game": tournament.played_rounds.get(number=2).games.get(board=1).pk,
        "bye": bye.pk,
        "revision": tournament.log.latest("revision").revision,
        "kind": "csv",
        "name": take_copy(tournament, "asked").name,
        "board": 1,
        "token": "wrong",
        "pair": ForbiddenPairFactory(
            tournament=tournament,
            first=tournament.participants.get(tpn=5),
            second=tournament.participants.get(tpn=6),
        ).pk,
    }
    found = list(walk(get_resolver().url_patterns, values))
    assert {address.name for address in found} == KNOWN
    return found


@pytest.fixture(params=[True, False], ids=["public", "private"])
def tournament(request: pytest.FixtureRequest, db: None) -> Tournament:
    return section(EventFactory(slug="rijswijk", public=request.param))


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def working_on(event: Event, role: str) -> Client:
    return browser(EventRoleFactory(event=event, role=role).user)


def opened(client: Client, address: Address) -> int:
    return client.get(address.path).status_code


def shown(tournament: Tournament) -> tuple[int, ...]:
    """Return the statuses of a public page for somebody without a role."""
    return (200, 302) if tournament.event.public else (404,)


def test_anonymous_sees_public_pages_and_must_log_in_for_all_others(tournament: Tournament) -> None:
    client = Client()
    for address in addresses(tournament):
        answer = client.get(address.path)
        if address.name in OPEN:
            assert answer.status_code == OPEN[address.name], address
        elif address.name in ARBITER_POST | OWNER_POST | PERSON_POST:
            assert answer.status_code == 302, address
            assert client.get(answer.url).status_code in (200, 302, 404), address
        elif address.name in (PUBLIC | API) - EVERYBODY_POST:
            assert answer.status_code in shown(tournament), address
        elif address.name not in EVERYBODY_POST:
            assert (answer.status_code, answer.url) == (302, f"/login/?next={address.path}"), address


def test_anonymous_changes_nothing(tournament: Tournament) -> None:
    client = Client()
    found = addresses(tournament)
    before = ActionLog.objects.count()
    for address in found:
        answer = client.post(address.path, {"version": "0", "after_round": "2", "result": "1-0"})
        if address.name in ARBITER | OWNER | PERSON | PERSON_POST | ARBITER_POST | OWNER_POST:
            reads = {
                "account",
                "desk",
                "screens",
                "check-in",
                "entries",
                "documents",
                "rating-report",
                "report",
                "csv",
                "log",
                "log-file",
                "log-check",
                "why",
                "why-player",
                "corrections",
                "copies",
                "copy-now",
                "kept-copy",
                "event-copy",
            }
            wanted = 405 if address.name in reads else 403
            assert answer.status_code == wanted, address
    assert ActionLog.objects.count() == before


def test_stranger_opens_no_page_of_arbiters(tournament: Tournament) -> None:
    client = browser(UserFactory())
    no = 403 if tournament.event.public else 404
    for address in addresses(tournament):
        status = opened(client, address)
        if address.name in ARBITER | OWNER:
            assert status == no, address
        elif address.name in PERSON:
            assert status == (302 if address.name in AFTER_A_FILE else 200), address
        elif address.name in (PUBLIC | API) - EVERYBODY_POST:
            assert status in shown(tournament), address


def test_stranger_changes_nothing(tournament: Tournament) -> None:
    client = browser(UserFactory())
    found = addresses(tournament)
    before = ActionLog.objects.count()
    no = 403 if tournament.event.public else 404
    for address in found:
        if address.name in ARBITER_POST | OWNER_POST:
            answer = client.post(address.path, {"version": "0", "after_round": "2", "result": "1-0"})
            assert answer.status_code == no, address
    assert ActionLog.objects.count() == before


def test_arbiter_opens_everything_except_the_pages_of_organisers(tournament: Tournament) -> None:
    client = working_on(tournament.event, EventRole.Role.ARBITER)
    for address in addresses(tournament):
        status = opened(client, address)
        if address.name in OWNER:
            assert status == 403, address
        elif address.name in AFTER_A_FILE:
            assert status == 302, address
        elif address.name in ARBITER | PERSON:
            assert status == 200, address
        elif address.name in PUBLIC - EVERYBODY_POST:
            assert status in (200, 302), address


def test_arbiter_does_not_change_what_only_organisers_may_change(tournament: Tournament) -> None:
    client = working_on(tournament.event, EventRole.Role.ARBITER)
    for address in addresses(tournament):
        if address.name in (OWNER | OWNER_POST) - {"event-copy"}:
            assert client.post(address.path, {"username": "x", "name": "x"}).status_code == 403, address


def test_owner_opens_everything(tournament: Tournament) -> None:
    client = working_on(tournament.event, EventRole.Role.OWNER)
    for address in addresses(tournament):
        if address.name in ARBITER | OWNER | PERSON:
            assert opened(client, address) in (200, 302), address


def test_arbiter_of_another_event_is_a_stranger_here(tournament: Tournament) -> None:
    client = working_on(EventFactory(), EventRole.Role.OWNER)
    no = 403 if tournament.event.public else 404
    for address in addresses(tournament):
        if address.name in ARBITER | OWNER:
            assert opened(client, address) == no, address


def test_wrong_method_is_refused(tournament: Tournament) -> None:
    client = working_on(tournament.event, EventRole.Role.OWNER)
    for address in addresses(tournament):
        if address.name not in OPEN.keys() | API:
            assert client.put(address.path).status_code == 405, address


def test_form_without_a_token_changes_nothing(tournament: Tournament) -> None:
    user = EventRoleFactory(event=tournament.event).user
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    found = addresses(tournament)
    before = ActionLog.objects.count()
    for address in found:
        if address.name in ARBITER_POST:
            answer = client.post(address.path, {"version": "0"})
            assert answer.status_code == 403, address
            assert "The form is out of date" in answer.content.decode()
    assert ActionLog.objects.count() == before


def test_htmx_of_somebody_who_was_logged_out_is_sent_to_the_log_in_page(tournament: Tournament) -> None:
    desk = f"/{tournament.event.slug}/{tournament.slug}/desk/"
    answer = Client().get(desk, headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Redirect"]) == (200, "/login/")
    answer = Client().post(desk.replace("desk", "pair"), headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Redirect"]) == (403, "/login/")


def test_superuser_works_everywhere(tournament: Tournament) -> None:
    client = browser(UserFactory(is_superuser=True))
    for address in addresses(tournament):
        if address.name in ARBITER | OWNER:
            assert opened(client, address) in (200, 302), address


def test_no_cache_keeps_pages_of_arbiters(tournament: Tournament) -> None:
    client = working_on(tournament.event, EventRole.Role.OWNER)
    for address in addresses(tournament):
        if address.name in ARBITER | OWNER:
            assert "no-store" in client.get(address.path).get("Cache-Control", ""), address
