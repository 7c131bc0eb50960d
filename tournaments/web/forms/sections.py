"""Forms of a section: its settings, and the lot for the initial-colour."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pairing.engine import Colour
from pairing.engine.systems.dubov.options import UpfloatCount
from tournaments.models import Section
from tournaments.web.forms.points import PointsField
from tournaments.web.forms.seen import SeenForm


class SectionForm(SeenForm):
    """Settings of a section. Settings that are locked since round 1 are shown, but cannot be changed."""

    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("For example Section A or Open."))
    rounds = forms.IntegerField(
        label=_("Rounds"), min_value=1, max_value=30, widget=forms.NumberInput(attrs={"class": "short"})
    )
    win_points = PointsField(label=_("Points for a win"), initial=10)
    draw_points = PointsField(label=_("Points for a draw"), initial=5)
    loss_points = PointsField(label=_("Points for a loss"), initial=0)
    bye_points = PointsField(label=_("Points for the pairing-allocated bye"), initial=10)
    upfloats = forms.ChoiceField(
        label=_("Forfeited games as upfloats"),
        choices=[
            (UpfloatCount.PLAYED.value, _("do not count")),
            (UpfloatCount.PAIRED.value, _("count as upfloats")),
        ],
        initial=UpfloatCount.PLAYED.value,
        help_text=_(
            "For a player who was upfloated and whose game was then forfeited. If in doubt, leave “do not count”."
        ),
    )

    acceleration = forms.ChoiceField(
        label=_("Acceleration"),
        choices=Section.Acceleration.choices,
        required=False,
        help_text=_("Baku: the upper half gets virtual points in the first rounds (C.04.7)."),
    )
    edition = forms.ChoiceField(
        label=_("Edition of the rules"),
        choices=[("", _("the edition in force on the first day")), *Section.RulesEdition.choices],
        required=False,
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

    def __init__(self, *args: Any, locked: frozenset[str] = frozenset(), **options: Any) -> None:
        super().__init__(*args, **options)
        for name in locked & set(self.fields):
            self.fields[name].disabled = True

    @classmethod
    def initial_of(cls, section: Section) -> dict[str, Any]:
        return {name: getattr(section, name) for name in cls.base_fields}


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
