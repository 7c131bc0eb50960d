"""The form that players fill in, what keeps robots away from it, and forms that know what they showed.

Then what the desk sends: a mark with what the device showed, and the corrections that everybody there may make.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Self

from django import forms
from django.core import signing
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from base.text import lacks_comma, name_ways
from ratings.names import same_name
from registrations.actions.desk import CORRECTED, DeskMark
from registrations.models import EventRegistration, Registration
from registrations.person_fields import CORRECTABLE
from registrations.queries.places import SectionPlaces
from registrations.queries.rating_lists import listed_under
from tournaments.files import cell_values
from tournaments.models import Event, Sex, Title
from tournaments.player_fields import AT_DESK, REGISTERED, PlayerField
from tournaments.queries.byes import gives_half_bye
from web.forms.conflict_check import ConflictCheckForm, Contest, in_words
from web.forms.events import CapitalsField
from web.forms.fields import apply_rules

# The form that players fill in, and what keeps robots away from it.

SALT = "registrations.form"
QUICKEST = timedelta(seconds=2)
LATEST = timedelta(days=2)
GUARDIAN = ("guardian", "guardian_email")
FACTS = frozenset(CORRECTABLE) - {"name", *GUARDIAN}
"""Fields that stand beside each other."""


def new_stamp(event: Event) -> str:
    """Return a random key of a form of the event with the time when it was made, signed."""
    return signing.dumps(uuid.uuid4().hex, salt=_salt(event))


def _salt(event: Event) -> str:
    return f"{SALT}.{event.pk}"


def key_of(stamp: str, event: Event) -> uuid.UUID:
    """Return the key of a stamp. Raises ValidationError for one of another event, made up, too new or too old."""
    try:
        key = signing.loads(stamp, salt=_salt(event), max_age=LATEST)
    except signing.BadSignature as error:
        raise ValidationError(
            gettext("This page was open for too long. Send the form again."), code="old"
        ) from error
    try:
        signing.loads(stamp, salt=_salt(event), max_age=QUICKEST)
    except signing.SignatureExpired:
        return uuid.UUID(key)
    raise ValidationError(
        gettext("That was very quick. Check what you have typed, and send the form again."), code="quick"
    )


def text(
    label: Any, longest: int, hint: Any = "", *, required: bool = False, **attrs: Any
) -> forms.CharField:
    widget = forms.TextInput(attrs=attrs)
    return forms.CharField(label=label, max_length=longest, required=required, help_text=hint, widget=widget)


def mail(label: Any, *, required: bool = False, hint: Any = "", **attrs: Any) -> forms.EmailField:
    return forms.EmailField(
        label=label,
        required=required,
        help_text=hint,
        widget=forms.EmailInput(attrs=attrs),
        error_messages={"invalid": _("Write the whole address, such as name@example.org.")},
    )


def plain_inputs(fields: Iterable[PlayerField]) -> dict[str, forms.Field]:
    return {field.name: text(field.label, field.longest) for field in fields}


class PlayerDataForm(forms.Form):
    """What a registration says about a person."""

    name = text(_("Name"), 120, _("Surname, Given"), required=True, autocomplete="name")
    fide_id = forms.IntegerField(
        label=_("FIDE ID"),
        min_value=1,
        max_value=99_999_999_999,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    rating = forms.IntegerField(
        label=_("Rating"),
        min_value=cell_values.LOWEST_RATING,
        max_value=cell_values.HIGHEST_RATING,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "class": "short"}),
        help_text=_("Leave it empty if you have none, or if the rating list has you under your FIDE ID."),
    )
    title = forms.ChoiceField(label=_("Title"), choices=Title.choices, required=False)
    federation = CapitalsField(help_text=_("FIDE's code, such as NED."))
    birth_date = forms.DateField(
        label=_("Birth date"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date", "autocomplete": "bday"}, format="%Y-%m-%d"),
    )
    sex = forms.ChoiceField(label=_("Sex"), choices=Sex.choices, required=False)
    vars().update(plain_inputs(REGISTERED))
    phone = text(_("Telephone"), 40, autocomplete="tel", inputmode="tel")
    guardian = text(_("Name of a parent or guardian"), 120)
    guardian_email = mail(_("E-mail address of a parent or guardian"))
    message = forms.CharField(
        label=_("Message to the organiser"),
        required=False,
        max_length=1_000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    consent = forms.BooleanField(
        label=_("My name may appear in public lists"),
        required=False,
        help_text=_(
            "Without this tick, visitors see your initials. The report for the rating has your full name in any case."
        ),
    )

    question = ""
    """What the player must agree to, if the rating list has another person under the FIDE ID."""
    ways: Sequence[str] = ()
    """What a name without a comma may be, if that is asked."""

    def __init__(self, *args: Any, form: EventRegistration, **options: Any) -> None:
        self.registration = form
        super().__init__(*args, **options)
        if not form.asks_phone:
            del self.fields["phone"]
        for number, question in enumerate(form.questions):
            self.fields[f"answer_{number}"] = text(question, 200)
        if form.guardian_age:
            for name in GUARDIAN:
                self.needs(name, _asked_of_minors(form.guardian_age))
        self.of_minor = False

    @property
    def shows_guardian(self) -> bool:
        """Return whether the fields of a guardian are shown: of a minor, or once something is in them."""
        return self.of_minor or any(
            name in self.fields and (self[name].value() or self.errors.get(name)) for name in GUARDIAN
        )

    def needs(self, name: str, hint: Any = "") -> None:
        """Do not call a field optional that some players must fill in."""
        if name in self.fields:
            self.fields[name].asked = True  # type: ignore[attr-defined]
            self.fields[name].help_text = hint or self.fields[name].help_text

    @property
    def fact_fields(self) -> Sequence[forms.BoundField]:
        return [self[name] for name in self.fields if name in FACTS]

    @property
    def answer_fields(self) -> Sequence[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("answer_")]

    def clean_birth_date(self) -> str:
        born = self.cleaned_data["birth_date"]
        if born and not date(cell_values.FIRST_YEAR, 1, 1) <= born <= self.registration.event.end:
            raise ValidationError(gettext("Check the year of the birth date."))
        return born.strftime("%Y/%m/%d") if born else ""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        apply_rules(self, cleaned, {"name": cell_values.name, "federation": cell_values.federation})
        self._ask_order(cleaned)
        person = Registration(event=self.registration.event, birth_date=cleaned.get("birth_date") or "")
        age = person.age_on(self.registration.event.start)
        self.of_minor = age is not None and age < self.registration.guardian_age
        if self.of_minor:
            for name in GUARDIAN:
                if name in self.fields and not cleaned.get(name) and name not in self.errors:
                    self.add_error(name, _asked_of_minors(self.registration.guardian_age))
        return cleaned

    def _ask_order(self, cleaned: dict[str, Any]) -> None:
        """Ask which part of a name without a comma is the surname. An answer holds for this name alone."""
        name = cleaned.get("name") or ""
        if not lacks_comma(name) or name == self.initial.get("name"):
            return
        ways = name_ways(name)
        if self.data.get("name_as") in ways:
            cleaned["name"] = self.data["name_as"]
        else:
            self.ways = ways
            self.add_error(
                "name", _("Which part is the surname? Choose below: %(name)s?") % {"name": ways[0]}
            )

    def values(self) -> dict[str, Any]:
        """Return what was typed, by the columns of a registration."""
        found = {name: value for name, value in self.cleaned_data.items() if not name.startswith("answer_")}
        if self.registration.questions:
            count = range(len(self.registration.questions))
            found["answers"] = [self.cleaned_data.get(f"answer_{number}", "") for number in count]
        return found


def _asked_of_minors(age: int) -> str:
    return ngettext("Needed below the age of %(age)s.", "Needed below the age of %(age)s.", age) % {
        "age": age
    }


class RegisterForm(PlayerDataForm):
    """A new registration. website: a field that people do not see, and robots fill in."""

    section = forms.TypedChoiceField(label=_("Section"), coerce=int, widget=forms.RadioSelect)
    email = mail(
        _("E-mail address"),
        required=True,
        hint=_("For the link to your registration. It is not shown to anybody but the organisers."),
        autocomplete="email",
    )
    byes = forms.TypedMultipleChoiceField(
        label=_("Half-point byes in round"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    joins = forms.BooleanField(
        label=_("Show this event on my page with all my events"),
        required=False,
        help_text=_(
            "Without this tick, the site does not join your events. You can change it at any time with your personal "
            "link. For a minor, a parent or guardian decides."
        ),
    )
    website = forms.CharField(required=False)
    stamp = forms.CharField(widget=forms.HiddenInput, max_length=400)

    def __init__(self, *args: Any, places: Mapping[int, SectionPlaces], **options: Any) -> None:
        super().__init__(*args, **options)
        self.places = places
        sections = [each.section for each in places.values()]
        chosen: Any = self.fields["section"]
        chosen.choices = [(section.pk, section.name) for section in sections]
        if len(sections) == 1:
            self.initial.setdefault("section", sections[0].pk)
        limits = [each.limits for each in places.values()]
        if self.registration.guardian_age or any(
            (each.age_from, each.age_to) != (None, None) for each in limits
        ):
            self.needs(
                "birth_date", _("Leave it empty only if the rating list has you with your year of birth.")
            )
        if any(each.rating_from for each in limits):
            self.needs("rating")
        if any(each.women_only for each in limits):
            self.needs("sex", _("Needed for a section in which only women play."))
        if any(each.titles for each in limits):
            self.needs("title", _("Needed for a section that only takes players with a title."))
        byes: Any = self.fields["byes"]
        rounds = {
            number
            for section in sections
            for number in range(1, section.rounds + 1)
            if not section.fixed_rounds and gives_half_bye(section, number, 1)
        }
        byes.choices = [(number, str(number)) for number in sorted(rounds)]
        if not rounds:
            del self.fields["byes"]

    def clean_stamp(self) -> uuid.UUID:
        return key_of(str(self.cleaned_data["stamp"]), self.registration.event)

    def clean(self) -> dict[str, Any]:
        """Find out who needs a guardian: without a birth date, the rating list may know the year."""
        places = self.places.get(self.cleaned_data.get("section", 0))
        fide_id, name = self.cleaned_data.get("fide_id"), self.cleaned_data.get("name") or ""
        listed = listed_under(places.section, fide_id) if places and fide_id else None
        if listed is not None and lacks_comma(name) and same_name(listed.name, name):
            self.cleaned_data["name"] = listed.name
        if self.registration.guardian_age and self.cleaned_data.get("birth_date") == "":
            if listed is not None and listed.birth_year:
                self.cleaned_data["birth_date"] = str(listed.birth_year)
            else:
                required = self.fields["birth_date"].error_messages["required"]
                self.add_error("birth_date", ValidationError(required, code="required"))
        return super().clean()

    @property
    def is_of_robot(self) -> bool:
        return bool(self.data.get("website"))


# Forms of a person that know what they showed, by the columns of a registration.

BIRTH, ANSWERS, ANSWER = "birth_date", "answers", "answer_"


class ConflictCheckPlayerForm(PlayerDataForm, ConflictCheckForm):
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
            Contest((name,), str(self.fields[name].label), self.value_in_words(name, value), self._mine(name))
            for name, value in by_field.items()
        ]

    def value_in_words(self, name: str, value: Any) -> str:
        if name in self.masked and value:
            return "…"
        return str(value) if name == BIRTH and value else in_words(self.fields[name], value)

    def _mine(self, name: str) -> str:
        value = self.cleaned_data[name]
        return str(value) if name == BIRTH and value else in_words(self.fields[name], value)


# What the desk sends: a mark with what the device showed, and the corrections that everybody at the desk may
# make.

LONGEST_WAY = timedelta(days=7)
"""Of a mark, from the press to this server: a device may find the network again after the event."""


class DeskCorrectionForm(forms.Form):
    """The data that are read aloud at the desk. `shown_...` of a field is what the device showed."""

    name = text(_("Name"), 120, required=True)
    federation = CapitalsField()
    fide_id = forms.IntegerField(
        label=_("FIDE ID"),
        min_value=1,
        max_value=99_999_999_999,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )
    vars().update(plain_inputs(AT_DESK))

    @property
    def plain_fields(self) -> list[forms.BoundField]:
        return [self[field.name] for field in AT_DESK]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        apply_rules(self, cleaned, {"name": cell_values.name, "federation": cell_values.federation})
        return cleaned

    def fields_of_mark(self) -> dict[str, tuple[Any, Any]]:
        """Return each field that is not as it was shown."""
        changed = {}
        for name in CORRECTED:
            shown = self.data.get(f"shown_{name}", "")[:200]
            typed = self.cleaned_data[name]
            if str(typed or "") != shown:
                changed[name] = (number(shown) if name == "fide_id" else shown, typed)
        return changed


def number(typed: str) -> int:
    """Return a typed number, 0 for none."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 16 else 0


def read_mark(typed: Mapping[str, str], balance: int, fields: Mapping[str, tuple[Any, Any]]) -> DeskMark:
    """Return what was noted. balance: what is owed now, for a page that does not say what it showed."""
    asked = typed.get("do", "")
    owed = number(typed["owed"]) if "owed" in typed else max(balance, 0)
    return DeskMark(
        key=typed.get("key", "")[:40],
        ago=min(timedelta(milliseconds=number(typed.get("ago", ""))), LONGEST_WAY),
        waited=typed.get("waited") == "yes",
        here={"here": True, "both": True, "away": False}.get(asked),
        paid=(number(typed.get("paid", "")) or owed) if asked in ("paid", "both") else 0,
        owed=owed,
        undoes=typed.get("undoes", "")[:40],
        fields=fields,
    )
