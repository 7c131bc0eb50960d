"""Forms of an entry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from base.spelling import in_latin, latin_form
from evenboard_engine import ByeKind, Flag, system_named
from ratings.models import LABEL_LENGTH
from tournaments.entry_data import EntryData
from tournaments.files import cell_values
from tournaments.files.list_refusals import CellRefused
from tournaments.models import Participant, RatingSource, Section, Sex, Title
from tournaments.models.sections import MAX_ROUNDS
from tournaments.player_fields import FIELDS, PLAIN
from web.forms.conflict_check import ConflictCheckForm
from web.forms.events import CapitalsField
from web.forms.fields import apply_rules

FLAGS = (
    (Flag.KEEP.value, _("keep in the score group")),
    (Flag.NEW.value, _("never had a rating")),
    (Flag.LATE.value, _("entered late")),
)
SHORT = {"class": "short"}
RATING = {**SHORT, "min": cell_values.LOWEST_RATING, "max": cell_values.HIGHEST_RATING}
_RULES: dict[str, Callable[[str], Any]] = {
    "name": cell_values.name,
    "federation": cell_values.federation,
    "rating": cell_values.rating,
    "official_rating": cell_values.rating,
    "national_rating": cell_values.rating,
    "birth_date": cell_values.birth_date,
    "given": cell_values.rating,
}
"""The same rules as for an imported list."""


class RatingField(forms.IntegerField):
    """A rating; nothing for an unrated player, whose entry keeps 0."""

    def prepare_value(self, value: object) -> object:
        return "" if value == 0 else value

    def clean(self, value: object) -> int:
        return super().clean(value) or 0


class FlagsField(forms.MultipleChoiceField):
    """Ticks, kept as their values with blanks between them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=forms.CheckboxSelectMultiple, **options)

    def prepare_value(self, value: object) -> object:
        return value.split() if isinstance(value, str) else value

    def clean(self, value: object) -> str:
        return " ".join(sorted(super().clean(value.split() if isinstance(value, str) else value)))


class EntryForm(ConflictCheckForm):
    """One entry. The action checks whether it fits the section.

    Its pairing system says whether a player may be unrated, and whether it asks for teams and the like.
    """

    name = forms.CharField(
        label=_("Name"),
        max_length=120,
        help_text=_("Surname, Given"),
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off", "spellcheck": "false"}),
    )
    latin_name = forms.CharField(
        label=_("Name in Latin letters"),
        max_length=120,
        required=False,
        help_text=_("For the report to FIDE, if the name has other letters."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    title = forms.ChoiceField(label=_("Title"), choices=Title.choices, required=False)
    federation = CapitalsField()
    rating = RatingField(
        label=_("Rating"),
        widget=forms.NumberInput(attrs=RATING),
        help_text=_("With a FIDE ID, the rating list gives it. No rating? Assign a provisional one."),
    )
    rating_source = forms.ChoiceField(
        label=_("Source of the rating"), choices=RatingSource.choices, initial=RatingSource.TYPED.value
    )
    rating_list = forms.CharField(
        label=_("Rating list"), max_length=LABEL_LENGTH, required=False, help_text=_("For example 2026-11.")
    )
    official_rating = forms.IntegerField(
        label=_("Official rating"),
        required=False,
        widget=forms.NumberInput(attrs=RATING),
        help_text=_("The rating in the report file. Leave it empty if the player has none."),
    )
    national_rating = forms.IntegerField(
        label=_("National rating"), required=False, widget=forms.NumberInput(attrs=RATING)
    )
    national_id = forms.CharField(label=_("National ID"), max_length=11, required=False)
    fide_id = forms.IntegerField(
        label=_("FIDE ID"),
        min_value=1,
        max_value=99_999_999_999,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )
    birth_date = forms.CharField(
        label=_("Birth date"), max_length=10, required=False, help_text=_("YYYY/MM/DD")
    )
    by_initials = forms.BooleanField(
        label=_("Visitors see initials only"),
        required=False,
        help_text=_(
            "On public pages, screens, printed lists and in files for visitors, in all sections of the event. "
            "Arbiters see the full name, and the report for rating has it."
        ),
    )
    sex = forms.ChoiceField(label=_("Sex"), choices=Sex.choices, required=False)
    vars().update(
        {
            field.name: forms.CharField(label=field.label, max_length=field.longest, required=False)
            for field in PLAIN
        }
    )
    team = forms.CharField(label=_("Team"), max_length=32, required=False)
    pairing_flags = FlagsField(label=_("For the pairing"), choices=FLAGS)
    note = forms.CharField(
        label=_("Note"), max_length=200, required=False, help_text=_("Only arbiters see it.")
    )
    first_round = forms.IntegerField(
        label=_("First round"),
        min_value=1,
        max_value=MAX_ROUNDS,
        initial=1,
        widget=forms.NumberInput(attrs=SHORT),
    )

    def __init__(self, *args: Any, section: Section, **options: Any) -> None:
        super().__init__(*args, **options)
        name = str(self.data.get("name") or self.initial.get("name") or "")
        if in_latin(name) and not self.initial.get("latin_name") and not isinstance(self, NewEntryForm):
            del self.fields["latin_name"]
        else:
            self.fields["latin_name"].widget.attrs["placeholder"] = latin_form(name)
        system = system_named(section.system)
        if system.takes_unrated:
            self.fields["rating"].required = False
            self.fields["rating"].help_text = (
                _("The rules ask for an estimate if a player has no rating.")
                if system.wants_estimates
                else _("Leave it empty for an unrated player.")
            )
        if section.rating_method != Section.RatingMethod.OTHER:
            self.fields["rating"].required = False
            self.fields["rating"].help_text = _(
                "The rating that counts: %(method)s. Type one only for a player who has neither."
            ) % {"method": section.get_rating_method_display()}
        elif section.minimum_rating and isinstance(self, NewEntryForm):
            self.fields["rating"].required = False
            self.fields["rating"].help_text = _(
                "A player without a rating gets %(rating)s, the minimum rating of the section."
            ) % {"rating": section.minimum_rating}
        self.fields["rating"].required = False  # the rating list may give it
        flags = [(flag, label) for flag, label in FLAGS if flag in system.player_facts]
        cast("FlagsField", self.fields["pairing_flags"]).choices = flags
        if not flags:
            del self.fields["pairing_flags"]
        if "team" not in system.player_facts:
            del self.fields["team"]
        if system.fixed_rounds:  # nobody comes late
            del self.fields["first_round"]
            self.fields.pop("missed", None)

    @property
    def plain_fields(self) -> list[forms.BoundField]:
        return [self[field.name] for field in PLAIN]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        apply_rules(self, cleaned, _RULES)
        return cleaned

    def clean_latin_name(self) -> str:
        typed = str(self.cleaned_data["latin_name"]).strip()
        if not in_latin(typed):
            raise ValidationError(gettext("Use Latin letters only."))
        return typed

    def entry(self) -> EntryData:
        asked_by_some = ("team", "pairing_flags", "first_round")
        left_out = {name: self.initial[name] for name in asked_by_some if name not in self.fields}
        return EntryData(**left_out, **self.wanted())

    @classmethod
    def initial_of(cls, participant: Participant) -> dict[str, Any]:
        return {field.name: field.value(participant) for field in FIELDS if field.name in cls.base_fields}


class NewEntryForm(EntryForm):
    """A new entry. A late one has missed rounds."""

    missed = forms.ChoiceField(
        label=_("Missed rounds"),
        required=False,
        choices=[
            ("", _("no points")),
            (ByeKind.ZERO.value, _("zero-point byes")),
            (ByeKind.HALF.value, _("half-point byes (if the rules of the tournament say so)")),
        ],
        help_text=_("Only for late entries."),
    )

    def entry(self) -> EntryData:
        return EntryData(**{name: value for name, value in self.cleaned_data.items() if name != "missed"})


class AddRowForm(NewEntryForm):
    """The row above the list of entries. A player of a rating list fills its hidden fields too; the rest of an entry
    is on the page of the player.

    given: a rating that the arbiter gives to a player without one.
    """

    PICKED = ("title", "sex", "birth_date", "national_id", "rating", "rating_source", "rating_list")
    given = RatingField(label=_("Rating given by the arbiter"), widget=forms.NumberInput(attrs=RATING))

    def __init__(self, *args: Any, section: Section, **options: Any) -> None:
        super().__init__(*args, section=section, **options)
        for name in ("rating_source", "given"):
            self.fields[name].required = False
        self.fields["official_rating"].label = _("FIDE rating")
        for field in self.fields.values():  # the row has no room for hints
            field.help_text = ""
        for name in self.PICKED:
            self.fields[name].widget = forms.HiddenInput()
        named = self.fields["name"].widget.attrs
        named |= {"role": "combobox", "aria-expanded": "false", "aria-controls": "add-hits"}
        named |= {"aria-autocomplete": "list", "aria-describedby": "add-status", "enterkeyhint": "done"}
        if not self.errors:
            named["autofocus"] = True

    @property
    def suggested_federation(self) -> str:
        """The code of FIDE that was probably meant by a refused one, or ""."""
        try:
            return cell_values.federation(str(self["federation"].value() or "").strip() or "NON")
        except CellRefused as refused:
            return refused.suggestion

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if given := cleaned.pop("given", 0):
            cleaned |= {"rating": given, "rating_source": RatingSource.PROVISIONAL.value, "rating_list": ""}
        cleaned["rating_source"] = cleaned.get("rating_source") or RatingSource.TYPED.value
        return cleaned
