"""Which byes are more than the regulations and the section give, so that the arbiter must know or confirm."""

from __future__ import annotations

from collections.abc import Sequence

from evenboard_engine import ByeKind
from tournaments.errors import BYE_TO_CONFIRM, DomainError
from tournaments.models import Participant, Section

SECOND_HALF_BYE = "second_half_bye"
OVER_BYE_LIMIT = "over_bye_limit"
AFTER_LAST_BYE_ROUND = "after_last_bye_round"
FULL_POINT_BYE = "full_point_bye"
"""Warnings of `bye_warnings`: allowed, but the arbiter should know (VCL4THP.13 Q174 and Q178)."""

ASK_FIRST = frozenset({SECOND_HALF_BYE, OVER_BYE_LIMIT, AFTER_LAST_BYE_ROUND})
"""Warnings of level 3: nothing is written until the arbiter confirms."""


def bye_warnings(
    participant: Participant,
    kind: ByeKind | str,
    round_number: int = 1,
    *,
    had: int | None = None,
) -> list[str]:
    """Return the codes of what to say before the bye is given, the most important first. At most one SQL query.

    More half-point byes than the section gives must be confirmed, and so must a bye with points after the last round
    for it. If the section gives no number, a second half-point bye must be confirmed where FIDE's rules apply (C.05
    6.7.4). A full-point bye is deprecated. None is refused.
    had: the half-point byes that the player has, where the caller has counted them.
    """
    if kind == ByeKind.ZERO:
        return []
    codes = []
    section = participant.section
    if kind == ByeKind.HALF:
        if had is None:
            had = participant.byes.filter(kind=ByeKind.HALF).count() if participant.pk else 0
        if too_many_half_byes(section, had + 1):
            codes.append(OVER_BYE_LIMIT)
        elif had and section.half_bye_limit is None and section.of_fide:
            codes.append(SECOND_HALF_BYE)
    if section.last_bye_round is not None and round_number > section.last_bye_round:
        codes.append(AFTER_LAST_BYE_ROUND)
    if kind == ByeKind.FULL:
        codes.append(FULL_POINT_BYE)
    return codes


def too_many_half_byes(section: Section, count: int) -> bool:
    """Whether one player would get more than the section gives."""
    return section.half_bye_limit is not None and count > section.half_bye_limit


def gives_half_bye(section: Section, round_number: int, count: int) -> bool:
    """Return whether the section gives one player this many half-point byes, the last one in this round."""
    last = section.last_bye_round
    return not too_many_half_byes(section, count) and (last is None or round_number <= last)


def bye_question(
    participant: Participant, kind: ByeKind | str, rounds: Sequence[int], *, gone: int = 0
) -> DomainError | None:
    """What the arbiter must confirm before the byes are given, as "bye_to_confirm"; None if there is nothing.

    rounds: of these byes, which are given together. gone: how many half-point byes they replace.
    """
    if kind == ByeKind.ZERO:
        return None
    had = participant.byes.filter(kind=ByeKind.HALF).count() - gone
    section, warnings = participant.section, list[str]()
    for place, number in enumerate(sorted(rounds)):
        warnings += bye_warnings(participant, kind, number, had=had + place)
    asked = [code for code in dict.fromkeys(warnings) if code in ASK_FIRST]
    if not asked:
        return None
    return BYE_TO_CONFIRM.error(
        name=participant.player.name,
        rounds=sorted(rounds),
        count=had + len(rounds),
        warnings=asked,
        limit=section.half_bye_limit,
        last_round=section.last_bye_round,
    )
