"""What each winner of prizes takes in all, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from evenboard_engine.words.prizes import money_text
from tournaments.models import Section
from tournaments.queries.prizes import prize_list

from .lists_csv import last_line, money_cell
from .table_files import Cell, Write, csv_file


def receipts_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the sum of each winner, the prizes that it is made of, and the total. For arbiters only."""
    listed = prize_list(section)
    head = [_("Place"), _("No"), _("Name"), _("Title"), _("Federation"), _("Prizes"), _("Sum"), _("Currency")]
    rows: list[Sequence[Cell]] = [
        (
            *(
                receipt.row.place,
                receipt.row.tpn,
                receipt.row.name,
                receipt.row.title,
                receipt.row.federation,
            ),
            "; ".join(
                _("%(prize)s, place %(place)s: %(sum)s")
                % {"prize": name, "place": place, "sum": money_text(amount)}
                for name, place, amount in receipt.prizes
            ),
            money_cell(receipt.total),
            listed.plan.currency,
        )
        for receipt in listed.receipts
    ]
    total: Sequence[Cell] = (
        _("Total"),
        None,
        None,
        None,
        None,
        None,
        money_cell(listed.paid),
        listed.plan.currency,
    )
    provisional = [] if listed.state.final else [(_("Provisional: the section is not finished"),)]
    totals = [total] if rows else []
    return write(head, [*rows, *totals, *provisional, *last_line(listed.state)])
