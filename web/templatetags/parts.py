"""Tables of lists that come in parts: what the script needs to know, and heads that let the server sort the whole list.

{% sorted_by "rating" %} … {% endsorted_by %}: a head; a link if the list is long, so that the script cannot sort it.
Needs `part` and `sort`.
"""

from __future__ import annotations

from typing import Any, Protocol
from urllib.parse import quote, urlencode

from django import template
from django.template.base import Node, NodeList, Parser, Token
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from web.views.public.lists import UPWARDS, ListPart

register = template.Library()


class ShownPart(Protocol):
    """What a page shows of a list."""

    @property
    def before(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def count(self) -> int: ...


@register.simple_tag
def part_table(part: ShownPart | str) -> SafeString:
    """Write the attributes of the table of a list in parts: how many rows it has, and how many come before these."""
    if isinstance(part, str) or part.count == 1:
        return mark_safe("")
    return format_html('aria-rowcount="{}" data-before="{}"', part.total + 1, part.before)


def sort_link(part: ListPart[Any], sort: str, column: str, label: SafeString) -> SafeString:
    """Return the head of a column: a link to the list in the order of this column, and in the other direction if it
    already is. In a short list, which the script sorts, the label alone.
    """
    if not part.long:
        return label
    asked = {name: value for name, value in part.asked.items() if name != "sort"}
    if turned := (f"-{column}" if sort == column else column):
        asked |= {"sort": turned} if turned != "place" else {}
    query = urlencode(asked, quote_via=quote)
    return format_html('<a href="{}{}">{}</a>', part.path, f"?{query}" if query else "", label)


def direction(part: ListPart[Any], sort: str, column: str) -> SafeString:
    """Return the attribute of the head by which a long list is sorted."""
    if not part.long or sort.removeprefix("-") != column:
        return mark_safe("")
    upwards = (column in UPWARDS) != sort.startswith("-")
    return format_html('aria-sort="{}"', "ascending" if upwards else "descending")


@register.simple_tag(takes_context=True)
def aria_sort(context: Context, column: str) -> SafeString:
    """Write the attribute of the head by which a long list is sorted. Needs `part` and `sort`."""
    return direction(context["part"], context["sort"], column)


class SortedByNode(Node):
    """Writes the head of a column."""

    def __init__(self, nodelist: NodeList, column: str) -> None:
        self.nodelist = nodelist
        self.column = column

    def render(self, context: Context) -> SafeString:
        label = self.nodelist.render(context).strip()
        return sort_link(context["part"], context["sort"], self.column, mark_safe(label))  # noqa: S308 it is rendered


@register.tag
def sorted_by(parser: Parser, token: Token) -> SortedByNode:
    """Read the head of a column; the tag names it in quotes."""
    _name, column = token.split_contents()
    inside = parser.parse(("endsorted_by",))
    parser.delete_first_token()
    return SortedByNode(inside, column.strip('"'))
