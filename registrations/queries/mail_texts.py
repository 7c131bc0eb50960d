"""The places that a mail fills in, and which mails need the personal link."""

from __future__ import annotations

import re
from collections.abc import Mapping

REPAY = "repay"
PLACES = ("name", "event", "section", "link", "until", "reason", "number", "owed", "payment", REPAY, "byes")
"""What organisers may write in braces. A line with the sum to be repaid is left out if there is none."""
_PLACE = re.compile(r"\{(\w+)\}")
_GAP = re.compile(r"\n{3,}")
WITHOUT_LINK = frozenset({"refused", "expired", "withdrawn", "told"})


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return the text with the values in its places. An unknown place stays as it is."""
    if not values.get(REPAY):
        text = "\n".join(line for line in text.split("\n") if f"{{{REPAY}}}" not in line)
    return _GAP.sub("\n\n", _PLACE.sub(lambda found: values.get(found[1], found[0]), text)).strip()


def unknown_places(text: str) -> list[str]:
    """Return the words in braces that no mail fills in: a mail would show them as they are."""
    return [found for found in dict.fromkeys(_PLACE.findall(text)) if found not in PLACES]


def without_link(kind: str, body: str) -> bool:
    """Return whether a mail that must lead to the personal page has no place for the link."""
    return kind not in WITHOUT_LINK and "{link}" not in body
