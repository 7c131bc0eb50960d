"""Forms of the import of a file."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournaments.imports.decoding import ONE_BYTE

MOST_BYTES = 5_000_000
REPORT_LINE = re.compile(rb"(?:^|[\r\n])(?:\xef\xbb\xbf)?(?:012|001|022|XXR) ")


def is_report(data: bytes) -> bool:
    """Whether the file is a report file (TRF), told by its first lines, whatever its name."""
    return REPORT_LINE.search(data[:4_096]) is not None


class UploadForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        allow_empty_file=True,
        help_text=_("A list as CSV, or a report file (TRF)."),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,.trf,.trfx,.fid,text/csv,text/plain"}),
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if file.size is None or file.size > MOST_BYTES:
            raise ValidationError(
                _("The file is larger than %(limit)s MB."), code="size", params={"limit": MOST_BYTES // 10**6}
            )
        return file


class ReportForm(UploadForm):
    """A report file that becomes a new section."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["file"].help_text = _("A report file (TRF) of this or another program.")


class OptionsForm(forms.Form):
    """How to read the file; what the preview is made with."""

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


class SectionNameForm(forms.Form):
    """What a report file does not say about the section that it becomes."""

    name = forms.CharField(label=_("Name of the section"), max_length=80)
    rounds = forms.IntegerField(
        label=_("Rounds"),
        min_value=1,
        max_value=30,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=_("The file does not say how many."),
    )
