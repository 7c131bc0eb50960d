"""The form that makes a section by steps. What is typed is kept in the session until the section is made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from evenboard_engine import SYSTEMS, Colour, system_named
from evenboard_engine.systems.registry import DEFAULT_SYSTEM
from evenboard_engine.tiebreaks import read_list
from evenboard_engine.trf import read_time_control, time_control_code, time_control_kind
from evenboard_engine.trf.time_controls import STANDARD
from tournaments.actions.sections import BY_LOT, FirstSettings
from tournaments.errors import FIDE_MODE_TO_CONFIRM, DomainError
from tournaments.models import Event, RoundStart, Section
from tournaments.queries.rating_lists import DEFAULTS
from tournaments.questions import Answers
from web.forms.events import CapitalsField
from web.forms.fields import ClockField, offer_choices
from web.forms.sections import OF_PAIRED_ROUNDS, ScheduleForm, SectionForm
from web.forms.tie_breaks import names_of_list, ready_made
from web.forms.tie_breaks import presets as named_presets

START, CHECK = "start", "check"
OWN_LIST, TYPED_LIST = "", "typed"
ON, OFF = "on", "off"
LONGEST_VALUE = 4_000

STEPS: dict[str, tuple[str, ...]] = {
    START: ("name", "rounds", "system", "acceleration"),
    "dates": ("time_control", "lists", "chess960"),
    "points": ("win_points", "draw_points", "loss_points", "bye_points", "half_bye_limit", "last_bye_round"),
    "places": (
        "rating_from",
        "rating_to",
        "ties",
        "tie_codes",
        "rating_method",
        "rating_federation",
        "equals_by",
    ),
    "rules": (
        "colour",
        "fide_mode",
        "reason",
        "sure",
        "explained_to",
        "lists_by_hand",
        "players_confirm",
        "rules_text",
        "prizes_public",
        "hall_rooms",
    ),
    CHECK: (),
}
"""The fields of each step, in order. The options of the pairing systems are with the system; the days of the rounds
have a form of their own."""
STEP_NAMES = {
    START: _("Name and system"),
    "dates": _("Dates and time"),
    "points": _("Points and byes"),
    "places": _("Tie-breaks and ratings"),
    "rules": _("Rules"),
    CHECK: pgettext_lazy("of all settings", "Summary"),
}
KINDS: dict[str, tuple[Any, dict[str, str]]] = {
    "open": (
        pgettext_lazy("a kind of event", "Open"),
        {"rounds": "9", "half_bye_limit": "1", "ties": "open"},
    ),
    "youth": (
        pgettext_lazy("a kind of event", "Youth"),
        {"rounds": "7", "half_bye_limit": "1", "ties": "open", "equals_by": "younger"},
    ),
    "round-robin": (
        pgettext_lazy("a kind of event", "Round robin"),
        {"rounds": "9", "ties": "round_robin"},
    ),
    "rapid": (
        pgettext_lazy("a kind of event", "Rapid"),
        {
            "rounds": "9",
            "half_bye_limit": "0",
            "ties": "open",
            "lists": "rapid",
            "time_control": "15 min + 10 s",
        },
    ),
    "blitz": (
        pgettext_lazy("a kind of event", "Blitz"),
        {
            "rounds": "11",
            "half_bye_limit": "0",
            "ties": "open",
            "lists": "blitz",
            "time_control": "3 min + 2 s",
        },
    ),
}
"""What most events of a kind choose."""
RATINGS = {
    STANDARD: pgettext_lazy("a rating", "standard"),
    "rapid": pgettext_lazy("a rating", "rapid"),
    "blitz": pgettext_lazy("a rating", "blitz"),
}
FIXED = "round-robin"
"""The kind whose system has fixed rounds."""


COLOURS = "colours"
"""The fold that has the options of the pairing system too."""
FOLDS: dict[str, tuple[Any, tuple[str, ...], tuple[str, ...]]] = {
    "numbers": (
        _("Numbers and ratings"),
        ("rating_method", "rating_federation", "equals_by", "lists"),
        ("rating_method",),
    ),
    "byes": (_("Byes"), ("half_bye_limit", "last_bye_round", "bye_points"), ("half_bye_limit",)),
    "places": (
        pgettext_lazy("of the players", "Places"),
        ("ties", "tie_codes", "win_points", "draw_points", "loss_points"),
        ("ties",),
    ),
    COLOURS: (_("Colours and options"), ("colour", "chess960"), ("colour",)),
    "fide": (_("FIDE mode"), ("fide_mode", "reason", "sure"), ("fide_mode",)),
    "public": (
        _("Public pages"),
        ("explained_to", "lists_by_hand", "players_confirm", "rules_text", "prizes_public", "hall_rooms"),
        ("explained_to",),
    ),
}
"""What else can be set on the one page, folded: name, fields, and the fields whose values the closed fold shows."""


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A line of the summary. field: the address of its field on the page of the step."""

    label: str
    value: str
    field: str


class YesInput(forms.CheckboxInput):
    """A box that sends the answer to a question, and is ticked while what was sent answers it."""

    def ask(self, question: DomainError, about: object) -> str:
        answer = Answers(about).to(question)
        self.attrs["value"], self.check_test = answer, lambda sent: sent == answer
        return answer

    def format_value(self, value: Any) -> None:
        """Leave the value to the attributes."""

    def value_from_datadict(self, data: Mapping[str, Any], _files: Any, name: str) -> Any:
        return data.get(name, "")


class RoundDaysForm(forms.Form):
    """The first day, the times at which rounds begin, and every how many days: they fill in the days of all rounds."""

    first_day = forms.DateField(
        label=_("First day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    every = forms.ChoiceField(
        label=_("Then"),
        required=False,
        choices=[("1", _("every day at")), ("7", _("every week at"))],
        initial="1",
    )
    at = forms.CharField(
        label=_("Time"),
        required=False,
        max_length=80,
        help_text=_("Several on one day: 9.30, 14.00, 18.30. Empty: no dates yet."),
        widget=forms.TextInput(attrs={"placeholder": "14:00"}),
    )

    def clean_at(self) -> list[time]:
        read = ClockField()
        typed = re.split(r"[,;]\s*|\s+", self.cleaned_data["at"].strip())
        return [found for one in typed if (found := read.clean(one)) is not None]

    def days(self, rounds: int) -> dict[str, str]:
        """Return the day and the time of each round by the names of `ScheduleForm`; nothing without a time."""
        first: date | None = self.cleaned_data.get("first_day")
        times: list[time] = self.cleaned_data.get("at") or []
        found = dict[str, str]()
        if first is None or not times:
            return found
        for place in range(rounds):
            day = first + timedelta(days=place // len(times) * int(self.cleaned_data["every"] or 1))
            found[f"day-{place + 1}"] = f"{day:%Y-%m-%d}"
            found[f"time-{place + 1}"] = f"{times[place % len(times)]:%H:%M}"
        return found


class NewSectionForm(SectionForm):
    """All settings of a new section, on one page or step by step."""

    colour = forms.ChoiceField(
        label=_("Initial-colour"),
        choices=[
            ("", _("drawn by lot later, in the cockpit")),
            (BY_LOT, _("drawn by lot now")),
            (Colour.WHITE.value, _("White, as it was drawn")),
            (Colour.BLACK.value, _("Black, as it was drawn")),
        ],
        required=False,
        help_text=_("A lot decides who has White in round 1. Most events draw it in public at the opening."),
    )
    lists = forms.ChoiceField(
        label=_("Kind of rating"),
        choices=[*RATINGS.items()],
        initial=STANDARD,
        help_text=_(
            "The list of FIDE in which a player is looked up first. It follows from the time control (B.02)."
        ),
    )
    ties = forms.ChoiceField(
        label=_("Tie-breaks"),
        required=False,
        help_text=_("They decide between players with the same points. Announce them before round 1 (C.07)."),
    )
    tie_codes = forms.CharField(
        label=_("Other tie-breaks"),
        required=False,
        max_length=300,
        help_text=_(
            "Codes in their order, with commas, such as BH/C1, BH, SB. The page Tie-breaks has all codes."
        ),
    )
    rating_from = forms.IntegerField(
        label=_("Rating from"),
        min_value=1,
        max_value=3999,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=_("Arbiters are warned of an entry below. Empty: no limit."),
    )
    rating_to = forms.IntegerField(
        label=_("Rating to"),
        min_value=1,
        max_value=3999,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=_("Arbiters are warned of an entry above. Empty: no limit."),
    )
    rating_method = forms.ChoiceField(
        label=_("Tournament rating"),
        choices=Section.RatingMethod.choices,
        initial=Section.RatingMethod.OTHER.value,
        required=False,
        help_text=_(
            "The players are numbered by this rating. Events that FIDE rates mostly take the FIDE rating (C.04.2, 2.1)."
        ),
    )
    rating_federation = CapitalsField(
        label=_("Federation of the national ratings"),
        help_text=_("Three letters, such as NED. Empty: the federation of the event."),
    )
    equals_by = forms.ChoiceField(
        label=_("Order of players with the same rating and title"),
        choices=Section.EqualsBy.choices,
        initial=Section.EqualsBy.NAME.value,
        required=False,
        help_text=_("Most events take the alphabet. Announce any other order (C.04.2, 2.2)."),
    )
    fide_mode = forms.ChoiceField(
        label=_("FIDE mode"),
        choices=[(ON, _("on: what FIDE does not allow is refused")), (OFF, _("off permanently"))],
        initial=ON,
        required=False,
        help_text=_(
            "Leave it on if FIDE rates the section. A section without FIDE mode can never return to it."
        ),
    )
    reason = forms.CharField(label=_("Reason for turning FIDE mode off"), max_length=200, required=False)
    sure = forms.CharField(
        label=_(
            "Begin without FIDE mode: the report says so, and the rating officer may refuse to rate the section"
        ),
        widget=YesInput,
        required=False,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        values = self.data if self.is_bound else self.initial
        self.asks_sure = values.get("fide_mode") == OFF
        box = self.fields["sure"].widget
        assert isinstance(box, YesInput)
        about = [str(values.get(name, "")).strip() for name in ("name", "system", "reason")]
        self.yes = box.ask(FIDE_MODE_TO_CONFIRM.error(paired=0), about)
        offer_choices(self, "ties", tie_choices(self.chosen))

    @property
    def ties_of_systems(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return the choices of tie-breaks of each system, so that the page can offer those of the chosen one."""
        return [(system.code, tie_choices(system.code)) for system in self.systems]

    def fields_of(self, step: str) -> list[str]:
        """Return the names of the fields of a step that the chosen system uses."""
        system = system_named(self.chosen)
        unused = {*OF_PAIRED_ROUNDS, "colour"} - {"rounds"} if system.fixed_rounds else set()
        if not system.of_fide:
            unused |= {"fide_mode", "reason", "sure"}
        if not self.asks_sure:
            unused.add("sure")
        return [name for name in self.all_fields_of(step) if name not in unused]

    def all_fields_of(self, step: str) -> list[str]:
        """Return the names of the fields of a step for any system."""
        options = self._fields_of_options() if step == START else []
        return [name for name in (*STEPS[step], *options) if name in self.fields]

    def step_of(self, name: str) -> str:
        """Return the step that has a field; the summary for an error at no field."""
        return next((step for step in STEPS if name in self.fields_of(step)), CHECK)

    def bound_fields(self, step: str) -> Iterator[forms.BoundField]:
        """Yield the fields of a step in order, for a page that shows them one below the other."""
        yield from (self[name] for name in self.fields_of(step))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("fide_mode") == OFF and "fide_mode" in self.fields_of("rules"):
            if not cleaned.get("reason"):
                self.add_error("reason", gettext("Give a reason. It goes into the log."))
            if cleaned.get("sure") != self.yes:
                self.add_error("sure", gettext("Tick this, or leave FIDE mode on."))
        if cleaned.get("ties") == TYPED_LIST and not cleaned.get("tie_codes"):
            self.add_error("tie_codes", gettext("Type the codes of the tie-breaks."))
        lowest, highest = cleaned.get("rating_from"), cleaned.get("rating_to")
        if lowest and highest and lowest > highest:
            self.add_error("rating_to", gettext("The highest rating is below the lowest rating."))
        return cleaned

    def keep_errors_of(self, step: str) -> None:
        """Forget the errors at the fields of other steps: the summary asks for them."""
        for name in [name for name in self.errors if name not in self.fields_of(step)]:
            del self.errors[name]

    @property
    def wrong_step(self) -> str:
        """Return the first step with an error; the summary if the errors belong to no field."""
        return next((step for step in STEPS if {*self.fields_of(step)} & {*self.errors}), CHECK)

    def section_settings(self) -> dict[str, Any]:
        """Return what `create_section` takes, without `first`."""
        own = set(SectionForm.base_fields) | {"system", *self._fields_of_options()}
        return self.settings({name: value for name, value in self.cleaned_data.items() if name in own})

    def first_settings(self, starts: Mapping[int, RoundStart]) -> FirstSettings:
        """Return what the section begins with besides."""
        values = self.cleaned_data
        lists = values["lists"] or "standard"
        off = values["fide_mode"] == OFF and "fide_mode" in self.fields_of("rules")
        return FirstSettings(
            initial_colour=values["colour"],
            tie_breaks=self.tie_breaks(),
            rating_method=values["rating_method"] or Section.RatingMethod.OTHER.value,
            rating_federation=values["rating_federation"],
            equals_by=values["equals_by"] or Section.EqualsBy.NAME.value,
            rating_lists=() if lists == "standard" else DEFAULTS[lists],
            starts=starts,
            fide_mode=not off,
            reason=values["reason"],
            rating_from=values["rating_from"],
            rating_to=values["rating_to"],
        )

    def tie_breaks(self) -> list[str] | None:
        """Return the codes of the chosen list; None for the list of the system."""
        key = self.cleaned_data["ties"]
        if key == OWN_LIST:
            return None
        if key == TYPED_LIST:
            return [rule.text for rule in read_list(self.cleaned_data["tie_codes"].upper())]
        return [rule.text for rule in ready_made(self.chosen)[key]]

    def summary(self, step: str) -> list[SummaryLine]:
        """Return what was chosen in a step, in words; only if the form has no errors."""
        system = system_named(self.chosen)
        own = {self._field(system, option) for option in system.choices}
        others = {"sure", *self._fields_of_options()} - own
        if not system.accelerated_code:
            others.add("acceleration")
        if self.cleaned_data.get("fide_mode") != OFF:
            others.add("reason")
        if self.cleaned_data.get("ties") != TYPED_LIST:
            others.add("tie_codes")
        return [self.summary_line(name) for name in self.fields_of(step) if name not in others]

    def summary_line(self, name: str) -> SummaryLine:
        """Return what a field has, in words."""
        value = self.value_in_words(name, self.cleaned_data.get(name))
        return SummaryLine(str(self[name].label), value, f"#{self[name].auto_id}")


def tie_choices(system: str) -> list[tuple[str, str]]:
    """Return the ready-made lists of tie-breaks of a pairing system, each with the names of its tie-breaks."""
    own = system_named(system)
    first = read_list(own.first_tie_breaks or own.tie_breaks)
    names = names_of_list(first)
    lists = [
        (key, gettext("%(name)s: %(tie_breaks)s") % {"name": name, "tie_breaks": listed})
        for key, name, listed in named_presets(system)
        if key != "own" and listed != names
    ]
    first_choice = gettext("of the pairing system: %(tie_breaks)s") % {"tie_breaks": names}
    return [(OWN_LIST, first_choice), *lists, (TYPED_LIST, gettext("others, typed below"))]


class SectionDraft:
    """What was typed for a new section of an event, kept in the session. Values are texts by the name of the field."""

    def __init__(self, session: MutableMapping[str, Any], event: Event) -> None:
        self._session, self._key = session, str(event.pk)
        self.values: dict[str, str] = dict(session.get("new_section", {}).get(self._key, {}))
        self._event = event

    def round_days(self, *, bound: bool) -> RoundDaysForm:
        """Return the form that fills in the days of the rounds."""
        values = {"first_day": f"{self._event.start:%Y-%m-%d}", "every": "1", **self.values}
        return RoundDaysForm(values) if bound else RoundDaysForm(initial=values)

    def fill_in_days(self) -> bool:
        """Fill in the days of the rounds that have none. Return whether the first day and the times can be read."""
        form = self.round_days(bound=True)
        if not form.is_valid():
            return False
        system = SYSTEMS.get(self.values.get("system") or DEFAULT_SYSTEM)
        if system is not None and not system.fixed_rounds:
            found = form.days(self._rounds)
            for number in range(1, self._rounds + 1):
                day, at = f"day-{number}", f"time-{number}"
                if day in found and not self.values.get(day):
                    self.values[day], self.values[at] = found[day], self.values.get(at) or found[at]
        self._save()
        return True

    @property
    def _rounds(self) -> int:
        rounds = self.values.get("rounds", "9")
        return min(int(rounds), 60) if rounds.isascii() and rounds.isdigit() and len(rounds) < 4 else 0

    def form(self, *, bound: bool) -> NewSectionForm:
        """Return the form with the values. bound: as if they were sent, so that it says what is wrong."""
        if not bound:
            return NewSectionForm(initial={"rounds": 9, **self.values})
        first = {name: _text(field) for name, field in NewSectionForm().fields.items()}
        data = {"rounds": "9", **{name: text for name, text in first.items() if text}, **self.values}
        return NewSectionForm(data, initial={"rounds": 9})

    def days(self, *, bound: bool) -> ScheduleForm:
        section = Section(event=self._event, rounds=self._rounds, schedule=[])
        days = {name: value for name, value in self.values.items() if name.startswith(("day-", "time-"))}
        return ScheduleForm(section, days) if bound else ScheduleForm(section, initial=days)

    def take(self, sent: QueryDict, names: Iterable[str]) -> None:
        """Keep what a page sent for its fields. A tick that was not sent is none."""
        names = [*names, *RoundDaysForm.base_fields]
        fields, former_codes = NewSectionForm().fields, self.values.get("tie_codes", "")
        first = {name: _text(fields[name]) for name in ("win_points", "bye_points")} | self.values
        bye_follows = sent.get("bye_points") == first["bye_points"] == first["win_points"] and not sent.get(
            "own_bye"
        )
        days = [name for name in sent if re.fullmatch(r"(day|time)-[0-9]{1,2}", name)]
        for name in [*names, *days]:
            if name in sent:
                self.values[name] = str(sent[name])[:LONGEST_VALUE]
            elif name in fields and isinstance(fields[name].widget, forms.CheckboxInput):
                self.values[name] = ""
        if bye_follows and "win_points" in names:
            self.values["bye_points"] = self.values["win_points"]
        self._keep_one_list_of_ties(former_codes)
        self._save()

    def _keep_one_list_of_ties(self, former_codes: str) -> None:
        """Let the last choice of tie-breaks count: codes that were just typed, or the list that was chosen instead."""
        codes = self.values.get("tie_codes", "")
        if codes and self.values.get("ties", OWN_LIST) != TYPED_LIST:
            if codes != former_codes:
                self.values["ties"] = TYPED_LIST
            else:
                self.values["tie_codes"] = ""

    def take_kind(self, kind: str) -> None:
        """Fill in what most events of a kind choose; the name stays."""
        name = self.values.get("name", "")
        system = next((code for code, of in SYSTEMS.items() if of.fixed_rounds), "") if kind == FIXED else ""
        chosen = dict(KINDS[kind][1])
        if time_control_kind(self._event.time_control) == chosen.get("lists"):
            del chosen["time_control"]  # that of the event is of this kind
        self.values = {"name": name, "kind": kind, "system": system or DEFAULT_SYSTEM, **chosen}
        self._save()

    @property
    def pace_warning(self) -> str:
        """Return a sentence if the kind of rating does not follow from the time control; else ""."""
        pace = self.values.get("time_control") or self._event.time_control
        kind, chosen = time_control_kind(pace), self.values.get("lists") or STANDARD
        if kind in ("", chosen):
            return ""
        sentence = gettext(
            "The time control is %(pace)s. By it, FIDE rates the games as: %(kind)s. "
            "But the kind of rating is: %(chosen)s."
        )
        return sentence % {"pace": pace, "kind": RATINGS[kind], "chosen": RATINGS.get(chosen, chosen)}

    @property
    def pace_words(self) -> str:
        """Return a sentence about how FIDE rates games with the time control; "" if its meaning is not certain."""
        pace = self.values.get("time_control") or self._event.time_control
        control = read_time_control(time_control_code(pace))
        if self.pace_warning or control is None:
            return self.pace_warning
        minutes = control.for_sixty_moves // 60
        sentence = ngettext(
            "FIDE rates the games as: %(kind)s (%(minutes)s minute for 60 moves).",
            "FIDE rates the games as: %(kind)s (%(minutes)s minutes for 60 moves).",
            minutes,
        )
        return sentence % {"kind": RATINGS[control.kind], "minutes": minutes}

    def forget(self) -> None:
        self.values = {}
        self._save()

    def _save(self) -> None:
        drafts = {
            key: value for key, value in self._session.get("new_section", {}).items() if key != self._key
        }
        self._session["new_section"] = {**drafts, **({self._key: self.values} if self.values else {})}


def _text(field: forms.Field) -> str:
    """Return the first value of a field as a browser would send it; "" for nothing."""
    value = field.prepare_value(field.initial)
    if isinstance(field, forms.BooleanField):
        return "on" if value in (True, "on") else ""
    return "" if value is None else str(value)
