"""A section is made step by step, or at once from the first step."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from evenboard_engine import SYSTEMS
from tests.factories import SectionFactory
from tests.web.staff.conftest import address
from tests.web.staff.test_sections import SECTION
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import FirstSettings, create_section
from tournaments.files.report_writing import tournament_report
from tournaments.models import ActionLog, Event, Integrity, Section, User
from tournaments.queries.rating_lists import DEFAULTS
from web.forms.new_section import CHECK, FOLDS, KINDS, START, STEPS, NewSectionForm


def page_of(event: Event, step: str = START) -> str:
    return f"/{event.slug}/-/new-section/" + ("" if step == START else f"{step}/")


def test_new_section_leads_to_its_entries(owners_page: Client, event: Event) -> None:
    answer = owners_page.post(f"/{event.slug}/-/new-section/", SECTION)
    made = event.sections.get()
    assert (answer.status_code, answer.url) == (302, address(made, "entries/"))
    assert (made.rounds, made.win_points, made.draw_points, made.bye_points) == (9, 10, 5, 10)


def test_new_section_with_wrong_values_has_errors_at_the_fields(owners_page: Client, event: Event) -> None:
    for wrong, sentence in [
        ({"rounds": "31"}, "A section cannot have 31 rounds. Choose 1 to 30."),
        ({"rounds": "47"}, "less than or equal to 46"),
        ({"rounds": ""}, "This field is required."),
        ({"draw_points": "many"}, "Write points as 1, ½ or 0.5."),
        ({"win_points": "."}, "Write points as 1, ½ or 0.5."),
        ({"draw_points": "2"}, "2 for a draw, 0 for a loss"),
        ({"bye_points": "3"}, "A bye cannot be worth more than a win: 3 is more than 1."),
        ({"bye_points": "0.3"}, "A bye cannot be worth 0.3. With the scoring 1, ½, 0 it is worth 1, ½ or 0."),
        (
            {"win_points": "3", "draw_points": "1", "bye_points": "2.7"},
            "A bye cannot be worth 2.7: no results add up to it. The nearest values are 2 and 3.",
        ),
        ({"dubov_upfloats": "sometimes"}, "Select a valid choice."),
        (
            {"rounds": "4", "last_bye_round": "9"},
            "The section has 4 rounds, so the last round for a bye cannot be 9.",
        ),
    ]:
        answer = owners_page.post(f"/{event.slug}/-/new-section/", {**SECTION, **wrong})
        assert answer.status_code == 422, wrong
        assert re.search(rf'<span class="err"[^>]*>[^<]*{re.escape(sentence)}', answer.content.decode()), (
            wrong
        )
        assert event.sections.count() == 0, wrong


def test_refused_section_begins_with_a_summary_that_has_the_focus(owners_page: Client, event: Event) -> None:
    wrong = {**SECTION, "draw_points": "many", "bye_points": "much"}
    html = owners_page.post(f"/{event.slug}/-/new-section/", wrong).content.decode()
    opening, _, rest = html.partition('<div class="note bad" role="alert" tabindex="-1" autofocus>')
    links = re.findall(r'<a href="#([^"]+)">', rest.partition("</div>")[0])
    assert links == ["id_draw_points", "id_bye_points"]
    assert [link for link in links if f'id="{link}"' in rest] == links
    assert "<label" not in opening.partition("<main")[2]


def test_section_with_a_taken_name_is_refused(owners_page: Client, event: Event, section: Section) -> None:
    answer = owners_page.post(f"/{event.slug}/-/new-section/", {**SECTION, "name": section.name})
    assert answer.status_code == 422
    assert "This event already has a section Section A." in answer.content.decode()


def go(client: Client, event: Event, step: str, **sent: str) -> str:
    """Send a step, and return the address of the next one."""
    answer = client.post(page_of(event, step), {"do": "next", **sent})
    assert answer.status_code == 302, answer.content.decode()
    return answer.url


def test_every_field_of_the_form_is_in_one_step() -> None:
    form = NewSectionForm()
    placed = [name for step in STEPS for name in form.all_fields_of(step)]
    assert sorted(placed) == sorted(form.fields)


def test_all_steps_make_a_section_in_one_action_that_undo_takes_away(
    owners_page: Client, event: Event
) -> None:
    assert go(owners_page, event, START, name="Masters", rounds="5", system="dubov") == page_of(
        event, "dates"
    )
    day = event.start.isoformat()
    dates = {"day-1": day, "time-1": "10:00", "time_control": "3+2", "lists": "blitz"}
    assert go(owners_page, event, "dates", **dates) == page_of(event, "points")
    points = {
        "win_points": "3",
        "draw_points": "1",
        "loss_points": "0",
        "bye_points": "3",
        "half_bye_limit": "1",
    }
    shown = [
        (
            go(owners_page, event, "points", **{**points, "bye_points": bye}),
            re.findall(
                r'name="bye_points" value="(.)', owners_page.get(page_of(event, "points")).content.decode()
            ),
        )[1]
        for bye in ("1", "1", "3")
    ]
    assert shown == [["3"], ["1"], ["3"]], "the bye follows the win until somebody types another value"
    places = {"ties": "typed", "tie_codes": "bh, SB", "rating_method": "FIDE", "equals_by": "younger"}
    go(owners_page, event, "places", **places)
    rules = {"colour": "lot", "explained_to": "nobody", "rules_text": "No phones", "prizes_public": "on"}
    assert go(owners_page, event, "rules", **rules) == page_of(event, CHECK)
    summary = unescape(re.sub(r"<[^>]+>", " ", owners_page.get(page_of(event, CHECK)).content.decode()))
    for words in (
        "Masters",
        "3+2",
        "10:00",
        "others, typed below",
        "bh, SB",
        "drawn by lot now",
        "No phones",
    ):
        assert words in summary
    assert event.sections.count() == 0
    made_at = owners_page.post(page_of(event, CHECK), {"do": "make"}, follow=True)
    section = event.sections.get()
    assert (section.name, section.rounds, section.win_points, section.bye_points) == ("Masters", 5, 30, 30)
    assert (section.tie_break_list[0].code, section.rating_method, section.equals_by) == (
        "BH",
        "FIDE",
        "younger",
    )
    assert section.schedule == [f"{day}T10:00", "", "", "", ""]
    assert tuple(section.rating_lists) == DEFAULTS["blitz"]
    assert (section.time_control, section.half_bye_limit, section.explained_to) == ("3+2", 1, "nobody")
    assert section.initial_colour in ("w", "b")
    assert (section.rules_text, section.prizes_public) == ("No phones", True)
    log = ActionLog.objects.filter(section=section).get()
    assert (log.action, log.after["by_lot"]) == ("create_tournament", True)
    undo = re.search(r'action="([^"]*away/)"', made_at.content.decode())
    assert undo is not None
    owners_page.post(undo[1])
    section.refresh_from_db()
    assert section.taken_away
    assert 'value="Masters"' not in owners_page.get(page_of(event)).content.decode()


def test_steps_keep_what_was_typed_in_any_order(owners_page: Client, event: Event) -> None:
    owners_page.post(page_of(event), {"do": "go:rules", "name": "A", "rounds": "6", "system": "dubov"})
    owners_page.post(
        page_of(event, "rules"), {"do": "back", "rules_text": "Shoes off", "lists_by_hand": "on"}
    )
    assert "Shoes off" in owners_page.get(page_of(event, "rules")).content.decode()
    assert 'value="A"' in owners_page.get(page_of(event)).content.decode()
    owners_page.post(page_of(event), {"do": "make", "name": "A", "rounds": "6", "system": "dubov"})
    section = event.sections.get()
    assert (section.rules_text, section.lists_by_hand, section.rounds) == ("Shoes off", True, 6)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_event_makes_a_section_at_once(owners_page: Client, event: Event, kind: str) -> None:
    owners_page.post(page_of(event), {"do": f"kind:{kind}", "name": "At once", "rounds": "3"})
    html = owners_page.get(page_of(event)).content.decode()
    assert 'value="At once"' in html
    assert re.search(rf'value="kind:{kind}"\s+formnovalidate', html), (
        "a kind can be chosen before the name is typed"
    )
    assert "\4" not in html, "the context of a translation is not shown"
    shown = re.search(r'name="system"[^>]*value="([^"]+)"[^>]*checked', html)
    assert shown is not None
    assert SYSTEMS[shown[1]].fixed_rounds == (kind == "round-robin")
    sent = {"do": "make", "name": "At once", "system": shown[1], "rounds": "9", **options(html)}
    assert owners_page.post(page_of(event), sent).status_code == 302
    section = event.sections.get()
    assert (section.half_bye_limit, section.tie_break_list[0].name) == {
        "round-robin": (None, "DE"),
        "rapid": (0, "BH"),
        "blitz": (0, "BH"),
    }.get(kind, (1, "BH"))


@pytest.mark.parametrize(
    ("of_event", "kind", "own"),
    [
        ("90 min + 30 s", "rapid", "15 min + 10 s"),
        ("90 min + 30 s", "blitz", "3 min + 2 s"),
        ("90 min + 30 s", "open", ""),
        ("25 min + 10 s", "rapid", ""),
        ("25 min + 10 s", "blitz", "3 min + 2 s"),
    ],
)
def test_rapid_and_blitz_do_not_keep_a_slower_time_control_of_the_event(
    owners_page: Client, event: Event, of_event: str, kind: str, own: str
) -> None:
    edit_event_time_control(event, of_event)
    owners_page.post(page_of(event), {"do": f"kind:{kind}", "name": "Fast", "rounds": "9"})
    assert WARNING not in owners_page.get(page_of(event, "dates")).content.decode()
    owners_page.post(page_of(event), {"do": "make", "name": "Fast", "rounds": "9", "system": "dubov"})
    assert event.sections.get().time_control == own


WARNING = "But the kind of rating is"


@pytest.mark.parametrize(
    ("pace", "lists", "warned"),
    [
        ("", "rapid", True),
        ("10 min", "rapid", True),
        ("15 min + 10 s", "rapid", False),
        ("15 min + 10 s", "standard", True),
        ("", "standard", False),
        ("as the arbiter says", "blitz", False),
    ],
)
def test_kind_of_rating_that_does_not_follow_from_the_time_control_is_warned(
    owners_page: Client, event: Event, pace: str, lists: str, *, warned: bool
) -> None:
    """B.02: 60 minutes or more for 60 moves is standard, more than 10 is rapid. An unknown text is not judged."""
    edit_event_time_control(event, "90 min + 30 s")
    owners_page.post(page_of(event), {"do": "next", "name": "A", "rounds": "5", "system": "dubov"})
    owners_page.post(page_of(event, "dates"), {"do": "next", "time_control": pace, "lists": lists})
    shown = [owners_page.get(page_of(event, step)).content.decode() for step in ("dates", "check")]
    assert [WARNING in page for page in shown] == [warned, warned]
    part = owners_page.get(page_of(event), {"time_control": pace}, headers={"HX-Request": "true"})
    words = re.sub("<[^>]+>", "", unescape(part.text)).strip()
    rated = {"": "standard (120 minutes", "15 min + 10 s": "rapid (25 minutes"}.get(pace)
    hint = f"FIDE rates the games as: {rated} for 60 moves)." if rated else ""
    assert WARNING in words if warned else words == hint


def edit_event_time_control(event: Event, text: str) -> None:
    event.time_control = text
    event.save()


def options(html: str) -> dict[str, str]:
    """Return the options of all systems as a browser would send them."""
    chosen = re.findall(r'<select name="(\w+)"[^>]*>(.*?)</select>', html, re.DOTALL)
    return {
        name: found[1] if (found := re.search(r'value="([^"]*)" selected', body)) else ""
        for name, body in chosen
    }


@pytest.mark.parametrize(
    ("step", "sent", "sentence"),
    [
        ("points", {"draw_points": "2"}, "2 for a draw, 0 for a loss"),
        ("dates", {"time-1": "10:00", "day-1": ""}, "Type the day, not only the time."),
        ("dates", {"day-1": "2026-11-02", "day-2": "2026-11-01"}, "Round 2 cannot begin before round 1."),
        ("places", {"ties": "typed", "tie_codes": ""}, "Type the codes of the tie-breaks."),
        ("rules", {"fide_mode": "off", "reason": "club"}, "Tick this, or leave FIDE mode on."),
        ("rules", {"fide_mode": "off", "sure": "on"}, "Give a reason."),
    ],
)
def test_step_with_wrong_values_says_so_before_the_next_one(
    owners_page: Client, event: Event, step: str, sent: dict[str, str], sentence: str
) -> None:
    owners_page.post(page_of(event), {"do": "next", "name": "A", "rounds": "5", "system": "dubov"})
    answer = owners_page.post(page_of(event, step), {"do": "next", **sent})
    assert answer.status_code == 422
    assert sentence in unescape(answer.content.decode())


@pytest.mark.parametrize(
    ("system", "code", "sentence"),
    [
        ("dubov", "NOTHING", "NOTHING is not a tie-break that the program knows."),
        ("round-robin", "BH/C1", "Round robin does not allow BH/C1 in the standings (C.07, 8)."),
    ],
)
def test_tie_break_that_cannot_be_is_refused_by_its_step_and_when_the_section_is_made(
    owners_page: Client, event: Event, system: str, code: str, sentence: str
) -> None:
    go(owners_page, event, START, name="A", rounds="5", system=system)
    at_step = owners_page.post(page_of(event, "places"), {"do": "next", "ties": "typed", "tie_codes": code})
    assert at_step.status_code == 422
    assert sentence in at_step.content.decode()
    answer = owners_page.post(page_of(event, CHECK), {"do": "make"})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in html
    form = re.search(r'action="([^"]+)" [^>]*id="new-section"', html)
    assert form is not None
    assert form[1] == page_of(event, "places"), "what is typed here is kept by the step that has the field"
    go(owners_page, event, "places", ties="typed", tie_codes="DE, SB")
    assert owners_page.post(page_of(event, CHECK), {"do": "next"}).status_code == 302
    assert [rule.text for rule in event.sections.get().tie_break_list] == ["DE", "SB"]


def test_yes_to_no_fide_mode_counts_for_this_section_and_reason(owners_page: Client, event: Event) -> None:
    rules = page_of(event, "rules")
    off = {"do": "next", "fide_mode": "off", "reason": "club evening"}

    def box(html: str) -> tuple[str, bool]:
        [found] = re.findall(r'<input type="checkbox" name="sure"[^>]*>', html)
        return re.findall(r'value="([0-9a-f]{40})"', found)[0], " checked" in found

    go(owners_page, event, START, name="A", rounds="5", system="dubov")
    assert 'name="sure"' not in owners_page.get(rules).content.decode()
    answer, ticked = box(owners_page.post(rules, off).content.decode())
    assert not ticked
    assert owners_page.post(rules, {**off, "reason": "no arbiter", "sure": answer}).status_code == 422
    assert owners_page.post(rules, {**off, "sure": "on"}).status_code == 422
    assert owners_page.post(rules, {**off, "sure": answer}).status_code == 302
    assert box(owners_page.get(rules).content.decode()) == (answer, True)
    owners_page.post(page_of(event), {"do": "next", "name": "B", "rounds": "5", "system": "dubov"})
    made = owners_page.post(page_of(event, CHECK), {"do": "make"})
    assert (made.status_code, event.sections.exists()) == (422, False)
    again, ticked = box(made.content.decode())
    assert (again == answer, ticked) == (False, False)
    go(owners_page, event, "rules", **off, sure=again)
    assert owners_page.post(page_of(event, CHECK), {"do": "make"}).status_code == 302
    assert not event.sections.get().fide_mode


def test_the_last_choice_of_tie_breaks_counts(owners_page: Client, event: Event) -> None:
    def kept() -> tuple[str, str]:
        html = owners_page.get(page_of(event, "places")).content.decode()
        ties = re.search(r'<option value="(\w+)" selected>', html[html.index('name="ties"') :])
        codes = re.search(r'name="tie_codes"(?:[^>]*value="([^"]*)")?', html)
        assert ties
        assert codes
        return ties[1], codes[1] or ""

    go(owners_page, event, START, name="A", rounds="5", system="dubov")
    go(owners_page, event, "places", ties="open", tie_codes="ARO, DE")
    assert kept() == ("typed", "ARO, DE")
    go(owners_page, event, "places", ties="open", tie_codes="ARO, DE")
    assert kept() == ("open", "")


def test_summary_without_a_name_leads_to_the_first_step(owners_page: Client, event: Event) -> None:
    html = owners_page.get(page_of(event, CHECK)).content.decode()
    assert f'href="{page_of(event)}"' in html
    assert owners_page.post(page_of(event, CHECK)).status_code == 422
    assert owners_page.get(page_of(event, "nowhere")).status_code == 404


def test_section_can_begin_outside_fide_mode_and_its_report_says_so(event: Event, owner: User) -> None:
    first = FirstSettings(fide_mode=False, reason="club rules")
    section = create_section(actor=Actor(owner), event=event, name="Club", rounds=5, first=first)
    assert (section.in_fide_mode, section.fide_mode_left_in_round) == (False, 0)
    log = ActionLog.objects.get(section=section)
    assert (log.integrity, log.reason) == (Integrity.FIDE_MODE, "club rules")
    assert "### FIDE mode exited @ Round 0" in tournament_report(section).decode()
    other = create_section(
        actor=Actor(owner), event=event, name="US", rounds=5, system="uschess", first=first
    )
    assert Section.objects.get(pk=other.pk).fide_mode


@pytest.mark.parametrize("step", STEPS)
def test_queries_of_a_step_do_not_depend_on_the_sections(
    owners_page: Client, event: Event, step: str
) -> None:
    go(owners_page, event, START, name="A", rounds="5", system="dubov")
    counts = []
    for sections in (1, 6):
        SectionFactory.create_batch(sections, event=event)
        owners_page.get(page_of(event, step))
        with CaptureQueriesContext(connection) as queries:
            assert owners_page.get(page_of(event, step)).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 8


def test_each_system_brings_its_tie_breaks_for_the_list_on_the_page(
    owners_page: Client, event: Event
) -> None:
    html = unescape(owners_page.get(page_of(event)).content.decode())
    offered = dict(re.findall(r'<template data-ties-of="([\w-]+)">(.*?)</template>', html, re.DOTALL))
    assert list(offered) == list(SYSTEMS)
    first = {
        system: re.findall(r'<option value="">[^:]*: ([^<]*)</option>', words)
        for system, words in offered.items()
    }
    assert (first["dubov"], first["dutch"]) == (
        ["ARO, direct encounter, Buchholz cut 1, Buchholz"],
        ["Buchholz cut 1, Buchholz, direct encounter"],
    )
    assert "US Chess: modified median, Solkoff, cumulative" in offered["dutch"]
    assert '<span data-shows="#id_ties">' in html


QUICK = {"whole": "1", "name": "D", "rounds": "5", "system": "dubov", "first_day": "2026-11-21"}


@pytest.mark.parametrize(
    ("typed", "schedule"),
    [
        ({"at": "1630", "every": "7"}, ["21T16:30", "28T16:30", "05T16:30", "12T16:30", "19T16:30"]),
        ({"at": "9.30 14:00, 1830"}, ["21T09:30", "21T14:00", "21T18:30", "22T09:30", "22T14:00"]),
        ({"at": "10", "time-3": "11h15"}, ["21T10:00", "22T10:00", "23T11:15", "24T10:00", "25T10:00"]),
        ({"at": ""}, []),
    ],
)
def test_days_are_filled_down_and_can_be_typed_over(
    owners_page: Client, event: Event, typed: dict[str, str], schedule: list[str]
) -> None:
    answer = owners_page.post(page_of(event), {**QUICK, "every": "1", "do": "make", **typed})
    assert answer.status_code == 302, answer.content.decode()
    assert [start[-8:] for start in event.sections.get().schedule] == schedule


def test_round_after_the_last_day_of_the_event_is_warned_of_with_the_rounds_a_day(
    owners_page: Client, event: Event
) -> None:
    Event.objects.filter(pk=event.pk).update(start="2026-11-21", end="2026-11-22")
    html = owners_page.get(page_of(event)).content.decode()
    assert 'data-past-end="2026-11-22"' in html
    sent = {**QUICK, "every": "1", "do": "make", "at": "10", "first_day": "2026-11-21"}
    page = owners_page.post(page_of(event), sent, follow=True).content.decode()
    assert "Round 3 begins on 23 Nov, after the last day of the event, 22 Nov." in page
    assert "To end in time, play 3 rounds a day: type 3 times." in page


def test_one_page_has_every_setting_and_keeps_them_beside_an_error(owners_page: Client, event: Event) -> None:
    html = owners_page.get(page_of(event)).content.decode()
    form = NewSectionForm()
    fields = {name for step in STEPS for name in form.fields_of(step)}
    assert fields <= {*re.findall(r'name="([^"]+)"', html)}
    wrong = {**QUICK, "at": "25:00", "rules_text": "No phones", "ties": "typed", "tie_codes": "BH"}
    answer = owners_page.post(page_of(event), {**wrong, "do": "make"})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "Write the time as 14:00." in html
    assert "No phones" in html
    assert 'value="25:00"' in html
    assert 'value="BH"' in html


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_starting_number_decides_a_place_unless_somebody_chooses_it(event: Event, system: str) -> None:
    section = create_section(actor=Actor.command(), event=event, name="D", rounds=5, system=system)
    names = [rule.name for rule in section.tie_break_list]
    assert names
    assert not {"TPN", "RTNG"} & {*names}


def test_rating_limit_of_a_new_section_warns_and_keeps_nobody_out(owners_page: Client, event: Event) -> None:
    wrong = {**QUICK, "do": "make", "rating_from": "1600", "rating_to": "1199"}
    assert "The highest rating is below the lowest rating." in unescape(
        owners_page.post(page_of(event), wrong).content.decode()
    )
    limits = {"rating_from": "1600", "rating_to": "1899"}
    assert owners_page.post(page_of(event), {**QUICK, "do": "make", **limits}).status_code == 302
    section = event.sections.get()
    logged = ActionLog.objects.get(section=section, action="create_tournament").after
    assert (logged["rating_from"], logged["rating_to"]) == (1600, 1899)

    def entered(name: str, rating: str) -> str:
        sent = {"row": "1", "name": name, "rating": rating, "rating_source": "typed"}
        answer = owners_page.post(address(section, "entries/add/"), sent, follow=True)
        return unescape(answer.content.decode())

    assert "above the rating limit of the section: 1899" in entered("Above, Ann", "1900")
    assert "below the rating limit of the section: 1600" in entered("Below, Bo", "1599")
    assert "rating limit of the section" not in entered("Inside, Ina", "1899")
    assert section.participants.count() == 3
    cockpit = unescape(owners_page.get(address(section, "cockpit/")).content.decode())
    assert re.search(r"The ratings of \W?Above, Ann\W? and \W?Below, Bo\W? are outside", cockpit)
    assert "rating 1600 to 1899" in owners_page.get(address(section, "settings/")).content.decode()
    settings = owners_page.get(reverse("registrations:registration-settings", args=[event.slug]))
    html = settings.content.decode()
    assert re.search(r'name="section\d+-rating_to" value="1899"', html)
    assert re.search(r'name="section\d+-open"[^>]* checked', html), "nobody has decided yet who may register"


def test_six_folds_say_what_they_hold(owners_page: Client, event: Event) -> None:
    html = owners_page.get(page_of(event)).content.decode()
    names = re.findall(r"<summary>\s*<b>([^<]*)</b>", html)
    assert names == [str(name) for name, _fields, _shown in FOLDS.values()]
    assert len(names) == 6
    folded = [field for _name, fields, _shown in FOLDS.values() for field in fields]
    assert len(folded) == len({*folded})
