"""Forms of rating lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from ratings.formats.columns import FIELDS, ColumnReading
from ratings.models import SERIES_LENGTH, RatingList
from tournaments.files.spreadsheets import ONE_BYTE
from web.forms.entry_lists import DELIMITER_NAMES, ColumnsForm
from web.forms.events import CapitalsField

SINGLE = [
    ("", _("as the file says")),
    (RatingList.Kind.STANDARD.value, _("standard")),
    (RatingList.Kind.RAPID.value, _("rapid")),
    (RatingList.Kind.BLITZ.value, _("blitz")),
]
COLUMNS = {
    "name": _("name: Surname, Given"),
    "last_name": _("surname"),
    "first_name": _("first name"),
    "fide_id": _("FIDE ID"),
    "number": _("number of the player in this list"),
    "rating": _("rating"),
    "federation": _("federation"),
    "sex": _("sex"),
    "born": _("birth date or year"),
    "title": _("title"),
}


def _month(help_text: Any) -> forms.CharField:
    return forms.RegexField(
        r"20\d\d-(?:0[1-9]|1[0-2])",
        label=_("Month of the list"),
        required=False,
        help_text=help_text,
        widget=forms.TextInput(attrs={"class": "short", "placeholder": "2026-11"}),
    )


class SeriesField(forms.CharField):
    """The name of a list that is not FIDE's. The action says which names are possible."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            label=_("Name of the list"),
            max_length=SERIES_LENGTH,
            help_text=_("Short, for example DWZ or Club."),
            **options,
        )

    def clean(self, value: Any) -> Any:
        return " ".join(str(super().clean(value)).split())


class ListFileForm(forms.Form):
    """A file, or the token of a file that the script has sent in parts."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        help_text=_(
            "A list of FIDE as TXT or XML, or a list of a federation or your own as CSV. It may be zipped."
        ),
        widget=forms.FileInput(attrs={"accept": ".zip,.txt,.xml,.csv,.tsv"}),
    )
    sent = forms.CharField(required=False, widget=forms.HiddenInput)
    sent_name = forms.CharField(required=False, max_length=120, widget=forms.HiddenInput)
    kind = forms.ChoiceField(
        label=_("Kind of rating in a list with one rating"), choices=SINGLE, required=False
    )
    period = _month(_("Only if the file does not name the month. Empty: the current month."))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not cleaned.get("file") and not cleaned.get("sent"):
            raise ValidationError(_("Choose a file."))
        return cleaned


class EventListForm(ListFileForm):
    """A file whose list counts in one event. It has a name of its own also in the format of FIDE."""

    series = SeriesField()


class OriginForm(forms.Form):
    """Where the next lists of a federation are. origin: the key of the address so far. series: of a list of a file."""

    address = forms.URLField(
        label=_("Address of the next lists"),
        max_length=300,
        assume_scheme="https",
        help_text=_("The server looks there every day for a new list with the same columns."),
    )
    origin = forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False, widget=forms.HiddenInput)
    series = forms.CharField(max_length=SERIES_LENGTH, required=False, widget=forms.HiddenInput)

    @classmethod
    def of(cls, series: str, address: str = "", origin: int | None = None) -> Self:
        """Return the form of one list. Several stand on one page, so no two fields have one id."""
        initial = {"series": series, "address": address, "origin": origin}
        return cls(initial=initial, auto_id=f"{origin or 'new'}-{slugify(series)}-%s")


class ListColumnsForm(ColumnsForm):
    """What the columns of a national or own list are. of_event: of one event, which has no address to look at."""

    series = SeriesField()
    period = _month(_("Empty: the current month."))
    federation = CapitalsField(help_text=_("For players whose row has no federation."))
    address = forms.URLField(
        label=_("Address of the next lists"),
        required=False,
        max_length=300,
        assume_scheme="https",
        help_text=_("The server looks there every day for a new list with the same columns."),
    )
    delimiter = forms.ChoiceField(label=_("Between the columns"), choices=DELIMITER_NAMES)
    encoding = forms.ChoiceField(
        label=_("Character set"), choices=[("utf-8-sig", "UTF-8"), ("utf-16", "UTF-16"), *ONE_BYTE.items()]
    )
    headed = forms.BooleanField(label=_("The first row names the columns"), required=False)

    def __init__(
        self,
        *args: Any,
        rows: Sequence[Sequence[str]],
        guessed: ColumnReading,
        series: str = "",
        of_event: bool = False,
        **options: Any,
    ) -> None:
        places = {place: field for field, place in guessed.columns.items()}
        initial = {
            "series": series,
            "delimiter": guessed.delimiter,
            "encoding": guessed.encoding,
            "headed": guessed.headed,
        }
        chosen = {place: places.get(place, "") for place in range(len(rows[0]))}
        meanings = [(name, COLUMNS[name]) for name in FIELDS]
        super().__init__(*args, **{"initial": initial, **options}, meanings=meanings, chosen=chosen)
        self.first_rows = rows
        if of_event:
            del self.fields["address"]

    @property
    def rows(self) -> list[tuple[forms.BoundField, str, list[str]]]:
        """Return each column: the field that says what it is, the first row, and the cells of the next rows."""
        first, *others = self.first_rows
        return [
            (field, first[place], [row[place] for row in others])
            for field, place in zip(self.columns, self.places, strict=True)
        ]

    def reading(self) -> ColumnReading:
        cleaned = self.cleaned_data
        return ColumnReading(
            columns={name: place for place in self.places if (name := cleaned[f"column-{place}"])},
            delimiter=cleaned["delimiter"],
            encoding=cleaned["encoding"],
            headed=cleaned["headed"],
            federation=cleaned["federation"],
        )
