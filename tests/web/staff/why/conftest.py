"""A section whose pairing is explained."""

from __future__ import annotations

import re

from tournaments.models import Section

DIFFERS = "The rules give another round with today's data."


def sentences(text: str) -> list[tuple[str, list[str]]]:
    """Return the sentences at the head of the page, each with the articles in the margin."""
    return statements(text.partition('<section class="why-lead"')[2].partition("</section>")[0])


def statements(html: str) -> list[tuple[str, list[str]]]:
    """Return the sentences of this part of a page, each with the articles in the margin."""
    items = re.findall(r'<li><span>(.*?)</span>\s*<span class="arts">(.*?)</li>', html, re.DOTALL)
    return [
        (sentence.replace("\u00a0", " "), re.findall(r'<span class="art">(.*?)</span>', arts))
        for sentence, arts in items
    ]


def surname(section: Section, tpn: int) -> str:
    return section.participants.get(tpn=tpn).player.name.partition(",")[0]
