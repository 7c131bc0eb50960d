"""The pictures of a bracket: lines between S1 and G2, and the squares of the two sides."""

from __future__ import annotations

import re

from tournaments.models import Participant, Player
from web.why_pictures import PicturedPlayer, pair_lines, shown_surnames, two_sides


def test_lines_lead_from_each_row_to_the_place_of_its_opponent() -> None:
    assert re.findall(r'<path(.*?) d="(.*?)"', pair_lines([1, 0], picked=0)) == [
        (' class="pick"', "M0 50C45 50 55 150 100 150"),
        ("", "M0 150C45 150 55 50 100 50"),
    ]


def test_cut_picture_keeps_the_lines_that_begin_or_end_in_it() -> None:
    drawn = pair_lines([0, 3, 2, 1, 4], shown=range(1, 3))
    assert re.findall(r' d="(.*?)"', drawn) == [
        "M0 50C45 50 55 250 100 250",
        "M0 150C45 150 55 150 100 150",
        "M0 250C45 250 55 50 100 50",
    ]
    assert 'viewBox="0 0 100 200" height="4.5rem"' in drawn


def test_each_player_is_a_square_on_a_side_and_a_bar_marks_the_upfloaters() -> None:
    drawn = two_sides(
        [PicturedPlayer("w"), PicturedPlayer("b", floated=True)], [PicturedPlayer("b"), PicturedPlayer("n")]
    )
    places = [
        (kind, float(top)) for kind, top in re.findall(r'<path class="(\w+)" d="M[\d.]+ ([\d.]+)h', drawn)
    ]
    assert [kind for kind, _ in places] == ["w", "b", "up", "b", "n"]
    upper, lower = [top for _, top in places[:2]], [top for _, top in places[3:]]
    assert upper[0] == upper[1] < lower[0] == lower[1]
    assert places[2][1] < upper[1]


def test_players_who_share_a_surname_have_as_much_of_the_given_name_as_tells_them_apart() -> None:
    names = ("Fontaine, Anne", "Fontaine, Alice", "Fontaine, Louis", "Roux, Ada", "Fontaine")
    entries = {key: Participant(player=Player(name=name)) for key, name in enumerate(names)}
    shown = ["Fontaine Anne", "Fontaine Alice", "Fontaine L.", "Roux", "Fontaine"]
    assert list(shown_surnames(entries).values()) == shown
