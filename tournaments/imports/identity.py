"""One FIDE ID is one person in an event: who has the same one under another name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tournaments.models import Event


@dataclass(frozen=True, slots=True)
class IdConflict:
    """number: the line or the place in the file. name: in the file. known: the name in the event."""

    number: int
    fide_id: int
    name: str
    known: str


def share_a_word(one: str, other: str) -> bool:
    """Whether two names can be spellings of one: they have a word in common, without regard to capitals."""
    return bool(_words(one) & _words(other))


def _words(name: str) -> set[str]:
    return set(name.casefold().replace(",", " ").replace(".", " ").split())


def id_conflicts(
    event: Event, people: Iterable[tuple[int, int, str]], same: Callable[[str, str], bool] = share_a_word
) -> tuple[IdConflict, ...]:
    """Return the people of a file whose FIDE ID a person of the event has under another name. One SQL query.

    people: the number of each in the file, FIDE ID and name. same: whether two names are those of one person.
    """
    names = dict(event.players.filter(fide_id__isnull=False).values_list("fide_id", "name"))
    return tuple(
        IdConflict(number, fide_id, name, names[fide_id])
        for number, fide_id, name in people
        if fide_id in names and not same(name, names[fide_id])
    )
