"""Lists of entries (CSV or a workbook) and report files (TRF): what a file would do, and taking it.

What a file would do also shows players of the event, so it needs the scope entries:read; taking it does not.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from evenboard_engine import SYSTEMS
from evenboard_engine.trf import read_report
from tournaments.actions.entries import import_report
from tournaments.actions.entry_lists import import_or_keep
from tournaments.actions.roster import is_late_entry
from tournaments.errors import REPORT_TO_CONFIRM
from tournaments.files.columns import OF_ENTRIES, ListColumn
from tournaments.files.entry_lists import (
    CHOSEN_DELIMITERS,
    MAX_COLUMNS,
    MAX_LINES,
    FileColumn,
    ListLayout,
    ListTable,
    columns_spelled,
    named_entries,
)
from tournaments.files.entry_matching import Choices, id_conflicts
from tournaments.files.entry_preview import ImportPreview, RefusedRow, entry_list_preview
from tournaments.files.list_refusals import FileRefused
from tournaments.files.spreadsheets import ENCODINGS
from tournaments.models import Participant, Scope
from tournaments.models.rounds import rounds_paired
from tournaments.models.sections import MAX_ROUNDS
from tournaments.queries.rating_lists import ratings_of_new
from tournaments.questions import ask
from web.words.reports import file_preview

from .bodies import LARGEST, BodySerializer, Confirm
from .entries import EntersPlayers
from .operations import ENTRIES, MANAGE, reads, writes
from .problems import Problem, invalid, iso_birth_date
from .sections import OfSection
from .shapes import SectionShape, Shape
from .view import View

DAY_FIRST = {"day": True, "month": False}


def columns_field(offered: Collection[ListColumn]) -> serializers.ListField:
    """Return the parameter that says what each column is."""
    names = ["-", *(column.name.lower() for column in ListColumn if column in offered)]
    child = serializers.ChoiceField(choices=names)
    return serializers.ListField(child=child, max_length=MAX_COLUMNS, required=False, default=list)


class LayoutQuery(BodySerializer):
    """How the file is read; without a value the program finds out. dates: what comes first in 05/06/1990. delimiter:
    what stands between the columns. heading: the row with the names of the columns, 0 if there is none. columns: what
    each column is, from the left, a dash for one that is not used; the preview names them in its answer.
    """

    file_name = serializers.CharField(max_length=120, required=False, default="")
    encoding = serializers.ChoiceField(choices=[*ENCODINGS], required=False, default="")
    delimiter = serializers.ChoiceField(choices=[*CHOSEN_DELIMITERS], required=False, default="")
    heading = serializers.IntegerField(min_value=0, max_value=MAX_LINES, required=False, default=None)
    dates = serializers.ChoiceField(choices=[*DAY_FIRST], required=False, default="")
    sheet = serializers.CharField(max_length=100, required=False, default="")


class RowsQuery(LayoutQuery):
    """How the file is read, as for `LayoutQuery`. unrated: the provisional rating of players without
    one. choices: answers for rows in doubt, one or more: keep-12
    (this row, not the other one), same-12-345 (row 12 is the player 345), apart-12 (another player of that name).
    """

    columns = columns_field(OF_ENTRIES)
    unrated = serializers.IntegerField(min_value=1, max_value=3_999, required=False, default=None)
    choices = serializers.ListField(
        child=serializers.CharField(max_length=40), max_length=2_000, required=False, default=list
    )


class TakeRowsQuery(RowsQuery):
    """revision: of the section, as the preview gave it. confirm: take the file although the program asks first, because
    pairing numbers change, a bye is more than the rules give, or somebody plays in two sections.
    """

    revision = serializers.IntegerField(min_value=0, max_value=LARGEST)
    confirm = Confirm()


class ChangeShape(Shape):
    """A value that the file changes: a text, a number, a list of rounds, or null."""

    field = serializers.CharField()
    old = serializers.JSONField(allow_null=True)
    new = serializers.JSONField(allow_null=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        if shown["field"] == "birth_date":
            shown |= {name: iso_birth_date(shown[name] or "") for name in ("old", "new")}
        return shown


class NewRow(Shape):
    """row: the line in the file. rating_list: that gave the rating, "" if the file has it. provisional: the rating is
    the one for players without a rating.
    """

    row = serializers.IntegerField(source="number")
    name = serializers.CharField(source="entry.name")
    rating = serializers.IntegerField(source="entry.rating")
    rating_list = serializers.CharField(source="entry.rating_list", allow_blank=True)
    provisional = serializers.BooleanField()


class ChangedRow(NewRow):
    entry = serializers.IntegerField(source="row.participant_id")
    changes = ChangeShape(many=True)


class ReasonShape(Shape):
    code = serializers.CharField()
    detail = serializers.CharField()


class RivalShape(Shape):
    """Whom a row may mean too. row: another row of the file, else null. player: for `same`, else null."""

    row = serializers.IntegerField(allow_null=True)
    player = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()


class RefusedRowShape(Shape):
    row = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    reasons = ReasonShape(many=True)
    rivals = RivalShape(many=True)


class ColumnShape(Shape):
    """A column of the file. place: from 1. meaning: as the query `columns` has it, null if it is not used. example: its
    first value.
    """

    place = serializers.IntegerField()
    heading = serializers.CharField(allow_blank=True)
    meaning = serializers.CharField(allow_null=True)
    example = serializers.CharField(allow_blank=True)


class TableShape(Shape):
    """How a file was read. unused: columns without a meaning here. doubts: about columns and quotation marks."""

    encoding = serializers.CharField(allow_blank=True)
    sheet = serializers.CharField(allow_blank=True)
    sheets = serializers.ListField(child=serializers.CharField())
    unused = serializers.ListField(child=serializers.CharField(allow_blank=True))
    columns = ColumnShape(many=True)
    doubts = serializers.ListField(child=serializers.CharField())


class RowsShape(TableShape):
    """What the file would do. same: how many rows change nothing. left: rows that are not taken, because another row of
    the player was kept. no_rating: how many rows only lack a rating. waiting: how many of `added` would wait for an
    arbiter, because round 1 is paired and the maker of the token is none.
    """

    revision = serializers.IntegerField()
    added = NewRow(many=True)
    changed = ChangedRow(many=True)
    same = serializers.IntegerField()
    refused = RefusedRowShape(many=True)
    left = serializers.ListField(child=serializers.IntegerField())
    no_rating = serializers.IntegerField()
    waiting = serializers.IntegerField()


class RefusedCodes(Shape):
    """A row that was not taken."""

    row = serializers.IntegerField()
    codes = serializers.ListField(child=serializers.CharField())


class TakenRowsShape(Shape):
    """added, changed: entries. waiting: how many new players wait for an arbiter, because round 1 is paired and the
    maker of the token is none.
    """

    revision = serializers.IntegerField()
    added = serializers.ListField(child=serializers.IntegerField())
    changed = serializers.ListField(child=serializers.IntegerField())
    waiting = serializers.IntegerField()
    refused = RefusedCodes(many=True)


class ReportUploadQuery(BodySerializer):
    """unrated: the provisional rating of players without one. rounds, system: if the file does not say."""

    file_name = serializers.CharField(max_length=120, required=False, default="")
    unrated = serializers.IntegerField(min_value=1, max_value=3_999, required=False, default=None)
    rounds = serializers.IntegerField(min_value=1, max_value=MAX_ROUNDS, required=False, default=None)
    system = serializers.ChoiceField(choices=sorted(SYSTEMS), required=False, default="")


class TakeReportQuery(ReportUploadQuery):
    """confirm: take the file although rounds do not follow the rules, or cannot be checked."""

    confirm = Confirm()


class NewSectionQuery(TakeReportQuery):
    """name: of the section; without it, that of the tournament in the file."""

    name = serializers.CharField(max_length=80, required=False, default="")


class DepartureShape(Shape):
    round = serializers.IntegerField()
    sentences = serializers.ListField(child=serializers.CharField())


class ReportFactsShape(Shape):
    """What a report file brings. adjustments: what is taken in another way than the file has it. doubts: what looks
    wrong. kept: lines without a meaning here, which stay in later files. departures: rounds that do not follow the
    rules. to_confirm: taking it needs `confirm`. conflicts: players whose FIDE ID somebody else of the event has.
    """

    name = serializers.CharField(allow_blank=True, source="report_name")
    system = serializers.CharField()
    rounds = serializers.IntegerField(allow_null=True)
    rounds_paired = serializers.IntegerField()
    players = serializers.IntegerField(source="count")
    unrated = serializers.IntegerField()
    adjustments = serializers.ListField(child=serializers.CharField())
    doubts = serializers.ListField(child=serializers.CharField())
    kept = serializers.ListField(child=serializers.CharField())
    departures = DepartureShape(many=True)
    to_confirm = serializers.BooleanField()
    conflicts = serializers.ListField(child=serializers.CharField())


class OfList(View):
    def read(self) -> tuple[ListTable, ImportPreview]:
        """Read the file and say what it would do. Raises Problem("file_refused")."""
        table, choices = table_asked(self.file, self.asked, OF_ENTRIES), Choices()
        for choice in self.asked["choices"]:
            choices = choices.with_(choice.strip())
        day_first, look_up = DAY_FIRST.get(self.asked["dates"]), partial(ratings_of_new, self.section)
        return table, entry_list_preview(
            self.section, table, self.asked["unrated"], day_first, choices, look_up
        )


def table_asked(file: bytes, asked: dict[str, Any], offered: Collection[ListColumn]) -> ListTable:
    """Return the list in a file, read as a `LayoutQuery` says. Raises Problem("file_refused")."""
    layout = ListLayout(
        encoding=asked["encoding"],
        delimiter=asked["delimiter"],
        sheet=asked["sheet"],
        heading=asked["heading"],
        columns=columns_spelled(" ".join(asked["columns"])),
    )
    try:
        return named_entries(file, asked["file_name"], layout, offered)
    except FileRefused as error:
        raise Problem(422, "file_refused", str(error), reason=error.reason.code) from error


class ListPreviewView(OfList):
    @reads(
        "See what a list of entries (CSV or a workbook) would do",
        Scope.ENTRIES_READ,
        ENTRIES,
        RowsShape,
        raw=True,
        query=RowsQuery,
    )
    def post(self) -> Any:
        table, found = self.read()
        late = is_late_entry(self.section, self.actor, rounds_paired(self.section))
        return {
            "revision": found.revision,
            **read_as(table),
            "added": NewRow(found.added, many=True).data,
            "changed": ChangedRow(found.changed, many=True).data,
            "same": len(found.same),
            "refused": [_refused(row) for row in found.refused],
            "left": [row.number for row in found.left],
            "no_rating": found.no_rating,
            "waiting": len(found.added) if late else 0,
        }


def read_as(table: ListTable) -> dict[str, Any]:
    """Return what `TableShape` says of a file."""
    return {
        "encoding": table.encoding,
        "sheet": table.sheet,
        "sheets": list(table.sheets),
        "unused": [column.heading for column in table.unused],
        "columns": [_column(column) for column in table.columns],
        "doubts": [str(doubt) for doubt in table.doubts],
    }


def _column(column: FileColumn) -> dict[str, Any]:
    return {
        "place": column.place + 1,
        "heading": column.heading,
        "meaning": column.meaning.name.lower() if column.meaning else None,
        "example": column.example,
    }


def _refused(row: RefusedRow) -> dict[str, Any]:
    return {
        "row": row.number,
        "name": row.name,
        "reasons": [{"code": reason.code, "detail": str(reason)} for reason in row.reasons],
        "rivals": [_rival(rival) for rival in row.rivals],
    }


def _rival(rival: Any) -> dict[str, Any]:
    if isinstance(rival, Participant):
        return {"row": None, "player": rival.player_id, "name": rival.player.name}
    key = getattr(rival, "pk", None)
    return {"row": None if key else rival.number, "player": key, "name": rival.name}


class ListImportView(EntersPlayers, OfList):
    @writes(
        "Take a list of entries (CSV or a workbook), without the rows that are refused",
        Scope.ENTRIES_WRITE,
        ENTRIES,
        raw=True,
        query=TakeRowsQuery,
        answer=TakenRowsShape,
    )
    def post(self) -> Any:
        _table, found = self.read()
        outcome, waiting = import_or_keep(
            actor=self.actor,
            section=self.section,
            rows=found.rows,
            source=self.asked["file_name"],
            seen_revision=self.asked["revision"],
            proceed=self.answers,
            both=self.answers,
            asked=self.answers,
        )
        self.section.refresh_from_db()
        return {
            "revision": self.section.revision,
            "added": [entry.pk for entry in outcome.added],
            "changed": [entry.pk for entry in outcome.changed],
            "waiting": waiting,
            "refused": [
                {"row": row.number, "codes": [reason.code for reason in row.reasons]} for row in found.refused
            ],
        }


class OfReport(OfSection):
    @property
    def to_fill(self) -> Any:
        """Return the section that the file fills, None for a new one."""
        return self.subject.section

    def facts(self) -> dict[str, Any]:
        """Return what the file brings. Raises Problem("file_refused") with what is wrong in which line."""
        found = file_preview(
            self.file,
            self.event,
            rounds=self.asked["rounds"] or getattr(self.to_fill, "rounds", None),
            section=self.to_fill,
            unrated=self.asked["unrated"],
            system=self.asked["system"],
        )
        if found.problems:
            errors = [{"pointer": "", "code": "line", "detail": each} for each in found.problems]
            detail = _("The file cannot be read as a report file (TRF). Nothing was done.")
            raise Problem(422, "file_refused", detail, errors=errors)
        return found.facts

    def previewed(self) -> Any:
        facts = self.facts()
        return ReportFactsShape(
            {
                **facts,
                "departures": [
                    {"round": number, "sentences": list(sentences)}
                    for number, sentences, _more in facts["departures"]
                ],
                "to_confirm": bool(facts["seen"]),
                "conflicts": [one.name for one in id_conflicts(self.event, facts["people"])],
            }
        ).data

    def taken(self, facts: dict[str, Any], **where: Any) -> Any:
        """Take the file."""
        if facts["seen"]:
            ask(REPORT_TO_CONFIRM.error(seen=facts["seen"]), self.answers)
        section = import_report(
            actor=self.actor,
            report=read_report(self.file),
            provisional_rating=self.asked["unrated"],
            rounds=self.asked["rounds"],
            system=self.asked["system"],
            source=self.asked["file_name"],
            both=self.answers,
            **where,
        )
        section.refresh_from_db()
        return section


class ReportPreviewView(OfReport):
    @reads(
        "See what a report file (TRF) would bring",
        Scope.ENTRIES_READ,
        ENTRIES,
        ReportFactsShape,
        raw=True,
        query=ReportUploadQuery,
    )
    def post(self) -> Any:
        return self.previewed()


class NewReportPreviewView(OfReport):
    @reads(
        "See what a new section would have from a report file (TRF)",
        Scope.ENTRIES_READ,
        MANAGE,
        ReportFactsShape,
        raw=True,
        query=ReportUploadQuery,
    )
    def post(self) -> Any:
        return self.previewed()


class ReportImportView(OfReport):
    @writes(
        "Fill a section without entries from a report file (TRF)",
        Scope.ENTRIES_WRITE,
        ENTRIES,
        raw=True,
        query=TakeReportQuery,
        answer=SectionShape,
    )
    def post(self) -> Any:
        return self.taken(self.facts(), section_id=self.section.pk)


class NewSectionReportView(OfReport):
    @writes(
        "Make a section from a report file (TRF)",
        Scope.SETTINGS_WRITE,
        MANAGE,
        raw=True,
        query=NewSectionQuery,
        answer=SectionShape,
        made="section",
    )
    def post(self) -> Any:
        facts = self.facts()
        name = self.asked["name"] or facts["report_name"].strip()[:80]
        if not name:
            detail = _("The file has no name of the tournament. Give the section a name.")
            raise invalid([{"parameter": "name", "code": "required", "detail": detail}])
        return self.taken(facts, event=self.event, name=name)
