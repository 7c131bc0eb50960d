"""The options of the systems with which a round is compared, as the address of the page has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from evenboard_engine.comparing import other_systems
from evenboard_engine.words.registry import words_of
from tournaments.actions.sections import refused_option
from tournaments.models import Section
from web.words.refusals import explain
from web.words.systems import system_name

from .sections import option_field

SENT = "options"
"""Is in the address if options were chosen: a tick that is not set sends nothing."""


@dataclass(frozen=True, slots=True)
class SystemChooser:
    """A system with the fields of its options."""

    name: str
    fields: list[forms.BoundField]


class ComparedForm(forms.Form):
    """Options of the other systems. Without a choice, or with a wrong one, they have their defaults."""

    def __init__(self, data: QueryDict, *, section: Section) -> None:
        super().__init__(data if SENT in data else None)
        self.systems = [system for system in other_systems(section.system) if system.choices]
        for system in self.systems:
            words = words_of(system.code).options
            for option in system.choices:
                self.fields[f"{system.code}_{option.name}"] = option_field(option, words[option.name])
        if self.is_bound:
            self._fill(data)

    def _fill(self, data: QueryDict) -> None:
        """Give options that the address does not have their defaults; a tick that is not set is off."""
        filled = data.copy()
        for name, field in self.fields.items():
            if name not in data and not isinstance(field, forms.BooleanField):
                filled[name] = "" if field.initial is None else field.initial
        self.data = filled

    def clean(self) -> dict[str, Any]:
        """Refuse numbers that contradict each other."""
        for system in self.systems:
            for error in system.above(self._given(system.code)):
                self.add_error(f"{system.code}_{error.params['option']}", explain(refused_option(error)))
        return self.cleaned_data

    def _given(self, code: str) -> dict[str, str]:
        """Return the options that were chosen for a system; an empty one is decided by the first day."""
        start = f"{code}_"
        return {
            name.removeprefix(start): value
            for name, value in self.cleaned_data.items()
            if name.startswith(start) and value
        }

    @property
    def asked(self) -> Mapping[str, Mapping[str, str]]:
        """Return the options that were chosen, by system."""
        if not self.is_bound or not self.is_valid():
            return {}
        return {system.code: self._given(system.code) for system in self.systems}

    @property
    def query(self) -> str:
        """Return the choice as part of an address; "" if there is none."""
        found = {
            f"{code}_{name}": value for code, chosen in self.asked.items() for name, value in chosen.items()
        }
        return urlencode({SENT: "chosen", **found}) if found else ""

    @property
    def choosers(self) -> list[SystemChooser]:
        """Return the systems with the fields of their options."""
        return [
            SystemChooser(
                system_name(system.code), [self[f"{system.code}_{option.name}"] for option in system.choices]
            )
            for system in self.systems
        ]
