"""What all processes of the site count together: in Valkey, if CACHE_URL names one.

If Valkey does not answer, each process counts for itself until it does, and no request fails.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from django.utils import timezone
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

logger = logging.getLogger(__name__)
PATIENCE = 0.25  # seconds for an answer; a request may wait twice as long once in AGAIN seconds
AGAIN = 5.0  # seconds until a server that did not answer is asked again


class PlainJson:
    """Writes values as JSON: unlike pickle, it runs nobody's code. Valkey counts such numbers."""

    def dumps(self, value: object) -> bytes:
        return json.dumps(value).encode()

    def loads(self, value: bytes) -> Any:
        return json.loads(value)


class Outage:
    """Since when Valkey does not answer this process; None if it answers."""

    def __init__(self) -> None:
        self.since: datetime | None = None
        self._asks_at = 0.0

    @property
    def is_waiting(self) -> bool:
        """Return whether it is too early to ask again."""
        return self.since is not None and time.monotonic() < self._asks_at

    def begin(self, error: RedisError) -> None:
        self._asks_at = time.monotonic() + AGAIN
        if self.since is None:
            self.since = timezone.now()
            logger.error("CACHE_URL: no answer. Each process counts its limits alone until then. %s", error)

    def end(self) -> None:
        if self.since is not None:
            self.since = None
            logger.warning("CACHE_URL: answers again. All processes count together.")


outage = Outage()


def _asked(name: str) -> Callable[..., Any]:
    """Return the method that asks Valkey, and the memory of this process if Valkey does not answer."""

    def method(self: CommonCache, *args: Any, **kwargs: Any) -> Any:
        if not outage.is_waiting:
            try:
                found = getattr(super(CommonCache, self), name)(*args, **kwargs)
            except RedisError as error:
                outage.begin(error)
            else:
                outage.end()
                return found
        return getattr(self.alone, name)(*args, **kwargs)

    return method


class CommonCache(RedisCache):
    """alone: the memory of this process."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        waits = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
        once_more = Retry(NoBackoff(), 1)
        options = {"serializer": PlainJson, "retry": once_more, **waits}
        super().__init__(server, {**params, "OPTIONS": options})
        self.alone = LocMemCache("common", params)

    add, get, set, incr = map(_asked, ("add", "get", "set", "incr"))

    def silent_since(self) -> datetime | None:
        """Ask Valkey. Return since when it does not answer, None if it does."""
        self.get("evenboard")
        return outage.since
