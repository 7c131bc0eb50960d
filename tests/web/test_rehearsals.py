"""A rehearsal on pages: every page, paper and file of it is marked; it is made, played and ended; a cut."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from tests.answers import answers_in
from tests.factories import EventFactory, EventRoleFactory, UserFactory, section_of
from tests.web.staff.conftest import address, paired
from tests.web.test_access import addresses, browser, section
from tournaments.actions.ledger import Actor
from tournaments.actions.rehearsals import rehearse, set_rehearsal
from tournaments.models import Event, EventRole, RehearsalClock

pytestmark = pytest.mark.django_db
MARK = "REHEARSAL"
PARTS = {"desk-people", "event-news", "news", "seat", "sections"}
"""What a page that is marked asks for: a part of it, or nothing new."""
THE_SAME = {"round-engine", "player-result"}
"""The program that paired, and a link that opens no board: neither is about the event."""


def test_every_page_paper_and_file_is_marked(tmp_path: Path) -> None:
    event = EventFactory(name=f"{MARK} Rijswijk", slug="rehearsal-rijswijk", rehearsal=True, public_pgn=True)
    with override_settings(VAR_DIR=tmp_path, BACKUP_DIR=str(tmp_path / "backups")):
        made = section(event)
        RehearsalClock.objects.create(event=event)
        client = browser(UserFactory(is_superuser=True))
        found = [one for one in addresses(made) if f"/{event.slug}/" in one.path]
        seen, unmarked = set(), []
        for one in found:
            answer = client.get(one.path)
            if answer.status_code != 200 or one.name in PARTS | THE_SAME:
                continue
            seen.add(one.name)
            body = answer.getvalue() if answer.streaming else answer.content
            name = answer.headers.get("Content-Disposition", "")
            if MARK.encode() not in body and "rehearsal-" not in name:
                unmarked.append(one.name)
    assert unmarked == []
    assert len(seen) > 90


def test_rehearsal_is_made_on_a_page_and_its_clock_paused(client: Client) -> None:
    event = EventFactory(slug="rijswijk")
    section_of(6, event=event)
    user = EventRoleFactory(event=event, role=EventRole.Role.OWNER).user
    client.force_login(user)
    form = "/rijswijk/-/rehearse/"
    assert form in client.get("/rijswijk/").content.decode()
    sent = {"people": "invented", "parts": ["wrong"], "share": "0", "speed": "100", "seed": "5"}
    assert client.post(form, sent).status_code == 422  # how many players?
    answer = client.post(form, {**sent, "players": "12"}, follow=True)
    made = Event.objects.get(rehearsal=True)
    page = answer.redirect_chain[-1][0]
    assert page == f"/{made.slug}/-/rehearsal/"
    assert "The clock runs: x100" in answer.content.decode()
    assert MARK in client.get("/").content.decode()
    assert MARK not in Client().get("/").content.decode()
    assert MARK in Client().get(f"/{made.slug}/").content.decode()
    assert "The clock is paused" in client.post(page, {"speed": "0"}, follow=True).content.decode()
    assert client.post(page, {"speed": "7"}, follow=True).status_code == 200
    assert RehearsalClock.objects.get(event=made).speed == 0
    assert client.get(f"/{made.slug}/-/rehearse/").status_code == 302
    assert client.get("/rijswijk/-/rehearsal/").status_code == 302
    report = client.get(f"{page}report.csv")
    assert made.slug in report.headers["Content-Disposition"]
    end = f"{page}end/"
    answer = client.post(end)
    assert answer.status_code == 422
    assert Event.objects.filter(pk=made.pk).exists()
    assert client.post(end, {"answer": answers_in(answer)}).status_code == 302
    assert not Event.objects.filter(pk=made.pk).exists()
    assert client.get(page).status_code == 404
    assert client.post("/rijswijk/-/rehearsal/end/").status_code == 422


def test_a_cut_refuses_what_is_sent_as_a_proxy_without_a_server_would(client: Client) -> None:
    event = EventFactory(slug="rijswijk")
    section_of(6, event=event, initial_colour="w")
    user = EventRoleFactory(event=event, role=EventRole.Role.OWNER).user
    made = rehearse(actor=Actor(user), event=event, seed=5, speed=1)
    here = made.sections.get()
    here.initial_colour = "w"
    here.save()
    game = paired(here).games.get(board=1)
    client.force_login(user)
    clock = RehearsalClock.objects.filter(event=made)
    clock.update(cut_until=timezone.now() + timedelta(minutes=1))
    at, sent = address(here, f"game/{game.pk}/result/"), {"result": "1-0", "version": str(game.version)}
    answer = client.post(at, sent, headers={"accept": "application/json"})
    assert answer.status_code == 503
    assert "X-Failure" not in answer.headers
    game.refresh_from_db()
    assert game.result == ""
    assert clock.get().waited == [at]
    assert client.get(address(here, "cockpit/")).status_code == 200
    set_rehearsal(actor=Actor(user), event=made, speed=0)  # the pages of the event are not cut
    clock.update(cut_until=timezone.now())
    assert client.post(at, sent, headers={"accept": "application/json"}).status_code == 200
