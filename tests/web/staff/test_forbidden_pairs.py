"""The page of forbidden pairs."""

from __future__ import annotations

import re

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


def test_wrong_values_have_an_error_and_are_kept(page: Client, section: Section) -> None:
    for fields, sentence in [
        ({"first": "99"}, "No player of this section has this number or name."),
        ({"first": "surname"}, "Several players match:"),
        ({"first": "?!"}, "No player of this section has this"),
        ({"second": "1"}, "twice. Choose two players."),
        ({"first_round": "5", "last_round": "3"}, "the earlier round first"),
        ({"first_round": "x"}, "Enter a whole number"),
        ({"reason": ""}, "This field is required"),
    ]:
        answer = send(page, section, **fields)
        assert answer.status_code == 422, fields
        assert sentence in text(answer), fields
        assert f'value="{fields.get("first", "1")}"' in text(answer), fields
        assert not ForbiddenPair.objects.exists(), fields


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


def keep(page: Client, section: Section, **fields: str) -> object:
    values = {
        "rule-group": "club:",
        "rule-first_round": "1",
        "rule-last_round": "",
        "rule-strict": "True",
        "rule-reason": "League",
        **{f"rule-{name}": value for name, value in fields.items()},
    }
    return page.post(address(section, "forbidden-pairs/"), values)


def test_a_club_or_a_family_is_kept_apart_in_one_press_and_why_is_said(
    page: Client, section: Section
) -> None:
    section.participants.filter(tpn__in=(1, 2, 5)).update(club="SK <Delft>")
    here = address(section, "forbidden-pairs/")
    shown = text(page.get(here))
    assert 'value="club:SK &lt;Delft&gt;">SK &lt;Delft&gt; (3)' in shown
    asked = {"rule-group": "club:", "rule-first_round": "1", "rule-last_round": ""}
    preview = re.sub(r"\s+", " ", page.get(here, asked, headers={"HX-Request": "true"}).content.decode())
    for sentence in (
        "3 pairs of 3 players must not meet.",
        "The rule also counts for players who come later",
        "counts in the last round too",
        "FIDE has no such rule: announce it",
    ):
        assert sentence in preview
    assert keep(page, section, group="club:SK <Delft>", last_round="4").status_code == 302
    family = {"group": "players:", "name": "Family", "players": "3, 6", "strict": "False"}
    assert keep(page, section, **family).status_code == 302
    shown = text(page.get(here))
    assert re.search(r"SK &lt;Delft&gt;.*always.*1–4.*Family.*Chosen players 3, 6.*as far as possible", shown)
    log = re.sub(r"(<[^>]*>|\s)+", " ", text(page.get(address(section, "log/"))))
    assert "Players of SK &lt;Delft&gt; must not meet" in log
    for value in (
        "apart by a rule – → chosen players",
        "kept apart – → as far as possible",
        "players – → 3, 6",
    ):
        assert value in log
    paired(section)
    why = text(page.get(address(section, "round/1/why/1/"), {"other": "5"}))
    assert "Both play for the club" in why
    assert "SK &lt;Delft&gt;" in why
    assert "4 pairs are forbidden" in text(page.get(address(section, "cockpit/")))
    assert page.post(f"{here}rules/1/end/").status_code == 422  # round 1 is paired in FIDE mode


def test_wrong_rule_is_kept_with_its_error_and_a_rule_is_removed(page: Client, section: Section) -> None:
    for fields, sentence in (
        ({"group": "players:", "players": "3 and 4", "name": "x"}, "Write the numbers with commas"),
        ({"group": "players:", "players": "3, 99", "name": "x"}, "No player has the number 99."),
        ({"group": "players:", "players": "3, 4"}, "Choose at least two players"),
        ({"group": ""}, "This field is required"),
        ({"first_round": "5", "last_round": "3"}, "the earlier round first"),
    ):
        answer = keep(page, section, **fields)
        assert (answer.status_code, sentence in text(answer)) == (422, True)
    assert keep(page, section, strict="False").status_code == 302
    assert "Each club" in text(page.get(address(section, "forbidden-pairs/")))
    one = address(section, "forbidden-pairs/rules/1/")
    assert re.search(r'value="False" selected.*value="1".*value="League"', text(page.get(one)))
    change = {"strict": "True", "first_round": "2", "last_round": "3", "reason": "League, 2.4"}
    assert page.post(one, {**change, "last_round": "1"}).status_code == 422
    assert page.post(one, change).status_code == 302
    (rule,) = Section.objects.get(pk=section.pk).apart_rules
    assert {**rule, **change, "strict": True, "first_round": 2, "last_round": 3} == rule
    log = re.sub(r"(<[^>]*>|\s)+", " ", text(page.get(address(section, "log/"))))
    assert "The rule that keeps players of the same club apart changed" in log
    assert page.get(address(section, "forbidden-pairs/rules/2/")).status_code == 404
    page.post(address(section, "forbidden-pairs/rules/1/end/"))
    assert Section.objects.get(pk=section.pk).apart_rules == []


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
