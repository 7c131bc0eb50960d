"""An oracle for undo: replay the log of an event in memory, without one action.

It does not use the reasons in `tournaments.queries.undo`. An action depends on the omitted one if it cannot be
replayed without it (its row is missing or different, it refers to a missing row, its place is taken), or if the engine
gets different input for a round that it pairs or that was paired before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any

from evenboard_engine import Tournament as Question
from tournaments.models import (
    ActionLog,
    Bye,
    CheckIn,
    Event,
    ForbiddenPair,
    Game,
    Participant,
    Player,
    Round,
    Section,
)
from tournaments.models.journal import NEVER, fields_of, row_values, whole
from tournaments.queries.log import undone_in
from tournaments.queries.pairing_numbers import FROZEN_BY_ROUND, ranking_key
from tournaments.snapshot import engine_tournament

KEPT = (Event, Section, Player, Participant, Round, Game, Bye, CheckIn, ForbiddenPair)
MODEL = {model.__name__.lower(): model for model in KEPT}
DERIVED = frozenset({"tpn", "former_tpn", "renumbered_before", "version"})
ALONE = {
    "player": [("event_id", "fide_id")],
    "participant": [("section_id", "player_id")],
    "round": [("section_id", "number")],
    "game": [("round_id", "board"), ("round_id", "white_id"), ("round_id", "black_id")],
    "bye": [("participant_id", "round_number")],
    "checkin": [("participant_id", "round_number")],
    "forbiddenpair": [("first_id", "second_id")],
}
"""Columns whose values, taken together, are unique."""
NOBODY = whole(Player, {})

Key = tuple[str, int]
Asked = tuple[Question, dict[int, int]]
"""The input of the engine for a round, and separately the pairing numbers."""
Rows = dict[Key, dict[str, Any]]


def rows_now() -> Rows:
    """Return the rows of all sections, as the journal writes them."""
    return {
        (name, row.pk): {key: value for key, value in row_values(row).items() if key not in NEVER}
        for name, model in MODEL.items()
        for row in model.objects.all()
    }


def without_derived(rows: Rows) -> Rows:
    left = DERIVED | NEVER  # the row of an added game has the columns that only go forward
    return {key: {k: v for k, v in values.items() if k not in left} for key, values in rows.items()}


def standing_actions(event: int) -> list[ActionLog]:
    """Return the actions of an event that were not undone, oldest first, without undos.

    Actions that followed a change in another section are left out, because the replay makes the numbers itself.
    """
    rows = list(ActionLog.objects.filter(event=event).order_by("pk"))
    undone = {section: undone_in(section) for section in {row.section_id for row in rows} if section}
    return [
        row
        for row in rows
        if row.revision not in undone.get(row.section_id, {})
        and row.undoes is None
        and row.back_to is None
        and row.action != "edit_player"
    ]


class Replay:
    """rows: the rows after the replay. failed: log keys of the actions that could not be replayed exactly.

    asked: the input of the engine for each round, after each action, by its log key. No row is changed in place: a
    changed row is another dictionary.
    """

    def __init__(self, start: Rows, actions: Iterable[ActionLog]) -> None:
        self.actions = list(actions)
        self.rows: Rows = dict(start)
        self.failed: set[int] = set()
        self.asked: dict[int, dict[int, Asked]] = {}
        self._numbers: dict[int, list[int]] = defaultdict(list)
        self._before: dict[int, tuple[Rows, dict[int, list[int]]]] = {}
        self._instances: dict[object, tuple[list[object], Any]] = {}
        self._number()
        self._replay(self.actions)

    def without(self, left_out: ActionLog) -> Replay:
        """Return the replay without one action. It begins where this replay had reached the action."""
        earlier = [action for action in self.actions if action.pk < left_out.pk]
        rest = copy(self)
        rest.actions = [action for action in self.actions if action.pk != left_out.pk]
        rest.failed = self.failed & {action.pk for action in earlier}
        rest.asked = {action.pk: self.asked[action.pk] for action in earlier if action.pk in self.asked}
        rows, numbers = self._before[left_out.pk]
        rest.rows, rest._numbers = dict(rows), defaultdict(list, numbers)
        rest._before, rest._instances = {}, dict(self._instances)
        rest._replay([action for action in rest.actions if action.pk > left_out.pk])
        return rest

    def _replay(self, actions: Iterable[ActionLog]) -> None:
        for action in actions:
            self._before[action.pk] = dict(self.rows), dict(self._numbers)
            for change in action.changes:
                if not self._apply(*change):
                    self.failed.add(action.pk)
            if not self._sound(action):
                self.failed.add(action.pk)
            if action.changes:
                self._number()
                self.asked[action.pk] = self._questions()

    def _apply(self, model: str, key: int, before: Any, after: Any) -> bool:
        """Write one change, and return whether it was possible exactly."""
        if model not in MODEL:
            return True
        row, fits = self.rows.get((model, key)), True
        if before is None:
            fits = row is None
            self.rows[model, key] = whole(MODEL[model], after)
        elif after is None:
            fits = row is not None and _same(row, whole(MODEL[model], before))
            self.rows.pop((model, key), None)
        else:
            fits = (row is not None and _same(row, before)) or set(after) <= DERIVED
            if row is not None:
                self.rows[model, key] = {**row, **after}
        return fits

    def _sound(self, action: ActionLog) -> bool:
        """Return whether references exist, unique values are unique, and results are in rounds that can have them."""
        made = {(model, key) for model, key, before, _ in action.changes if before is None}
        gone = {(model, key) for model, key, _, after in action.changes if after is None}
        return (
            all(target in self.rows for row in made & set(self.rows) for target in self._named(row))
            and not any(target in gone for row in self.rows for target in self._named(row))
            and all(self._in_time(*change) for change in action.changes)
            and not any(self._taken(model) & made for model in ALONE)
        )

    def _named(self, row: Key) -> list[Key]:
        """Return the rows to which a row refers."""
        relations = [field for field in fields_of(MODEL[row[0]]).values() if field.is_relation]
        named = [
            (str(field.related_model._meta.model_name), self.rows[row][field.attname]) for field in relations
        ]
        return [(model, key) for model, key in named if model in MODEL]

    def _in_time(self, model: str, key: int, _before: Any, _after: Any) -> bool:
        """Return whether a result is not in a draft, and a bye not after the last round."""
        values = self.rows.get((model, key))
        if model == "game" and values and (values["result"] or values["over_at"]):
            row = self.rows.get(("round", values["round_id"]))
            return row is None or row["state"] != Round.State.DRAFT
        if model == "bye" and values:
            entry = self.rows.get(("participant", values["participant_id"]))
            return (
                entry is None or values["round_number"] <= self.rows["section", entry["section_id"]]["rounds"]
            )
        return True

    def _taken(self, model: str) -> set[Key]:
        """Return the rows that have the same unique values as another row."""
        found: set[Key] = set()
        for columns in ALONE[model]:
            by_place = defaultdict(set)
            for (kind, key), values in self.rows.items():
                if kind == model and None not in (place := tuple(values[column] for column in columns)):
                    by_place[place].add((model, key))
            found |= {row for rows in by_place.values() if len(rows) > 1 for row in rows}
        return found

    def _of(self, model: str, section: int) -> list[tuple[int, dict[str, Any]]]:
        owner = {
            "game": lambda v: self.rows.get(("round", v["round_id"]), {}).get("section_id"),
            "bye": lambda v: self.rows.get(("participant", v["participant_id"]), {}).get("section_id"),
        }.get(model, lambda v: v["section_id"])
        return [(k, v) for (kind, k), v in self.rows.items() if kind == model and owner(v) == section]

    def _number(self) -> None:
        """Number every section by the rules: all entries until round 4 is paired, then only late entries."""
        for kind, section in list(self.rows):
            if kind != "section":
                continue
            entries = {key: self._entry(key, values) for key, values in self._of("participant", section)}
            rank = {key: ranking_key(entry) for key, entry in entries.items()}
            paired = max((v["number"] for _, v in self._of("round", section)), default=0)
            known = [key for key in self._numbers[section] if key in entries]
            if paired < FROZEN_BY_ROUND:
                order = sorted(entries, key=rank.__getitem__)
            else:
                order = known
                for key in sorted(set(entries) - set(known), key=rank.__getitem__):
                    order.insert(
                        next((i for i, k in enumerate(order) if rank[k] > rank[key]), len(order)), key
                    )
            self._numbers[section] = order

    def _entry(self, key: int, values: dict[str, Any]) -> Participant:
        player = self.rows.get(("player", values["player_id"]), NOBODY)
        return self._instance(
            ("entry", key),
            [values, player],
            lambda: Participant(
                pk=key,
                section=Section(),
                player=Player(**player),
                rating=values["rating"],
                equal_order=values["equal_order"],
            ),
        )

    def _instance(self, name: object, rows: list[object], make: Callable[[], Any]) -> Any:
        """Return what was made of the same rows before, or make it."""
        kept = self._instances.get(name)
        if kept is None or any(one is not other for one, other in zip(kept[0], rows, strict=True)):
            kept = self._instances[name] = rows, make()
        return kept[1]

    def _questions(self) -> dict[int, Asked]:
        """Return the input of the engine for each existing round."""
        found = {}
        for (kind, key), values in self.rows.items():
            if kind != "round":
                continue
            section = values["section_id"]
            tpn = {entry: number for number, entry in enumerate(self._numbers[section], start=1)}

            def made(model: str, section: int = section) -> list[Any]:
                return [
                    self._instance((model, k), [v], partial(MODEL[model], pk=k, **v))
                    for k, v in self._of(model, section)
                ]

            byes = [bye for bye in made("bye") if bye.kind != "U" or bye.round_number < values["number"]]
            question = engine_tournament(
                Section(pk=section, **self.rows["section", section]),
                round_number=values["number"],
                participants=[
                    self._instance(("participant", k), [v], partial(Participant, pk=k, **{**v, "tpn": None}))
                    for k, v in self._of("participant", section)
                ],
                rounds=made("round"),
                games=[game.as_of(values["number"]) for game in made("game")],
                byes=byes,
                forbidden=made("forbiddenpair"),
            )
            found[key] = question, tpn
        return found


@dataclass(frozen=True, slots=True)
class Without:
    """The event without an action. depending, numbered_otherwise: log keys of later actions.

    numbered_otherwise: they paired a round with other numbers. rows: the rows at the end.
    """

    depending: set[int]
    numbered_otherwise: set[int]
    rows: Rows


def without(left_out: ActionLog, story: Replay) -> Without:
    """Replay the actions of a story without one of them."""
    actions = story.actions
    assert not story.failed, "what happened can be replayed"
    rest = story.without(left_out)
    later = [action for action in actions if action.pk > left_out.pk and action.changes]
    depending, numbered = set(rest.failed), set()
    former: dict[int, Asked] = {}
    for action in [action for action in actions if action.pk < left_out.pk]:
        former = rest.asked.get(action.pk, former)
    for action in later:
        there, here = story.asked[action.pk], rest.asked[action.pk]
        made = {key for model, key, before, _ in action.changes if (model, before) == ("round", None)}
        for key in made & {
            key for model, key in story.rows if model == "round"
        }:  # not those that are gone by now
            if key not in here or there[key][0] != here[key][0]:
                depending.add(action.pk)
            elif there[key] != here[key]:
                numbered.add(action.pk)
        # what a round was paired from that would come back
        if any(key in former and here[key][0] != former[key][0] for key in set(here) - set(there)):
            depending.add(action.pk)
        former = here
    return Without(depending, numbered, rest.rows)


def _same(row: dict[str, Any], values: dict[str, Any]) -> bool:
    return all(row[name] == value for name, value in values.items() if name not in DERIVED and name in row)
