"""The pairing numbers and ratings with which a round was paired, as the comments of the report file give them."""

from __future__ import annotations

from django.db.models import Q, Subquery, Value
from django.db.models.functions import Coalesce

from evenboard_engine.trf import as_paired, has_earlier_ratings, is_renumbering, numbers_of_round
from tournaments.declarations import Kind, names_of, names_with
from tournaments.declarations.entries import EDIT_PARTICIPANT, IMPORT_ENTRIES
from tournaments.models import Integrity, Section

from .report_trf import report

_MAY_CHANGE = Q(integrity__in=(Integrity.REGENERATION, Integrity.EXCHANGE)) | Q(
    action__in=names_of((EDIT_PARTICIPANT, IMPORT_ENTRIES))
)


def entries_as_paired(section: Section, number: int) -> dict[int, tuple[int, int]]:
    """Return (pairing number, rating) of the entries for which a published round was paired with others than today's.

    By key of the participant. Where rounds are fixed, no rating counts, so they are today's. One query where nothing
    may have changed, otherwise those of the report file too.
    """
    if not _may_have_changed(section):
        return {}
    found = report(section, measured=False)
    if number > found.rounds_paired:
        return {}
    numbers = numbers_of_round(found, number)
    rated = () if section.fixed_rounds else as_paired(found, number).players
    ratings = {player.starting_rank: player.rating or 0 for player in rated}
    today = section.participants.values_list("pk", "tpn", "rating")
    return {
        key: (numbers[tpn], ratings.get(tpn, rating))
        for key, tpn, rating in today
        if tpn is not None and (numbers[tpn], ratings.get(tpn, rating)) != (tpn, rating)
    }


def _may_have_changed(section: Section) -> bool:
    if any(is_renumbering(text) or has_earlier_ratings(text) for text in section.report_records):
        return True
    first = section.log.filter(action__in=names_with(Kind.PAIRING)).order_by("pk").values("pk")[:1]
    return section.log.filter(_MAY_CHANGE, pk__gt=Coalesce(Subquery(first), Value(0))).exists()
