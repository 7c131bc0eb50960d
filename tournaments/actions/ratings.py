"""Which rating is the tournament rating (record 172), what numbers equal players (C.04.2, 2.2), and rating periods.

A tournament of more than 30 days has rating periods, each with its ratings and report (VCL4THP.13 Q210 to Q216).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext_noop as _

from tournaments.declarations.sections import (
    SET_PERIOD_RATINGS,
    SET_RATING_METHOD,
    SET_RATING_PERIODS,
    locked,
    stands_of,
)
from tournaments.entry_data import by_method
from tournaments.errors import PERIOD_UNKNOWN, SETTINGS_LOCKED, Refusal
from tournaments.files.cell_values import HIGHEST_RATING
from tournaments.files.entry_preview import entry_of
from tournaments.models import Integrity, Participant, Round, Section
from tournaments.queries.sections import MOST_DAYS

from .ledger import Actor, SectionEntry, act, assign_values, refuse_overtaken
from .roster import BATCH, Roster

# Refusals
PERIOD_STARTS = Refusal(
    "period_starts",
    _("Write the first rounds of the later periods in ascending order, from 2 to %(rounds)s, such as 4, 7."),
)
PERIOD_TOO_LONG = Refusal(
    "period_too_long",
    _(
        "Period %(period)s has %(days)s days between its rounds. A rating period has at most %(limit)s days: begin the "
        "next one with an earlier round."
    ),
)
RATING_OUT_OF_RANGE = Refusal("rating_out_of_range", _("%(name)s: %(rating)s is not a rating."))


# Which rating is the tournament rating (record 172), and what numbers equal players (C.04.2, 2.2).

_FIELDS = ("rating", "rating_source", "rating_list")


def set_rating_method(
    *,
    actor: Actor,
    section_id: int,
    rating_method: str,
    rating_federation: str = "",
    equals_by: str = Section.EqualsBy.NAME.value,
    seen: Mapping[str, Any] | None = None,
) -> Section:
    """Set the method, and give all entries their ratings and numbers by it. An entry for which the method has no rating
    keeps its own. Numbers drawn by lot stay.

    seen: what the form showed, by field.
    Raises Stale("overtaken"); DomainError: settings_locked once round 1 is paired, invalid_values.
    """
    wanted = {
        "rating_method": rating_method,
        "rating_federation": rating_federation.upper(),
        "equals_by": equals_by,
    }
    with act(section_id=section_id, actor=actor, action=SET_RATING_METHOD) as entry:
        section = entry.section
        stands = {name: getattr(section, name) for name in wanted}
        refuse_overtaken(stands, wanted, seen)
        _, after = assign_values(section, wanted)
        if fields := locked(section, after, stands_of(section)):
            raise SETTINGS_LOCKED.error(fields=fields)
        entry.before, entry.after = stands, dict(wanted)
        entry.unchanged = not after
        if after:
            section.save(update_fields=sorted(wanted))
            _rate_again(section, entry)
    return section


def _rate_again(section: Section, entry: SectionEntry) -> None:
    """Give the entries their ratings and numbers. The log has the ratings, for the report of each round."""
    roster = Roster.load(section)
    changed, was, now = [], [], []
    for participant in roster.participants:
        found = by_method(section, entry_of(participant))
        before, after = assign_values(participant, {name: getattr(found, name) for name in _FIELDS})
        if not after:
            continue
        changed.append(participant)
        if "rating" in after:
            participant.equal_order = participant.equal_order if section.fixed_rounds else None
            was.append([participant.pk, {"rating": before["rating"]}])
            now.append([participant.pk, {"rating": after["rating"]}])
    Participant.objects.bulk_update(changed, (*_FIELDS, "equal_order"), batch_size=BATCH)
    if now:
        entry.before["entries"], entry.after["entries"] = was, now
    if not section.fixed_rounds:
        roster.renumber(entry)


# Rating periods of a tournament of more than 30 days, each with its ratings and report (VCL4THP.13 Q210 to
# Q216).


def set_rating_periods(
    *,
    actor: Actor,
    section_id: int,
    longer_than_30_days: bool,
    period_starts: Sequence[int] = (),
    period_counted: str = Section.PeriodCounted.FIRST.value,
    seen: Mapping[str, Any] | None = None,
) -> Section:
    """Set the rating periods. period_starts: the first round of each period except the first one.

    seen: what the form showed, by field. The report names a change of the ratings in tie-breaks after round 1 is
    published.
    Raises Stale("overtaken"); DomainError: period_starts (not ascending rounds from 2 on), period_too_long (more than
    30 days between known days of its rounds), invalid_values.
    """
    wanted: dict[str, Any] = {
        "longer_than_30_days": longer_than_30_days,
        "period_starts": list(period_starts) if longer_than_30_days else [],
        "period_counted": period_counted,
    }
    with act(section_id=section_id, actor=actor, action=SET_RATING_PERIODS) as entry:
        section = entry.section
        refuse_overtaken({name: getattr(section, name) for name in wanted}, wanted, seen)
        if any(
            first >= second for first, second in pairwise((1, *wanted["period_starts"], section.rounds + 1))
        ):
            raise PERIOD_STARTS.error(rounds=section.rounds)
        entry.before, entry.after = assign_values(section, wanted)
        entry.unchanged = not entry.after
        _refuse_long(section)
        published = section.played_rounds.exclude(state=Round.State.DRAFT).order_by("-number").first()
        if published is not None and "period_counted" in entry.after:
            entry.integrity, entry.round_number = Integrity.CONFIGURATION, published.number
        if entry.after:
            section.save(update_fields=sorted(wanted))
    return section


def _refuse_long(section: Section) -> None:
    """Raise DomainError("period_too_long") if the days of the rounds are known and too many."""
    days = section.round_days
    for number, (first, last) in enumerate(section.rating_periods, start=1):
        known = [day for day in days[first - 1 : last] if day]
        if known and (length := (max(known) - min(known)).days + 1) > MOST_DAYS:
            raise PERIOD_TOO_LONG.error(period=number, days=length, limit=MOST_DAYS)


def set_period_ratings(
    *,
    actor: Actor,
    section_id: int,
    period: int,
    ratings: Mapping[int, int | None],
    seen_revision: int | None = None,
) -> Section:
    """Write the official ratings of a later period. ratings: by the key of the entry; None: as in the period before, 0:
    none. Entries that are not named keep theirs.

    Raises Stale; DomainError: period_unknown, rating_out_of_range.
    """
    with act(
        section_id=section_id, actor=actor, action=SET_PERIOD_RATINGS, seen_revision=seen_revision
    ) as entry:
        section, name = entry.section, str(period)
        if not 2 <= period <= len(section.rating_periods):
            raise PERIOD_UNKNOWN.error(period=period)
        changed = []
        for participant in section.participants.select_related("player").filter(pk__in=ratings):
            rating = ratings[participant.pk]
            if rating is not None and not 0 <= rating <= HIGHEST_RATING:
                raise RATING_OUT_OF_RANGE.error(name=participant.player.name, rating=rating)
            others = {key: kept for key, kept in participant.period_ratings.items() if key != name}
            found = dict(sorted({**others, **({} if rating is None else {name: rating})}.items()))
            if found != participant.period_ratings:
                participant.period_ratings = found
                changed.append(participant)
        Participant.objects.bulk_update(changed, ["period_ratings"], batch_size=BATCH)
        entry.unchanged = not changed
        entry.after = {"period": period, "players": len(changed)}
    return section
