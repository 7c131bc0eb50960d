"""Reasons why a file or a row is refused: a code, its parameters, and a sentence that says what to do."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from .list_refusals_public import TYPED

REFUSAL_SENTENCES = {
    # the file
    "empty": _("There are no rows in the file."),
    "too_large": _("The file is larger than %(limit)s kB. Save only the list of entries."),
    "too_many_rows": ngettext_lazy(
        "The file has more than %(limit)s row. Split it into several files.",
        "The file has more than %(limit)s rows. Split it into several files.",
        "limit",
    ),
    "too_many_lines": ngettext_lazy(
        "The sheet has more than %(limit)s row, with the blank ones. Copy the list into a new workbook.",
        "The sheet has more than %(limit)s rows, with the blank ones. Copy the list into a new workbook.",
        "limit",
    ),
    "too_many_columns": ngettext_lazy(
        "Row %(row)s has more than %(limit)s column. Remove the columns that are not needed.",
        "Row %(row)s has more than %(limit)s columns. Remove the columns that are not needed.",
        "limit",
    ),
    "workbook": _(
        "Evenboard cannot read %(kind)s files. Save the list as .xlsx or CSV, then choose the new file."
    ),
    "numbers": _(
        "Evenboard cannot read files of Numbers. In Numbers: File, Export To, Excel. Then choose the new file here."
    ),
    "workbook_locked": _(
        "The workbook is protected with a password. Save it without one, then choose it again. Excel: File, Info, "
        "Protect Workbook, Encrypt with Password, and empty the field. LibreOffice: File, Save As, and untick "
        "“Save with password”."
    ),
    "workbook_damaged": _("The workbook is damaged. Open it in the spreadsheet program and save it again."),
    "workbook_cells": _(
        "The workbook has too many cells or styles to read. Copy the list into a new workbook."
    ),
    "workbook_large": _(
        "The workbook is larger than %(limit)s MB when it is unpacked. Copy the list into a new workbook."
    ),
    "workbook_formulas": _(
        "The cells of the workbook are formulas without a saved value. "
        "Open it in the spreadsheet program and save it again."
    ),
    "not_text": _("This is not a text file. Save the list as .xlsx or as CSV (UTF-8)."),
    "quotation": _(
        "A quotation mark near row %(row)s is not closed. Remove it; if it belongs to the text, write it twice."
    ),
    "unclosed": ngettext_lazy(
        "A quotation mark in row %(rows)s is not closed. The row is read as it stands: look at it.",
        "A quotation mark is not closed in the rows %(rows)s. They are read as they stand: look at them.",
        "n",
    ),
    "line_too_long": _("Row %(row)s is too long for a list. Choose the file with the entries."),
    "no_name_column": _(
        "There is no column with names. The first row must name the columns: %(expected)s. "
        "In the file it is: %(found)s."
    ),
    "headless": _(
        "The columns have no names, and their meaning is not certain. "
        "Add a first row with the names of the columns: %(expected)s."
    ),
    "no_name_chosen": _("No column is chosen for the names. Choose “Name”, or “Surname” and “First name”."),
    "column_twice": _(
        "Several columns can be the same, %(field)s: %(found)s. “%(read)s” is read. "
        "If this is wrong, choose another column."
    ),
    "names_twice": _("Two columns have names: %(found)s. The first one is read as the surname."),
    # a row
    **TYPED,
    "row_too_long": _(
        "There are more cells than columns. Put quotation marks around a value that contains the separator."
    ),
    "pairing_flags": _("%(column)s “%(value)s” is not known. Use keep, new or late, or leave it empty."),
    "unsaved_formula": _(
        "%(column)s is a formula without a saved value, so it is read as empty. "
        "Save the workbook in the spreadsheet program again, or correct the cell."
    ),
    "no_name": _("There is no name. Fill in %(column)s."),
    "sex": _("%(column)s “%(value)s” is not a known value. Use m or w, or leave it empty."),
    "sex_ambiguous": _("%(column)s “%(value)s” can mean male or female in this column. Use m or w."),
    "title": _(
        "%(column)s “%(value)s” is not a FIDE title. Use GM, IM, FM, CM, WGM, WIM, WFM or WCM, or leave it empty."
    ),
    "other_title": _("%(column)s “%(value)s” is not a title of FIDE. It is kept in the note."),
    "fide_id": _("%(column)s “%(value)s” is not a FIDE ID. Use digits only, at most %(limit)s."),
    "rating": _("%(column)s “%(value)s” is not a rating. Use a number from %(low)s to %(high)s."),
    "games_left_out": _("%(column)s “%(value)s”: the number of games is left out."),
    "birth_date": _("%(column)s “%(value)s” is not a date. Use YYYY/MM/DD or a year."),
    "birth_date_future": _("%(column)s “%(value)s” is in the future. Correct the year."),
    "birth_date_early": _("%(column)s “%(value)s” is before %(first)s. Correct the year."),
    "birth_date_order": _("%(column)s “%(value)s” can be read in two ways. Use YYYY/MM/DD."),
    "byes": _("%(column)s “%(value)s” is not a list of rounds. Use numbers, such as 2, 4."),
    "byes_left_out": _(
        "%(column)s “%(value)s” is left out. The rounds are fixed by a table, so nobody can ask for a bye."
    ),
    "bye_round": _("%(column)s: there is no round %(round)s. The section has %(rounds)s rounds."),
    "bye_paired": _("%(column)s: round %(round)s is already paired. Remove this round."),
    "bye_refused": _("%(column)s: this player may not request half-point byes. Remove round %(round)s."),
    "bye_withdrawn": _(
        "%(column)s: the player has withdrawn. Remove round %(round)s, or re-admit the player first."
    ),
    "no_round_left": _("All rounds are paired (%(rounds)s), so nobody can be added."),
    "no_rating": _("There is no rating. Enter one, or give a provisional rating to all players without one."),
    "same_row": _("Row %(row)s is the same player. Keep one of the two rows."),
    "same_id": _("Row %(row)s has the same FIDE ID. Correct this one, or keep one of the two rows."),
    "same_name": _("Row %(row)s has the same name. Keep one of the two rows, unless they are two players."),
    "id_of_other": _("This FIDE ID belongs to %(name)s in this event. Correct the ID, or compare the two."),
    "name_of_several": _(
        "Several entered players have this name. Add the FIDE ID or the birth date, or compare them."
    ),
}


@dataclass(frozen=True)
class RefusalReason:
    """code: a key of `REFUSAL_SENTENCES`. params: what its sentence names. `str()` gives the sentence in the reader's
    language.

    cells: the columns (values of `ListColumn`) in which a correction helps. suggestion: what to write into the first.
    """

    code: str
    params: dict[str, object] = field(default_factory=dict)
    cells: tuple[str, ...] = ()
    suggestion: str = ""

    def __str__(self) -> str:
        return str(REFUSAL_SENTENCES[self.code] % self.params)


class FileRefused(Exception):
    """The whole file is refused. `str()` gives the sentence; `reason` the code and its parameters."""

    def __init__(self, code: str, **params: object) -> None:
        self.reason = RefusalReason(code, params)
        super().__init__(code, params)

    def __str__(self) -> str:
        return str(self.reason)


class CellRefused(Exception):
    """One cell is refused; the caller knows its column. `extra`: more parameters of the sentence.

    suggestion: what was probably meant, as it can be written into the cell.
    """

    def __init__(self, code: str, *, suggestion: str = "", **extra: object) -> None:
        self.code = code
        self.suggestion = suggestion
        self.extra = extra
        super().__init__(code, extra)
