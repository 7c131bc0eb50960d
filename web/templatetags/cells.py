"""Cells that several lists have, and the picture of the boards of a running round. A tag costs less than a partial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from base.text import isolated
from evenboard_engine import Colour, Result
from tournaments.models import Event, Participant, Section
from tournaments.queries.aro_list import AroRow, Met
from tournaments.queries.rounds import BoardRow, RoundPairings
from tournaments.queries.row_cache import LARGE
from web.context import ResultPages

from .lists import commas
from .marks import PIECES, NamedPlayer, Seated, bye_text, in_words, person_name, points, result_mark

# Cells that several lists have. A tag costs less than a partial in each row of a long list.

register = template.Library()

NOTHING = mark_safe("")


@register.simple_tag
def result_cell(
    result: Result | str | None,
    corrected: bool = False,
    pages: ResultPages | None = None,
    number: int = 0,
    board: int = 0,
) -> SafeString:
    """Write the cell of a result between the two players; only screen readers read that there is none.

    pages: where the person changes the result of this board of round `number`. The result leads there.
    """
    address = pages.of(number, board, adjourned=result == Result.ADJOURNED) if pages else ""
    mark = format_html('<span class="sr">{}</span>', _("no result"))
    if result or address:
        mark = linked_result(address, number, board, result_mark(result))
    note = corrected_mark() if corrected else ""
    return format_html('<td role="cell" class="end">{}{}</td>', mark, note)


def linked_result(address: str, number: int, board: int, result: SafeString) -> SafeString:
    """Make the result of a board lead to the address on which it is changed; leave it as it is without one."""
    if not address:
        return result
    title = _("Change the result: round %(round)s, board %(board)s") % {"round": number, "board": board}
    return format_html('<a class="change-result" href="{}" title="{}">{}</a>', address, title, result)


class Turn(Protocol):
    """What a player did in a round."""

    @property
    def round(self) -> int: ...
    @property
    def board(self) -> int | None: ...
    @property
    def adjourned(self) -> bool: ...


@register.simple_block_tag(takes_context=True)
def result_link(context: Context, content: SafeString, turn: Turn) -> SafeString:
    """Make the result of a game of a player lead to where the person changes it."""
    if turn.board is None:
        return content
    address = context["result_pages"].of(turn.round, turn.board, adjourned=turn.adjourned)
    return linked_result(address, turn.round, turn.board, content)


@register.simple_tag
def corrected_mark() -> SafeString:
    """Say that a result was corrected after a later round had been paired with another one."""
    title = _("A later round was paired with another result.")
    return format_html(
        '<small class="corr quiet" title="{}">{}</small>', title, pgettext("a result", "corrected")
    )


class Boarded(Protocol):
    """What has a board, or for a row by name perhaps none."""

    @property
    def board(self) -> int | None: ...
    @property
    def step_free(self) -> bool: ...


@register.filter
def board_text(row: Boarded) -> int | str:
    """Write the number of a board, and in words that it is step-free; a dash without a board."""
    if row.step_free:
        return format_html('{} <small class="step-free">{}</small>', row.board, _("step-free"))
    return "–" if row.board is None else row.board


@register.simple_tag
def why_cell(row: Boarded, why: str) -> SafeString:
    """Write the cell of a board that leads to the explanation of its pair. why: the page of the whole round."""
    return format_html(
        '<th role="rowheader" scope="row" class="bd"><a href="{}{}/" title="{}">{}</a></th>',
        why,
        row.board,
        _("Why this pairing?"),
        board_text(row),
    )


@register.simple_tag
def why_link(number: int, board: int | None, event: Event, section: Section) -> SafeString:
    """Write a short link to the explanation of a pair; without a board to that of the round, which has the bye."""
    address = reverse("tournaments:explained", args=[event.slug, section.slug, number])
    if board is not None:
        address = f"{address}{board}/"
    title = _("Why this pairing?")
    return format_html(
        '<a class="small why-link noprint" href="{}" title="{}">{}</a>', address, title, _("Why?")
    )


class Numbered(Protocol):
    """A player whose pairing number may have changed."""

    @property
    def tpn(self) -> int | None: ...
    @property
    def former_tpn(self) -> int | None: ...


@register.simple_tag
def number_cell(row: Numbered, title: str = "") -> SafeString:
    """Write the cell of the pairing number, and on wide screens the former number in brackets, with a title."""
    tpn = "" if row.tpn is None else row.tpn
    if not row.former_tpn or row.former_tpn == row.tpn:
        return mark_safe(f'<td class="num quiet">{tpn}</td>')  # noqa: S308 a number
    former = _("(was %(number)s)") % {"number": row.former_tpn}
    about = format_html(' title="{}"', title) if title else ""
    return format_html('<td class="num quiet">{} <small class="wide"{}>{}</small></td>', tpn, about, former)


class NumberedPlayer(Protocol):
    """A player of the starting list."""

    @property
    def status(self) -> str: ...
    @property
    def first_round(self) -> int: ...


@register.simple_tag
def when_in(row: NumberedPlayer) -> SafeString:
    """Write, after a space, that a player has withdrawn or enters late."""
    if row.status == Participant.Status.WITHDRAWN:
        words = _("withdrawn")
    elif row.first_round > 1:
        words = _("from round %(number)s") % {"number": row.first_round}
    else:
        return NOTHING
    return format_html(' <span class="ti">{}</span>', words)


class CrossMark(Protocol):
    """What a crosstable shows of a round of a player."""

    @property
    def before(self) -> object: ...
    @property
    def colour(self) -> Colour | str | None: ...
    @property
    def sign(self) -> str: ...


@register.simple_tag
def cross_mark(mark: CrossMark) -> SafeString:
    """Write the opponent's place, the colour and the result, without white space between them."""
    piece = PIECES[Colour(mark.colour)] if mark.colour else " "
    return mark_safe(f"{escape(mark.before)}{piece}<b>{escape(mark.sign)}</b>")  # noqa: S308 the parts are escaped


@register.simple_tag
def place_change(gained: int) -> SafeString:
    """Write how many places a round brought, in a slot of its own: ↑3, ↓2; screen readers say it in words."""
    if not gained:
        return mark_safe('<small class="change"></small>')
    count = abs(gained)
    if gained > 0:
        words = ngettext("%(count)s place up", "%(count)s places up", count) % {"count": count}
    else:
        words = ngettext("%(count)s place down", "%(count)s places down", count) % {"count": count}
    arrow = "↑" if gained > 0 else "↓"
    return format_html(
        '<small class="change" title="{}"><span aria-hidden="true">{}{}</span><span class="sr">, {}</span></small>',
        words, arrow, count, words,
    )  # fmt: skip


class RoundOnPaper(Protocol):
    """A round of a document."""

    @property
    def number(self) -> int: ...
    @property
    def is_draft(self) -> bool: ...


@register.simple_tag
def of_the_round(event: Event, section: Section, row: RoundOnPaper | None) -> SafeString:
    """Write what stands on each card and slip: the event, the section, the round, and that the round is a draft."""
    number = [_("round %(number)s") % {"number": row.number}] if row else []
    where = commas(event.name, section.name, *number)
    if not row or not row.is_draft:
        return where
    return format_html('{} <b class="draft">{}</b>', where, _("DRAFT"))


@register.simple_tag
def paper_side(side: Seated, colour: str) -> SafeString:
    """Write the cells of a player at a board on paper: name, title and federation, the rating, the points."""
    title = format_html('<span class="ti">{}</span> ', side.title) if side.title else ""
    return format_html(
        '<td class="nm">{} {} <span class="nowrap">{}<span class="fed">{}</span></span></td>'
        '<td class="num">{}</td><td class="pts">{}</td>',
        PIECES[Colour(colour)],
        person_name(side.name),
        title,
        side.federation,
        side.rating or "",
        points(side.points),
    )


@register.simple_tag
def hall_side(side: Seated, colour: str) -> SafeString:
    """Write the cells of a player at a board on the screen of the hall: the name and the points."""
    return format_html('{}<td class="pts {}">{}</td>', hall_name(side, colour), colour, points(side.points))


@register.simple_tag
def hall_name(side: Seated, colour: str) -> SafeString:
    """Write the cell with the name of a player at a board on the screen of the hall."""
    return format_html(
        '<td class="nm {}">{}{} <span class="fed">{} {}</span></td>',
        colour,
        PIECES[Colour(colour)],
        person_name(side.name),
        side.title,
        side.federation,
    )


class CheckInPlayer(NamedPlayer, Protocol):
    """A player of the check-in."""

    @property
    def club(self) -> str: ...


@register.simple_tag
def who(row: CheckInPlayer) -> SafeString:
    """Write a player as the check-in shows one: the name, the title, and in small type number, federation and club."""
    title = format_html('<span class="ti">{}</span> ', row.title) if row.title else ""
    return format_html(
        '<span class="who"><b>{}</b> {}<span class="quiet small">{} {} {}</span></span>',
        person_name(row.name),
        title,
        row.tpn or "",
        row.federation,
        row.club,
    )


class Averaged(Protocol):
    """A player of the ARO list."""

    @property
    def met(self) -> Sequence[Met]: ...
    @property
    def total(self) -> int: ...
    @property
    def games(self) -> int: ...
    @property
    def upfloats(self) -> Sequence[int]: ...
    @property
    def may_get_bye(self) -> bool: ...


@register.simple_tag
def met_row(row: Averaged, was: Averaged | None, after_the_end: bool) -> SafeString:
    """Write the line below a player: the opponents with their ratings and the sum, for readers who add them up, as
    7 (2410) + 12 (2388) = 4798. Narrow lists have the upfloats and the bye here too.

    was: the row of the edition before, which is crossed out if it had other opponents or ratings. after_the_end:
    the list has no column for the colour that is due.
    """
    before = _sum(was) if was is not None and was.met != row.met else ""
    struck = format_html("<del>{}</del> ", before) if before else NOTHING
    notes = []
    if row.upfloats:
        upfloated = ngettext(
            "Upfloated in round %(rounds)s", "Upfloated in rounds %(rounds)s", len(row.upfloats)
        )
        notes.append(upfloated % {"rounds": commas(*row.upfloats)})
    if not row.may_get_bye:
        notes.append(_("no bye"))
    narrow = format_html(' <span class="narrow">{}</span>', commas(*notes)) if notes else NOTHING
    now = _sum(row)
    if not (struck or narrow or now):
        return NOTHING
    spoken = format_html('<span class="sr">{}</span> ', _("Opponents and their ratings:")) if now else NOTHING
    return format_html(
        '<tr class="met"><td></td><td colspan="{}">{}{}{}{}</td></tr>',
        9 if after_the_end else 10,
        struck,
        spoken,
        now,
        narrow,
    )


def _sum(row: Averaged) -> str:
    terms = " + ".join(f"{met.tpn or '?'} ({met.rating})" for met in row.met)
    return f"{terms} = {row.total}; {row.total} / {row.games}" if terms else ""


@register.simple_tag
def float_signs(floats: Sequence[str]) -> SafeString:
    """Draw an arrow for each float of the last rounds, a dot for a round without one. Screen readers read a list."""
    words = {"up": _("upfloat"), "down": _("downfloat"), "": _("no float")}
    signs = {"up": "↑", "down": "↓", "": "·"}
    label = commas(*(words[found] for found in floats))
    return format_html(
        '<span role="img" aria-label="{}">{}</span>', label, " ".join(signs[found] for found in floats)
    )


@register.filter
def bye_word(row: Averaged) -> str:
    """Say in a word whether a player may get the pairing-allocated bye."""
    if row.may_get_bye:
        return pgettext("may get the pairing-allocated bye", "yes")
    return pgettext("may get the pairing-allocated bye", "no")


@register.filter
def unpaired_word(row: AroRow) -> str:
    """Say why a player is not paired in the round; "" for a paired player. Beside the name stands who has withdrawn."""
    if row.bye:
        return bye_text(row.bye)
    return _("not paired") if row.unpaired and not row.withdrawn else ""


# The picture of the boards of a running round, as a tag: a loop in the template is slow where a hall has
# thousands.


@register.simple_tag
def board_map(view: RoundPairings, address: str) -> SafeString:
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
    if row.in_conflict or row.disputed:
        return "clash"
    if row.no_slip:
        return "gap"
    if row.adjourned:
        return "adj"
    return "play" if row.open else ""
