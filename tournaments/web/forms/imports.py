"""Forms of the import of a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournaments.imports.decoding import OLE, ONE_BYTE, ZIP
from tournaments.imports.entries_csv import MAX_BYTES
from tournaments.models.section import MAX_ROUNDS

REPORTS = ".trf,.trfx,.fid"
TEXTS = ".txt,text/csv,text/plain"
MOST_BYTES = 5_000_000
REPORT_LINE = re.compile(rb"(?:^|[\r\n])(?:\xef\xbb\xbf)?(?:012|001|022|XXR) ")


def is_report(data: bytes) -> bool:
    """Whether the first lines are those of a report file (TRF). The name of the file does not matter."""
    return not data.startswith((ZIP, OLE)) and REPORT_LINE.search(data[:4_096]) is not None


class ReportForm(forms.Form):
    """A report file that becomes a new section."""

    file = forms.FileField(
        label=_("File"),
        allow_empty_file=True,
        help_text=_("A report file (TRF) of this or another program."),
        widget=forms.FileInput(attrs={"accept": f"{REPORTS},{TEXTS}"}),
    )

    def clean_file(self) -> UploadedFile[Any] | None:
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file and (file.size is None or file.size > MOST_BYTES):
            raise ValidationError(
                _("The file is larger than %(limit)s MB."), code="size", params={"limit": MOST_BYTES // 10**6}
            )
        return file


class UploadForm(ReportForm):
    """A list or a report file for a section; or rows that were copied in a spreadsheet."""

    text = forms.CharField(
        label=_("Or paste rows"),
        max_length=MAX_BYTES,
        required=False,
        strip=False,  # the first cell may be empty
        help_text=_("Copy the cells in the spreadsheet, with the row that names the columns."),
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off", "wrap": "off"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        file = self.fields["file"]
        file.required = False
        file.help_text = _("A list as .xlsx or CSV, or a report file (TRF).")
        file.widget.attrs["accept"] = f".xlsx,.csv,.tsv,{REPORTS},{TEXTS}"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        file, text = cleaned.get("file"), cleaned.get("text", "").strip()
        if file and text:
            self.add_error("text", ValidationError(_("Send the file or the rows, not both."), code="both"))
        elif not file and not text and not self.errors:
            self.add_error("file", ValidationError(_("Choose a file, or paste rows."), code="required"))
        return cleaned


class OptionsForm(forms.Form):
    """How to read the file."""

    unrated = forms.IntegerField(
        label=_("Provisional rating"),
        min_value=1,
        max_value=3999,
        required=False,
        help_text=_("For players without a rating."),
        widget=forms.NumberInput(attrs={"class": "short"}),
    )
    encoding = forms.ChoiceField(
        label=_("Character set"),
        required=False,
        choices=[("", _("automatic")), *ONE_BYTE.items()],
    )
    dates = forms.ChoiceField(
        label=_("Birth dates such as 05/06/1990"),
        required=False,
        choices=[("", _("automatic")), ("day", _("day first: 5 June")), ("month", _("month first: May 6"))],
    )
    sheet = forms.CharField(label=_("Sheet"), max_length=100, required=False, widget=forms.Select)

    @property
    def day_first(self) -> bool | None:
        """What the arbiter chose; None for automatic."""
        return {"day": True, "month": False}.get(self.cleaned_data.get("dates", ""))

    @property
    def source(self) -> tuple[str, str]:
        """The character set and the sheet, "" for automatic."""
        self.is_valid()
        return self.cleaned_data.get("encoding", ""), self.cleaned_data.get("sheet", "")

    @property
    def reading(self) -> dict[str, Any]:
        """What was chosen, except the sheet: to compare two ways of reading. Wrong values are left out."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if name != "sheet"}

    def belong_to(self, form: str) -> None:
        """Send the fields with the form that has this id."""
        for field in self.fields.values():
            field.widget.attrs["form"] = form

    def offer_sheets(self, names: Sequence[str]) -> None:
        """Let the arbiter choose one of these sheets."""
        widget = self.fields["sheet"].widget
        widget.choices = [(name, name) for name in names]

    @property
    def chosen(self) -> list[tuple[str, str]]:
        """Every option as it was sent, for addresses that send it again."""
        return [(name, self[name].value() or "") for name in self.fields]


class SectionNameForm(forms.Form):
    """What a report file does not say about its section."""

    name = forms.CharField(label=_("Name of the section"), max_length=80)
    rounds = forms.IntegerField(
        label=_("Rounds"),
        min_value=1,
        max_value=MAX_ROUNDS,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=_("The file does not say how many."),
    )

    def require_rounds(self) -> None:
        """Make the rounds required, also if the form was read already."""
        field = self.fields["rounds"]
        field.required = True
        if self.is_bound and "rounds" not in self.errors and not self.cleaned_data["rounds"]:
            self.add_error("rounds", ValidationError(field.error_messages["required"], code="required"))
