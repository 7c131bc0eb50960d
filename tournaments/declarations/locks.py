"""From when on a setting of a section stands, and whether the arbiter may then depart from it.

One table for the actions that refuse, the forms that lock their fields, the pages that explain, and the documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from tournaments.models import Round, Section


class Since(StrEnum):
    """The event from which on a setting stands. A draft is paired and not published."""

    PAIRED = "paired"
    PUBLISHED = "published"


class Departure(StrEnum):
    """Whether a setting that stands can still change, with a reason that the report names.

    OUTSIDE: only in a section that has left FIDE mode or never had one.
    """

    NEVER = "never"
    OUTSIDE = "outside FIDE mode"
    REASON = "with a reason"


@dataclass(frozen=True, slots=True)
class Lock:
    """settings: fields of the section; "options" are those of the pairing system. article: of FIDE, "" for none.
    question: of VCL4THP.13, "" for none. checked: a change can make rounds wrong that are paired, so they are checked
    again (Q60, Q76, Q86).
    """

    settings: tuple[str, ...]
    since: Since
    departure: Departure
    article: str = ""
    question: str = ""
    checked: bool = False


LOCKS = (
    Lock(("system", "options"), Since.PAIRED, Departure.NEVER, "C.04.2, 1.3", "Q93"),
    Lock(("initial_colour",), Since.PAIRED, Departure.NEVER, "C.04.4.1, 5.1"),
    Lock(("chess960",), Since.PAIRED, Departure.NEVER, "", "Q222"),
    Lock(("rounds",), Since.PAIRED, Departure.OUTSIDE, "C.04.1, 1", "Q57 to Q61", checked=True),
    Lock(
        ("win_points", "draw_points", "loss_points"),
        Since.PAIRED,
        Departure.OUTSIDE,
        "",
        "Q75 to Q78",
        checked=True,
    ),
    Lock(("bye_points",), Since.PAIRED, Departure.OUTSIDE, "C.04.1, 3", "Q85 to Q88", checked=True),
    Lock(("acceleration",), Since.PAIRED, Departure.OUTSIDE, "C.04.7", "Q109, Q110", checked=True),
    Lock(("rating_method", "rating_federation", "equals_by"), Since.PAIRED, Departure.NEVER, "C.04.2, 2.2"),
    Lock(("tie_breaks", "unrated_left_out"), Since.PUBLISHED, Departure.REASON, "C.07, 4.2", "Q200 to Q202"),
    Lock(("half_bye_limit", "last_bye_round"), Since.PUBLISHED, Departure.REASON, "C.04.2, 3.3"),
    Lock(("time_control",), Since.PUBLISHED, Departure.REASON),
)
"""A setting without a line can change until the section is closed."""

_LOCK_OF = {name: lock for lock in LOCKS for name in lock.settings}


def stands_of(section: Section) -> frozenset[Since]:
    """Return what has happened in a section. One query."""
    states = set(section.played_rounds.values_list("state", flat=True))
    found = {Since.PAIRED} if states else set()
    return frozenset(found | ({Since.PUBLISHED} if states - {Round.State.DRAFT} else set()))


def locked(section: Section, names: Iterable[str], stands: frozenset[Since]) -> list[str]:
    """Return the settings among `names` that cannot change any more, in alphabetical order."""
    return sorted(
        name
        for name in names
        if (lock := lock_of(name, section)) is not None
        and lock.since in stands
        and not _may_depart(lock, section)
    )


def departing(section: Section, names: Iterable[str], stands: frozenset[Since]) -> list[str]:
    """Return the settings among `names` that can change only with a reason, in alphabetical order."""
    return sorted(
        name
        for name in names
        if (lock := lock_of(name, section)) is not None
        and lock.since in stands
        and _may_depart(lock, section)
    )


def lock_of(name: str, section: Section) -> Lock | None:
    """Return the lock of a setting; an option of the pairing system has that of all options. None: it never stands."""
    return _LOCK_OF.get("options" if name in section.all_options else name)


def _may_depart(lock: Lock, section: Section) -> bool:
    if lock.departure is Departure.OUTSIDE:
        by_the_table = (
            section.fixed_rounds and "rounds" in lock.settings
        )  # it follows from the number of players
        return not section.in_fide_mode and not by_the_table
    return lock.departure is Departure.REASON
