"""A field for points as people write them."""

from __future__ import annotations

import re

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tournaments.templatetags.marks import points_text

POINTS = re.compile(r"(\d{0,3})(½|[.,]\d)?")


class PointsField(forms.CharField):
    """Points in tenths, read from 1, ½, 1½, 0.5 or 0,5."""

    default_error_messages = {
        "invalid": _("Points are a number such as 1, ½ or 0.5."),
    }

    def __init__(self, **options: object) -> None:
        super().__init__(
            max_length=6, widget=forms.TextInput(attrs={"inputmode": "decimal", "size": 4}), **options
        )

    def to_python(self, value: object) -> int | None:  # type: ignore[override]
        text = super().to_python(value)
        if text in self.empty_values:
            return None
        match = POINTS.fullmatch(text.replace(" ", ""))
        if match is None or not any(match.groups()):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        whole, rest = match.groups()
        return 10 * int(whole or 0) + (5 if rest == "½" else int(rest[1]) if rest else 0)

    def prepare_value(self, value: object) -> object:
        return points_text(value) if isinstance(value, int) else value
