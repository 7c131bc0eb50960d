"""A copy of a section becomes a section again: a new one, beside all that is there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import IntegrityError, models

from tournaments.copy_format import NAMES, PARTS, PEOPLE
from tournaments.errors import DomainError
from tournaments.exports.section_copy import engine_pairing, renamed
from tournaments.imports.section_copy import Row, SectionCopy
from tournaments.models import ActionLog, Event, Integrity, Player, Tournament, User

from .events import create_event
from .ledger import Actor, EventEntry, act_on_event, transaction_or_busy
from .numbers import BATCH
from .sections import new_section
from .text import one_line

_IDENTITY = ("name", "sex", "title", "federation", "birth_date")
_OF_EVENT = ("name", "start", "end", "city", "federation", "chief_arbiter", "deputy_arbiters", "time_control")


def load_copy(*, actor: Actor, event: Event, copy: SectionCopy, name: str, source: str = "") -> Tournament:
    """Make a section of a copy in an event: all of it or nothing. source: the name of the file, for the log.

    People of the event whom the copy knows by the FIDE ID, or exactly, are taken for the same. Logins are known by
    their names among those who work on the event. FIDE mode stays left, if this section or another copy of the same
    one has left it (VCL4THP.13 Q45).
    Raises DomainError: name_required, section_name_taken, fide_id_taken, copy_damaged.
    """
    name = one_line(name)[:80]
    if not name:
        raise DomainError("name_required")
    try:
        with act_on_event(event_id=event.pk, actor=actor, action="load_copy") as entry:
            if entry.event.tournaments.filter(name=name).exists():
                raise DomainError("section_name_taken", name=name)
            entry.tournament = _Loading(entry, copy, actor).section(name)
            entry.subject, entry.brief = one_line(source), True
    except IntegrityError as error:
        raise DomainError("copy_damaged") from error
    assert entry.tournament is not None
    return entry.tournament


def load_copy_as_event(*, actor: Actor, copy: SectionCopy, source: str = "") -> Tournament:
    """Make an event of a copy, with the section in it. Raises DomainError as `load_copy` and `create_event` do."""
    with transaction_or_busy():
        details = {field: copy.event[field] for field in _OF_EVENT if field in copy.event}
        event = create_event(actor=actor, public=False, **details)
        return load_copy(actor=actor, event=event, copy=copy, name=copy.name, source=source)


def free_name(event: Event, name: str) -> str:
    """The name of the copied section, or the first with a number that the event does not have."""
    taken = set(event.tournaments.values_list("name", flat=True))
    candidates = (name, *(f"{name[:72]} ({number})" for number in range(2, len(taken) + 3)))
    return next(candidate for candidate in candidates if candidate not in taken)


class _Loading:
    """Rows of a copy on their way into the database. keys: of each part, the new key by the key in the file."""

    def __init__(self, entry: EventEntry, copy: SectionCopy, actor: Actor) -> None:
        self._entry = entry
        self._copy = copy
        workers = User.objects.filter(event_roles__event=entry.event)
        self._people = {user.username: user.pk for user in workers}
        if actor.user is not None:
            self._people[actor.user.username] = actor.user.pk
        self._keys: dict[str, dict[int, int]] = {}

    def section(self, name: str) -> Tournament:
        tournament = new_section(self._entry.event, name)
        for column, value in {**self._copy.section, "name": name}.items():
            setattr(tournament, column, value)
        tournament.revision = self._copy.revision
        self._stay_out_of_fide_mode(tournament)
        tournament.save()
        for part, model in PARTS.items():
            rows = self._copy.rows[part]
            if model is Player:
                self._keys[part] = self._players(rows)
                continue
            made = [self._made(model, row, tournament) for row in rows]
            model.objects.bulk_create(made, batch_size=BATCH)
            self._keys[part] = {place: row.pk for place, row in enumerate(made, start=1)}
        self._history(tournament)
        told = {part: len(found) for part, found in self._copy.rows.items() if found}
        self._entry.after |= {**told, "copied": self._copy.made_at.isoformat() if self._copy.made_at else ""}
        return tournament

    def _stay_out_of_fide_mode(self, tournament: Tournament) -> None:
        same = Tournament.objects.filter(created_at=tournament.created_at, fide_mode=False)
        left = same.order_by("fide_mode_left_in_round").first()
        if tournament.fide_mode and left is not None:
            tournament.fide_mode = False
            tournament.fide_mode_left_in_round = left.fide_mode_left_in_round
            self._entry.integrity = Integrity.FIDE_MODE
            self._entry.round_number = left.fide_mode_left_in_round

    def _players(self, rows: Iterable[Row]) -> dict[int, int]:
        there = list(self._entry.event.players.all())
        by_id = {player.fide_id: player for player in there if player.fide_id is not None}
        alike = {self._looks(player): player for player in there if player.fide_id is None}
        found: dict[int, Player] = {}
        for place, row in enumerate(rows, start=1):
            player = Player(event=self._entry.event, **row)
            known = (
                by_id.get(player.fide_id)
                if player.fide_id is not None
                else alike.pop(self._looks(player), None)
            )
            if known is not None and known.fide_id is not None and known.name != player.name:
                raise DomainError("fide_id_taken", fide_id=known.fide_id, name=known.name)
            found[place] = known or player
        Player.objects.bulk_create([one for one in found.values() if one.pk is None], batch_size=BATCH)
        return {place: player.pk for place, player in found.items()}

    def _looks(self, player: Player) -> tuple[object, ...]:
        return tuple(getattr(player, name) for name in _IDENTITY)

    def _made(self, model: type[models.Model], row: Row, tournament: Tournament) -> models.Model:
        values: dict[str, Any] = {}
        for name, value in row.items():
            if name in NAMES:
                values[name] = self._keys[NAMES[name]][value]
            elif name in PEOPLE:
                values[name] = self._people.get(value)
            elif name == "engine_pairing":
                values[name] = engine_pairing(value, self._keys["participants"].get)
            else:
                values[name] = value
        if hasattr(model, "tournament"):
            values["tournament"] = tournament
        if "first_id" in values and values["first_id"] > values["second_id"]:
            values["first_id"], values["second_id"] = values["second_id"], values["first_id"]
        return model(**values)

    def _history(self, tournament: Tournament) -> None:
        keys: Mapping[str, Mapping[int, int]] = self._keys
        rows = []
        for row in self._copy.log:
            values = {name: value for name, value in row.items() if name != "user_id"}
            for side in ("before", "after"):
                values[side] = renamed(row["action"], row.get(side, {}), keys)
            user = self._people.get(row.get("user_id", ""))
            rows.append(ActionLog(event=self._entry.event, tournament=tournament, user_id=user, **values))
        ActionLog.objects.bulk_create(rows, batch_size=BATCH)
