"""A field for points: 1, ½, 0.5."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from web.words.values import points_text

POINTS = re.compile(r"([0-9]{0,3})(½|[.,][0-9])?")


class PointsField(forms.Field):
    """Points in tenths, read from 1, ½, 1½, 0.5 or 0,5."""

    default_error_messages = {
        "invalid": _("Write points as 1, ½ or 0.5."),
    }

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "maxlength": 6, "size": 4})
        super().__init__(widget=widget, **options)

    def to_python(self, value: object) -> int | None:
        if value in self.empty_values:
            return None
        if isinstance(value, int):  # the value of a field that nobody can change, in tenths
            return value
        match = POINTS.fullmatch(str(value).replace(" ", ""))
        if match is None or not any(match.groups()):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        whole, rest = match.groups()
        return 10 * int(whole or 0) + (5 if rest == "½" else int(rest[1]) if rest else 0)

    def prepare_value(self, value: object) -> object:
        return points_text(value) if isinstance(value, int) else value
