"""All words of the Dubov System."""

from __future__ import annotations

from collections.abc import Mapping

from evenboard_engine.systems.dubov.options import (
    EDITION,
    UPFLOATS,
    Edition,
    UpfloatCount,
    edition_of,
    upfloats_of,
)
from evenboard_engine.words.catalogue import gettext_noop, ngettext
from evenboard_engine.words.systems import OptionWords, SystemWords

from .concerns import CONCERNS
from .dead_ends import DUBOV_DEAD_ENDS, DUBOV_RELAXATIONS
from .differences import sentence
from .explanation import DubovWords


def heading(options: Mapping[str, str]) -> str:
    counted = "all games that were paired" if upfloats_of(options) is UpfloatCount.PAIRED else "played games"
    return f"Articles of C.04.4.1, edition of {edition_of(options).value}. Upfloats are counted in {counted}."


DUBOV_WORDS = SystemWords(
    name=gettext_noop("Dubov System"),
    summary=gettext_noop(
        "Within each score group, players with a low average rating of opponents (ARO) meet players with a high "
        "rating. So the opposition of all players with the same score becomes more equal."
    ),
    audience=gettext_noop(
        "It suits tournaments in which the opposition should be alike for those who finish level, such as a qualifier."
    ),
    standing=gettext_noop(
        "FIDE Handbook C.04.4.1, editions of 2018, 2025 and 2026. No program is endorsed for it now, so FIDE counts it "
        "as deprecated (C.04.2, 1.4). Ask your federation before a rated tournament, and name the system in the report."
    ),
    rules=gettext_noop("FIDE C.04.4.1, edition of %(edition)s"),
    numbers=gettext_noop(
        "Numbers in the margin are articles of the Dubov System, FIDE Handbook C.04.4.1, edition of %(edition)s."
    ),
    options={
        EDITION.name: OptionWords(
            label=gettext_noop("Edition of the rules"),
            meaning="",
            term=gettext_noop("edition of the rules"),
            values={
                Edition.E2018: gettext_noop("2018, in force until 31 January 2026"),
                Edition.E2025: gettext_noop("1 July 2025"),
                Edition.E2026: gettext_noop("1 February 2026"),
            },
            command="edition of C.04.4.1; without it, what the file says, else the edition in force on its first day",
            by_day=gettext_noop("the edition in force on the first day"),
            assumed=gettext_noop(
                "The file does not name the edition of the Dubov System. It is the one in force on the first day: "
                "%(value)s."
            ),
        ),
        UPFLOATS.name: OptionWords(
            label=gettext_noop("Forfeited games as upfloats"),
            meaning=gettext_noop(
                "For a player who was upfloated and whose game was then forfeited. If in doubt, leave “do not count”."
            ),
            term=gettext_noop("upfloats of forfeited games"),
            values={
                UpfloatCount.PLAYED: gettext_noop("do not count"),
                UpfloatCount.PAIRED: gettext_noop("count as upfloats"),
            },
            command=(
                "which upfloats count: only those in games that were played, or all that were paired; without it, what "
                "the file says, else played"
            ),
        ),
    },
    explanation=DubovWords,
    difference=sentence,
    concerns=CONCERNS,
    aro_list=(
        gettext_noop("A due colour that is absolute must be given. Strong comes before mild."),
        ngettext(
            "A player is upfloated more than %(number)s time only if there is no other way.",
            "A player is upfloated more than %(number)s times only if there is no other way.",
            "number",
        ),
    ),
    dead_ends=DUBOV_DEAD_ENDS,
    relaxations=DUBOV_RELAXATIONS,
    heading=heading,
)
