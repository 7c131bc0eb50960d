"""The JSON of registrations. Money is in cents."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.v1.bodies import LARGEST, BodySerializer, Confirm, ModelBody, names
from api.v1.problems import with_iso_dates
from api.v1.shapes import ROUNDS, BirthDateField, FeedQuery, ListShape, ModelShape, Shape, shown_plain
from evenboard_engine import ByeKind
from registrations.models import Label, Registration, WishedBye
from registrations.models.records import TYPED_CHARGES, Charge, ListNews, Note
from registrations.person_fields import CONTACTS, CORRECTABLE
from registrations.queries.problems import account_lines
from registrations.queries.queue import MOST as MOST_CONDITIONS
from registrations.queries.queue import read_words
from registrations.states import RegistrationState
from tournaments.player_fields import REGISTERED

KEY: dict[str, Any] = {"min_value": 1, "max_value": LARGEST}
DECISIONS = [
    state.value
    for state in RegistrationState
    if state not in (RegistrationState.SUBMITTED, RegistrationState.EXPIRED)
]
MOST = 500
"""Registrations that one request decides about, as on the page."""


class WishShape(ModelShape):
    """A bye that the player asks for."""

    kind = serializers.ChoiceField(choices=[ByeKind.HALF.value, ByeKind.ZERO.value])

    class Meta:
        model = WishedBye
        fields = ("round", "kind", "state")
        extra_kwargs = {"round": {"source": "round_number"}}


class ListNewsShape(ModelShape):
    """What a new rating list says otherwise. rating: 0 if it no longer rates the player. title: "" for no other one."""

    class Meta:
        model = ListNews
        fields = ("rating", "title", "list")
        extra_kwargs = {"list": {"source": "label"}}


class AnswerShape(Shape):
    """What was answered to a question of the form."""

    question = serializers.CharField(max_length=150)
    answer = serializers.CharField(max_length=200, allow_blank=True)


class AnswersField(serializers.ListField):
    """Answers with their questions. The database keeps the answers alone, in the order of the questions."""

    child = AnswerShape()

    def to_representation(self, data: list[str]) -> list[dict[str, str]]:
        return with_questions(data, self.context["questions"])


def with_questions(answers: list[str], questions: list[str]) -> list[dict[str, str]]:
    return [{"question": one, "answer": text} for one, text in zip(questions, answers, strict=False)]


class RegistrationRow(ModelShape):
    """A registration in a list. entry: of an accepted player. problems: codes of what the organiser has to look at.

    proposed: what the player changed after acceptance, until it is taken. balance: what is owed, below 0 what is to be
    repaid. list_news: what a new rating list says otherwise.
    """

    birth_date = BirthDateField()
    answers = AnswersField()
    problems = serializers.ListField(child=serializers.CharField(), source="problem_codes")
    proposed = serializers.DictField()
    labels = serializers.ListField(child=serializers.CharField(), source="labels.all")
    byes = WishShape(many=True)
    list_news = ListNewsShape(source="news_now", allow_null=True)

    class Meta:
        model = Registration
        fields = [
            *names(
                "id event section entry state revision takes_place created_at deadline name sex birth_date"
            ),
            *names("federation fide_id title rating rating_source rating_list"),
            *(field.name for field in REGISTERED),
            *names("email phone guardian guardian_email consent message answers problems proposed balance"),
            *names("present_at labels byes list_news"),
        ]
        extra_kwargs = {"entry": {"source": "participant_id"}}

    def to_representation(self, instance: Registration) -> dict[str, Any]:
        shown = super().to_representation(instance)
        proposed = with_iso_dates(shown["proposed"])
        if "answers" in proposed:
            proposed["answers"] = with_questions(proposed["answers"], self.context["questions"])
        return {**shown, "proposed": proposed}


class LineShape(ModelShape):
    """A line of the account. cents: below 0 for what is paid or waived."""

    class Meta:
        model = Charge
        fields = ("at", "kind", "cents", "note")


class NoteShape(ModelShape):
    """What an organiser wrote."""

    who = serializers.CharField(source="user.label", default="")

    class Meta:
        model = Note
        fields = ("at", "who", "text")


HIDDEN = (*CONTACTS, "proposed", "account", "notes")


class RegistrationShape(RegistrationRow):
    """A registration with its account, without ended prices of former sections, and its notes. For a token without the
    scope registrations:read, the answer to a change has no contacts, birth date, account or notes: they are empty.
    """

    account = LineShape(many=True)
    notes = NoteShape(many=True)

    class Meta(RegistrationRow.Meta):
        fields = [*RegistrationRow.Meta.fields, "account", "notes"]

    def to_representation(self, instance: Registration) -> dict[str, Any]:
        instance.account = account_lines(instance)  # type: ignore[attr-defined]  # read by the field of this name
        shown = super().to_representation(instance)
        if not self.context["contacts"]:
            shown |= {name: type(shown[name])() for name in HIDDEN}
        return shown


class RegistrationsQuery(FeedQuery):
    """search: parts of the name, a FIDE ID or a mail address. changed_since: empty for the first time, then the `mark`
    of the answer before, or any time: only what has changed since, and the numbers of what is gone.
    conditions: as on the page, one in each parameter, with ! before one that must not hold, such as `label.VIP`,
    `!title.GM` and `rating_from=1800`. any: one of them is enough.
    """

    state = serializers.ChoiceField(choices=RegistrationState.values, required=False)
    section = serializers.IntegerField(required=False, **KEY)
    label = serializers.CharField(max_length=30, required=False)  # type: ignore[assignment]  # a field here
    search = serializers.CharField(max_length=80, required=False)
    conditions = serializers.ListField(
        child=serializers.CharField(max_length=150), max_length=MOST_CONDITIONS, required=False
    )
    any = serializers.BooleanField(required=False, default=False)

    def validate_conditions(self, value: list[str]) -> list[str]:
        if any(one.q is None for one in read_words(value, {})):
            raise serializers.ValidationError(_("There is no such value here."), "unknown")
        return value


class AnswerBody(BodySerializer):
    """question: as the settings of the registration have it."""

    question = serializers.CharField(max_length=150)
    answer = serializers.CharField(max_length=200, allow_blank=True)


class RegistrationBody(ModelBody):
    """What a form has. name: "Surname, Given". birth_date: 1990-02-28, or 1990. answers: to questions of the form.

    With a FIDE ID, what is not sent comes from the rating list: rating, title, federation, sex and year of birth. If
    the list has another name or year of birth, the answer is 422 with the code `listed_otherwise`. agreed: the
    `question` of its `params`, to say that this is the person all the same.
    """

    birth_date = BirthDateField(required=False)
    answers = serializers.ListField(child=AnswerBody(), max_length=8, required=False)
    agreed = serializers.CharField(max_length=20, allow_blank=True, required=False, default="")

    class Meta:
        model = Registration
        fields = [
            *names("name sex birth_date federation fide_id title rating"),
            *(field.name for field in REGISTERED),
            *names("email phone guardian guardian_email consent message answers agreed"),
        ]
        extra_kwargs = {"fide_id": {"min_value": 1}, "message": {"max_length": 1_000}}


class NewRegistrationBody(RegistrationBody):
    """byes: rounds with a half-point bye."""

    section = serializers.IntegerField(**KEY)
    byes = serializers.ListField(
        child=serializers.IntegerField(**ROUNDS), max_length=50, required=False, default=list
    )

    class Meta(RegistrationBody.Meta):
        fields = [*RegistrationBody.Meta.fields, "section", "byes"]


class StateBody(BodySerializer):
    """reason: the player gets it. confirm: a player who is entered in another section is accepted here too.

    marked: the fields that the player is asked to correct, and no others; empty for all.
    """

    state = serializers.ChoiceField(choices=DECISIONS)
    reason = serializers.CharField(max_length=300, allow_blank=True, required=False, default="")
    confirm = Confirm()
    marked = serializers.ListField(
        child=serializers.ChoiceField(choices=CORRECTABLE), required=False, default=list
    )


class ToSectionBody(BodySerializer):
    """confirm: move it also if it does not meet the limits of the section (`limits_to_confirm`)."""

    section = serializers.IntegerField(**KEY)
    confirm = Confirm()


class SeenBody(BodySerializer):
    """revision: the one that you have read."""

    id = serializers.IntegerField(**KEY)
    revision = serializers.IntegerField(min_value=0, max_value=LARGEST)


class LabelBody(ModelBody):
    """on: false takes it off. colour: for the label, wherever it is; without it, the label keeps its colour."""

    on = serializers.BooleanField(required=False, default=True)

    class Meta:
        model = Label
        fields = ("name", "on", "colour")


class DecideBody(BodySerializer):
    """Give a state, a section or labels for all of these registrations, what to do again, or undo. One that is refused
    stays.

    again: charge the current fee of the section, find what there is to look at, make the entry of an accepted player
    that an arbiter has removed or withdrawn, take rating and title of the rating list in force, or leave them as they
    are. label: put it on, or take it off. undo: what you did last with each. confirm: what the questions about
    single registrations gave, with the same list.
    """

    registrations = serializers.ListField(child=SeenBody(), min_length=1, max_length=MOST)
    state = serializers.ChoiceField(choices=DECISIONS, required=False)
    section = serializers.IntegerField(required=False, **KEY)
    again = serializers.ChoiceField(
        choices=["fee", "problems", "entry", "take_listed", "leave_listed"], required=False
    )
    label = LabelBody(required=False)  # type: ignore[assignment]  # a field here
    undo = serializers.BooleanField(required=False)
    reason = serializers.CharField(max_length=300, allow_blank=True, required=False, default="")
    confirm = Confirm(max_length=MOST)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len({"state", "section", "again", "label", "undo"} & attrs.keys()) != 1 or not attrs.get(
            "undo", True
        ):
            raise serializers.ValidationError(
                {
                    "state": [
                        serializers.ErrorDetail(
                            _("Send one of state, section, again, label and undo."), "one_of"
                        )
                    ]
                }
            )
        return attrs


class DecidedShape(Shape):
    """What became of one registration. code, detail: why it stays as it is, "" if it was decided.
    confirm: of a question, the text that says yes to it.

    current: its state now, if it has changed since you have read it (`registration_changed`); else null.
    """

    id = serializers.IntegerField()
    code = serializers.CharField(allow_blank=True)
    detail = serializers.CharField(allow_blank=True)
    confirm = serializers.CharField(allow_blank=True)
    current = RegistrationShape(allow_null=True)


class DecisionsShape(ListShape):
    """What became of each. decided: how many."""

    decided = serializers.IntegerField()
    results = DecidedShape(many=True)


class LatePlayerShape(Shape):
    """A registration that waits for an arbiter, or (entry) the move of an entry of another section. by: who asked."""

    registration = serializers.IntegerField(allow_null=True)
    entry = serializers.IntegerField(allow_null=True)
    revision = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    rating = serializers.IntegerField(allow_null=True)
    federation = serializers.CharField(allow_blank=True)
    vars().update(shown_plain(REGISTERED))
    fide_id = serializers.IntegerField(allow_null=True)
    from_section = serializers.IntegerField(allow_null=True)
    by = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()
    problems = serializers.ListField(child=serializers.CharField())


class LatePlayersShape(ListShape):
    results = LatePlayerShape(many=True)


class DecideLateBody(BodySerializer):
    """registration, with the revision that you have read, or entry. reason: of a refusal; the player gets it.

    A move that is refused leaves the entry in its section.
    """

    registration = serializers.IntegerField(required=False, **KEY)
    revision = serializers.IntegerField(
        min_value=0, max_value=LARGEST, required=False, allow_null=True, default=None
    )
    entry = serializers.IntegerField(required=False, **KEY)
    accept = serializers.BooleanField()
    reason = serializers.CharField(max_length=300, allow_blank=True, required=False, default="")
    confirm = Confirm()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len({"registration", "entry"} & attrs.keys()) != 1:
            text = _("Send one of registration and entry.")
            raise serializers.ValidationError({"registration": [serializers.ErrorDetail(text, "one_of")]})
        return attrs


class AtDeskBody(BodySerializer):
    here = serializers.BooleanField()


class ChargeBody(BodySerializer):
    """cents: above 0; the kind says on which side it is."""

    kind = serializers.ChoiceField(choices=[kind.value for kind in TYPED_CHARGES])
    cents = serializers.IntegerField(min_value=1, max_value=LARGEST)
    note = serializers.CharField(max_length=120, allow_blank=True, required=False, default="")


class NoteBody(ModelBody):
    class Meta:
        model = Note
        fields = ("text",)


class TakeBody(BodySerializer):
    """take: false leaves the former data."""

    take = serializers.BooleanField()


class GrantBody(BodySerializer):
    round = serializers.IntegerField(**ROUNDS)
    grant = serializers.BooleanField()
