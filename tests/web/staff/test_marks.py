"""Marks in the lists: each has its meaning in words too."""

from __future__ import annotations

import re

import pytest
from django.utils import translation

from evenboard_engine import RESULTS, ByeKind, Colour, Result
from evenboard_engine.preference import Preference, Strength
from tournaments.queries.entries import RequestedBye
from tournaments.queries.field import PlayerCell
from web.templatetags import marks
from web.words.values import result_sign, result_words


@pytest.mark.parametrize(
    ("tenths", "text", "cell"),
    [
        (0, "0", "0<i></i>"),
        (5, "½", "<i>½</i>"),
        (10, "1", "1<i></i>"),
        (45, "4½", "4<i>½</i>"),
        (33, "3.3", "3<i>.3</i>"),
        (105, "10½", "10<i>½</i>"),
        (None, "", ""),
    ],
)
def test_points_are_written_with_halves(tenths: int | None, text: str, cell: str) -> None:
    assert (marks.points_text(tenths), marks.points(tenths)) == (text, cell)


def test_every_result_has_a_different_sign_and_different_words() -> None:
    assert len({result_sign(result) for result in Result}) == len(Result)
    assert len({result_words(result) for result in Result}) == len(Result)


def test_menu_of_results_has_all_of_them_once() -> None:
    options = marks.result_options("")
    assert [options.count(f'value="{result}"') for result in Result] == [1] * len(Result)
    assert 'value="" title="no result" selected' in options


@pytest.mark.parametrize("result", list(Result))
def test_winner_and_loser_are_marked_from_the_one_table(result: Result) -> None:
    white, black = marks.white_class(result), marks.black_class(result)
    decided = {"win", "forfeit win"} & {RESULTS[result].white.value, RESULTS[result].black.value}
    assert ({white, black} == {"won", "lost"}) == bool(decided)


def test_open_result_has_words() -> None:
    assert "no result" in marks.result_mark("")


@pytest.mark.parametrize(
    ("tpn", "title", "federation", "cards", "cell"),
    [
        (4, "", "", "", "Ng &lt;b&gt;"),
        (4, "GM", "SGP", "", 'Ng &lt;b&gt; <span class="ti">GM</span> <span class="fed">SGP</span>'),
        (4, "", "SGP", "/p/", '<a href="/p/4/">Ng &lt;b&gt;</a> <span class="fed">SGP</span>'),
        (None, "GM", "", "/p/", 'Ng &lt;b&gt; <span class="ti">GM</span>'),
        (
            4,
            "<i>",
            "<i>",
            "",
            'Ng &lt;b&gt; <span class="ti">&lt;i&gt;</span> <span class="fed">&lt;i&gt;</span>',
        ),
    ],
)
def test_name_of_a_player_has_the_title_the_federation_and_a_link_to_the_card(
    tpn: int | None, title: str, federation: str, cards: str, cell: str
) -> None:
    assert marks.player(PlayerCell(1, tpn, "Ng <b>", title, federation, 2000, 0), cards) == cell


def test_short_bye_of_a_full_point_has_no_number() -> None:
    assert [marks.bye_short(kind.value) for kind in ByeKind] == [
        {ByeKind.HALF: "bye ½", ByeKind.ZERO: "bye 0"}.get(kind, "bye") for kind in ByeKind
    ]


def test_strip_is_read_aloud_as_a_list() -> None:
    strip = marks.colour_strip(["w", "", Colour.BLACK])
    assert 'aria-label="White, not played, Black"' in strip
    assert '<i class="w"></i><i class="n"></i><i class="b"></i>' in strip
    assert marks.colour_strip([]) == ""


def test_due_colour_has_its_strength_in_words() -> None:
    due = marks.due(Preference(Colour.WHITE, Strength.ABSOLUTE))
    assert 'class="due abs"' in due
    assert due.endswith("White, absolute</span></span>")
    assert marks.due(Preference(Colour.WHITE)).endswith("White</span></span>")
    assert marks.due(None) == ""


def test_the_word_for_the_strength_agrees_with_the_colour() -> None:
    with translation.override("ru"):
        assert (
            re.sub("<[^>]*>", "", marks.due(Preference(Colour.BLACK, Strength.STRONG)))
            == "Чёрные, сильное предпочтение"
        )


def test_an_erased_player_is_said_in_the_language_of_the_reader() -> None:
    """In lists and in sentences. The stored words stay in files."""
    names = ("Erased player 12", "Erased player", "Erased players, Ann")
    with translation.override("de"):
        assert [marks.person_name(name) for name in names] == ["Gelöschter Spieler 12", *names[1:]]
        assert [marks.isolated(name) for name in names] == ["Gelöschter Spieler 12", *names[1:]]


def test_names_are_escaped_in_marks() -> None:
    assert "<script>" not in marks.result_options("<script>")


def test_bye_has_words() -> None:
    byes = [RequestedBye(1, number, ByeKind(kind)) for number, kind in ((2, "Z"), (3, "Z"), (5, "H"))]
    mark = marks.bye_marks(byes)
    assert re.findall('title="(.*?)"', mark) == ["zero-point bye in rounds 2, 3", "half-point bye in round 5"]
    assert re.findall('hidden="true">(.*?)<', mark) == ["0 bye in rounds 2, 3", "½ bye in round 5"]
