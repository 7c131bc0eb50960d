"""A yes on a page counts for what it asked about: after any other value it asks again, and nothing is saved.

Questions of registrations are in tests/registrations/test_entries_two_sections.py, that of a section without FIDE mode
is in test_new_section.py, those of pairing by hand are in test_by_hand.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from django.test import Client

from tests.actions.refusals import tables
from tests.answers import answers_in
from tests.factories import ByeFactory, ParticipantFactory, SectionFactory, section_of
from tests.web.staff.conftest import address, enter, paired, played
from tests.web.staff.imports.conftest import token, upload
from tests.web.staff.test_results import form as results
from tests.web.staff.test_tie_breaks import seen_on
from tournaments.actions.byes import request_bye
from tournaments.actions.entries import add_participant, withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import open_check_in
from tournaments.actions.sections import close_section, take_section_away
from tournaments.actions.undo import undo
from tournaments.actions.waiting_on_devices import note_waiting
from tournaments.entry_data import EntryData
from tournaments.files.copy_writing import copy_file
from tournaments.models import Participant, Section, User, WaitingOnDevice

Form = dict[str, object]
ACTOR = Actor.command()


@dataclass(frozen=True)
class Asked:
    """A form that leads to a question. other: what is changed on the page after it, or the page to which the yes is
    sent (`elsewhere`), or what somebody else saves meanwhile (`meanwhile`).
    """

    path: str
    form: Form = field(default_factory=dict)
    other: Form = field(default_factory=dict)
    elsewhere: str = ""
    meanwhile: Callable[[], object] = bool


def key(section: Section, tpn: int) -> int:
    return section.participants.get(tpn=tpn).pk


def in_two(section: Section, *numbers: int) -> Section:
    """Let these players play in another section too."""
    other = SectionFactory(event=section.event, name="Youth", slug="youth")
    for number in numbers:
        ParticipantFactory(section=other, player=section.participants.get(tpn=number).player)
        section.participants.get(tpn=number).player.refresh_from_db()
        Participant.objects.filter(tpn=number, section=section).update(note="two sections")
        player = section.participants.get(tpn=number).player
        player.fide_id = 4100000 + number
        player.save()
    return other


def bye(_page: Client, section: Section) -> Asked:
    form = {"participant": key(section, 3), "rounds": "2, 4", "kind": "H"}
    return Asked(address(section, "byes/"), form, {"rounds": "2, 5"})


def bye_instead(_page: Client, section: Section) -> Asked:
    ByeFactory(participant_id=key(section, 3), round_number=2, kind="Z")
    form = {"participant": key(section, 3), "rounds": "2", "kind": "H"}
    return Asked(address(section, "byes/"), form, {"participant": key(section, 4), "rounds": "2, 4"})


def absences(_page: Client, section: Section) -> Asked:
    Section.objects.filter(pk=section.pk).update(half_bye_limit=0)
    form = {"round": 1, "choice": "H", "player": [key(section, 3)]}
    return Asked(address(section, "absences/"), form, {"player": [key(section, 3), key(section, 4)]})


def late_entry(_page: Client, section: Section) -> Asked:
    paired(section)
    form = {"name": "Late, Lea", "rating": 2465, "rating_source": "typed", "first_round": 1, "missed": ""}
    return Asked(address(section, "entries/add/"), form, {"rating": 2515})


def rating(_page: Client, section: Section) -> Asked:
    paired(section)
    entry = section.participants.select_related("player").get(tpn=5)
    form = {"name": entry.player.name, "rating": 2600, "rating_source": "typed", "first_round": 1}
    return Asked(address(section, f"entries/{entry.pk}/"), form, {"rating": 2510})


def entry_in_two(_page: Client, section: Section) -> Asked:
    other = in_two(section)
    for number in (1, 2):
        ParticipantFactory(section=other, player__name=f"Ek, Ada{number}", player__fide_id=4100000 + number)
    form = {
        "name": "Ek, Ada1",
        "fide_id": 4100001,
        "rating": 2000,
        "rating_source": "typed",
        "first_round": 1,
    }
    return Asked(address(section, "entries/add/"), form, {"name": "Ek, Ada2", "fide_id": 4100002})


def removal(_page: Client, section: Section) -> Asked:
    late = [
        add_participant(
            actor=ACTOR, section_id=section.pk, entry=EntryData(name=name, rating=rated), asked=True
        ).pk
        for name, rated in (("Late, Lea", 2485), ("Late, Leo", 2465))
    ]
    paired(section)
    extra = [
        add_participant(
            actor=ACTOR, section_id=section.pk, entry=EntryData(name=name, rating=rated), asked=True
        ).pk
        for name, rated in (("New, Lea", 2480), ("New, Leo", 2470))
    ]
    assert late
    one, two = (address(section, f"entries/{each}/remove/") for each in extra)
    return Asked(one, elsewhere=two)


def again(_page: Client, section: Section) -> Asked:
    in_two(section, 3, 4)
    for number in (3, 4):
        withdraw_participant(actor=ACTOR, participant_id=key(section, number))
    one, two = (address(section, f"entries/{key(section, number)}/readmit/") for number in (3, 4))
    return Asked(one, elsewhere=two)


def move(_page: Client, section: Section) -> Asked:
    in_two(section, 3, 4)
    SectionFactory(event=section.event, name="Blitz", slug="blitz")
    SectionFactory(event=section.event, name="Rapid", slug="rapid")
    path = address(section, f"entries/{key(section, 3)}/move/")
    return Asked(path, {"to": "blitz"}, {"to": "rapid"})


def limits(_page: Client, section: Section) -> Asked:
    paired(section)
    form = {"name": section.name, "half_bye_limit": "2", "last_bye_round": "5", "reason": "the rules say so"}
    return Asked(address(section, "settings/"), form, {"half_bye_limit": "3"})


def tie_breaks(page: Client, section: Section) -> Asked:
    paired(section)
    path = address(section, "tie-breaks/")
    form = {
        "code": ["WIN"],
        "do": "save",
        "reason": "misprint",
        "seen": seen_on(page.get(path).content.decode()),
    }
    return Asked(path, form, {"code": ["WON"]})


def fide_mode(_page: Client, section: Section) -> Asked:
    played(section)
    path = address(section, "settings/fide-mode/")
    return Asked(path, {"reason": "club"}, meanwhile=lambda: paired(section))


def correction(_page: Client, section: Section) -> Asked:
    played(section)
    paired(section)
    game = section.played_rounds.get(number=1).games.get(board=1)
    form = {"version": str(game.version), "reason": "Both said so", "effect": "next", "result": "1-0"}
    return Asked(address(section, "round/1/corrections/1/"), form, {"result": "0-1"})


def points(_page: Client, section: Section) -> Asked:
    played(section)
    form = {"effect": "more", "points": "½", "after_round": "1", "reason": "a bonus", "seen": "0"}
    return Asked(address(section, f"entries/{key(section, 3)}/points/"), form, {"points": "1"})


def adjourned(_page: Client, section: Section) -> Asked:
    game = enter(played(section).games.get(board=3), "adj")
    paired(section)
    path = address(section, "round/1/results/")
    return Asked(path, results([game], board3="1-0"), results([game], board3="0-1"))


def pair_while_adjourned(_page: Client, section: Section) -> Asked:
    enter(played(section).games.get(board=3), "adj")
    for game in paired(section).games.all():
        enter(game, "1/2")
    one = section.played_rounds.get(number=1).games.get(board=4)
    assert one.result == "1/2"
    form = {"after_round": 2}
    return Asked(
        address(section, "pair/"),
        form,
        meanwhile=lambda: section.played_rounds.get(number=1).games.filter(board=4).update(result="adj"),
    )


def pair_while_results_wait(_page: Client, section: Section) -> Asked:
    row = played(section)
    user = User.objects.get(username="olga")

    def waits(count: int) -> None:
        kind = WaitingOnDevice.Kind.RESULTS
        found = WaitingOnDevice(section=section, number=row.number, round=row, kind=kind, count=count)
        note_waiting(user=user, device="11-22-33-44", rows=[found])

    waits(2)
    meanwhile = lambda: waits(3)  # noqa: E731
    return Asked(address(section, "pair/"), {"after_round": 1}, meanwhile=meanwhile)


def equals(_page: Client, section: Section) -> Asked:
    section.participants.filter(tpn__in=(2, 3, 4)).update(rating=2475)
    section.refresh_from_db()
    places = {f"place-{key(section, number)}": place for number, place in ((2, 3), (3, 2), (4, 1))}
    form = {"rating": "2475", "revision": section.revision, **places}
    return Asked(address(section, "entries/equal/"), form, {f"place-{key(section, 2)}": 1})


def check_in(_page: Client, section: Section) -> Asked:
    open_check_in(actor=ACTOR, section_id=section.pk, after_round=0)
    meanwhile = lambda: withdraw_participant(actor=ACTOR, participant_id=key(section, 3))  # noqa: E731
    return Asked(address(section, "check-in/close/"), meanwhile=meanwhile)


def closing(_page: Client, section: Section) -> Asked:
    Section.objects.filter(pk=section.pk).update(rounds=1)
    played(section)
    other = section_of(4, event=section.event, rounds=1, slug="other", name="Other")
    for game in paired(other).games.all():
        enter(game, "1/2")
    return Asked(address(section, "close/"), elsewhere=address(other, "close/"))


def reopening(_page: Client, section: Section) -> Asked:
    Section.objects.filter(pk=section.pk).update(rounds=1)
    played(section)
    close_section(actor=ACTOR, section_id=section.pk)
    other = in_two(section, 3)
    player = section.participants.get(tpn=4).player
    meanwhile = lambda: ParticipantFactory(section=other, player=player)  # noqa: E731
    player.fide_id = 4100004
    player.save()
    return Asked(address(section, "reopen/"), {"reason": "a slip"}, meanwhile=meanwhile)


def shown_again(_page: Client, section: Section) -> Asked:
    take_section_away(actor=ACTOR, section_id=section.pk)
    other = in_two(section, 3)
    player = section.participants.get(tpn=4).player
    player.fide_id = 4100004
    player.save()
    return Asked(
        address(section, "bring-back/"),
        meanwhile=lambda: ParticipantFactory(section=other, player=player),
    )


def entries_list(page: Client, section: Section) -> Asked:
    paired(section)
    rows = "Name;Rating\nLate, Lea;2485\nLate, Leo;\n"
    html = upload(page, address(section, "entries/import/"), rows)[1]
    section.refresh_from_db()
    form = {"upload": token(html), "revision": section.revision, "unrated": "1500"}
    return Asked(address(section, "entries/import/check/"), form, {"unrated": "2515"})


def copy(page: Client, section: Section) -> Asked:
    for number in (1, 2):
        player = section.participants.get(tpn=number).player
        player.fide_id = 4100000 + number
        player.save()
    html = upload(page, "/new/-/load/", copy_file(section), "copy.json.gz")[1]
    form = {"upload": token(html), "into": section.event.slug, "name": "Again"}
    return Asked("/new/-/load/check/", form, {"name": "Once more"})


QUESTIONS = [
    bye, bye_instead, absences, late_entry, rating, entry_in_two, removal, again, move, limits, tie_breaks, fide_mode,
    correction, points, adjourned, pair_while_adjourned, pair_while_results_wait, equals, check_in, closing, reopening,
    shown_again, entries_list, copy,
]  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each.__name__)
def test_page_asks_again_after_another_value_and_saves_nothing(
    owners_page: Client, section: Section, question: Callable[[Client, Section], Asked]
) -> None:
    asked = question(owners_page, section)
    before = tables()
    first = owners_page.post(asked.path, asked.form)
    yes = answers_in(first)
    assert (bool(yes), tables()) == (True, before)
    asked.meanwhile()
    before = tables()
    form = {**asked.form, **asked.other, "answer": yes}
    second = owners_page.post(asked.elsewhere or asked.path, form)
    assert tables() == before
    assert second.status_code in (200, 409, 422)
    assert set(answers_in(second)) - set(yes)
    if not asked.elsewhere:  # the new question can be answered
        given = yes
        for _time in range(3):
            given = [*given, *answers_in(second)]
            second = owners_page.post(asked.path, {**form, "answer": given[-6:]})
            if tables() != before:
                return
        pytest.fail("no yes was taken")


def test_yes_on_the_page_of_an_undo_counts_for_the_actions_that_it_named(
    page: Client, section: Section
) -> None:
    """The page says which actions come back. The message after an action names it, and needs no yes."""
    for number in (1, 2):
        request_bye(actor=ACTOR, participant_id=key(section, number), round_number=3, kind="Z")
    for number in (1, 2):
        undo(actor=ACTOR, section_id=section.pk, revision=number)
    one, two = (address(section, f"log/{revision}/undo/") for revision in (3, 4))
    yes = answers_in(page.get(one))
    before = tables()
    again = page.post(two, {"answer": yes})
    assert (again.status_code, tables()) == (422, before)
    assert page.post(two, {"answer": answers_in(again)}).status_code == 302
    assert page.post(one, {"answer": yes}).status_code == 302
    assert section.participants.filter(byes__round_number=3).count() == 2
