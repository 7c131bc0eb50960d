"""Shows the refusal of an action under the field that the person must correct."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from tournaments.errors import DomainError
from web.forms.sections import SectionForm
from web.words.refusals import explain

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
    "hall_rooms_unreadable": ("hall_rooms",),
    "last_bye_round_too_high": ("last_bye_round",),
    "tie_breaks_barred": ("tie_codes", "system"),
    "tie_breaks_too_many": ("tie_codes",),
    "tie_breaks_twice": ("tie_codes",),
    "tie_breaks_unknown": ("tie_codes",),
    "acceleration_points": ("acceleration",),
    "last_owner": ("role",),
    "name_required": ("name",),
    **dict.fromkeys(("name_missing", "name_of_fide", "name_taken"), ("series",)),
    "not_active": ("participant",),
    "period_starts": ("period_starts",),
    "period_too_long": ("period_starts",),
    "points_unsound": ("win_points",),
    "rating_required": ("rating",),
    "reason_required": ("reason",),
    **dict.fromkeys(("role_unknown", "role_only_by_owner", "role_beyond", "own_role"), ("role",)),
    "boards_out_of_range": ("last_board",),
    "role_of_whole_event": ("sections",),
    **dict.fromkeys(("role_end_past", "owner_for_good"), ("until",)),
    "round_already_paired": ("rounds",),
    "round_out_of_range": ("rounds", "first_round"),
    "rounds_out_of_range": ("rounds",),
    "section_name_taken": ("name",),
    "access_token_end": ("last_day",),
    "access_token_scopes": ("scopes",),
    "webhook_address": ("address",),
    "user_name_impossible": ("username",),
    "user_name_used": ("username",),
    "user_taken": ("username",),
    "user_unknown": ("username",),
    "wrong_code": ("code",),
    "recovery_code_waits": ("code",),
    "wrong_password": ("password",),
}


def add_refusal(form: forms.Form, error: DomainError) -> None:
    """Add the sentence of a refused action to the form: to its field where it has one, else to the whole."""
    if error.code == "invalid_values":
        problems: Any = error.params["problems"]
        _each_field(form, problems)
        return
    code = error.params["reason"] if error.code == "list_refused" else error.code
    names = (error.params["option"],) if error.code == "option_above" else FIELDS_OF.get(code, ())
    field = next((found for name in names if (found := _field(form, name)) is not None), None)
    form.add_error(field, explain(error))


def _each_field(form: forms.Form, problems: Mapping[str, list[str]]) -> None:
    for name, sentences in problems.items():
        for sentence in sentences:
            form.add_error(_field(form, name), sentence)


def _field(form: forms.Form, name: str) -> str | None:
    """Return the field of a value, if the form has one."""
    name = form.field_of(name) if isinstance(form, SectionForm) else name
    return name if name in form.fields else None
