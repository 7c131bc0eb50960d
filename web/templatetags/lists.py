"""Lists, sentences and spoken names of the templates: the reader's language decides their commas and full stops.

{% listed "comma" %} {% item %} … {% enditem %} … {% endlisted %}: an item without content is left out.
{% sentence %} … {% endsentence %}: with a full stop.
{% spoken %} … {% endspoken %}: for screen readers only, after the text before it. class="by": for others too.
{% commas a b c %}: the values that there are; it costs less than a list in the rows of a long table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from django import template
from django.template.base import Node, NodeList, Parser, Token
from django.template.context import Context
from django.utils.formats import time_format
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from base.reader import READER, date_format
from evenboard_engine.words.catalogue import FULL_STOP, POINTS_SHORT, Joint
from tournaments.models.sections import RoundStart

register = template.Library()

JOINTS: tuple[Joint, ...] = get_args(Joint)
ITEMS = "items of a list"  # no variable of a template has a space


def _joint(name: str, named: Sequence[str], default: Joint) -> Joint:
    """Return the joint that the tag names, in quotes."""
    if not named:
        return default
    for joint in JOINTS:
        if named == [f'"{joint}"']:
            return joint
    raise template.TemplateSyntaxError(f"{name} needs one of {JOINTS}")


def _inside(parser: Parser, name: str) -> NodeList:
    inside = parser.parse((f"end{name}",))
    parser.delete_first_token()
    return inside


class ListedNode(Node):
    """Joins what the items within it write."""

    def __init__(self, nodelist: NodeList, joint: Joint) -> None:
        self.nodelist = nodelist
        self.joint = joint

    def render(self, context: Context) -> SafeString:
        items: list[str] = []
        with context.push(**{ITEMS: items}):
            self.nodelist.render(context)
        return mark_safe(READER.listed(items, self.joint))  # noqa: S308 each item is rendered


class ItemNode(Node):
    """Gives its content to the list around it."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        content = self.nodelist.render(context).strip()
        if content:
            context[ITEMS].append(content)
        return mark_safe("")


class SentenceNode(Node):
    """Ends its content with a full stop, if it has none."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        content = self.nodelist.render(context).strip()
        stop = READER.text_of(FULL_STOP, {"sentence": ""})
        if content and not content.endswith(stop):
            content = READER.text_of(FULL_STOP, {"sentence": content})
        return mark_safe(content)  # noqa: S308 it is rendered


class SpokenNode(Node):
    """Writes its content for screen readers, joined to the text that stands before it."""

    def __init__(self, nodelist: NodeList, joint: Joint, css: str) -> None:
        self.nodelist = nodelist
        self.joint = joint
        self.css = css

    def render(self, context: Context) -> SafeString:
        joined = READER.listed(("", self.nodelist.render(context).strip()), self.joint)
        return mark_safe(f'<span class="{self.css}">{joined}</span>')  # noqa: S308 it is rendered


@register.tag
def listed(parser: Parser, token: Token) -> ListedNode:
    """Read a list; "and" joins its items if no other joint is named."""
    name, *named = token.split_contents()
    return ListedNode(_inside(parser, name), _joint(name, named, "and"))


@register.tag
def item(parser: Parser, _token: Token) -> ItemNode:
    return ItemNode(_inside(parser, "item"))


@register.tag
def sentence(parser: Parser, _token: Token) -> SentenceNode:
    return SentenceNode(_inside(parser, "sentence"))


@register.tag
def spoken(parser: Parser, token: Token) -> SpokenNode:
    """Read a text for screen readers; a comma joins it if no other joint is named."""
    name, *named = token.split_contents()
    css = [part for part in named if part.startswith("class=")]
    joint = _joint(name, [part for part in named if part not in css], "comma")
    return SpokenNode(_inside(parser, name), joint, css[0][len('class="') : -1] if css else "sr")


@register.simple_tag
def commas(*values: object) -> SafeString:
    """Write the values that there are, with commas."""
    shown = [value if isinstance(value, SafeString) else escape(str(value)) for value in values if value]
    return mark_safe(READER.listed(shown, "comma") if len(shown) > 1 else "".join(shown))  # noqa: S308 all escaped


@register.filter
def points_short(tenths: int) -> str:
    """Write points with the noun in a narrow place: 1 pt, 2½ pts."""
    return READER.points(tenths, POINTS_SHORT)


@register.filter
def begins(start: RoundStart | None) -> str:
    """Write the day and the time when a round begins: Saturday 7 March 2026, 10:00."""
    if start is None:
        return ""
    time = [time_format(start.time, "H:i")] if start.time else []
    return READER.listed([date_format(start.day, "l j F Y"), *time], "comma")
