"""Forms of a person that know what they showed, by the columns of a registration."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

from registrations.web.forms.public import PersonForm
from web.forms.seen import Contest, SeenForm, in_words

BIRTH, ANSWERS, ANSWER = "birth_date", "answers", "answer_"


class SeenPersonForm(PersonForm, SeenForm):
    """A form that writes only what the person changed in it, and asks if somebody else has changed the same.

    masked: fields whose values the page does not show.
    """

    masked: tuple[str, ...] = ()

    @property
    def shown(self) -> dict[str, Any]:
        """The values that the page showed; the birth date as the column has it."""
        found = super().shown
        if found.get(BIRTH):
            found[BIRTH] = str(found[BIRTH]).replace("-", "/")
        return {name: "" if value is None and name != "rating" else value for name, value in found.items()}

    def changes(self) -> dict[str, Any]:
        """The values that the person changed. A masked field that was left empty is not among them."""
        return {
            name: value
            for name, value in super().changes().items()
            if name not in self.masked or self.data.get(name)
        }

    def columns(self) -> dict[str, Any]:
        """Return what the person changed, by the columns of a registration."""
        changed, shown = self.changes(), self.shown
        found = {name: value for name, value in changed.items() if not name.startswith(ANSWER)}
        if len(found) < len(changed):
            found[ANSWERS] = [changed.get(name, shown[name]) for name in self._answers]
        return found

    def seen_columns(self) -> dict[str, Any] | None:
        """Return what the page showed, by the columns of a registration. None if it did not send it."""
        if not self.data.get("seen"):
            return None
        found = {
            name: value
            for name, value in self.shown.items()
            if name not in self.masked and not name.startswith(ANSWER)
        }
        return {**found, ANSWERS: [self.shown[name] for name in self._answers]}

    @property
    def _answers(self) -> list[str]:
        return [name for name in self.fields if name.startswith(ANSWER)]

    def ask(self, theirs: Mapping[str, Any], last: tuple[str, datetime | None], fresh: Self) -> Self:
        asked = super().ask(theirs, last, fresh)
        if asked.initial.get(BIRTH):
            asked.initial[BIRTH] = str(asked.initial[BIRTH]).replace("/", "-")
        return asked

    def contests(self, theirs: Mapping[str, Any]) -> list[Contest]:
        """Both values of each conflict. Their value of a masked field is not shown."""
        by_field = {name: value for name, value in theirs.items() if name in self.fields}
        by_field |= {
            name: value
            for name, value in zip(self._answers, theirs.get(ANSWERS, ()), strict=False)
            if value != self.cleaned_data.get(name)
        }
        return [
            Contest((name,), str(self.fields[name].label), self._words(name, value), self._mine(name))
            for name, value in by_field.items()
        ]

    def _words(self, name: str, value: Any) -> str:
        if name in self.masked and value:
            return "…"
        return str(value) if name == BIRTH and value else in_words(self.fields[name], value)

    def _mine(self, name: str) -> str:
        value = self.cleaned_data[name]
        return str(value) if name == BIRTH and value else in_words(self.fields[name], value)
