"""What every template has: the filter `date`, in the order and with the signs of the reader's language, scripts,
style sheets, forms.

A module of a script imports others, and a browser learns of them only when it has read the first.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, cast

from django import template
from django.contrib.staticfiles import finders
from django.forms import BoundField
from django.template.context import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from base.reader import date_format
from tournaments.queries.events import EventRow, SectionRow
from web.forms.conflict_check import ConflictCheckForm

# The filter `date` of all templates: as Django's, in the order and with the signs of the reader's language.

register = template.Library()
NO_MARKUP = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}


@register.filter(expects_localtime=True, is_safe=False)
def date(value: dt.date | None, form: str) -> str:
    """Return a date, or "" for none. form: as English writes it."""
    return date_format(value, form) if value else ""


@register.filter
def days(event: EventRow) -> str:
    """Return the first and the last day of an event; the year once."""
    last = date_format(event.end, "j M Y")
    if event.end == event.start:
        return last
    return f"{date_format(event.start, 'j M' if event.start.year == event.end.year else 'j M Y')} – {last}"


@register.filter
def progress(section: SectionRow) -> str:
    """Return that a section is finished, or its round; "" before round 1. A list has a hundred sections, and the tag
    `blocktranslate` would take a quarter of its time.
    """
    if section.closed:
        return pgettext("a section", "finished")
    if not section.round_number:
        return ""
    return _("round %(n)s of %(of)s") % {"n": section.round_number, "of": section.rounds}


@register.filter
def boards_open(section: SectionRow) -> str:
    """Return how many boards of the round have no result, for the same reason not by the tag."""
    return ngettext("%(n)s board open", "%(n)s boards open", section.open) % {"n": section.open}


@register.filter
def data_block(value: object, kind: str) -> SafeString:
    """Write data of a media type that browsers do not run as a script."""
    found = json.dumps(value, ensure_ascii=False).translate(NO_MARKUP)
    return format_html('<script type="{}">{}</script>', kind, mark_safe(found))  # noqa: S308 - without markup


# Scripts of a page. A module imports others, and a browser learns of them only when it has read the first.
#
# {% module "js/find.js" %} names them all, so a browser asks for them together. Each is named once in a
# template with those that it extends.

IMPORT = re.compile(r"""^(?:import|export)\b[^;]*?["'](\.[^"']+)["'];""", re.MULTILINE)
HTML = '<link rel="modulepreload" href="{}">'


@register.simple_tag(takes_context=True)
def module(context: Context, name: str, section: int | None = None) -> SafeString:
    """Load a script, and name those that it imports. A script for one section reads from its tag which one this is."""
    kept: dict[Any, Any] = context.render_context  # type: ignore[assignment]  # the stubs know one key of Django alone
    named: set[str] = kept.setdefault(HTML, set())
    fresh = [other for other in imports(name) if other not in named]
    named.update(fresh, (name,))
    preloads = format_html_join("", HTML, ((static(other),) for other in fresh))
    return format_html(
        '{}<script type="module" src="{}"{}></script>',
        preloads,
        static(name),
        "" if section is None else format_html(' data-section="{}"', section),
    )


@register.simple_tag
def boosted() -> SafeString:
    """Send a form without loading the page; until the answer, its buttons cannot be pressed again."""
    return mark_safe('hx-boost="true" hx-disabled-elt="find button"')


@register.filter
def in_words(field: BoundField) -> str:
    """Return the value of a field that cannot change."""
    return cast("ConflictCheckForm", field.form).value_in_words(field.name, field.initial)


@register.simple_tag(takes_context=True)
def fields(context: Context, *shown: BoundField) -> SafeString:
    """Write fields of a form below each other."""
    assert context.template is not None
    one = context.template.engine.get_template("components/field.html")
    written = []
    for field in shown:
        with context.push(field=field):
            written.append(one.render(context))
    return mark_safe("".join(written))  # noqa: S308 - what the template has made


@register.simple_tag(takes_context=True)
def polled(context: Context, part: str, news: str, *beside: str) -> SafeString:
    """Let a part of a public page ask for news. news: the parameters of the question, "" for a part that does not
    change. beside: other parts that come with the answer.
    """
    if not news:
        return mark_safe("")
    return format_html(
        'hx-get="{}?{}" data-poll="5" hx-trigger="news" hx-select="#{}" hx-select-oob="{}" hx-swap="outerHTML"'
        """ hx-request='{{"timeout":15000}}' data-offline="{}\"""",
        context["request"].path,
        news,
        part,
        format_html_join(",", "#{}", zip(beside)),
        _("No connection: this page may be out of date."),
    )


@register.simple_tag
def styles(*names: str) -> SafeString:
    """Load style sheets of `static/css`."""
    return format_html_join(
        "", '<link rel="stylesheet" href="{}">', ((static(f"css/{name}.css"),) for name in names)
    )


@cache
def imports(name: str) -> tuple[str, ...]:
    """Return the names of all modules that a module imports, also through others."""
    found: list[str] = []
    waiting = [name]
    while waiting:
        here = waiting.pop(0)
        path = finders.find(here)
        if path is None:
            raise template.TemplateSyntaxError(f"No script {here}")
        for other in IMPORT.findall(Path(path).read_text(encoding="utf-8")):
            full = normpath(join(dirname(here), other))
            if full != name and full not in found:
                found.append(full)
                waiting.append(full)
    return tuple(found)
