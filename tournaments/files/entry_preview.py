"""Shows what an entry list would change in a section, row by row, before anything is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from base.text import lacks_comma, name_ways
from evenboard_engine import system_named
from ratings.names import same_name
from tournaments.entry_data import EntryData, ImportRow, ListedRating, by_method
from tournaments.models import Bye, Participant, Player, RatingSource, Section
from tournaments.models.rounds import rounds_paired
from tournaments.player_fields import FIELDS

from .cell_values import MAX_NOTE
from .columns import RATINGS, ListColumn, surname_first
from .entry_lists import DatesRead, ListTable, ReadRow, dates_read, read_entry_rows
from .entry_matching import Choices, Doubt, EnteredPlayers, entry_name_key, match_entry
from .list_refusals import RefusalReason

# The rows of a preview: refused, changed, added, or the same.


@dataclass(frozen=True, slots=True)
class ValueChange:
    """One value that the file would change. field: a name of `EntryData`, or "byes" with tuples of rounds."""

    field: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """`str()` of a reason is its sentence. row: what could be read, and the cells with the arbiter's corrections."""

    row: ReadRow
    reasons: tuple[RefusalReason, ...]

    @property
    def number(self) -> int:
        """The line in the file."""
        return self.row.number

    @property
    def name(self) -> str:
        return self.row.name

    @property
    def cells(self) -> Mapping[ListColumn, str]:
        return self.row.raw.cells

    @property
    def notes(self) -> tuple[RefusalReason, ...]:
        return self.row.raw.notes

    @property
    def rivals(self) -> tuple[ReadRow | Participant | Player, ...]:
        """Whom the row may mean too: rows of the file, entries, or players of other sections."""
        return tuple(rival for reason in self.reasons if isinstance(reason, Doubt) for rival in reason.rivals)

    def kept_instead(self, choices: Choices) -> int | None:
        """The number of the row that the arbiter kept instead of this one, None if there is none."""
        rows = (rival.number for rival in self.rivals if isinstance(rival, ReadRow))
        return next((number for number in rows if number in choices.kept), None)


@dataclass(frozen=True, slots=True)
class AcceptedRow:
    """A row that will be written; or, for an entered player without `changes`, one that changes nothing.

    provisional: the row has no rating and gets the provisional one. corrected: cells that the arbiter corrected, with
    the name of the column in the file as `field`. also: numbers of rows that are refused because of this one.
    chosen: the name of the player whom the arbiter chose for this row. notes: about single cells.
    """

    number: int
    row: ImportRow
    changes: tuple[ValueChange, ...] = ()
    provisional: bool = False
    corrected: tuple[ValueChange, ...] = ()
    also: tuple[int, ...] = ()
    chosen: str = ""
    notes: tuple[RefusalReason, ...] = ()

    @property
    def entry(self) -> EntryData:
        return self.row.entry


@dataclass(frozen=True, slots=True)
class NameOrder:
    """A name without a comma in the file. ways: what it may be. chosen: one of them, at first the most usual one."""

    number: int
    name: str
    ways: tuple[str, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """refused, changed, added, same: the rows of the file, each in its order. no_rating: how many rows are refused only
    because they have no rating: a provisional one would take them. two_ways: birth dates that can be read in two ways.
    revision: of the section, to be sent back with the answer. noted: numbers of the rows with formulas that have no
    stored value. with_games: of those whose ratings had a number of games, which is left out.
    left: rows that are not taken because the arbiter kept another row of the same player. dates: how dates with two
    readings were read, None if there are none or the arbiter said how. no_comma: numbers of new rows whose name may
    not be in the order "Surname, Given". orders: their names, to be chosen. no_byes: numbers of rows whose byes are
    left out. no_estimate: names of new players without the estimate of a rating that the rules of the pairing system
    ask for.
    """

    refused: tuple[RefusedRow, ...]
    changed: tuple[AcceptedRow, ...]
    added: tuple[AcceptedRow, ...]
    same: tuple[AcceptedRow, ...]
    no_rating: int
    no_estimate: tuple[str, ...]
    two_ways: tuple[str, ...]
    revision: int
    noted: tuple[int, ...] = ()
    left: tuple[RefusedRow, ...] = ()
    dates: DatesRead | None = None
    no_comma: tuple[int, ...] = ()
    orders: tuple[NameOrder, ...] = ()
    no_byes: tuple[int, ...] = ()
    with_games: tuple[int, ...] = ()

    @property
    def rows(self) -> tuple[ImportRow, ...]:
        """What the import action takes: changed and added rows, in the order of the file."""
        accepted = sorted((*self.changed, *self.added), key=lambda row: row.number)
        return tuple(row.row for row in accepted)


_FIELDS = tuple(field.name for field in FIELDS if field.in_files)
_NOT_READ = ("by_initials", "latin_name")
"""Fields that an import leaves as they are."""

BYES_LEFT_OUT = "byes_left_out"
LookUp = Callable[[Mapping[int, str]], Mapping[int, ListedRating]]
"""Looks names up by their FIDE IDs in the rating lists of the section."""


def entry_list_preview(
    section: Section,
    table: ListTable,
    unrated: int | None = None,
    day_first: bool | None = None,
    choices: Choices | None = None,
    look_up: LookUp | None = None,
) -> ImportPreview:
    """What the table would do. unrated: provisional rating for players without one; without it the minimum rating of
    the section, and if it has none, they are refused. day_first: as for `read_entry_rows`.
    choices: the arbiter's answers
    whom a row means. look_up: gives new players with a FIDE ID and no rating that of the main list (VCL4THP.13 Q127). A
    rating of the file that the list has too comes from the list (Q134).

    An entered player is found by FIDE ID, else by name and birth date, else by name. Blank cells change nothing.
    Nothing is written. Five queries, and those of the rating lists if somebody is looked up.
    """
    choices = choices or Choices()
    entered = EnteredPlayers.load(section, choices)
    limits = _Limits.load(section)
    if unrated is None:
        unrated = section.minimum_rating or (0 if system_named(section.system).takes_unrated else None)
    refused: list[RefusedRow] = []
    taken: list[AcceptedRow] = []
    no_rating = 0
    rows = _asked(read_entry_rows(table, day_first), section, table)
    wanted = {row.fide_id: row.name for row in rows if row.fide_id}
    listed = look_up(wanted) if look_up is not None and wanted else {}
    for row in _kept_first(rows, choices):
        participant, who = match_entry(entered, row)
        of_list = listed.get(row.fide_id or 0)
        reasons = (*row.reasons, *who, *limits.reasons(row, participant, table))
        unknown = unrated is None and of_list is None and not _has_rating_cell(row)
        if participant is None and not who and unknown:
            no_rating += not reasons
            reasons = (*reasons, RefusalReason("no_rating", cells=(_rating_column(table),)))
        if reasons:
            refused.append(RefusedRow(row, reasons))
            continue
        chosen = entered.chosen(row)
        accepted = (
            _added(section, _under_the_name_of(chosen, row), unrated, limits.next_round, of_list)
            if participant is None
            else _changed(row, participant, limits)
        )
        taken.append(
            replace(
                accepted, corrected=_corrected(row, table), chosen=_name_of(chosen), notes=_notes(row, table)
            )
        )
    refused.sort(key=lambda row: row.number)
    also = _refused_for(refused)
    left = tuple(row for row in refused if row.kept_instead(choices) is not None)
    refused = [row for row in refused if row not in left]
    taken = [
        replace(row, also=tuple(also.get(row.number, ())))
        for row in sorted(taken, key=lambda row: row.number)
    ]
    return ImportPreview(
        refused=tuple(refused),
        changed=tuple(row for row in taken if row.row.participant_id is not None and row.changes),
        added=tuple(row for row in taken if row.row.participant_id is None),
        same=tuple(row for row in taken if row.row.participant_id is not None and not row.changes),
        no_rating=no_rating,
        no_estimate=tuple(
            row.entry.name
            for row in taken
            if section.wants_estimates and row.row.participant_id is None and not row.entry.rating
        ),
        two_ways=tuple(
            str(reason.params["value"])
            for row in refused
            for reason in row.row.reasons
            if reason.code == "birth_date_order"
        ),
        revision=section.revision,
        noted=_rows_noted(table, "unsaved_formula"),
        with_games=_rows_noted(table, "games_left_out"),
        no_byes=tuple(row.number for row in rows if BYES_LEFT_OUT in {note.code for note in row.raw.notes}),
        left=left,
        dates=dates_read(table) if day_first is None else None,
        orders=tuple(
            _orders(rows, {row.number: row for row in taken if row.row.participant_id is None}, table)
        ),
        no_comma=tuple(
            row.number
            for row in taken
            if row.row.participant_id is None
            and re.search(r"[;\s]", row.entry.name)
            and "," not in row.entry.name
        ),
    )


def _orders(rows: Iterable[ReadRow], new: Mapping[int, AcceptedRow], table: ListTable) -> Iterator[NameOrder]:
    """Yield the names of new players that have no comma in the file, unless the rating list has answered."""
    first = surname_first(table.header.get(ListColumn.NAME, ""))
    for row in rows:
        now = row.raw.cells.get(ListColumn.NAME, "")
        name = row.raw.corrected.get(ListColumn.NAME, now)
        if (
            row.number not in new
            or not lacks_comma(name)
            or (lacks_comma(now) and "," in new[row.number].entry.name)
        ):
            continue
        ways = name_ways(name, first)
        yield NameOrder(
            row.number, name, (*ways[:-1], name), now if ListColumn.NAME in row.raw.corrected else ways[0]
        )


def _rows_noted(table: ListTable, code: str) -> tuple[int, ...]:
    """Return the numbers of the rows with such a note about a cell."""
    return tuple(row.number for row in table.rows if code in {note.code for note in row.notes})


def _asked(rows: Iterable[ReadRow], section: Section, table: ListTable) -> list[ReadRow]:
    """Return rows with what the pairing system of the section asks for. If it asks for no teams, a team is a club."""
    system = system_named(section.system)
    facts = set(system.player_facts)
    asked = [replace(row, values=_of_facts(row.values, facts)) for row in rows]
    return [_without_byes(row, table) for row in asked] if system.fixed_rounds else asked


def _without_byes(row: ReadRow, table: ListTable) -> ReadRow:
    """Leave out the byes of a row, with a note: where all rounds are fixed, nobody can ask for one."""
    values = dict(row.values)
    reasons = tuple(reason for reason in row.reasons if reason.cells != (ListColumn.BYES,))
    if not values.pop("byes", ()) and reasons == row.reasons:
        return row
    params: dict[str, object] = {
        "column": table.header[ListColumn.BYES],
        "value": row.raw.cells[ListColumn.BYES],
    }
    notes = (*row.raw.notes, RefusalReason(BYES_LEFT_OUT, params))
    return replace(row, values=values, reasons=reasons, raw=replace(row.raw, notes=notes))


def _of_facts(read: Mapping[str, Any], facts: Set[str]) -> Mapping[str, Any]:
    values = dict(read)
    if "team" not in facts and (team := values.pop("team", "")):
        values.setdefault("club", team)
    if flags := values.pop("pairing_flags", ""):
        values["pairing_flags"] = " ".join(flag for flag in flags.split() if flag in facts)
    return values


def _kept_first(rows: Sequence[ReadRow], choices: Choices) -> list[ReadRow]:
    """The rows that the arbiter keeps come first: of two rows for one player, the first is taken."""
    places = {number: place for place, number in enumerate(choices.kept)}
    return sorted(rows, key=lambda row: places.get(row.number, len(places)))


def _refused_for(refused: Sequence[RefusedRow]) -> dict[int, list[int]]:
    """For each row that conflicts with others, the numbers of those that are refused because of it."""
    found: dict[int, list[int]] = {}
    for row in refused:
        for rival in row.rivals:
            if isinstance(rival, ReadRow):
                found.setdefault(rival.number, []).append(row.number)
    return found


def _name_of(person: Participant | Player | None) -> str:
    if person is None:
        return ""
    return person.player.name if isinstance(person, Participant) else person.name


def _under_the_name_of(chosen: Participant | Player | None, row: ReadRow) -> ReadRow:
    """A player of another section keeps the name that the event knows."""
    return replace(row, name=_name_of(chosen)) if chosen is not None else row


@dataclass(frozen=True, slots=True)
class _Limits:
    """The limits of the section. byes: rounds with a bye that was not allocated, by participant."""

    rounds: int
    next_round: int
    byes: Mapping[int, frozenset[int]]

    @classmethod
    def load(cls, section: Section) -> _Limits:
        byes: dict[int, set[int]] = {}
        rows = Bye.objects.filter(participant__section=section).exclude(source=Bye.Source.ALLOCATED)
        for participant, number in rows.values_list("participant_id", "round_number"):
            byes.setdefault(participant, set()).add(number)
        last = rounds_paired(section)
        return cls(
            rounds=section.rounds,
            next_round=last + 1,
            byes={key: frozenset(numbers) for key, numbers in byes.items()},
        )

    def reasons(
        self, row: ReadRow, participant: Participant | None, table: ListTable
    ) -> tuple[RefusalReason, ...]:
        """The reasons of the section against a row: byes that cannot be given, and an entry that is too late."""
        if participant is None and self.next_round > self.rounds:
            return (RefusalReason("no_round_left", {"rounds": self.rounds}),)
        standing = self.byes.get(participant.pk, frozenset()) if participant else frozenset()
        asked = (number for number in row.values.get("byes", ()) if number not in standing)
        codes = ((number, self._bye(number, participant)) for number in asked)
        column = table.header.get(ListColumn.BYES, "")
        return tuple(
            RefusalReason(
                code, {"column": column, "round": number, "rounds": self.rounds}, cells=(ListColumn.BYES,)
            )
            for number, code in codes
            if code
        )

    def _bye(self, number: int, participant: Participant | None) -> str:
        """The code of the reason against a half-point bye, or ""."""
        if number > self.rounds:
            return "bye_round"
        if number < self.next_round:
            return "bye_paired"
        if participant is not None and not participant.is_active:
            return "bye_withdrawn"
        return "bye_refused" if participant is not None and not participant.half_bye_allowed else ""


def _rating_column(table: ListTable) -> ListColumn:
    """The column in which the file has its ratings."""
    return next((column for column in RATINGS if column in table.header), ListColumn.RATING)


def _corrected(row: ReadRow, table: ListTable) -> tuple[ValueChange, ...]:
    return tuple(
        ValueChange(table.header[column], old, row.raw.cells.get(column, ""))
        for column, old in row.raw.corrected.items()
        if old != row.raw.cells.get(column, "")
    )


def _notes(row: ReadRow, table: ListTable) -> tuple[RefusalReason, ...]:
    """What the arbiter should know about single cells of a row that is taken."""
    if not (title := row.values.get("other_title")):
        return row.raw.notes
    params = {"column": table.header[ListColumn.TITLE], "value": title}
    return (*row.raw.notes, RefusalReason("other_title", params, cells=(ListColumn.TITLE,)))


def _has_rating_cell(row: ReadRow) -> bool:
    """The row has a rating, or a wrong one, which has its own reason."""
    return "rating" in row.values or any(reason.code == "rating" for reason in row.reasons)


def _added(
    section: Section, row: ReadRow, unrated: int | None, next_round: int, listed: ListedRating | None
) -> AcceptedRow:
    values = {
        key: value for key, value in row.values.items() if key not in ("byes", "estimated", "other_title")
    }
    if other := row.values.get("other_title"):
        values["note"] = _with_title(values.get("note", ""), other)
    source, rating_list = RatingSource.FILE.value, ""
    if listed is not None and values.get("rating", listed.rating) == listed.rating:
        ratings = {"official_rating": listed.official, "national_rating": listed.national}
        values = {**ratings, **values, "rating": listed.rating}
        source, rating_list = listed.source, listed.rating_list
    elif "rating" not in values:
        values["rating"] = unrated
        source = RatingSource.PROVISIONAL.value if unrated else source
    elif row.values.get("estimated"):
        source = RatingSource.PROVISIONAL.value
    by_list = listed is not None and lacks_comma(row.name) and same_name(listed.name, row.name)
    data = EntryData(
        name=listed.name if listed is not None and by_list else row.name,
        rating_source=source,
        rating_list=rating_list,
        first_round=next_round,
        **values,
    )
    entry = by_method(section, data)
    return AcceptedRow(
        number=row.number,
        row=ImportRow(entry=entry, byes=row.values.get("byes", ())),
        provisional=entry.rating_source == RatingSource.PROVISIONAL,
    )


def _changed(row: ReadRow, participant: Participant, limits: _Limits) -> AcceptedRow:
    old = entry_of(participant)
    values = {key: value for key, value in row.values.items() if key in _FIELDS and value not in ("", None)}
    new = {"name": _better_name(old.name, row.name), **values}
    if other := row.values.get("other_title"):
        new["note"] = _with_title(new.get("note", old.note), other)
    plain = not row.values.get("estimated") and new.get("national_rating") != new.get("rating")
    if (
        plain
        and "rating" in new
        and "official_rating" not in new
        and old.fide_id
        and old.official_rating == old.rating
    ):
        # the list leaves the FIDE ID out, and it was one rating so far
        new["official_rating"] = new["rating"]
    if new.get("rating", old.rating) != old.rating:
        new["rating_source"] = RatingSource.PROVISIONAL if row.values.get("estimated") else RatingSource.FILE
        new["rating_list"] = ""
    entry = by_method(participant.section, replace(old, **new))
    changes = [
        ValueChange(name, getattr(old, name), getattr(entry, name))
        for name in _FIELDS
        if getattr(entry, name) != getattr(old, name)
    ]
    standing = limits.byes.get(participant.pk, frozenset())
    asked = tuple(number for number in row.values.get("byes", ()) if number not in standing)
    if asked:
        changes.append(ValueChange("byes", tuple(sorted(standing)), tuple(sorted({*standing, *asked}))))
    return AcceptedRow(
        number=row.number,
        row=ImportRow(entry=entry, participant_id=participant.pk, byes=asked),
        changes=tuple(changes),
    )


def _with_title(note: str, title: str) -> str:
    """Return the note with a title that is not FIDE's, unless the note has it, or is full."""
    joined = f"{title}; {note}" if note else title
    return note if title in note or len(joined) > MAX_NOTE else joined


def _better_name(old: str, new: str) -> str:
    """The name in the file, unless it is a poorer spelling of the old one: no accents, no comma, or all in capitals."""
    poorer = new.isupper() or (new.isascii() and not old.isascii()) or ("," in old and "," not in new)
    return old if poorer and entry_name_key(old) == entry_name_key(new) else new


def entry_of(participant: Participant) -> EntryData:
    """An entry as the value that an action takes."""
    return EntryData(
        **{field.name: field.value(participant) for field in FIELDS if field.name not in _NOT_READ}
    )
