"""Record 172 and the official ratings in the reports of a section."""

from __future__ import annotations

import pytest
from django.db.models import F

from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.tests.trf.test_ranking_method import national
from evenboard_engine.trf import as_paired, read_report
from evenboard_engine.trf.file_warnings import file_warnings
from tests.exports.report_trf.conftest import fresh, starting_with
from tests.factories import EventFactory, SectionFactory
from tests.queries.sections import MadeSection
from tournaments.actions.entries import add_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.ratings import set_rating_method
from tournaments.actions.reports import import_report
from tournaments.entry_data import EntryData
from tournaments.files.report_reading import report_preview
from tournaments.files.report_writing import tournament_report
from tournaments.models import Event, Participant, RatingSource, Section

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def imported(data: bytes) -> Section:
    report = read_report(data)
    made = import_report(actor=Actor.command(), event=EventFactory(), name="Open", report=report)
    return Section.objects.select_related("event").get(pk=made.pk)


def lines(row: Section, *codes: str, for_rating: bool = False) -> list[str]:
    text = tournament_report(row, for_rating=for_rating).decode()
    return [line for line in text.splitlines() if line.startswith(codes)]


@pytest.mark.parametrize("for_rating", [False, True])
def test_numbers_by_official_ratings_follow_fide(section: MadeSection, for_rating: bool) -> None:
    Participant.objects.update(official_rating=F("rating"))
    assert starting_with(section, "172", for_rating=for_rating) == ["172 FID FIDE"]
    Event.objects.update(federation="NED")
    assert starting_with(section, "172", "### Official", for_rating=for_rating) == ["172 NED FIDE"]


@pytest.mark.parametrize("for_rating", [False, True])
def test_both_reports_have_the_official_ratings_and_say_where_others_come_from(
    section: MadeSection, for_rating: bool
) -> None:
    """A running tournament has a record with the origin (S: standard list, M: typed), a final report a comment."""
    Participant.objects.update(official_rating=F("rating"), rating_source=RatingSource.STANDARD)
    Participant.objects.filter(pk=section.people["Bert"].pk).update(official_rating=2222)
    Participant.objects.filter(pk=section.people["Carl"].pk).update(
        official_rating=None, rating_source=RatingSource.PROVISIONAL
    )
    found = starting_with(section, "001    2", "001    3", for_rating=for_rating)
    assert [line[48:52] for line in found] == ["2222", "    "]
    heads = ("172", "SSS", "MMM", "### Official", "### Tournament")
    assert starting_with(section, *heads, for_rating=for_rating) == [
        "172 FID OTHER",
        *(
            ["### Tournament ratings: 2=1900 3=1801"]
            if for_rating
            else [
                "SSS    2      Bert                              1900",
                "MMM    3      Carl                              1801",
            ]
        ),
    ]


@pytest.mark.parametrize("for_rating", [False, True])
@pytest.mark.parametrize("official", [2222, None, 1900])
def test_official_ratings_come_back_from_both_reports(
    section: MadeSection, for_rating: bool, official: int | None
) -> None:
    Participant.objects.filter(pk=section.people["Bert"].pk).update(official_rating=official)
    copied = imported(tournament_report(fresh(section), for_rating=for_rating))
    columns = ("rating", "official_rating")
    found = list(copied.participants.order_by("tpn").values_list(*columns))
    assert found == list(section.row.participants.order_by("tpn").values_list(*columns))
    for again in (False, True):
        assert ratings_in(copied, for_rating=again) == ratings_in(fresh(section), for_rating=again)


def ratings_in(row: Section, *, for_rating: bool) -> list[str]:
    """Return the lines about ratings, except their origin: a final report does not say it."""
    found = lines(row, "001", "### Official", "### Tournament", for_rating=for_rating)
    return [line if line.startswith("###") else line[:79] for line in found]


NATIONAL = as_file(
    *(
        player_line(starting_rank=rank, name=f"No, {rank}", rating=rating)
        for rank, rating in ((1, ""), (2, 2000), (3, 1950))
    ),
    *("142 5", "172 NED FIDON", national(1, 2100), national(3, 1700)),
)


def test_national_ratings_and_the_method_of_a_file_are_those_of_the_section() -> None:
    report = read_report(NATIONAL)
    preview = report_preview(report)
    assert preview.unused == ()
    assert (
        "The tournament rating of 1 player follows from the national records of the file (172 NED FIDON)."
        in map(str, preview.adjustments)
    )
    row = imported(NATIONAL)
    assert (row.rating_method, row.rating_federation, row.report_records) == ("FIDON", "NED", [])
    ratings = row.participants.order_by("tpn").values_list("rating", "official_rating", "national_rating")
    assert list(ratings) == [(2100, None, 2100), (2000, 2000, None), (1950, 1950, 1700)]
    assert lines(row, "172", "NED", "###") == [
        "172 NED FIDON",
        NED_1,
        NED_3,
        *lines(row, "###"),
    ]
    assert lines(row, "172", "NED", for_rating=True) == ["172 NED FIDON", NED_1]


NED_1 = "NED    1      No, 1                             2100"
NED_3 = "NED    3      No, 3                             1700"


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("method", "ratings", "final"),
    [
        ("FIDE", [2000, 2100, 1500, 1800], ["### Tournament ratings: 3=1500"]),
        ("NRO", [2050, 1950, 1900, 1800], ["NED 1", "NED 2", "NED 3", "### Tournament ratings: 4=1800"]),
        ("FIDON", [2000, 2100, 1900, 1800], ["NED 3"]),
        ("NIDOF", [2050, 1950, 1900, 1800], ["NED 1", "NED 2", "NED 3"]),
        ("HBFN", [2050, 2100, 1900, 1800], ["NED 1", "NED 3"]),
        ("LBFN", [2000, 1950, 1900, 1800], ["NED 2", "NED 3"]),
    ],
)
def test_final_report_has_national_records_where_they_ranked_a_player(
    method: str, ratings: list[int], final: list[str]
) -> None:
    """The entries have FIDE and national ratings; the third one has no FIDE rating but a typed one."""
    section = SectionFactory(rounds=5)
    known = ((2000, 2050), (2100, 1950), (None, 1900), (1800, None))
    actor = Actor.command()
    for name, (fide, home) in zip("ABCD", known, strict=True):
        data = EntryData(name=name, rating=fide or 1500, official_rating=fide, national_rating=home)
        add_participant(actor=actor, section_id=section.pk, entry=data)
    set_rating_method(actor=actor, section_id=section.pk, rating_method=method, rating_federation="NED")
    row = Section.objects.select_related("event").get(pk=section.pk)
    found = dict(row.participants.values_list("player__name", "rating"))
    assert [found[name] for name in "ABCD"] == ratings
    entered = {entry.tpn: "ABCD".index(entry.player.name) + 1 for entry in row.participants.all()}
    written = lines(row, "NED", "### Tournament", for_rating=True)
    ranked = sorted(f"NED {entered[int(line[4:8])]}" for line in written if line.startswith("NED"))
    comments = [
        f"{line[: line.index(':') + 2]}{entered[int(line.split()[-1].split('=')[0])]}={line.split('=')[1]}"
        for line in written
        if line.startswith("###")
    ]
    assert [*ranked, *comments] == final
    for for_rating in (False, True):
        report = read_report(tournament_report(row, for_rating=for_rating))
        read = {player.name: player.rating for player in as_paired(report).players}
        assert [read[name] for name in "ABCD"] == ratings
        copied = imported(tournament_report(row, for_rating=for_rating))
        assert copied.rating_method == method
        assert list(copied.participants.order_by("tpn").values_list("rating", "official_rating")) == list(
            row.participants.order_by("tpn").values_list("rating", "official_rating")
        )


@pytest.mark.parametrize("for_rating", [False, True])
@pytest.mark.parametrize("method", ["NRO", "FIDON", "NIDOF", "HBFN", "LBFN"])
def test_section_without_any_national_rating_writes_a_file_that_is_read_alike(
    method: str, for_rating: bool
) -> None:
    """The checker warns only where the method reads nothing but national ratings."""
    section = SectionFactory(rounds=5)
    actor = Actor.command()
    set_rating_method(actor=actor, section_id=section.pk, rating_method=method, rating_federation="NED")
    for name, rating, fide in (("A", 2000, 2000), ("B", 1950, 1900), ("C", 1800, None)):
        data = EntryData(name=name, rating=rating, official_rating=fide)
        add_participant(actor=actor, section_id=section.pk, entry=data)
    row = Section.objects.select_related("event").get(pk=section.pk)
    report = read_report(tournament_report(row, for_rating=for_rating))
    wrong = [doubt.code for doubt in file_warnings(report) if doubt.code == "no_national_ratings"]
    assert wrong == (["no_national_ratings"] if method == "NRO" else [])
    read = {player.name: player.rating or 0 for player in as_paired(report).players}
    assert read == dict(row.participants.values_list("player__name", "rating"))


def test_kept_national_records_of_another_federation_stay_lines() -> None:
    data = NATIONAL + as_file(national(2, 1234, "GER"))
    row = imported(data)
    assert row.report_records == [national(2, 1234, "GER")]


def test_file_whose_ratings_are_not_those_of_its_method_has_no_method() -> None:
    row = imported(NATIONAL + as_file("### Tournament ratings: 2=2300"))
    assert row.rating_method == "OTHER"
    assert list(row.participants.order_by("-rating").values_list("rating", flat=True)) == [2300, 2100, 1950]


def test_unknown_method_is_kept() -> None:
    row = imported(as_file(player_line(starting_rank=1, name="A, B", rating=2000), "142 5", "172 NED BEST"))
    assert lines(row, "172") == ["172 NED BEST"]
