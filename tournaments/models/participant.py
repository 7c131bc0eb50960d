from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratings.models import LABEL_LENGTH
from tournaments.shown_names import for_visitors, initials

from .journal import Journaled
from .player import Player
from .section import Section


class RatingSource(models.TextChoices):
    """The source of the tournament rating (VCL4THP.13 Q134)."""

    STANDARD = "standard", _("FIDE standard list")
    RAPID = "rapid", _("FIDE rapid list")
    BLITZ = "blitz", _("FIDE blitz list")
    NATIONAL = "national", _("national list")
    FILE = "file", _("imported file")
    TYPED = "typed", _("typed by the arbiter")
    OFFICIAL = "official", _("official rating")
    PROVISIONAL = "provisional", _("provisional, assigned by the arbiter")


class Participant(Journaled):
    """A player's entry in a section.

    rating: the tournament rating, used for the order and for ARO. 0 is unrated: only a pairing system that takes
    unrated players has such entries (C.04.4.1, 1.1: everybody has one).
    official_rating: the rating of FIDE in the report file, or none. national_rating: of the federation whose ratings
    the section reads. Where the section has a method (`Section.rating_method`), the tournament rating follows from
    them.
    period_ratings: the official rating of later rating periods, by their numbers from 2 on: {"2": 2015}.
    tpn: the pairing number; it can change until round 4 is paired (GHR 2.3), so it does not identify the player.
    former_tpn: the number before the last renumbering, shown until the next one; none before round 1 is paired.
    equal_order: the place among the entries of the same rating (GHR 2.2) that the arbiter gave, or an imported report
    file. Entries without a place come after those with one, by title and name.
    first_round: 1, or for a late entry the first round for which the player is taken into account (GHR 2.4).
    left_after: the last round that was paired when the player withdrew or was expelled; none for active players.
    team, club: those with the same one may be kept apart by the pairing system. pairing_flags: of `engine.Flag`, in
    alphabetical order with blanks between them.
    tie_values: values of tie-breaks that were computed elsewhere, such as a play-off: {"OTHER_PLAYOFF": "1.5"}.
    acceleration_group: GA or GB of Baku Acceleration (C.04.7, 1), as soon as a round took the player into account.
    virtual_points: where the section has those of an imported file (`Section.Acceleration.LISTED`), tenths for each
    round, round 1 first. Rounds after the last one have none.
    rulings: points by decision of the arbiter, oldest first:
    {"round": 3, "of": "", "points": -5, "after": 4, "reason": "mobile phone"}. of: the symbol in record 299 of the
    result whose points these are, "" for a bonus or a penalty. round 0: see `engine.Ruling`. after: the last round that
    was paired when the arbiter decided: until then, rounds were paired without these points.
    """

    class Status(models.TextChoices):
        ACTIVE = "active", _("active")
        WITHDRAWN = "withdrawn", _("withdrawn")
        EXPELLED = "expelled", _("expelled")

    class AccelerationGroup(models.TextChoices):
        NONE = "", _("none yet")
        GA = "A", _("GA, accelerated")
        GB = "B", _("GB")

    section = models.ForeignKey(Section, models.CASCADE, related_name="participants")
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries")
    rating = models.PositiveSmallIntegerField(
        _("rating"), validators=[MinValueValidator(0), MaxValueValidator(3999)]
    )
    rating_source = models.CharField(
        _("source of the rating"), max_length=12, choices=RatingSource.choices, default=RatingSource.TYPED
    )
    rating_list = models.CharField(_("rating list"), max_length=LABEL_LENGTH, blank=True)
    official_rating = models.PositiveSmallIntegerField(
        _("official rating"), null=True, blank=True, validators=[MaxValueValidator(3999)]
    )
    national_rating = models.PositiveSmallIntegerField(
        _("national rating"), null=True, blank=True, validators=[MaxValueValidator(3999)]
    )
    period_ratings = models.JSONField(default=dict, blank=True)
    virtual_points = models.JSONField(default=list, blank=True)
    rulings = models.JSONField(default=list, blank=True)
    tpn = models.PositiveSmallIntegerField(_("pairing number"), null=True, blank=True)
    former_tpn = models.PositiveSmallIntegerField(null=True, blank=True)
    equal_order = models.PositiveSmallIntegerField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ACTIVE)
    first_round = models.PositiveSmallIntegerField(_("first round"), default=1)
    left_after = models.PositiveSmallIntegerField(null=True, blank=True)
    acceleration_group = models.CharField(
        max_length=1, blank=True, choices=AccelerationGroup.choices, default=AccelerationGroup.NONE
    )
    half_bye_allowed = models.BooleanField(_("may ask for half-point byes"), default=True)
    club = models.CharField(_("club"), max_length=80, blank=True)
    team = models.CharField(_("team"), max_length=32, blank=True)
    pairing_flags = models.CharField(_("for the pairing"), max_length=20, blank=True)
    tie_values = models.JSONField(default=dict, blank=True)
    note = models.CharField(_("note"), max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["section_id", "tpn", "pk"]  # by key: without joins
        constraints = [
            models.UniqueConstraint(fields=["section", "player"], name="one_entry_a_player"),
            models.UniqueConstraint(fields=["section", "tpn"], name="one_participant_a_pairing_number"),
            models.CheckConstraint(condition=Q(first_round__gte=1), name="first_round_from_1"),
            models.CheckConstraint(
                condition=Q(status__in=["active", "withdrawn", "expelled"]), name="known_participant_status"
            ),
            models.CheckConstraint(
                condition=Q(acceleration_group__in=["", "A", "B"]), name="known_acceleration_group"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tpn or '?'} {self.player.name}"

    @property
    def is_active(self) -> bool:
        return self.status == self.Status.ACTIVE

    @property
    def by_initials(self) -> bool:
        """Return whether the reader of what is made now sees only the initials (`tournaments.shown_names`)."""
        return self.player.by_initials and for_visitors()

    @property
    def shown_name(self) -> str:
        """Return the name for the reader of what is made now."""
        return self.visitors_name if for_visitors() else self.player.name

    @property
    def visitors_name(self) -> str:
        """Return the name for visitors. Behind initials stands the pairing number, if there is one: it tells two
        players with equal initials apart.
        """
        if not self.player.by_initials:
            return self.player.name
        short = initials(self.player.name)
        return short if self.tpn is None else f"{short} {self.tpn}"

    @property
    def shown_surname(self) -> str:
        """Return the surname for the reader, or the initials. It stands behind the pairing number."""
        return initials(self.player.name) if self.by_initials else self.player.name.partition(",")[0]

    @property
    def shown_club(self) -> str:
        """Return the club for the reader: nothing for a player who is shown under initials."""
        return "" if self.by_initials else self.club
