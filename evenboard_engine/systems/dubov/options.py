"""The options of the Dubov System: the edition of its rules, and which floats count."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from evenboard_engine.history import HistoryRules
from evenboard_engine.model import Tournament
from evenboard_engine.systems.options import ChoiceOption


class UpfloatCount(StrEnum):
    """Whether a forfeited game counts as an upfloat in a player's history (reading D1 in docs/rules.md)."""

    PLAYED = "played"
    PAIRED = "paired"


class Edition(StrEnum):
    """The edition of C.04.4.1, named by its year; `articles` numbers its articles.

    2018: in force until 31 January 2026. 2025: of 1 July 2025, postponed before it was used. 2026: in force from
    1 February 2026. Only one difference affects pairings: whom C2 bars from the pairing-allocated bye.
    """

    E2018 = "2018"
    E2025 = "2025"
    E2026 = "2026"


EDITION = ChoiceOption("edition", Edition.E2025, tuple(Edition))
UPFLOATS = ChoiceOption("upfloats", UpfloatCount.PLAYED, tuple(UpfloatCount))

FIRST_DAY_OF_2026 = "2026-02-01"
"""The day on which the edition of 2026 came into force. Until then the edition of 2018 was in force: 2025 was
postponed."""


def edition_in_force(day: str) -> Edition:
    """Return the edition for a tournament that begins on a day (YYYY-MM-DD or YYYY/MM/DD); "" means the newest one."""
    before = bool(day) and day.replace("/", "-") < FIRST_DAY_OF_2026
    return Edition.E2018 if before else Edition.E2026


def edition_of(options: Mapping[str, str]) -> Edition:
    return Edition(options.get(EDITION.name, EDITION.default))


def upfloats_of(options: Mapping[str, str]) -> UpfloatCount:
    return UpfloatCount(options.get(UPFLOATS.name, UPFLOATS.default))


def history_rules(tournament: Tournament) -> HistoryRules:
    """Return what counts of unplayed rounds: D1 for upfloats, C2 in the edition of the tournament for the bye."""
    return HistoryRules(
        unplayed_upfloats=upfloats_of(tournament.options) is UpfloatCount.PAIRED,
        win_points_bar=edition_of(tournament.options) is not Edition.E2018,
    )


def least_to_bar(tournament: Tournament) -> int | None:
    """Return the points without playing that bar from the bye (C2). None in the edition of 2018: they do not."""
    return None if edition_of(tournament.options) is Edition.E2018 else tournament.points.win
