"""Who of some people already plays in another section of the event."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from ratings.names import searchable
from tournaments.models import Participant, Player, Section

YEAR = 4


def also_entered(section: Section, people: Iterable[Player]) -> list[tuple[str, str]]:
    """Return name and section of each active entry in another section that is one of these people.

    It is the same person with the same FIDE ID, or with the same name, in any order, and year of birth. A section that
    is closed or hidden does not count. None if the sections play at different times. One query, none without an ID or
    a year.
    """
    people = list(people)
    keys = {player.fide_id for player in people if player.fide_id is not None}
    names = {_known(player.name, player.birth_date) for player in people if player.birth_date[:YEAR]}
    if section.event.sections_apart or not (keys or names):
        return []
    years = Q()
    for year in {year for _name, year in names}:
        years |= Q(player__birth_date__startswith=year)
    rows = Participant.objects.filter(
        Q(player__fide_id__in=keys) | years if names else Q(player__fide_id__in=keys),
        section__event=section.event_id,
        section__status=Section.Status.OPEN,
        section__taken_away=False,
        status=Participant.Status.ACTIVE,
    ).exclude(section=section)
    found = rows.order_by("pk").values_list(
        "player__name", "player__fide_id", "player__birth_date", "section__name"
    )
    return [
        (name, other)
        for name, fide_id, birth_date, other in found
        if fide_id in keys or (birth_date[:YEAR] and _known(name, birth_date) in names)
    ]


def _known(name: str, birth_date: str) -> tuple[str, str]:
    return " ".join(sorted(searchable(name).split())), birth_date[:YEAR]
