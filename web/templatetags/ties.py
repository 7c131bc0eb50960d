"""The columns of tie-breaks and the strip of rounds in lists of standings: heads and cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from base.reader import READER
from evenboard_engine import Colour
from evenboard_engine.tiebreaks import TieBreak
from evenboard_engine.tiebreaks.parts import PartRole
from evenboard_engine.words.sums import SumRow
from evenboard_engine.words.tiebreaks import tie_break_label, tie_break_name, tie_value_text
from tournaments.queries.standings import StandingRow
from web.views.public.lists import ListPart

from .marks import NamedPlayer, piece_read, player
from .parts import direction, sort_link

register = template.Library()

Columns = Sequence[tuple[int, TieBreak]]
_FRACTIONS = ("½", "¼", "¾")
_IN_POINTS = frozenset({"PS", "BH", "STD", "SB", "KS", "OTHER_MODMED", "OTHER_SOLKOFF", "OTHER_CUM"})
"""Tie-breaks whose fractions have a slot of their own, so that digits are below digits."""


@register.simple_tag
def tie_heads(
    columns: Columns, later: str = "w36", part: ListPart[Any] | None = None, sort: str = ""
) -> SafeString:
    """Write the heads of the columns. later: the classes of those after the first, which phones leave out. part: of the
    list, if it can be sorted by them; sort: the column by which a long one is (templatetags/parts.py).
    """
    heads = []
    for place, (at, rule) in enumerate(columns):
        label = format_html(
            '<abbr title="{}">{}</abbr>', tie_break_name(rule, READER), tie_break_label(rule, READER)
        )
        order = mark_safe("")
        if part is not None:
            order = format_html(
                ' data-sort="{}" {}', tie_break_label(rule, READER), direction(part, sort, f"t{at}")
            )
            label = sort_link(part, sort, f"t{at}", label)
        heads.append((f" {later}" if place and later else "", order, label))
    return format_html_join("", '<th scope="col" class="num{}"{}>{}</th>', heads)


@register.simple_tag
def tie_legend(columns: Columns) -> str:
    """Return what the heads mean: BH/C1 Buchholz cut 1; SB Sonneborn-Berger."""
    named = [(tie_break_label(rule, READER), tie_break_name(rule, READER)) for _at, rule in columns]
    return READER.listed([f"{label} = {name}" for label, name in named if label != name], "semicolon")


@register.simple_tag
def tie_cells(row: StandingRow, columns: Columns, later: str = "w36", sums: str = "") -> SafeString:
    """Write the values of a row. A dash: no game gives the value. sums: where the pages are that show the values as
    sums, for links.
    """
    cells = []
    for place, (at, rule) in enumerate(columns):
        value = row.values[at]
        text = "–" if rule.of_opponents_ratings and not value else READER.decimal(tie_value_text(rule, value))
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
        if (text := READER.decimal(tie_value_text(rule, row.values[at])))
    ]
    return format_html("{}", READER.listed([f"{code} {text}" for code, text in shown], "comma"))


@register.simple_tag
def sum_row(
    row: SumRow,
    people: Mapping[int, NamedPlayer],
    placed: Collection[int],
    sums: str,
    cards: str,
    anchor: str = "",
) -> SafeString:
    """Write the cells of a round in a sum: round, colour, opponent or what happened instead.

    people: by key. placed: the keys of the players who have a page with sums, under `sums`; anchor: where on it the
    name leads to. cards: where the cards are.
    """
    part = row.part
    number = f'<td class="num quiet">{part.round}</td>'
    if part.opponent is None:
        return mark_safe(f'{number}<td></td><th scope="row" class="nm quiet">{escape(row.played)}</th>')  # noqa: S308
    colour = piece_read(part.colour) if part.colour and not row.played else ""
    has_sums = part.opponent in placed
    named = player(people[part.opponent], sums if has_sums else cards, "fed w36", anchor if has_sums else "")
    played = f' <span class="ti">{escape(row.played)}</span>' if row.played else ""
    return mark_safe(  # noqa: S308 all parts are escaped or our own
        f'{number}<td class="mid">{colour}</td><th scope="row" class="nm">{named}{played}</th>'
    )


@register.simple_tag
def sum_value(
    row: SumRow, people: Mapping[int, NamedPlayer], placed: Collection[int], sums: str, anchor: str
) -> SafeString:
    """Write what a round counts, as a link where the opponent's page has it at an anchor. placed, sums: as above."""
    other = row.part.opponent
    if anchor and row.counts and other is not None and other in placed and people[other].tpn:
        return format_html('<a href="{}{}/{}">{}</a>', sums, people[other].tpn, anchor, row.counts)
    return format_html("{}", row.counts or "–")


@register.simple_tag
def game_cells(rows: Iterable[SumRow], places: Mapping[int, int]) -> SafeString:
    """Write a narrow cell for each round: the points on the colour of the pieces, and the place of the opponent.

    rows: of the points. places: by key.
    """
    cells = []
    for row in rows:
        part = row.part
        colour = part.colour.value if part.colour and not row.played else "n"
        place = (
            f" <small>{places[part.opponent]}</small>" if part.opponent and part.opponent in places else ""
        )
        cells.append(
            f'<td class="rds placed"><i class="{colour}"><b>{escape(row.counts) or "–"}</b>{place}</i></td>'
        )
    return mark_safe("".join(cells))  # noqa: S308 numbers and signs


@register.simple_tag
def sum_cells(rows: Iterable[SumRow]) -> SafeString:
    """Write what each round counts in a narrow cell: struck through if it is cut, in brackets against a dummy."""
    cells = []
    for row in rows:
        text = escape(row.counts) or "–"
        text = f"({text})" if row.part.role is PartRole.DUMMY else text
        cells.append(f'<td class="num">{f"<s>{text}</s>" if row.part.cut else text}</td>')
    return mark_safe("".join(cells))  # noqa: S308 numbers and signs


class StripMark(Protocol):
    """A round of a player, as `web.views.public.standings.RoundMark`."""

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
def round_strip(marks: Iterable[StripMark], places: bool = True, paper: bool = False) -> SafeString:
    """Write one small box for each round: the result on the colour of the pieces, then the place of the opponent.

    A round that was not played has no box, and one without a final result a dashed one. The words are in the title,
    which screen readers read too, except on paper. places: write those of the opponents.
    """
    stops = []
    for mark in marks:
        kind = f"{mark.colour.value if mark.colour else 'n'}{'' if mark.certain else ' o'}"
        sign = "½" if mark.colour and not mark.certain and mark.sign != "·" else mark.sign
        words = "" if paper else _("Round %(round)s: %(words)s") % {"round": mark.round, "words": mark.words}
        title = f' role="img" title="{escape(words)}"' if words else ""
        place = f" <small>{mark.before}</small>" if places and mark.before.isdigit() else ""
        stops.append(f'<i class="{kind}"{title}><b>{escape(sign)}</b>{place}</i>')
    return mark_safe("".join(stops))  # noqa: S308 all parts are escaped or our own
