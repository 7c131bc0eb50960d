"""Which of two machines writes: a term that rises when a spare takes over, and the guard in front of the database.

The machine with the higher term writes. Whoever learns of a higher term than its own stops: docs/decisions/0100.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core import signing
from django.db import OperationalError, models

SALT = "evenboard.term"
TAKEN_OVER, UNSURE, SPARE = "taken over", "unsure", "spare"
"""Why a machine does not write: another one has a higher term; its spare did not answer at its start; it is a spare."""
AFTER_TAKEOVER = 1_000
"""By so much a takeover raises the revision of each section: pages that show an action which the spare never received
must not seem current when the spare reaches that revision with another action."""
MOST_RISES = 10
"""Of so many rises of the term a machine knows what the logs had then."""
POSTGRESQL = "postgresql"
CHANGES = re.compile(r"\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)


class MayNotWrite(OperationalError):
    """This machine does not write. args: why, as above."""


@dataclass(frozen=True, slots=True, order=True)
class MachineTerm:
    """Who writes. Of two terms with the same number, which only a cut network can make, the one with the greater holder
    counts, so that both machines decide the same.

    holder: drawn by lot when the number rises. line: where the data came from, as text: for each time at which the term
    rose, oldest first, the holder and the keys of the newest rows of the logs then.
    """

    number: int = 0
    holder: str = ""
    line: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.number}.{self.holder}.{self.line}"

    @classmethod
    def read(cls, text: str) -> MachineTerm:
        """Return the term in a text, that of nobody for any other text."""
        found = re.fullmatch(r"([0-9]{1,9})\.([0-9a-f]{0,8})\.([0-9a-f_-]{0,2000})", text)
        return cls(int(found[1]), found[2], found[3]) if found else cls()

    def raised(self, number: int, holder: str, newest: Sequence[int]) -> MachineTerm:
        """Return the term that follows on this one. newest: the keys of the newest rows of the logs."""
        rises = [*filter(None, self.line.split("_")), "-".join([holder, *map(str, newest)])]
        return MachineTerm(number, holder, "_".join(rises[-MOST_RISES:]))

    def common(self, other: MachineTerm) -> list[int] | None:
        """Return the keys of the newest rows of the logs that the data of both terms have; None if nothing says that
        one has rows which the other one lacks.
        """
        mine, theirs = (list(filter(None, term.line.split("_"))) for term in (self, other))
        parted = [
            [int(key) for key in rises[0].split("-")[1:]]
            for rises in (
                [rise for rise in mine if rise not in theirs],
                [rise for rise in theirs if rise not in mine],
            )
            if rises
        ]
        return [min(keys) for keys in zip(*parted, strict=False)] or None


class WritingTerm(models.Model):
    """The term of this machine, in one row; none as long as it has no spare.

    heard: the highest term of another machine, as text. key: the number from which the key of the spare is made, ""
    for no key. peers: the addresses of the machines that are told of this term. spares: those that received the state
    of this machine, by name: the address, the folder that it reads, or POSTGRESQL. At a start all must be heard.
    """

    ONLY = 1

    number = models.PositiveIntegerField(default=0)
    holder = models.CharField(max_length=8, blank=True)
    line = models.TextField(blank=True)
    heard = models.TextField(blank=True)
    key = models.CharField(max_length=32, blank=True)
    peers = models.JSONField(default=list, blank=True)
    spares = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return str(self.term)

    @property
    def term(self) -> MachineTerm:
        return MachineTerm(self.number, self.holder, self.line)


class Guard:
    """What this process knows of the term. It refuses changes of the database while this machine may not write.

    refused: why, "" while it writes. signed: the term as browsers carry it, "" without a row. has_key: there is a key
    for a spare, so another machine may have a higher term.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.known, self.refused, self.signed, self.has_key = False, "", "", False
        self.term = self.heard = MachineTerm()

    def load(self) -> None:
        """Read the row."""
        self.take(WritingTerm.objects.filter(pk=WritingTerm.ONLY).first())

    def take(self, row: WritingTerm | None) -> None:
        """Note the row. That the spare did not answer at the start, and that this is a spare, is not in it.

        A term that has risen meanwhile ends the doubt: somebody has decided, perhaps in another process.
        """
        rose = self.known and row is not None and row.term > self.term
        self.known = True
        self.has_key = row is not None and row.key != ""
        self.term, self.heard = (
            (row.term, MachineTerm.read(row.heard)) if row else (MachineTerm(), MachineTerm())
        )
        self.signed = signing.Signer(salt=SALT).sign(str(self.term)) if row else ""
        if self.refused != SPARE:
            if self.heard > self.term:
                self.refused = TAKEN_OVER
            elif rose:
                self.refused = ""

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
    ) -> Any:
        """Run a statement, or refuse it. Of all tables, only that of the term is written while nothing else is."""
        if CHANGES.match(sql) and WritingTerm._meta.db_table not in sql:  # noqa: SLF001 - Django documents it
            if not self.known:
                self._look(context["connection"])
            if self.refused:
                raise MayNotWrite(self.refused)
        return execute(sql, params, many, context)

    def _look(self, database: Any) -> None:
        """Read the row once, also for a command of manage.py. A database that is not migrated yet has no such table."""
        if WritingTerm._meta.db_table in database.introspection.table_names():  # noqa: SLF001
            self.load()


guard = Guard()


def watch_connection(*, connection: Any, **_signal: Any) -> None:
    """Put the guard in front of a new connection."""
    if guard not in connection.execute_wrappers:
        connection.execute_wrappers.append(guard)
