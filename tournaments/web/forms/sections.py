"""Forms of a section: its settings, and the lot for the initial-colour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pairing.engine import SYSTEMS, Colour, system_named
from pairing.engine.systems.options import Option
from pairing.engine.systems.registry import DEFAULT_SYSTEM
from pairing.engine.systems.system import PairingSystem
from pairing.words.registry import words_of
from tournaments.models import Section
from tournaments.web.forms.options import option_field
from tournaments.web.forms.points import PointsField
from tournaments.web.forms.seen import SeenForm
from tournaments.web.words.systems import system_name


class SystemChoice(NamedTuple):
    """A pairing system in the form. options: the fields of its options, if the form has them."""

    code: str
    name: str
    summary: str
    chosen: bool
    options: list[forms.BoundField]


class SectionForm(SeenForm):
    """Settings of a section. Settings that are locked since round 1 are shown, but cannot be changed.

    The options come from the registry of pairing systems: for a section those of its system, for a new section those of
    all systems. Only a program with several systems asks for the system.
    """

    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("For example Section A or Open."))
    rounds = forms.IntegerField(
        label=_("Rounds"), min_value=1, max_value=30, widget=forms.NumberInput(attrs={"class": "short"})
    )
    win_points = PointsField(label=_("Points for a win"), initial=10)
    draw_points = PointsField(label=_("Points for a draw"), initial=5)
    loss_points = PointsField(label=_("Points for a loss"), initial=0)
    bye_points = PointsField(label=_("Points for the pairing-allocated bye"), initial=10)

    acceleration = forms.ChoiceField(
        label=_("Acceleration"),
        choices=Section.Acceleration.choices,
        required=False,
        help_text=_("Baku: the upper half gets virtual points in the first rounds (C.04.7)."),
    )

    half_bye_limit = forms.IntegerField(
        label=_("Half-point byes per player"),
        min_value=0,
        max_value=30,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=_("Empty: no limit. The program asks before it gives a second one in any case."),
    )
    last_bye_round = forms.IntegerField(
        label=_("Last round in which a bye is worth points"),
        min_value=0,
        max_value=30,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=_("Empty: the last round of the section."),
    )

    def __init__(
        self, *args: Any, section: Section | None = None, locked: frozenset[str] = frozenset(), **options: Any
    ) -> None:
        if section is not None:
            options["initial"] = self._initial_of(section)
        super().__init__(*args, **options)
        self._offered = list(SYSTEMS.values()) if section is None else [system_named(section.system)]
        if len(SYSTEMS) > 1:
            self.fields["system"] = forms.ChoiceField(
                label=_("Pairing system"),
                choices=[(code, system_name(code)) for code in SYSTEMS],
                initial=DEFAULT_SYSTEM,
                widget=forms.RadioSelect,
            )
        for system in self._offered:
            words = words_of(system.code)
            for option in system.options:
                self.fields[self._field(system, option)] = option_field(option, words.options[option.name])
        of_options = set(self._fields_of_options()) if "options" in locked else set()
        for name in (locked | of_options) & set(self.fields):
            self.fields[name].disabled = True

    @classmethod
    def _initial_of(cls, section: Section) -> dict[str, Any]:
        found = {name: getattr(section, name) for name in cls.base_fields}
        return {**found, "system": section.system, **section.all_options}

    def _field(self, system: PairingSystem, option: Option) -> str:
        """Return the name of the field of an option. In a form with several systems, two may have the same option."""
        return option.name if len(self._offered) == 1 else f"{system.code}_{option.name}"

    def _fields_of_options(self) -> list[str]:
        return [self._field(system, option) for system in self._offered for option in system.options]

    @property
    def systems(self) -> list[SystemChoice]:
        """The pairing systems to choose from, each with the fields of its options."""
        chosen = self["system"].value() if "system" in self.fields else self._offered[0].code
        offered = {system.code: system for system in self._offered}
        return [
            SystemChoice(
                code,
                system_name(code),
                gettext(words_of(code).summary),
                code == chosen,
                [self[self._field(offered[code], option)] for option in system.options]
                if code in offered
                else [],
            )
            for code, system in SYSTEMS.items()
            if code in offered or "system" in self.fields
        ]

    def settings(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values of fields as `create_section` and `edit_section` take them."""
        fields = set(self._fields_of_options())
        found = {name: value for name, value in values.items() if name not in fields}
        shown = self._offered[0].code if len(self._offered) == 1 else DEFAULT_SYSTEM
        code = found.get("system", shown)
        options = {
            option.name: values[self._field(system, option)]
            for system in self._offered
            for option in system.options
            if system.code == code and self._field(system, option) in values
        }
        return {**found, "options": options} if options else found


class ColourForm(forms.Form):
    """The initial-colour: by lot here, or as it was drawn elsewhere."""

    colour = forms.ChoiceField(
        required=False,
        choices=[("", _("By lot")), (Colour.WHITE.value, _("White")), (Colour.BLACK.value, _("Black"))],
    )

    @property
    def drawn(self) -> Colour | None:
        value = self.cleaned_data["colour"]
        return Colour(value) if value else None
