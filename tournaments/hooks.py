"""What applications above this one add to its actions and files. They add it at the start (`AppConfig.ready`).

This module loads nothing, so that the start of every command does not load actions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import timedelta

    from tournaments.models import Event, Participant, Player, Section, User
    from tournaments.models.log import AppendOnlyRow

also_erases: list[Callable[[Event, Player], None]] = []
"""What they erase of a player. They run first, so that they take their locks first."""

keeps_in_sight: list[Callable[[Section], None]] = []
"""What they ask before a section is hidden: each raises a DomainError if somebody would be lost."""

also_keeps: list[Callable[[Player], dict[str, Any]]] = []
"""What they keep about a player: each returns values by their names."""

also_archives: list[Callable[[Event], tuple[str, list[tuple[str, str, bytes]]]]] = []
"""What they add to the archive of an event: each returns a sentence for the README, and name, description and content
of each file.
"""

fees_of: list[Callable[[Section], dict[int, tuple[int, int, str]]]] = []
"""What they know of the fees of a section: what each entry owes and has paid, in cents, and the currency."""

also_deletes: list[Callable[[Event], dict[str, int]]] = []
"""How many rows of each kind they have that are deleted with an event."""

takes_over_settings: list[Callable[[Event, Event, dict[int, int], timedelta], None]] = []
"""What takes settings of an event over into next year's: the event, the new one, the new keys of sections, the days."""

rating_limits: list[Callable[[Section], tuple[int | None, int | None]]] = []
"""Which ratings they let into a section: the lowest and the highest, None for no limit."""

keeps_rating_limit: list[Callable[[Section, int | None, int | None], None]] = []
"""What keeps the lowest and the highest rating that a new section takes."""

waits_for_arbiter: list[Callable[[Section], int]] = []
"""How many players they have who could become entries of a section whose round 1 is paired, if an arbiter agrees."""

asked_of_organisers: list[Callable[[Event], tuple[int, int]]] = []
"""How many registrations of an event an organiser has to check, and how many byes of players nobody has decided."""

keeps_for_arbiter: list[Callable[[Section, User | None, Sequence[Any]], int]] = []
"""What keeps players whom only an arbiter may enter, until an arbiter decides: each is given rows of an import,
which are in a layer above, and returns how many wait with it.
"""

keeps_move: list[Callable[[Participant, Section, User | None], None]] = []
"""What keeps a move of an entry to a section whose round 1 is paired, until an arbiter there decides."""

follows_results: list[Callable[[int], None]] = []
"""What they do after an action on games of a section in which the next round is prepared. Each is given its key."""

other_logs: list[tuple[type[AppendOnlyRow], Callable[[Any], tuple[str, str, str, str]]]] = []
"""Logs that they keep, and what a row of each says: the section, the player, the sentence, and who did it."""
