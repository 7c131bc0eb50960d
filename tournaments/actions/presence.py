"""Who is in the hall before a round: check-in, opened and closed for the round to be paired next (GHR 4.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils import timezone

from tournaments.declarations import names_of
from tournaments.declarations.presence import LATE_CHECK_IN, TAKE_BACK_CHECK_IN
from tournaments.errors import DomainError, Stale
from tournaments.models import ActionLog, CheckIn, Participant, Section
from tournaments.models.round import rounds_paired
from tournaments.queries.undone import undone_in
from tournaments.questions import Answer, ask

from .found import found, section_of
from .ledger import Actor, act
from .roster import label

LATE_AFTER = timedelta(seconds=10)
"""A mark that took so long was made without a connection, even if the phone did not notice."""


def open_check_in(*, actor: Actor, section_id: int, after_round: int) -> Section:
    """Open the check-in for the round after `after_round`, the last round that the arbiter saw.

    Earlier marks for that round stay.
    Raises Stale("stale_round"); DomainError: no_byes_here, all_rounds_paired.
    """
    with act(section_id=section_id, actor=actor, action="open_check_in") as entry:
        section = entry.section
        if section.fixed_rounds:
            raise DomainError("no_byes_here")
        paired = rounds_paired(section)
        if after_round != paired:
            raise Stale("stale_round", after_round=after_round, last_round=paired)
        if paired >= section.rounds:
            raise DomainError("all_rounds_paired", rounds=section.rounds)
        entry.round_number = paired + 1
        entry.before = {"check_in_round": section.check_in_round}
        entry.after = {"check_in_round": paired + 1}
        entry.unchanged = section.check_in_round == paired + 1
        section.check_in_round = paired + 1
        section.save(update_fields=["check_in_round"])
    return section


def close_question(number: int, missing: Iterable[int]) -> DomainError:
    """Return what the button asks that closes a check-in: whether these players are paired although absent."""
    return DomainError("absent_to_confirm", round=number, players=sorted(missing))


def close_check_in(*, actor: Actor, section_id: int, proceed: Answer = True) -> Section:
    """Close the check-in. Absent players who were not settled are paired anyway; the log has their numbers.

    proceed: the arbiter knows who they are. Raises DomainError("absent_to_confirm").
    """
    with act(section_id=section_id, actor=actor, action="close_check_in") as entry:
        section = entry.section
        if section.check_in_round is None:
            entry.unchanged = True
            return section
        entry.round_number = section.check_in_round
        entry.before = {"check_in_round": section.check_in_round}
        missing = missing_players(section, section.check_in_round)
        if missing:
            ask(close_question(section.check_in_round, (one.pk for one in missing)), proceed)
        entry.after = {"check_in_round": None, "missing": [player.tpn for player in missing]}
        section.check_in_round = None
        section.save(update_fields=["check_in_round"])
    return section


@dataclass(frozen=True, slots=True)
class Overtaken:
    """A later mark, which counts: whether the player is here, by whom and when."""

    name: str
    here: bool
    by: str
    at: datetime


def mark_presence(
    *,
    actor: Actor,
    participant_id: int,
    round_number: int,
    here: bool,
    ago: timedelta = timedelta(0),
    waited: bool = False,
) -> Overtaken | None:
    """Mark a player as here or not here. The later of two marks counts; return it if that is not this one.
    A player who is here already and is marked as here again gets the new time.

    ago: how long before it arrived the mark was made. A phone without a connection sends its marks later. waited: the
    phone could not send it at once. The log names a mark that comes too late, one that replaces what somebody else has
    marked meanwhile, and a player who is here but has a bye. The cockpit shows these rows.
    Raises NotFound; DomainError: check_in_closed, not_active.
    """
    made = timezone.now() - max(ago, timedelta(0))
    action = "check_in" if here else "take_back_check_in"
    with act(section_id=section_of(participant_id), actor=actor, action=action) as entry:
        participant = _expected(entry.section, participant_id, round_number)
        if here and not participant.is_active:
            raise DomainError("not_active", name=participant.player.name)
        last = _last_mark(participant, round_number)
        entry.subject, entry.round_number = label(participant), round_number
        entry.before = {"here": last.here}
        entry.after = {"here": here, "participant": participant.pk, "at": made.isoformat()}
        if last.here == here and (not here or made - last.at < LATE_AFTER):
            entry.unchanged = True
            return None
        if last.at > made:
            entry.renamed = LATE_CHECK_IN.name
            entry.after = {
                "participant": participant.pk,
                "late": here,
                "made": made.isoformat(),
                "stands": last.here,
                "by": last.by,
            }
            return last
        blind = waited or ago >= LATE_AFTER
        if last.here != here and blind and last.by not in ("", actor.name):
            entry.renamed = LATE_CHECK_IN.name
            entry.after["instead_of"] = last.by
        if here and (bye := participant.byes.filter(round_number=round_number).first()):
            entry.renamed = LATE_CHECK_IN.name
            entry.after["bye"] = bye.kind
        if last.here and here:  # the new time counts against a mark that another phone sends later
            row = CheckIn.objects.get(participant=participant, round_number=round_number)
            row.by, row.at = actor.user, made
            row.save()
        elif here:
            CheckIn.objects.create(participant=participant, round_number=round_number, by=actor.user, at=made)
        else:
            CheckIn.objects.filter(participant=participant, round_number=round_number).delete()
    return None


def check_in(*, actor: Actor, participant_id: int, round_number: int) -> None:
    """A player is here now. Raises as `mark_presence` does."""
    mark_presence(actor=actor, participant_id=participant_id, round_number=round_number, here=True)


def check_in_all(*, actor: Actor, section_id: int, round_number: int) -> int:
    """Mark all others as here, in one step. After round 1 it is faster to note the few who are absent.

    Returns how many. Raises DomainError("check_in_closed").
    """
    with act(section_id=section_id, actor=actor, action="check_in_all") as entry:
        if entry.section.check_in_round != round_number:
            raise DomainError("check_in_closed", round=round_number)
        missing = missing_players(entry.section, round_number)
        CheckIn.objects.bulk_create(
            CheckIn(participant=player, round_number=round_number, by=actor.user) for player in missing
        )
        entry.unchanged = not missing
        entry.round_number = round_number
        entry.after = {"here": len(missing), "changed": [player.pk for player in missing]}
    return len(missing)


def take_back_check_in(*, actor: Actor, participant_id: int, round_number: int) -> None:
    """A player is not here now. Raises as `mark_presence` does."""
    mark_presence(actor=actor, participant_id=participant_id, round_number=round_number, here=False)


def missing_players(section: Section, round_number: int) -> list[Participant]:
    """Return who would be paired in the round but is not marked as here, by pairing number. One SQL query."""
    seen = CheckIn.objects.filter(participant__section=section, round_number=round_number)
    expected = section.participants.filter(
        status=Participant.Status.ACTIVE, first_round__lte=round_number
    ).exclude(byes__round_number=round_number)
    return list(
        expected.exclude(pk__in=seen.values("participant")).select_related("player").order_by("tpn", "pk")
    )


def _last_mark(participant: Participant, round_number: int) -> Overtaken:
    """Return the last mark. Without one the player is not here, marked by nobody before all other marks."""
    name = participant.player.name
    row = (
        CheckIn.objects.filter(participant=participant, round_number=round_number)
        .select_related("by")
        .first()
    )
    if row is not None:
        return Overtaken(name, here=True, by=row.by.label if row.by else "", at=row.at)
    removed = (
        ActionLog.objects.filter(
            section=participant.section_id,
            round_number=round_number,
            action__in=names_of((TAKE_BACK_CHECK_IN, LATE_CHECK_IN)),
            after__participant=participant.pk,
            after__here=False,
        )
        .order_by("-pk")
        .exclude(revision__in=undone_in(participant.section_id))
        .first()
    )
    if removed is None:
        return Overtaken(name, here=False, by="", at=datetime.min.replace(tzinfo=UTC))
    made = removed.after.get("at")
    return Overtaken(
        name, here=False, by=removed.who, at=datetime.fromisoformat(made) if made else removed.at
    )


def _expected(section: Section, participant_id: int, round_number: int) -> Participant:
    """The entry, now that its section is locked. Raises NotFound; DomainError("check_in_closed")."""
    if section.check_in_round != round_number:
        raise DomainError("check_in_closed", round=round_number)
    return found(section.participants.select_related("player"), "participant", participant_id)
