"""Which rating is the tournament rating (record 172), and what numbers equal players."""

from __future__ import annotations

import pytest

from pairing.rounds import pair_next_round, publish_round
from tests.factories import RoundFactory, SectionFactory
from tournaments.actions.entries import add_participant, edit_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.ratings import set_rating_method
from tournaments.actions.undo import undo
from tournaments.entry_data import EntryData
from tournaments.errors import DomainError, Stale
from tournaments.files.entry_preview import entry_of
from tournaments.files.report_writing import tournament_report
from tournaments.models import RatingSource, Section

pytestmark = pytest.mark.django_db
ENTRIES = {
    "Ann": EntryData(name="Ann", rating=1500, official_rating=2000, national_rating=2050),
    "Bea": EntryData(name="Bea", rating=1500, official_rating=2100, national_rating=1950),
    "Cem": EntryData(name="Cem", rating=1500, national_rating=1900),
    "Dan": EntryData(name="Dan", rating=1500, rating_source=RatingSource.PROVISIONAL),
}


def entered(actor: Actor, *entries: EntryData, **settings: object) -> Section:
    section = SectionFactory(**settings)
    for entry in entries:
        add_participant(actor=actor, section_id=section.pk, entry=entry)
    return section


def by_number(section: Section) -> list[tuple[str, int, str]]:
    rows = section.participants.order_by("tpn")
    return list(rows.values_list("player__name", "rating", "rating_source"))


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("FIDE", [("Bea", 2100, "official"), ("Ann", 2000, "official"), ("Cem", 1500, "typed")]),
        ("NRO", [("Ann", 2050, "national"), ("Bea", 1950, "national"), ("Cem", 1900, "national")]),
        ("FIDON", [("Bea", 2100, "official"), ("Ann", 2000, "official"), ("Cem", 1900, "national")]),
        ("NIDOF", [("Ann", 2050, "national"), ("Bea", 1950, "national"), ("Cem", 1900, "national")]),
        ("HBFN", [("Bea", 2100, "official"), ("Ann", 2050, "national"), ("Cem", 1900, "national")]),
        ("LBFN", [("Ann", 2000, "official"), ("Bea", 1950, "national"), ("Cem", 1900, "national")]),
    ],
)
def test_method_gives_ratings_and_numbers(
    actor: Actor, method: str, expected: list[tuple[str, int, str]]
) -> None:
    section = entered(actor, *ENTRIES.values())
    set_rating_method(actor=actor, section_id=section.pk, rating_method=method)
    assert by_number(section) == [*expected, ("Dan", 1500, "provisional")]
    row = section.log.latest("pk")
    assert {key: value["rating"] for key, value in row.after["entries"]} == {
        entry.pk: entry.rating for entry in section.participants.all() if entry.rating != 1500
    }
    undo(actor=actor, section_id=section.pk, revision=row.revision)
    assert {rating for _name, rating, _source in by_number(section)} == {1500}


def test_highest_rating_may_be_the_typed_one(actor: Actor) -> None:
    section = entered(actor, rating_method="HBFN")
    for typed, expected in ((2200, (2200, "typed")), (1800, (2050, "national"))):
        entry = EntryData(name=f"P{typed}", rating=typed, official_rating=2000, national_rating=2050)
        made = add_participant(actor=actor, section_id=section.pk, entry=entry)
        assert (made.rating, made.rating_source) == expected


def test_changed_national_rating_changes_the_tournament_rating(actor: Actor) -> None:
    section = entered(actor, *ENTRIES.values(), rating_method="NIDOF")
    entry = section.participants.select_related("player").get(player__name="Cem")
    edit_participant(
        actor=actor,
        participant_id=entry.pk,
        entry=EntryData(name="Cem", rating=entry.rating, national_rating=2222, national_id="N-77"),
    )
    entry.refresh_from_db()
    assert (entry.rating, entry.rating_source, entry.tpn) == (2222, "national", 1)
    assert entry.player.national_id == "N-77"
    assert entry_of(entry).national_id == "N-77"


def test_ratings_by_a_method_are_no_earlier_ratings_in_the_report(actor: Actor) -> None:
    """The method gave other ratings before round 1 was paired, so every round was paired with those of today."""
    section = entered(actor, *ENTRIES.values())
    set_rating_method(actor=actor, section_id=section.pk, rating_method="FIDON")
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    text = tournament_report(Section.objects.select_related("event").get(pk=section.pk)).decode()
    assert "### Earlier ratings" not in text


def test_method_is_locked_by_round_1(actor: Actor) -> None:
    section = SectionFactory()
    RoundFactory(section=section, number=1)
    with pytest.raises(DomainError) as refused:
        set_rating_method(actor=actor, section_id=section.pk, rating_method="NRO", equals_by="older")
    assert refused.value.params["fields"] == ["equals_by", "rating_method"]


def test_two_people_who_change_the_method_are_asked(actor: Actor) -> None:
    section = SectionFactory(rating_method="NRO")
    with pytest.raises(Stale):
        set_rating_method(
            actor=actor, section_id=section.pk, rating_method="FIDE", seen={"rating_method": "OTHER"}
        )


@pytest.mark.parametrize(
    ("equals_by", "expected"),
    [
        ("name", ["GM Zoe", "Ada", "Bob", "Cid", "Dot"]),
        ("younger", ["GM Zoe", "Bob", "Ada", "Dot", "Cid"]),
        ("older", ["GM Zoe", "Dot", "Ada", "Bob", "Cid"]),
        ("entry", ["GM Zoe", "Dot", "Cid", "Bob", "Ada"]),
    ],
)
def test_equal_players_are_numbered_by_the_announced_criterion(
    actor: Actor, equals_by: str, expected: list[str]
) -> None:
    """VCL4THP.13 Q146, Q155: after rating and title, also for a new entry. An unknown birth date comes last."""
    born = {"Dot": "1980", "Cid": "", "Bob": "2010/05/00", "Ada": "2010/04/30"}
    section = entered(
        actor,
        *(EntryData(name=name, rating=2000, birth_date=day) for name, day in born.items()),
    )
    set_rating_method(actor=actor, section_id=section.pk, rating_method="OTHER", equals_by=equals_by)
    add_participant(actor=actor, section_id=section.pk, entry=EntryData(name="Zoe", rating=2000, title="GM"))
    rows = section.participants.order_by("tpn").values_list("player__title", "player__name")
    assert [f"{title} {name}".strip() for title, name in rows] == expected
