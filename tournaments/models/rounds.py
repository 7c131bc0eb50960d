"""Rounds and their games, and rounds as other pairings make them."""

from __future__ import annotations

from copy import copy
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from evenboard_engine import Result

from .entries import Participant
from .journal import Journaled
from .sections import Section


class Round(Journaled):
    """A round that has been paired.

    Draft: only arbiters see it. Published: everybody sees it, and results come in. Finished: the next round is paired
    or the section is closed, and results can only be corrected.

    manual_phase: pairing by hand is open. manual: it has ended with pairs that differ from the engine's, for
    `manual_reason`.
    engine_pairing: the engine's own answer, {"pairs": [[white, black], ...], "bye": key or null}.
    kept_apart: the groups of players that the rules of the section kept apart when the round was paired, as
    `snapshot.KeptGroup.row`.
    rules_gave_none: the rules gave no pairing of all players. The arbiters took over an offer, or paired by hand.
    start_position: in Chess960, the number of the start position of all boards, 0 to 959. It is drawn when the round is
    published.
    changed_at: when the pairs were last changed by hand after they had been published (GHR 4.4).
    published_at, finished_at: None for a round from a report file, which does not have these times.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        FINISHED = "finished", pgettext_lazy("a round", "finished")

    section = models.ForeignKey(Section, models.CASCADE, related_name="played_rounds")
    number = models.PositiveSmallIntegerField(_("round"))
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    manual_phase = models.BooleanField(default=False)
    manual = models.BooleanField(default=False)
    manual_reason = models.CharField(max_length=300, blank=True)
    engine_pairing = models.JSONField(default=dict, blank=True)
    kept_apart = models.JSONField(default=list, blank=True)
    rules_gave_none = models.BooleanField(default=False)
    start_position = models.PositiveSmallIntegerField(
        _("start position"), null=True, blank=True, validators=[MaxValueValidator(959)]
    )
    changed_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    paired_at = models.DateTimeField(default=timezone.now, editable=False)
    published_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["section_id", "number"]  # by key: without joins
        constraints = [
            models.UniqueConstraint(fields=["section", "number"], name="one_round_a_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="rounds_count_from_1"),
            models.CheckConstraint(
                condition=Q(start_position__isnull=True) | Q(start_position__lte=959),
                name="known_start_position",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "published", "finished"]), name="known_round_state"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.section}, round {self.number}"

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @property
    def is_published(self) -> bool:
        return self.state == self.State.PUBLISHED

    @property
    def is_finished(self) -> bool:
        return self.state == self.State.FINISHED


def rounds_paired(section: Section) -> int:
    """The number of the last round, 0 before round 1 is paired. One SQL query."""
    number = section.played_rounds.order_by("-number").values_list("number", flat=True).first()
    return number or 0


def round_in_play(section: Section) -> int:
    """The round that is paired or played: the last one until all its results are in, then the next. One SQL query."""
    rounds = section.played_rounds.order_by("-number")
    last = rounds.values_list("number", Exists(Game.objects.filter(round=OuterRef("pk"), result=""))).first()
    return 1 if last is None else last[0] + (not last[1])


class WaitingOnDevice(models.Model):
    """What waits in a browser of a person, as it last said. No copy has these rows.

    kind: results of a round, or players who are marked as here or as not here. number: of the round, which may not be
    paired yet when players are marked. round: of results, which end with it. device: a name that the browser gave
    itself.
    """

    class Kind(models.TextChoices):
        RESULTS = "results"
        HERE = "here"
        AWAY = "away"

    section = models.ForeignKey(Section, models.CASCADE, related_name="waiting")
    number = models.PositiveSmallIntegerField()
    round = models.ForeignKey(Round, models.CASCADE, related_name="+", null=True)
    kind = models.CharField(max_length=7, choices=Kind.choices)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    device = models.CharField(max_length=43)
    count = models.PositiveSmallIntegerField()
    heard_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["section", "number", "kind", "user", "device"], name="one_count_a_device"
            ),
            models.CheckConstraint(
                condition=Q(kind="results", round__isnull=False)
                | Q(kind__in=["here", "away"], round__isnull=True),
                name="results_wait_for_a_round",
            ),
        ]

    @property
    def of_device(self) -> tuple[int, str]:
        return self.user_id, self.device


class OtherRound(models.Model):
    """A round of a section as another pairing makes it. It is worked out from the rounds and can be worked out again.

    pairing: the code of the pairing system, or of the plain pairing. key: of all that the round depends on, so that a
    row that is out of date is known. spreads: [points in tenths or null, players, width, deviation] for each score
    group and then for all; [] if it has no round. offered: the system offers the round, because it cannot finish it.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="other_rounds")
    number = models.PositiveSmallIntegerField()
    pairing = models.CharField(max_length=40)
    key = models.CharField(max_length=64)
    spreads = models.JSONField(default=list, blank=True)
    offered = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["section", "number", "pairing"], name="one_other_round_a_pairing"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.section}, round {self.number} by {self.pairing}"


class PreparedRound(models.Model):
    """The next round as it is paired if the open games end with these results. It can be paired again at any time.

    key: of all that the pairing depends on. results: of the games that were open, in the order of their boards.
    engine_pairing, kept_apart: as `Round` has them; the pairing is null if the rules give none.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="prepared_rounds")
    key = models.CharField(max_length=64)
    results = models.JSONField()
    engine_pairing = models.JSONField(null=True)
    kept_apart = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["section", "key"], name="one_prepared_round_a_key"),
        ]

    def __str__(self) -> str:
        return f"{self.section}, prepared for {self.results}"


RESULT_CHOICES = [(result.value, result.value) for result in Result]
PRESSED = (Result.WHITE_WINS.value, Result.DRAW.value, Result.BLACK_WINS.value)
"""What players press on their phones. Everything else is for an arbiter."""


class RoundFile(models.Model):
    """The file from which a published round can be paired again, as visitors got it when the round was published.

    A round that is published again with other facts gets another row; the newest one counts. No row ever changes.

    rules: the chapter and the edition of the rules. version, program: of the engine that paired the round: its version,
    and `EnginePackage.code`. report: the report file. It names nobody.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="round_files")
    number = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    rules = models.CharField(max_length=60)
    version = models.CharField(max_length=20)
    program = models.CharField(max_length=64)
    report = models.TextField()

    class Meta:
        ordering = ["section_id", "number", "pk"]

    def __str__(self) -> str:
        return f"file of round {self.number}, version {self.version}"


class Game(Journaled):
    """Two players on a board of a round. `result` is empty until it is known.

    rating_result: a correction that counts for rating only, in addition to the result (VCL4THP.13 Q192), or empty.
    second_result: the second reading of the slip, with `second_by` and `second_at`; empty before the second reading.
    It never changes `result` by itself: if the two differ, the game is in conflict.
    white_pressed, black_pressed: the result that each player pressed on a phone; empty before that. They are cleared
    together with the result. white_link, black_link: how many new links these players got; each makes the former ones
    worthless, also if it is undone (`journal.NEVER`).
    over_at: when an arbiter noted that the game has ended but its slip has not come in.
    earlier: the results that later rounds were paired with, if they differ from the current one (GHR 4.3):
    [{"until": round, "result": result, "turned": bool}], by rising rounds. The pairings up to that round used this
    result, with the colours turned if `turned`.
    version: raised by each change; a form that was filled in for an older version is refused.
    Two constraints and a trigger (migration 0002) ensure that a player is not in two games of a round.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="games")
    board = models.PositiveSmallIntegerField(_("board"))
    white = models.ForeignKey(Participant, models.PROTECT, related_name="games_as_white")
    black = models.ForeignKey(Participant, models.PROTECT, related_name="games_as_black")
    result = models.CharField(_("result"), max_length=6, blank=True, choices=RESULT_CHOICES)
    rating_result = models.CharField(max_length=6, blank=True, choices=RESULT_CHOICES)
    earlier = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=0)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    entered_at = models.DateTimeField(null=True, blank=True)
    second_result = models.CharField(max_length=6, blank=True, choices=RESULT_CHOICES)
    second_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    second_at = models.DateTimeField(null=True, blank=True)
    white_pressed = models.CharField(max_length=3, blank=True, choices=[(one, one) for one in PRESSED])
    black_pressed = models.CharField(max_length=3, blank=True, choices=[(one, one) for one in PRESSED])
    white_link = models.PositiveSmallIntegerField(default=0, editable=False)
    black_link = models.PositiveSmallIntegerField(default=0, editable=False)
    over_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["round", "board"]
        constraints = [
            models.UniqueConstraint(fields=["round", "board"], name="one_game_a_board"),
            models.UniqueConstraint(fields=["round", "white"], name="white_once_a_round"),
            models.UniqueConstraint(fields=["round", "black"], name="black_once_a_round"),
            models.CheckConstraint(condition=~Q(white=F("black")), name="two_different_players"),
            models.CheckConstraint(condition=Q(board__gte=1), name="boards_count_from_1"),
            models.CheckConstraint(
                condition=Q(result__in=["", *(r.value for r in Result)]), name="known_result"
            ),
            models.CheckConstraint(
                condition=Q(rating_result__in=["", *(r.value for r in Result)]), name="known_rating_result"
            ),
            models.CheckConstraint(
                condition=Q(second_result__in=["", *(r.value for r in Result)]), name="known_second_result"
            ),
            models.CheckConstraint(
                condition=Q(white_pressed__in=["", *PRESSED]) & Q(black_pressed__in=["", *PRESSED]),
                name="known_pressed_results",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.board}: {self.white} - {self.black} {self.result}".rstrip()

    @property
    def outcome(self) -> Result | None:
        """The result as the engine's value, or None while it is missing."""
        return Result(self.result) if self.result else None

    def as_of(self, number: int) -> Game:
        """Return the game as it was when round `number` was paired; itself if nothing has changed since."""
        for then in self.earlier:
            if then["until"] >= number:
                former = copy(self)
                former.result = then["result"]
                if then["turned"]:
                    former.white_id, former.black_id = self.black_id, self.white_id
                return former
        return self

    def earlier_until(self, last: int) -> list[dict[str, Any]]:
        """Return `earlier` for the rounds up to `last`, without entries with which none of them was paired."""
        number, kept = self.round.number, list[dict[str, Any]]()
        for then in self.earlier:
            until = min(then["until"], last)
            if until >= (kept[-1]["until"] + 1 if kept else number):
                kept.append({**then, "until": until})
        if kept and kept[0]["until"] == number and not any(then["turned"] for then in kept[:2]):
            del kept[0]  # of its own round only the colours count
        return kept

    def remember(self, paired: int, *, turned: bool = False) -> None:
        """Store the current result in `earlier` for the rounds up to `paired`, before it changes.

        turned: the change turns the colours.
        """
        kept = [{**then, "turned": then["turned"] is not turned} for then in self.earlier]
        if not any(then["until"] >= paired for then in kept):
            kept.append({"until": paired, "result": self.result, "turned": turned})
        self.earlier = kept

    @property
    def is_corrected(self) -> bool:
        """A later round was paired with another result, or with other colours. An adjourned game that was finished is
        not corrected.
        """
        return any(
            then["turned"] or then["result"] not in (self.result, Result.ADJOURNED) for then in self.earlier
        )

    @property
    def is_open(self) -> bool:
        """No result yet. An adjourned game is not open in this sense: it is a draw for pairing."""
        return not self.result

    @property
    def is_adjourned(self) -> bool:
        return self.result == Result.ADJOURNED

    @property
    def is_verified(self) -> bool:
        """The slip was read twice, with the same result."""
        return bool(self.result) and self.second_result == self.result

    @property
    def is_in_conflict(self) -> bool:
        """The slip was read twice, with different results: somebody has to look at it again."""
        return bool(self.second_result) and self.second_result != self.result

    @property
    def pressed(self) -> str:
        """The result that both players pressed; "" if one of them has not, or if they differ."""
        return self.white_pressed if self.white_pressed == self.black_pressed else ""

    @property
    def by_players(self) -> bool:
        """The result is what both players pressed, and no arbiter has entered it."""
        return bool(self.result) and self.entered_by_id is None and self.result == self.pressed

    @property
    def is_disputed(self) -> bool:
        """The players pressed different results, and no arbiter has entered one."""
        return bool(not self.result and self.white_pressed and self.black_pressed and not self.pressed)
