"""The rules of an imported list, applied to what is typed into a form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from tournaments.imports.reasons import CellRefused, Reason


def apply_rules(form: forms.Form, cleaned: dict[str, Any], rules: Mapping[str, Callable[[str], Any]]) -> None:
    """Replace values by what their rule makes of them, or put its sentence under the field.

    A value that the form showed stays as it is: an imported report may have left there what no rule allows.
    """
    for name, rule in rules.items():
        value = cleaned.get(name)
        if value in (None, "", 0) or value == form.initial.get(name):
            continue
        try:
            cleaned[name] = rule(str(value))
        except CellRefused as refused:
            about = {"column": form.fields[name].label, "value": str(value)[:60], **refused.extra}
            form.add_error(name, ValidationError(str(Reason(refused.code, about)), code=refused.code))
