"""Registrations from a file: first what the file says, by section, then the registrations, as from the form."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from entering.actions.registering import Registered, Wanted, register_many
from entering.models import EventRegistration
from entering.queries.file_rows import FileList, FileRow, file_rows
from entering.queries.places import Places, places_of
from entering.web.staff.access import by_of, desk_page
from tournaments.imports.columns import Column
from tournaments.imports.entries_csv import MAX_BYTES
from tournaments.imports.reasons import FileRefused
from tournaments.reader import READER
from tournaments.text import folded
from tournaments.web import uploads
from tournaments.web.requests import PersonRequest
from tournaments.web.words.refusals import explain

READ_AS: dict[str, Any] = {
    **dict.fromkeys((Column.NAME, Column.LAST, Column.GIVEN), gettext_lazy("Name")),
    Column.SEX: gettext_lazy("Sex"),
    Column.TITLE: gettext_lazy("Title"),
    Column.FEDERATION: gettext_lazy("Federation"),
    Column.FIDE_ID: gettext_lazy("FIDE ID"),
    **dict.fromkeys((Column.RATING, Column.FIDE_RATING, Column.NATIONAL_RATING), gettext_lazy("Rating")),
    Column.BIRTH_DATE: gettext_lazy("Birth date"),
    Column.CLUB: gettext_lazy("Club"),
    Column.BYES: gettext_lazy("Half-point byes"),
    "email": gettext_lazy("E-mail address"),
    "section": gettext_lazy("Section"),
}
"""What the columns of a file are read as."""


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

    def __init__(self, *args: object, places: dict[int, Places]) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        sections: forms.TypedChoiceField = self.fields["section"]  # type: ignore[assignment]
        sections.choices = [(key, each.section.name) for key, each in places.items()]


class UploadForm(KeptForm):
    file = forms.FileField(
        label=gettext_lazy("List of registrations"),
        help_text=gettext_lazy("CSV or .xlsx, with a heading above each column."),
    )


@dataclass(slots=True)
class Plan:
    """What a file would bring. rows: with the key of the section of each. refused: number, name, reason."""

    file: FileList
    rows: list[tuple[int, FileRow]] = field(default_factory=list)
    refused: list[tuple[int, str, str]] = field(default_factory=list)

    def by_section(self, places: dict[int, Places]) -> list[tuple[Places, int, int]]:
        """Return the places of each section of the file, with the number of its rows, and of those that will wait."""
        counts = Counter(section for section, _row in self.rows)
        return [
            (each, counts[key], each.would_wait(counts[key])) for key, each in places.items() if counts[key]
        ]


@desk_page("GET", "HEAD", "POST")
def upload(request: PersonRequest, form: EventRegistration) -> HttpResponse:
    """Show what a file would bring. The second press takes the registrations, and says why others were not taken."""
    places, place = places_of(form.event), f"registrations {form.event_id}"
    kept = uploads.kept(request, place) if "upload" in request.POST else None
    plan, outcome, name = None, None, ""
    typed: KeptForm = UploadForm(places=places)
    if request.method == "POST" and kept is not None and kept.token == request.POST["upload"]:
        typed = KeptForm(request.POST, places=places)
        if typed.is_valid():
            plan = plan_of(file_rows(kept.data, kept.name), typed.cleaned_data["section"], places)
            outcome = _taken(request, form, typed, plan)
            uploads.forget(request)
        typed, plan = UploadForm(places=places), plan if outcome else None
    elif request.method == "POST":
        typed = UploadForm(request.POST, request.FILES, places=places)
        if "upload" in request.POST:
            typed.add_error(
                None, _("The file is no longer kept here. Nothing was imported; choose it again.")
            )
        elif typed.is_valid():
            file = typed.cleaned_data["file"]
            name = file.name or ""
            try:
                if file.size > MAX_BYTES:
                    raise FileRefused("too_large", limit=MAX_BYTES // 1024)
                data = file.read()
                plan = plan_of(file_rows(data, name), typed.cleaned_data["section"], places)
            except FileRefused as error:
                typed.add_error("file", str(error))
            else:
                uploads.keep(request, place, name, data)
    context = {
        "event": form.event,
        "form": typed,
        "plan": plan if outcome is None else None,
        "understood": [(heading, READ_AS[name]) for name, heading in plan.file.understood] if plan else [],
        "unread": READER.listed(plan.file.unread, "comma") if plan else "",
        "sections": plan.by_section(places) if plan else [],
        "token": request.session.get(uploads.KEY, {}).get("token", ""),
        "name": name,
        "outcome": outcome,
        "became": dict(Counter(one.state for one in outcome.made)) if outcome else {},
        "to_write": outcome is not None and any(one.email for one in outcome.made),
        "refused": sorted(plan.refused) if plan else [],
    }
    return render(request, "entering/staff/upload.html", context, status=422 if typed.errors else 200)


def plan_of(file: FileList, section: int, places: dict[int, Places]) -> Plan:
    """Return to which section each row goes. section: of rows that name none."""
    keys = {folded(each.section.name): key for key, each in places.items()}
    plan = Plan(file)
    for row in file.rows:
        key = keys.get(folded(row.section)) if row.section.strip() else section
        if row.problem:
            plan.refused.append((row.number, row.name, row.problem))
        elif key is None:
            plan.refused.append((row.number, row.name, _unknown(row.section, places)))
        else:
            plan.rows.append((key, row))
    return plan


def _unknown(section: str, places: dict[int, Places]) -> str:
    names = READER.listed([each.section.name for each in places.values()])
    return _("No section that takes registrations is called “%(section)s”. There are: %(names)s.") % {
        "section": section[:80],
        "names": names,
    }


def _taken(request: PersonRequest, form: EventRegistration, typed: KeptForm, plan: Plan) -> Registered:
    consent, key = typed.cleaned_data["consent"], typed.cleaned_data["form_key"] or uuid4()
    wanted = [Wanted(section, {**row.values, "consent": consent}, row.byes) for section, row in plan.rows]
    outcome = register_many(event=form.event, wanted=wanted, by=by_of(request), form_key=key)
    plan.refused += [
        (plan.rows[number - 1][1].number, name, explain(error)) for number, name, error in outcome.refused
    ]
    return outcome
