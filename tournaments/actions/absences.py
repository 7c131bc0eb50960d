"""Absent players: a bye or a withdrawal before the round is paired, a forfeit when it is published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from base.text import one_line
from evenboard_engine import ByeKind, Result
from tournaments.declarations.presence import FORFEIT_AND_WITHDRAW
from tournaments.errors import DomainError, Stale
from tournaments.models import Bye, CheckIn, Game, Participant
from tournaments.models.round import rounds_paired
from tournaments.queries.bye_limits import bye_question
from tournaments.questions import Answer

from .byes import ask_about_byes, refuse_bye
from .entries import leave
from .forfeits import forfeit_games
from .ledger import Actor, act
from .results import act_on_game, write_result


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
    with act(section_id=section_id, actor=actor, action="settle_absences") as log:
        paired = rounds_paired(log.section)
        if round_number != paired + 1:
            raise Stale("stale_round", after_round=round_number - 1, last_round=paired)
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
        raise DomainError("absent_who")
    with act_on_game(actor, game_id, "record_result") as (log, game):
        write_result(log, game, actor, FORFEITS[Absent(absent)].value, seen_version)
        both = {Absent.WHITE: game.white_id, Absent.BLACK: game.black_id}
        gone = [both[side] for side in (Absent.WHITE, Absent.BLACK) if absent in (side, Absent.BOTH)]
        people = log.section.participants.select_related("player", "section").order_by("tpn", "pk")
        left = [Participant.Status.EXPELLED, *([] if expelled else [Participant.Status.WITHDRAWN])]
        leaving = list(people.filter(pk__in=gone).exclude(status__in=left)) if withdraw else []
        if leaving:
            log.renamed = FORFEIT_AND_WITHDRAW.name
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
        raise DomainError("bye_kind", kind=str(choice))
    return ByeKind(choice)
