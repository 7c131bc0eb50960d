"""Where the log names a player, and how its values read without the name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tournaments.models import ActionLog, Event, Participant, Player
from tournaments.player_fields import FIELDS

SHORTEST = 3
"""Letters of a surname that is searched alone."""
OF_PLAYER: Mapping[str, Any] = {
    field.name: field.nothing for field in FIELDS if field.names_person and field.of is Player
}
"""The columns of a player that say who it is, with what they hold afterwards, except the name."""
OF_ENTRY: Mapping[str, Any] = {
    **{field.name: field.nothing for field in FIELDS if field.names_person and field.of is Participant},
    "step_free": False,
}
"""The same of an entry. That somebody needs a step-free board says something about their health."""


@dataclass(frozen=True)
class Traces:
    """What names a player in the log.

    player, entries: keys. names: all that the player had, current and former. numbers: FIDE IDs. alone: surnames that
    no other player of the event has, searched in sentences that people wrote. kept: columns that stay as they are;
    birth_year: only the year of the birth date stays.
    """

    player: int
    entries: Collection[int]
    names: Collection[str]
    numbers: Collection[int] = ()
    alone: Collection[str] = ()
    new_name: str = ""
    kept: Collection[str] = field(default=frozenset())

    @classmethod
    def of(cls, player: Player, rows: Iterable[ActionLog], **more: Any) -> Traces:
        """Read the names of a player, also the former ones, from the log of the event."""
        held: dict[str, set[Any]] = {"name": {player.name}, "fide_id": {player.fide_id}}
        entries = set(player.entries.values_list("pk", flat=True))
        for row in rows:
            for model, key, before, after in row.changes:
                for values in (before or {}, after or {}):
                    if model == "player" and key == player.pk:
                        for column, known in held.items():
                            known.add(values.get(column))
                    if model == "participant" and values.get("player_id") == player.pk:
                        entries.add(key)
        names = {str(name) for name in held["name"] if name}
        others = Player.objects.filter(event=player.event_id).exclude(pk=player.pk)
        words = {word.casefold() for name in others.values_list("name", flat=True) for word in _words(name)}
        surnames = {name.partition(",")[0].strip() for name in names}
        return cls(
            player=player.pk,
            entries=frozenset(entries),
            names=frozenset(names),
            numbers=frozenset(int(number) for number in held["fide_id"] if number),
            alone=frozenset(
                name
                for name in surnames
                if len(name) >= SHORTEST and not words & set(_words(name.casefold()))
            ),
            **more,
        )

    @classmethod
    def of_removed(
        cls, event: Event, rows: Iterable[ActionLog], *, name: str, fide_id: int | None, new_name: str
    ) -> Traces:
        """Read what the log of the event names of a person whose entries were all removed. Names that a player who is
        still there has too are not searched.
        """
        written = [change for row in rows for change in row.changes]
        people = {
            key
            for model, key, before, after in written
            for values in (before or {}, after or {})
            if model == "player"
            and (values.get("name") == name or (fide_id and values.get("fide_id") == fide_id))
        }
        there = Player.objects.filter(event=event)
        people -= set(there.filter(pk__in=people).values_list("pk", flat=True))
        names, numbers, entries = {name}, {fide_id}, set()
        for model, key, before, after in written:
            for values in (before or {}, after or {}):
                if model == "player" and key in people:
                    names.add(values.get("name", name))
                    numbers.add(values.get("fide_id"))
                if model == "participant" and values.get("player_id") in people:
                    entries.add(key)
        names -= set(there.filter(name__in=names).values_list("name", flat=True))
        numbers -= set(there.filter(fide_id__in=numbers - {None}).values_list("fide_id", flat=True))
        return cls(
            player=0,
            entries=frozenset(entries),
            names=frozenset(names),
            numbers=frozenset(int(number) for number in numbers if number),
            new_name=new_name,
        )

    def mentioned_in(self, row: ActionLog) -> bool:
        """Return whether a row of the log says anything about the player."""
        return self.without(row) != _values(row) or any(
            (model == "player" and key == self.player) or (model == "participant" and key in self.entries)
            for model, key, _before, _after in row.changes
        )

    def without(self, row: ActionLog) -> dict[str, Any]:
        """Return the columns of a row that may name people, without the player."""
        values = _values(row)
        theirs = self.is_about(row)
        return {
            "subject": self.text(values["subject"], written=True),
            "reason": self.text(values["reason"], written=True),
            "before": self._value(values["before"], theirs),
            "after": self._value(values["after"], theirs),
            "changes": [self._change(change, theirs) for change in values["changes"]],
        }

    def text(self, text: str, *, written: bool = False, same_length: bool = False) -> str:
        """Return a text without the player. written: by a person, who may write the surname alone. same_length: the
        text has columns, so what comes after a name stays in its place.
        """
        names = [*self._ways(), *(self.alone if written else ())]
        found = text
        for pattern, put in [(_pattern(names), self.new_name), (_pattern(map(str, self.numbers)), "")]:
            if pattern is not None:
                found = pattern.sub(
                    lambda hit, put=put: put[: len(hit[0])].ljust(len(hit[0])) if same_length else put,  # type: ignore[misc]
                    found,
                )
        return found

    def emptied(self, model: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values of the player's own row, or of an entry, without what says who it is. New rows of the journal
        have no column with its default.
        """
        empty = OF_PLAYER if model == "player" else OF_ENTRY
        found = {}
        for name, value in values.items():
            if name == "name":
                found[name] = self.new_name
            elif name == "birth_date" and "birth_year" in self.kept:
                found[name] = str(value)[:4]
            elif name in empty and name not in self.kept:
                found[name] = empty[name]
            else:
                found[name] = value
        return found

    def _ways(self) -> list[str]:
        """Return the ways in which people write the names."""
        found = set()
        for name in self.names:
            surname, comma, given = (part.strip() for part in name.partition(","))
            found |= (
                {name, f"{given} {surname}", f"{surname} {given}", f"{surname},{given}"} if comma else {name}
            )
        return sorted(found, key=len, reverse=True)

    def is_about(self, row: ActionLog) -> bool:
        """Return whether the values of a row are those of the player."""
        return any(
            isinstance(values, dict) and values.get("participant") in self.entries
            for values in (row.before, row.after)
        ) or any(name in row.subject for name in self.names)

    def _value(self, value: Any, theirs: bool) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self._value(one, theirs) for one in value]
        if isinstance(value, dict):
            own = theirs or value.get("name") in self.names
            found = {key: self._value(one, theirs) for key, one in value.items()}
            return self.emptied("participant", self.emptied("player", found)) if own else found
        return value

    def _change(self, change: list[Any], theirs: bool) -> list[Any]:
        model, key, before, after = change
        if model == "incident" and theirs:
            before, after = (
                {**values, "note": ""} if values and "note" in values else values
                for values in (before, after)
            )
        if (model == "player" and key == self.player) or (model == "participant" and key in self.entries):
            before, after = (
                values and _spare(self.emptied(model, values), values, whole=before is None or after is None)
                for values in (before, after)
            )
        return [model, key, self._value(before, theirs=False), self._value(after, theirs=False)]


def _spare(found: dict[str, Any], former: Mapping[str, Any], *, whole: bool) -> dict[str, Any]:
    """Leave out what a new or deleted row of the journal does not name, because it has its default."""
    return {name: value for name, value in found.items() if not whole or value == former[name] or value}


def _values(row: ActionLog) -> dict[str, Any]:
    return {name: getattr(row, name) for name in ("subject", "reason", "before", "after", "changes")}


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\s,]+", name) if word]


def _pattern(texts: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern that finds these as whole words; None if there are none."""
    found = "|".join(re.escape(text) for text in texts if text)
    return re.compile(rf"(?<!\w)(?:{found})(?!\w)", re.IGNORECASE) if found else None
