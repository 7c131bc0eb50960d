from __future__ import annotations

from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from base.spelling import latin_form

from .event import Event, federation_code
from .journal import Journaled

birth_date = RegexValidator(
    r"^\d{4}(/\d{2}/\d{2})?$",
    _("A birth date is YYYY/MM/DD, with 00 for an unknown month or day, or a year."),
)


class Sex(models.TextChoices):
    UNKNOWN = "", _("not known")
    MALE = "m", _("male")
    FEMALE = "w", _("female")


class Title(models.TextChoices):
    """In the order of GHR 2.2 (2): the first is ranked highest."""

    GM = "GM", "GM"
    IM = "IM", "IM"
    WGM = "WGM", "WGM"
    FM = "FM", "FM"
    WIM = "WIM", "WIM"
    CM = "CM", "CM"
    WFM = "WFM", "WFM"
    WCM = "WCM", "WCM"
    NONE = "", _("none")


class Player(Journaled):
    """A person in one event. A `Participant` is the person's entry in a section.

    latin_name: the name in Latin letters for the report; empty for the proposal of the program.
    by_initials: visitors see initials only (`Participant.shown_name`), in all sections of the event.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="players")
    name = models.CharField(_("name"), max_length=120, help_text=_("Surname, Given"))
    latin_name = models.CharField(_("name in Latin letters"), max_length=120, blank=True)
    sex = models.CharField(_("sex"), max_length=1, blank=True, choices=Sex.choices)
    title = models.CharField(_("title"), max_length=3, blank=True, choices=Title.choices)
    federation = models.CharField(_("federation"), max_length=3, blank=True, validators=[federation_code])
    fide_id = models.PositiveBigIntegerField(
        _("FIDE ID"), null=True, blank=True, validators=[MaxValueValidator(99_999_999_999)]
    )
    national_id = models.CharField(_("national ID"), max_length=11, blank=True)
    birth_date = models.CharField(_("birth date"), max_length=10, blank=True, validators=[birth_date])
    by_initials = models.BooleanField(_("shown under initials"), default=False)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "fide_id"], condition=Q(fide_id__isnull=False), name="one_player_a_fide_id"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
        ]
        indexes = [models.Index(fields=["event", "name"], name="player_by_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def report_name(self) -> str:
        """Return the name as a report has it, in Latin letters if their spelling is known."""
        return self.latin_name or latin_form(self.name) or self.name
