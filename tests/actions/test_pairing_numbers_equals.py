"""Players with the same rating in the order of the arbiter (C.04.2, 2.2 and 2.3; VCL4THP.13 Q147 to Q155)."""

from __future__ import annotations

import pytest

from tests.actions.refusals import one_step, refused
from tests.factories import entry_data, section_of
from tests.web.staff.conftest import paired, played
from tournaments.actions.entries import add_participant, edit_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.pairing_numbers import order_equals
from tournaments.actions.undo import undo
from tournaments.files.report_writing import tournament_report
from tournaments.models import Integrity, Participant, Section

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(actor: Actor) -> Section:
    """Return a section: Ann (2500), then Bea, Cid, Dan and Eve (2400), then Fay (2300)."""
    section = section_of(0, initial_colour="w")
    for name, rating in (
        ("Fay", 2300),
        ("Eve", 2400),
        ("Dan", 2400),
        ("Cid", 2400),
        ("Bea", 2400),
        ("Ann", 2500),
    ):
        add_participant(actor=actor, section_id=section.pk, entry=entry_data(name, rating))
    return section


def names(section: Section) -> str:
    order = section.participants.order_by("tpn").values_list("player__name", flat=True)
    return "".join(name[0] for name in order)


def entry(section: Section, letter: str) -> Participant:
    return section.participants.select_related("player").get(player__name__startswith=letter)


def reorder(actor: Actor, section: Section, letters: str, *, asked: bool = True) -> None:
    section.refresh_from_db()
    order_equals(
        actor=actor,
        section_id=section.pk,
        order=[entry(section, letter).pk for letter in letters],
        seen_revision=section.revision,
        asked=asked,
    )


def test_players_with_one_rating_change_places(actor: Actor, section: Section) -> None:
    assert names(section) == "ABCDEF"
    with refused("equals_to_confirm", round=0, numbers=[(2, 3), (3, 4), (4, 5), (5, 2)]):
        reorder(actor, section, "EBCD", asked=False)
    with one_step(section, "order_equals") as logged:
        reorder(actor, section, "EBCD")
    assert names(section) == "AEBCDF"
    reorder(actor, section, "CBED")
    assert names(section) == "ACBEDF"  # the number between those that change stays
    assert (logged[0].subject, logged[0].integrity) == ("2400", Integrity.NONE)
    assert logged[0].after["numbers"] == [[2, 3], [3, 4], [4, 5], [5, 2]]


def test_order_is_kept_by_a_renumbering(actor: Actor, section: Section) -> None:
    reorder(actor, section, "EDCB")
    add_participant(actor=actor, section_id=section.pk, entry=entry_data("Abe", 2400, title="GM"))
    add_participant(actor=actor, section_id=section.pk, entry=entry_data("Gus", 2450))
    assert names(section) == "AGEDCBAF"


def test_player_with_a_corrected_rating_loses_the_place_in_the_order(actor: Actor, section: Section) -> None:
    reorder(actor, section, "EDCB")
    for rating in (2410, 2400):
        edit_participant(actor=actor, participant_id=entry(section, "E").pk, entry=entry_data("Eve", rating))
    assert names(section) == "ADCBEF"


def test_player_with_another_club_keeps_the_place_in_the_order(actor: Actor, section: Section) -> None:
    reorder(actor, section, "EDCB")
    for name, details in (("Eve", {"club": "Caissa"}), ("Ann", {"title": "GM"})):
        found = entry(section, name[0])
        data = entry_data(name, found.rating, **details)
        edit_participant(actor=actor, participant_id=found.pk, entry=data)
    assert names(section) == "AEDCBF"


def test_order_is_undone_and_stays_undone(actor: Actor, section: Section) -> None:
    reorder(actor, section, "EBCD")
    row = section.log.latest("revision")
    back = undo(actor=actor, section_id=section.pk, revision=row.revision)
    assert (back.action, names(section)) == ("order_equals", "ABCDEF")
    add_participant(actor=actor, section_id=section.pk, entry=entry_data("Gus", 2450))
    assert names(section) == "AGBCDEF"


def test_undo_of_an_earlier_action_keeps_the_order(actor: Actor, section: Section) -> None:
    add_participant(actor=actor, section_id=section.pk, entry=entry_data("Gus", 2450))
    row = section.log.latest("revision")
    reorder(actor, section, "EBCD")
    undo(actor=actor, section_id=section.pk, revision=row.revision)
    assert names(section) == "AEBCDF"


def test_report_of_a_running_section_has_the_exchange(actor: Actor, section: Section) -> None:
    played(section)
    with refused("equals_to_confirm", round=1):
        reorder(actor, section, "CBDE", asked=False)
    reorder(actor, section, "CBDE")
    row = section.log.latest("revision")
    assert (row.integrity, row.round_number) == (Integrity.EXCHANGE, 1)
    report = tournament_report(section).decode().splitlines()
    assert [line for line in report if line.startswith("### Ex")] == ["### Exchange @ Round 1: 2=>3 3=>2"]


def test_order_cannot_change_after_round_4_is_paired(actor: Actor, section: Section) -> None:
    for rating in range(2200, 2206):
        add_participant(actor=actor, section_id=section.pk, entry=entry_data(f"Guest {rating}", rating))
    for _round in range(3):
        played(section)
    paired(section)
    with refused("numbers_frozen"):
        reorder(actor, section, "EBCD")


@pytest.mark.parametrize("letters", ["EB", "EBCA", "EBCDD", "ABCDEF", ""])
def test_order_must_name_all_players_of_one_rating(actor: Actor, section: Section, letters: str) -> None:
    with refused("not_equal"):
        reorder(actor, section, letters)


def test_order_that_changes_nothing_is_refused(actor: Actor, section: Section) -> None:
    with refused("equals_same"):
        reorder(actor, section, "BCDE")


def test_old_page_is_refused(actor: Actor, section: Section) -> None:
    with refused("stale", seen=0):
        order_equals(actor=actor, section_id=section.pk, order=[1, 2], seen_revision=0, asked=True)
