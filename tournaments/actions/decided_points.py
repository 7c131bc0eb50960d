"""Points by decision of the arbiter: a bonus or a penalty for a player after a round (Laws of Chess, 12.9)."""

from __future__ import annotations

from itertools import accumulate

from django.utils.translation import gettext_noop as _

from base.text import one_line
from evenboard_engine.trf import is_team_event
from tournaments.declarations.entries import DECIDE_POINTS
from tournaments.errors import REASON_REQUIRED, ROUND_IS_DRAFT, STALE, Refusal
from tournaments.models import Participant
from tournaments.queries.field import load_field
from tournaments.queries.player_rounds import player_rounds_of
from tournaments.questions import Answer, ask

from .ledger import Actor, act, locked_participant, section_of
from .reports import ruling_row
from .roster import label_of_entry

# Refusals
POINTS_OF_TEAMS = Refusal(
    "points_of_teams",
    _("The section comes from the file of a team event, whose report has points of teams only."),
)
POINTS_AFTER_ROUND = Refusal(
    "points_after_round",
    _("Round %(round)s is not published. Points can be decided after rounds 1 to %(last)s."),
)
POINTS_OUT_OF_RANGE = Refusal("points_out_of_range", _("Write at most %(most)s points, and not 0."))
POINTS_BELOW_ZERO = Refusal(
    "points_below_zero", _("%(name)s would have less than 0 points. Take away fewer points.")
)
# before, after: tenths
POINTS_UNCONFIRMED = Refusal(
    "points_unconfirmed",
    _(
        "The points of %(name)s change after round %(round)s: %(before)s becomes %(after)s. Rounds that are "
        "already paired, up to round %(last)s, do not change. The standings and the next pairing count the new "
        "points. Players and the public see the decision, and the report file has it with its reason."
    ),
)


MOST_DECIDED_POINTS = 100
"""Tenths of a point in one decision."""
LONGEST_REASON = 200


def decide_points(
    *,
    actor: Actor,
    participant_id: int,
    round_number: int,
    points: int,
    reason: str,
    seen: int | None = None,
    confirmed: Answer = False,
) -> Participant:
    """Add points to a player's score, or take them away. They count for the standings and from the next pairing on.

    round_number: the published round after which they count. Later rounds that are paired do not change. points: in
    tenths, negative for a penalty. A decision is removed by undo, or by the opposite one.
    seen: how many decisions on the player the page showed. A button that is pressed twice sends it twice.
    confirmed: the arbiter has seen what changes (level 3).
    Raises NotFound; Stale("stale"); DomainError: section_closed, round_is_draft, points_of_teams, points_after_round,
    points_out_of_range, reason_required, points_below_zero, points_unconfirmed.
    """
    with act(section_id=section_of(participant_id), actor=actor, action=DECIDE_POINTS) as log:
        participant = locked_participant(participant_id)
        if seen is not None and seen != len(participant.rulings):
            raise STALE.error(seen=seen, revision=log.section.revision)
        latest = log.section.played_rounds.order_by("-number").first()
        if latest is not None and latest.is_draft:
            raise ROUND_IS_DRAFT.error(round=latest.number)
        if is_team_event(log.section.report_records):
            raise POINTS_OF_TEAMS.error()
        last = latest.number if latest is not None else 0
        if not 1 <= round_number <= last:
            raise POINTS_AFTER_ROUND.error(round=round_number, last=last)
        if not points or abs(points) > MOST_DECIDED_POINTS:
            raise POINTS_OUT_OF_RANGE.error(most=MOST_DECIDED_POINTS // 10)
        log.reason = one_line(reason)[:LONGEST_REASON]
        if not log.reason:
            raise REASON_REQUIRED.error()
        scores = _scores(participant)
        if points < 0 and min(scores[round_number:]) + points < 0:
            raise POINTS_BELOW_ZERO.error(name=participant.player.name)
        question = POINTS_UNCONFIRMED.error(
            name=participant.player.name,
            round=round_number,
            last=last,
            before=scores[-1],
            after=scores[-1] + points,
        )
        ask(question, confirmed)
        row = ruling_row(round_number, points, after=last, reason=log.reason)
        participant.rulings = [*participant.rulings, row]
        participant.save(update_fields=["rulings"])
        log.subject, log.round_number = label_of_entry(participant), round_number
        log.after = {"participant": participant.pk, "points": points}
    return participant


def _scores(participant: Participant) -> list[int]:
    """Return the score of a player before round 1 and after each round, in tenths."""
    turns = player_rounds_of(load_field(participant.section))(participant.pk)
    before: int = sum(row["points"] for row in participant.rulings if not (row["of"] or row["round"]))
    return list(accumulate([(turn.gained or 0) + turn.added for turn in turns], initial=before))
