"""Forms of the import of a file."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from evenboard_engine import SYSTEMS
from evenboard_engine.words.registry import words_of
from tournaments.files.columns import MEANINGS, ListColumn
from tournaments.files.entry_lists import (
    MAX_BYTES,
    MAX_LINES,
    ListLayout,
    ListTable,
    columns_spelled,
    spelled_columns,
)
from tournaments.files.spreadsheets import ENCODINGS, OLE, ZIP
from tournaments.models.sections import MAX_ROUNDS
from web import files

REPORTS = ".trf,.trfx,.fid"
LISTS = ".xlsx,.xlsm,.xls,.xlsb,.ods,.csv,.tsv"
TEXTS = ".txt,text/csv,text/plain"
MOST_BYTES = 5_000_000
DELIMITER_NAMES = [
    (";", _("semicolon")),
    (",", _("comma")),
    ("\t", _("tab")),
    ("|", _("vertical bar")),
    (":", _("colon")),
]
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


class RowsForm(ReportForm):
    """A list of players as a file, or rows that were copied in a spreadsheet."""

    accept, kinds = LISTS, _("A list as a workbook (.xlsx, .xls, .ods) or CSV.")
    text = forms.CharField(
        label=_("Or paste rows"),
        max_length=MAX_BYTES,
        required=False,
        strip=False,  # the first cell may be empty
        help_text=_("Copy the cells in the spreadsheet. A row that names the columns helps."),
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off", "wrap": "off"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        file = self.fields["file"]
        file.required = False
        file.help_text = self.kinds
        file.widget.attrs["accept"] = f"{self.accept},{TEXTS}"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        file, text = cleaned.get("file"), cleaned.get("text", "").strip()
        if file and text:
            self.add_error("text", ValidationError(_("Send the file or the rows, not both."), code="both"))
        elif not file and not text and not self.errors:
            self.add_error("file", ValidationError(_("Choose a file, or paste rows."), code="required"))
        return cleaned

    def keep(self, request: HttpRequest, place: str) -> None:
        """Keep what was sent, as `uploads.keep` does."""
        if file := self.cleaned_data["file"]:
            files.keep_upload(request, place, file.name or "", file.read())
        else:
            files.keep_upload(
                request, place, gettext("Pasted rows"), self.cleaned_data["text"].encode(), pasted=True
            )


class UploadForm(RowsForm):
    """A list or a report file for a section."""

    accept = f"{LISTS},{REPORTS}"
    kinds = _("A list as a workbook (.xlsx, .xls, .ods) or CSV, or a report file (TRF).")


class ColumnsForm(forms.Form):
    """What each column of a file is. meanings: what it can be. chosen: by the place of the column, "" if not used."""

    def __init__(
        self, *args: Any, meanings: Sequence[tuple[str, Any]], chosen: Mapping[int, str], **options: Any
    ) -> None:
        initial = {f"column-{place}": meaning for place, meaning in chosen.items()}
        super().__init__(*args, **{**options, "initial": {**initial, **options.get("initial", {})}})
        self.places, self.names = list(chosen), dict(meanings)
        choices = [("", pgettext_lazy("column of a file", "not used")), *meanings]
        for place in chosen:
            label = _("Meaning of column %(number)s") % {"number": place + 1}
            self.fields[f"column-{place}"] = forms.ChoiceField(
                choices=choices, required=False, label=label, widget=forms.Select(attrs={"aria-label": label})
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        chosen = [cleaned.get(f"column-{place}", "") for place in self.places]
        if twice := {name for name in chosen if name and chosen.count(name) > 1}:
            raise ValidationError(
                _("Two columns have the same meaning: %(meaning)s."),
                params={"meaning": self.names[min(twice)]},
            )
        return cleaned

    @property
    def columns(self) -> list[forms.BoundField]:
        """Return the fields that say what each column is."""
        return [self[f"column-{place}"] for place in self.places]


class EntryColumnsForm(ColumnsForm):
    """What each column of a list of players is. offered: what they can be."""

    def __init__(self, *args: Any, table: ListTable, offered: Collection[ListColumn]) -> None:
        meanings = [(column.name, MEANINGS[column]) for column in ListColumn if column in offered]
        chosen = {each.place: each.meaning.name if each.meaning else "" for each in table.columns}
        super().__init__(*args, meanings=meanings, chosen=chosen)
        self.table = table
        for field in self.fields.values():
            field.widget.attrs["form"] = "take"

    @property
    def chosen(self) -> str:
        """Return what was chosen, as `LayoutForm` has it."""
        found = {place: self.cleaned_data[f"column-{place}"] for place in self.places}
        return spelled_columns(
            [ListColumn[found[at]] if found.get(at) else None for at in range(max(self.places) + 1)]
        )

    @property
    def is_changed(self) -> bool:
        return self.chosen != spelled_columns(self.table.meanings)

    @property
    def rows(self) -> list[tuple[forms.BoundField, str, tuple[str, ...]]]:
        """Return each column: the field that says what it is, its heading, and its first cells."""
        return [
            (field, column.heading, column.cells)
            for field, column in zip(self.columns, self.table.columns, strict=True)
        ]


class LayoutForm(forms.Form):
    """How a list of players is read: the options of `ListLayout`."""

    dates = forms.ChoiceField(
        label=_("Birth dates such as 05/06/1990"),
        required=False,
        choices=[("", _("automatic")), ("day", _("day first: 5 June")), ("month", _("month first: May 6"))],
    )
    sheet = forms.CharField(label=_("Sheet"), max_length=100, required=False, widget=forms.Select)
    encoding = forms.ChoiceField(
        label=_("Character set"),
        required=False,
        choices=[("", _("automatic")), *ENCODINGS.items()],
    )
    delimiter = forms.ChoiceField(
        label=_("Between the columns"), required=False, choices=[("", _("automatic")), *DELIMITER_NAMES]
    )
    heading = forms.IntegerField(
        label=_("Row with the names of the columns"),
        min_value=0,
        max_value=MAX_LINES,
        required=False,
        widget=forms.Select,
    )
    columns = forms.CharField(max_length=1_500, required=False, widget=forms.HiddenInput)
    of_layout = ("encoding", "delimiter", "heading", "columns", "dates")
    """The options that hold for the next list of this shape too."""

    def clean_columns(self) -> tuple[ListColumn | None, ...] | None:
        return columns_spelled(self.cleaned_data["columns"])

    @property
    def day_first(self) -> bool | None:
        """What the arbiter chose; None for automatic."""
        self.is_valid()
        return {"day": True, "month": False}.get(self.cleaned_data.get("dates", ""))

    @property
    def layout(self) -> ListLayout:
        """How the file is read. Wrong values are left out."""
        self.is_valid()
        given = self.cleaned_data
        return ListLayout(
            encoding=given.get("encoding", ""),
            delimiter=given.get("delimiter", ""),
            sheet=given.get("sheet", ""),
            heading=given.get("heading"),
            columns=given.get("columns"),
        )

    @property
    def reading(self) -> dict[str, Any]:
        """What was chosen, except the sheet: to compare two ways of reading. Wrong values are left out."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if name != "sheet"}

    @property
    def kept(self) -> dict[str, str]:
        """Return what holds for the next list of this shape; empty for a list that is read automatically."""
        return {name: str(value) for name, value in self.chosen if name in self.of_layout and value}

    def belong_to(self, form: str) -> None:
        """Send the fields with the form that has this id."""
        for field in self.fields.values():
            field.widget.attrs["form"] = form

    def offer(self, table: ListTable) -> None:
        """Let the arbiter choose one of the sheets, and one of the first rows for the names of the columns.

        The form names the sheet that was read: it need not be the first one.
        """
        self.data = {**self.data, "sheet": table.sheet}
        self.fields["sheet"].widget.choices = [(name, name) for name in table.sheets]
        rows = [(str(number), _("row %(number)s") % {"number": number}) for number in table.top]
        choices = [
            ("", _("automatic")),
            ("0", pgettext_lazy("row with the names of the columns", "none")),
            *rows,
        ]
        self.fields["heading"].widget.choices = choices

    @property
    def chosen(self) -> list[tuple[str, str]]:
        """Every option as it was sent, for addresses that send it again."""
        return [(name, self[name].value() or "") for name in self.fields]


class OptionsForm(LayoutForm):
    """How to read the file of a section."""

    unrated = forms.IntegerField(
        label=_("Provisional rating"),
        min_value=1,
        max_value=3999,
        required=False,
        help_text=_("For players without a rating."),
        widget=forms.NumberInput(attrs={"class": "short"}),
    )


class ReportSystemForm(forms.Form):
    """The pairing system of a report file that names none."""

    system = forms.ChoiceField(
        label=_("Pairing system"), choices=lambda: [(code, words_of(code).name) for code in SYSTEMS]
    )


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
