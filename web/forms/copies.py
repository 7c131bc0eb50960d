"""Forms of copies: the file, and where to load it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from web.forms.fields import offer_choices

MOST_BYTES = 8_000_000
"""Size of a file sent by a browser, compressed or not. The command load_copy takes larger files."""


class CopyFileForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        allow_empty_file=True,
        help_text=_("A copy that Evenboard made: .json.gz or .json."),
        widget=forms.FileInput(attrs={"accept": ".json,.gz,application/json,application/gzip"}),
    )

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if file.size is None or file.size > MOST_BYTES:
            raise ValidationError(
                _("The file is larger than %(limit)s MB. The command load_copy takes larger files."),
                code="size",
                params={"limit": MOST_BYTES // 10**6},
            )
        return file


class ChangedCopyForm(forms.Form):
    """A box that must be ticked to load a copy that was changed after this server made it. is_changed: it was."""

    changed = forms.BooleanField(
        label=_("Load the copy although it was changed"),
        help_text=_("Each row of its log then says that it is from a changed copy."),
        error_messages={
            "required": _(
                "This copy was changed after this server made it. Choose another copy, or tick this box."
            )
        },
    )

    def __init__(self, *args: Any, is_changed: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if not is_changed:
            del self.fields["changed"]


class LoadSectionForm(ChangedCopyForm):
    """Where to load a section. into: the address of an event, or NEW for a new event."""

    NEW = "-"

    into = forms.ChoiceField(label=_("Load the copy into"))
    name = forms.CharField(
        label=_("Name of the section"),
        max_length=80,
        required=False,
        help_text=_(
            "Empty: the name in the copy, with a number if the event already has a section of that name."
        ),
    )

    def __init__(self, *args: Any, places: Iterable[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        offer_choices(self, "into", places)


class LoadEventForm(ChangedCopyForm):
    invite = forms.BooleanField(
        label=_("Invite these people"),
        required=False,
        initial=True,
        help_text=_("By their user names. Each of them must accept before the role counts."),
    )
