"""What moves of the arbiter take, besides the data of an entry or a section."""

from __future__ import annotations

from rest_framework import serializers

from evenboard_engine import Colour
from tournaments.actions.points import LONGEST_REASON, MOST
from tournaments.models.section import MAX_ROUNDS

from .bodies import LARGEST, BodySerializer, Confirm
from .shapes import ASKED_BYES, RESULTS, ROUNDS


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

    points = serializers.IntegerField(min_value=-MOST, max_value=MOST)
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
