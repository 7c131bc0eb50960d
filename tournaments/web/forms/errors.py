"""Shows the refusal of an action under the field that the person must correct."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from tournaments.errors import DomainError
from tournaments.web.words.refusals import explain

# The first of these that the form has.
FIELDS_OF = {
    "already_entered": ("name",),
    "bye_kind": ("kind",),
    "bye_points_not_standard": ("bye_points",),
    "bye_points_too_high": ("bye_points",),
    "bye_points_unreachable": ("bye_points",),
    "bye_twice": ("rounds",),
    "event_dates": ("end",),
    "fide_id_taken": ("fide_id",),
    "first_round_paired": ("first_round",),
    "half_bye_not_allowed": ("kind",),
    "last_owner": ("role",),
    "name_required": ("name",),
    "not_active": ("participant",),
    "points_unsound": ("win_points",),
    "rating_required": ("rating",),
    "reason_required": ("reason",),
    "role_unknown": ("role",),
    "round_already_paired": ("rounds",),
    "round_out_of_range": ("rounds", "first_round"),
    "rounds_out_of_range": ("rounds",),
    "section_name_taken": ("name",),
    "user_name_impossible": ("username",),
    "user_name_used": ("username",),
    "user_taken": ("username",),
    "user_unknown": ("username",),
    "wrong_code": ("code",),
    "wrong_password": ("password",),
}


def add_refusal(form: forms.Form, error: DomainError) -> None:
    """Add the sentence of a refused action to the form: to its field where it has one, else to the whole."""
    if error.code == "invalid_values":
        problems: Any = error.params["problems"]
        _each_field(form, problems)
        return
    field = next((name for name in FIELDS_OF.get(error.code, ()) if name in form.fields), None)
    form.add_error(field, explain(error))


def _each_field(form: forms.Form, problems: Mapping[str, list[str]]) -> None:
    for name, sentences in problems.items():
        for sentence in sentences:
            form.add_error(name if name in form.fields else None, sentence)
