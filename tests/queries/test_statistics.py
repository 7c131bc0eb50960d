"""Statistics, estimated rating changes and title norms of a section, counted by hand."""

from __future__ import annotations

from datetime import date

import pytest

from evenboard_engine import Result
from evenboard_engine.regulations.norms import Code
from ratings.models import RatingList
from ratings.players import ListedPlayer
from tests.queries.sections import MadeSection, make_section
from tournaments.models import Game, RatingSource, Section
from tournaments.queries import statistics as changes
from tournaments.queries.statistics import norms, rating_changes, statistics

pytestmark = pytest.mark.django_db
FIVE = {"Anna": 2100, "Bert": 2000, "Carl": 1950, "Dora": 1550, "Eva": 1500}
ROUNDS = (
    "Bert 1-0 Anna; Carl 1/2 Dora; Eva U",
    "Bert 1/2 Carl; Anna 1-0 Eva; Dora H",
    "Dora 0-1 Bert; Eva +:- Anna; Carl Z",
)


def made(**official: int | None) -> MadeSection:
    """A section whose ratings are official, except those in `official`."""
    section = make_section(FIVE, *ROUNDS, planned=3)
    for name, entry in section.people.items():
        entry.official_rating = official.get(name, entry.rating)
        entry.save()
    section.row = Section.objects.select_related("event").get(pk=section.row.pk)
    return section


def test_statistics_count_results_by_round_and_by_difference() -> None:
    section = made()
    section.people["Anna"].player.federation = section.people["Bert"].player.federation = "NED"
    section.people["Bert"].player.title = "FM"
    for name in ("Anna", "Bert"):
        section.people[name].player.save()
    found = statistics(section.row)
    assert (found.players, found.rated, found.average, found.highest, found.lowest) == (
        5,
        5,
        1820,
        2100,
        1500,
    )
    assert [(one.code, one.players, one.average) for one in found.federations] == [
        ("NED", 2, 2050),
        ("", 3, 1667),
    ]
    assert [(one.code, one.players) for one in found.titles] == [("FM", 1), ("", 4)]
    counted = [(one.white, one.draws, one.black, one.forfeits, one.all_byes) for one in found.rounds]
    assert counted == [(1, 1, 0, 0, 1), (1, 1, 0, 0, 1), (0, 0, 1, 1, 1)]
    assert (found.total.played, found.total.white_share) == (5, 60)
    # Bert - Carl 50; Bert - Anna 100; Carl - Dora 400, Bert - Dora 450, Anna - Eva 600
    classes = {each.least: each for each in found.classes}
    assert [(each.games, each.wins, each.draws, each.losses) for each in classes.values()] == [
        (0, 0, 0, 0),
        (1, 0, 1, 0),
        (1, 0, 0, 1),
        (0, 0, 0, 0),
        (0, 0, 0, 0),
        (0, 0, 0, 0),
        (3, 2, 1, 0),
    ]
    assert (classes[100].scored_share, classes[100].expected_share) == (0, 64)
    assert (classes[400].scored_share, classes[400].expected_share) == (83, 95)  # .92 + .94 + .98
    assert [(one.round, one.winner.name, one.loser.name, one.difference) for one in found.upsets] == [
        (1, "Bert", "Anna", 100)
    ]


def test_a_provisional_rating_is_not_counted_as_one() -> None:
    section = made()
    section.people["Eva"].rating_source = RatingSource.PROVISIONAL
    section.people["Eva"].save()
    found = statistics(section.row)
    assert (found.players, found.rated, found.average, found.lowest) == (5, 4, 1900, 1550)
    assert sum(each.games for each in found.classes) == 4


def test_rating_changes_follow_the_regulations() -> None:
    """Bert, 2000: won against 2100 (.36), drew with 1950 (.57), won against 1550 (.92): 2.5 - 1.85, K 20: +13."""
    found = rating_changes(made(Eva=None).row)
    bert = next(row for row in found.rated if row.side.name == "Bert")
    assert (bert.games, bert.scored, bert.expected, bert.k, bert.listed) == (3, 250, 185, 20, False)
    assert (bert.change, bert.new, bert.limited, bert.opponents) == (1300, 2013, 1, 1867)
    # Eva has no rating: her game does not count for Anna, and gives her too few games for a first rating.
    anna = next(row for row in found.rated if row.side.name == "Anna")
    assert (anna.games, anna.scored) == (1, 0)
    assert [(row.side.name, row.first.games) for row in found.first] == [("Eva", 1)]


def test_coefficient_comes_from_the_rating_list(monkeypatch: pytest.MonkeyPatch) -> None:
    section = made()
    section.people["Bert"].player.fide_id = 1_000_000
    section.people["Bert"].player.save()
    section.people["Dora"].player.birth_date = "2010"
    section.people["Dora"].player.save()
    listing = RatingList.objects.create(
        series="FIDE", kind="standard", period="2026-10", state="ready", table="rating_player_x"
    )
    monkeypatch.setattr(
        changes,
        "players_by_id",
        lambda _list, _ids: {1_000_000: ListedPlayer(fide_id=1_000_000, name="Bert", k_standard=40)},
    )
    monkeypatch.setattr("tournaments.queries.rating_lists.month_of", lambda _section: "2026-10")
    monkeypatch.setattr("ratings.storage.is_here", lambda _list: True)
    found = rating_changes(section.row)
    by_name = {row.side.name: (row.k, row.listed) for row in found.rated}
    assert found.source == listing.label
    assert (by_name["Bert"], by_name["Dora"], by_name["Anna"]) == ((40, True), (40, False), (20, False))


def test_correction_for_rating_counts_and_forfeits_do_not() -> None:
    section = made()
    game = section.game(1, 1)
    Game.objects.filter(pk=game.pk).update(rating_result=Result.DRAW)
    bert = next(row for row in rating_changes(section.row).rated if row.side.name == "Bert")
    assert bert.scored == 200
    eva = next(row for row in rating_changes(section.row).rated if row.side.name == "Eva")
    assert eva.games == 1


def test_norms_are_checked_with_official_ratings() -> None:
    section = made()
    for entry, federation in zip(section.people.values(), ("FRA", "GER", "POL", "NED", "NED"), strict=True):
        entry.player.federation = federation
        entry.player.save()
    found = norms(section.row)
    bert = next(row for row in found.rows if row.side.name == "Bert" and row.check.norm.title == "IM")
    # 2100 + 2050 (1550 raised) + 1950: 2033; 2.5 of 3 is 83 %, dp 273
    assert (bert.check.value(Code.AVERAGE), bert.check.value(Code.GAMES)) == (2033, 3)
    assert (bert.check.value(Code.FEDERATIONS), bert.check.raised, bert.half_wins) == (3, 1550, 5)
    assert bert.check.value(Code.PERFORMANCE) == 2306
    assert found.near == (bert,)  # at most 150 points below 2450


def test_rapid_tournament_has_no_norms() -> None:
    section = made()
    section.row.rating_lists = ["FIDE:rapid+"]
    section.row.save()
    found = norms(section.row)
    assert (found.standard, found.rows) == (False, ())
    assert rating_changes(section.row).day == date(2026, 10, 17)
