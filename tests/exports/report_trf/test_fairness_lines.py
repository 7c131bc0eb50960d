"""Comments of a report on how fair the pairings were. Their values are worked out by hand in queries/test_fairness."""

from __future__ import annotations

import pytest

from pairing.engine.checking.rounds import check_rounds
from pairing.engine.checking.standings import check_standings
from pairing.engine.trf import is_measure_line, read_report
from pairing.engine.trf import measure_lines as written
from tests.exports.report_trf.conftest import fresh, lines
from tests.queries.sections import MadeSection, add_round, make_section
from tests.queries.test_fairness import FOUR, ROUNDS
from tournaments.actions.ledger import Actor
from tournaments.actions.report_import import import_report
from tournaments.exports.report_trf import tournament_report
from tournaments.imports.report_adjustments import unused_lines
from tournaments.models import Round, Section

pytestmark = pytest.mark.django_db

MEASURED = [
    "### Fairness, spread of ARO by round: 2=50.0/0.0 3=0.0/11.8",
    "### Fairness, agreement of points and performance: 1.000",
    "### Fairness, quality of the pairing: OTHER_PT/ARO=6.7% OTHER_PT/BH=0.0%",
]


def of_fairness(section: MadeSection, *, for_rating: bool = False) -> list[str]:
    return [line for line in lines(section, for_rating=for_rating) if line.startswith("### Fairness")]


def imported(section: MadeSection, data: bytes, actor: Actor) -> Section:
    return import_report(actor=actor, event=section.row.event, name="Again", report=read_report(data))


@pytest.mark.parametrize("for_rating", [False, True])
def test_both_reports_have_the_measures(for_rating: bool) -> None:
    assert of_fairness(make_section(FOUR, *ROUNDS), for_rating=for_rating) == MEASURED


def test_measures_are_those_of_the_rounds_that_are_over() -> None:
    made = make_section(FOUR, ROUNDS[0])
    assert of_fairness(made) == [
        "### Fairness, agreement of points and performance: 1.000",
        "### Fairness, quality of the pairing: OTHER_PT/ARO=none OTHER_PT/BH=none",
    ]
    add_round(made, 2, "Bert . Anna; Carl 1-0 Dora", Round.State.PUBLISHED)
    assert len(of_fairness(made)) == 2


@pytest.mark.parametrize("rounds", [[], ["Anna . Carl; Dora 0-1 Bert"]])
def test_report_without_a_round_that_is_over_has_no_measures(rounds: list[str]) -> None:
    assert of_fairness(make_section(FOUR, *rounds)) == []


def test_report_of_a_round_robin_has_no_measures() -> None:
    assert of_fairness(make_section(FOUR, *ROUNDS, system="round-robin")) == []


def test_import_makes_the_measures_again_and_keeps_other_comments() -> None:
    """Results of the file may have been changed by hand: then its measures are not those of its rounds."""
    made, actor = make_section(FOUR, *ROUNDS), Actor.command()
    data = tournament_report(fresh(made)).replace(b"performance: 1.000", b"performance: 0.123")
    data += b"### Fairness, in my view: good\r\n### Fairness, agreement of points and performance: high\r\n"
    again = imported(made, data, actor)
    comments = [
        line for line in tournament_report(again).decode().splitlines() if line.startswith("### Fair")
    ]
    assert comments == [
        "### Fairness, in my view: good",
        "### Fairness, agreement of points and performance: high",
        *MEASURED,
    ]
    assert unused_lines(read_report(data), "dubov") == tuple(comments[:2])


def test_check_finds_no_difference_because_of_the_measures() -> None:
    made = make_section(FOUR, *ROUNDS)
    report = read_report(tournament_report(fresh(made)))
    bare = read_report(
        b"\r\n".join(
            line for line in tournament_report(fresh(made)).splitlines() if not line.startswith(b"### Fair")
        )
    )
    assert list(check_rounds(report)) == list(check_rounds(bare))
    assert check_standings(report) == check_standings(bare)


@pytest.mark.parametrize(
    "text",
    [
        *MEASURED,
        *written({}, None, {"OTHER_PT/ARO97": None}),
        "### Fairness, agreement of points and performance: -0.250",
    ],
)
def test_lines_of_the_program_are_known(text: str) -> None:
    assert is_measure_line(text)


@pytest.mark.parametrize(
    "text",
    [
        "### Fairness",
        "### Fairness, spread of ARO by round: 2=50",
        "### Fairness, agreement of points and performance: 1.000 1.000",
        "### Fairness, quality of the pairing: BH=1.0%",
        "### fairness, agreement of points and performance: 1.000",
    ],
)
def test_other_lines_are_not(text: str) -> None:
    assert not is_measure_line(text)
