"""Who is in the hall before a round: check-in, opened and closed for the round to be paired next (GHR 4.1).

Absent players get a bye or are withdrawn before the round is paired, and forfeit when it is published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from base.text import one_line
from evenboard_engine import ByeKind, Result
from tournaments.declarations import names_of
from tournaments.declarations.presence import (
    CHECK_IN,
    CHECK_IN_ALL,
    CLOSE_CHECK_IN,
    FORFEIT_AND_WITHDRAW,
    LATE_CHECK_IN,
    OPEN_CHECK_IN,
    SETTLE_ABSENCES,
    TAKE_BACK_CHECK_IN,
)
from tournaments.declarations.results import RECORD_RESULT
from tournaments.errors import (
    ALL_ROUNDS_PAIRED,
    BYE_KIND,
    NO_BYES_HERE,
    NOT_ACTIVE,
    STALE_ROUND,
    DomainError,
    Refusal,
)
from tournaments.models import ActionLog, Bye, CheckIn, Game, Participant, Section
from tournaments.models.rounds import rounds_paired
from tournaments.queries.byes import bye_question
from tournaments.queries.log import undone_in
from tournaments.questions import Answer, ask

from .byes import ask_about_byes, refuse_bye
from .entries import forfeit_games, leave
from .ledger import Actor, act, found_row, section_of
from .results import act_on_game, write_result
from .roster import label_of_entry

# Refusals
CHECK_IN_CLOSED = Refusal("check_in_closed", _("Check-in for round %(round)s is not open."))
ABSENT_WHO = Refusal("absent_who", _("Choose who is absent: White, Black or both."))
# `players`: keys of entries
ABSENT_TO_CONFIRM = Refusal(
    "absent_to_confirm",
    _("Check-in is not closed yet. See who is absent, and press again to close it."),
    params=("round", "players"),
)


LATE_AFTER = timedelta(seconds=10)
"""A mark that took so long was made without a connection, even if the phone did not notice."""


def open_check_in(*, actor: Actor, section_id: int, after_round: int) -> Section:
    """Open the check-in for the round after `after_round`, the last round that the arbiter saw.

    Earlier marks for that round stay.
    Raises Stale("stale_round"); DomainError: no_byes_here, all_rounds_paired.
    """
    with act(section_id=section_id, actor=actor, action=OPEN_CHECK_IN) as entry:
        section = entry.section
        if section.fixed_rounds:
            raise NO_BYES_HERE.error()
        paired = rounds_paired(section)
        if after_round != paired:
            raise STALE_ROUND.error(after_round=after_round, last_round=paired)
        if paired >= section.rounds:
            raise ALL_ROUNDS_PAIRED.error(rounds=section.rounds)
        entry.round_number = paired + 1
        entry.before = {"check_in_round": section.check_in_round}
        entry.after = {"check_in_round": paired + 1}
        entry.unchanged = section.check_in_round == paired + 1
        section.check_in_round = paired + 1
        section.save(update_fields=["check_in_round"])
    return section


def close_question(number: int, missing: Iterable[int]) -> DomainError:
    """Return what the button asks that closes a check-in: whether these players are paired although absent."""
    return ABSENT_TO_CONFIRM.error(round=number, players=sorted(missing))


def close_check_in(*, actor: Actor, section_id: int, proceed: Answer = True) -> Section:
    """Close the check-in. Absent players who were not settled are paired anyway; the log has their numbers.

    proceed: the arbiter knows who they are. Raises DomainError("absent_to_confirm").
    """
    with act(section_id=section_id, actor=actor, action=CLOSE_CHECK_IN) as entry:
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
    action = CHECK_IN if here else TAKE_BACK_CHECK_IN
    with act(section_id=section_of(participant_id), actor=actor, action=action) as entry:
        participant = _expected(entry.section, participant_id, round_number)
        if here and not participant.is_active:
            raise NOT_ACTIVE.error(name=participant.player.name)
        last = _last_mark(participant, round_number)
        entry.subject, entry.round_number = label_of_entry(participant), round_number
        entry.before = {"here": last.here}
        entry.after = {"here": here, "participant": participant.pk, "at": made.isoformat()}
        if last.here == here and (not here or made - last.at < LATE_AFTER):
            entry.unchanged = True
            return None
        if last.at > made:
            entry.renamed = LATE_CHECK_IN
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
            entry.renamed = LATE_CHECK_IN
            entry.after["instead_of"] = last.by
        if here and (bye := participant.byes.filter(round_number=round_number).first()):
            entry.renamed = LATE_CHECK_IN
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
    with act(section_id=section_id, actor=actor, action=CHECK_IN_ALL) as entry:
        if entry.section.check_in_round != round_number:
            raise CHECK_IN_CLOSED.error(round=round_number)
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
        raise CHECK_IN_CLOSED.error(round=round_number)
    return found_row(section.participants.select_related("player"), "participant", participant_id)


# Absent players: a bye or a withdrawal before the round is paired, a forfeit when it is published.


class Absence(StrEnum):
    """What happens to a player who is absent before the round is paired."""

    HALF = "H"
    ZERO = "Z"
    WITHDRAW = "W"


class Absent(StrEnum):
    """Who is absent from a board."""

    WHITE = "white"
    BLACK = "black"
    BOTH = "both"


FORFEITS = {
    Absent.WHITE: Result.BLACK_WINS_BY_FORFEIT,
    Absent.BLACK: Result.WHITE_WINS_BY_FORFEIT,
    Absent.BOTH: Result.DOUBLE_FORFEIT,
}


@dataclass(frozen=True, slots=True)
class Settled:
    """byes, withdrawn: pairing numbers. names: of all these, in that order. came: names of players who were seen
    or settled meanwhile.
    """

    byes: tuple[tuple[int | None, str], ...]
    withdrawn: tuple[int | None, ...]
    names: tuple[str, ...]
    came: tuple[str, ...]


def settle_absences(
    *,
    actor: Actor,
    section_id: int,
    round_number: int,
    choices: Mapping[int, Absence | str],
    proceed: Answer = False,
) -> Settled:
    """Give absent players a bye or withdraw them, all of them or none.

    round_number: the next round to be paired. choices: by participant. proceed: as for `request_bye`. Players who
    were seen meanwhile, have a bye or have left are left out.
    Raises Stale("stale_round"); DomainError: bye_kind, half_bye_not_allowed, round_out_of_range; unless `proceed`,
    byes_to_confirm.
    """
    with act(section_id=section_id, actor=actor, action=SETTLE_ABSENCES) as log:
        paired = rounds_paired(log.section)
        if round_number != paired + 1:
            raise STALE_ROUND.error(after_round=round_number - 1, last_round=paired)
        seen = set(
            CheckIn.objects.filter(participant__section=log.section, round_number=round_number).values_list(
                "participant", flat=True
            )
        )
        seen.update(
            Bye.objects.filter(participant__section=log.section, round_number=round_number).values_list(
                "participant", flat=True
            )
        )
        byes, withdrawn, came, doubtful = [], [], [], []
        people = log.section.participants.select_related("player", "section").filter(pk__in=choices)
        for participant in people.order_by("tpn", "pk"):
            if participant.pk in seen or not participant.is_active:
                came.append(participant.player.name)
            elif choices[participant.pk] == Absence.WITHDRAW:
                leave(participant, paired, expelled=False)
                withdrawn.append(participant)
            else:
                kind = _bye_kind(choices[participant.pk])
                refuse_bye(participant, round_number, kind, rounds_paired=paired)
                if question := bye_question(participant, kind, [round_number]):
                    warnings = question.params["warnings"]
                    doubtful.append(
                        {"name": participant.player.name, "round": round_number, "warnings": warnings}
                    )
                byes.append((participant, kind))
        if doubtful:
            ask_about_byes(log.section, doubtful, proceed)
        Bye.objects.bulk_create(
            Bye(participant=p, round_number=round_number, kind=kind.value, source=Bye.Source.ABSENT)
            for p, kind in byes
        )
        log.round_number = round_number
        log.unchanged = not byes and not withdrawn
        log.subject = "; ".join(p.player.name for p in [*(p for p, _kind in byes), *withdrawn])
        log.after = {
            "byes": [[p.tpn, kind.value] for p, kind in byes],
            "withdrawn": [p.tpn for p in withdrawn],
            "changed": [p.pk for p in [*(p for p, _kind in byes), *withdrawn]],
        }
    return Settled(
        byes=tuple((p.tpn, kind.value) for p, kind in byes),
        withdrawn=tuple(p.tpn for p in withdrawn),
        names=tuple(p.player.name for p in [*(p for p, _kind in byes), *withdrawn]),
        came=tuple(came),
    )


def forfeit_absent(
    *,
    actor: Actor,
    game_id: int,
    absent: Absent | str,
    seen_version: int,
    withdraw: bool = False,
    expelled: bool = False,
    reason: str = "",
) -> Game:
    """Forfeit the game of an absent player, and withdraw the player if `withdraw` says so, in one step of the log.

    expelled: as for `withdraw_participant`. Who has left already stays as that player is.
    Raises what `record_result` raises; DomainError("absent_who").
    """
    if absent not in set(Absent):
        raise ABSENT_WHO.error()
    with act_on_game(actor, game_id, RECORD_RESULT) as (log, game):
        write_result(log, game, actor, FORFEITS[Absent(absent)].value, seen_version)
        both = {Absent.WHITE: game.white_id, Absent.BLACK: game.black_id}
        gone = [both[side] for side in (Absent.WHITE, Absent.BLACK) if absent in (side, Absent.BOTH)]
        people = log.section.participants.select_related("player", "section").order_by("tpn", "pk")
        left = [Participant.Status.EXPELLED, *([] if expelled else [Participant.Status.WITHDRAWN])]
        leaving = list(people.filter(pk__in=gone).exclude(status__in=left)) if withdraw else []
        if leaving:
            log.renamed = FORFEIT_AND_WITHDRAW
            log.unchanged, log.reason = False, one_line(reason)
            log.after |= {
                "withdrawn": [each.tpn for each in leaving],
                "names": "; ".join(each.player.name for each in leaving),
                "changed": [each.pk for each in leaving],
                "expelled": expelled,
                "forfeited": [],
            }
        for each in leaving:
            leave(each, rounds_paired(log.section), expelled=expelled)
            if log.section.fixed_rounds:
                log.after["forfeited"] += forfeit_games(each, actor)
    return game


def _bye_kind(choice: Absence | str) -> ByeKind:
    if choice not in {Absence.HALF, Absence.ZERO}:
        raise BYE_KIND.error(kind=str(choice))
    return ByeKind(choice)
