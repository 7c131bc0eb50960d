"""Words for rating lists: why a file was refused, what is odd about a list, and what an import does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from base.reader import READER, date_format
from base.text import isolated
from ratings.models import OF_EVENT, KnownOrigin, RatingList

REFUSED = {
    "file_missing": gettext_lazy("The file is no longer there. Choose it again."),
    "too_large": gettext_lazy("The file is larger than %(megabytes)s MB."),
    "packed_badly": gettext_lazy("The ZIP file is damaged or has a password. Fetch it again."),
    "packed_bomb": gettext_lazy(
        "The ZIP file would become far too large when it is unpacked, so it is not read."
    ),
    "packed_empty": gettext_lazy("The ZIP file has no list: no file that ends in .txt, .xml or .csv."),
    "not_a_list": gettext_lazy(
        "The file is not a list of FIDE: its first line does not name the columns of such a list."
    ),
    "header_unknown": gettext_lazy("The first line of the list does not name these columns: %(missing)s."),
    "line_too_long": gettext_lazy("The file has a line that is too long for a list."),
    "xml_broken": gettext_lazy("The XML file is damaged in line %(line)s. Fetch it again."),
    "xml_declarations": gettext_lazy(
        "The XML file declares a document type or entities. Lists of FIDE do not, so it is not read."
    ),
    "columns_missing": gettext_lazy("Choose which column has the name, and which one has the rating."),
    "encoding_unknown": gettext_lazy("This program does not know the character set %(encoding)s."),
    "nobody": gettext_lazy("The list has no player who can be read."),
    "no_network": gettext_lazy("%(problem)s is not the address of a page on the web."),
    "address_taken": gettext_lazy("Another list comes from %(address)s."),
    "name_missing": gettext_lazy("Type a name for the list, such as Club."),
    "name_of_fide": gettext_lazy(
        "Only lists that come from FIDE have its name, or a name that looks like it. Give this list another name."
    ),
    "name_taken": gettext_lazy(
        "The name looks like that of another list, %(name)s. Give this list another name."
    ),
    "too_many_lists": gettext_lazy("An event can have %(limit)s lists of its own. Delete one first."),
    "too_many_players": gettext_lazy(
        "The list of an event can have %(limit)s players. Ask the person who runs this server to import a larger list."
    ),
    "no_room": gettext_lazy(
        "The lists of all events need %(megabytes)s MB, and this server takes no more. Ask the person who runs it."
    ),
    "disk": gettext_lazy("The list could not be stored: %(problem)s"),
    "unexpected": gettext_lazy(
        "The import stopped several times, so the server no longer tries. Import the list again."
    ),
}
BAD_LINES = {
    "id_unreadable": gettext_lazy("no ID"),
    "name_missing": gettext_lazy("no name"),
    "number_unreadable": gettext_lazy("a rating or a birth date that is not a number"),
    "line_unreadable": gettext_lazy("not readable"),
}
STEPS = {
    "": gettext_lazy("Waits for the server, which looks every few seconds."),
    "reading": gettext_lazy("Reads the file."),
    "ordering": gettext_lazy("Puts the players in order."),
    "indexing": gettext_lazy("Builds the index for the search."),
    "checking": gettext_lazy("Checks the list."),
}


KINDS = {
    "standard": gettext_lazy("%(series)s, standard"),
    "rapid": gettext_lazy("%(series)s, rapid"),
    "blitz": gettext_lazy("%(series)s, blitz"),
    "national": "%(series)s",
    "rapid+": gettext_lazy("%(series)s, rapid, else standard"),
    "blitz+": gettext_lazy("%(series)s, blitz, else standard"),
}


def list_title(code: str) -> str:
    """Return the name of a list in a section's sequence, from its code."""
    series, _colon, rating = code.rpartition(":")
    name = series.removesuffix(OF_EVENT)
    title = str(KINDS.get(rating, "%(series)s")) % {"series": name}
    return title if name == series else _("List of this event: %(list)s") % {"list": title}


def origin_of(listing: RatingList | None) -> str:
    """Return who gave a list that counts in one event alone, and when; "" for a list of the site."""
    if listing is None or listing.event_id is None:
        return ""
    day = date_format(timezone.localtime(listing.created_at), "j F Y")
    sentence = _("List of this event, imported by %(name)s on %(day)s")
    return sentence % {"name": isolated(listing.given_by), "day": day}


def refused_list(code: str, params: Mapping[str, Any]) -> str:
    """Return why a file was not taken as a rating list."""
    if "missing" in params:
        params = {**params, "missing": READER.listed(params["missing"], "comma")}
    return str(REFUSED.get(code, REFUSED["unexpected"]) % params)


def origin_problem(origin: KnownOrigin) -> tuple[str, str]:
    """Return why a server did not answer, and why what it sent is no list. At most one of them has words."""
    try:
        code, params = json.loads(origin.problem)
    except (ValueError, TypeError):
        return origin.problem, ""
    return "", refused_list(code, params)


def doubts_of(listing: RatingList) -> list[str]:
    """Return what is odd about a list that asks whether it is used."""
    return [_doubt(found) for found in listing.doubts]


def _doubt(found: Mapping[str, Any]) -> str:
    if found["code"] == "bad_lines":
        sentence = ngettext(
            "%(bad)s line cannot be read, of %(lines)s.",
            "%(bad)s lines cannot be read, of %(lines)s.",
            found["bad"],
        )
    elif found["code"] == "known_missing":
        sentence = ngettext(
            "%(missing)s of the %(known)s best active players of the last list is missing.",
            "%(missing)s of the %(known)s best active players of the last list are missing.",
            found["missing"],
        )
    elif found["code"] == "cut":
        sentence = _("The file ends in the middle of a line: it was cut off.")
    else:
        sentence = _("The last list had %(before)s players, this one has %(now)s.")
    return sentence % found


def bad_lines_of(listing: RatingList) -> list[str]:
    """Return the first lines that were not read, each with its number and the reason."""
    return [
        _("Line %(line)s, %(why)s: %(text)s")
        % {"line": one["line"], "why": BAD_LINES.get(one["code"], one["code"]), "text": one["text"]}
        for one in listing.warnings
    ]


def step_of(listing: RatingList) -> str:
    """Return what the import of a list does now."""
    return str(STEPS.get(listing.step, ""))
