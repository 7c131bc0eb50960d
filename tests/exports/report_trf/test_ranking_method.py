"""Record 172 and the official ratings in the reports of a section."""

from __future__ import annotations

import pytest
from django.db.models import F

from pairing.engine.trf import read_report
from tests.engine.trf.columns import as_file, player_line
from tests.engine.trf.test_ranking_method import national
from tests.exports.report_trf.conftest import fresh, starting_with
from tests.factories import EventFactory
from tests.queries.sections import MadeSection
from tournaments.actions.ledger import Actor
from tournaments.actions.report_import import import_report
from tournaments.exports.report_trf import tournament_report
from tournaments.imports.report_trf import report_preview
from tournaments.models import Event, Participant, Section

pytestmark = pytest.mark.django_db


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
def test_other_ratings_are_another_method(section: MadeSection, for_rating: bool) -> None:
    Participant.objects.update(official_rating=F("rating"))
    Participant.objects.filter(pk=section.people["Bert"].pk).update(official_rating=2222)
    Participant.objects.filter(pk=section.people["Carl"].pk).update(official_rating=None)
    comments = (
        ["### Tournament ratings: 2=1900 3=1801"] if for_rating else ["### Official ratings: 2=2222 3=0"]
    )
    heads = ("172", "### Official", "### Tournament")
    assert starting_with(section, *heads, for_rating=for_rating) == ["172 FID OTHER", *comments]


@pytest.mark.parametrize("for_rating", [False, True])
def test_official_ratings_come_back_from_both_reports(section: MadeSection, for_rating: bool) -> None:
    Participant.objects.filter(pk=section.people["Bert"].pk).update(official_rating=2222)
    data = tournament_report(fresh(section), for_rating=for_rating)
    copied = imported(data)
    found = list(copied.participants.order_by("tpn").values_list("rating", "official_rating"))
    assert found == list(section.row.participants.order_by("tpn").values_list("rating", "official_rating"))
    heads = ("### Official", "### Tournament")
    assert lines(copied, *heads, for_rating=for_rating) == starting_with(
        section, *heads, for_rating=for_rating
    )


def test_nobody_has_an_official_rating(section: MadeSection) -> None:
    assert starting_with(section, "### Official") == ["### Official ratings: none"]
    copied = imported(tournament_report(fresh(section)))
    assert set(copied.participants.values_list("official_rating", flat=True)) == {None}


NATIONAL = as_file(
    *(
        player_line(starting_rank=rank, name=f"No, {rank}", rating=rating)
        for rank, rating in ((1, ""), (2, 2000), (3, 1950))
    ),
    *("142 5", "172 NED FIDON", national(1, 2100), national(3, 1700)),
)


def test_national_ratings_of_a_file_are_used_and_the_method_is_written_back() -> None:
    report = read_report(NATIONAL)
    assert (
        "The tournament rating of 1 player follows from the national records of the file (172 NED FIDON)."
        in map(str, report_preview(report).adjustments)
    )
    row = imported(NATIONAL)
    ratings = row.participants.order_by("tpn").values_list("rating", "official_rating")
    assert list(ratings) == [(2100, None), (2000, 2000), (1950, 1950)]
    for for_rating in (False, True):
        assert lines(row, "172", for_rating=for_rating) == ["172 NED FIDON"]
    row.participants.filter(tpn=3).update(rating=1960)
    assert lines(row, "172") == ["172 NED FIDON"], "its rating is in 001"
    assert lines(row, "172", for_rating=True) == ["172 NED OTHER"], "001 has the official rating"


def test_unknown_method_is_kept() -> None:
    row = imported(as_file(player_line(starting_rank=1, name="A, B", rating=2000), "142 5", "172 NED BEST"))
    assert lines(row, "172") == ["172 NED BEST"]
