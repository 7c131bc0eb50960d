"""Published standings as CSV, in the form of `lists_csv`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from tournaments.queries.list_content import Table, TableRow

from .lists_csv import last_lines, points
from .table_files import Cell, Write, csv_file, figure


def published_csv(
    table: Table,
    heads: Sequence[str],
    rows: Iterable[tuple[TableRow, Sequence[str]]],
    *,
    about: Sequence[str],
    write: Write = csv_file,
) -> bytes:
    """Return standings as they were published: each row with its games, under these heads.

    The last lines name decisions of the arbiter and adjourned games, which count as draws, and say what is known
    `about` the list.
    """
    head = [_("Place"), _("No"), _("Name"), _("Title"), _("Federation"), _("Rating")]
    head += [*heads, _("Points"), *table.tie_breaks]
    lines: list[Sequence[Cell]] = [
        (
            *(row.place, row.tpn, row.name, row.title, row.federation, row.rating or None),
            *games,
            points(row.points),
            *map(figure, row.values),
        )
        for row, games in rows
    ]
    return write(head, [*lines, *last_lines(table), *((sentence,) for sentence in about)])
