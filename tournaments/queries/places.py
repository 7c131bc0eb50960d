"""The places and the AROs of all players after each round.

The card of every player shows them, and the past rounds do not change while a round is played. So the tables of past
rounds are kept in the memory of the process, by a hash of all rows from which they are made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db.models import Model

from base.cache import Cache
from tournaments.models import Bye, Game, Participant, Round, Section
from tournaments.models.journal import NEVER

from .field import SectionField
from .kept_rows import LARGE
from .standings import StandingsTable, table


@dataclass(frozen=True, slots=True)
class AfterRound:
    """places: by key, without expelled players. aro: returns that of a player, as the pairing system reads it."""

    places: Mapping[int, int]
    aro: Callable[[int], float]


kept: Cache[bytes, AfterRound] = Cache(100)


def after_each_round(field: SectionField, latest: StandingsTable) -> dict[int, AfterRound]:
    """Return the tables after each round that the reader may see, by the number of the round. No query.

    Of a field before the next round (`load_field` without a number), with its table `latest`. This one is not kept: the
    results of its round come in, and games count as soon as they have one.
    """
    last = field.before_round - 1
    if field.rows is not None and len(field.participants) > LARGE:  # whose tables are kept with its rows
        earlier = (field.before(number + 1) for number in range(1, last))
        tables = {before.before_round - 1: AfterRound(table(before).places, before.aro) for before in earlier}
        return {**tables, last: AfterRound(latest.places, field.aro)} if last else {}
    found: dict[int, AfterRound] = {}
    for number, key in _keys(field, last - 1):
        done = kept.get(key)
        if done is None:
            before = field.before(number + 1)
            done = _read(before, table(before))
            kept.put(key, done)
        found[number] = done
    if last:
        found[last] = _read(field, latest)
    return found


def _read(field: SectionField, made: StandingsTable) -> AfterRound:
    return AfterRound(
        places=made.places,
        aro={key: field.aro(key) for key in field.participants}.__getitem__,
    )


def _keys(field: SectionField, last: int) -> Iterator[tuple[int, bytes]]:
    """Yield each round up to `last` with a hash of all rows from which the table after it is made.

    A fixed table needs the games of all rounds: they say which players have left too early to be counted.
    """
    rows = hashlib.sha256(repr(_columns(Section, [field.section], without=NEVER)).encode())
    rows.update(repr((field.section.period, _columns(Participant, field.participants.values()))).encode())
    if field.section.fixed_rounds:
        rows.update(repr(_columns(Game, field.games)).encode())
    for number in range(1, last + 1):
        rows.update(repr(_columns(Round, (row for row in field.rounds if row.number == number))).encode())
        rows.update(
            repr(_columns(Game, (game for game in field.games if game.round.number == number))).encode()
        )
        rows.update(repr(_columns(Bye, (bye for bye in field.byes if bye.round_number == number))).encode())
        yield number, rows.digest()


def _columns(model: type[Model], rows: Iterable[Model], without: Collection[str] = ()) -> list[Any]:
    fields = model._meta.concrete_fields  # noqa: SLF001 public API of Django despite its name
    read = attrgetter(*(column.attname for column in fields if column.attname not in without))
    return [read(row) for row in rows]
