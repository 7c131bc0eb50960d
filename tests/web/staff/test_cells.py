"""Cells and buttons that are tags: their parts are escaped, and what does not apply is left out."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.urls import reverse

from web.templatetags import buttons, cells


@pytest.mark.parametrize(
    ("tpn", "former", "inside"),
    [
        (3, None, "3"),
        (3, 3, "3"),
        (None, None, ""),
        (3, 4, '3 <small class="wide">(was 4)</small>'),
    ],
)
def test_former_number_stands_beside_the_number_if_it_changed(
    tpn: int | None, former: int | None, inside: str
) -> None:
    row = SimpleNamespace(tpn=tpn, former_tpn=former)
    assert cells.number_cell(row) == f'<td class="num quiet">{inside}</td>'


@pytest.mark.parametrize(
    ("status", "first", "words"),
    [("active", 1, ""), ("active", 3, "from round 3"), ("withdrawn", 3, "withdrawn"), ("expelled", 1, "")],
)
def test_late_entry_and_withdrawal_are_named_in_the_list(status: str, first: int, words: str) -> None:
    row = SimpleNamespace(status=status, first_round=first)
    assert cells.when_in(row) == (f' <span class="ti">{words}</span>' if words else "")


def test_cells_escape_what_people_typed() -> None:
    side = SimpleNamespace(name="<b>", title="<i>", federation="&", club="<u>", rating=0, points=15, tpn=None)
    mark = SimpleNamespace(before="<", colour=None, sign="&")
    written = (
        cells.paper_side(side, "w"),
        cells.hall_side(side, "b"),
        cells.who(side),
        cells.cross_mark(mark),
    )
    assert written == (
        (
            '<td class="nm"><span class="pc" aria-hidden="true"></span> &lt;b&gt; <span class="nowrap">'
            '<span class="ti">&lt;i&gt;</span> <span class="fed">&amp;</span></span></td>'
            '<td class="num"></td><td class="pts">1<i>½</i></td>'
        ),
        (
            '<td class="nm b"><span class="pc b" aria-hidden="true"></span>&lt;b&gt; '
            '<span class="fed">&lt;i&gt; &amp;</span></td><td class="pts b">1<i>½</i></td>'
        ),
        (
            '<span class="who"><b>&lt;b&gt;</b> <span class="ti">&lt;i&gt;</span> '
            '<span class="quiet small"> &amp; &lt;u&gt;</span></span>'
        ),
        "&lt; <b>&amp;</b>",
    )


def test_one_choice_is_current() -> None:
    assert [buttons.choice("<All>", "?by=a&b", shown, "a") for shown in ("a", "b")] == [
        '<a class="btn" href="?by=a&amp;b" aria-current="true">&lt;All&gt;</a>',
        '<a class="btn" href="?by=a&amp;b">&lt;All&gt;</a>',
    ]


def test_buttons_of_a_line_say_which_line_and_the_moved_one_has_the_focus() -> None:
    assert [buttons.up_button("BH", "Move BH up", moved) for moved in ("BH", "SB")] == [
        '<button class="btn" name="do" value="up:BH" aria-label="Move BH up" autofocus>Up</button>',
        '<button class="btn" name="do" value="up:BH" aria-label="Move BH up">Up</button>',
    ]


def test_keys_are_on_the_buttons_that_they_press() -> None:
    home = reverse("home")
    assert (buttons.go_link("Go", "home"), buttons.way_out("Cancel", "home", css="btn")) == (
        f'<a class="btn go" href="{home}" data-key="Enter">Go <kbd aria-hidden="true">Enter</kbd></a>',
        f'<a class="btn" href="{home}" data-key="Escape">Cancel <kbd aria-hidden="true">Esc</kbd></a>',
    )


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("", "Open &amp; more, A"),
        (SimpleNamespace(number=3, is_draft=False), "Open &amp; more, A, round 3"),
        (SimpleNamespace(number=3, is_draft=True), 'Open &amp; more, A, round 3 <b class="draft">DRAFT</b>'),
    ],
)
def test_cards_and_slips_say_where_they_belong(row: object, words: str) -> None:
    """A template without a round gives an empty text."""
    assert cells.of_the_round(SimpleNamespace(name="Open & more"), SimpleNamespace(name="A"), row) == words
