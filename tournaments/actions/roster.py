"""The entries of a locked section: read once, changed in memory, saved together, with their pairing numbers.

The initial ranking gives pairing numbers (TPN; C.04.2, General Handling Rules, 2026, articles 2.2 to 2.5), and the
groups of Baku Acceleration (C.04.7), which are decided when a player first counts for a round, and then kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

from base.text import one_line
from evenboard_engine import Player as EnginePlayer
from evenboard_engine import system_named
from evenboard_engine.acceleration import baku_group
from ratings.names import same_name
from tournaments.declarations.entries import EDIT_PLAYER
from tournaments.entry_data import EntryData, by_method, with_minimum
from tournaments.errors import (
    ALL_ROUNDS_PAIRED,
    ALREADY_ENTERED,
    FIDE_ID_TAKEN,
    NAME_REQUIRED,
    NOT_FOUND,
    ROUND_OUT_OF_RANGE,
    Refusal,
)
from tournaments.files.entry_matching import share_a_word
from tournaments.models import Bye, Game, Integrity, Participant, Player, Section
from tournaments.models.rounds import rounds_paired
from tournaments.player_fields import FIELDS
from tournaments.queries.pairing_numbers import (
    DECIDING,
    equal_players,
    in_number_order,
    lots_missing,
    ranking_key,
)
from tournaments.questions import Answer, ask
from tournaments.rights import Right

from .ledger import Actor, LogEntry, SectionEntry, act, assign_values

# Refusals
RATING_REQUIRED = Refusal(
    "rating_required", _("%(name)s needs a rating. Give a player without one a provisional rating.")
)
TOO_MANY_ENTRIES = Refusal(
    "too_many_entries",
    ngettext_lazy(
        "A section holds at most %(limit)s player.",
        "A section holds at most %(limit)s players.",
        "limit",
    ),
    ("limit",),
)
FIRST_ROUND_PAIRED = Refusal(
    "first_round_paired",
    _("Round %(first_round)s is already paired. The first round can be %(next_round)s or later."),
)
# `warnings`: codes of tournaments/queries/byes.py; limit, last_round: the section's limits, or None
# `numbers`: [[old, new]] of those that would move
NUMBERS_TO_CONFIRM = Refusal("numbers_to_confirm", params=("section", "round", "numbers"))
LOTS_TOO_MANY = Refusal(
    "lots_too_many",
    _(
        "There are %(players)s players, so %(rounds)s rounds would be needed. A section with this pairing system has "
        "at most %(limit)s. Make two sections of these players."
    ),
)
TABLE_STANDS = Refusal(
    "table_stands",
    _(
        "All rounds follow from the numbers of the players who are there before round 1. Nobody can enter later. To "
        "enter a player now, unpair all rounds and draw the numbers again."
    ),
)
LATE_ENTRY_BY_ARBITER = Refusal(
    "late_entry_by_arbiter",
    _(
        "Round 1 of %(section)s is paired, so only an arbiter enters players there. Ask an arbiter, or add the player "
        "on Entries: the player then waits for the arbiter."
    ),
)


# What the initial ranking gives: pairing numbers (TPN; C.04.2, General Handling Rules, 2026, articles 2.2 to
# 2.5), and the groups of Baku Acceleration (C.04.7), which are decided when a player first counts for a
# round, and then kept.

BATCH = 500
"""Rows in one UPDATE: the time of an UPDATE of thousands of rows grows with the square of their number."""


def keep_order_of_equals(participants: Sequence[Participant], *, by_lot: bool = False) -> None:
    """Give a place in the order to equal ratings whose numbers are not by title and name. Nothing is saved.

    by_lot: all numbers were drawn, so each is the place of its entry.

    The numbers are from a report file: its arbiter announced another criterion (2.2), and a renumbering keeps it.
    """
    if by_lot:
        for participant in participants:
            participant.equal_order = participant.tpn
        return
    for group in equal_players(participants):
        keys = [ranking_key(participant)[:-1] for participant in group]
        if any(key >= following for key, following in pairwise(keys)):
            for place, participant in enumerate(group, start=1):
                participant.equal_order = place


def rounds_of_table(section: Section, players: int) -> int:
    """Return how many rounds the table of this many players has. Raises DomainError("lots_too_many")."""
    system = system_named(section.system)
    rounds = system.rounds_for(players, section.all_options) or 0
    if rounds > system.most_rounds:
        raise LOTS_TOO_MANY.error(players=players, rounds=rounds, limit=system.most_rounds)
    return rounds


def follow_table(entry: SectionEntry) -> None:
    """Set the number of rounds after a change of players or options before round 1, if all players have their lots.

    Raises DomainError("lots_too_many").
    """
    section = entry.section
    if not section.fixed_rounds or not (drawn := list(section.participants.all())) or lots_missing(drawn):
        return
    rounds = rounds_of_table(section, len(drawn))
    if rounds != section.rounds and not section.played_rounds.exists():
        entry.before["rounds"], entry.after["rounds"] = section.rounds, rounds
        section.rounds = rounds
        section.save(update_fields=["rounds"])


def renumber_entries(
    participants: Sequence[Participant], *, rounds_paired: int, by_lot: bool = False
) -> list[tuple[int, int]]:
    """Give all entries of a section their numbers, 1 to n; return (old, new) for each number that changed.

    Until round 4 is paired, everybody is ranked again. After that the order is fixed: a late entry gets the place by
    rating (VCL4THP.13 Q156), and all below move down. `former_tpn` keeps the numbers before this change until the
    next one, but none that no round had. by_lot: the numbers follow the lots, and stand once round 1 is paired.

    Except for the numbers, which are saved here, the rows must be saved before.
    """
    ordered = in_number_order(participants, rounds_paired, by_lot=by_lot)
    changed = {p: tpn for tpn, p in enumerate(ordered, start=1) if p.tpn != tpn}
    if not changed:
        return []
    moved = [(p.tpn, tpn) for p, tpn in changed.items() if p.tpn is not None]
    of_section = Participant.objects.filter(section=participants[0].section_id)
    if moved:
        of_section.filter(former_tpn__isnull=False).update(former_tpn=None, renumbered_before=None)
        # old numbers go first, because SQLite has no unique constraint that is checked at the commit
        lowest, highest = min(old for old, _ in moved), max(old for old, _ in moved)
        of_section.filter(tpn__range=(lowest, highest)).update(tpn=None)
        touched = [
            p for p in participants if p in changed or (p.tpn is not None and lowest <= p.tpn <= highest)
        ]
        for participant in participants:
            had_it = rounds_paired > 0 and participant in changed
            participant.former_tpn = participant.tpn if had_it else None
            participant.renumbered_before = rounds_paired + 1 if participant.former_tpn else None
    else:
        touched = list(changed)
    for participant, tpn in changed.items():
        participant.tpn = tpn
    Participant.objects.update_each(touched, ["tpn", "former_tpn", "renumbered_before"])
    return moved


def split_for_acceleration(section: Section, participants: Sequence[Participant], number: int) -> None:
    """Split the field before round 1; before a later round, put the players who join in it into a group (C.04.7, 1).

    participants: all of the section, numbered. Players with a bye in round 1 are not in the split; they get a group on
    arrival, like late entries (GHR 2.4; D7). The last player of GA stays the same person: a player who arrives above is
    in GA, a player who arrives below is not. A player who was in a round keeps the group, even when the number changes.
    Three queries, none without acceleration.
    """
    if section.acceleration != Section.Acceleration.BAKU:
        return
    group = Participant.AccelerationGroup
    byes = Bye.objects.filter(participant__section=section)
    away = set(byes.filter(round_number=number).values_list("participant_id", flat=True))
    here = [row for row in participants if row.first_round <= number and row.is_active and row.pk not in away]
    if number == 1:
        ga = baku_group([EnginePlayer(id=row.pk, tpn=row.tpn or 0, rating=row.rating) for row in here])
        settled: set[Participant] = set()
        groups = {row: group.GA if row.pk in ga else group.GB for row in here}
    else:
        paired = set(
            byes.filter(round_number__lt=number, source=Bye.Source.ALLOCATED).values_list(
                "participant_id", flat=True
            )
        )
        games = Game.objects.filter(round__section=section, round__number__lt=number)
        paired.update(key for pair in games.values_list("white_id", "black_id") for key in pair)
        settled = {row for row in participants if row.acceleration_group and row.pk in paired}
        last = max((row.tpn or 0 for row in settled if row.acceleration_group == group.GA), default=0)
        groups = {row: group.GA if (row.tpn or 0) < last else group.GB for row in here if row not in settled}
    groups = {row: group.NONE for row in participants if row not in settled} | groups
    changed = [row for row in groups if row.acceleration_group != groups[row].value]
    for row in changed:
        row.acceleration_group = groups[row].value
    Participant.objects.bulk_update(changed, ["acceleration_group"], batch_size=BATCH)


# The entries of a locked section: read once, changed in memory, saved together.

MAX_ENTRIES = 10_000

_IDENTITY = tuple(field.name for field in FIELDS if field.of is Player)
_ENTRY = tuple(field.name for field in FIELDS if field.of is Participant)


@dataclass(slots=True)
class Roster:
    """players: of the whole event, by FIDE ID. rounds_paired: number of the last round."""

    section: Section
    participants: list[Participant]
    players: dict[int, Player]
    rounds_paired: int
    _new: list[Participant] = field(default_factory=list)
    _changed: list[Participant] = field(default_factory=list)
    _changed_players: list[Player] = field(default_factory=list)
    _ranked: bool = False
    _ranked_players: set[int] = field(default_factory=set)
    _looks: set[tuple[object, ...]] = field(default_factory=set)
    _entered: set[int | None] = field(default_factory=set)

    @classmethod
    def load(cls, section: Section) -> Roster:
        """Three SQL queries."""
        participants = list(section.participants.select_related("player").order_by("pk"))
        players = {p.fide_id: p for p in section.event.players.filter(fide_id__isnull=False) if p.fide_id}
        for participant in participants:  # each person must be one object, found either way
            if participant.player.fide_id in players:
                players[participant.player.fide_id] = participant.player
        return cls(
            section=section,
            participants=participants,
            players=players,
            rounds_paired=rounds_paired(section),
            _looks={_looks(participant) for participant in participants},
            _entered={participant.player.fide_id for participant in participants},
        )

    def find(self, participant_id: int) -> Participant:
        """Raises NotFound."""
        for participant in self.participants:
            if participant.pk == participant_id:
                return participant
        raise NOT_FOUND.error(kind="participant", id=participant_id)

    def enter(
        self,
        data: EntryData,
        *,
        tpn: int | None = None,
        twins: bool = False,
        moved: Participant | None = None,
    ) -> Participant:
        """Add an entry. tpn: its number, if it already has one. twins: allow two entries that look the same. moved: the
        entry of another section that it was, whose key and person it keeps.

        A person who plays in another section of the event is recognised by the FIDE ID.
        Raises DomainError: name_required, rating_required, too_many_entries, already_entered, fide_id_taken,
        all_rounds_paired, round_out_of_range, table_stands, invalid_values.
        """
        data = with_minimum(self.section, by_method(self.section, data))
        name = self._required(data)
        if len(self.participants) >= MAX_ENTRIES:
            raise TOO_MANY_ENTRIES.error(limit=MAX_ENTRIES)
        player = self.players.get(data.fide_id) if data.fide_id is not None else None
        if player is not None:
            self._recognise(player, data, name)
        elif moved is not None:
            player = moved.player
        else:
            player = Player(event=self.section.event)
            assign_values(player, _identity(data))
        participant = Participant(
            pk=None if moved is None else moved.pk, section=self.section, player=player, tpn=tpn
        )
        assign_values(participant, {key: getattr(data, key) for key in _ENTRY if key != "first_round"})
        participant.first_round = self._first_round(data.first_round)
        if not twins and _looks(participant) in self._looks:
            raise ALREADY_ENTERED.error(name=name)
        self._looks.add(_looks(participant))
        if player.fide_id is not None:
            self.players[player.fide_id] = player
            self._entered.add(player.fide_id)
        self.participants.append(participant)
        self._ranked = True
        self._new.append(participant)
        return participant

    def same_person(self, one: Participant) -> Participant | None:
        """Return another entry with the same birth date and the same name, in any order of its words."""
        player = one.player
        return next(
            (
                other
                for other in self.participants
                if other is not one
                and player.birth_date
                and other.player.birth_date == player.birth_date
                and (player.fide_id is None or other.player.fide_id is None)
                and same_name(other.player.name, player.name)
            ),
            None,
        )

    def change(self, participant: Participant, data: EntryData) -> tuple[dict[str, Any], dict[str, Any]]:
        """Change an entry and its player; return the changed values, before and after.

        After round 1 is paired, first_round 1 means that it does not change.
        Raises DomainError: name_required, rating_required, fide_id_taken, first_round_paired, round_out_of_range,
        invalid_values.
        """
        data = by_method(self.section, data)
        self._required(data)
        player = participant.player
        owner = self.players.get(data.fide_id) if data.fide_id is not None else None
        if owner is not None and owner != player:
            raise FIDE_ID_TAKEN.error(fide_id=data.fide_id, name=owner.name)
        before, after = assign_values(player, _identity(data))
        if after:
            self._note_changed(player, after)
            self.players = {p.fide_id: p for p in (*self.players.values(), player) if p.fide_id is not None}
            self._entered.add(player.fide_id)
        values = {key: getattr(data, key) for key in _ENTRY}
        if data.first_round == 1 and self.rounds_paired:
            values["first_round"] = participant.first_round
        if values["first_round"] != participant.first_round:
            self._refuse_past_first_round(participant, values["first_round"])
        entry_before, entry_after = assign_values(participant, values)
        if entry_after:
            self._changed.append(participant)
        if (
            "rating" in entry_after and not self.section.fixed_rounds
        ):  # the place was among players of the old rating
            participant.equal_order = None
        self._ranked |= not DECIDING.isdisjoint({*after, *entry_after})
        return {**before, **entry_before}, {**after, **entry_after}

    def discard(self, participant: Participant, *, keeps_player: bool = False) -> None:
        """Delete an entry, and its player if there is no other entry. keeps_player: another entry follows."""
        self.participants.remove(participant)
        player = participant.player
        participant.delete()
        if not keeps_player and not player.entries.exists():
            player.delete()

    def discard_many(self, leaving: Collection[Participant], *, keeps_players: bool = False) -> None:
        """Delete entries, as `discard`. Few queries for any number."""
        gone = {participant.pk for participant in leaving}
        players = {participant.player_id for participant in leaving}
        self.participants = [each for each in self.participants if each.pk not in gone]
        Participant.objects.filter(pk__in=gone).delete()
        if not keeps_players:
            Player.objects.filter(pk__in=players, entries=None).delete()

    def save(self, entry: LogEntry, actor: Actor, *, renumber: bool = True, asked: Answer = True) -> None:
        """Write everything, and give the numbers if the order may be different; the log names the changed numbers.

        The same happens in the other sections of a changed player, each with a row in its own log. renumber: False if
        the entries have their numbers. asked: as for `renumber`.
        Raises DomainError: late_entry_by_arbiter; numbers_to_confirm.
        """
        if self._new and is_late_entry(self.section, actor, self.rounds_paired):
            raise LATE_ENTRY_BY_ARBITER.error(section=self.section.name)
        Player.objects.bulk_create([p.player for p in self._new if p.player.pk is None])
        Participant.objects.bulk_create(self._new)
        Participant.objects.bulk_update(self._changed, (*_ENTRY, "equal_order"), batch_size=BATCH)
        Player.objects.bulk_update(self._changed_players, _IDENTITY, batch_size=BATCH)
        if renumber and self._ranked:
            self.renumber(entry, asked=asked)
        changed = [player.pk for player in self._changed_players]
        follow_players(changed, self.section, actor, entry, ranked=self._ranked_players, asked=asked)

    def renumber(self, entry: LogEntry, *, asked: Answer = True) -> None:
        """Give the numbers. In a running section, new numbers affect the next pairings (VCL4THP.13 Q112).

        asked: the arbiter has agreed that two or more numbers change (Q154).
        Raises DomainError("numbers_to_confirm").
        """
        by_lot = self.section.fixed_rounds
        moved = renumber_entries(self.participants, rounds_paired=self.rounds_paired, by_lot=by_lot)
        if len(moved) >= 2 and self.rounds_paired:
            question = NUMBERS_TO_CONFIRM.error(
                section=self.section.name,
                round=self.rounds_paired,
                numbers=sorted(list(pair) for pair in moved),
            )
            ask(question, asked)
        if moved:
            entry.after["numbers"] = [list(pair) for pair in moved]
        if len(moved) >= 2 and self.rounds_paired and not entry.integrity:
            entry.integrity = Integrity.REGENERATION
            entry.round_number = self.rounds_paired

    def _required(self, data: EntryData) -> str:
        """Return the name. Raises DomainError without a name, or without a rating in a system in which all have one."""
        name = one_line(data.name)
        if not name:
            raise NAME_REQUIRED.error()
        least = 0 if system_named(self.section.system).takes_unrated else 1
        if data.rating is None or data.rating < least:
            raise RATING_REQUIRED.error(name=name)
        return name

    def _recognise(self, player: Player, data: EntryData, name: str) -> None:
        """Check that a known FIDE ID is the same person, and not yet in this section."""
        if player.fide_id in self._entered:
            raise ALREADY_ENTERED.error(name=player.name)
        if not share_a_word(player.name, name):
            raise FIDE_ID_TAKEN.error(fide_id=data.fide_id, name=player.name)
        known = {key: value for key, value in _identity(data).items() if not getattr(player, key)}
        _, after = assign_values(player, known)
        if after:
            self._note_changed(player, after)

    def _note_changed(self, player: Player, after: Mapping[str, Any]) -> None:
        self._changed_players.append(player)
        if player.pk is not None and not DECIDING.isdisjoint(after):
            self._ranked_players.add(player.pk)

    def _first_round(self, wanted: int) -> int:
        following = self.rounds_paired + 1
        if self.section.fixed_rounds and (self.rounds_paired or wanted > 1):
            raise TABLE_STANDS.error()
        if following > self.section.rounds:
            raise ALL_ROUNDS_PAIRED.error(rounds=self.section.rounds)
        return self._within(max(wanted, following))

    def _refuse_past_first_round(self, participant: Participant, wanted: int) -> None:
        following = self.rounds_paired + 1
        if wanted < following or participant.first_round < following:
            raise FIRST_ROUND_PAIRED.error(first_round=wanted, next_round=following)
        self._within(wanted)

    def _within(self, number: int) -> int:
        if not 1 <= number <= self.section.rounds:
            raise ROUND_OUT_OF_RANGE.error(round=number, rounds=self.section.rounds)
        return number


def is_late_entry(section: Section, actor: Actor, paired: int) -> bool:
    """Return whether new players of this person wait for an arbiter. paired: the number of the last round.

    Once round 1 is paired, only an arbiter enters players. All ways to an entry ask here.
    """
    return paired > 0 and actor.user is not None and not actor.user.has_perm(Right.RUN.permission, section)


def entry_summary(participant: Participant) -> dict[str, Any]:
    """All values of an entry, for the log."""
    player = participant.player
    return {
        "participant": participant.pk,
        "tpn": participant.tpn,
        **{key: getattr(player, key) for key in _IDENTITY},
        **{key: getattr(participant, key) for key in _ENTRY},
    }


def entry_data(participant: Participant) -> EntryData:
    """Return the entry as it is, to change some values of it."""
    values = entry_summary(participant)
    return EntryData(**{name: values[name] for name in EntryData.__dataclass_fields__ if name in values})


def label_of_entry(participant: Participant) -> str:
    """Number and name, for the subject of a log row."""
    return str(participant)


def follow_players(
    players: Collection[int],
    section: Section,
    actor: Actor,
    cause: LogEntry,
    *,
    ranked: Set[int],
    asked: Answer = True,
) -> None:
    """Write a row into the logs of the other sections of changed players.

    ranked: the players with another title or name; their other sections are renumbered.
    """
    others = Participant.objects.filter(player__in=players).exclude(section=section)
    found = set(others.values_list("section", "player"))
    moving = {key for key, player in found if player in ranked}
    for key in sorted({key for key, _player in found}):
        _follow(key, actor, cause, renumber=key in moving, asked=asked)


def _follow(section: int, actor: Actor, cause: LogEntry, *, renumber: bool, asked: Answer) -> None:
    """Write the change of a player into the log of another section. renumber: give numbers there if it is open."""
    with act(section_id=section, actor=actor, action=EDIT_PLAYER, allow_closed=True) as entry:
        entry.subject = cause.subject
        entry.before = {key: value for key, value in cause.before.items() if key in _IDENTITY}
        entry.after = {key: value for key, value in cause.after.items() if key in _IDENTITY}
        if renumber and not entry.section.is_closed:
            Roster.load(entry.section).renumber(entry, asked=asked)


def _identity(data: EntryData) -> dict[str, Any]:
    values = {
        key: getattr(data, key) for key in _IDENTITY if getattr(data, key) is not None or key == "fide_id"
    }
    return {**values, "title": data.title.upper(), "federation": data.federation.upper()}


def _looks(participant: Participant) -> tuple[object, ...]:
    """Everything that distinguishes people. Two entries with the same values are one form, sent twice."""
    player = participant.player
    name = player.name.casefold()
    return name, player.fide_id, player.birth_date, player.federation, player.sex, participant.rating
