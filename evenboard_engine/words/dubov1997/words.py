"""All words of the Dubov System of 1997."""

from __future__ import annotations

from collections.abc import Mapping

from evenboard_engine.words.catalogue import gettext_noop, ngettext
from evenboard_engine.words.systems import SystemWords

from .differences import CONCERNS, sentence
from .explanation import Dubov1997Words


def heading(_options: Mapping[str, str]) -> str:
    return (
        "Articles of the Dubov System of 1997. R: restored from a published copy. D: decided by this program, because "
        "the text leaves it open (manual/chapters/68-dubov-1997.md)."
    )


DUBOV_1997_WORDS = SystemWords(
    name=gettext_noop("Dubov System of 1997"),
    summary=gettext_noop(
        "The Dubov System as FIDE approved it in 1997, for events that announce these historic rules. It goes down "
        "from the highest score without looking ahead, so it cannot finish some rounds of small fields and then offers "
        "one."
    ),
    audience=gettext_noop(
        "It suits events that announce these rules, and whoever wants to see what they would pair."
    ),
    standing=gettext_noop(
        "Edition of 1997. FIDE has replaced it, so it is not one of the systems in force. Ask your federation before a "
        "rated tournament."
    ),
    rules=gettext_noop("Dubov System of 1997"),
    numbers=gettext_noop(
        "Numbers in the margin are articles of the Dubov System of 1997. R: restored from a published copy. D: decided "
        "by this program, because the text leaves it open."
    ),
    explanation=Dubov1997Words,
    difference=sentence,
    concerns=CONCERNS,
    aro_list=(
        ngettext(
            "Before the last round, nobody is transferred up who was in the round before, or %(number)s time already.",
            "Before the last round, nobody is transferred up who was in the round before, or %(number)s times already.",
            "number",
        ),
    ),
    heading=heading,
)
