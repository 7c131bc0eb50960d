"""The columns of tie-breaks in lists of standings: heads and cells."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

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
def tie_heads(columns: Columns, later: str = "w36") -> SafeString:
    """Write the heads of the columns. later: the classes of those after the first, which phones leave out."""
    return format_html_join(
        "",
        '<th scope="col" class="num{}"><abbr title="{}">{}</abbr></th>',
        (
            (
                f" {later}" if place and later else "",
                tie_break_name(rule, READER),
                tie_break_label(rule, READER),
            )
            for place, (_at, rule) in enumerate(columns)
        ),
    )


@register.simple_tag
def tie_cells(row: StandingRow, columns: Columns, later: str = "w36") -> SafeString:
    """Write the values of a row. A dash: no game gives the value."""
    cells = []
    for place, (at, rule) in enumerate(columns):
        text = "–" if rule.of_opponents_ratings and not row.values[at] else tie_break_text(row.values[at])
        kind = "num"
        if rule.name in _IN_POINTS:
            kind = "pts"
            whole, part = (text[:-1], text[-1]) if text.endswith(_FRACTIONS) else (text, "")
            text = f"{whole}<i>{part}</i>"
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
