"""The JSON of events, sections, entries, rounds and games, and what moves of the arbiter take. Points are in tenths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from evenboard_engine import SYSTEMS, ByeKind, Colour, Result
from evenboard_engine.systems.registry import DEFAULT_SYSTEM
from ratings.models import LABEL_LENGTH
from tournaments.actions.decided_points import LONGEST_REASON, MOST_DECIDED_POINTS
from tournaments.models import Participant, RatingSource, Round, Section, Sex, Title
from tournaments.models.sections import LONGEST_RULES, MAX_ROUNDS
from tournaments.player_fields import PLAIN, PUBLIC_PLAIN, PlayerField
from tournaments.queries.log import bare_values

from .bodies import LARGEST, BodySerializer, Confirm
from .problems import iso_birth_date, with_iso_dates

# The JSON of events, sections, entries, rounds and games. Points are in tenths.

Shape = serializers.Serializer[Any]
RESULTS = [result.value for result in Result]
BYES = [kind.value for kind in ByeKind]
ASKED_BYES = [kind.value for kind in (ByeKind.HALF, ByeKind.FULL, ByeKind.ZERO)]
ROUNDS: dict[str, Any] = {"min_value": 1, "max_value": 1_000}


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


def typed_plain(fields: Iterable[PlayerField]) -> dict[str, Any]:
    """Return the input of plain fields."""
    return {
        field.name: serializers.CharField(max_length=field.longest, allow_blank=True, required=False)
        for field in fields
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


class EventShape(Shape):
    """address: the first part of the addresses of its pages."""

    id = serializers.IntegerField()
    address = serializers.CharField(source="slug")
    name = serializers.CharField()
    city = serializers.CharField(allow_blank=True)
    federation = serializers.CharField(allow_blank=True)
    start = serializers.DateField()
    end = serializers.DateField()
    chief_arbiter = serializers.CharField(allow_blank=True)
    deputy_arbiters = LinesField()
    time_control = serializers.CharField(allow_blank=True)
    time_zone = serializers.CharField(allow_blank=True)
    public = serializers.BooleanField()
    indexed = serializers.BooleanField()
    contact = serializers.CharField(allow_blank=True)
    embed_sites = LinesField()
    public_pgn = serializers.BooleanField()
    sections_apart = serializers.BooleanField()


class EventBody(BodySerializer):
    """indexed: search engines may list the public pages. contact: about personal data. embed_sites: web sites that may
    show lists in a frame. public_pgn: boards as PGN for everybody. sections_apart: the sections play
    at different times.
    """

    name = serializers.CharField(max_length=120)
    start = serializers.DateField()
    end = serializers.DateField()
    city = serializers.CharField(max_length=80, allow_blank=True, required=False)
    federation = serializers.CharField(max_length=3, allow_blank=True, required=False)
    chief_arbiter = serializers.CharField(max_length=120, allow_blank=True, required=False)
    deputy_arbiters = LinesField(required=False)
    time_control = serializers.CharField(max_length=120, allow_blank=True, required=False)
    time_zone = serializers.CharField(max_length=64, allow_blank=True, required=False)
    public = serializers.BooleanField(required=False)
    indexed = serializers.BooleanField(required=False)
    contact = serializers.CharField(max_length=200, allow_blank=True, required=False)
    embed_sites = LinesField(required=False)
    public_pgn = serializers.BooleanField(required=False)
    sections_apart = serializers.BooleanField(required=False)


class SectionShape(Shape):
    """revision: rises with each action in the section. check_in_round: the round with an open check-in, or null.
    schedule: the day, or day and time, of each round, "" if it is not known. period_starts: the first round of each
    rating period except the first one. countdown_to, hall_message: on the screens in the hall.
    """

    id = serializers.IntegerField()
    event = serializers.IntegerField(source="event_id")
    address = serializers.CharField(source="slug")
    name = serializers.CharField()
    system = serializers.CharField()
    options = serializers.DictField(child=serializers.CharField(allow_blank=True), source="all_options")
    rounds = serializers.IntegerField()
    initial_colour = serializers.ChoiceField(choices=["", "w", "b"])
    acceleration = serializers.CharField(allow_blank=True)
    win_points = serializers.IntegerField()
    draw_points = serializers.IntegerField()
    loss_points = serializers.IntegerField()
    bye_points = serializers.IntegerField()
    tie_breaks = serializers.ListField(child=serializers.CharField())
    half_bye_limit = serializers.IntegerField(allow_null=True)
    last_bye_round = serializers.IntegerField(allow_null=True)
    explained_to = serializers.CharField()
    lists_by_hand = serializers.BooleanField()
    chess960 = serializers.BooleanField()
    fide_mode = serializers.BooleanField()
    time_control = serializers.CharField(allow_blank=True)
    rules_text = serializers.CharField(allow_blank=True)
    prizes_public = serializers.BooleanField()
    schedule = serializers.ListField(child=serializers.CharField(allow_blank=True))
    unrated_left_out = serializers.BooleanField()
    rating_method = serializers.CharField()
    rating_federation = serializers.CharField(allow_blank=True)
    equals_by = serializers.CharField()
    longer_than_30_days = serializers.BooleanField()
    period_starts = serializers.ListField(child=serializers.IntegerField())
    period_counted = serializers.CharField()
    countdown_to = serializers.DateTimeField(allow_null=True)
    hall_message = serializers.CharField(allow_blank=True)
    check_in_round = serializers.IntegerField(allow_null=True)
    status = serializers.ChoiceField(choices=Section.Status.values)
    hidden = serializers.BooleanField(source="taken_away")
    revision = serializers.IntegerField()


class SectionBody(BodySerializer):
    """Points are in tenths. options: those of the pairing system."""

    name = serializers.CharField(max_length=80)
    rounds = serializers.IntegerField(**ROUNDS)
    system = serializers.ChoiceField(choices=sorted(SYSTEMS), default=DEFAULT_SYSTEM)
    options = serializers.DictField(child=serializers.CharField(allow_blank=True), required=False)
    acceleration = serializers.ChoiceField(choices=["", "baku"], required=False)
    win_points = serializers.IntegerField(min_value=0, max_value=1_000, required=False)
    draw_points = serializers.IntegerField(min_value=0, max_value=1_000, required=False)
    loss_points = serializers.IntegerField(min_value=0, max_value=1_000, required=False)
    bye_points = serializers.IntegerField(min_value=0, max_value=1_000, required=False)
    half_bye_limit = serializers.IntegerField(min_value=0, max_value=1_000, allow_null=True, required=False)
    last_bye_round = serializers.IntegerField(min_value=0, max_value=1_000, allow_null=True, required=False)
    explained_to = serializers.ChoiceField(choices=Section.ExplainedTo.values, required=False)
    lists_by_hand = serializers.BooleanField(required=False)
    chess960 = serializers.BooleanField(required=False)
    time_control = serializers.CharField(max_length=120, allow_blank=True, required=False)
    rules_text = serializers.CharField(max_length=LONGEST_RULES, allow_blank=True, required=False)
    prizes_public = serializers.BooleanField(required=False)


class SectionChangeBody(SectionBody):
    """asked: change settings that stand since round 1 as well, which needs a reason. The report names it."""

    asked = serializers.BooleanField(required=False)
    reason = serializers.CharField(max_length=200, allow_blank=True, required=False)


class PersonalShape(Shape):
    """Personal data of a player: only for tokens with the scope entries:read. report_name: in Latin letters, as the
    report has it. latin_name: how somebody has typed that, "" for the proposal of the program.
    """

    sex = serializers.ChoiceField(choices=Sex.values, source="player.sex")
    fide_id = serializers.IntegerField(allow_null=True, source="player.fide_id")
    national_id = serializers.CharField(allow_blank=True, source="player.national_id")
    birth_date = BirthDateField(source="player.birth_date")
    by_initials = serializers.BooleanField(source="player.by_initials")
    latin_name = serializers.CharField(allow_blank=True, source="player.latin_name")
    report_name = serializers.CharField(source="player.report_name")
    note = serializers.CharField(allow_blank=True)
    vars().update({field.name: PlainField(field) for field in PLAIN if field not in PUBLIC_PLAIN})


class WaitingShape(Shape):
    """waiting: how many new players wait for an arbiter: round 1 is paired, and the maker of the token is none."""

    waiting = serializers.IntegerField()


class EntryShape(Shape):
    """tpn: the pairing number, null until there is one. It can change, so `id` names the entry."""

    id = serializers.IntegerField()
    section = serializers.IntegerField(source="section_id")
    tpn = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(source="shown_name")
    title = serializers.CharField(allow_blank=True, source="player.title")
    federation = serializers.CharField(allow_blank=True, source="player.federation")
    rating = serializers.IntegerField()
    rating_source = serializers.CharField()
    rating_list = serializers.CharField(allow_blank=True)
    official_rating = serializers.IntegerField(allow_null=True)
    national_rating = serializers.IntegerField(allow_null=True)
    vars().update({field.name: PlainField(field) for field in PUBLIC_PLAIN})
    team = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(choices=Participant.Status.values)
    first_round = serializers.IntegerField()
    half_bye_allowed = serializers.BooleanField()
    personal = PersonalShape(allow_null=True, source="*")

    def to_representation(self, instance: Participant) -> dict[str, Any]:
        shown = super().to_representation(instance)
        if not self.context["personal"]:
            shown["personal"] = None
        return shown


class EntryBody(BodySerializer):
    """name: "Surname, Given". birth_date: 1990-02-28, or 1990-02 or 1990 if no more is known. rating: 0 for none;
    then the rating list gives the one of the FIDE ID, and the answer has it with the name of the list.
    confirm: do it although the program asks first, because pairing numbers change, a bye is more than the rules give,
    the rating list has another person under the FIDE ID, or another entry has the same name and birth date.
    """

    name = serializers.CharField(max_length=120)
    rating = serializers.IntegerField(min_value=0, max_value=3_999)
    sex = serializers.ChoiceField(choices=Sex.values, required=False)
    title = serializers.ChoiceField(choices=Title.values, required=False)
    federation = serializers.CharField(max_length=3, allow_blank=True, required=False)
    fide_id = serializers.IntegerField(min_value=1, max_value=99_999_999_999, allow_null=True, required=False)
    national_id = serializers.CharField(max_length=11, allow_blank=True, required=False)
    birth_date = BirthDateField(required=False)
    by_initials = serializers.BooleanField(required=False)
    latin_name = serializers.CharField(max_length=120, allow_blank=True, required=False)
    rating_source = serializers.ChoiceField(choices=RatingSource.values, required=False)
    rating_list = serializers.CharField(max_length=LABEL_LENGTH, allow_blank=True, required=False)
    official_rating = serializers.IntegerField(min_value=0, max_value=3_999, allow_null=True, required=False)
    national_rating = serializers.IntegerField(min_value=0, max_value=3_999, allow_null=True, required=False)
    vars().update(typed_plain(PLAIN))
    team = serializers.CharField(max_length=32, allow_blank=True, required=False)
    note = serializers.CharField(max_length=200, allow_blank=True, required=False)
    first_round = serializers.IntegerField(required=False, **ROUNDS)
    confirm = Confirm()


class NewEntryBody(EntryBody):
    """missed: the kind of bye for the rounds before a late entry, "" for none."""

    missed = serializers.ChoiceField(choices=["", "H", "Z"], required=False)


class ByeShape(Shape):
    """kind: U allocated by the pairing, F full, H half, Z zero points. origin: who wanted it."""

    id = serializers.IntegerField()
    entry = serializers.IntegerField(source="participant_id")
    round = serializers.IntegerField(source="round_number")
    kind = serializers.ChoiceField(choices=BYES)
    origin = serializers.CharField(source="source")


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


class GameShape(Shape):
    """second_result: the second reading of the slip, if it was read twice. rating_result: as the report for rating
    has it, if it was corrected there. over_at: since when the game is over without a result. version: rises with
    each change.
    """

    id = serializers.IntegerField()
    round = serializers.IntegerField(source="round.number")
    board = serializers.IntegerField()
    white = SideShape()
    black = SideShape()
    result = serializers.ChoiceField(choices=RESULTS, allow_null=True)
    second_result = serializers.ChoiceField(choices=RESULTS, allow_null=True)
    rating_result = serializers.ChoiceField(choices=RESULTS, allow_null=True)
    entered_at = serializers.DateTimeField(allow_null=True)
    over_at = serializers.DateTimeField(allow_null=True)
    version = serializers.IntegerField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        return shown | {name: shown[name] or None for name in ("result", "second_result", "rating_result")}


class RoundRow(Shape):
    """A round without its boards. manual_phase: pairing by hand is open. manual: its pairs are not those of the
    rules.
    """

    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Round.State.values)
    paired_at = serializers.DateTimeField()
    published_at = serializers.DateTimeField(allow_null=True)
    version = serializers.IntegerField()
    manual_phase = serializers.BooleanField()
    manual = serializers.BooleanField()


class RoundShape(RoundRow):
    games = GameShape(many=True)
    byes = ByeShape(many=True)


class StandingShape(Shape):
    """A line of the standings. place: shared by players who are level. tie_breaks: in points, Elo or games, or
    null.
    """

    place = serializers.IntegerField()
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


class LogShape(Shape):
    """An action. subject, before, after and reason may name players, so they need the scope entries:read. Only who
    may change entries gets birth dates and notes.
    """

    revision = serializers.IntegerField()
    at = serializers.DateTimeField()
    who = serializers.CharField()
    action = serializers.CharField()
    round = serializers.IntegerField(allow_null=True, source="round_number")
    undoes = serializers.IntegerField(allow_null=True)
    back_to = serializers.IntegerField(allow_null=True)
    subject = serializers.CharField(allow_blank=True, allow_null=True)
    reason = serializers.CharField(allow_blank=True, allow_null=True)
    before = serializers.DictField(allow_null=True)
    after = serializers.DictField(allow_null=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        shown |= {name: with_iso_dates(shown[name]) for name in ("before", "after")}
        if not self.context["personal"]:
            shown |= dict.fromkeys(("subject", "reason", "before", "after"))
        elif not self.context["enters"]:
            shown |= {name: bare_values(shown[name]) for name in ("before", "after")}
        return shown


class TokenShape(Shape):
    """The token itself. event: the only event that it is for, or null for all events of its maker."""

    name = serializers.CharField()
    event = serializers.IntegerField(allow_null=True, source="event_id")
    scopes = serializers.ListField(child=serializers.CharField())
    made_by = serializers.CharField(source="made_by.label")
    expires_at = serializers.DateTimeField()


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

    status = serializers.ChoiceField(choices=["active", "withdrawn", "expelled"], required=False)
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
