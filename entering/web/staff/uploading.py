"""Registrations from a file: each row is checked, and is "to check" or on the waiting list, as from the form."""

from __future__ import annotations

from collections import Counter
from uuid import uuid4

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from entering.actions.registering import Registered, Wanted, register_many
from entering.models import EventRegistration, SectionRegistration
from entering.queries.file_rows import FileRow, file_rows
from entering.web.staff.access import by_of, desk_page
from tournaments.imports.entries_csv import MAX_BYTES
from tournaments.imports.reasons import FileRefused
from tournaments.web.requests import PersonRequest
from tournaments.web.words.refusals import explain


class UploadForm(forms.Form):
    section = forms.TypedChoiceField(label=_("Section"), coerce=int)
    file = forms.FileField(
        label=_("List of registrations"), help_text=_("CSV or .xlsx, with a heading above each column.")
    )
    form_key = forms.UUIDField(widget=forms.HiddenInput, required=False, initial=uuid4)
    consent = forms.BooleanField(
        label=_("The players agree that their names stand in public lists"), required=False
    )

    def __init__(self, *args: object, form: EventRegistration) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        limits = SectionRegistration.objects.filter(section__event=form.event).select_related("section")
        sections: forms.TypedChoiceField = self.fields["section"]  # type: ignore[assignment]
        sections.choices = [(each.section_id, each.section.name) for each in limits.order_by("section_id")]


@desk_page("GET", "HEAD", "POST")
def upload(request: PersonRequest, form: EventRegistration) -> HttpResponse:
    """Take a file, and say how many rows were taken and why others were not."""
    typed = UploadForm(*((request.POST, request.FILES) if request.method == "POST" else ()), form=form)
    refused: list[tuple[int, str, str]] = []
    outcome = None
    if request.method == "POST" and typed.is_valid():
        file = typed.cleaned_data["file"]
        try:
            if file.size > MAX_BYTES:
                raise FileRefused("too_large", limit=MAX_BYTES // 1024)
            rows = file_rows(file.read(), file.name or "")
        except FileRefused as error:
            typed.add_error("file", str(error))
        else:
            refused = [(row.number, row.name, row.problem) for row in rows if row.problem]
            outcome = _taken(request, form, typed, [row for row in rows if not row.problem])
            refused += [(number, name, explain(error)) for number, name, error in outcome.refused]
    context = {
        "event": form.event,
        "form": typed,
        "outcome": outcome,
        "became": dict(Counter(one.state for one in outcome.made)) if outcome else {},
        "to_write": outcome is not None and any(one.email for one in outcome.made),
        "refused": sorted(refused),
    }
    return render(request, "entering/staff/upload.html", context, status=422 if typed.errors else 200)


def _taken(
    request: PersonRequest, form: EventRegistration, typed: UploadForm, rows: list[FileRow]
) -> Registered:
    section, consent = typed.cleaned_data["section"], typed.cleaned_data["consent"]
    key = typed.cleaned_data["form_key"] or uuid4()
    wanted = [Wanted(section, {**row.values, "consent": consent}, row.byes) for row in rows]
    outcome = register_many(event=form.event, wanted=wanted, by=by_of(request), form_key=key)
    outcome.refused = [(rows[number - 1].number, name, error) for number, name, error in outcome.refused]
    return outcome
