"""Values of tie-breaks that were computed elsewhere, such as a play-off (VCL4THP.13 Q205, Q207)."""

from __future__ import annotations

import pytest

from evenboard_engine.checking.standings import check_standings
from evenboard_engine.trf import read_report
from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import EventFactory
from tests.queries.sections import MadeSection, make_section
from tournaments.actions.copies import load_copy
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.actions.tie_breaks import set_tie_breaks, set_tie_values
from tournaments.actions.undo import undo
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.files.report_writing import tournament_report
from tournaments.models import Section
from tournaments.queries.standings import standings_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> MadeSection:
    """Return a section in which Anna, Bert and Carl are level."""
    return make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700, "Eva": 1600, "Finn": 1500},
        "Anna 1-0 Dora; Bert 1-0 Eva; Carl 1-0 Finn",
        tie_breaks=["BH", "OTHER_PLAYOFF"],
    )


def fresh(made: MadeSection) -> Section:
    return Section.objects.select_related("event").get(pk=made.row.pk)


def places(section: Section) -> list[tuple[int, str]]:
    return [(row.place, row.name) for row in standings_table(section).rows][:3]


def typed(made: MadeSection, actor: Actor, **values: str) -> None:
    by_key = {made.people[name].pk: value for name, value in values.items()}
    set_tie_values(actor=actor, section_id=made.row.pk, code="OTHER_PLAYOFF", values=by_key)


def test_typed_values_order_the_players_and_can_be_undone(made: MadeSection, actor: Actor) -> None:
    assert places(fresh(made)) == [(1, "Anna"), (1, "Bert"), (1, "Carl")]
    with one_step(made.row, "set_tie_values"):
        typed(made, actor, Anna="0,5", Bert="1", Carl=" ½ ")
    assert places(fresh(made)) == [(1, "Bert"), (2, "Anna"), (2, "Carl")]
    assert [row.values[1] for row in standings_table(fresh(made)).rows[:4]] == [1, 0.5, 0.5, None]
    typed(made, actor, Anna="", Carl="0.75")
    assert places(fresh(made)) == [(1, "Bert"), (2, "Carl"), (3, "Anna")]
    undo(actor=actor, section_id=made.row.pk, revision=fresh(made).revision)
    assert places(fresh(made)) == [(1, "Bert"), (2, "Anna"), (2, "Carl")]
    with unchanged():
        typed(made, actor, Bert="1")


@pytest.mark.parametrize("value", ["one", "1.2345", "1e3", "--1", "12345678"])
def test_value_that_is_not_a_number_is_refused(made: MadeSection, actor: Actor, value: str) -> None:
    with refused("tie_value_unreadable", name="Bert", value=value):
        typed(made, actor, Anna="1", Bert=value)


@pytest.mark.parametrize("code", ["BH", "OTHER_DICE"])
def test_values_of_other_tie_breaks_are_refused(made: MadeSection, actor: Actor, code: str) -> None:
    with refused("tie_values_computed", tie_break=code):
        set_tie_values(actor=actor, section_id=made.row.pk, code=code, values={})


def test_report_carries_the_values_to_the_check_and_to_an_import(made: MadeSection, actor: Actor) -> None:
    typed(made, actor, Bert="1.5", Carl="2")
    data = tournament_report(fresh(made))
    assert "### Tie-break OTHER_PLAYOFF: 2=1.5 3=2" in data.decode().splitlines()
    report = read_report(data)
    check = check_standings(report)
    assert check is not None
    assert (check.tie_breaks, check.unknown, check.misplaced) == (("PTS", "BH", "OTHER_PLAYOFF"), "", ())
    wrong = read_report(data.replace(b"3=2", b"3=1"))
    assert [one.player for one in check_standings(wrong).misplaced] == [3]
    copied = import_report(actor=actor, event=made.row.event, name="Again", report=report)
    assert places(copied) == places(fresh(made)) == [(1, "Carl"), (2, "Bert"), (3, "Anna")]
    assert tournament_report(copied).decode().count("### Tie-break OTHER_PLAYOFF") == 1


def test_copy_carries_the_values(made: MadeSection, actor: Actor) -> None:
    typed(made, actor, Bert="1.5")
    copy = read_copy(copy_file(fresh(made)))
    copied = load_copy(actor=actor, event=EventFactory(), copy=copy, name="Copy")
    assert places(copied) == places(fresh(made)) == [(1, "Bert"), (2, "Anna"), (2, "Carl")]


@pytest.fixture
def mixed() -> MadeSection:
    """Return a section in which Bert has no official rating: his tournament rating is 1900."""
    made = make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700},
        "Anna 1-0 Bert; Carl 1/2 Dora",
        "Dora 0-1 Anna; Bert 1/2 Carl",
        tie_breaks=["ARO", "TPR", "TPN"],
    )
    for name, entry in made.people.items():
        entry.official_rating = None if name == "Bert" else entry.rating
        entry.save()
    return made


def aros(section: Section) -> dict[str, object]:
    return {row.name: row.values[0] for row in standings_table(section).rows}


def test_rating_tie_breaks_count_or_leave_out_unrated_opponents(mixed: MadeSection, actor: Actor) -> None:
    """VCL4THP.13 Q208 and Q209. The games of Anna and Carl against Bert are left out."""
    assert aros(fresh(mixed)) == {"Anna": 1800, "Bert": 1900, "Carl": 1800, "Dora": 1900}
    change = {
        "codes": ["ARO", "TPR", "TPN"],
        "unrated_left_out": True,
        "asked": True,
        "reason": "as announced",
    }
    set_tie_breaks(actor=actor, section_id=mixed.row.pk, **change)
    assert aros(fresh(mixed)) == {"Anna": 1700, "Bert": 1900, "Carl": 1700, "Dora": 1900}
    with unchanged():
        set_tie_breaks(actor=actor, section_id=mixed.row.pk, **change)
    undo(actor=actor, section_id=mixed.row.pk, revision=fresh(mixed).revision)
    assert aros(fresh(mixed))["Anna"] == 1800


@pytest.mark.parametrize("for_rating", [False, True])
def test_report_names_the_players_who_are_left_out(
    mixed: MadeSection, actor: Actor, for_rating: bool
) -> None:
    Section.objects.update(unrated_left_out=True)
    data = tournament_report(fresh(mixed), for_rating=for_rating)
    assert data.decode().splitlines().count("### Left out of rating tie-breaks: 2") == 1
    report = read_report(data)
    assert check_standings(report).misplaced == ()
    copied = import_report(
        actor=actor, event=mixed.row.event, name="Again", report=report, provisional_rating=1900
    )
    assert aros(copied) == aros(fresh(mixed))
    assert tournament_report(copied).decode().count("### Left out") == 1


@pytest.mark.parametrize("code", ["OTHER_PLAYOFF", "LUCK", "EDE:MP", "OTHER GOLD"])
def test_values_of_any_unknown_code_go_out_and_in_again(made: MadeSection, actor: Actor, code: str) -> None:
    Section.objects.update(tie_breaks=[code])
    values = {made.people["Carl"].pk: "2", made.people["Bert"].pk: "-0.5"}
    set_tie_values(actor=actor, section_id=made.row.pk, code=code, values=values)
    report = read_report(tournament_report(fresh(made)))
    assert check_standings(report).unknown == ""
    copied = import_report(actor=actor, event=made.row.event, name="Again", report=report)
    assert places(copied) == places(fresh(made)) == [(1, "Carl"), (2, "Anna"), (3, "Bert")]
