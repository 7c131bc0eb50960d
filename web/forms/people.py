"""Forms about the people of an event: who is added, in which role, where and until when."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models import Event, EventRole
from tournaments.models.events import HIGHEST_BOARD, Boards, boards_between
from tournaments.who_may_appoint import MayAppoint
from web.forms.logins import NewNameField

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


LINK, ACCOUNT, PASSWORD = "link", "account", "password"
HOW = {
    LINK: _("A link or QR code: the person makes a login, or already has one"),
    ACCOUNT: _("The user name of a login that the person has here"),
    PASSWORD: _("A new login with a password, which you write down and hand over"),
}
NEEDS = {LINK: ("name",), ACCOUNT: ("username",), PASSWORD: ("name", "username")}


class AddPersonForm(forms.Form):
    """A person who will work on the event, the role, and how the person comes in. No role is proposed.

    naming: what the person who gives the role may decide. One who decides in some sections alone chooses among them;
    the only one needs no field. makes_logins: whether that person may make logins with a password.
    """

    name = forms.CharField(
        label=pgettext_lazy("of a login", "Name"),
        max_length=150,
        required=False,
        help_text=_("Of a person, or of a device such as Tablet 1."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    role = forms.ChoiceField(label=_("Role"))
    first_board = forms.IntegerField(
        label=_("First board"), required=False, min_value=1, max_value=HIGHEST_BOARD
    )
    last_board = forms.IntegerField(
        label=_("Last board"), required=False, min_value=1, max_value=HIGHEST_BOARD
    )
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
    how = forms.ChoiceField(label=_("How"), widget=forms.RadioSelect, initial=LINK)
    username = NewNameField(autocomplete="off", required=False)

    def __init__(self, *args: Any, event: Event, naming: MayAppoint, makes_logins: bool, **more: Any) -> None:
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
        given = [choice for choice in Role.choices if choice[0] in naming.roles]
        self._choices("role", [("", _("Choose a role")), *given])
        self._choices("how", [choice for choice in HOW.items() if choice[0] != PASSWORD or makes_logins])
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
        for name in NEEDS.get(cleaned.get("how", ""), ()):
            if not cleaned.get(name) and name not in self.errors:
                self.add_error(name, self.fields[name].error_messages["required"])
        return cleaned
