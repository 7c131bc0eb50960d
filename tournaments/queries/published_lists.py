"""Lists that are published after each round: their content, which one is due, and what visitors see.

The content is rows as plain values, which stay as they were. Visitors see the newest edition, or what the list waits
for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Count, F, Q

from evenboard_engine import Colour, Outcome, system_named
from evenboard_engine.preference import Preference, Strength
from evenboard_engine.words.tiebreaks import tie_value_text
from tournaments.models import Participant, PublishedList, Round, Section
from tournaments.models.published_lists import ARO, CROSSTABLE, STANDINGS

from .aro_list import AroList, AroRow, Met, aro_list, list_before, list_of
from .decided_points import PointsDecision, point_decisions_in, point_decisions_on
from .field import SectionField, load_field
from .player_rounds import PlayerRound, player_rounds
from .standings import StandingsState, standings_of

# The content of published lists: rows as plain values, which stay as they were.

ListContent = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PublishedGame:
    """A round of a player in a published table. opponent, tpn: None without one. score: what the player scored."""

    opponent: int | None
    tpn: int | None
    colour: Colour | None
    score: str


@dataclass(frozen=True, slots=True)
class PublishedStandingsRow:
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
    games: tuple[PublishedGame, ...]
    withdrawn: bool
    decisions: tuple[PointsDecision, ...] = ()


@dataclass(frozen=True, slots=True)
class PublishedStandings:
    """Published standings. tie_breaks: their codes."""

    after_round: int
    rows: tuple[PublishedStandingsRow, ...]
    tie_breaks: tuple[str, ...]
    state: StandingsState

    @property
    def decisions(self) -> tuple[PointsDecision, ...]:
        """Return the decisions of the arbiter that are in the points, by pairing number and round."""
        return point_decisions_in(self.rows)


def list_content_of(kind: str, field: SectionField) -> ListContent:
    """Return the content of a list before `field.before_round`. No database query."""
    return _MAKE[kind](field)


def _aro_content(field: SectionField) -> ListContent:
    listed = list_before(field)
    return {"rows": [_aro_row(row) for row in listed.rows], "adjourned": _boards(listed.state)}


def _aro_row(row: AroRow) -> ListContent:
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


def _boards(state: StandingsState) -> list[list[int]]:
    return [[*board] for board in state.adjourned]


def _table_content(field: SectionField) -> ListContent:
    standings = standings_of(field)
    by_player = player_rounds(field, until=standings.after_round)
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
    own: Iterable[PlayerRound],
    until: int,
) -> ListContent:
    entry = field.participants[key]
    return {
        "player": key,
        "tpn": entry.tpn,
        "rating": entry.rating,
        "points": points,
        **_decided(point_decisions_on(field, key, until)),
        "withdrawn": entry.status == Participant.Status.WITHDRAWN,
        "place": place,
        "values": values,
        "cells": [_cell(field, turn) for turn in own],
    }


def _decided(decisions: Iterable[PointsDecision]) -> ListContent:
    """Return the decisions of a row as plain values; most rows have none."""
    decided = [[one.round, one.points, one.of_result] for one in decisions]
    return {"decisions": decided} if decided else {}


def _cell(field: SectionField, turn: PlayerRound) -> list[Any]:
    number = field.participants[turn.opponent].tpn if turn.opponent else None
    colour = turn.colour.value if turn.colour and (turn.played or turn.open) else ""
    return [turn.opponent or 0, number, colour, _score(turn)]


ADJOURNED, BYE = "adj", "bye"
BYE_SIGNS = {
    Outcome.WIN: "1",
    Outcome.DRAW: "½",
    Outcome.LOSS: "0",
    Outcome.FORFEIT_WIN: "+",
    Outcome.FORFEIT_LOSS: "–",
}


def _score(turn: PlayerRound) -> str:
    """Return what the player scored: a sign, ADJOURNED, or BYE with tenths of points; "" without a game."""
    if turn.adjourned:
        return ADJOURNED
    if turn.bye:
        return f"{BYE} {turn.gained or 0}"
    return BYE_SIGNS[turn.outcome] if turn.outcome else ""


_MAKE: Mapping[str, Callable[[SectionField], ListContent]] = {
    ARO: _aro_content,
    STANDINGS: _table_content,
    CROSSTABLE: _table_content,
}


PublishedPeople = Mapping[int, Participant]
"""The entries of a section by key. They have the names: a published list has none."""


def read_published_aro(published: PublishedList, people: PublishedPeople) -> AroList:
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


def _read_aro_row(found: ListContent, people: PublishedPeople, before: int, limit: int | None) -> AroRow:
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


def read_published_standings(published: PublishedList, people: PublishedPeople) -> PublishedStandings:
    content = published.content
    rows = tuple(
        PublishedStandingsRow(
            **_who(found, people),
            place=found["place"],
            values=tuple(found["values"]),
            games=tuple(
                PublishedGame(key or None, number, Colour(colour) if colour else None, score)
                for key, number, colour, score in found["cells"]
            ),
        )
        for found in content["rows"]
    )
    return PublishedStandings(published.after_round, rows, tuple(content["tie_breaks"]), _state(published))


def _who(found: ListContent, people: PublishedPeople) -> dict[str, Any]:
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
            PointsDecision(found["player"], found["tpn"], name, *decided)
            for decided in found.get("decisions", ())
        ),
    }


def _state(published: PublishedList) -> StandingsState:
    """Return how complete the list is. Every result was in when it was published."""
    adjourned = tuple((number, board) for number, board in published.content["adjourned"])
    return StandingsState(after_round=published.after_round, ends=False, open=(), adjourned=adjourned)


# Which lists of a section are published, and which one is due.


@dataclass(frozen=True, slots=True)
class Played:
    """How far the rounds of a section are over.

    after_round: the last round up to which every round is published and every game has a result; 0 for none.
    latest: the last round that is paired, draft or not. in_conflict: a slip of these rounds was read in two ways.
    """

    after_round: int
    latest: int
    in_conflict: bool

    def is_next(self, section: Section) -> bool:
        """Return whether no later round is paired from these results yet. Rounds that are fixed need no results."""
        return self.after_round > 0 and (section.fixed_rounds or self.latest == self.after_round)


def played_results(section: Section) -> Played:
    """Return how far the rounds of a section are over. One query."""
    differ = Q(games__second_result__gt="") & ~Q(games__second_result=F("games__result"))
    rounds = (
        section.played_rounds.order_by("number")
        .values_list("number", "state")
        .annotate(
            open_games=Count("games", filter=Q(games__result="")), in_conflict=Count("games", filter=differ)
        )
    )
    after = latest = 0
    conflict = False
    over = True
    for number, state, open_games, in_conflict in rounds:
        over = over and state != Round.State.DRAFT and not open_games
        latest = number
        if over:
            after = number
            conflict = conflict or in_conflict > 0
    return Played(after, latest, conflict)


def newest_editions(section: Section, *, since: int = 0) -> dict[tuple[str, int], PublishedList]:
    """Return the newest edition of each list, by kind and round, without its content. since: the first round.

    One query.
    """
    lists = section.published_lists.filter(after_round__gte=since).defer("content").order_by("edition")
    return {(found.kind, found.after_round): found for found in lists}


def editions_of(section: Section, kind: str) -> tuple[PublishedList, ...]:
    """Return all lists of a kind without their content, oldest first. One query."""
    lists = section.published_lists.filter(kind=kind).defer("content").order_by("after_round", "edition")
    return tuple(lists)


def shows_table(section: Section) -> bool:
    """Return whether visitors see published standings: the newest edition is not withdrawn. One query at most."""
    tables = [kind for kind in section.lists if kind != ARO]
    if not tables:
        return False
    newest = section.published_lists.filter(kind=tables[0]).order_by("after_round", "edition")
    last = newest.defer("content").last()
    return last is not None and not last.withdrawn


def published_people(section: Section) -> PublishedPeople:
    """Return the entries of a section by key. One query."""
    return {entry.pk: entry for entry in section.participants.select_related("player")}


# What visitors see of a list that is published after each round: the newest edition, or what the list waits
# for.


class ListAwaits(StrEnum):
    """What a list waits for. RESULTS: of its round, or the round itself. READING: a slip was read in two ways.

    ARBITER: an arbiter publishes it.
    """

    RESULTS = "results"
    READING = "reading"
    ARBITER = "arbiter"


@dataclass(frozen=True, slots=True)
class ShownList:
    """A list as visitors see it.

    before_round: the round that the list is for. published: its edition; None if there is none to be seen. former: the
    edition before it. editions: of all rounds, oldest first, without their content. waits: what the list that comes
    next waits for, None if no list comes. withdrawn: the newest edition of this round, if it was withdrawn. outdated:
    results have changed since, and no arbiter has published a new edition yet. corrected: a later edition than the one
    shown. missed: the round was paired before any list was published, so the list is made from the current results.
    """

    before_round: int
    published: PublishedList | None
    former: PublishedList | None
    editions: tuple[PublishedList, ...]
    waits: ListAwaits | None
    awaited_round: int
    withdrawn: PublishedList | None = None
    outdated: bool = False
    corrected: PublishedList | None = None
    missed: bool = False

    @property
    def of_round(self) -> tuple[PublishedList, ...]:
        """Return the editions for the same round."""
        return tuple(found for found in self.editions if found.before_round == self.before_round)

    @property
    def address_round(self) -> int:
        """Return the round in the address of the list: that of ARO is named after the round that it is for."""
        aro = any(found.kind == ARO for found in self.editions)
        return self.before_round if aro else self.before_round - 1

    @property
    def mark(self) -> str:
        """Return a text that differs for each list, by which an open page notices another one."""
        edition = self.published.edition if self.published else 0
        return f"{self.before_round}.{edition}" if self.published or self.missed else ""


def shown_list(
    section: Section, kind: str, before_round: int | None = None, edition: int | None = None
) -> ShownList:
    """Return what is to be seen of a list; by default of the newest one. Up to eight queries.

    edition: an earlier one; else the newest. Raises Round.DoesNotExist if the pairing system has no such list, for a
    later round, and for an edition that does not exist.
    """
    if kind not in section.lists:
        raise Round.DoesNotExist(f"{section.system} has no such list: {kind}")
    known = editions_of(section, kind)
    now = played_results(section)
    public = section.played_rounds.exclude(state=Round.State.DRAFT).count()
    number = _newest(known, now) if before_round is None else before_round
    of_round = [found for found in known if found.before_round == number]
    if before_round is not None and not of_round and not 1 <= number <= public + 1:
        raise Round.DoesNotExist(f"nothing is known before round {number}")
    last = of_round[-1] if of_round else None
    withdrawn = last if last is not None and last.withdrawn else None
    chosen = last if withdrawn is None else None
    if edition is not None:
        chosen = next((found for found in of_round if found.edition == edition), None)
        if chosen is None:
            raise Round.DoesNotExist(f"no edition {edition} of the list before round {number}")
    missed = last is None and _is_missed(section, now, number, public)
    awaited = number if chosen is None and not missed else _next(section, known, now)
    return ShownList(
        before_round=number,
        published=chosen,
        former=next((found for found in of_round if chosen and found.edition == chosen.edition - 1), None),
        editions=known,
        waits=_waits(section, now, awaited),
        awaited_round=awaited,
        withdrawn=withdrawn,
        outdated=chosen is not None and chosen is last and _is_outdated(section, chosen, now),
        corrected=last if chosen is not None and chosen is not last else None,
        missed=missed,
    )


def _newest(known: tuple[PublishedList, ...], now: Played) -> int:
    """Return the round of the newest list; without any, of the last one that could have been published.

    The first list is that after round 1.
    """
    return known[-1].before_round if known else max(now.after_round, 1) + 1


def _next(section: Section, known: tuple[PublishedList, ...], now: Played) -> int:
    """Return the round of the list that comes next."""
    reached = max((found.before_round for found in known if not found.withdrawn), default=0)
    held = now.is_next(section) and (section.lists_by_hand or now.in_conflict)
    return now.after_round + 1 if held and reached <= now.after_round else now.after_round + 2


def _is_missed(section: Section, now: Played, number: int, public: int) -> bool:
    """Return whether a list without any edition will not be published any more, or would have been already."""
    if number - 1 == now.after_round and now.is_next(section):
        return not section.lists_by_hand and not now.in_conflict
    return number - 1 < now.after_round if section.fixed_rounds else number <= public


def _waits(section: Section, now: Played, number: int) -> ListAwaits | None:
    """Return what the list before a round waits for; None if no such list comes."""
    if number - 1 > section.rounds or (section.is_closed and number - 1 > now.after_round):
        return None
    if number - 1 <= now.after_round and now.in_conflict:
        return ListAwaits.READING
    return ListAwaits.ARBITER if section.lists_by_hand else ListAwaits.RESULTS


def _is_outdated(section: Section, chosen: PublishedList, now: Played) -> bool:
    """Return whether an arbiter has to publish a new edition."""
    if not section.lists_by_hand or chosen.after_round != now.after_round or not now.is_next(section):
        return False
    field = load_field(section, before_round=chosen.before_round)
    return bool(list_content_of(chosen.kind, field) != chosen.content)


@dataclass(frozen=True, slots=True)
class DueList:
    """What an arbiter should know about a list. after_round: of the list that may be published now; 0 for none.

    by_hand: it has to be published, because no edition stands or something has changed since. last: its newest edition.
    editions: of all rounds, oldest first, without their content.
    """

    after_round: int
    by_hand: bool
    last: PublishedList | None
    editions: tuple[PublishedList, ...]


def list_due(section: Section) -> DueList:
    """Return whether an arbiter has to publish the lists of a section now. Two queries, with more if it may be so."""
    kind = section.lists[0]
    known, now = editions_of(section, kind), played_results(section)
    last = next((found for found in reversed(known) if found.after_round == now.after_round), None)
    if not now.is_next(section):
        return DueList(0, by_hand=False, last=None, editions=known)
    due = section.lists_by_hand and not now.in_conflict
    stands = last is not None and not last.withdrawn
    by_hand = due and not (stands and last is not None and not _is_outdated(section, last, now))
    return DueList(now.after_round, by_hand=by_hand, last=last, editions=known)


def shown_aro(
    section: Section, shown: ShownList
) -> tuple[AroList | None, Mapping[int, AroRow], PublishedPeople]:
    """Return the list of ARO, the rows of the edition before by player, and the entries by key.

    None: there is nothing to be seen yet.
    """
    if shown.published is None:
        return (aro_list(section, shown.before_round) if shown.missed else None), {}, {}
    people = published_people(section)
    former = read_published_aro(shown.former, people).rows if shown.former else ()
    return read_published_aro(shown.published, people), {row.participant_id: row for row in former}, people


def shown_table(
    section: Section, shown: ShownList
) -> tuple[PublishedStandings | None, Mapping[int, PublishedStandingsRow], PublishedPeople]:
    """Return published standings as `shown_aro` returns a list of ARO."""
    if shown.published is None:
        return None, {}, {}
    people = published_people(section)
    former = read_published_standings(shown.former, people).rows if shown.former else ()
    return (
        read_published_standings(shown.published, people),
        {row.participant_id: row for row in former},
        people,
    )


# A published list as values for programs: with names, and with pairing numbers in place of keys.


def list_values(published: PublishedList, people: PublishedPeople) -> dict[str, Any]:
    """Return the list as it was published. Points are in tenths. Names are those of now, "" for a removed entry."""
    return {
        "list": published.kind,
        "after_round": published.after_round,
        "edition": published.edition,
        "published_at": published.made_at.isoformat(),
        "published_by": published.who or None,
        "of_revision": published.of_revision,
        "withdrawn_at": published.withdrawn_at.isoformat() if published.withdrawn_at else None,
        **{name: value for name, value in published.content.items() if name != "rows"},
        "next": None,
        "previous": None,
        "results": [_row(row, people) for row in published.content["rows"]],
    }


def _row(row: dict[str, Any], people: PublishedPeople) -> dict[str, Any]:
    entry = people.get(row["player"])
    shown = {
        name: value for name, value in row.items() if name not in {"player", "met", "cells", "decisions"}
    }
    named = {"name": entry.shown_name if entry else "", **shown}
    if "met" in row:
        named["opponents"] = [{"tpn": tpn, "rating": rating} for _key, tpn, rating in row["met"]]
        named["sum"] = sum(rating for _key, _tpn, rating in row["met"])
    if "cells" in row:
        named["games"] = [
            {"opponent": tpn, "colour": colour, "score": score} for _key, tpn, colour, score in row["cells"]
        ]
    if "decisions" in row:
        named["decisions"] = [
            {"round": number, "points": points, "of_result": of_result}
            for number, points, of_result in row["decisions"]
        ]
    return named
