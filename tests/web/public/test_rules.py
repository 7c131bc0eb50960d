"""The rules of a section for its players follow its settings, on the page and on paper."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from evenboard_engine import SYSTEMS
from tests.web.public.conftest import MadeSection
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import edit_section
from tournaments.actions.tie_breaks import set_tie_breaks
from tournaments.actions.undo import undo
from tournaments.models import PrizeCategory, PrizePlan
from tournaments.models.sections import Section

PRIZES = PrizePlan((PrizeCategory("Juniors", (10_000, 5_000), born_from=2008),), currency="EUR")


def text_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    main = answer.content.decode().split("<main", 1)[1].split("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def change(six: MadeSection, **settings: object) -> None:
    for name, value in settings.items():
        setattr(six.row, name, value)
    six.row.save()
    six.touch()


@pytest.mark.parametrize("address", ["rules/", "print/rules/"])
def test_rules_say_what_the_settings_say(client: Client, six: MadeSection, address: str):
    change(
        six,
        options={"edition": "2026", "upfloats": "played"},
        acceleration="baku",
        half_bye_limit=1,
        last_bye_round=3,
        bye_points=5,
        schedule=["2026-11-14T10:00", "2026-11-15", "", "", ""],
        tie_breaks=["BH/C1", "OTHER_PLAYOFF", "TPN"],
        time_control="90 minutes",
        rules_text="Phones stay off.\n<b>No food</b>",
        rating_method="FIDON",
        prizes=PRIZES.stored,
    )
    text = text_of(client, six.url + address)
    for sentence in (
        "Dubov System, C.04.4.1 (1 February 2026)",
        "Baku Acceleration",
        "5 rounds are played. Time control: \N{FIRST STRONG ISOLATE}90 minutes",
        "Saturday 14 November 2026, 10:00",
        "The initial-colour of this section is White.",
        "A win is worth 1 point, a draw ½ point and a loss 0 points.",
        "It is worth ½ point.",
        "A player gets at most 1 half-point bye.",
        "The last round in which a bye is worth points is round 3.",
        "Buchholz cut 1",
        "The organiser announces its values.",
        "plays from the next round on (C.04.2, 2.4).",
        "The FIDE rating counts. Players without one have their national rating.",
        "Phones stay off.",
        "<b>No food</b>",
    ):
        assert sentence.replace("\N{FIRST STRONG ISOLATE}", "") in text.replace("\u2068", ""), sentence
    assert "Juniors" not in text
    change(six, prizes_public=True)
    assert "Juniors 100 EUR, 50 EUR (Equal shares, born in or after 2008)" in text_of(
        client, six.url + address
    )


def test_rules_link_to_the_articles_of_the_edition(client: Client, six: MadeSection):
    for edition, address in (("2026", "C040401202602"), ("2018", "C040401")):
        change(six, options={"edition": edition})
        assert (
            f'href="https://handbook.fide.com/chapter/{address}"'
            in client.get(six.url + "rules/").content.decode()
        )


def test_rules_that_are_not_in_the_handbook_are_in_the_manual(client: Client, six: MadeSection):
    change(six, system="dubov-1997", options={}, half_bye_limit=0, last_bye_round=0, tie_breaks=["PTS"])
    html = client.get(six.url + "rules/").content.decode()
    assert 'href="/site/manual/dubov-1997/#chapter-dubov-1997"' in html
    assert "follows the rules of FIDE" not in html
    assert "S12 Where it cannot finish" in client.get("/site/manual/dubov-1997/").content.decode()
    change(six, system="round-robin")
    assert "The section follows the rules of FIDE." in text_of(client, six.url + "rules/")


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_has_rules(client: Client, six: MadeSection, system: str):
    change(six, system=system, options={}, half_bye_limit=0, last_bye_round=0, tie_breaks=["PTS"])
    text = text_of(client, six.url + "rules/")
    assert ("initial-colour" in text) == (not SYSTEMS[system].fixed_rounds)
    assert ("Half-point byes are not given." in text) == (not SYSTEMS[system].fixed_rounds)
    assert "Players with the same points share the place" in text


def test_time_control_of_the_event_counts_where_the_section_has_none(client: Client, six: MadeSection):
    Section.objects.filter(pk=six.row.pk).update(time_control="")
    six.row.event.time_control = "Blitz 3+2"
    six.row.event.save()
    six.touch()
    assert "Blitz 3+2" in text_of(client, six.url + "rules/")


def test_rules_name_the_parts_that_changed_during_the_tournament(client: Client, six: MadeSection):
    asked = {
        "actor": Actor.command(),
        "section_id": six.row.pk,
        "asked": True,
        "reason": "Agreed with the players.",
    }
    assert "Changes" not in text_of(client, six.url + "rules/")
    set_tie_breaks(codes=["DE", "BH"], **asked)
    edit_section(half_bye_limit=2, time_control="60 minutes", **asked)
    changed = "Changes These parts of the rules changed during the tournament. This page has the rules that count now."
    lines = "After round 2 Places After round 2 Rounds and time control, Requested byes"
    for address in ("rules/", "print/rules/"):
        text = text_of(client, six.url + address)
        assert f"{changed} {lines}" in text, text
    undo(actor=Actor.command(), section_id=six.row.pk, revision=Section.objects.get(pk=six.row.pk).revision)
    text = text_of(client, six.url + "rules/")
    assert "After round 2 Places" in text
    assert "After round 2 Rounds" not in text
