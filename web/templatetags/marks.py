"""The marks of the lists: points, results, pieces, colour strips, due colours. Each mark also says in words
what it shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Protocol

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from base.reader import READER
from base.text import from_the_right, isolated, name_in_words
from evenboard_engine import RESULTS, ByeKind, Colour, Outcome, Result
from evenboard_engine.preference import Preference, Strength
from evenboard_engine.words.catalogue import Joint
from tournaments.models import Section
from tournaments.queries.entries import RequestedBye
from tournaments.queries.rounds import BoardRow
from web.words.script_counts import script_counts
from web.words.systems import article_in
from web.words.values import (
    actor_words,
    bye_words,
    colour_word,
    due_words,
    points_text,
    reader_words,
    result_sign,
    result_words,
)

from .lists import commas

register = template.Library()
register.filter(actor_words)
register.filter(isolated)

WINS = (Outcome.WIN, Outcome.FORFEIT_WIN)
LOSSES = (Outcome.LOSS, Outcome.FORFEIT_LOSS)


@register.filter(name="person")
def person_name(name: str) -> SafeString:
    """Write the name of a person. One from right to left must not turn the signs around it: it stands in a <bdi>."""
    written = escape(name_in_words(name))
    if from_the_right(name):
        return mark_safe(f"<bdi>{written}</bdi>")  # noqa: S308 escaped
    return written


@register.filter
def numbered(side: NamedPlayer) -> SafeString:
    """Write the name and the pairing number of a player beside a result: Ricci, Giulia (31)."""
    return format_html("{} ({})", person_name(side.name), side.tpn)


@register.filter(name="points_text")
def points_in_text(tenths: int | str | None) -> str:
    """Write points without a slot: 4½, ½, 3.3."""
    return READER.decimal(points_text(tenths))


@register.filter
def points(tenths: int | str | None) -> str:
    """Write points with the half in a slot of its own, so that digits are below digits. For cells of class pts."""
    if tenths is None or tenths == "":
        return ""
    whole, rest = divmod(abs(int(tenths)), 10)
    sign = "−" if int(tenths) < 0 else ""
    if rest == 5:
        return format_html("{}{}<i>½</i>", sign, whole or "")
    return format_html("{}{}<i>{}</i>", sign, whole, READER.decimal(f".{rest}") if rest else "")


@register.filter
def points_words(tenths: int) -> str:
    """Write points with the noun: 1 point, 2½ points."""
    return READER.points(tenths)


@register.filter
def article(section: Section, number: str) -> str:
    """Return an article of FIDE's rules in brackets, after a space; "" where it does not apply to the section."""
    return article_in(section.system, number)


@register.filter
def listed(items: Iterable[object], joint: Joint) -> str:
    """Write the items as a list: "comma" or "semicolon" joins them as in a table, "and" as in a sentence."""
    return READER.listed(items, joint)


@register.simple_tag
def counted_texts(page: str) -> SafeString:
    """Write the counted texts of the page's scripts as data attributes."""
    return format_html_join(" ", 'data-{}="{}"', script_counts(page).items())


@register.filter
def result_text(result: Result | str | None) -> str:
    """Write the result: 1–0, ½–½, + –. Nothing while there is no result."""
    return result_sign(Result(result)) if result else ""


@register.filter
def entered_by(row: BoardRow) -> str:
    """Return who entered the result of a board: a person, or both players; ? if nobody knows."""
    return reader_words(row.entered_by, row.result, row.pressed) or "?"


@register.filter
def verified_by(row: BoardRow) -> str:
    """Return whose the second reading is, as `entered_by`."""
    return reader_words(row.second_by, row.second, row.pressed) or "?"


@register.filter("result_words")
def in_words(result: Result | str | None) -> str:
    """Write the result in words: White wins, Draw, Black wins by forfeit; "no result" while there is none."""
    return result_words(Result(result)) if result else _("no result")


@register.simple_tag
def result_mark(result: Result | str | None) -> SafeString:
    """Draw the box of a result: plain with a result, dashed while the game is open."""
    if not result:
        return format_html('<span class="res open"><span class="sr">{}</span>·</span>', _("no result"))
    value = Result(result)
    return format_html('<span class="res" title="{}">{}</span>', result_words(value), result_sign(value))


GROUPS = (
    (
        pgettext_lazy("results", "Played"),
        (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.ADJOURNED),
    ),
    (
        gettext_lazy("Forfeit"),
        (Result.WHITE_WINS_BY_FORFEIT, Result.BLACK_WINS_BY_FORFEIT, Result.DOUBLE_FORFEIT),
    ),
    (gettext_lazy("Unusual"), (Result.HALF_ZERO, Result.ZERO_HALF, Result.ZERO_ZERO)),
    (
        gettext_lazy("Less than one move, unrated"),
        (Result.WHITE_WINS_UNRATED, Result.DRAW_UNRATED, Result.BLACK_WINS_UNRATED),
    ),
)


@register.simple_tag
def result_options(chosen: Result | str | None) -> SafeString:
    """Return the options of a menu of results, in groups. The first option means no result."""
    return _options(str(chosen or ""), get_language())


@cache
def _options(chosen: str, _language: str | None) -> SafeString:
    def option(value: str, sign: str, label: str) -> SafeString:
        picked = mark_safe(" selected") if value == chosen else ""
        return format_html('<option value="{}" title="{}"{}>{}</option>', value, label, picked, sign)

    groups = format_html_join(
        "",
        '<optgroup label="{}">{}</optgroup>',
        (
            (label, mark_safe("".join(option(r.value, result_sign(r), result_words(r)) for r in results)))  # noqa: S308
            for label, results in GROUPS
        ),
    )
    return option("", "·", _("no result")) + groups


# The results in the order in which static/js/results/keys.js has their keys.
KEY_LABELS = (
    gettext_lazy("White wins"),
    gettext_lazy("Draw"),
    gettext_lazy("Black wins"),
    gettext_lazy("Forfeit, White wins"),
    gettext_lazy("Forfeit, Black wins"),
    gettext_lazy("Both forfeit"),
    gettext_lazy("½–0"),
    gettext_lazy("0–½"),
    gettext_lazy("0–0"),
    gettext_lazy("Unrated, White wins"),
    gettext_lazy("Unrated, draw"),
    gettext_lazy("Unrated, Black wins"),
    gettext_lazy("Adjourned"),
    gettext_lazy("Clear"),
)


@register.simple_tag
def key_labels() -> str:
    """Return the names of the results for the sheet of keys, joined by vertical bars."""
    return "|".join(map(str, KEY_LABELS))


def _side_class(result: Result | str | None, white: bool) -> str:
    if not result:
        return ""
    meaning = RESULTS[Result(result)]
    own, other = (meaning.white, meaning.black) if white else (meaning.black, meaning.white)
    if own in WINS:
        return "won"
    return "lost" if own in LOSSES and other not in LOSSES else ""


@register.filter
def white_class(result: Result | str | None) -> str:
    """Return won, lost or nothing, the class of White's cell."""
    return _side_class(result, white=True)


@register.filter
def black_class(result: Result | str | None) -> str:
    """Return won, lost or nothing, the class of Black's cell."""
    return _side_class(result, white=False)


class Opposed(Protocol):
    """A row with the ARO of a player."""

    @property
    def games(self) -> int: ...
    @property
    def aro(self) -> object: ...


class NamedPlayer(Protocol):
    """A player as lists name one. The number is read only for a link, the federation only where it is shown."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def federation(self) -> str: ...
    @property
    def tpn(self) -> int | None: ...


@register.simple_tag
def titled(person: NamedPlayer, cards: str = "", anchor: str = "") -> SafeString:
    """Write a name, surname first, and the title in small type. cards: where the cards of the players are, for a link;
    anchor: a place on the card. A player without a number has no card.
    """
    name = person_name(person.name)
    if cards and person.tpn:
        name = mark_safe(f'<a href="{escape(cards)}{person.tpn}/{escape(anchor)}">{name}</a>')  # noqa: S308
    return mark_safe(f'{name} <span class="ti">{escape(person.title)}</span>') if person.title else name  # noqa: S308


@register.simple_tag
def player(person: NamedPlayer, cards: str = "", fed: str = "fed", anchor: str = "") -> SafeString:
    """Write a name, the title and the federation. fed: its classes; w36 hides it on phones. cards, anchor: as above."""
    named = titled(person, cards, anchor)
    if not person.federation:
        return named
    return mark_safe(f'{named} <span class="{escape(fed)}">{escape(person.federation)}</span>')  # noqa: S308


class RatedPlayer(NamedPlayer, Protocol):
    """A player in a table of the section."""

    @property
    def withdrawn(self) -> bool: ...


@register.simple_tag
def entrant(row: RatedPlayer, cards: str = "", fed: str = "") -> SafeString:
    """Write a name, the title and whether the player has withdrawn. fed: the classes of the federation, for a list that
    has it here.
    """
    named = player(row, cards, fed) if fed else titled(row, cards)
    if not row.withdrawn:
        return named
    return format_html('{} <span class="ti">{}</span>', named, _("withdrawn"))


@register.filter
def aro(row: Opposed) -> object:
    """Return the ARO of a row, or a dash for a player without games."""
    return row.aro if row.games else "–"


PIECES = {
    Colour.WHITE: mark_safe('<span class="pc" aria-hidden="true"></span>'),
    Colour.BLACK: mark_safe('<span class="pc b" aria-hidden="true"></span>'),
}


@register.simple_tag
def piece(colour: Colour | str) -> SafeString:
    """Draw a white or a black square. The word beside it or the name of its column says the colour."""
    return PIECES[Colour(colour)]


class Seated(NamedPlayer, Protocol):
    """A player at a board."""

    @property
    def rating(self) -> int: ...
    @property
    def points(self) -> int: ...


@register.simple_tag
def side_cell(side: Seated, colour: str, result: Result | str | None, cards: str) -> SafeString:
    """Write the cell of a player at a board. data-about: rating and points, for the visitor who is the opponent."""
    outcome = _side_class(result, white=colour == Colour.WHITE)
    about = commas(side.rating, READER.points(side.points))
    return mark_safe(  # noqa: S308 the name and its parts are escaped
        f'<td role="cell" class="p-{colour} {outcome}" data-about="{about}">'
        f'<div class="nm">{PIECES[Colour(colour)]} {player(side, cards)}</div></td>'
    )


@register.simple_tag
def piece_word(colour: Colour | str) -> SafeString:
    """Draw the square with its word."""
    return format_html("{}{}", PIECES[Colour(colour)], colour_word(Colour(colour)))


@register.simple_tag
def piece_read(colour: Colour | str) -> SafeString:
    """Draw the square. Its word is only for screen readers."""
    return format_html('{}<span class="sr">{}</span>', PIECES[Colour(colour)], colour_word(Colour(colour)))


@register.simple_tag
def colour_strip(colours: Iterable[Colour | str | None]) -> SafeString:
    """Draw one place for each round: White high, Black low, a dash where no game was played. Screen readers
    read it as a list.
    """
    history = [Colour(colour) if colour else None for colour in colours]
    if not history:
        return mark_safe("")
    label = READER.listed(
        (
            colour_word(colour) if colour else pgettext("a round without a game", "not played")
            for colour in history
        ),
        "comma",
    )
    stops = format_html_join(
        "", '<i class="{}"></i>', ((colour.value if colour else "n",) for colour in history)
    )
    return format_html('<span class="strip" role="img" aria-label="{}">{}</span>', label, stops)


STRENGTHS = {
    Strength.ABSOLUTE: "abs",
    Strength.STRONG: "strong",
    Strength.MILD: "mild",
    Strength.NONE: "strong",
}


@register.simple_tag
def due(preference: Preference | None) -> SafeString:
    """Write the due colour and its strength: absolute in bold type, strong in regular type, mild in quiet type.

    A due colour without a strength is in regular type.
    """
    if preference is None:
        return mark_safe("")
    return format_html(
        '<span class="due {}"><span>{}{}</span></span>',
        STRENGTHS[preference.strength],
        PIECES[preference.colour],
        due_words(preference),
    )


@register.filter
def bye_text(kind: str, section: Section | None = None) -> str:
    """Write the bye: half-point bye, pairing-allocated bye. In a section with fixed rounds the last one is "free"."""
    return bye_words(kind, free=section is not None and section.fixed_rounds)


@register.filter
def bye_short(kind: str, section: Section | None = None) -> str:
    """Write the bye in a narrow cell. A bye of a full point has no number, because it counts as a win. section: as for
    `bye_text`.
    """
    if section is not None and section.fixed_rounds and kind == ByeKind.ALLOCATED:
        return bye_text(kind, section)
    return {ByeKind.HALF: _("bye ½"), ByeKind.ZERO: _("bye 0")}.get(ByeKind(kind), _("bye"))


BYE_SIGNS = {ByeKind.ALLOCATED: "1", ByeKind.FULL: "1", ByeKind.HALF: "½", ByeKind.ZERO: "0"}


@register.simple_tag
def bye_marks(byes: Iterable[RequestedBye]) -> SafeString:
    """Write the byes of a player in a narrow cell, by kind: "½ bye in rounds 2, 5". The full words are for screen
    readers, and in the title.
    """
    rounds: dict[ByeKind, list[int]] = {}
    for bye in byes:
        rounds.setdefault(ByeKind(bye.kind), []).append(bye.round_number)
    marks = []
    for kind, numbers in rounds.items():
        about = {"rounds": READER.listed(numbers, "comma"), "bye": bye_words(kind), "points": BYE_SIGNS[kind]}
        words = ngettext("%(bye)s in round %(rounds)s", "%(bye)s in rounds %(rounds)s", len(numbers)) % about
        sign = (
            ngettext(
                "%(points)s bye in round %(rounds)s", "%(points)s bye in rounds %(rounds)s", len(numbers)
            )
            % about
        )
        marks.append((words, sign))
    mark = '<span class="quiet small" title="{0}"><span aria-hidden="true">{1}</span><span class="sr">{0}</span></span>'
    return mark_safe(READER.listed([format_html(mark, *texts) for texts in marks], "semicolon"))  # noqa: S308
