"""Players are found by their ID and by any part of their name, with and without accents, in the order of the list."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratings.models import RatingList
from ratings.names import player_search, searchable, similar
from ratings.search import find_players, players_by_id
from ratings.storage import postgresql, sqlite

from .made import combined_line, field, imported, text

PEOPLE = (
    combined_line(1503014, "Carlsen, Magnus", 2839, year=1990),
    combined_line(8000, "Carlsen, Henrik", 2100, year=1963),
    combined_line(8001, "Müller, Karl", 2500, fed="GER"),
    combined_line(8002, "Mueller, Anna", 2400, flag="wi"),
    combined_line(8003, "Muller, Jan", 2300),
    combined_line(8004, "Łuć, Żaneta", 1900),
    combined_line(8005, "Grischuk, Alexander", 2750),
    combined_line(8006, "Chernov, Vadim", 2450),
    combined_line(8007, "Li, Xu", 2200),
    combined_line(8008, "Ølgård, Åse", 2050),
    combined_line(8009, "O'Connor, Sean", 2040),
    combined_line(8010, "Đorđević, Ana", 2030),
)


@pytest.fixture
def people(lists: Path) -> RatingList:
    return imported(text(*PEOPLE, *field(60)))


EXPECTED = {
    "carlsen": ["Carlsen, Magnus", "Carlsen, Henrik"],
    "MAGN carl": ["Carlsen, Magnus"],
    "agnu": ["Carlsen, Magnus"],
    "arlse n": [],
    "carlsen h": ["Carlsen, Henrik"],
    "c m": ["Carlsen, Magnus"],
    "ca ma": ["Carlsen, Magnus"],
    "carlsen 1963": ["Carlsen, Henrik"],
    "carlsen 1964": [],
    "c 1963": ["Carlsen, Henrik"],
    "he rls 1963": ["Carlsen, Henrik"],
    "he rls 1990": [],
    "1503014": ["Carlsen, Magnus"],
    "1503014 magnus": ["Carlsen, Magnus"],
    "1503014 henrik": [],
    "müller": ["Müller, Karl", "Muller, Jan", "Mueller, Anna"],
    "mueller": ["Müller, Karl", "Muller, Jan", "Mueller, Anna"],
    "muller": ["Müller, Karl", "Muller, Jan", "Mueller, Anna"],
    "zaneta": ["Łuć, Żaneta"],
    "luc": ["Łuć, Żaneta"],
    "Ölgard ase": ["Ølgård, Åse"],
    "li x": ["Li, Xu"],
    "Чернов": ["Chernov, Vadim"],
    "Грищук Александр": [],
    "player00 test 1990": [f"Player{n:04}, Test" for n in range(20)],
    '"* OR carlsen': [],
    "%": [],
    "": [],
    "   ": [],
    "0": [],
}


def test_search(people: RatingList) -> None:
    found = {query: [player.name for player in find_players(people, query).players] for query in EXPECTED}
    assert found == EXPECTED


def test_frequent_and_rare_parts_find_the_same_on_each_way(
    people: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one of them is rare, its rows are read; where neither is, the ranks of both are compared. On PostgreSQL,
    the first players of the list are looked through, and then the index is asked.
    """
    for few in (0, 1, 5):
        monkeypatch.setattr(sqlite, "FEW", few)
        monkeypatch.setattr(postgresql, "FIRST", few)
        found = {query: [player.name for player in find_players(people, query).players] for query in EXPECTED}
        assert found == EXPECTED


def test_search_that_finds_nobody_shows_similar_names(people: RatingList) -> None:
    expected = {
        "grishuk": "Grischuk, Alexander",
        "tchernov": "Chernov, Vadim",
        "karlsen magnus": "Carlsen, Magnus",
        "oconnor": "O'Connor, Sean",
        "djordjevic": "Đorđević, Ana",
    }
    found = {query: find_players(people, query) for query in expected}
    assert {query: [one.name for one in result.similar] for query, result in found.items()} == {
        query: [name] for query, name in expected.items()
    }
    assert [result.players for result in found.values()] == [()] * len(expected)


def test_search_says_whether_there_are_more(people: RatingList) -> None:
    assert (len(find_players(people, "player").players), find_players(people, "player").more) == (20, True)
    assert not find_players(people, "carlsen").more


def test_search_without_an_index_finds_the_same(people: RatingList) -> None:
    """SQLite may lack the trigrams, and a login of PostgreSQL may not make the extension."""
    people.by_index = False
    names = [player.name for player in find_players(people, "carl m").players]
    assert names == ["Carlsen, Magnus"]


def test_players_by_id(people: RatingList) -> None:
    found = players_by_id(people, [8001, 8007, 99])
    assert {key: (one.name, one.standard) for key, one in found.items()} == {
        8001: ("Müller, Karl", 2500), 8007: ("Li, Xu", 2200),
    }  # fmt: skip
    assert players_by_id(people, []) == {}


def test_both_sides_are_folded_alike() -> None:
    assert {searchable(name) for name in ("Müller", "MUELLER", "Muller", "müller,")} == {" muller"}
    assert player_search("Müller").parts == player_search("mueller").parts
    assert player_search("ab 1999 12345").number == "12345"


def test_similar_searches_are_few() -> None:
    assert len(similar(player_search(" ".join(["schtschykov"] * 6)))) <= 12
