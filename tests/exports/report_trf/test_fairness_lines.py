"""Comments of a report on how fair the pairings were. Their values are worked out by hand in queries/test_fairness."""

from __future__ import annotations

import pytest

from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.checking.standings import check_standings
from evenboard_engine.trf import is_measure_line, read_report
from evenboard_engine.trf import measure_lines as written
from tests.exports.report_trf.conftest import fresh, lines
from tests.queries.sections import MadeSection, add_round, make_section
from tests.queries.test_fairness import FOUR, ROUNDS
from tournaments.actions.corrections import correct_result
from tournaments.actions.fairness import pair_otherwise
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.files.report_reading import unused_lines
from tournaments.files.report_writing import tournament_report
from tournaments.models import ForbiddenPair, Round, Section
from tournaments.queries.field import load_field

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

MEASURED = [
    "### Fairness, spread of ARO by round: 2=50.0/0.0 3=0.0/11.8",
    "### Fairness, agreement of points and performance: 1.000",
    "### Fairness, quality of the pairing: OTHER_PT/ARO=6.7% OTHER_PT/BH=0.0%",
    "### Fairness, score groups of round 1, before/after: 0.0=-/111.8 all=-/111.8",
    "### Fairness, score groups of round 2, before/after: 1.0=50.0/0.0 0.0=50.0/0.0 all=50.0/0.0",
    "### Fairness, score groups of round 3, before/after: 2.0=0.0/0.0 1.0=0.0/16.7 0.0=0.0/0.0 all=0.0/11.8",
    "### Fairness, other pairings: not worked out",
]
BESIDE = "before/after/upper_half/dutch/dubov-1997/uschess"


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
        *MEASURED[3:4],
        MEASURED[-1],
    ]
    add_round(made, 2, "Bert . Anna; Carl 1-0 Dora", Round.State.PUBLISHED)
    assert len(of_fairness(made)) == 4


@pytest.mark.both_databases
def test_other_pairings_are_beside_the_rounds_for_which_they_are_worked_out() -> None:
    """With four players, all systems pair these rounds like the section; see web/staff/test_fairness."""
    made = make_section(FOUR, *ROUNDS)
    for done in range(1, 5):
        assert pair_otherwise(load_field(fresh(made)), seconds=0).total == 12
        if done < 4:
            assert of_fairness(made) == MEASURED
    assert of_fairness(made)[3:] == [
        (
            f"### Fairness, score groups of round 1, {BESIDE}: 0.0=-/111.8/111.8/111.8/111.8/111.8 "
            "all=-/111.8/111.8/111.8/111.8/111.8"
        ),
        *MEASURED[4:6],
        "### Fairness, other pairings: worked out for rounds 1, not for 2 3",
    ]
    pair_otherwise(load_field(fresh(made)), seconds=60)
    whole = of_fairness(made)
    assert whole[4:] == [
        (
            f"### Fairness, score groups of round 2, {BESIDE}: 1.0=50.0/0.0/0.0/0.0/0.0/0.0 "
            "0.0=50.0/0.0/0.0/0.0/0.0/0.0 all=50.0/0.0/0.0/0.0/0.0/0.0"
        ),
        (
            f"### Fairness, score groups of round 3, {BESIDE}: 2.0=0.0/0.0/0.0/0.0/0.0/0.0 "
            "1.0=0.0/16.7/16.7/16.7/16.7/16.7 0.0=0.0/0.0/0.0/0.0/0.0/0.0 all=0.0/11.8/11.8/11.8/11.8/11.8"
        ),
        "### Fairness, other pairings: worked out for rounds 1 2 3",
    ]
    assert [line for line in whole if not is_measure_line(line)] == []
    assert unused_lines(read_report(tournament_report(fresh(made))), "dubov") == ()


def test_a_corrected_result_leaves_out_the_rounds_after_it() -> None:
    made, actor = make_section(FOUR, *ROUNDS), Actor.command()
    pair_otherwise(load_field(fresh(made)), seconds=60)
    game = made.game(2, 2)
    about = {"reason": "both say so", "confirmed": True, "seen_version": game.version}
    correct_result(actor=actor, game_id=game.pk, result="0-1", turned=False, **about)
    assert of_fairness(made)[-1] == "### Fairness, other pairings: worked out for rounds 1 2, not for 3"


def test_round_without_a_game_is_not_compared() -> None:
    made = make_section(FOUR, ROUNDS[0], "Anna U; Bert Z; Carl Z; Dora Z", ROUNDS[1])
    pair_otherwise(load_field(fresh(made)), seconds=60)
    assert of_fairness(made)[-1] == "### Fairness, other pairings: worked out for rounds 1 3"


def test_pairing_that_has_no_round_has_a_dash() -> None:
    """US Chess lets Anna and Dora meet all the same? It pairs Anna and Carl again: 24A may be broken."""
    made = make_section(FOUR, *ROUNDS)
    anna, dora = made.people["Anna"], made.people["Dora"]
    ForbiddenPair.objects.create(section=made.row, first=anna, second=dora, first_round=3)
    pair_otherwise(load_field(fresh(made)), seconds=60)
    (line,) = (line for line in of_fairness(made) if "round 3" in line)
    assert line.endswith(" all=0.0/11.8/-/-/-/35.4")
    assert is_measure_line(line)


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
        "### Fairness, score groups of round 1, before: 0.0=1.0",
        "### Fairness, score groups of round 1, before/after: none",
        "### Fairness, other pairings: all",
        "### Fairness, spread of ARO by round: 2=50",
        "### Fairness, agreement of points and performance: 1.000 1.000",
        "### Fairness, quality of the pairing: BH=1.0%",
        "### fairness, agreement of points and performance: 1.000",
    ],
)
def test_other_lines_are_not(text: str) -> None:
    assert not is_measure_line(text)
