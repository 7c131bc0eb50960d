"""The prizes of a section while an arbiter works on them. Nothing is saved until the arbiter says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from base.reader import READER
from base.text import one_line
from evenboard_engine.prizes import Method
from evenboard_engine.words.prizes import METHOD_MEANINGS, METHODS, money_text
from tournaments.models import PrizeCategory, PrizePlan, Sex
from tournaments.models.events import federation_form
from tournaments.models.prizes import (
    LONGEST_CURRENCY,
    LONGEST_NAME,
    MOST_CATEGORIES,
    MOST_PRIZES,
    UNRATED_ASKED,
    Units,
    Unrated,
)

AMOUNT = re.compile(r"([0-9]{1,8})(?:[.,]([0-9]{1,2}))?")
LONGEST_LIST = 1_000
KEY = re.compile(r"[0-9]{1,4}")


class PrizesField(forms.CharField):
    """Amounts with blanks or semicolons between them: 500 300 33.50. Gives a tuple of hundredths."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_LIST, **options)

    def prepare_value(self, value: Any) -> Any:
        return " ".join(money_text(prize, READER) for prize in value) if isinstance(value, tuple) else value

    def clean(self, value: object) -> tuple[int, ...]:
        prizes = []
        for text in re.split(r"[\s;]+|,\s+", super().clean(value)):
            found = AMOUNT.fullmatch(text)
            if text and found is None:
                raise ValidationError(
                    _(
                        "“%(text)s” is not an amount. Write the prizes with a space between them, such as "
                        "500 300 200."
                    )
                    % {"text": text}
                )
            if found is not None:
                prizes.append(100 * int(found[1]) + int((found[2] or "").ljust(2, "0")))
        if not prizes or not all(prizes):
            raise ValidationError(_("Write at least one prize, and no prize of 0."))
        if len(prizes) > MOST_PRIZES:
            raise ValidationError(_("A category can have %(most)s prizes at most.") % {"most": MOST_PRIZES})
        return tuple(prizes)


class FederationsField(forms.CharField):
    """Codes with blanks or commas between them. Gives a tuple."""

    def prepare_value(self, value: Any) -> Any:
        return " ".join(value) if isinstance(value, tuple) else value

    def clean(self, value: object) -> tuple[str, ...]:
        codes = re.split(r"[\s,;]+", super().clean(value).upper())
        for code in codes:
            if code and not federation_form.fullmatch(code):
                raise ValidationError(
                    _("%(code)s is not a federation. A federation is three letters, such as NED.")
                    % {"code": code}
                )
        return tuple(dict.fromkeys(code for code in codes if code))


def _number(label: Any, least: int, most: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


class CategoryForm(forms.Form):
    """One category. An empty limit is none."""

    name = forms.CharField(label=pgettext_lazy("of a prize category", "Name"), max_length=LONGEST_NAME)
    prizes = PrizesField(
        label=gettext_lazy("Prizes"),
        help_text=gettext_lazy("From the first place on, with spaces between them: 500 300 200"),
    )
    method = forms.ChoiceField(label=gettext_lazy("Players level on points"))
    rating_from = _number(gettext_lazy("Rating from"), 1, 3999)
    rating_to = _number(gettext_lazy("Rating to"), 1, 3999)
    unrated = forms.ChoiceField(
        label=gettext_lazy("Unrated players"), choices=[("", "–"), *Unrated.choices], required=False
    )
    sex = forms.ChoiceField(
        label=gettext_lazy("Sex"),
        choices=[
            ("", gettext_lazy("all")),
            (Sex.FEMALE.value, Sex.FEMALE.label),
            (Sex.MALE.value, Sex.MALE.label),
        ],
        required=False,
    )
    born_from = _number(gettext_lazy("Born in or after"), 1900, 2999)
    born_to = _number(gettext_lazy("Born in or before"), 1900, 2999)
    club = forms.CharField(label=gettext_lazy("Club"), max_length=LONGEST_NAME, required=False)
    federations = FederationsField(label=gettext_lazy("Federations"), max_length=LONGEST_LIST, required=False)

    def __init__(self, *args: Any, year: int, **options: Any) -> None:
        super().__init__(*args, **{"use_required_attribute": False, **options})
        method = self.fields["method"]
        assert isinstance(method, forms.ChoiceField)
        method.choices = [(found.value, _(METHODS[found])) for found in Method]
        self.fields["born_from"].help_text = _("Under 18 in %(year)s: %(born)s") % {
            "year": year,
            "born": year - 18,
        }
        self.fields["born_to"].help_text = _("50 or older in %(year)s: %(born)s") % {
            "year": year,
            "born": year - 50,
        }

    @property
    def limits(self) -> list[forms.BoundField]:
        """The fields that say who may win."""
        return [self[name] for name in self.fields if name not in ("name", "prizes", "method")]

    @property
    def limited(self) -> bool:
        """Whether a limit is set or wrong, so that the page shows the limits."""
        return any(
            found.errors or found.value() not in (None, "", 0, (), Unrated.TOO.value) for found in self.limits
        )

    def category(self) -> PrizeCategory:
        """Return the category of a form that is valid."""
        found = self.cleaned_data
        return PrizeCategory(
            **{
                **found,
                "name": one_line(found["name"]),
                "club": one_line(found["club"]),
                "method": Method(found["method"]),
                **{name: found[name] or 0 for name in ("rating_from", "rating_to", "born_from", "born_to")},
            }
        )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        for first, last in (("rating_from", "rating_to"), ("born_from", "born_to")):
            if values.get(first) and values.get(last) and values[first] > values[last]:
                self.add_error(last, _("This is below the other limit, so nobody could win."))
        if not values.get("unrated") and "unrated" not in self.errors:
            if values.get("rating_from") or values.get("rating_to"):
                self.add_error("unrated", UNRATED_ASKED)
            values["unrated"] = Unrated.TOO.value
        return values


class PlanForm(forms.Form):
    """How the prizes of all categories are given."""

    currency = forms.CharField(
        label=gettext_lazy("Currency"),
        max_length=LONGEST_CURRENCY,
        required=False,
        help_text=gettext_lazy("For example EUR."),
    )
    best_only = forms.TypedChoiceField(
        label=gettext_lazy("Prizes of a player"),
        choices=[("1", gettext_lazy("only the best one")), ("0", gettext_lazy("one in each category"))],
        coerce=lambda value: value == "1",
    )
    unit = forms.TypedChoiceField(
        label=gettext_lazy("Round down to multiples of"), choices=Units.choices, coerce=int
    )
    rest_to_best = forms.TypedChoiceField(
        label=gettext_lazy("The rest after rounding"),
        choices=[("1", gettext_lazy("goes to the best placed")), ("0", gettext_lazy("is not paid"))],
        coerce=lambda value: value == "1",
    )
    withdrawn = forms.BooleanField(label=gettext_lazy("Withdrawn players may win"), required=False)


@dataclass(frozen=True, slots=True)
class WorkingPlan:
    """The form of the whole plan. categories: with the key of each in the form."""

    plan: PlanForm
    categories: Sequence[tuple[int, CategoryForm]]

    def is_valid(self) -> bool:
        return all([self.plan.is_valid(), *(form.is_valid() for _key, form in self.categories)])

    def read(self) -> PrizePlan:
        """Return the plan of a form that is valid."""
        categories = tuple(form.category() for _key, form in self.categories)
        values = {**self.plan.cleaned_data, "currency": one_line(self.plan.cleaned_data["currency"])}
        return PrizePlan(categories, **values)


def work_on(plan: PrizePlan, year: int) -> WorkingPlan:
    """Return the form of the plan that a section has. Without one, it has an empty category for everybody."""
    values = {name: getattr(plan, name) for name in PlanForm.base_fields}
    values |= {name: str(int(values[name])) for name in ("best_only", "rest_to_best")}
    found = [_initial(category) for category in plan.categories] or [{"name": _("General")}]
    return WorkingPlan(
        PlanForm(initial=values),
        [
            (key, CategoryForm(initial=initial, prefix=f"c{key}", year=year))
            for key, initial in enumerate(found)
        ],
    )


def _initial(category: PrizeCategory) -> dict[str, Any]:
    """Return the values for the form of a category. A limit that is not set is an empty field."""
    values = {name: getattr(category, name) for name in CategoryForm.base_fields}
    shown = {name: None if value == 0 else value for name, value in values.items()}
    if category.unrated == Unrated.TOO and not (category.rating_from or category.rating_to):
        shown["unrated"] = ""  # nobody has answered yet, and a limit asks
    return {**shown, "method": category.method.value}


def work_from(data: QueryDict, year: int) -> WorkingPlan:
    """Return the form after what its button does: up, down, remove with the key of a category, or add."""
    keys = [int(key) for key in dict.fromkeys(data.getlist("category")) if KEY.fullmatch(key)][
        :MOST_CATEGORIES
    ]
    what, _colon, text = data.get("do", "").partition(":")
    key = int(text) if KEY.fullmatch(text) else -1
    if key in keys:
        at = keys.index(key)
        keys.pop(at)
        if what != "remove":
            keys.insert(max(0, at - 1) if what == "up" else at + 1, key)
    forms_of_keys = [(key, CategoryForm(data, prefix=f"c{key}", year=year)) for key in keys]
    if what == "add" and len(keys) < MOST_CATEGORIES:
        new = max(keys, default=0) + 1
        added = CategoryForm(prefix=f"c{new}", year=year)
        added.fields["name"].widget.attrs["autofocus"] = True
        forms_of_keys.append((new, added))
    return WorkingPlan(PlanForm(data), forms_of_keys)


def methods() -> list[tuple[str, str]]:
    """Return each method with its meaning."""
    return [(_(METHODS[method]), _(METHOD_MEANINGS[method])) for method in Method]
