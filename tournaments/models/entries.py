"""Players and their entries in sections, with byes, check-in and forbidden pairs.

A player is shown under the full name, or with initials if the player asked for that. Every public page, file and
sheet is made inside `names_for_visitors`, whoever opens it, so that an arbiter prints for the wall what visitors see.
Pages and papers of arbiters have the full names.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from base.spelling import latin_form
from base.text import ERASED, folded
from evenboard_engine import ByeKind
from ratings.models import LABEL_LENGTH

from .events import Event, federation_code
from .journal import DerivedField, Journaled
from .sections import Section

# Under which name a player is shown: the full name, or initials if the player asked for that.
#
# Every public page, file and sheet is made inside `names_for_visitors`, whoever opens it, so that an arbiter
# prints for the wall what visitors see. Pages and papers of arbiters have the full names.

_for_visitors: ContextVar[bool] = ContextVar("names_for_visitors", default=False)


@contextmanager
def names_for_visitors() -> Iterator[None]:
    """Show players who asked for it under their initials, inside the block."""
    token = _for_visitors.set(True)
    try:
        yield
    finally:
        _for_visitors.reset(token)


@contextmanager
def names_for_arbiters() -> Iterator[None]:
    """Show full names inside the block: a paper of arbiters that has its address among the public ones."""
    token = _for_visitors.set(False)
    try:
        yield
    finally:
        _for_visitors.reset(token)


def for_visitors() -> bool:
    """Return whether what is made now may be read by everybody."""
    return _for_visitors.get()


def first_name_first(name: str) -> str:
    """Return a name as one greets a person: "Kovács, Anna Mária" is "Anna Mária Kovács"."""
    surname, _comma, given = name.partition(",")
    return f"{given.strip()} {surname.strip()}".strip()


def initials(name: str) -> str:
    """Return the initials of a name, the given name first: "Kovács, Anna Mária" is "A. K."."""
    surname, _comma, given = name.partition(",")
    words = [given.split()[:1], surname.split()[:1]] if given.strip() else [name.split()[:2]]
    letters = [next((sign for sign in word if sign.isalnum()), "") for part in words for word in part]
    return " ".join(f"{letter.upper()[:1]}." for letter in letters if letter) or "?"


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


def search_form(name: str) -> str:
    """Return a name in small plain Latin letters, the surname first, as the search for players compares it."""
    return folded(latin_form(name) or name)


class SearchName(DerivedField):
    """The name of a player as the search over all events compares it; "" for an erased player."""

    def derived(self, row: Any) -> str:
        return (
            "" if row.name.startswith(ERASED) else search_form(row.latin_name or row.name)[: self.max_length]
        )


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
    search_name = SearchName(max_length=120, blank=True, default="", editable=False)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "fide_id"], condition=Q(fide_id__isnull=False), name="one_player_a_fide_id"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
        ]
        indexes = [
            models.Index(fields=["event", "name"], name="player_by_name"),
            models.Index(fields=["search_name"], name="player_in_all_events", condition=Q(by_initials=False)),
            models.Index(
                fields=["fide_id"],
                name="player_by_fide_id",
                condition=Q(by_initials=False, fide_id__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def report_name(self) -> str:
        """Return the name as a report has it, in Latin letters if their spelling is known."""
        return self.latin_name or latin_form(self.name) or self.name


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
    former_tpn: the number before the last renumbering; none before round 1 is paired. renumbered_before: the round that
    was to be paired then; lists show the former number until this round is over (`former_tpn_in`).
    equal_order: the place among the entries of the same rating (GHR 2.2) that the arbiter gave, or an imported report
    file. Entries without a place come after those with one, by title and name.
    first_round: 1, or for a late entry the first round for which the player is taken into account (GHR 2.4).
    left_after: the last round that was paired when the player withdrew or was expelled; none for active players.
    team, club: those with the same one may be kept apart by the pairing system. pairing_flags: of `engine.Flag`, in
    alphabetical order with blanks between them.
    fixed_board: the board at which the player plays in every round; none for most players. step_free: no steps lead
    to it (`tournaments.seating`).
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
    renumbered_before = models.PositiveSmallIntegerField(null=True, blank=True)
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
    fixed_board = models.PositiveSmallIntegerField(_("fixed board"), null=True, blank=True)
    step_free = models.BooleanField(_("step-free board"), default=False)
    tie_values = models.JSONField(default=dict, blank=True)
    note = models.CharField(_("note"), max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["section_id", "tpn", "pk"]  # by key: without joins
        constraints = [
            models.UniqueConstraint(fields=["section", "player"], name="one_entry_a_player"),
            models.UniqueConstraint(fields=["section", "tpn"], name="one_participant_a_pairing_number"),
            models.UniqueConstraint(fields=["section", "fixed_board"], name="one_participant_a_fixed_board"),
            models.CheckConstraint(condition=Q(fixed_board__gte=1), name="fixed_board_from_1"),
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
        """Return whether the reader of what is made now sees only the initials (`tournaments.models.entries`)."""
        return self.player.by_initials and for_visitors()

    def former_tpn_in(self, round_number: int) -> int | None:
        """Return the former number as lists show it while a round is paired or played, None if they no longer do."""
        return self.former_tpn if (self.renumbered_before or 0) >= round_number else None

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


BYE_LABELS = {
    ByeKind.ALLOCATED: _("pairing-allocated bye"),
    ByeKind.FULL: _("full-point bye"),
    ByeKind.HALF: _("half-point bye"),
    ByeKind.ZERO: _("zero-point bye"),
}


class Bye(Journaled):
    """A round in which a participant has no opponent. A requested bye may be for a round that is not paired yet."""

    class Source(models.TextChoices):
        REQUESTED = "requested", _("requested")
        ALLOCATED = "allocated", _("allocated by the pairing")
        ABSENT = "absent", _("set by the arbiter")

    participant = models.ForeignKey(Participant, models.CASCADE, related_name="byes")
    round_number = models.PositiveSmallIntegerField(_("round"))
    kind = models.CharField(
        _("kind"), max_length=1, choices=[(kind.value, label) for kind, label in BYE_LABELS.items()]
    )
    source = models.CharField(max_length=10, choices=Source.choices, default=Source.REQUESTED)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["round_number", "participant"]
        constraints = [
            models.UniqueConstraint(fields=["participant", "round_number"], name="one_bye_a_round"),
            models.CheckConstraint(condition=Q(round_number__gte=1), name="bye_rounds_count_from_1"),
            models.CheckConstraint(condition=Q(kind__in=["U", "F", "H", "Z"]), name="known_bye"),
            models.CheckConstraint(
                condition=(Q(kind="U") & Q(source="allocated")) | (~Q(kind="U") & ~Q(source="allocated")),
                name="only_the_pairing_allocates_a_bye",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participant}: {self.kind} in round {self.round_number}"


class CheckIn(Journaled):
    """A participant who is present before a round (GHR 4.1)."""

    participant = models.ForeignKey(Participant, models.CASCADE, related_name="check_ins")
    round_number = models.PositiveSmallIntegerField(_("round"))
    at = models.DateTimeField(default=timezone.now, editable=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["round_number", "participant"]
        constraints = [
            models.UniqueConstraint(fields=["participant", "round_number"], name="one_check_in_a_round"),
            models.CheckConstraint(condition=Q(round_number__gte=1), name="check_in_rounds_count_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.participant}: there for round {self.round_number}"


class ForbiddenPair(Journaled):
    """Two participants who must not meet. FIDE's rules have no such pairs, so the report mentions them.

    `first` has the smaller key, so there is one row for each pair. Both rounds are included. No last round: until the
    end of the section.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="forbidden_pairs")
    first = models.ForeignKey(Participant, models.CASCADE, related_name="+")
    second = models.ForeignKey(Participant, models.CASCADE, related_name="+")
    first_round = models.PositiveSmallIntegerField(_("from round"), default=1)
    last_round = models.PositiveSmallIntegerField(_("to round"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=120, blank=True)

    class Meta:
        ordering = ["section_id", "first_id", "second_id"]  # by keys: without joins
        constraints = [
            models.UniqueConstraint(fields=["section", "first", "second"], name="one_row_a_forbidden_pair"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="forbidden_pair_in_order"),
            models.CheckConstraint(
                condition=Q(last_round__isnull=True) | Q(last_round__gte=F("first_round")),
                name="forbidden_rounds_in_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first} / {self.second}"
