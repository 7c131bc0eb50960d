"""Half-point byes that players asked for after earlier rounds were paired, as comment lines of the report file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from evenboard_engine import ByeKind, system_named
from evenboard_engine.trf import asked_later_line
from tournaments.models import Bye
from tournaments.queries.field import SectionField


def asked_later_lines(
    field: SectionField, byes: Iterable[Bye], paired: Mapping[int, datetime]
) -> Iterator[str]:
    """Yield the lines, by round. paired: when each round was paired; a round of an imported file is not there.

    Only for a pairing system that looks at byes of later rounds.
    """
    if not system_named(field.section.system).looks_ahead:
        return
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for bye in byes:
        before = [at for at, when in paired.items() if at < bye.round_number and when < bye.created_at]
        if bye.kind == ByeKind.HALF and before:
            found[max(before)].append((field.participants[bye.participant_id].tpn or 0, bye.round_number))
    for number, requests in sorted(found.items()):
        yield asked_later_line(number, requests)
