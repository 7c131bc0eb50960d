"""Incidents on pages: typed at a board, shown at once when they count twice, listed, changed, printed, in a file."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.web.staff.conftest import address, paired
from tournaments.models import Section

pytestmark = pytest.mark.django_db


def test_incident_is_noted_listed_changed_and_removed(page: Client, section: Section) -> None:
    game = paired(section).games.get(board=2)
    form = address(section, "round/1/board/2/incident/")
    assert page.post(form, {"kind": "illegal"}).status_code == 422  # of whom?
    sent = {"kind": "illegal", "side": "w", "note": "moved the king twice"}
    assert "Second illegal move" not in page.post(form, sent, follow=True).content.decode()
    html = page.post(form, {**sent, "minutes": "2"}, follow=True).content.decode()
    assert "Second illegal move" in html
    assert "2 times in this game" in html
    page.post(form, {"kind": "penalty", "side": "b"})
    shown = page.get(address(section, "incidents/?kind=penalty")).content.decode()
    assert game.black.player.name in shown
    assert game.white.player.name not in shown
    for rest in ("csv/incidents/", "print/incidents/", "print/final-report/"):
        assert "moved the king twice" in page.get(address(section, rest)).content.decode(), rest
    row = section.incidents.order_by("pk").first()
    at = address(section, f"incidents/{row.pk}/")
    assert page.post(at, {"kind": "warning", "note": "noise"}).status_code == 302
    row.refresh_from_db()
    assert (row.kind, row.note) == ("warning", "noise")
    page.post(f"{at}remove/")
    assert section.incidents.count() == 2
    assert page.get(at).status_code == 404
