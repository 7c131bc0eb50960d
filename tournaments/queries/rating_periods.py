"""Rating periods that follow from the days of the rounds."""

from __future__ import annotations

from tournaments.models import Section

MOST_DAYS = 30
"""Of a rating period, the first and the last day included."""


def suggested_starts(section: Section) -> tuple[int, ...]:
    """Return the first rounds of later periods, each as long as it may be; () if the rounds need one period only, or if
    the day of a round is not known.
    """
    days = [day for day in section.round_days if day]
    if len(days) < section.rounds:
        return ()
    starts, began = [], days[0]
    for number, day in enumerate(days, start=1):
        if (day - began).days >= MOST_DAYS:
            starts.append(number)
            began = day
    return tuple(starts)
