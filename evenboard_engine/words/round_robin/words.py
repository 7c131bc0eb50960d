"""All words of the round robin."""

from __future__ import annotations

from collections.abc import Mapping

from evenboard_engine.systems.round_robin.options import (
    BY_FEDERATION,
    CYCLES,
    FREELY,
    LOTS,
    ONCE,
    SWAP,
    TWICE,
)
from evenboard_engine.words.catalogue import gettext_noop, pgettext
from evenboard_engine.words.systems import OptionWords, SystemWords

from .differences import CONCERNS, sentence
from .sentences import RoundRobinWords


def heading(options: Mapping[str, str]) -> str:
    cycles = "once" if CYCLES.text(options) == ONCE else "twice"
    return f"Berger tables of FIDE C.05, Annex 1. Everybody meets everybody {cycles}."


ROUND_ROBIN_WORDS = SystemWords(
    name=gettext_noop("Round robin"),
    summary=gettext_noop(
        "Everybody meets everybody once or twice, in the order of the Berger tables. All rounds are known as soon as "
        "the numbers are drawn by lot."
    ),
    audience=gettext_noop(
        "It suits small groups, up to 24 players, in which everybody is to meet everybody."
    ),
    standing=gettext_noop("The Berger tables of FIDE C.05, Annex 1, in force. FIDE rates such tournaments."),
    rules=gettext_noop("Berger tables, FIDE C.05, Annex 1"),
    numbers=gettext_noop("References in the margin are to FIDE Handbook C.05: the tables are Annex 1."),
    explanation=RoundRobinWords,
    difference=sentence,
    heading=heading,
    options={
        CYCLES.name: OptionWords(
            label=gettext_noop("Games against each opponent"),
            meaning=gettext_noop("With two games, the second cycle has the colours of the first one turned."),
            term=gettext_noop("games against each opponent"),
            values={
                ONCE: gettext_noop("one (single round robin)"),
                TWICE: gettext_noop("two (double round robin)"),
            },
        ),
        SWAP.name: OptionWords(
            label=gettext_noop("Change the last two rounds of the first cycle"),
            meaning=gettext_noop(
                "For a double round robin. FIDE recommends it, because otherwise two players have the same colour "
                "three times in a row."
            ),
            term=gettext_noop("last two rounds of the first cycle changed"),
        ),
        LOTS.name: OptionWords(
            label=gettext_noop("Drawing of lots"),
            meaning=gettext_noop(
                "By the Varma tables, players of one federation do not meet in the last three rounds, if possible. "
                "They are for 9 to 24 players. Announce this choice before round 1."
            ),
            term=gettext_noop("drawing of lots"),
            values={
                FREELY: pgettext("drawing of lots", "free"),
                BY_FEDERATION: gettext_noop("federations apart (Varma tables)"),
            },
        ),
    },
    concerns=CONCERNS,
)
