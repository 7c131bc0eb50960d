"""Forbidden pairs: outside the rules of FIDE, and fixed when round 1 is paired (Q195, Q196)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_lazy

from base.text import one_line
from tournaments.declarations.entries import ALLOW_PAIR, CHANGE_FORBIDDEN_PAIR, FORBID_PAIR
from tournaments.errors import REASON_REQUIRED, Refusal
from tournaments.models import ForbiddenPair, Participant, Section
from tournaments.models.rounds import rounds_paired

from .ledger import Actor, SectionEntry, act, found_row, merged_values, section_found
from .roster import label_of_entry

# Refusals
FORBIDDEN_PAIRS_LOCKED = Refusal(
    "forbidden_pairs_locked",
    gettext_lazy("Round 1 is paired. In FIDE mode, forbidden pairs can no longer change."),
)
FORBIDDEN_PAIR_SAME = Refusal(
    "forbidden_pair_same", gettext_lazy("You chose %(name)s twice. Choose two players."), ("name",)
)
FORBIDDEN_PAIR_TWICE = Refusal(
    "forbidden_pair_twice",
    gettext_lazy("%(first)s and %(second)s are already a forbidden pair. Change the rounds of that pair."),
    ("first", "second"),
)
FORBIDDEN_PAIR_ROUNDS = Refusal(
    "forbidden_pair_rounds",
    gettext_lazy(
        "Rounds %(first_round)s to %(last_round)s is not possible. Choose rounds from %(next_round)s to "
        "%(rounds)s, the earlier round first."
    ),
    ("first_round", "last_round", "next_round", "rounds"),
)


def forbid_pair(
    *,
    actor: Actor,
    section_id: int,
    players: tuple[int, int],
    first_round: int = 1,
    last_round: int | None = None,
    reason: str,
) -> ForbiddenPair:
    """Forbid a pair from `first_round` to `last_round`; None: to the end of the section.

    After round 1 is paired, this is possible only outside FIDE mode, and for later rounds.
    Raises NotFound; DomainError: forbidden_pairs_locked, forbidden_pair_same, forbidden_pair_twice,
    forbidden_pair_rounds, reason_required.
    """
    with act(section_id=section_id, actor=actor, action=FORBID_PAIR) as log:
        paired = _refuse_locked(log.section)
        first, second = (_entry(log.section, key) for key in sorted(players))
        if first == second:
            raise FORBIDDEN_PAIR_SAME.error(name=first.player.name)
        _refuse_twice(log.section, first, second)
        _refuse_rounds(log.section, first_round, last_round, paired)
        pair = ForbiddenPair(
            section=log.section,
            first=first,
            second=second,
            first_round=first_round,
            last_round=last_round,
            reason=_reason(reason),
        )
        pair.save()
        _name_pair(log, pair)
        log.after = _values(pair)
    return pair


def change_forbidden_pair(
    *,
    actor: Actor,
    pair_id: int,
    first_round: int,
    last_round: int | None,
    reason: str,
    seen: Mapping[str, Any] | None = None,
) -> ForbiddenPair:
    """Change the rounds of a forbidden pair, or its reason. Rounds that are already paired are not affected.

    seen: the values that the form showed, by field.
    Raises NotFound; Stale("overtaken"); DomainError: forbidden_pairs_locked, forbidden_pair_rounds, reason_required.
    """
    with act(section_id=_section_of(pair_id), actor=actor, action=CHANGE_FORBIDDEN_PAIR) as log:
        paired = _refuse_locked(log.section)
        pair = _locked(pair_id)
        asked: dict[str, Any] = {"first_round": first_round, "last_round": last_round, "reason": reason}
        asked = merged_values({name: getattr(pair, name) for name in asked}, asked, seen)
        first_round, last_round, reason = asked["first_round"], asked["last_round"], asked["reason"]
        if pair.first_round > paired:
            _refuse_rounds(log.section, first_round, last_round, paired)
        else:  # already in force: only the end can change, and not to before the last paired round
            first_round = pair.first_round
            _refuse_rounds(log.section, paired, last_round, paired - 1)
        log.before = _values(pair)
        pair.first_round, pair.last_round, pair.reason = first_round, last_round, _reason(reason)
        log.after = _values(pair)
        log.unchanged = log.before == log.after
        _name_pair(log, pair)
        pair.save()
    return pair


def allow_pair(*, actor: Actor, pair_id: int) -> None:
    """Allow a forbidden pair again, from the next round on.

    Raises NotFound; DomainError("forbidden_pairs_locked").
    """
    with act(section_id=_section_of(pair_id), actor=actor, action=ALLOW_PAIR) as log:
        paired = _refuse_locked(log.section)
        pair = _locked(pair_id)
        _name_pair(log, pair)
        log.before = _values(pair)
        if pair.first_round <= paired:  # it was in force for rounds that are paired
            pair.last_round = min(paired, pair.last_round or paired)
            log.after = _values(pair)
            pair.save()
        else:
            pair.delete()


def _refuse_locked(section: Section) -> int:
    """The number of paired rounds. Raises DomainError("forbidden_pairs_locked") in FIDE mode if there is one."""
    paired = rounds_paired(section)
    if paired and section.in_fide_mode:
        raise FORBIDDEN_PAIRS_LOCKED.error()
    return paired


def _refuse_twice(section: Section, first: Participant, second: Participant) -> None:
    if section.forbidden_pairs.filter(Q(first=first, second=second)).exists():
        raise FORBIDDEN_PAIR_TWICE.error(first=first.player.name, second=second.player.name)


def _refuse_rounds(section: Section, first_round: int, last_round: int | None, paired: int) -> None:
    last = section.rounds if last_round is None else last_round
    if not paired < first_round <= last <= section.rounds:
        raise FORBIDDEN_PAIR_ROUNDS.error(
            first_round=first_round,
            last_round=last,
            next_round=paired + 1,
            rounds=section.rounds,
        )


def _entry(section: Section, key: int) -> Participant:
    return found_row(section.participants.select_related("player"), "participant", key)


def _section_of(pair_id: int) -> int:
    return section_found(ForbiddenPair.objects, "forbidden_pair", pair_id)


def _locked(pair_id: int) -> ForbiddenPair:
    pairs = ForbiddenPair.objects.select_related("first__player", "second__player")
    return found_row(pairs, "forbidden_pair", pair_id)


def _reason(text: str) -> str:
    reason = one_line(text)[:120]
    if not reason:
        raise REASON_REQUIRED.error()
    return reason


def _values(pair: ForbiddenPair) -> dict[str, Any]:
    return {
        "players": [pair.first.tpn, pair.second.tpn],
        "first_round": pair.first_round,
        "last_round": pair.last_round,
        "reason": pair.reason,
    }


def _name_pair(log: SectionEntry, pair: ForbiddenPair) -> None:
    log.subject = f"{label_of_entry(pair.first)} / {label_of_entry(pair.second)}"
    log.reason = pair.reason
