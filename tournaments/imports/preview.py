"""What an entry list would do to a section, row by row, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.entry_data import EntryData
from tournaments.models import Bye, Participant, RatingSource, Tournament

from .entries_csv import Table
from .entry_rows import ReadRow, read_rows
from .matching import Field, match
from .reasons import Reason
from .rows import ImportRow

# In the order in which changes are shown.
_FIELDS = (
    "name",
    "sex",
    "title",
    "federation",
    "fide_id",
    "birth_date",
    "rating",
    "official_rating",
    "club",
    "note",
)


@dataclass(frozen=True, slots=True)
class Change:
    """One value that the file knows otherwise. field: a name of `EntryData`, or "byes" with tuples of rounds."""

    field: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """number: line in the file. name: as far as it could be read. `str()` of a reason is its sentence."""

    number: int
    name: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class AcceptedRow:
    """A row that will be written, or with `changes` empty and a participant: one that says nothing new.

    provisional: the rating is the one that the arbiter gave for players without.
    """

    number: int
    row: ImportRow
    changes: tuple[Change, ...] = ()
    provisional: bool = False

    @property
    def entry(self) -> EntryData:
        return self.row.entry


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """refused, changed, added, same: the rows of the file, each in its order. no_rating: refused for that alone, so
    that a provisional rating would take them. revision: of the section, to be sent back with the answer.
    """

    refused: tuple[RefusedRow, ...]
    changed: tuple[AcceptedRow, ...]
    added: tuple[AcceptedRow, ...]
    same: tuple[AcceptedRow, ...]
    no_rating: int
    revision: int

    @property
    def rows(self) -> tuple[ImportRow, ...]:
        """What the import action takes: changed and added rows, in the order of the file."""
        accepted = sorted((*self.changed, *self.added), key=lambda row: row.number)
        return tuple(row.row for row in accepted)


def preview(tournament: Tournament, table: Table, unrated: int | None = None) -> ImportPreview:
    """What the table would do. unrated: provisional rating for players without one; without it they are refused.

    An entered player is found by FIDE ID, else by name and birth date, else by name. Cells left blank change
    nothing. Nothing is written. Four queries.
    """
    field = Field.load(tournament)
    limits = _Limits.load(tournament)
    refused: list[RefusedRow] = []
    taken: list[AcceptedRow] = []
    no_rating = 0
    for row in read_rows(table):
        participant, reasons = match(field, row)
        reasons = (*row.reasons, *reasons, *limits.reasons(row, participant, table))
        if participant is None and "rating" not in row.said and unrated is None:
            no_rating += not reasons
            reasons = (*reasons, Reason("no_rating")) if not _about_rating(reasons) else reasons
        if reasons:
            refused.append(RefusedRow(row.number, row.name, reasons))
        elif participant is None:
            taken.append(_added(row, unrated, limits.next_round))
        else:
            taken.append(_changed(row, participant, limits))
    return ImportPreview(
        refused=tuple(refused),
        changed=tuple(row for row in taken if row.row.participant_id is not None and row.changes),
        added=tuple(row for row in taken if row.row.participant_id is None),
        same=tuple(row for row in taken if row.row.participant_id is not None and not row.changes),
        no_rating=no_rating,
        revision=tournament.revision,
    )


@dataclass(frozen=True, slots=True)
class _Limits:
    """What the section allows. byes: requested half-point byes that stand, by participant."""

    rounds: int
    next_round: int
    byes: Mapping[int, frozenset[int]]

    @classmethod
    def load(cls, tournament: Tournament) -> _Limits:
        byes: dict[int, set[int]] = {}
        rows = Bye.objects.filter(participant__tournament=tournament).exclude(source=Bye.Source.ALLOCATED)
        for participant, number in rows.values_list("participant_id", "round_number"):
            byes.setdefault(participant, set()).add(number)
        last = tournament.played_rounds.order_by("-number").values_list("number", flat=True).first() or 0
        return cls(
            rounds=tournament.rounds,
            next_round=last + 1,
            byes={key: frozenset(numbers) for key, numbers in byes.items()},
        )

    def reasons(self, row: ReadRow, participant: Participant | None, table: Table) -> tuple[Reason, ...]:
        """What is wrong with the byes that the row asks for, beside those that stand already."""
        standing = self.byes.get(participant.pk, frozenset()) if participant else frozenset()
        out = []
        column = next((name for key, name in table.header.items() if key == "half-point byes"), "")
        for number in row.said.get("byes", ()):
            if number > self.rounds:
                out.append(Reason("bye_round", {"column": column, "round": number, "rounds": self.rounds}))
            elif number in standing:
                continue
            elif number < self.next_round:
                out.append(Reason("bye_paired", {"column": column, "round": number}))
            elif participant is not None and not participant.half_bye_allowed:
                out.append(Reason("bye_refused", {"column": column, "round": number}))
        return tuple(out)


def _about_rating(reasons: tuple[Reason, ...]) -> bool:
    return any(reason.code == "rating" for reason in reasons)


def _added(row: ReadRow, unrated: int | None, next_round: int) -> AcceptedRow:
    said = {key: value for key, value in row.said.items() if key != "byes"}
    provisional = "rating" not in said
    if provisional:
        said["rating"] = unrated
    source = RatingSource.PROVISIONAL if provisional else RatingSource.FILE
    entry = EntryData(name=row.name, rating_source=source, first_round=next_round, **said)
    return AcceptedRow(
        number=row.number,
        row=ImportRow(entry=entry, byes=row.said.get("byes", ())),
        provisional=provisional,
    )


def _changed(row: ReadRow, participant: Participant, limits: _Limits) -> AcceptedRow:
    old = entry_of(participant)
    said = {key: value for key, value in row.said.items() if key in _FIELDS and value not in ("", None)}
    new = {"name": row.name, **said}
    changes = [
        Change(name, getattr(old, name), new[name])
        for name in _FIELDS
        if name in new and new[name] != getattr(old, name)
    ]
    if any(change.field == "rating" for change in changes):
        new["rating_source"] = RatingSource.FILE
        new["rating_list"] = ""
    standing = limits.byes.get(participant.pk, frozenset())
    asked = tuple(number for number in row.said.get("byes", ()) if number not in standing)
    if asked:
        changes.append(Change("byes", tuple(sorted(standing)), tuple(sorted({*standing, *asked}))))
    entry = EntryData(**{name: getattr(old, name) for name in old.__slots__} | new)
    return AcceptedRow(
        number=row.number,
        row=ImportRow(entry=entry, participant_id=participant.pk, byes=asked),
        changes=tuple(changes),
    )


def entry_of(participant: Participant) -> EntryData:
    """An entry as it stands, as the value that an action takes."""
    player = participant.player
    return EntryData(
        name=player.name,
        sex=player.sex,
        title=player.title,
        federation=player.federation,
        fide_id=player.fide_id,
        birth_date=player.birth_date,
        rating=participant.rating,
        rating_source=participant.rating_source,
        rating_list=participant.rating_list,
        official_rating=participant.official_rating,
        club=participant.club,
        note=participant.note,
        first_round=participant.first_round,
    )
