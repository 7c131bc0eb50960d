"""Events, the roles of the people who run them, and the boards of a result clerk."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import ExpressionWrapper, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from base.text import folded

from .journal import FoldedField, Journaled

# The boards whose results a result clerk enters: a range, or several of several roles.

HIGHEST_BOARD = 9_999


@dataclass(frozen=True, slots=True, order=True)
class Boards:
    """The boards from `first` to `last`, by the numbers of a published round."""

    first: int
    last: int

    def __contains__(self, board: int) -> bool:
        return self.first <= board <= self.last

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"

    def covers(self, other: Boards) -> bool:
        return self.first <= other.first and other.last <= self.last

    @property
    def possible(self) -> bool:
        return 1 <= self.first <= self.last <= HIGHEST_BOARD


OwnBoards = tuple[Boards, ...] | None
"""The boards of a person in a section, in order and without overlaps; None: all boards."""


def boards_between(first: int | None, last: int | None) -> Boards | None:
    """Return the range of two columns; None if they are empty, which means all boards."""
    return None if first is None or last is None else Boards(first, last)


def board_columns(boards: Boards | None) -> dict[str, int | None]:
    """Return the values of the two columns."""
    first, last = (boards.first, boards.last) if boards else (None, None)
    return {"first_board": first, "last_board": last}


def joined_boards(ranges: Iterable[Boards]) -> tuple[Boards, ...]:
    """Return the same boards with as few ranges as possible."""
    found: list[Boards] = []
    for each in sorted(ranges):
        if found and each.first <= found[-1].last + 1:
            found[-1] = Boards(found[-1].first, max(found[-1].last, each.last))
        else:
            found.append(each)
    return tuple(found)


def are_own(board: int, own: OwnBoards) -> bool:
    return own is None or any(board in each for each in own)


federation_form = re.compile(r"^[A-Z]{3}$")
federation_code = RegexValidator(
    federation_form.pattern, _("A federation is three capital letters, such as NED.")
)


REHEARSAL_MARK = "REHEARSAL"
"""How the name of a rehearsal begins, in every language, and so its address and the names of its files."""


class EventState(models.TextChoices):
    """Who sees an event and who may write (docs/decisions/0101-the-life-of-an-event.md)."""

    DRAFT = "draft", pgettext_lazy("an event", "draft: only people who work on it see it")
    UNLISTED = "unlisted", pgettext_lazy("an event", "unlisted: whoever has the address sees it")
    PUBLIC = "public", pgettext_lazy("an event", "public: everybody finds it")
    ARCHIVED = "archived", pgettext_lazy("an event", "archived: as before, and nobody changes it")
    DELETED = "deleted", pgettext_lazy("an event", "deleted")


CHOSEN_STATES = (EventState.DRAFT, EventState.UNLISTED, EventState.PUBLIC)
"""Those that an organiser chooses. The others have actions of their own."""
AT_REST = (EventState.ARCHIVED, EventState.DELETED)
"""Those in which nobody writes, and the server does nothing by itself."""
DELETED_MARK = "."
"""The end of the address of a deleted event. No address of a page can have it, so nobody finds the event."""


def _seen_as(*states: EventState) -> Q:
    """Return the condition that an event is in one of these states, or was when it was archived."""
    return Q(state__in=states) | Q(state=EventState.ARCHIVED, state_before__in=states)


LISTED = Q(listed=True)
"""What lists of events show to everybody: nobody but those who work there finds other events."""
FOUND_BY_ENGINES = LISTED & Q(indexed=True)
"""The events that want to be found by search engines: the site map names no others."""


class Event(Journaled):
    """A place, dates, and one or more sections (`Section`).

    time_zone: of all times that the event shows and reads, as in `base.zones`; empty: the zone of the server.
    state: as in `EventState`. state_before: the state to which an archived or deleted event comes back. state_since:
    when it was archived or deleted. public: whoever has the address sees it. listed: lists and search engines may name
    it. The database works both out.
    indexed: search engines may list the public pages. Until then, every answer forbids it.
    contact: whom people ask about what is kept about them.
    embed_sites: the web sites that may show lists of the event in a frame, one on each line, as https://club.example.
    public_pgn: everybody may download the names at the boards of a round as PGN, for transmissions.
    sections_apart: the sections play at different times, so that a player may play in several.
    rehearsal: invented people play, nothing counts, and all of it is deleted at the end. It never changes.
    log_head: the seal of the newest row in the event's own log, which is the rows without a section.
    """

    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    city = models.CharField(_("city"), max_length=80, blank=True)
    federation = models.CharField(_("federation"), max_length=3, blank=True, validators=[federation_code])
    start = models.DateField(_("first day"))
    end = models.DateField(_("last day"))
    chief_arbiter = models.CharField(_("chief arbiter"), max_length=120, blank=True)
    deputy_arbiters = models.TextField(
        _("deputy arbiters"), blank=True, help_text=_("One name on each line.")
    )
    time_control = models.CharField(_("time control"), max_length=120, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    state = models.CharField(
        _("who sees the event"), max_length=8, choices=EventState, default=EventState.PUBLIC
    )
    state_before = models.CharField(max_length=8, blank=True, default="")
    state_since = models.DateTimeField(null=True, blank=True, editable=False)
    public = models.GeneratedField(
        expression=ExpressionWrapper(
            _seen_as(EventState.UNLISTED, EventState.PUBLIC), output_field=models.BooleanField()
        ),
        output_field=models.BooleanField(),
        db_persist=True,
    )
    listed = models.GeneratedField(
        expression=ExpressionWrapper(
            _seen_as(EventState.PUBLIC) & Q(rehearsal=False), output_field=models.BooleanField()
        ),
        output_field=models.BooleanField(),
        db_persist=True,
    )
    indexed = models.BooleanField(_("in search engines"), default=False)
    contact = models.CharField(_("contact about personal data"), max_length=200, blank=True)
    embed_sites = models.TextField(_("web sites that may embed lists"), blank=True)
    public_pgn = models.BooleanField(_("boards as PGN for everybody"), default=False)
    sections_apart = models.BooleanField(_("sections play at different times"), default=False)
    rehearsal = models.BooleanField(default=False, editable=False)
    log_head = models.CharField(max_length=64, blank=True, default="", editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-start", "name", "pk"]
        indexes = [
            models.Index(fields=["start", "id", "end"], name="event_by_first_day", condition=LISTED),
            models.Index(fields=["end", "id", "start"], name="event_by_last_day", condition=LISTED),
            models.Index(fields=["id"], name="event_in_site_map", condition=FOUND_BY_ENGINES),
            models.Index(fields=["start", "id", "end"], name="any_event_by_first_day"),
            models.Index(fields=["end", "id", "start"], name="any_event_by_last_day"),
            models.Index(fields=["state", "state_since"], name="event_by_state"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=CHOSEN_STATES, state_before="")
                | Q(state__in=AT_REST, state_before__in=CHOSEN_STATES, state_since__isnull=False),
                name="state_of_an_event",
            ),
            models.CheckConstraint(
                condition=Q(rehearsal=False) | Q(name__startswith=f"{REHEARSAL_MARK} "),
                name="rehearsal_has_its_mark",
            ),
            models.CheckConstraint(
                condition=Q(end__gte=models.F("start")), name="event_ends_after_it_starts"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        super().save(*args, **kwargs)
        note_word_ends([self])

    @property
    def is_archived(self) -> bool:
        return self.state == EventState.ARCHIVED

    @property
    def is_deleted(self) -> bool:
        return self.state == EventState.DELETED

    @property
    def own_slug(self) -> str:
        """Return the address while the event is not deleted."""
        return self.slug.removesuffix(DELETED_MARK)

    def includes(self, day: date) -> bool:
        return self.start <= day <= self.end


LONGEST_END = 40
"""Letters of a word end that are kept, and of a word that is looked for."""


class WordEnd(models.Model):
    """A word of the name, the place or the federation of an event, from one of its letters to its end: "open", "pen",
    "en", "n". A part of a word is the beginning of such an end, so the search for events finds it by an index.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="+", db_index=False)
    text = FoldedField(max_length=LONGEST_END)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "text"], name="word_end_once")]
        indexes = [models.Index(fields=["text", "event"], name="event_by_word_end")]

    def __str__(self) -> str:
        return str(self.text)


def note_word_ends(events: Sequence[Event]) -> None:
    """Make the ends of words follow the names, places and federations of these events. One query if they do."""
    noted: dict[int, set[str]] = {event.pk: set() for event in events}
    for event, text in WordEnd.objects.filter(event__in=noted).values_list("event", "text"):
        noted[event].add(text)
    ends = {
        event.pk: {
            word[at:][:LONGEST_END]
            for word in folded(f"{event.name} {event.city} {event.federation}").split()
            for at in range(len(word))
        }
        for event in events
    }
    changed = [event for event in noted if noted[event] != ends[event]]
    if changed:
        WordEnd.objects.filter(event__in=changed).delete()
        WordEnd.objects.bulk_create(
            WordEnd(event_id=event, text=text) for event in changed for text in sorted(ends[event])
        )


def boards_of_clerk(name: str) -> models.CheckConstraint:
    """Return the rule for a range of boards: only a result clerk has one, and it has both ends."""
    both = Q(
        first_board__isnull=False, last_board__isnull=False
    )  # a comparison with null would let a row pass
    ordered = Q(role="clerk", first_board__gte=1, last_board__gte=models.F("first_board"))
    return models.CheckConstraint(
        condition=Q(first_board=None, last_board=None) | (both & ordered), name=name
    )


class EventRole(Journaled):
    """What a person may do in an event, or in one section of it (tournaments/rights.py). A person may have several.

    section: the only section in which the role counts; null: the whole event. until: the last day on which it counts,
    by the clock of the event; null: for good. An owner works in the whole event and for good. first_board, last_board:
    the boards of a result clerk in each section of the role; null: all boards.
    """

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        ORGANISER = "organiser", _("organiser")
        CHIEF = "chief", _("chief arbiter")
        ARBITER = "arbiter", _("arbiter")
        CLERK = "clerk", _("result clerk")
        CHECK_IN = "check-in", pgettext_lazy("a role", "check-in")
        VIEWER = "viewer", _("viewer")

    event = models.ForeignKey(Event, models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="event_roles")
    role = models.CharField(max_length=10, choices=Role.choices)
    section = models.ForeignKey("Section", models.CASCADE, null=True, blank=True, related_name="roles")
    until = models.DateField(_("last day"), null=True, blank=True)
    first_board = models.PositiveSmallIntegerField(null=True, blank=True)
    last_board = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "user", "role"],
                condition=Q(section=None),
                name="a_role_in_an_event_once",
            ),
            models.UniqueConstraint(
                fields=["section", "user", "role"],
                condition=Q(section__isnull=False),
                name="a_role_in_a_section_once",
            ),
            models.CheckConstraint(
                condition=Q(
                    role__in=["owner", "organiser", "chief", "arbiter", "clerk", "check-in", "viewer"]
                ),
                name="known_event_role",
            ),
            models.CheckConstraint(
                condition=~Q(role="owner") | Q(section=None, until=None), name="owner_everywhere_for_good"
            ),
            models.CheckConstraint(
                condition=~Q(role="organiser") | Q(section=None), name="organiser_of_the_whole_event"
            ),
            boards_of_clerk("boards_of_a_clerk"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"

    @property
    def boards(self) -> Boards | None:
        return boards_between(self.first_board, self.last_board)

    def counts_on(self, day: date) -> bool:
        return self.until is None or day <= self.until
