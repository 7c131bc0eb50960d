"""Rating periods of a tournament of more than 30 days (VCL4THP.13 Q210 to Q216)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from evenboard_engine.checking.standings import check_standings
from evenboard_engine.trf import read_report
from tests.factories import EventFactory, SectionFactory
from tests.queries.sections import MadeSection, make_section
from tournaments.actions.ledger import Actor
from tournaments.actions.ratings import set_period_ratings, set_rating_periods
from tournaments.actions.reports import import_report
from tournaments.errors import DomainError
from tournaments.files.report_writing import period_report, tournament_report
from tournaments.models import Integrity, Participant, Section
from tournaments.queries.field import load_field
from tournaments.queries.sections import suggested_starts
from tournaments.queries.standings import standings_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(actor: Actor) -> MadeSection:
    """Three rounds, played in October, November and December; the second period begins with round 3."""
    made = make_section(
        {"Ann": 2000, "Bea": 1900, "Cem": 1800, "Dan": 1700},
        "Ann 1-0 Cem; Bea 1-0 Dan",
        "Bea 1/2 Ann; Dan 1-0 Cem",
        "Ann 1-0 Dan; Cem 1-0 Bea",
        planned=3,
    )
    row = made.row
    row.schedule = ["2026-10-17", "2026-11-01", "2026-12-05"]
    row.tie_breaks = ["ARO"]
    row.save()
    row.participants.update(official_rating=1600)
    set_rating_periods(
        actor=actor, section_id=row.pk, longer_than_30_days=True, period_starts=[3], period_counted="first"
    )
    ratings = {made.people["Dan"].pk: 2300, made.people["Cem"].pk: 0, made.people["Ann"].pk: None}
    set_period_ratings(actor=actor, section_id=row.pk, period=2, ratings=ratings)
    return made


def fresh(section: MadeSection) -> Section:
    return Section.objects.select_related("event").get(pk=section.row.pk)


def aro_of_ann(row: Section) -> int:
    found = next(one for one in standings_of(load_field(row)).rows if one.name == "Ann")
    (value,) = found.values
    return int(value)


@pytest.mark.parametrize(
    ("counted", "expected"), [("first", (1800 + 1900 + 1700) / 3), ("round", (1800 + 1900 + 2300) / 3)]
)
def test_rating_tie_breaks_use_the_first_ratings_or_those_of_the_round(
    actor: Actor, section: MadeSection, counted: str, expected: float
) -> None:
    Section.objects.update(period_counted=counted)
    row = fresh(section)
    assert aro_of_ann(row) == expected
    report = read_report(tournament_report(row))
    standings = check_standings(report)
    assert standings is not None
    assert standings.misplaced == ()


def test_rating_of_the_last_period_counts_in_all_rounds(section: MadeSection) -> None:
    """Bea met Dan in round 1; his rating of the last period is 2300."""
    Section.objects.update(period_counted="last")
    rows = standings_of(load_field(fresh(section))).rows
    (value,) = next(one for one in rows if one.name == "Bea").values
    assert int(value) == (2300 + 2000 + 1800) // 3


def test_periods_and_their_ratings_are_in_the_report_and_come_back(section: MadeSection) -> None:
    Section.objects.update(period_counted="round")
    text = tournament_report(fresh(section)).decode()
    assert [line for line in text.splitlines() if "eriod" in line or "in tie-breaks" in line] == [
        "### Rating periods: 3",
        "### Period ratings @ Round 3: 3=0 4=2300",
        "### Rating in tie-breaks: round",
    ]
    made = import_report(
        actor=Actor.command(), report=read_report(text.encode()), event=EventFactory(), name="Copy"
    )
    assert (made.longer_than_30_days, made.period_starts, made.period_counted) == (True, [3], "round")
    found = made.participants.order_by("tpn").values_list("period_ratings", flat=True)
    assert list(found) == [{}, {}, {"2": 0}, {"2": 2300}]
    assert [line for line in made.report_records if "eriod" in line] == []


def test_report_of_a_period_has_its_rounds_days_and_ratings(section: MadeSection) -> None:
    row = fresh(section)
    lines = period_report(row, 2).decode().splitlines()
    heads = [line for line in lines if line.startswith(("042", "052", "072", "132", "202", "212", "172"))]
    assert heads == ["042 2026/12/05", "052 2026/12/05", "072 3", "132" + " " * 108 + "26/12/05"]
    players = [line for line in lines if line.startswith("001")]
    assert [(line[48:52].strip(), line[80:84].strip(), line[84:89].strip()) for line in players] == [
        ("1600", "1.0", ""),
        ("1600", "0.0", ""),
        ("", "1.0", ""),
        ("2300", "0.0", ""),
    ]
    assert players[0][89:] == " " * 20 + "     4 w 1"
    first = read_report(period_report(row, 1))
    assert [(player.points, player.rating) for player in first.players] == [
        (15, 1600),
        (15, 1600),
        (0, 1600),
        (10, 1600),
    ]
    assert first.rounds_paired == 2


def test_report_of_a_period_waits_for_its_games(actor: Actor, section: MadeSection) -> None:
    section.row.played_rounds.filter(number=3).delete()
    assert read_report(period_report(fresh(section), 1)).rounds_paired == 2
    for period, code in ((2, "period_running"), (3, "period_unknown")):
        with pytest.raises(DomainError) as refused:
            period_report(fresh(section), period)
        assert refused.value.code == code


@pytest.mark.parametrize(
    ("starts", "code"),
    [([1], "period_starts"), ([3, 3], "period_starts"), ([4], "period_starts"), ([], "period_too_long")],
)
def test_periods_are_ascending_and_at_most_30_days(
    actor: Actor, section: MadeSection, starts: list[int], code: str
) -> None:
    with pytest.raises(DomainError) as refused:
        set_rating_periods(
            actor=actor, section_id=section.row.pk, longer_than_30_days=True, period_starts=starts
        )
    assert refused.value.code == code


def test_change_of_the_rating_in_tie_breaks_is_in_the_report(actor: Actor, section: MadeSection) -> None:
    set_rating_periods(
        actor=actor,
        section_id=section.row.pk,
        longer_than_30_days=True,
        period_starts=[3],
        period_counted="last",
    )
    assert section.row.log.latest("pk").integrity == Integrity.CONFIGURATION
    text = tournament_report(fresh(section)).decode()
    assert "### Configuration @ Round 3: rating in tie-breaks first => last" in text


@pytest.mark.parametrize(
    ("period", "rating", "code"), [(1, 2000, "period_unknown"), (2, 4000, "rating_out_of_range")]
)
def test_ratings_of_periods_are_checked(
    actor: Actor, section: MadeSection, period: int, rating: int, code: str
) -> None:
    key = Participant.objects.first().pk  # type: ignore[union-attr]
    with pytest.raises(DomainError) as refused:
        set_period_ratings(actor=actor, section_id=section.row.pk, period=period, ratings={key: rating})
    assert refused.value.code == code


def test_suggested_periods_are_as_long_as_they_may_be() -> None:
    days = [date(2026, 1, 1) + timedelta(days) for days in (0, 15, 29, 30, 59, 60)]
    section = SectionFactory.build(event=EventFactory.build(), rounds=6, schedule=[f"{day}" for day in days])
    assert suggested_starts(section) == (4, 6)
    section.rounds = 7
    assert suggested_starts(section) == ()
