"""The content of published lists: rows as plain values, which stay as they were."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from evenboard_engine import Colour, Outcome, system_named
from evenboard_engine.preference import Preference, Strength
from evenboard_engine.words.tiebreaks import tie_value_text
from tournaments.models import Participant, PublishedList
from tournaments.models.published_list import ARO, CROSSTABLE, STANDINGS

from .aro_list import AroList, AroRow, Met, list_before, list_of
from .field import SectionField
from .rulings import Decision, decisions_in, decisions_on
from .standings import State, table
from .turns import Turn, turns

Content = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Game:
    """A round of a player in a published table. opponent, tpn: None without one. score: what the player scored."""

    opponent: int | None
    tpn: int | None
    colour: Colour | None
    score: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """A player of published standings. place: None for a player without one. values: of the tie-breaks, as texts."""

    participant_id: int
    tpn: int | None
    name: str
    title: str
    federation: str
    rating: int
    points: int
    place: int | None
    values: tuple[str, ...]
    games: tuple[Game, ...]
    withdrawn: bool
    decisions: tuple[Decision, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Published standings. tie_breaks: their codes."""

    after_round: int
    rows: tuple[TableRow, ...]
    tie_breaks: tuple[str, ...]
    state: State

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Return the decisions of the arbiter that are in the points, by pairing number and round."""
        return decisions_in(self.rows)


def content_of(kind: str, field: SectionField) -> Content:
    """Return the content of a list before `field.before_round`. No database query."""
    return _MAKE[kind](field)


def _aro_content(field: SectionField) -> Content:
    listed = list_before(field)
    return {"rows": [_aro_row(row) for row in listed.rows], "adjourned": _boards(listed.state)}


def _aro_row(row: AroRow) -> Content:
    return {
        "player": row.participant_id,
        "tpn": row.tpn,
        "former_tpn": row.former_tpn,
        "rating": row.rating,
        "points": row.points,
        **_decided(row.decisions),
        "pairing_points": row.pairing_score,
        "games": row.games,
        "aro": row.aro,
        "met": [[met.participant_id, met.tpn, met.rating] for met in row.met],
        "colours": [colour.value if colour else "" for colour in row.colours],
        "due": [row.due.colour.value, row.due.strength.value] if row.due else None,
        "upfloats": [*row.upfloats],
        "bye": row.may_get_bye,
        "withdrawn": row.withdrawn,
    }


def _boards(state: State) -> list[list[int]]:
    return [[*board] for board in state.adjourned]


def _table_content(field: SectionField) -> Content:
    standings = table(field)
    by_player = turns(field, until=standings.after_round)
    ranked = [
        (
            row.participant_id,
            row.place,
            row.points,
            [tie_value_text(rule, row.values[at]) for at, rule in standings.columns],
        )
        for row in standings.rows
    ]
    unplaced = [(row.participant_id, None, 0, [""] * len(standings.columns)) for row in standings.uncounted]
    return {
        "rows": [
            _table_row(field, key, place, points, values, by_player[key], standings.after_round)
            for key, place, points, values in (*ranked, *unplaced)
        ],
        "adjourned": _boards(standings.state),
        "tie_breaks": [rule.text for _at, rule in standings.columns],
    }


def _table_row(
    field: SectionField,
    key: int,
    place: int | None,
    points: int,
    values: list[str],
    own: Iterable[Turn],
    until: int,
) -> Content:
    entry = field.participants[key]
    return {
        "player": key,
        "tpn": entry.tpn,
        "rating": entry.rating,
        "points": points,
        **_decided(decisions_on(field, key, until)),
        "withdrawn": entry.status == Participant.Status.WITHDRAWN,
        "place": place,
        "values": values,
        "cells": [_cell(field, turn) for turn in own],
    }


def _decided(decisions: Iterable[Decision]) -> Content:
    """Return the decisions of a row as plain values; most rows have none."""
    decided = [[one.round, one.points, one.of_result] for one in decisions]
    return {"decisions": decided} if decided else {}


def _cell(field: SectionField, turn: Turn) -> list[Any]:
    number = field.participants[turn.opponent].tpn if turn.opponent else None
    colour = turn.colour.value if turn.colour and (turn.played or turn.open) else ""
    return [turn.opponent or 0, number, colour, _score(turn)]


ADJOURNED, BYE = "adj", "bye"
SIGNS = {
    Outcome.WIN: "1",
    Outcome.DRAW: "½",
    Outcome.LOSS: "0",
    Outcome.FORFEIT_WIN: "+",
    Outcome.FORFEIT_LOSS: "–",
}


def _score(turn: Turn) -> str:
    """Return what the player scored: a sign, ADJOURNED, or BYE with tenths of points; "" without a game."""
    if turn.adjourned:
        return ADJOURNED
    if turn.bye:
        return f"{BYE} {turn.gained or 0}"
    return SIGNS[turn.outcome] if turn.outcome else ""


_MAKE: Mapping[str, Callable[[SectionField], Content]] = {
    ARO: _aro_content,
    STANDINGS: _table_content,
    CROSSTABLE: _table_content,
}


People = Mapping[int, Participant]
"""The entries of a section by key. They have the names: a published list has none."""


def read_aro(published: PublishedList, people: People) -> AroList:
    """Return a published list of ARO."""
    section = published.section
    limit = system_named(section.system).upfloat_limit(section.rounds)
    before = published.before_round
    return list_of(
        [_read_aro_row(found, people, before, limit) for found in published.content["rows"]],
        before_round=before,
        section=section,
        latest_round=published.after_round,
        limit=limit,
        state=_state(published),
    )


def _read_aro_row(found: Content, people: People, before: int, limit: int | None) -> AroRow:
    due, upfloats = found["due"], tuple(found["upfloats"])
    return AroRow(
        **_who(found, people),
        former_tpn=found["former_tpn"],
        pairing_score=found["pairing_points"],
        games=found["games"],
        aro=found["aro"],
        met=tuple(Met(*met) for met in found["met"]),
        colours=tuple(Colour(colour) if colour else None for colour in found["colours"]),
        due=Preference(Colour(due[0]), Strength(due[1])) if due else None,
        upfloats=upfloats,
        upfloated_last_round=before - 1 in upfloats,
        maximum_upfloater=limit is not None and len(upfloats) >= limit,
        may_get_bye=found["bye"],
    )


def read_table(published: PublishedList, people: People) -> Table:
    """Return published standings."""
    content = published.content
    rows = tuple(
        TableRow(
            **_who(found, people),
            place=found["place"],
            values=tuple(found["values"]),
            games=tuple(
                Game(key or None, number, Colour(colour) if colour else None, score)
                for key, number, colour, score in found["cells"]
            ),
        )
        for found in content["rows"]
    )
    return Table(published.after_round, rows, tuple(content["tie_breaks"]), _state(published))


def _who(found: Content, people: People) -> dict[str, Any]:
    """Return the values of a row that every list has. A player whose entry was removed has no name."""
    entry = people.get(found["player"])
    name = entry.shown_name if entry else ""
    return {
        "participant_id": found["player"],
        "tpn": found["tpn"],
        "name": name,
        "title": entry.player.title if entry else "",
        "federation": entry.player.federation if entry else "",
        "rating": found["rating"],
        "points": found["points"],
        "withdrawn": found["withdrawn"],
        "decisions": tuple(
            Decision(found["player"], found["tpn"], name, *decided) for decided in found.get("decisions", ())
        ),
    }


def _state(published: PublishedList) -> State:
    """Return how complete the list is. Every result was in when it was published."""
    adjourned = tuple((number, board) for number, board in published.content["adjourned"])
    return State(after_round=published.after_round, ends=False, open=(), adjourned=adjourned)
