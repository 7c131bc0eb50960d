"""Registrations from a file, and the queue as a file for spreadsheets.

First what the file says, by section, then the registrations, as from the form.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode
from uuid import uuid4

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from registrations.actions.new_registrations import NewRegistration, Registered, register_many
from registrations.models import EventRegistration
from registrations.queries.list_files import FileList, FilePlan, file_rows, plan_of
from registrations.queries.places import SectionPlaces, places_of
from registrations.queries.queue import HERE, QueueFilter, found_by
from registrations.web.forms.money import amount
from registrations.web.staff.access import by_of, registrations_page
from tournaments.actions.entry_lists import forget_layout, layout_of, remember_layout
from tournaments.files.columns import OF_REGISTRATIONS, ListColumn
from tournaments.files.entry_lists import ListLayout
from tournaments.files.list_refusals import FileRefused
from tournaments.player_fields import REGISTERED
from web import files
from web.files import table_response
from web.forms.entry_lists import EntryColumnsForm, LayoutForm, RowsForm
from web.requests import PersonRequest
from web.views.staff.entry_lists import columns_chosen, columns_form, table_in
from web.words.entry_lists import unread_columns
from web.words.refusals import explain

# Registrations from a file: first what the file says, by section, then the registrations, as from the form.

NAME = "name-"
"""In front of the number of a row: the field with the order of its name."""


class KeptForm(forms.Form):
    """What holds for the whole file."""

    section = forms.TypedChoiceField(
        label=gettext_lazy("Section"),
        coerce=int,
        help_text=gettext_lazy("For all rows. If the file has a column Section, that column counts."),
    )
    form_key = forms.UUIDField(widget=forms.HiddenInput, required=False, initial=uuid4)
    consent = forms.BooleanField(
        label=gettext_lazy("The players agree that their names appear in public lists"), required=False
    )

    def __init__(self, *args: object, places: dict[int, SectionPlaces]) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        sections: forms.TypedChoiceField = self.fields["section"]  # type: ignore[assignment]
        sections.choices = [(key, each.section.name) for key, each in places.items()]


class RegistrationsForm(KeptForm, RowsForm):
    """A list of registrations."""


@registrations_page("GET", "HEAD", "POST", archived=True)
def upload(request: PersonRequest, form: EventRegistration) -> HttpResponse:
    """Show what a file would bring, and what its columns are. The last press takes the registrations, and says why
    others were not taken.
    """
    places, place = places_of(form.event), f"registrations {form.event_id}"
    if request.method != "POST":
        return _page(request, form, RegistrationsForm(places=places))
    if "upload" not in request.POST:
        return _look_at(request, form, places, place)
    kept = files.kept_upload(request, place)
    if kept is None or kept.token != request.POST["upload"]:
        again = RegistrationsForm(request.POST, places=places)
        again.add_error(None, _("The file is no longer kept here. Nothing was imported; choose it again."))
        return _page(request, form, again)
    typed = KeptForm(request.POST, places=places)
    if not typed.is_valid():
        return _page(request, form, RegistrationsForm(places=places))
    try:
        reading = UploadedList.sent(request, kept)
    except FileRefused as error:
        again = RegistrationsForm(request.POST, places=places)
        again.add_error(None, str(error))
        return _page(request, form, again)
    plan = plan_of(reading.file, typed.cleaned_data["section"], places)
    if reading.to_show or reading.file.table.problem is not None:
        return _page(request, form, typed, plan, reading, kept)
    chosen = _chosen(request)
    plan.rows = [(key, row.ordered(chosen.get(row.number, ""))) for key, row in plan.rows]
    outcome = _taken(request, form, typed, plan)
    if reading.options.kept:
        remember_layout(request.user, reading.shape, reading.options.kept)
    files.forget_upload(request)
    return _page(request, form, RegistrationsForm(places=places), plan, outcome=outcome)


@dataclass(slots=True)
class UploadedList:
    """How a file is read, and what was read. columns: the form that says what they are. shape: as in `ListTable`.

    to_show: whether the page must be shown with it before anything is taken. remembered: whether the person chose this
    for an earlier file.
    """

    file: FileList
    options: LayoutForm
    columns: EntryColumnsForm
    shape: str
    to_show: bool = True
    remembered: bool = False

    @classmethod
    def first(cls, request: PersonRequest, file: files.Upload) -> UploadedList:
        """Read a file as the person chose for an earlier one of its shape, or automatically. Raises FileRefused."""
        found = _rows(file, LayoutForm({}))
        shape = found.table.shape
        known = LayoutForm(layout_of(request.user, shape))
        if not known.kept:
            return cls._of(found, known, shape)
        try:
            return cls._of(_rows(file, known), known, shape, remembered=True)
        except FileRefused:  # such as another character set this time
            return cls._of(found, LayoutForm({}), shape)

    @classmethod
    def sent(cls, request: PersonRequest, kept: files.Upload) -> UploadedList:
        """Read a file as the page says that was sent. Raises FileRefused."""
        before = LayoutForm(dict(parse_qsl(request.POST.get("read", ""))))
        shown = _rows(kept, before)
        shape = table_in(kept, ListLayout(sheet=before.layout.sheet), OF_REGISTRATIONS).shape
        if "forget" in request.POST:
            forget_layout(request.user, shape)
            return cls._of(_rows(kept, LayoutForm({})), LayoutForm({}), shape)
        typed = {**before.data, **request.POST.dict()}
        columns = columns_form(request, shown.table, OF_REGISTRATIONS)
        options = LayoutForm({**typed, **columns_chosen(columns, LayoutForm(typed), before)})
        differs = options.chosen != before.chosen
        found = _rows(kept, options) if differs else shown
        reading = cls._of(
            found, options, shape, remembered=options.kept == layout_of(request.user, shape) != {}
        )
        reading.to_show = differs or "again" in request.POST or bool(columns.errors or options.errors)
        if columns.errors:
            reading.columns = columns
        return reading

    @classmethod
    def _of(
        cls, found: FileList, options: LayoutForm, shape: str, *, remembered: bool = False
    ) -> UploadedList:
        options.offer(found.table)
        options.belong_to("take")
        columns = columns_form(None, found.table, OF_REGISTRATIONS)
        return cls(found, options, columns, shape, remembered=remembered)


def _rows(file: files.Upload, options: LayoutForm) -> FileList:
    return file_rows(table_in(file, options.layout, OF_REGISTRATIONS), options.day_first)


def _look_at(
    request: PersonRequest, form: EventRegistration, places: dict[int, SectionPlaces], place: str
) -> HttpResponse:
    """Keep the file that was sent, and show what it would bring."""
    typed = RegistrationsForm(request.POST, request.FILES, places=places)
    if not typed.is_valid():
        return _page(request, form, typed)
    typed.keep(request, place)
    kept = files.kept_upload(request, place)
    assert kept is not None
    try:
        reading = UploadedList.first(request, kept)
    except FileRefused as error:
        files.forget_upload(request)
        typed.add_error("text" if kept.pasted else "file", str(error))
        return _page(request, form, typed)
    plan = plan_of(reading.file, typed.cleaned_data["section"], places)
    return _page(request, form, typed, plan, reading, kept)


def _page(
    request: PersonRequest,
    form: EventRegistration,
    typed: KeptForm,
    plan: FilePlan | None = None,
    reading: UploadedList | None = None,
    kept: files.Upload | None = None,
    outcome: Registered | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "event": form.event,
        "form": typed,
        "plan": plan if outcome is None else None,
        "orders": [],
        "sections": [],
        "token": kept.token if kept else "",
        "file": kept,
        "outcome": outcome,
        "became": dict(Counter(one.state for one in outcome.made)) if outcome else {},
        "to_write": outcome is not None and any(one.email for one in outcome.made),
        "refused": sorted(plan.refused) if plan else [],
    }
    if plan is not None and outcome is None:
        places = places_of(form.event)
        orders = plan.orders(places, _chosen(request))
        context["orders"] = [(f"{NAME}{order.number}", order) for order in orders]
        context["sections"] = plan.by_section(places)
    wrong = bool(typed.errors)
    if reading is not None:
        wrong = wrong or bool(reading.columns.errors or reading.options.errors)
        context |= {
            "table": reading.file.table,
            "columns": reading.columns,
            "options": reading.options,
            "remembered": reading.remembered,
            "read": urlencode([(name, value) for name, value in reading.options.chosen if value]),
            "unread": unread_columns(reading.file.table),
            "has_dates": ListColumn.BIRTH_DATE in reading.file.table.header,
        }
    template = (
        "registrations/staff/list_files_check.html"
        if context["plan"]
        else "registrations/staff/list_files.html"
    )
    return render(request, template, context, status=422 if wrong else 200)


def _chosen(request: PersonRequest) -> dict[int, str]:
    """Return the orders of names that were chosen on the page, by the row."""
    sent = ((name.removeprefix(NAME), text) for name, text in request.POST.items() if name.startswith(NAME))
    return {int(row): str(text) for row, text in sent if row.isdecimal() and len(row) < 7}


def _taken(request: PersonRequest, form: EventRegistration, typed: KeptForm, plan: FilePlan) -> Registered:
    consent, key = typed.cleaned_data["consent"], typed.cleaned_data["form_key"] or uuid4()
    wanted = [
        NewRegistration(section, {**row.values, "consent": consent}, row.byes) for section, row in plan.rows
    ]
    outcome = register_many(event=form.event, wanted=wanted, by=by_of(request), form_key=key)
    plan.refused += [
        (plan.rows[number - 1][1].number, name, explain(error)) for number, name, error in outcome.refused
    ]
    return outcome


# The queue as a file for spreadsheets, with the filter of the page.

HEAD = (
    "Name", "Sex", "Title", "Federation", "FIDE ID", "Rating", "Rating list", "Birth date",
    *(field.english_head for field in REGISTERED), "Section", "State", "E-mail",
    "Telephone", "Guardian", "Guardian's e-mail", "Half-point bye in round", "Owed", "Present",
    "Labels", "Message", "Notes", "Registered", "Paid",
)  # fmt: skip


def day_text(at: datetime | None) -> str:
    """Return the day in the zone of the event, as spreadsheets sort it."""
    return timezone.localdate(at).isoformat() if at else ""


@registrations_page("GET", "HEAD")
def registrations_file(request: PersonRequest, form: EventRegistration, kind: str = "csv") -> HttpResponse:
    """Return everything that organisers know about the registrations that the filter finds."""
    rows = found_by(form.event, QueueFilter.read(request.GET)).select_related("section").annotate(here=HERE)
    table = (
        (
            *(
                one.name,
                one.sex,
                one.title,
                one.federation,
                one.fide_id,
                one.rating,
                one.rating_list,
                one.birth_date,
            ),
            *(getattr(one, field.name) for field in REGISTERED),
            *(one.section.name, one.state, one.email, one.phone, one.guardian, one.guardian_email),
            ", ".join(str(bye.round_number) for bye in one.byes.all() if bye.state != bye.State.REFUSED),
            amount(one.balance),
            "yes" if one.here else "",
            ", ".join(label.name for label in one.labels.all()),
            one.message,
            "; ".join(note.text for note in one.notes.all()),
            *(day_text(one.created_at), day_text(one.paid_at)),
        )
        for one in rows.prefetch_related("byes", "labels", "notes")
    )
    return table_response(lambda write: write(HEAD, table), f"{form.event.slug}-registrations", kind)
