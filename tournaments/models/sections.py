"""Sections, and when their rounds begin."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time

from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from evenboard_engine import SYSTEMS, Colour, PointSystem, system_named
from evenboard_engine.systems.registry import DEFAULT_SYSTEM
from evenboard_engine.tiebreaks import MOST_TIE_BREAKS, POINTS, TieBreak, read_list

from .events import Event, federation_code
from .hall_map import LONGEST_ROOMS, HallRoom, rooms_of
from .journal import Journaled
from .prizes import PrizePlan

# When a round begins, by the clock in the hall.


@dataclass(frozen=True, slots=True)
class RoundStart:
    """The day of a round and, if known, the time, by the clock in the hall."""

    day: date
    time: time | None = None

    def __str__(self) -> str:
        """As `Section.schedule` holds it: 2026-10-17 or 2026-10-17T14:00."""
        return f"{self.day.isoformat()}T{self.time:%H:%M}" if self.time else self.day.isoformat()

    @classmethod
    def read(cls, text: str) -> RoundStart | None:
        """Read what str() writes; return None for "". Raises ValueError."""
        day, _, clock = text.partition("T")
        if not day:
            return None
        return cls(date.fromisoformat(day), time.fromisoformat(clock) if clock else None)

    def is_before(self, other: RoundStart) -> bool:
        """Return whether this is certainly earlier. On the same day both times must be known."""
        if self.day != other.day:
            return self.day < other.day
        return self.time is not None and other.time is not None and self.time < other.time


PAPER_SIZES = frozenset({"", "large", "a3"})
MAX_ROUNDS = max(system.most_rounds for system in SYSTEMS.values())
"""Of any section. A pairing system may allow fewer, see `PairingSystem.most_rounds`."""
LONGEST_RULES = 3000


class Section(Journaled):
    """A section of an event: one field of players, one pairing system. Points are in tenths of a point.

    system: the code of the pairing system. options: its options by name; the system has the defaults of missing ones.
    half_bye_limit, last_bye_round: limits in the regulations of the tournament; none: no limit.
    check_in_round: the round with an open check-in, or none. countdown_to: the end of the countdown on the screens.
    tie_breaks: the codes of the tie-breaks after the points, in order; none: those of the pairing system. PTS alone:
    only points count.
    unrated_left_out: rating tie-breaks leave out games against players without an official rating; otherwise their
    tournament rating counts.
    rating_method: which rating of a player is the tournament rating (record 172). rating_federation: whose national
    ratings count; none: those of the event's federation. equals_by: what numbers players of equal rating and title.
    longer_than_30_days: the tournament has several rating periods. period_starts: the first round of each period but
    the first. period_counted: the rating that counts in tie-breaks from ratings.
    chess960: each round has a start position drawn by lot.
    apart_rules: who is kept apart, in the order of the rules: {"number": 1, "kind": "club", "value": "SK Delft",
    "players": [], "first_round": 1, "last_round": null, "strict": true, "reason": "..."}. kind: of `ApartKind`. value:
    "" for each club, team or federation; the name of chosen players ("260" for those of a
    report file), whose keys are in `players`.
    rating_lists: the codes of the rating lists, the main one first (`queries.rating_lists`); none: those of FIDE.
    lists_compared: the entries are compared by themselves when a list or an entry is new.
    minimum_rating: of a player who enters without any rating; 0 for none.
    prizes: what `prize_plan` reads. prizes_public: the page of the rules shows them.
    time_control: of this section; "": that of the event. rules_text: what the organiser adds to the page of the rules.
    hall_rooms: where the boards stand, as `rooms_of` reads it.
    explained_to: who may read why a published round was paired in this way.
    players_confirm: what it counts if both players of a board press the same result on their phones.
    lists_by_hand: an arbiter publishes the lists of the pairing system; otherwise they are published by themselves when
    the last result of a round is in.
    people_revision: grows with each change of players, who may be in other sections of the event too.
    left_notices: the notices of the cockpit that an arbiter left alone, each with the revision of that action: the text
    of `NextStepCheck.key`, a space, the revision.
    round_papers: the papers of a round that were printed last, with their sizes: {"boards": "large", "slips": ""}.
    ahead: the round that is prepared while the last games before it are played, "boards" of these games, "forfeits" if
    forfeits count too, and "parts" that say what the round was prepared from (`queries.ahead`); {} for none.
    log_head: the seal of the newest row in the log.
    taken_away: hidden because it was made by mistake; only people who work on the event see it.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    class Acceleration(models.TextChoices):
        NONE = "", _("none")
        BAKU = "baku", _("Baku Acceleration")
        LISTED = "listed", _("virtual points of the imported file")

    class RatingMethod(models.TextChoices):
        """The codes of record 172."""

        OTHER = "OTHER", _("the rating of each entry, as it was typed or imported")
        FIDE = "FIDE", _("FIDE rating")
        NRO = "NRO", _("national rating")
        FIDON = "FIDON", _("FIDE rating; if there is none, the national rating")
        NIDOF = "NIDOF", _("national rating; if there is none, the FIDE rating")
        HBFN = "HBFN", _("highest of FIDE, national and typed rating")
        LBFN = "LBFN", _("lower of FIDE and national rating")

    class EqualsBy(models.TextChoices):
        """What numbers players of equal rating and title (GHR 2.2). Equal ones follow the alphabet."""

        NAME = "name", _("alphabet")
        YOUNGER = "younger", _("younger players first")
        OLDER = "older", _("older players first")
        ENTRY = "entry", _("order of entry")

    class ApartKind(models.TextChoices):
        """Who is kept apart by a rule."""

        CLUB = "club", _("club")
        TEAM = "team", _("team")
        FEDERATION = "federation", _("federation")
        PLAYERS = "players", _("chosen players")

    class PeriodCounted(models.TextChoices):
        """Which rating counts in tie-breaks if there are several rating periods (VCL4THP.13 Q215, Q216)."""

        FIRST = "first", _("rating at the start of the tournament")
        ROUND = "round", _("rating that was valid in the round")
        LAST = "last", _("rating of the last period")

    class ExplainedTo(models.TextChoices):
        """Who may read why a published round was paired in this way. Arbiters always may."""

        NOBODY = "nobody", pgettext_lazy("who may read", "nobody")
        PLAYERS = "players", _("players")
        EVERYBODY = "everybody", _("everybody")

    class PlayersConfirm(models.TextChoices):
        """What it counts if both players of a board press the same result. BESIDE: as a second reading of the slip.
        INSTEAD: it is the result.
        """

        OFF = "off", _("off")
        BESIDE = "beside", _("a help beside the slips")
        INSTEAD = "instead", _("in place of the slips")

    event = models.ForeignKey(Event, models.CASCADE, related_name="sections")
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=60)
    system = models.CharField(_("pairing system"), max_length=20, default=DEFAULT_SYSTEM)
    options = models.JSONField(_("options of the pairing system"), default=dict, blank=True)
    rounds = models.PositiveSmallIntegerField(
        _("rounds"), validators=[MinValueValidator(1), MaxValueValidator(MAX_ROUNDS)]
    )
    initial_colour = models.CharField(
        _("initial-colour"),
        max_length=1,
        blank=True,
        choices=[(Colour.WHITE.value, _("White")), (Colour.BLACK.value, _("Black"))],
    )
    acceleration = models.CharField(
        _("acceleration"), max_length=10, blank=True, choices=Acceleration.choices, default=Acceleration.NONE
    )

    win_points = models.PositiveSmallIntegerField(default=10)
    draw_points = models.PositiveSmallIntegerField(default=5)
    loss_points = models.PositiveSmallIntegerField(default=0)
    bye_points = models.PositiveSmallIntegerField(
        _("value of the pairing-allocated bye"), default=10, help_text=_("In tenths of a point.")
    )
    tie_breaks = models.JSONField(default=list, blank=True)
    unrated_left_out = models.BooleanField(default=False)
    rating_method = models.CharField(
        _("tournament rating"), max_length=5, choices=RatingMethod.choices, default=RatingMethod.OTHER
    )
    rating_federation = models.CharField(
        _("federation of the national ratings"), max_length=3, blank=True, validators=[federation_code]
    )
    equals_by = models.CharField(
        _("order of equal players"), max_length=8, choices=EqualsBy.choices, default=EqualsBy.NAME
    )
    chess960 = models.BooleanField(_("Chess960"), default=False)
    rating_lists = models.JSONField(default=list, blank=True)
    lists_compared = models.BooleanField(_("entries are compared with new lists"), default=True)
    minimum_rating = models.PositiveSmallIntegerField(
        _("minimum rating"), default=0, validators=[MaxValueValidator(3999)]
    )
    prizes = models.JSONField(default=dict, blank=True)
    prizes_public = models.BooleanField(_("the rules show the prizes"), default=False)
    time_control = models.CharField(_("time control"), max_length=120, blank=True)
    rules_text = models.TextField(
        _("more rules for the players"), blank=True, validators=[MaxLengthValidator(LONGEST_RULES)]
    )
    hall_rooms = models.TextField(_("hall map"), blank=True, validators=[MaxLengthValidator(LONGEST_ROOMS)])

    lists_by_hand = models.BooleanField(_("lists are published by an arbiter"), default=False)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    taken_away = models.BooleanField(default=False)
    fide_mode = models.BooleanField(default=True)
    fide_mode_left_in_round = models.PositiveSmallIntegerField(null=True, blank=True)
    longer_than_30_days = models.BooleanField(default=False)
    period_starts = models.JSONField(default=list, blank=True)
    period_counted = models.CharField(
        _("rating in tie-breaks"), max_length=8, choices=PeriodCounted.choices, default=PeriodCounted.FIRST
    )
    report_records = models.JSONField(
        default=list,
        blank=True,
        help_text=_("Records of an imported report file that are written back as they were."),
    )

    half_bye_limit = models.PositiveSmallIntegerField(
        _("half-point byes a player may ask for"), null=True, blank=True
    )
    last_bye_round = models.PositiveSmallIntegerField(
        _("last round in which a bye with points may be asked for"), null=True, blank=True
    )
    check_in_round = models.PositiveSmallIntegerField(null=True, blank=True)
    countdown_to = models.DateTimeField(null=True, blank=True)
    explained_to = models.CharField(
        _("explanations of the pairings"),
        max_length=10,
        choices=ExplainedTo.choices,
        default=ExplainedTo.PLAYERS,
    )
    players_confirm = models.CharField(
        _("players confirm results on their phones"),
        max_length=10,
        choices=PlayersConfirm.choices,
        default=PlayersConfirm.OFF,
    )
    hall_message = models.CharField(_("message on the hall screens"), max_length=120, blank=True)
    apart_rules = models.JSONField(default=list, blank=True)

    schedule = models.JSONField(
        default=list,
        blank=True,
        help_text=_("When each round begins: 2026-10-17T14:00, 2026-10-17 or nothing."),
    )

    left_notices = models.JSONField(default=list, blank=True)
    round_papers = models.JSONField(default=dict, blank=True)
    ahead = models.JSONField(default=dict, blank=True)
    revision = models.PositiveIntegerField(default=0)
    people_revision = models.PositiveIntegerField(default=0, editable=False)
    log_head = models.CharField(max_length=64, blank=True, default="", editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["event_id", "pk"]  # by key: without joins
        constraints = [
            models.UniqueConstraint(fields=["event", "slug"], name="one_section_an_address"),
            models.CheckConstraint(condition=Q(rounds__gte=1), name="at_least_one_round"),
            models.CheckConstraint(
                condition=Q(initial_colour__in=["", "w", "b"]), name="known_initial_colour"
            ),
            # VCL4THP.13 Q74: two draws are never worth more than a win and a loss
            models.CheckConstraint(
                condition=Q(win_points__gte=F("draw_points") + F("draw_points") - F("loss_points"))
                & Q(draw_points__gte=F("loss_points"))
                & Q(win_points__gt=F("loss_points")),
                name="sound_point_system",
            ),
            # VCL4THP.13 Q81
            models.CheckConstraint(condition=Q(bye_points__lte=F("win_points")), name="bye_at_most_a_win"),
            models.CheckConstraint(
                condition=Q(fide_mode=True, fide_mode_left_in_round__isnull=True)
                | Q(fide_mode=False, fide_mode_left_in_round__isnull=False),
                name="fide_mode_left_in_some_round",
            ),
            models.CheckConstraint(condition=Q(status__in=["open", "closed"]), name="known_section_status"),
            models.CheckConstraint(
                condition=Q(acceleration__in=["", "baku", "listed"]), name="known_acceleration"
            ),
            models.CheckConstraint(
                condition=Q(rating_method__in=["OTHER", "FIDE", "NRO", "FIDON", "NIDOF", "HBFN", "LBFN"]),
                name="known_rating_method",
            ),
            models.CheckConstraint(
                condition=Q(equals_by__in=["name", "younger", "older", "entry"]), name="known_order_of_equals"
            ),
            models.CheckConstraint(
                condition=Q(period_counted__in=["first", "round", "last"]), name="known_period_counted"
            ),
            models.CheckConstraint(
                condition=Q(explained_to__in=["nobody", "players", "everybody"]), name="known_readers"
            ),
            models.CheckConstraint(
                condition=Q(players_confirm__in=["off", "beside", "instead"]), name="known_confirmation"
            ),
        ]

    def __str__(self) -> str:
        """Return the name of the event and that of the section. If the second begins with the first, it is enough."""
        event = self.event.name
        return self.name if f"{self.name}, ".startswith(f"{event}, ") else f"{event}, {self.name}"

    @property
    def is_closed(self) -> bool:
        return self.status == self.Status.CLOSED

    def start_of(self, number: int) -> RoundStart | None:
        """Return when a round begins, paired or not; None if that is not known."""
        return RoundStart.read(self.schedule[number - 1]) if 1 <= number <= len(self.schedule) else None

    @property
    def all_options(self) -> dict[str, str]:
        """Return the options of the pairing system, with defaults for those that the section does not have."""
        return system_named(self.system).checked(self.options)

    @property
    def lists(self) -> tuple[str, ...]:
        """Return the lists that the rules of the pairing system ask to publish, besides those of every system."""
        return system_named(self.system).lists

    @property
    def tie_break_list(self) -> tuple[TieBreak, ...]:
        """Return the tie-breaks after the points, in order. One that the program does not know has no name."""
        codes = ",".join(self.tie_breaks) or system_named(self.system).tie_breaks
        return tuple(rule for rule in read_list(codes) if rule.name != POINTS.name)[:MOST_TIE_BREAKS]

    @property
    def rooms(self) -> tuple[HallRoom, ...]:
        return rooms_of(self.hall_rooms)[0]

    def room_of(self, board: int) -> HallRoom | None:
        """Return the room in which a board stands, None if the hall map does not say."""
        return next((room for room in self.rooms if room.first <= board <= room.last), None)

    @property
    def prize_plan(self) -> PrizePlan:
        """Return the prizes, none if nobody announced any."""
        return PrizePlan.read(self.prizes)

    @property
    def time_control_in_force(self) -> str:
        """Return the time control of the section, without one that of the event; "" if it is not known."""
        return self.time_control or self.event.time_control

    @property
    def rounds_aro(self) -> bool:
        """Return whether the pairing system reads the ARO rounded, as the standings always do (C.07)."""
        return system_named(self.system).rounds_aro

    @property
    def wants_estimates(self) -> bool:
        """Return whether the rules of the pairing system ask for an estimate for each unrated player."""
        return system_named(self.system).wants_estimates

    @property
    def of_fide(self) -> bool:
        """Return whether the rules of the pairing system are FIDE's. If not, the section has no FIDE mode to leave."""
        return system_named(self.system).of_fide

    @property
    def in_fide_mode(self) -> bool:
        """Return whether the section refuses what the rules of FIDE forbid."""
        return self.fide_mode and self.of_fide

    @property
    def is_explained(self) -> bool:
        """Return whether visitors may read why a published round was paired in this way."""
        return self.explained_to != self.ExplainedTo.NOBODY

    @property
    def is_explained_to_everybody(self) -> bool:
        """Return whether search engines and other programs may read it too."""
        return self.explained_to == self.ExplainedTo.EVERYBODY

    @property
    def fixed_rounds(self) -> bool:
        """Return whether all rounds follow from numbers drawn by lot, so that no result changes them."""
        return system_named(self.system).fixed_rounds

    @property
    def round_days(self) -> tuple[date | None, ...]:
        """The day of each planned round, None if it is not known."""
        starts = map(self.start_of, range(1, self.rounds + 1))
        return tuple(start.day if start else None for start in starts)

    @property
    def rating_periods(self) -> tuple[tuple[int, int], ...]:
        """Return the first and the last round of each rating period; () for a tournament of at most 30 days."""
        if not self.longer_than_30_days:
            return ()
        starts = (1, *self.period_starts)
        lasts = (*(start - 1 for start in self.period_starts), self.rounds)
        return tuple(zip(starts, lasts, strict=True))

    @property
    def period(self) -> tuple[date, date]:
        """Return the first and the last day: those of the event, unless rounds are outside.

        Then they are those of the rounds, and while the day of round 1 or of the last round is not known, of both
        together.
        """
        event, days = self.event, self.round_days
        known = [day for day in days if day]
        if all(map(event.includes, known)):
            return event.start, event.end
        if not (days[0] and days[-1]):
            known += [event.start, event.end]
        return min(known), max(known)

    @property
    def point_system(self) -> PointSystem:
        """Return the engine's table of points for this section, in tenths.

        Where all rounds are fixed, the player who is free in a round gets nothing for it.
        """
        return PointSystem(
            white_win=self.win_points,
            black_win=self.win_points,
            white_draw=self.draw_points,
            black_draw=self.draw_points,
            white_loss=self.loss_points,
            black_loss=self.loss_points,
            forfeit_win=self.win_points,
            forfeit_loss=0,
            allocated_bye=0 if self.fixed_rounds else self.bye_points,
            full_bye=self.win_points,
            half_bye=self.draw_points,
            zero_bye=0,
        )
