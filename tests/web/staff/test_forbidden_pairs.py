"""The page of forbidden pairs."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import ForbiddenPairFactory, section_of
from tests.web.staff.conftest import address, paired
from tournaments.models import Event, ForbiddenPair, Section


def text(answer: object) -> str:
    return re.sub(r"\s+", " ", answer.content.decode().partition("<main")[2])


def send(page: Client, section: Section, **fields: str) -> object:
    values = {
        "first": "1",
        "second": "2",
        "first_round": "1",
        "last_round": "",
        "reason": "Sisters",
        **fields,
    }
    return page.post(address(section, "forbidden-pairs/"), values)


def test_players_are_found_by_number_and_by_letters_of_the_name(page: Client, section: Section) -> None:
    player = section.participants.get(tpn=3).player
    player.name = "Øvergård, Kjersti"
    player.save()
    assert send(page, section, second="overg kj").status_code == 302
    pair = ForbiddenPair.objects.get()
    assert (pair.first.tpn, pair.second.tpn, pair.last_round, pair.reason) == (1, 3, None, "Sisters")
    assert send(page, section, first=str(section.participants.get(tpn=4)), second="5").status_code == 302
    shown = text(page.get(address(section, "forbidden-pairs/")))
    assert "Øvergård, Kjersti" in shown
    assert "1–7" in shown


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"first": "99"}, "No player of this section has this number or name."),
        ({"first": "surname"}, "Several players match:"),
        ({"first": "?!"}, "No player of this section has this"),
        ({"second": "1"}, "twice. Choose two players."),
        ({"first_round": "5", "last_round": "3"}, "the earlier round first"),
        ({"first_round": "x"}, "Enter a whole number"),
        ({"reason": ""}, "This field is required"),
    ],
)
def test_wrong_values_have_an_error_and_are_kept(
    page: Client, section: Section, fields: dict[str, str], sentence: str
) -> None:
    answer = send(page, section, **fields)
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert f'value="{fields.get("first", "1")}"' in text(answer)
    assert not ForbiddenPair.objects.exists()


def test_rounds_of_a_pair_change_and_the_pair_is_removed(page: Client, section: Section) -> None:
    send(page, section)
    path = address(section, f"forbidden-pairs/{ForbiddenPair.objects.get().pk}/")
    assert 'value="Sisters"' in text(page.get(path))
    page.post(path, {"first_round": "2", "last_round": "4", "reason": "Club"})
    pair = ForbiddenPair.objects.get()
    assert (pair.first_round, pair.last_round, pair.reason) == (2, 4, "Club")
    assert page.post(path, {"first_round": "9", "last_round": "", "reason": "Club"}).status_code == 422
    page.post(f"{path}remove/")
    assert not ForbiddenPair.objects.exists()
    assert page.get(path).status_code == 404


def test_after_round_1_the_page_leads_to_fide_mode(page: Client, section: Section) -> None:
    send(page, section)
    paired(section)
    shown = text(page.get(address(section, "forbidden-pairs/")))
    assert "so these pairs are fixed" in shown
    assert "/fide-mode/" in shown
    assert "Forbid this pair" not in shown
    assert send(page, section, second="3").status_code == 422
    pair = ForbiddenPair.objects.get()
    assert page.post(address(section, f"forbidden-pairs/{pair.pk}/remove/")).status_code == 422


def test_page_asks_the_database_as_often_for_many_as_for_few(page: Client, event: Event) -> None:
    counted = []
    for players in (8, 60):
        section = section_of(players, event=event, slug=f"s{players}")
        entries = list(section.participants.order_by("pk"))
        for first, second in zip(entries[::2], entries[1::2], strict=True):
            ForbiddenPairFactory(section=section, first=first, second=second)
        with CaptureQueriesContext(connection) as captured:
            assert page.get(address(section, "forbidden-pairs/")).status_code == 200
        counted.append(len(captured))
    assert counted[0] == counted[1] <= 10
