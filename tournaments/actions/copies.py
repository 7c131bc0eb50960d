"""Load the copy of a section or an event as a new section or event, beside the existing ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date
from itertools import count, islice
from typing import Any

from django.db import IntegrityError, models
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from base.text import one_line
from base.zones import today_in, zone_called
from tournaments.copy_format import NAMES, PARTS, PEOPLE, CopyMark, CopyOrigin
from tournaments.declarations.sections import LOAD_COPY
from tournaments.errors import (
    COPY_DAMAGED,
    FIDE_ID_TAKEN,
    NAME_REQUIRED,
    SECTION_NAME_TAKEN,
    Refusal,
)
from tournaments.files.copy_reading import CopiedRole, CopiedRow, EventCopy, SectionCopy
from tournaments.files.copy_writing import engine_pairing, groups_with_other_keys, renamed
from tournaments.models import ActionLog, Event, Integrity, Participant, Player, PublishedList, Section, User
from tournaments.models.events import EventState
from tournaments.models.published_lists import with_other_keys
from tournaments.questions import Answer

from .entry_lists import note_two_sections
from .events import ONLY_REHEARSALS, create_event
from .ledger import Actor, EventEntry, act_on_event, transaction_or_busy, write_log
from .people import MOST_OPEN, add_role, invite_by_name
from .roster import BATCH
from .sections import new_section

# Refusals
COPY_CHANGED = Refusal(
    "copy_changed",
    _(
        "This server made this copy, and somebody changed it afterwards. Nothing was loaded. Use another copy."
    ),
)


_IDENTITY = ("name", "sex", "title", "federation", "birth_date")
_OF_EVENT = ("name", "start", "end", "city", "federation", "chief_arbiter", "deputy_arbiters", "time_control",
             "time_zone", "rehearsal")  # fmt: skip


@dataclass(slots=True)
class People:
    """The players of a section as people of the event in a copy.

    numbers: the person's number in the event, for each row. made: the players made so far, by this number.
    coming: the logins, by name, of people who will work on the event when all its sections are loaded.
    """

    numbers: Sequence[int]
    made: dict[int, Player] = field(default_factory=dict)
    coming: Mapping[str, int] = field(default_factory=dict)


def load_copy(
    *,
    actor: Actor,
    event: Event,
    copy: SectionCopy,
    name: str,
    source: str = "",
    people: People | None = None,
    changed: bool = False,
    both: Answer = False,
) -> Section:
    """Make a section in an event from a copy, completely or not at all. source: the name of the file, for the log.

    A player of the copy is a person of the event if they have the same FIDE ID or if all data are the same. Logins are
    matched by name with the people who work on the event. If the section or another copy of it has left FIDE mode,
    the new section is not in FIDE mode either (VCL4THP.13 Q45). people: set if the copy is part of an event's copy.
    changed: load the copy even if its seal says that it was changed after this server made it.
    both: the arbiter has agreed that players of another section play here too; the sections of an event's copy play
    as they did. Each row of the log gets a mark that says how it came here.
    Raises DomainError: unless `both`, two_sections_to_confirm; copy_changed, only_rehearsals, name_required,
    section_name_taken, fide_id_taken, copy_damaged.
    """
    _refuse_changed(copy, changed=changed)
    name = one_line(name)[:80]
    if not name:
        raise NAME_REQUIRED.error()
    try:
        with act_on_event(event_id=event.pk, actor=actor, action=LOAD_COPY) as entry:
            if copy.event.get("rehearsal") and not entry.event.rehearsal:
                raise ONLY_REHEARSALS.error(event=entry.event.name)
            if entry.event.sections.filter(name=name, taken_away=False).exists():
                raise SECTION_NAME_TAKEN.error(name=name)
            mark = _mark(copy, actor, source)
            entry.section = _Loading(entry, copy, actor, people, mark).section(name)
            if people is None:
                active = entry.section.participants.filter(status=Participant.Status.ACTIVE)
                playing = [each.player for each in active.select_related("player")]
                note_two_sections(entry, entry.section, playing, both=both)
            entry.subject, entry.brief = one_line(source), True
    except IntegrityError as error:
        raise COPY_DAMAGED.error() from error
    assert entry.section is not None
    return entry.section


def load_copy_as_event(
    *, actor: Actor, copy: SectionCopy, source: str = "", changed: bool = False
) -> Section:
    """Make an event and load the copy of a section into it. Raises DomainError as `load_copy` and `create_event` do."""
    _refuse_changed(copy, changed=changed)
    with transaction_or_busy():
        details = event_details(copy.event)
        event = create_event(actor=actor, state=_first_state(details), **details)
        return load_copy(actor=actor, event=event, copy=copy, name=copy.name, source=source, changed=changed)


def load_event_copy(
    *,
    actor: Actor,
    copy: EventCopy,
    roles: bool = False,
    invite: bool = False,
    source: str = "",
    changed: bool = False,
) -> Event:
    """Make an event from the copy of one, with all its sections. It is not public, and the actor owns it. The copy of a
    rehearsal becomes a rehearsal, which opens for everybody who has its address.

    roles: whether people in the copy get their roles at once if they have a login of the same name here; for the
    command line. invite: whether these names are invited: anybody can write any names into a file. Open invitations
    are not in a copy. Raises DomainError as `load_copy` and `create_event` do.
    """
    _refuse_changed(copy, changed=changed)
    with transaction_or_busy():
        details = event_details(copy.event)
        event = create_event(actor=actor, state=_first_state(details), **details)
        known = known_roles(copy) if roles else []
        coming = _keys_of(known)
        made: dict[int, Player] = {}
        names_given: set[str] = set()
        loaded: list[Section] = []
        for section, numbers in zip(copy.sections, copy.people, strict=True):
            people = People(numbers, made, coming)
            name = _name_apart(section.name, names_given)
            names_given.add(name)
            loaded.append(
                load_copy(
                    actor=actor,
                    event=event,
                    copy=section,
                    name=name,
                    source=source,
                    people=people,
                    changed=changed,
                )
            )
        _give_roles(actor, event, known, loaded)
        invited = _to_invite(copy, actor, today_in(event.time_zone)) if invite else {}
        for held, sections in invited.items():
            invite_by_name(
                actor=actor,
                event=event,
                username=held.username,
                role=held.role,
                sections=[] if 0 in sections else [loaded[number - 1].pk for number in sections],
                until=held.until,
                boards=held.boards,
            )
        names, mark = _names_of(event, actor), _mark(copy, actor, source)
        event = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        write_log(event, [_log_row(row, names, mark, event=event) for row in copy.log])
    return event


def _give_roles(actor: Actor, event: Event, roles: Iterable[CopiedRole], loaded: Sequence[Section]) -> None:
    for held in roles:
        if actor.user is None or held.username != actor.user.username:
            add_role(
                actor=actor,
                event=event,
                username=held.username,
                role=held.role,
                sections=[loaded[held.section - 1].pk] if held.section else [],
                until=held.until,
                boards=held.boards,
                past_too=True,
            )


def _refuse_changed(copy: SectionCopy | EventCopy, *, changed: bool) -> None:
    if copy.origin is CopyOrigin.CHANGED and not changed:
        raise COPY_CHANGED.error()


def _mark(copy: SectionCopy | EventCopy, actor: Actor, source: str) -> CopyMark:
    """Return the mark for each row of the log that comes with this copy."""
    return CopyMark(
        file=one_line(source)[:200],
        made=copy.made_at.astimezone(UTC).isoformat() if copy.made_at else "",
        loaded=timezone.now().astimezone(UTC).isoformat(),
        by=actor.name,
        origin=copy.origin.value,
        key=copy.key,
    )


def event_details(event: CopiedRow) -> dict[str, Any]:
    """Return what a copied event is made of, without a time zone that this computer does not know."""
    details = {name: event[name] for name in _OF_EVENT if name in event}
    return {**details, "time_zone": zone_called(details.get("time_zone", ""))}


def _first_state(details: Mapping[str, Any]) -> EventState:
    return EventState.UNLISTED if details.get("rehearsal") else EventState.DRAFT


def _name_apart(name: str, taken: Collection[str]) -> str:
    """Return the name, with a number if it is taken: a hidden section may have the same name as another one."""
    free = (f"{name[:75]} ({number})" if number > 1 else name for number in count(1))
    return next(found for found in free if found not in taken)


def known_roles(copy: EventCopy) -> list[CopiedRole]:
    """Return the roles in the copy for people who have a login here."""
    names = [held.username for held in copy.roles]
    known = set(User.objects.filter(username__in=names, is_active=True).values_list("username", flat=True))
    return [held for held in copy.roles if held.username in known]


def _to_invite(copy: EventCopy, actor: Actor, today: date) -> dict[CopiedRole, list[int]]:
    """Return the roles in the copy, without those that are over, the actor's own, and names that no login can have.

    A person has one open invitation to a role. So a role with the same limits in several sections comes once, with the
    numbers of these sections.
    """
    own = actor.user.username if actor.user is not None else ""
    named = [held._replace(username=one_line(held.username)) for held in copy.roles]
    found: dict[CopiedRole, list[int]] = {}
    for held in named:
        if 0 < len(held.username) <= 150 and held.username != own and (not held.until or held.until >= today):
            found.setdefault(held._replace(section=0), []).append(held.section)
    return dict(islice(found.items(), MOST_OPEN))


def _names_of(event: Event, actor: Actor) -> dict[str, int]:
    """Return the logins that the log may name: people who work on the event, and the actor."""
    found = {user.username: user.pk for user in User.objects.filter(event_roles__event=event)}
    return found | ({actor.user.username: actor.user.pk} if actor.user is not None else {})


def _keys_of(roles: Iterable[CopiedRole]) -> dict[str, int]:
    """Return the logins of people who get roles when the sections are there."""
    names = [held.username for held in roles]
    return dict(User.objects.filter(username__in=names).values_list("username", "pk"))


def _log_row(row: CopiedRow, names: Mapping[str, int], mark: CopyMark, **more: Any) -> ActionLog:
    values = {name: value for name, value in row.items() if name not in {"user_id", "brought"}}
    brought = [*row.get("brought", ()), mark]
    return ActionLog(user_id=names.get(row.get("user_id", "")), brought=brought, **values, **more)


def free_name(event: Event, name: str) -> str:
    """Return the name of the copied section; if the event has it already, with the first free number."""
    taken = set(event.sections.values_list("name", flat=True))
    candidates = (name, *(f"{name[:72]} ({number})" for number in range(2, len(taken) + 3)))
    return next(candidate for candidate in candidates if candidate not in taken)


class _Loading:
    """Writes the rows of a copy to the database. _keys: for each part, the new key by the key in the file."""

    def __init__(
        self, entry: EventEntry, copy: SectionCopy, actor: Actor, people: People | None, mark: CopyMark
    ) -> None:
        self._entry = entry
        self._mark = mark
        self._copy = copy
        self._logins = {**(people.coming if people else {}), **_names_of(entry.event, actor)}
        self._people = people
        self._keys: dict[str, dict[int, int]] = {}

    def section(self, name: str) -> Section:
        section = new_section(self._entry.event, name)
        for column, value in {**self._copy.section, "name": name}.items():
            setattr(section, column, value)
        section.revision = self._copy.revision
        if self._people is None:  # a single section is loaded in order to be used
            section.taken_away = False
        self._stay_out_of_fide_mode(section)
        section.save()
        for part, model in PARTS.items():
            rows = self._copy.rows[part]
            if model is Player:
                self._keys[part] = self._players(rows)
                continue
            made = [self._made(model, row, section) for row in rows]
            model._default_manager.bulk_create(made, batch_size=BATCH)  # noqa: SLF001 - public in Django
            self._keys[part] = {place: row.pk for place, row in enumerate(made, start=1)}
        section.apart_rules = groups_with_other_keys(section.apart_rules, self._keys["participants"].get)
        section.save(update_fields=["apart_rules"])
        self._history(section)
        counts = {part: len(found) for part, found in self._copy.rows.items() if found}
        self._entry.after |= {
            **counts,
            "copied": self._copy.made_at.isoformat() if self._copy.made_at else "",
            "origin": self._copy.origin.value,
            "log_head": self._copy.log_head,
        }
        return section

    def _stay_out_of_fide_mode(self, section: Section) -> None:
        same = Section.objects.filter(created_at=section.created_at, fide_mode=False)
        left = same.order_by("fide_mode_left_in_round").first()
        if section.fide_mode and left is not None:
            section.fide_mode = False
            section.fide_mode_left_in_round = left.fide_mode_left_in_round
            self._entry.integrity = Integrity.FIDE_MODE
            self._entry.round_number = left.fide_mode_left_in_round

    def _players(self, rows: Sequence[CopiedRow]) -> dict[int, int]:
        found = self._known_from_the_file(rows) if self._people else self._known_by_their_looks(rows)
        Player.objects.bulk_create([one for one in found.values() if one.pk is None], batch_size=BATCH)
        return {place: player.pk for place, player in found.items()}

    def _known_from_the_file(self, rows: Iterable[CopiedRow]) -> dict[int, Player]:
        assert self._people is not None
        found: dict[int, Player] = {}
        for place, (number, row) in enumerate(zip(self._people.numbers, rows, strict=True), start=1):
            found[place] = self._people.made.setdefault(number, Player(event=self._entry.event, **row))
        return found

    def _known_by_their_looks(self, rows: Iterable[CopiedRow]) -> dict[int, Player]:
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
                raise FIDE_ID_TAKEN.error(fide_id=known.fide_id, name=known.name)
            found[place] = known or player
        return found

    def _looks(self, player: Player) -> tuple[object, ...]:
        return tuple(getattr(player, name) for name in _IDENTITY)

    def _made(self, model: type[models.Model], row: CopiedRow, section: Section) -> models.Model:
        values: dict[str, Any] = {}
        for name, value in row.items():
            if name in NAMES:
                values[name] = self._keys[NAMES[name]][value]
            elif name in PEOPLE:
                values[name] = self._logins.get(value)
            elif name == "engine_pairing":
                values[name] = engine_pairing(value, self._keys["participants"].get)
            elif name == "kept_apart":
                values[name] = groups_with_other_keys(value, self._keys["participants"].get)
            elif model is PublishedList and name == "content":
                values[name] = with_other_keys(value, self._keys["participants"].get)
            else:
                values[name] = value
        if hasattr(model, "section"):
            values["section"] = section
        if "first_id" in values and values["first_id"] > values["second_id"]:
            values["first_id"], values["second_id"] = values["second_id"], values["first_id"]
        return model(**values)

    def _history(self, section: Section) -> None:
        keys: Mapping[str, Mapping[int, int]] = self._keys
        log_rows = [
            {**row, **{side: renamed(row["action"], row.get(side, {}), keys) for side in ("before", "after")}}
            for row in sorted(self._copy.log, key=lambda row: row["revision"])
        ]
        more = {"event": self._entry.event, "section": section}
        write_log(section, [_log_row(row, self._logins, self._mark, **more) for row in log_rows])
