"""The columns of tie-breaks and the strip of rounds in lists of standings: heads and cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from pairing.engine import Colour
from pairing.engine.tiebreaks import TieBreak
from pairing.words.tiebreaks import tie_break_label, tie_break_name, tie_break_text
from tournaments.queries.standings import StandingRow
from tournaments.reader import READER

register = template.Library()

Columns = Sequence[tuple[int, TieBreak]]
_FRACTIONS = ("½", "¼", "¾")
_IN_POINTS = frozenset({"PS", "BH", "STD", "SB", "KS", "OTHER_MODMED", "OTHER_SOLKOFF", "OTHER_CUM"})
"""Tie-breaks whose fractions have a slot of their own, so that digits are below digits."""


@register.simple_tag
def tie_heads(columns: Columns, later: str = "w36", sort: bool = False) -> SafeString:
    """Write the heads of the columns. later: the classes of those after the first, which phones leave out. sort: the
    list can be sorted by them (static/js/sort.js).
    """
    return format_html_join(
        "",
        '<th scope="col" class="num{}"{}><abbr title="{}">{}</abbr></th>',
        (
            (
                f" {later}" if place and later else "",
                format_html(' data-sort="{}"', tie_break_label(rule, READER)) if sort else "",
                tie_break_name(rule, READER),
                tie_break_label(rule, READER),
            )
            for place, (_at, rule) in enumerate(columns)
        ),
    )


@register.simple_tag
def tie_cells(row: StandingRow, columns: Columns, later: str = "w36", sums: str = "") -> SafeString:
    """Write the values of a row. A dash: no game gives the value. sums: where the pages are that show the values as
    sums, for links.
    """
    cells = []
    for place, (at, rule) in enumerate(columns):
        text = "–" if rule.of_opponents_ratings and not row.values[at] else tie_break_text(row.values[at])
        kind = "num"
        if rule.name in _IN_POINTS:
            kind = "pts"
            whole, part = (text[:-1], text[-1]) if text.endswith(_FRACTIONS) else (text, "")
            text = f"{whole}<i>{part}</i>"
        if sums and row.tpn and text:
            text = f'<a href="{escape(sums)}{row.tpn}/#t{at + 1}">{text}</a>'
        cells.append(f'<td class="{kind}{f" {later}" if place and later else ""}">{text}</td>')
    return mark_safe("".join(cells))  # noqa: S308 numbers and signs


@register.simple_tag
def tie_line(row: StandingRow, columns: Columns) -> SafeString:
    """Write the values after the first in one line, for phones: BH 21, SB 15¾."""
    shown = [
        (tie_break_label(rule, READER), text)
        for at, rule in columns[1:]
        if (text := tie_break_text(row.values[at]))
    ]
    return format_html("{}", READER.listed([f"{code} {text}" for code, text in shown], "comma"))


class Mark(Protocol):
    """A round of a player, as `tournaments.web.views.public.cells.Mark`."""

    @property
    def round(self) -> int: ...
    @property
    def before(self) -> str: ...
    @property
    def colour(self) -> Colour | None: ...
    @property
    def sign(self) -> str: ...
    @property
    def words(self) -> str: ...
    @property
    def certain(self) -> bool: ...


@register.simple_tag
def round_strip(marks: Iterable[Mark], places: bool = True) -> SafeString:
    """Write one small box for each round: the result on the colour of the pieces, then the place of the opponent.

    A round that was not played has no box, and one without a final result a dashed one. The words are in the title,
    which screen readers read too. places: write those of the opponents.
    """
    stops = []
    for mark in marks:
        kind = f"{mark.colour.value if mark.colour else 'n'}{'' if mark.certain else ' o'}"
        sign = "½" if mark.colour and not mark.certain and mark.sign != "·" else mark.sign
        words = escape(_("Round %(round)s: %(words)s") % {"round": mark.round, "words": mark.words})
        place = f" <small>{mark.before}</small>" if places and mark.before.isdigit() else ""
        stops.append(f'<i class="{kind}" role="img" title="{words}"><b>{escape(sign)}</b>{place}</i>')
    return mark_safe("".join(stops))  # noqa: S308 all parts are escaped or our own
