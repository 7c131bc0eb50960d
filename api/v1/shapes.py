"""The JSON of events, sections, entries, rounds and games, and what moves of the arbiter take. Points are in tenths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from evenboard_engine import SYSTEMS, ByeKind, Colour, Result
from evenboard_engine.systems.registry import DEFAULT_SYSTEM
from tournaments.actions.decided_points import LONGEST_REASON, MOST_DECIDED_POINTS
from tournaments.models import AccessToken, ActionLog, Bye, Event, Game, Participant, Player, Round, Section
from tournaments.models.events import CHOSEN_STATES
from tournaments.models.rounds import PRESSED
from tournaments.models.sections import MAX_ROUNDS
from tournaments.player_fields import FIELDS, PLAIN, PUBLIC_PLAIN, PlayerField
from tournaments.queries.log import bare_values

from .bodies import LARGEST, BodySerializer, Confirm, ModelBody, ModelSerializer, names
from .problems import iso_birth_date, with_iso_dates

Shape = serializers.Serializer[Any]
RESULTS = [result.value for result in Result]
BYES = [kind.value for kind in ByeKind]
ASKED_BYES = [kind.value for kind in (ByeKind.HALF, ByeKind.FULL, ByeKind.ZERO)]
ROUNDS: dict[str, Any] = {"min_value": 1, "max_value": 1_000}
COLUMNS_OF = {field.name: field.of for field in FIELDS}
OF_PLAYER = {name: {"source": f"player.{name}"} for name, of in COLUMNS_OF.items() if of is Player}


class ModelShape(ModelSerializer):
    """Columns of a row, for the reader. What is given has no limits."""

    def build_options(self, column: Any, options: dict[str, Any]) -> dict[str, Any]:
        given = super().build_options(column, options)
        return {name: given[name] for name in ("allow_null", "allow_blank", "choices") if name in given}


class PlainField(serializers.CharField):
    """A plain field of an entry, for the reader. Initials hide it."""

    def __init__(self, field: PlayerField) -> None:
        self.player_field = field
        super().__init__(allow_blank=True)

    def get_attribute(self, instance: Participant) -> str:
        return str(self.player_field.shown(instance))


def shown_plain(fields: Iterable[PlayerField]) -> dict[str, Any]:
    """Return the output of plain fields of a row that has their values under their names."""
    return {field.name: serializers.CharField(allow_blank=True) for field in fields}


def public_plain(fields: Iterable[PlayerField]) -> dict[str, Any]:
    """Return the output of plain fields of a row that has their values in `plain`."""
    return {
        field.name: serializers.CharField(allow_blank=True, source=f"plain.{field.name}") for field in fields
    }


class ListShape(Shape):
    """The envelope of every list: `results` has its rows. next, previous: addresses of the pages beside it, or null."""

    next = serializers.URLField(allow_null=True, read_only=True, default=None)
    previous = serializers.URLField(allow_null=True, read_only=True, default=None)


class LinesField(serializers.ListField):
    """A list of texts, which the database keeps as lines."""

    child = serializers.CharField(max_length=200)

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=50, **more)

    def to_representation(self, data: str) -> list[str]:  # type: ignore[override]  # lines, not a list
        return [line.strip() for line in data.splitlines() if line.strip()]

    def to_internal_value(self, data: Any) -> str:  # type: ignore[override]
        return "\n".join(super().to_internal_value(data))


class BirthDateField(serializers.RegexField):
    """A birth date as ISO 8601 has it, also one of which only the year, or year and month are known."""

    default_error_messages = {"invalid": _("Write a birth date as 1990-02-28, or as 1990-02 or 1990.")}

    def __init__(self, **more: Any) -> None:
        super().__init__(r"^\d{4}(-\d\d(-\d\d)?)?$", max_length=10, allow_blank=True, **more)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        year, month, day = [*super().run_validation(data).split("-"), "", ""][:3]
        return f"{year}/{month}/{day or '00'}" if month else year

    def to_representation(self, value: str) -> str:
        return iso_birth_date(value)


class EventShape(ModelShape):
    """address: the first part of the addresses of its pages. rehearsal: invented people play, and nothing counts."""

    deputy_arbiters = LinesField()
    embed_sites = LinesField()

    class Meta:
        model = Event
        fields = names(
            "id address name city federation start end chief_arbiter deputy_arbiters time_control time_zone"
            " state indexed contact embed_sites public_pgn sections_apart rehearsal"
        )
        extra_kwargs = {"address": {"source": "slug"}}


class EventBody(ModelBody):
    """state: who sees the event. indexed: search engines may list the public pages. contact: about personal data.
    embed_sites: web sites that may show lists in a frame. public_pgn: boards as PGN for everybody. sections_apart: the
    sections play at different times.
    """

    deputy_arbiters = LinesField(required=False)
    embed_sites = LinesField(required=False)
    state = serializers.ChoiceField(CHOSEN_STATES, required=False)

    class Meta:
        model = Event
        fields = names(
            "name start end city federation chief_arbiter deputy_arbiters time_control time_zone state indexed"
            " contact embed_sites public_pgn sections_apart"
        )


class ArchivedBody(BodySerializer):
    """archived: nobody changes the event until it is brought back."""

    archived = serializers.BooleanField()


class SectionShape(ModelShape):
    """revision: rises with each action in the section. check_in_round: the round with an open check-in, or null.
    schedule: the day, or day and time, of each round, "" if it is not known. period_starts: the first round of each
    rating period except the first one. countdown_to, hall_message: on the screens in the hall.
    """

    options = serializers.DictField(child=serializers.CharField(allow_blank=True), source="all_options")
    tie_breaks = serializers.ListField(child=serializers.CharField())
    schedule = serializers.ListField(child=serializers.CharField(allow_blank=True))
    period_starts = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        model = Section
        fields = names(
            "id event address name system options rounds initial_colour acceleration win_points draw_points"
            " loss_points bye_points tie_breaks half_bye_limit last_bye_round explained_to lists_by_hand"
            " players_confirm chess960 fide_mode time_control rules_text prizes_public hall_rooms schedule"
            " unrated_left_out"
            " rating_method rating_federation equals_by longer_than_30_days period_starts period_counted countdown_to"
            " hall_message check_in_round status hidden revision"
        )
        extra_kwargs = {"address": {"source": "slug"}, "hidden": {"source": "taken_away"}}


class SectionBody(ModelBody):
    """Points are in tenths. options: those of the pairing system."""

    system = serializers.ChoiceField(choices=sorted(SYSTEMS), default=DEFAULT_SYSTEM)
    options = serializers.DictField(child=serializers.CharField(allow_blank=True), required=False)
    acceleration = serializers.ChoiceField(choices=["", "baku"], required=False)

    class Meta:
        model = Section
        fields = names(
            "name rounds system options acceleration win_points draw_points loss_points bye_points half_bye_limit"
            " last_bye_round explained_to lists_by_hand players_confirm chess960 time_control rules_text prizes_public"
            " hall_rooms"
        )
        extra_kwargs = {
            name: {"max_value": 1_000}
            for name in names("win_points draw_points loss_points bye_points half_bye_limit last_bye_round")
        }


class SectionChangeBody(SectionBody):
    """asked: change settings that stand since round 1 as well, which needs a reason. The report names it."""

    asked = serializers.BooleanField(required=False)
    reason = serializers.CharField(max_length=200, allow_blank=True, required=False)

    class Meta(SectionBody.Meta):
        fields = [*SectionBody.Meta.fields, "asked", "reason"]


class PersonalShape(ModelShape):
    """Personal data of a player: only for tokens with the scope entries:read. report_name: in Latin letters, as the
    report has it. latin_name: how somebody has typed that, "" for the proposal of the program.
    """

    birth_date = BirthDateField(source="player.birth_date")
    report_name = serializers.CharField(source="player.report_name")
    vars().update({field.name: PlainField(field) for field in PLAIN if field not in PUBLIC_PLAIN})

    class Meta:
        model = Participant
        fields = [
            *names("sex fide_id national_id birth_date by_initials latin_name report_name note"),
            *(field.name for field in PLAIN if field not in PUBLIC_PLAIN),
        ]
        extra_kwargs = OF_PLAYER


class WaitingShape(Shape):
    """waiting: how many new players wait for an arbiter: round 1 is paired, and the maker of the token is none."""

    waiting = serializers.IntegerField()


class EntryShape(ModelShape):
    """tpn: the pairing number, null until there is one. It can change, so `id` names the entry."""

    name = serializers.CharField(source="shown_name")
    vars().update({field.name: PlainField(field) for field in PUBLIC_PLAIN})
    personal = PersonalShape(allow_null=True, source="*")

    class Meta:
        model = Participant
        fields = [
            *names("id section tpn name title federation rating rating_source rating_list official_rating"),
            *("national_rating", *(field.name for field in PUBLIC_PLAIN)),
            *names("team status first_round half_bye_allowed fixed_board step_free personal"),
        ]
        extra_kwargs = OF_PLAYER

    def to_representation(self, instance: Participant) -> dict[str, Any]:
        shown = super().to_representation(instance)
        if not self.context["personal"]:
            shown["personal"] = None
        return shown


class EntryBody(ModelBody):
    """name: "Surname, Given". birth_date: 1990-02-28, or 1990-02 or 1990 if no more is known. rating: 0 for none;
    then the rating list gives the one of the FIDE ID, and the answer has it with the name of the list.
    confirm: do it although the program asks first, because pairing numbers change, a bye is more than the rules give,
    the rating list has another person under the FIDE ID, or another entry has the same name and birth date.
    """

    birth_date = BirthDateField(required=False)
    confirm = Confirm()

    class Meta:
        model = Participant
        fields = [
            *names("name rating sex title federation fide_id national_id birth_date by_initials latin_name"),
            *names("rating_source rating_list official_rating national_rating"),
            *(field.name for field in PLAIN),
            *names("team note first_round confirm"),
        ]
        extra_kwargs = {"fide_id": {"min_value": 1}, "first_round": ROUNDS}

    def build_field(self, field_name: str, info: Any, model_class: Any, nested_depth: int) -> Any:
        return super().build_field(field_name, info, COLUMNS_OF.get(field_name, model_class), nested_depth)


class NewEntryBody(EntryBody):
    """missed: the kind of bye for the rounds before a late entry, "" for none."""

    missed = serializers.ChoiceField(choices=["", "H", "Z"], required=False)

    class Meta(EntryBody.Meta):
        fields = [*EntryBody.Meta.fields, "missed"]


class ByeShape(ModelShape):
    """kind: U allocated by the pairing, F full, H half, Z zero points. origin: who wanted it."""

    class Meta:
        model = Bye
        fields = names("id entry round kind origin")
        extra_kwargs = {
            "entry": {"source": "participant_id"},
            "round": {"source": "round_number"},
            "origin": {"source": "source"},
        }


class SideShape(Shape):
    """A player of a game or with a bye."""

    entry = serializers.IntegerField(source="pk")
    tpn = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(source="shown_name")


class PublicSideShape(Shape):
    """A player of a board or with a bye, as everybody sees them. points: in tenths, before the round."""

    tpn = serializers.IntegerField()
    name = serializers.CharField()
    title = serializers.CharField()
    federation = serializers.CharField()
    rating = serializers.IntegerField()
    points = serializers.IntegerField()


class GameShape(ModelShape):
    """second_result: the second reading of the slip, if it was read twice. rating_result: as the report for rating
    has it, if it was corrected there. white_pressed, black_pressed: what the players pressed on their phones. over_at:
    since when the game is over without a result. version: rises with each change, except what one player presses.
    """

    white = SideShape()
    black = SideShape()
    result = serializers.ChoiceField(choices=RESULTS, allow_null=True)
    second_result = serializers.ChoiceField(choices=RESULTS, allow_null=True)
    rating_result = serializers.ChoiceField(choices=RESULTS, allow_null=True)
    white_pressed = serializers.ChoiceField(choices=PRESSED, allow_null=True)
    black_pressed = serializers.ChoiceField(choices=PRESSED, allow_null=True)

    class Meta:
        model = Game
        fields = names(
            "id round board white black result second_result rating_result white_pressed black_pressed entered_at"
            " over_at version"
        )
        extra_kwargs = {"round": {"source": "round.number"}}

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        results = names("result second_result rating_result white_pressed black_pressed")
        return shown | {name: shown[name] or None for name in results}


class RoundRow(ModelShape):
    """A round without its boards. manual_phase: pairing by hand is open. manual: its pairs are not those of the
    rules.
    """

    class Meta:
        model = Round
        fields = names("number state paired_at published_at version manual_phase manual")


class RoundShape(RoundRow):
    games = GameShape(many=True)
    byes = ByeShape(many=True)

    class Meta(RoundRow.Meta):
        fields = [*RoundRow.Meta.fields, "games", "byes"]


class StandingShape(Shape):
    """A line of the standings. place: shared by players who are level, null before the first result. tie_breaks: in
    points, Elo or games, or null.
    """

    place = serializers.IntegerField(allow_null=True)
    entry = serializers.IntegerField(source="participant_id")
    tpn = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    federation = serializers.CharField(allow_blank=True)
    rating = serializers.IntegerField()
    points = serializers.IntegerField()
    aro = serializers.IntegerField()
    games = serializers.IntegerField()
    withdrawn = serializers.BooleanField()
    tie_breaks = serializers.ListField(child=serializers.FloatField(allow_null=True), source="values")


class StandingsShape(ListShape):
    """final: nothing can change any more. provisional: a result is missing, or a game is adjourned."""

    revision = serializers.IntegerField(required=False)
    after_round = serializers.IntegerField(source="state.complete_round")
    final = serializers.BooleanField()
    provisional = serializers.BooleanField(source="state.provisional")
    tie_breaks = serializers.ListField(child=serializers.CharField())
    results = StandingShape(many=True, source="rows")


class PublishedShape(ListShape):
    """A list as it was published. results: each row has the values of its kind of list."""

    revision = serializers.IntegerField()
    list = serializers.CharField()
    after_round = serializers.IntegerField()
    edition = serializers.IntegerField()
    published_at = serializers.DateTimeField()
    published_by = serializers.CharField(allow_null=True)
    of_revision = serializers.IntegerField()
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    results = serializers.ListField(child=serializers.DictField())


class LogShape(ModelShape):
    """An action. subject, before, after and reason may name players, so they need the scope entries:read. Only who
    may change entries gets birth dates and notes.
    """

    before = serializers.DictField(allow_null=True)
    after = serializers.DictField(allow_null=True)

    class Meta:
        model = ActionLog
        fields = names("revision at who action round undoes back_to subject reason before after")
        extra_kwargs = {
            "round": {"source": "round_number"},
            "subject": {"allow_null": True},
            "reason": {"allow_null": True},
        }

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        shown |= {name: with_iso_dates(shown[name]) for name in ("before", "after")}
        if not self.context["personal"]:
            shown |= dict.fromkeys(("subject", "reason", "before", "after"))
        elif not self.context["enters"]:
            shown |= {name: bare_values(shown[name]) for name in ("before", "after")}
        return shown


class TokenShape(ModelShape):
    """The token itself. event: the only event that it is for, or null for all events of its maker."""

    scopes = serializers.ListField(child=serializers.CharField())
    made_by = serializers.CharField(source="made_by.label")

    class Meta:
        model = AccessToken
        fields = ("name", "event", "scopes", "made_by", "expires_at")


# What moves of the arbiter take, besides the data of an entry or a section.


class ReasonBody(BodySerializer):
    reason = serializers.CharField(max_length=300, allow_blank=True, required=False, default="")


class WaitingBody(BodySerializer):
    """confirm: results wait on devices that have not sent them."""

    confirm = Confirm()


class MoveBody(BodySerializer):
    """section: another one of the event. confirm: the numbers change, or the player plays in a third section too."""

    section = serializers.IntegerField(min_value=1, max_value=LARGEST)
    confirm = Confirm()


class ReadmitBody(ReasonBody):
    """confirm: the player plays in another section too."""

    confirm = Confirm()


class ReopenBody(ReasonBody):
    """confirm: players of the section play in another section too."""

    confirm = Confirm()


class ShowBody(BodySerializer):
    """confirm: as in `ReopenBody`."""

    confirm = Confirm()


class WithdrawBody(ReasonBody):
    """expelled: the player also leaves the standings."""

    expelled = serializers.BooleanField(required=False, default=False)


class PointsBody(BodySerializer):
    """points: tenths of a point, negative for a penalty. after_round: the round from which they count. confirm: the
    standings and later pairings may change.
    """

    points = serializers.IntegerField(min_value=-MOST_DECIDED_POINTS, max_value=MOST_DECIDED_POINTS)
    after_round = serializers.IntegerField(min_value=1, max_value=MAX_ROUNDS)
    reason = serializers.CharField(max_length=LONGEST_REASON)
    confirm = Confirm()


class CloseBody(ReasonBody):
    """early: close it although rounds are left; this needs a reason. confirm: the warnings of `closing/` were read, and
    as in `WaitingBody`.
    """

    early = serializers.BooleanField(required=False, default=False)
    confirm = Confirm()


class ColourBody(BodySerializer):
    """colour: the initial-colour; without it, the program draws lots."""

    colour = serializers.ChoiceField(choices=[colour.value for colour in Colour], required=False)


class PairBody(BodySerializer):
    """after_round: the last round that you know of, 0 before round 1. confirm: adjourned games of earlier rounds count
    as draws, or results wait on devices that have not sent them.
    """

    after_round = serializers.IntegerField(min_value=0, max_value=1_000)
    confirm = Confirm()


class ResultBody(BodySerializer):
    """result: null removes it. confirm: of an adjourned game, as later rounds were not paired with it."""

    result = serializers.ChoiceField(choices=RESULTS, allow_null=True)
    confirm = Confirm()


class ByeBody(BodySerializer):
    """confirm: it replaces a bye of another kind, or is more than the rules of the tournament give."""

    round = serializers.IntegerField(**ROUNDS)
    kind = serializers.ChoiceField(choices=ASKED_BYES)
    confirm = Confirm()


class PresenceBody(BodySerializer):
    round = serializers.IntegerField(**ROUNDS)
    here = serializers.BooleanField()


class CheckInBody(BodySerializer):
    """open: open the check-in for the round after `after_round`, or close it. confirm: absent players without a choice
    are paired.
    """

    open = serializers.BooleanField()
    after_round = serializers.IntegerField(min_value=0, max_value=1_000)
    confirm = Confirm()


class UndoBody(ReasonBody):
    """revision: that of the action in the log. confirm: also if a player then plays in two sections."""

    revision = serializers.IntegerField(min_value=1, max_value=LARGEST)
    confirm = Confirm()


class PageQuery(BodySerializer):
    """cursor: as in `next` of the page before. count: say how many rows there are on all pages, which takes longer."""

    cursor = serializers.CharField(required=False, max_length=500)
    page_size = serializers.IntegerField(required=False, min_value=1, max_value=200)
    count = serializers.BooleanField(required=False)


class FeedQuery(PageQuery):
    """changed_since: empty for the first time, then the `mark` of the answer before: only what has changed since, and
    the numbers of what is gone.
    """

    changed_since = serializers.CharField(required=False, max_length=60, allow_blank=True)


class EntriesQuery(FeedQuery):
    """search: a part of the name. fide_id needs the scope entries:read."""

    status = serializers.ChoiceField(choices=Participant.Status.values, required=False)
    search = serializers.CharField(max_length=80, required=False)
    fide_id = serializers.IntegerField(min_value=1, max_value=99_999_999_999, required=False)


class GamesQuery(FeedQuery):
    """open: only games without a result. entry: only those of this player."""

    entry = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST)
    round = serializers.IntegerField(required=False, **ROUNDS)
    open = serializers.BooleanField(required=False, default=None, allow_null=True)


class ByesQuery(FeedQuery):
    round = serializers.IntegerField(required=False, **ROUNDS)


class LogQuery(PageQuery):
    """after: only actions after this revision, as a feed of what has changed."""

    after = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST)
    action = serializers.CharField(required=False, max_length=40)


class StandingsQuery(BodySerializer):
    after_round = serializers.IntegerField(required=False, min_value=0, max_value=1_000)


class ConfirmQuery(BodySerializer):
    """confirm: pairing numbers of others may change."""

    confirm = Confirm()
