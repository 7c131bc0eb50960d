"""Lines of an imported report file that the report of the section writes back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from evenboard_engine.trf import is_reading, is_renumbering, is_team_event, ranks_in, with_numbers
from tournaments.declarations.sections import IMPORT_REPORT
from tournaments.queries.field import SectionField

FORBIDDEN_PAIRS = {
    True: "### Forbidden pairs (260, XXP) are the arbiter's and outside FIDE's rules",
    False: "### Forbidden pairs (260, XXP) are the arbiter's",
}
"""The comment, by whether the pairing system is FIDE's."""
_IN_HEADER = frozenset({"172", "182", "192", "202", "212", "222"})
"""Records of the header that the section writes itself."""


def kept_lines(field: SectionField, written: Collection[str], *, dated: bool) -> Iterator[str]:
    """Yield the lines of an imported file that the section does not write itself, with the pairing numbers of today.

    written: the comments of the section, which are not repeated; but each step of the pairing numbers counts.
    dated: the section writes 132 itself.
    """
    records = field.section.report_records
    of_teams = is_team_event(records)
    nothing: dict[int, int] = {}
    named = any(ranks_in(text, of_teams=of_teams) for text in records)
    number_of = _numbers_of_ranks(field) if named else nothing.get
    for text in records:
        if _is_to_be_kept(text, field.section.system) and not (dated and text.startswith("132")):
            line = with_numbers(text, number_of, of_teams=of_teams)
            if line is not None and (line not in written or is_renumbering(line)):
                yield line


def _numbers_of_ranks(field: SectionField) -> Callable[[int], int | None]:
    """Return today's pairing numbers by the starting ranks of the imported file; None for a removed player."""
    row = field.section.log.filter(action=IMPORT_REPORT.name, after__has_key="ranks").order_by("-pk").first()
    if row is None:
        return lambda rank: rank
    try:
        numbers = {
            rank: field.participants[key].tpn for key, rank in row.after["ranks"] if key in field.participants
        }
    except (TypeError, ValueError):  # the log of a copy from elsewhere may hold anything
        return lambda rank: rank
    return lambda rank: numbers.get(rank)


def _is_to_be_kept(text: str, system: str) -> bool:
    is_used = text in FORBIDDEN_PAIRS.values() or is_reading(text, system)
    return text[:3] not in _IN_HEADER and not is_used
