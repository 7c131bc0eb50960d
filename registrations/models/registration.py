from __future__ import annotations

from datetime import date

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from ratings.models import LABEL_LENGTH
from registrations.states import ALWAYS_A_PLACE, CONFIRMED, LIVE, RegistrationState
from tournaments.models import Event, Participant, Section, Sex, Title
from tournaments.models.entries import birth_date
from tournaments.models.events import federation_code

from .records import Label, ListNews

CONFIRMED_STATES = sorted(CONFIRMED)
PLACED_STATES = sorted(ALWAYS_A_PLACE)
MANY_FORMS = "many_forms"
"""A problem that is a mark: so many forms came that this one needs one more press, or a look of the organiser."""


class Registration(models.Model):
    """A person who asks for a place in a section.

    state: moved by `registrations.actions.transitions` alone. takes_place: whether it is counted against the capacity.
    revision: counts the changes. form_key: of the form that was sent, so that it makes one registration however often
    it arrives. queued_at: its time in the waiting list; position: its place there, if the organiser gave one.
    parked: the organiser put it on the list, so only the organiser offers it a place.
    deadline: when the state ends by itself. link_counter: goes up to make all personal links void.
    facts: the facts and limits by which it was admitted. problems: codes of `queries.fitting`, each with a blank on
    both sides. balance: the sum of its charges, in cents; above 0 is owed. correction: {"fields", "text"} that the
    organiser asks to correct; it stays after the answer, until the organiser decides.
    proposed: values that the player changed after acceptance, until they are taken.
    joins: the person, or the guardian of a minor, consents to the page across events.
    search: name, FIDE ID and mail address, folded. new_email: the player asked for this mail address.
    It counts once the player has opened the link in a mail to it.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="registrations")
    section = models.ForeignKey(Section, models.CASCADE, related_name="registrations")
    state = models.CharField(
        max_length=10, choices=RegistrationState.choices, default=RegistrationState.SUBMITTED
    )
    takes_place = models.BooleanField(default=False)
    revision = models.PositiveIntegerField(default=0)
    form_key = models.UUIDField(null=True, blank=True, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    queued_at = models.DateTimeField(default=timezone.now)
    position = models.IntegerField(null=True, blank=True)
    parked = models.BooleanField(default=False)
    deadline = models.DateTimeField(null=True, blank=True)
    link_counter = models.PositiveIntegerField(default=0)
    language = models.CharField(max_length=10, blank=True)

    name = models.CharField(max_length=120)
    sex = models.CharField(max_length=1, blank=True, choices=Sex.choices)
    birth_date = models.CharField(max_length=10, blank=True, validators=[birth_date])
    federation = models.CharField(max_length=3, blank=True, validators=[federation_code])
    fide_id = models.PositiveBigIntegerField(
        null=True, blank=True, validators=[MaxValueValidator(99_999_999_999)]
    )
    title = models.CharField(max_length=3, blank=True, choices=Title.choices)
    rating = models.PositiveSmallIntegerField(null=True, blank=True, validators=[MaxValueValidator(3999)])
    rating_source = models.CharField(max_length=12, blank=True)
    rating_list = models.CharField(max_length=LABEL_LENGTH, blank=True)
    club = models.CharField(max_length=80, blank=True)
    email = models.EmailField(blank=True)
    email_proved = models.BooleanField(default=False)
    new_email = models.EmailField(blank=True)
    phone = models.CharField(max_length=40, blank=True)
    guardian = models.CharField(max_length=120, blank=True)
    guardian_email = models.EmailField(blank=True)
    consent = models.BooleanField(default=False)
    joins = models.BooleanField(default=False)
    message = models.TextField(blank=True)
    answers = models.JSONField(default=list, blank=True)

    facts = models.JSONField(default=dict, blank=True)
    problems = models.CharField(max_length=200, blank=True)
    correction = models.JSONField(default=dict, blank=True)
    proposed = models.JSONField(default=dict, blank=True)
    balance = models.IntegerField(default=0)
    paid_at = models.DateTimeField(null=True, blank=True)
    present_at = models.DateTimeField(null=True, blank=True)
    labels = models.ManyToManyField(Label, blank=True, related_name="registrations")
    participant = models.OneToOneField(
        Participant, models.SET_NULL, null=True, blank=True, related_name="registration"
    )
    search = models.CharField(max_length=400, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = [F("position").asc(nulls_last=True), "queued_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["section", "fide_id"],
                condition=Q(state__in=CONFIRMED_STATES, fide_id__isnull=False),
                name="one_live_registration_a_fide_id",
            ),
            models.CheckConstraint(
                condition=Q(state__in=RegistrationState.values), name="known_registration_state"
            ),
            models.CheckConstraint(
                condition=Q(state=RegistrationState.SUBMITTED)
                | Q(state__in=PLACED_STATES, takes_place=True)
                | (~Q(state__in=[*PLACED_STATES, RegistrationState.SUBMITTED]) & Q(takes_place=False)),
                name="registration_with_a_place",
            ),
        ]
        indexes = [
            models.Index(fields=["event", "state", "queued_at"], name="registration_by_state"),
            models.Index(fields=["section", "takes_place"], name="registration_by_place"),
            models.Index(fields=["event", "email"], name="registration_by_mail"),
            models.Index(fields=["event", "name"], name="registration_by_name"),
            models.Index(fields=["deadline"], name="registration_by_deadline"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_live(self) -> bool:
        return self.state in LIVE

    @property
    def is_held(self) -> bool:
        """Return whether this is one of very many forms: no mail goes out before the player or the organiser has
        pressed once more.
        """
        return self.state == RegistrationState.SUBMITTED and MANY_FORMS in self.problem_codes

    @property
    def problem_codes(self) -> list[str]:
        return self.problems.split()

    @property
    def news_now(self) -> ListNews | None:
        """Return what the rating list says otherwise about these data; None if an organiser has left them so.

        No query if `news` was read with the registration.
        """
        news: ListNews | None = getattr(self, "news", None)
        if news is None or news.left or not self.is_live:
            return None
        same_person = (news.section_id, news.fide_id) == (self.section_id, self.fide_id)
        other = news.rating != (self.rating or 0) or news.title not in ("", self.title)
        return news if same_person and other else None

    def age_on(self, day: date) -> int | None:
        """Return the age; None if the birth date is not known. Of a year alone, the age reached in that year."""
        parts = [int(part) for part in self.birth_date.split("/") if part]
        if not parts:
            return None
        year, month, of_month = [*parts, 0, 0][:3]
        return day.year - year - ((month, of_month) > (day.month, day.day))
