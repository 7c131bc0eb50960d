"""Fields for the options of a pairing system. Each field reads and shows the text that a section keeps."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from base.reader import READER
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
from evenboard_engine.words.systems import OptionWords
from web.forms.points import PointsField


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
