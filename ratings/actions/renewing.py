"""Build the search of a list again that an earlier version of the program imported. Its file is not needed."""

from __future__ import annotations

import logging
import sqlite3
import time
from contextlib import closing
from itertools import islice

from django.db import Error
from django.db.models import F

from ratings import storage
from ratings.models import RatingList, new_table_name
from ratings.names import searched
from ratings.players import Listed
from ratings.storage.layout import INDEX, Done

from .importing import BATCH, MOST_TRIES

GRACE = 2.0
"""Seconds in which a search that has begun may still read the earlier place of the list."""
logger = logging.getLogger(__name__)


def outdated_lists() -> list[RatingList]:
    """Return the lists whose search is that of an earlier version. Those that could not be built are given up."""
    ready = RatingList.objects.filter(state=RatingList.State.READY, tries__lte=MOST_TRIES)
    return list(ready.exclude(index=INDEX).order_by("pk"))


def renew_outdated() -> int:
    """Build the search of outdated lists again. Return how many are up to date now.

    A stop loses only the list that is being built. Until it is complete, the former one is searched.
    """
    return sum(_renew(listing) for listing in outdated_lists())


def _renew(listing: RatingList) -> bool:
    RatingList.objects.filter(pk=listing.pk).update(tries=F("tries") + 1)
    table = new_table_name()
    try:
        built = _build(listing, table)
    except (OSError, Error, sqlite3.Error):
        logger.exception("the search of a rating list was not built again")
        storage.delete(table)
        return False
    same = RatingList.objects.filter(pk=listing.pk, state=RatingList.State.READY, table=listing.table)
    facts = {"by_index": built.by_index, "bytes": built.bytes, "index": INDEX, "tries": 0}
    swapped = same.update(table=table, **facts) > 0
    if swapped:
        time.sleep(GRACE)
    storage.delete(listing.table if swapped else table)
    return swapped


def _build(listing: RatingList, table: str) -> storage.Built:
    with closing(storage.building(table)) as building, closing(storage.kept(listing).everybody()) as players:
        done = Done()
        building.begin(done)
        while rows := [
            _row(place, player) for place, player in enumerate(islice(players, BATCH), done.rows + 1)
        ]:
            done.rows += len(rows)
            building.add(rows, done)
        return building.finish(lambda _step, _part: None)


def _row(place: int, player: Listed) -> tuple[object, ...]:
    return (place, *player.row(), searched(player.name, player.year))
