"""Standings that are published after each round and kept, for systems that have no list of ARO."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from evenboard_engine import Colour
from tournaments.models import Round, Section
from tournaments.models.published_lists import ARO, CROSSTABLE
from tournaments.queries.published_lists import (
    ADJOURNED,
    BYE,
    PublishedGame,
    PublishedPeople,
    PublishedStandings,
    PublishedStandingsRow,
    ShownList,
    shown_list,
    shown_table,
)
from web.context import section_context
from web.views.public.public_page import Visit, about_round, poll_query, visitor_page
from web.words.published_lists import (
    changes_sentences,
    notes,
    published_sentence,
    waiting_sentence,
    withdrawn_sentence,
)
from web.words.standings import missing_sentence
from web.words.values import points_text


@dataclass(frozen=True, slots=True)
class PublishedCell:
    """A cell of a published table. opponent: the number, "" for none. was: the text of the edition before."""

    opponent: str
    colour: Colour | None
    sign: str
    was: str = ""


@dataclass(frozen=True, slots=True)
class PublishedLine:
    """A player of a published table. was: the row of the edition before, if another value is in it."""

    row: PublishedStandingsRow
    was: PublishedStandingsRow | None
    linked: bool
    cells: tuple[PublishedCell, ...]
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A published table for paper and files. heads: of the columns of games. about: sentences that say what it is."""

    table: PublishedStandings
    heads: tuple[str, ...]
    lines: tuple[PublishedLine, ...]
    about: list[str]


@visitor_page(polled=True)
def published(
    request: HttpRequest, visit: Visit, number: int | None = None, edition: int | None = None
) -> HttpResponse:
    """Show published standings after a round; without a number the newest ones. edition: an earlier one, as it was."""
    section = visit.section
    shown = _shown(section, number, edition)
    table, former, people = shown_table(section, shown)
    context = section_context(request, section, "published", None)
    context |= {
        "shown": shown,
        "published": published_sentence(shown.published) if shown.published else "",
        "notes": notes(replace(shown, missed=False)),
        "withdrawn": withdrawn_sentence(shown),
        "waiting": waiting_sentence(shown) if number is None or table is None else "",
        "table": table,
        "state": missing_sentence(table.state) if table else "",
        "changes": changes_sentences(table.rows, former) if table else [],
        "heads": _heads(section, table) if table else (),
        "lines": lines(section, table, former, people) if table else (),
        "poll": poll_query(section, shown.mark, {}) if number is None else "",
    }
    return about_round(render(request, "public/published_lists_table.html", context), shown.mark)


def table_for(section: Section, number: int | None) -> PublishedTable:
    """Return published standings for paper and files; without a number the newest ones.

    Raises Round.DoesNotExist if there are none.
    """
    shown = _shown(section, number)
    table, _former, people = shown_table(section, shown)
    if table is None or shown.published is None:
        raise Round.DoesNotExist("no list has been published yet")
    return PublishedTable(
        table=table,
        heads=_heads(section, table),
        lines=lines(section, table, {}, people),
        about=[published_sentence(shown.published), *notes(shown)],
    )


def _shown(section: Section, number: int | None, edition: int | None = None) -> ShownList:
    return shown_list(section, _kind(section), None if number is None else number + 1, edition)


def _kind(section: Section) -> str:
    """Return the list that a section publishes here. Raises Round.DoesNotExist if there is none."""
    kind = next((kind for kind in section.lists if kind != ARO), None)
    if kind is None:
        raise Round.DoesNotExist(f"{section.system} publishes no standings")
    return kind


def _heads(section: Section, table: PublishedStandings) -> tuple[str, ...]:
    """Return the heads of the columns of games: the rounds, or the numbers where everybody meets everybody."""
    if CROSSTABLE in section.lists:
        return tuple(str(row.tpn or "") for row in _by_number(table.rows))
    return tuple(str(number) for number in range(1, table.after_round + 1))


def lines(
    section: Section,
    table: PublishedStandings,
    former: Mapping[int, PublishedStandingsRow],
    people: PublishedPeople,
) -> tuple[PublishedLine, ...]:
    """Return the lines of a published table: by place, or by number where everybody meets everybody."""
    crosstable = CROSSTABLE in section.lists
    rows = _by_number(table.rows) if crosstable else list(table.rows)
    numbers = [row.participant_id for row in rows]
    found = []
    for row in rows:
        was = former.get(row.participant_id)
        entry = people.get(row.participant_id)
        cells, earlier = (
            (_against(one, numbers) if crosstable else _by_round(one)) if one else ()
            for one in (row, was if was != row else None)
        )
        found.append(
            PublishedLine(
                row=row if entry else replace(row, name=_("entry removed")),
                was=was if was != row else None,
                linked=entry is not None and entry.tpn == row.tpn,
                cells=_with_former(cells, earlier),
                values=_values(row, was),
            )
        )
    return tuple(found)


def _by_number(rows: Iterable[PublishedStandingsRow]) -> list[PublishedStandingsRow]:
    return sorted(rows, key=lambda row: (row.tpn is None, row.tpn or 0))


def _by_round(row: PublishedStandingsRow) -> tuple[PublishedCell, ...]:
    return tuple(
        PublishedCell(str(game.tpn or "") if game.opponent else "", game.colour, sign(game))
        for game in row.games
    )


def _against(row: PublishedStandingsRow, numbers: list[int]) -> tuple[PublishedCell, ...]:
    """Return what a player scored against each other one, game after game."""
    signs: dict[int, list[str]] = {key: [] for key in numbers}
    for game in row.games:
        if game.opponent in signs:
            signs[game.opponent].append(sign(game))
    return tuple(
        PublishedCell("", None, "×" if key == row.participant_id else " ".join(signs[key])) for key in numbers
    )


def _with_former(
    cells: tuple[PublishedCell, ...], earlier: tuple[PublishedCell, ...]
) -> tuple[PublishedCell, ...]:
    if len(cells) != len(earlier):
        return cells
    return tuple(
        replace(cell, was=was.sign or "–") if was != cell else cell
        for cell, was in zip(cells, earlier, strict=True)
    )


def _values(row: PublishedStandingsRow, was: PublishedStandingsRow | None) -> tuple[tuple[str, str], ...]:
    """Return each value with the former one, "" if it is the same."""
    earlier = was.values if was is not None and len(was.values) == len(row.values) else row.values
    return tuple(
        (value, former if former != value else "") for value, former in zip(row.values, earlier, strict=True)
    )


def sign(game: PublishedGame) -> str:
    """Return what a player scored in a game or for a bye."""
    if game.score == ADJOURNED:
        return _("adj.")
    kind, _space, tenths = game.score.partition(" ")
    return points_text(tenths) if kind == BYE else game.score
