"""The picture of the boards of a running round, as a tag: a loop in the template is slow where a hall has thousands."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from base.text import isolated
from tournaments.queries.kept_rows import LARGE
from tournaments.queries.pairings import BoardRow, RoundView

from .marks import in_words

register = template.Library()


@register.simple_tag
def board_map(view: RoundView, address: str) -> SafeString:
    """Draw a cell for each board, which leads to it on the page Results at this address.

    The cells name the players, which a pointer shows; not in a large hall, where the names are most of the page.
    """
    words = {
        "clash": _("two results"),
        "gap": _("no slip"),
        "play": _("in play"),
    }
    named = view.total <= LARGE
    return format_html_join(
        "",
        '<a href="{}#board-{}"{}{}>{} <span class="sr">{}</span></a>',
        (
            (
                address,
                row.board,
                _title(row) if named else "",
                format_html(' class="{}"', state) if (state := _state(row)) else "",
                row.board,
                words.get(state) or in_words(row.result),
            )
            for row in view.boards
        ),
    )


def _title(row: BoardRow) -> SafeString:
    return format_html(' title="{} – {}"', isolated(row.white.name), isolated(row.black.name))


def _state(row: BoardRow) -> str:
    if row.in_conflict:
        return "clash"
    if row.no_slip:
        return "gap"
    if row.adjourned:
        return "adj"
    return "play" if row.open else ""
