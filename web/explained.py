"""The explanations of published rounds, kept in the memory of the process: a round is explained once.

What paired a round never changes later, so neither does its explanation. Only names are read for each page. See
docs/decisions/0066-explanations-for-everybody.md.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable
from dataclasses import dataclass, replace
from hashlib import sha256

from base.cache import Cache
from evenboard_engine import VERSION
from evenboard_engine.trf import report_before, write_report
from tournaments.exports.entries_as_paired import entries_as_paired
from tournaments.models import Participant, Round, Section
from tournaments.queries.explanation import RoundExplanation, explain_round
from tournaments.queries.field import SectionField

logger = logging.getLogger(__name__)

MOST_ROUNDS = 24
"""Kept in each process. A round of 1,000 players takes some megabytes."""
PROGRAM = f"Evenboard {VERSION}"


@dataclass(frozen=True, slots=True)
class Explained:
    """A round with its explanation. file: from which the round can be paired again; b"" if it has none."""

    found: RoundExplanation
    file: bytes

    @property
    def checksum(self) -> str:
        """Return the SHA-256 of the file."""
        return sha256(self.file).hexdigest()


kept_rounds: Cache[Hashable, Explained] = Cache(MOST_ROUNDS)


def explained(section: Section, number: int) -> Explained:
    """Return a round with its explanation and the names of today. A draft is not explained here.

    Raises Round.DoesNotExist. Three queries if the round is kept.
    """
    shown = section.played_rounds.exclude(state=Round.State.DRAFT).get(number=number)
    kept = _kept(section, shown)
    field = _with_names(kept.found.field, section)
    return replace(kept, found=replace(kept.found, field=field))


def prepare_explanation(section: Section, number: int) -> None:
    """Explain a round, also a draft, so that the first visitor after its publication need not wait.

    Nothing is done where visitors may not read it. A failure keeps nobody from publishing: the page shows it later.
    """
    if not section.is_explained:
        return
    try:
        _kept(section, section.played_rounds.get(number=number))
    except Exception:
        logger.exception("Round %d of section %d could not be explained.", number, section.pk)


def _kept(section: Section, shown: Round) -> Explained:
    pairs = tuple(shown.games.order_by("board").values_list("board", "white_id", "black_id"))
    manual = (shown.manual, shown.manual_phase)
    key = (section.pk, shown.pk, shown.number, shown.paired_at, manual, pairs)
    return kept_rounds.make(key, lambda: _worked_out(section, shown.number))


def _worked_out(section: Section, number: int) -> Explained:
    found = explain_round(section, number, entries_as_paired(section, number))
    file = write_report(report_before(found.before, PROGRAM))
    return Explained(replace(found, field=_light(found.field)), file)


def _light(field: SectionField) -> SectionField:
    """Return the field without the rows of its games. Where rounds are fixed, they decide which points count."""
    return field if field.section.fixed_rounds else replace(field, games=())


def _with_names(field: SectionField, section: Section) -> SectionField:
    """Return the field with the names of today, and the pairing numbers and ratings of then. One query."""
    today = {entry.pk: entry for entry in section.participants.select_related("player")}
    participants: dict[int, Participant] = {}
    for key, then in field.participants.items():
        participants[key] = now = today.get(key, then)
        now.tpn, now.rating = then.tpn, then.rating
    return replace(field, section=section, participants=participants)
