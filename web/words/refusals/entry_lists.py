"""Why something was refused: lists and report files that are imported."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, ngettext_lazy

SENTENCES = {
    "archive_too_large": gettext_lazy(
        "The archive would be larger than %(limit)s MB. Nothing was downloaded. Download the lists, the reports and "
        "the copy of the section one by one."
    ),
    "import_refused": gettext_lazy("The file was not imported. %(problems)s"),
    "section_not_empty": ngettext_lazy(
        "The section already has %(participants)s entry. Import a report file into an empty section.",
        "The section already has %(participants)s entries. Import a report file into an empty section.",
        "participants",
    ),
    "rating_lists_wrong": gettext_lazy(
        "The lists stay as they were. A section has at least one list, none of them twice, and at most %(limit)s."
    ),
    "minimum_rating_wrong": gettext_lazy(
        "The minimum rating stays as it was. Type a number from %(low)s to %(high)s, or nothing for none."
    ),
    "rating_list_in_use": gettext_lazy(
        "The list is not deleted, because these sections use it: %(names)s. Choose another list there, or close them."
    ),
    "report_to_confirm": gettext_lazy(
        "Some rounds of the file do not follow the rules, or could not be checked. The preview names them. To take the "
        "file as it is, confirm this."
    ),
    "report_without_rounds": gettext_lazy("The report file does not give the number of rounds."),
    "ratings_missing": gettext_lazy(
        "No rating: %(names)s. The %(system)s needs a rating for every player. Type a provisional "
        "rating for them."
    ),
    "report_refused": gettext_lazy("The report file was not imported. %(problems)s"),
    "too_many_forbidden": ngettext_lazy(
        "The report file forbids more than %(limit)s pair. Leave out lines (260, XXP) that are not needed.",
        "The report file forbids more than %(limit)s pairs. Leave out lines (260, XXP) that are not needed.",
        "limit",
    ),
    "report_points": gettext_lazy(
        "The report file gives %(points)s for %(symbol)s. A section cannot score this."
    ),
}
