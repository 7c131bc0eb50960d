"""Forms of a section: the options of its pairing system, when rounds begin, its settings, and the initial-colour.

Each field of an option reads and shows the text that a section keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from base.reader import READER, date_format
from evenboard_engine import SYSTEMS, Colour, system_named
from evenboard_engine.systems.options import (
    NONE,
    OFF,
    ON,
    ChoiceOption,
    Option,
    PointsOption,
    Switch,
    WholeNumber,
    points_text,
)
from evenboard_engine.systems.registry import DEFAULT_SYSTEM
from evenboard_engine.systems.system import PairingSystem
from evenboard_engine.words.registry import words_of
from evenboard_engine.words.systems import OptionWords
from tournaments.actions.sections import refused_option
from tournaments.models import RoundStart, Section
from tournaments.models.hall_map import LONGEST_ROOMS
from tournaments.models.sections import LONGEST_RULES, MAX_ROUNDS
from web.forms.conflict_check import ConflictCheckForm, Contest, in_words
from web.forms.fields import ClockField, PointsField
from web.words.locks import lock_notes
from web.words.refusals import explain
from web.words.systems import about_system, option_value, system_name

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# Fields for the options of a pairing system. Each field reads and shows the text that a section keeps.


class SwitchField(forms.BooleanField):
    """On or off, as a tick."""

    def __init__(self, **options: Any) -> None:
        ticked = forms.CheckboxInput(check_test=lambda value: value in (True, ON))
        super().__init__(required=False, widget=ticked, **options)

    def clean(self, value: object) -> str:
        return ON if value in (True, ON) else OFF


class NumberField(forms.IntegerField):
    """A whole number within its limits."""

    def __init__(self, option: WholeNumber, **options: Any) -> None:
        short = forms.NumberInput(attrs={"class": "short"})
        super().__init__(min_value=option.least, max_value=option.most, widget=short, **options)

    def clean(self, value: object) -> str:
        return str(super().clean(value))


class LimitField(PointsField):
    """Points in steps of a half; empty for none."""

    def __init__(self, option: PointsOption, **options: Any) -> None:
        self.option = option
        super().__init__(required=False, **options)

    def clean(self, value: object) -> str:
        tenths = None if value == NONE else super().clean(value)
        value = NONE if tenths is None else self.option.read(points_text(tenths))
        if value is None:
            most = READER.points(self.option.most)
            raise ValidationError(
                gettext("Write ½ to %(most)s, in steps of ½. Leave it empty for no limit.") % {"most": most}
            )
        return value

    def prepare_value(self, value: object) -> object:
        if isinstance(value, str) and self.option.read(value) is not None:
            value = self.option.tenths({self.option.name: value})
        return super().prepare_value(value)


def option_field(option: Option, words: OptionWords) -> forms.Field:
    """Return the field of an option. A choice that is left empty takes what the first day of the event decides."""
    arguments: dict[str, Any] = {
        "label": gettext(words.label),
        "help_text": gettext(words.meaning) if words.meaning else "",
        "initial": option.default,
    }
    match option:
        case Switch():
            return SwitchField(**arguments)
        case WholeNumber():
            return NumberField(option, **arguments)
        case PointsOption():
            return LimitField(option, **arguments)
    by_day = [("", gettext(words.by_day))] if words.by_day else []
    values = [(value, READER.translate(words.values[value])) for value in cast("ChoiceOption", option).values]
    if by_day:
        arguments["initial"] = ""
    return forms.ChoiceField(choices=[*by_day, *values], required=not by_day, **arguments)


# The form that says when rounds begin.


class ScheduleForm(ConflictCheckForm):
    """A day and a time for each round, both optional, in the time zone of the hall."""

    def __init__(self, section: Section, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._numbers = range(1, section.rounds + 1)
        for number in self._numbers:
            start = section.start_of(number)
            self.fields[f"day-{number}"] = forms.DateField(
                label=_("Day of round %(number)s") % {"number": number},
                required=False,
                initial=start.day if start else None,
                widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            )
            self.fields[f"time-{number}"] = ClockField(
                label=_("Time of round %(number)s") % {"number": number},
                initial=start.time if start else None,
            )

    def rows(self) -> Iterator[tuple[int, forms.BoundField, forms.BoundField]]:
        """For each round: its number and its two fields."""
        for number in self._numbers:
            yield number, self[f"day-{number}"], self[f"time-{number}"]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        for number in self._numbers:
            day = f"day-{number}"
            if values.get(f"time-{number}") and not values.get(day) and day not in self.errors:
                self.add_error(
                    day,
                    ValidationError(_("Type the day, not only the time."), code="day_missing"),
                )
        return values

    def starts(self) -> dict[int, RoundStart | None]:
        """The rounds that the person changed."""
        changed = sorted({int(name.partition("-")[2]) for name in self.changes()})
        return {number: self._start(number) for number in changed}

    def seen(self) -> dict[int, str]:
        """What the page showed for each round, in the format of the section."""
        shown = self.shown
        return {
            number: f"{shown[f'day-{number}'] or ''}T{(shown[f'time-{number}'] or '')[:5]}".removesuffix("T")
            for number in self._numbers
        }

    def contests(self, theirs: Mapping[str, str]) -> list[Contest]:
        """Both values of each conflict. theirs: the other person's, by the number of the round."""
        return [
            Contest(
                (f"day-{number}", f"time-{number}"),
                _("Round %(number)s") % {"number": number},
                _when(RoundStart.read(start)),
                _when(self._start(int(number))),
            )
            for number, start in theirs.items()
        ]

    def _start(self, number: int) -> RoundStart | None:
        day, time = self.cleaned_data[f"day-{number}"], self.cleaned_data[f"time-{number}"]
        return RoundStart(day, time) if day else None


def _when(start: RoundStart | None) -> str:
    if start is None:
        return gettext("no day")
    day = date_format(start.day, "j M Y")
    return f"{day}, {start.time:%H:%M}" if start.time else day


# Forms of a section: its settings, and the lot for the initial-colour.

OF_PAIRED_ROUNDS = ("rounds", "bye_points", "half_bye_limit", "last_bye_round")
"""Settings for systems whose rounds are paired one after the other. A fixed table has its own number of rounds."""
GROUPS: dict[str, tuple[StrOrPromise, tuple[str, ...]]] = {
    "name": (pgettext_lazy("of a section", "Name"), ("name", "chess960")),
    "pairing": (_("Pairing system"), ("system", "rounds", "acceleration")),
    "points": (_("Points"), ("win_points", "draw_points", "loss_points", "bye_points")),
    "byes": (_("Requested byes"), ("half_bye_limit", "last_bye_round")),
    "results": (_("Results"), ("players_confirm",)),
    "lists": (_("Lists after each round"), ("lists_by_hand", "explained_to")),
    "rules": (_("Rules for the players"), ("time_control", "rules_text", "prizes_public")),
    "hall-map": (_("Hall map"), ("hall_rooms",)),
}
"""The settings in groups, each with its name and its fields. The options of the system are with the system."""
WHOLE = "all"
"""Stands for all groups."""
EMPTY = {
    "half_bye_limit": _("no limit"),
    "last_bye_round": _("the last round"),
    "time_control": _("the time control of the event"),
    "rating_federation": _("the federation of the event"),
    **dict.fromkeys(("rating_from", "rating_to"), _("no limit")),
}
"""What a field without a value means."""


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A setting as text. fixed: it cannot change any more."""

    label: str
    value: str
    fixed: bool


@dataclass(frozen=True, slots=True)
class SettingsGroup:
    """A group of settings as text. notes: why some are fixed. fields: to change them."""

    key: str
    name: StrOrPromise
    lines: list[GroupLine]
    notes: list[str]
    fields: list[forms.BoundField]

    @property
    def is_fixed(self) -> bool:
        return all(line.fixed for line in self.lines)


class SystemChoice(NamedTuple):
    """A pairing system in the form. about: the sentences below its name. options: the fields of its options.

    accelerates: it can be accelerated. fixed: all its rounds follow from the numbers, so it does not use
    `OF_PAIRED_ROUNDS`. of_fide: its rules are FIDE's, so it has a FIDE mode.
    """

    code: str
    name: str
    about: list[str]
    chosen: bool
    options: list[forms.BoundField]
    accelerates: bool
    fixed: bool
    of_fide: bool


class SectionForm(ConflictCheckForm):
    """Settings of a section. Settings that are locked since round 1 are shown, but cannot be changed.

    The systems and their options come from the registry. Only a program with several systems asks for the system. The
    fields of the other systems are in the form too, so the system can be changed without another page. What they hold
    does not matter unless their system is chosen.
    """

    name = forms.CharField(
        label=pgettext_lazy("of a section", "Name"),
        max_length=80,
        help_text=_("For example Section A or Open."),
    )
    rounds = forms.IntegerField(
        label=_("Rounds"),
        min_value=1,
        max_value=MAX_ROUNDS,
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=_("Most events play 7 to 9, always fewer than there are players."),
    )
    win_points = PointsField(
        label=_("Points for a win"), initial=10, help_text=_("Most events give 1, ½ and 0 points.")
    )
    draw_points = PointsField(label=_("Points for a draw"), initial=5)
    loss_points = PointsField(label=_("Points for a loss"), initial=0)
    bye_points = PointsField(
        label=_("Points for the pairing-allocated bye"),
        initial=10,
        help_text=_("One player is left over if the number is odd. Most events give the points of a win."),
    )

    acceleration = forms.ChoiceField(
        label=_("Acceleration"),
        choices=[one for one in Section.Acceleration.choices if one[0] != Section.Acceleration.LISTED],
        required=False,
        help_text=_("Baku: the upper half gets virtual points in the first rounds (C.04.7)."),
    )

    chess960 = forms.BooleanField(
        label=_("Chess960"),
        required=False,
        help_text=_(
            "A start position is drawn for each round when it is published. It is the same on all boards."
        ),
    )

    half_bye_limit = forms.IntegerField(
        label=_("Half-point byes per player"),
        min_value=0,
        max_value=MAX_ROUNDS,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=_(
            "Empty: no limit. Where the rules are FIDE's, the program still asks before it gives a second bye."
        ),
    )
    last_bye_round = forms.IntegerField(
        label=_("Last round in which a bye is worth points"),
        min_value=0,
        max_value=MAX_ROUNDS,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=_("Empty: the last round of the section."),
    )
    lists_by_hand = forms.BooleanField(
        label=_("An arbiter publishes the list after each round"),
        required=False,
        help_text=_(
            "The pairing system says which list this is. Otherwise the list is published automatically when the last "
            "result of a round is in."
        ),
    )

    explained_to = forms.ChoiceField(
        label=_("“Why this pairing?” is shown to"),
        choices=[
            (Section.ExplainedTo.NOBODY.value, _("nobody except arbiters")),
            (
                Section.ExplainedTo.PLAYERS.value,
                _("players: on the public pages, once the round is published"),
            ),
            (Section.ExplainedTo.EVERYBODY.value, _("everybody: search engines and other programs too")),
        ],
        initial=Section.ExplainedTo.PLAYERS.value,
        required=False,
        help_text=_("Drafts and private events are never explained to visitors."),
    )

    players_confirm = forms.ChoiceField(
        label=_("Players confirm results on their phones"),
        choices=[
            (Section.PlayersConfirm.OFF.value, pgettext_lazy("players confirm results", "no")),
            (
                Section.PlayersConfirm.BESIDE.value,
                _("as a help: the slip decides, and what both players press is its second reading"),
            ),
            (
                Section.PlayersConfirm.INSTEAD.value,
                _("in place of the slips: what both players press is the result"),
            ),
        ],
        initial=Section.PlayersConfirm.OFF.value,
        required=False,
        help_text=_(
            "Each slip has a code for White and a code for Black. Print the slips after you change this."
        ),
    )

    time_control = forms.CharField(
        label=_("Time control"),
        max_length=120,
        required=False,
        help_text=_("Empty: the time control of the event. For example 90 minutes and 30 seconds a move."),
    )
    rules_text = forms.CharField(
        label=_("More rules for the players"),
        max_length=LONGEST_RULES,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_(
            "Plain text, at the end of the rules for the players. The program writes the other rules from the settings."
        ),
    )
    prizes_public = forms.BooleanField(
        label=_("The rules show the prizes"),
        required=False,
        help_text=_("The prizes of each category, and who may win them. Nobody sees who wins them."),
    )

    hall_rooms = forms.CharField(
        label=_("Where the boards stand"),
        max_length=LONGEST_ROOMS,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_(
            "One room in a line: its boards, how many stand in a row, and the room. For example 1-40/8 Main hall, "
            "ground floor. Players then find a map of the hall, and the room of their board."
        ),
    )

    def __init__(
        self,
        *args: Any,
        section: Section | None = None,
        locked: frozenset[str] = frozenset(),
        group: str = "",
        **options: Any,
    ) -> None:
        """group: the form has only the fields of this group."""
        if section is not None:
            options["initial"] = self._initial_of(section)
        super().__init__(*args, **options)
        self._own = section.system if section is not None else ""
        if section is not None and section.acceleration == Section.Acceleration.LISTED:
            cast(forms.ChoiceField, self.fields["acceleration"]).choices = Section.Acceleration.choices
        self._fixed = "system" in locked
        if len(SYSTEMS) > 1:
            self.fields["system"] = forms.ChoiceField(
                label=_("Pairing system"),
                choices=[(code, system_name(code)) for code in SYSTEMS],
                initial=DEFAULT_SYSTEM,
                widget=forms.RadioSelect,
            )
        for system in SYSTEMS.values():
            words = words_of(system.code)
            for option in system.choices:
                self.fields[self._field(system, option)] = option_field(option, words.options[option.name])
        shown = section or Section(system=self.chosen, options={})
        if not shown.of_fide:
            self.fields["half_bye_limit"].help_text = _("Empty: no limit.")
        of_options = set(self._fields_of_options()) if "options" in locked else set()
        for name in (locked | of_options) & set(self.fields):
            self.fields[name].disabled = True
        if group:
            own = self.group_fields(group)
            for name in [name for name in self.fields if name not in own]:
                del self.fields[name]

    def group_fields(self, group: str) -> list[str]:
        """Return the names of the fields of a group, with the options of all systems beside the system."""
        options = self._fields_of_options() if group == "pairing" else []
        return [name for name in (*GROUPS[group][1], *options) if name in self.fields]

    def groups(self, section: Section, form: SectionForm, opened: str = "") -> Iterator[SettingsGroup]:
        """Yield the settings of the section as text, as far as its system uses them. form: changes those of the group
        `opened`, or of all, `WHOLE`; the note of such a group is about all its fields.
        """
        system = system_named(self._own)
        unused = {*OF_PAIRED_ROUNDS} if system.fixed_rounds else set()
        others = {*self._fields_of_options()} - {self._field(system, option) for option in system.choices}
        for key, (name, _fields) in GROUPS.items():
            shown = [one for one in self.group_fields(key) if one not in unused | others]
            fixed = [one for one in shown if self.fields[one].disabled]
            lines = [
                GroupLine(
                    str(self.fields[one].label),
                    self.value_in_words(one, self.get_initial_for_field(self.fields[one], one)),
                    one in fixed,
                )
                for one in shown
            ]
            noted = shown if opened in (key, WHOLE) else fixed
            notes = [] if section.is_closed else lock_notes(noted, section)
            fields = [form[one] for one in GROUPS[key][1] if one in form.fields]
            yield SettingsGroup(key, name, lines, notes, fields)

    def value_in_words(self, name: str, value: Any) -> str:
        own = {
            self._field(system, option): option.name
            for system in SYSTEMS.values()
            for option in system.choices
        }
        field = self.fields[name]
        if value in (None, "") and name in EMPTY:
            return str(EMPTY[name])
        if name in own and (words := option_value(own[name], value)):
            return words
        if isinstance(field, forms.ChoiceField):
            choices = dict(cast("Iterable[tuple[object, object]]", field.choices))
            return str(choices.get(value or "", value or gettext("nothing")))
        return in_words(field, value)

    @classmethod
    def _initial_of(cls, section: Section) -> dict[str, Any]:
        found = {name: getattr(section, name) for name in cls.base_fields}
        return {**found, "system": section.system, **section.all_options}

    @property
    def chosen(self) -> str:
        """The code of the pairing system that is chosen, or the one of the page."""
        if "system" not in self.fields or self._fixed:
            return self._own or DEFAULT_SYSTEM
        asked = self.data.get("system", "") if self.is_bound else self.initial.get("system", "")
        return asked if asked in SYSTEMS else self._own or DEFAULT_SYSTEM

    def _field(self, system: PairingSystem, option: Option) -> str:
        """Return the name of the field of an option. Two systems may have the same option."""
        return option.name if system.code == self._own else f"{system.code}_{option.name}"

    def _fields_of_options(self) -> list[str]:
        return [self._field(system, option) for system in SYSTEMS.values() for option in system.choices]

    def field_of(self, name: str) -> str:
        """Return the field of an option of the chosen system; for another name the name itself."""
        options = {option.name: option for option in system_named(self.chosen).choices}
        return self._field(system_named(self.chosen), options[name]) if name in options else name

    def full_clean(self) -> None:
        """Read only what the chosen system uses."""
        others = [
            self.fields[self._field(system, option)]
            for system in SYSTEMS.values()
            if system.code != self.chosen
            for option in system.choices
            if self._field(system, option) in self.fields
        ]
        if system_named(self.chosen).fixed_rounds:
            others += [self.fields[name] for name in OF_PAIRED_ROUNDS if name in self.fields]
        locked = [field.disabled for field in others]
        for field in others:
            field.disabled = True
        super().full_clean()
        for field, was in zip(others, locked, strict=True):
            field.disabled = was

    def clean_explained_to(self) -> str:
        return self._asked_or_as_before("explained_to")

    def clean_players_confirm(self) -> str:
        return self._asked_or_as_before("players_confirm")

    def _asked_or_as_before(self, name: str) -> str:
        """Read a form without this field as one that does not change it."""
        asked: str = self.cleaned_data[name]
        return asked or str(self.get_initial_for_field(self.fields[name], name))

    def clean(self) -> dict[str, Any]:
        """Refuse numbers that contradict each other, together with all other errors."""
        cleaned = super().clean() or {}
        system = system_named(self.chosen)
        fields = {option.name: self._field(system, option) for option in system.choices}
        for error in system.above(
            {name: cleaned[field] for name, field in fields.items() if field in cleaned}
        ):
            self.add_error(fields[str(error.params["option"])], explain(refused_option(error)))
        return cleaned

    @property
    def systems(self) -> list[SystemChoice]:
        """The pairing systems to choose from, each with the fields of its options. A locked section has its own."""
        return [
            SystemChoice(
                code,
                system_name(code),
                about_system(code),
                code == self.chosen,
                [self[self._field(system, option)] for option in system.choices],
                bool(system.accelerated_code),
                system.fixed_rounds,
                system.of_fide,
            )
            for code, system in SYSTEMS.items()
            if code == self.chosen or not self._fixed
        ]

    def settings(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values of fields as `create_section` and `edit_section` take them."""
        fields = set(self._fields_of_options())
        found = {name: value for name, value in values.items() if name not in fields}
        system = system_named(self.chosen)
        options = {
            option.name: values[self._field(system, option)]
            for option in system.choices
            if self._field(system, option) in values
        }
        if not system.accelerated_code and ("acceleration" in found or system.code != self._own):
            found["acceleration"] = ""
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
