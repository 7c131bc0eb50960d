"""Lists of registrations (CSV, workbooks): what a file would bring, and taking it.

A request is one transaction, so it takes at most `MOST` rows: other people wait for it.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.v1.entry_lists import DAY_FIRST, LayoutQuery, TableShape, columns_field, read_as, table_asked
from api.v1.operations import reads, writes
from api.v1.problems import invalid
from api.v1.shapes import Shape
from registrations.actions.new_registrations import NewRegistration, register_many
from registrations.queries.list_files import FilePlan, file_rows, plan_of
from registrations.queries.places import SectionPlaces, places_of
from tournaments.files.columns import OF_REGISTRATIONS
from tournaments.files.entry_lists import ListTable
from web.words.refusals import explain

from .registrations import DECIDE, READ, WRITE, OfRegistration
from .shapes import KEY, MOST


class RegistrationRowsQuery(LayoutQuery):
    """How the file is read, as for `LayoutQuery`. section: of rows that name no section in a column of the file."""

    columns = columns_field(OF_REGISTRATIONS)
    section = serializers.IntegerField(**KEY)


class TakeRegistrationRowsQuery(RegistrationRowsQuery):
    """consent: the players agree that their names appear in public lists."""

    consent = serializers.BooleanField(required=False, default=False)


class PlannedRow(Shape):
    """row: the line in the file. written: the name as the file has it, if it is taken in another order."""

    row = serializers.IntegerField()
    section = serializers.IntegerField()
    name = serializers.CharField()
    written = serializers.CharField(allow_blank=True)


class SectionRows(Shape):
    """rows: of the file for this section. waiting: how many of them find no free place."""

    section = serializers.IntegerField()
    rows = serializers.IntegerField()
    waiting = serializers.IntegerField()


class RefusedListRow(Shape):
    """A row that is not taken, and why."""

    row = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    detail = serializers.CharField()


class RegistrationRowsShape(TableShape):
    """What the file would bring. A name without a comma is taken in its most usual order: to take it in another one,
    write it with a comma.
    """

    rows = PlannedRow(many=True)
    sections = SectionRows(many=True)
    refused = RefusedListRow(many=True)


class MadeRegistration(Shape):
    registration = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    state = serializers.CharField()


class TakenRegistrationsShape(Shape):
    """made: new registrations. known: how many people of the file were registered already."""

    made = MadeRegistration(many=True)
    known = serializers.IntegerField()
    refused = RefusedListRow(many=True)


class OfRegistrationRows(OfRegistration):
    def plan(self) -> tuple[ListTable, FilePlan, dict[int, SectionPlaces]]:
        """Read the file and say what it would bring. Raises Problem: file_refused; invalid for the section and for too
        many rows.
        """
        table = table_asked(self.file, self.asked, OF_REGISTRATIONS)
        if len(table.rows) > MOST:
            detail = _("The file has more than %(limit)s rows. Send it in several parts.") % {"limit": MOST}
            raise invalid([{"pointer": "", "code": "too_many_rows", "detail": detail}])
        places = places_of(self.event)
        if self.asked["section"] not in places:
            detail = _("This section takes no registrations.")
            raise invalid([{"parameter": "section", "code": "unknown", "detail": detail}])
        plan = plan_of(file_rows(table, DAY_FIRST.get(self.asked["dates"])), self.asked["section"], places)
        orders = {order.number: order.chosen for order in plan.orders(places, {})}
        plan.rows = [(key, row.ordered(orders.get(row.number, ""))) for key, row in plan.rows]
        return table, plan, places


class PreviewRegistrationsView(OfRegistrationRows):
    @reads(
        "See what a list of registrations (CSV or a workbook) would bring",
        READ,
        DECIDE,
        RegistrationRowsShape,
        raw=True,
        query=RegistrationRowsQuery,
    )
    def post(self) -> Any:
        table, plan, places = self.plan()
        written = {row.number: row.name for row in plan.file.rows}
        return {
            **read_as(table),
            "rows": [
                {
                    "row": row.number,
                    "section": key,
                    "name": row.name,
                    "written": written[row.number] if written[row.number] != row.name else "",
                }
                for key, row in plan.rows
            ],
            "sections": [
                {"section": each.section.pk, "rows": rows, "waiting": waiting}
                for each, rows, waiting in plan.by_section(places)
            ],
            "refused": _left(plan),
        }


class ImportRegistrationsView(OfRegistrationRows):
    @writes(
        "Take a list of registrations (CSV or a workbook), without the rows that are refused",
        WRITE,
        DECIDE,
        raw=True,
        query=TakeRegistrationRowsQuery,
        answer=TakenRegistrationsShape,
    )
    def post(self) -> Any:
        _table, plan, _places = self.plan()
        more = {"consent": self.asked["consent"]}
        wanted = [NewRegistration(section, {**row.values, **more}, row.byes) for section, row in plan.rows]
        outcome = register_many(event=self.event, wanted=wanted, by=self.by, form_key=uuid4())
        plan.refused += [
            (plan.rows[number - 1][1].number, name, explain(error)) for number, name, error in outcome.refused
        ]
        return {
            "made": MadeRegistration(outcome.made, many=True).data,
            "known": outcome.known,
            "refused": _left(plan),
        }


def _left(plan: FilePlan) -> list[dict[str, Any]]:
    return [{"row": number, "name": name, "detail": reason} for number, name, reason in sorted(plan.refused)]
