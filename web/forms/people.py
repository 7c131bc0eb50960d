"""Forms about the people of an event: a role, its sections and its end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event, EventRole
from tournaments.models.events import HIGHEST_BOARD, Boards, boards_between
from tournaments.who_may_appoint import MayAppoint

Role = EventRole.Role
AFTER_EVENT = timedelta(days=14)
"""A role ends so long after the last day of the event, unless somebody chooses another day. After the event: so long
after today."""


class BoardsForm(forms.Form):
    """The boards of a result clerk. None typed: all boards."""

    first_board = forms.IntegerField(
        label=_("First board"), required=False, min_value=1, max_value=HIGHEST_BOARD
    )
    last_board = forms.IntegerField(
        label=_("Last board"), required=False, min_value=1, max_value=HIGHEST_BOARD
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        ask_for_both_ends(self)
        return cleaned

    @property
    def boards(self) -> Boards | None:
        return boards_between(self.cleaned_data["first_board"], self.cleaned_data["last_board"])


def ask_for_both_ends(form: forms.Form) -> None:
    """Add an error if only one end of a range of boards was typed."""
    ends = {name: form.cleaned_data.get(name) for name in ("first_board", "last_board")}
    empty = [name for name, board in ends.items() if board is None and name not in form.errors]
    if len(empty) == 1:
        form.add_error(empty[0], _("Write the first and the last board, or neither."))


class RoleForm(forms.Form):
    """A role. naming: what the person who gives it may decide. One who decides in some sections alone chooses among
    them; the only one needs no field.
    """

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.ARBITER.value)
    sections = forms.MultipleChoiceField(
        label=_("Only in these sections"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen: the whole event."),
    )
    until = forms.DateField(
        label=_("Last day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=_(
            "After this day the role gives no rights. Empty: the role has no last day. The role of an owner never ends."
        ),
    )

    first_board = forms.IntegerField(
        label=_("First board"), required=False, min_value=1, max_value=HIGHEST_BOARD
    )
    last_board = forms.IntegerField(
        label=_("Last board"), required=False, min_value=1, max_value=HIGHEST_BOARD
    )

    def __init__(self, *args: Any, event: Event, naming: MayAppoint, **more: Any) -> None:
        super().__init__(*args, **more)
        self.only = naming.sections
        shown = event.sections.filter(taken_away=False).order_by("pk")
        if self.only is not None:
            shown = shown.filter(pk__in=self.only)
            self.fields["sections"].required = True
            self.fields["sections"].help_text = ""
        sections = [(str(pk), name) for pk, name in shown.values_list("pk", "name")]
        self._choices("sections", sections)
        if len(sections) < 2:
            del self.fields["sections"]
        self._choices("role", [choice for choice in Role.choices if choice[0] in naming.roles])
        proposed = max(event.end, timezone.localdate()) + AFTER_EVENT
        self.fields["until"].initial = min(proposed, naming.until or proposed).isoformat()

    def _choices(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.only is not None and "sections" not in self.fields:
            cleaned["sections"] = [*self.only]
        if cleaned.get("role") == Role.OWNER and "until" not in self.changed_data:
            cleaned["until"] = None  # the day that the form proposed is not one that somebody chose
        is_clerk = cleaned.get("role") == Role.CLERK
        if is_clerk:
            ask_for_both_ends(self)
        ends = cleaned.pop("first_board", None), cleaned.pop("last_board", None)
        cleaned["boards"] = boards_between(*ends) if is_clerk else None  # other roles do not show the fields
        return cleaned


class PersonRoleForm(RoleForm):
    """An invitation by name, or one more role of a person."""

    username = forms.CharField(
        label=_("User name"), max_length=150, help_text=_("The user name with which the person logs in here.")
    )
    field_order = ("username", "role", "first_board", "last_board", "sections", "until")


class LinkForm(RoleForm):
    """An invitation by link."""

    note = forms.CharField(
        label=_("For whom"),
        max_length=80,
        required=False,
        help_text=_("A note for yourself, to recognise the link."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    field_order = ("role", "note", "first_board", "last_board", "sections", "until")
