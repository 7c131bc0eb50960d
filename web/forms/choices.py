"""The choices of a field that are known only when its form is made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django import forms

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def offer(form: forms.Form, name: str, choices: Iterable[tuple[object, StrOrPromise]]) -> None:
    """Let a person choose one of these values in the field of this name. choices: each value with its words."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)
