"""Departures from settings that stand since round 1: the question, the reason, and which rounds become wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments.declarations.locks import Since, departing, lock_of
from tournaments.errors import DomainError
from tournaments.exports.report_trf import report
from tournaments.imports.report_check import check_rounds
from tournaments.models import Integrity, Round, Section
from tournaments.questions import Answer, ask

from .ledger import SectionEntry


def right_rounds(
    section: Section, changes: Mapping[str, Any], stands: frozenset[Since]
) -> frozenset[int] | None:
    """Return the published rounds that follow the rules before the change; None if the change affects no pairing."""
    wanted = {name for name, value in changes.items() if value != getattr(section, name)}
    names = departing(section, wanted, stands)
    if not any(lock is not None and lock.checked for lock in (lock_of(name, section) for name in names)):
        return None
    return _by_the_rules(section)


def depart(
    entry: SectionEntry, fields: list[str], right: frozenset[int] | None, *, asked: Answer, reason: str
) -> None:
    """Ask, or note in the log that settings change which stand. right: as `right_rounds` returned it.

    Raises DomainError: round_is_draft, rounds_played, departure_to_confirm, reason_required.
    """
    section = entry.section
    paired = section.played_rounds.order_by("-number")
    latest = paired.first()
    published = paired.exclude(state=Round.State.DRAFT).first()
    wrong: list[int] = []
    if right is not None:
        if latest is not None and latest.is_draft:
            raise DomainError("round_is_draft", round=latest.number)
        if latest is not None and latest.number > section.rounds:
            raise DomainError("rounds_played", rounds=section.rounds, paired=latest.number)
        wrong = sorted(right - _by_the_rules(section))
    ask(DomainError("departure_to_confirm", fields=fields, wrong=wrong), asked, times=2)
    if not reason:
        raise DomainError("reason_required")
    entry.reason = reason
    entry.round_number = published.number if published is not None else 0
    entry.integrity = Integrity.CONFIGURATION
    if wrong:
        entry.after["wrong_rounds"] = wrong


def _by_the_rules(section: Section) -> frozenset[int]:
    """Return the published rounds that the rules would pair as they are, with the settings that `section` has now."""
    found = report(section, measured=False)
    checked = check_rounds(found, system=section.system, options=section.all_options)
    return frozenset(range(1, checked.rounds + 1)) - {one.round for one in checked.departures}
