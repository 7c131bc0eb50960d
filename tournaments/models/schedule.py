"""When a round begins, by the clock in the hall."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time


@dataclass(frozen=True, slots=True)
class RoundStart:
    """The day of a round and, if known, the time, by the clock in the hall."""

    day: date
    time: time | None = None

    def __str__(self) -> str:
        """As `Section.schedule` holds it: 2026-10-17 or 2026-10-17T14:00."""
        return f"{self.day.isoformat()}T{self.time:%H:%M}" if self.time else self.day.isoformat()

    @classmethod
    def read(cls, text: str) -> RoundStart | None:
        """Read what str() writes; return None for "". Raises ValueError."""
        day, _, clock = text.partition("T")
        if not day:
            return None
        return cls(date.fromisoformat(day), time.fromisoformat(clock) if clock else None)

    def is_before(self, other: RoundStart) -> bool:
        """Return whether this is certainly earlier. On the same day both times must be known."""
        if self.day != other.day:
            return self.day < other.day
        return self.time is not None and other.time is not None and self.time < other.time
