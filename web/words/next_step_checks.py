"""What must be done before the next step, and what an arbiter should know, in the words of the cockpit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy, pgettext_lazy

from base.reader import READER
from base.text import isolated
from tournaments.models import Section, WaitingOnDevice
from tournaments.queries.field import PlayerCell
from tournaments.queries.next_step_checks import WARNINGS, LeftBy, NextStepCheck
from tournaments.queries.site import MB, low_disk
from web.context import section_url
from web.words.refusals.results import waiting_elsewhere

SHOWN_BOARDS = 12
SHOWN_NAMES = 6
FILLED_IN = ("no_fide_id", "no_official_rating", "names_without_latin")
WITHOUT = {
    "no_fide_id": "fide_id",
    "no_official_rating": "official_rating",
    "no_estimate": "rating",
    **dict.fromkeys(("names_without_latin", "names_not_latin"), "latin_name"),
}


@dataclass(frozen=True, slots=True)
class NextStepWords:
    """word: for the pill. sentence: what it means. url: the page that settles it, "" if there is none.

    to_fill_in: the players of whom the report for rating lacks something. key: of a notice that can be left alone, ""
    for any other. ends_with_round: left alone, it comes back in the next round. left: who left it alone.
    """

    code: str
    word: str
    sentence: str
    url: str
    to_fill_in: Sequence[PlayerCell] = ()
    key: str = ""
    ends_with_round: bool = False
    left: LeftBy | None = None

    @property
    def warns(self) -> bool:
        """Return whether the arbiter must look at it before a draft is published."""
        return self.code in WARNINGS


def next_step_words(
    matter: NextStepCheck, section: Section, *, runs: bool = True, left: LeftBy | None = None
) -> NextStepWords:
    """Say a blocker or a notice of the cockpit. runs: to a person who may run the section, and do what it asks for.
    left: who left it alone.
    """
    word, sentence = WORDS[matter.code]
    if not runs:
        sentence = FOR_OTHERS.get(matter.code, sentence)
    about = {
        "round": matter.round_number,
        "count": matter.number,
        "boards": _boards(matter),
        "names": _names(matter),
        "text": matter.text or _("too old"),
    }
    lacking = matter.sides if matter.code in FILLED_IN else ()
    return NextStepWords(
        matter.code,
        str(word),
        str(sentence % about),
        _url(matter, section),
        lacking,
        key=matter.key if matter.can_be_left else "",
        ends_with_round=matter.ends_with_round,
        left=left,
    )


def notice_word(code: Any) -> str:
    """Return the word of a notice, as the log has it; its code if it is of another version."""
    return str(WORDS[code][0]) if code in list(WORDS) else str(code)


def low_disk_notice() -> NextStepWords | None:
    """Say that the server will soon have no room to save, None while it has enough."""
    disk = low_disk()
    if disk is None:
        return None
    sentence = _(
        "The disk of the server has only %(free)s MB left. When it is full, no result can be saved. Free some space "
        "now: delete files that are not needed, or ask the person who runs the server."
    ) % {"free": disk.free // MB}
    return NextStepWords("low_disk", _("Disk"), sentence, "")


@dataclass(frozen=True, slots=True)
class DeviceWords:
    """What waits on a device, in sentences. row: one of its rows. count: of all of them together."""

    row: WaitingOnDevice
    count: int
    sentences: Sequence[str]


def device_words(devices: Sequence[Sequence[WaitingOnDevice]]) -> list[DeviceWords]:
    """Say what the devices of arbiters have not saved yet."""
    return [
        DeviceWords(
            found[0],
            sum(row.count for row in found),
            [
                waiting_elsewhere(row.kind, row.number, row.user.label, row.count, row.heard_at)
                for row in found
            ],
        )
        for found in devices
    ]


PAGES = {
    "check_in_missing": "absences",
    "copies_not_restored": "copies",
    "copies_elsewhere": "copies",
    "departures": "log",
    "forbidden_pairs": "forbidden-pairs",
    "not_kept_apart": "forbidden-pairs",
    "lists_differ": "section-lists",
    "not_checked_in": "check-in",
    "outside_limit": "entries",
}


def _url(matter: NextStepCheck, section: Section) -> str:
    if page := PAGES.get(matter.code):
        return section_url(page, section)
    match matter.code:
        case "check_differs" | "check_differs_offer" | "check_differs_nothing":
            return section_url("why", section, number=matter.round_number)
        case "late_registrations":
            return reverse(
                "registrations:late-players", kwargs={"event": section.event.slug, "section": section.slug}
            )
        case "left_out":
            return section_url("pairings", section, number=matter.round_number)
        case "manual_phase_open":
            return section_url("by-hand", section, number=matter.round_number)
        case "forfeited":
            keys = [side.participant_id for side in matter.sides]
            if len(keys) == 1:
                return section_url("leave", section, participant=keys[0])
            return section_url("byes", section)
        case "names_without_latin" | "names_not_latin" if len(matter.sides) == 1:
            return section_url("edit-entry", section, participant=matter.sides[0].participant_id)
        case code if code in WITHOUT:
            return f"{section_url('entries', section)}?without={WITHOUT[matter.code]}"
        case "undated" | "dates_differ":
            return f"{section_url('settings', section)}#rounds"
    if matter.boards:
        results = section_url("enter-results", section, number=matter.round_number)
        return f"{results}#board-{matter.boards[0]}"
    return ""


WORDS = {
    "too_few_players": (
        gettext_lazy("Players"),
        ngettext_lazy(
            "%(count)s player can be paired. A round needs at least two.",
            "%(count)s players can be paired. A round needs at least two.",
            "count",
        ),
    ),
    "no_initial_colour": (
        gettext_lazy("Lot"),
        gettext_lazy("The initial-colour, the colour of the first player in round 1, has not been drawn."),
    ),
    "lots_missing": (
        gettext_lazy("Lots"),
        gettext_lazy("Not everybody has drawn a number. All rounds follow from the numbers."),
    ),
    "rounds_differ": (
        gettext_lazy("Rounds"),
        ngettext_lazy(
            "The table of these players has %(count)s round. Drawing the numbers sets the number of rounds.",
            "The table of these players has %(count)s rounds. Drawing the numbers sets the number of rounds.",
            "count",
        ),
    ),
    "draft_unpublished": (
        gettext_lazy("Draft"),
        gettext_lazy("Round %(round)s is paired, but only arbiters see it."),
    ),
    "manual_phase_open": (
        gettext_lazy("By hand"),
        gettext_lazy("Pairing by hand of round %(round)s has not ended."),
    ),
    "results_missing": (gettext_lazy("Results"), gettext_lazy("Round %(round)s: no result for %(boards)s.")),
    "results_in_conflict": (
        gettext_lazy("Two results"),
        gettext_lazy("Round %(round)s: two results were entered for %(boards)s. Choose one."),
    ),
    "check_in_missing": (
        gettext_lazy("Not here"),
        ngettext_lazy(
            "%(count)s player is not checked in for round %(round)s.",
            "%(count)s players are not checked in for round %(round)s.",
            "count",
        ),
    ),
    "not_checked_in": (
        gettext_lazy("Not here"),
        ngettext_lazy(
            "%(count)s player is not checked in and would be paired in round %(round)s: %(names)s.",
            "%(count)s players are not checked in and would be paired in round %(round)s: %(names)s.",
            "count",
        ),
    ),
    "draft_outdated": (
        gettext_lazy("Changed"),
        gettext_lazy(
            "An entry, an earlier result or a setting was changed after round %(round)s was paired. Check the round."
        ),
    ),
    "check_differs": (
        gettext_lazy("Check"),
        gettext_lazy("With today's data the rules give another round %(round)s (%(boards)s)."),
    ),
    "check_differs_offer": (
        gettext_lazy("Check"),
        gettext_lazy(
            "The rules cannot finish round %(round)s. With today's data another round is offered (%(boards)s)."
        ),
    ),
    "check_differs_nothing": (
        gettext_lazy("Check"),
        gettext_lazy("With today's data the rules give no round %(round)s, and none is offered."),
    ),
    "left_out": (
        gettext_lazy("Left out"),
        gettext_lazy("Round %(round)s: no board and no bye for %(names)s."),
    ),
    "adjourned": (
        gettext_lazy("Adjourned"),
        ngettext_lazy(
            "Round %(round)s: %(boards)s. The game counts as a draw until it is finished.",
            "Round %(round)s: %(boards)s. The games count as draws until they are finished.",
            "count",
        ),
    ),
    "adjourned_open": (
        gettext_lazy("Adjourned"),
        ngettext_lazy(
            "Round %(round)s: %(boards)s. You can close the section when this game has a result.",
            "Round %(round)s: %(boards)s. You can close the section when these games have a result.",
            "count",
        ),
    ),
    "nothing_paired": (
        gettext_lazy("Rounds"),
        gettext_lazy("No round is paired yet. A section without a round cannot be closed."),
    ),
    "names_not_latin": (
        gettext_lazy("Report"),
        ngettext_lazy(
            "The report has Latin letters. %(names)s stands there as: %(text)s. Open the entry to type another form.",
            "The report has Latin letters. %(names)s stand there as: %(text)s. Open the entry to type another form.",
            "count",
        ),
    ),
    "names_without_latin": (
        gettext_lazy("Report"),
        ngettext_lazy(
            "The report needs Latin letters, and the program has none for %(names)s. Open the entry and type the name.",
            "The report needs Latin letters, and the program has none for %(names)s. Open the entries and type the "
            "names.",
            "count",
        ),
    ),
    "names_cut": (
        gettext_lazy("Report"),
        ngettext_lazy(
            "The report has 33 characters for a name, and cuts the name of %(names)s.",
            "The report has 33 characters for a name, and cuts the names of %(names)s.",
            "count",
        ),
    ),
    "departures": (
        gettext_lazy("Report"),
        ngettext_lazy(
            "The report names %(count)s departure from the rules in its comment lines (###).",
            "The report names %(count)s departures from the rules in its comment lines (###).",
            "count",
        ),
    ),
    "undated": (
        gettext_lazy("Dates"),
        ngettext_lazy(
            "%(count)s round has no date. A report for rating should have the date of every round.",
            "%(count)s rounds have no date. A report for rating should have the date of every round.",
            "count",
        ),
    ),
    "dates_differ": (
        gettext_lazy("Dates"),
        ngettext_lazy(
            "%(count)s round has a date outside the days of the event.",
            "%(count)s rounds have dates outside the days of the event.",
            "count",
        ),
    ),
    "copies_not_restored": (
        gettext_lazy("Copies"),
        ngettext_lazy(
            "%(count)s copy on this server cannot be restored. Make another copy.",
            "%(count)s copies on this server cannot be restored. Make another copy.",
            "count",
        ),
    ),
    "copies_elsewhere": (
        gettext_lazy("Copies"),
        gettext_lazy("The copies in another place (BACKUP_TO) are not up to date: %(text)s."),
    ),
    "too_many_rounds": (
        gettext_lazy("Rounds"),
        ngettext_lazy(
            "These players can play only %(count)s round without meeting twice.",
            "These players can play only %(count)s rounds without meeting twice.",
            "count",
        ),
    ),
    "all_met": (
        gettext_lazy("Players"),
        gettext_lazy("All players of round %(round)s have met each other already."),
    ),
    "outside_limit": (
        gettext_lazy("Rating limit"),
        ngettext_lazy(
            "The rating of %(names)s is outside the rating limit of the section.",
            "The ratings of %(names)s are outside the rating limit of the section.",
            "count",
        ),
    ),
    "no_fide_id": (
        gettext_lazy("FIDE ID"),
        ngettext_lazy("%(count)s player has no FIDE ID.", "%(count)s players have no FIDE ID.", "count"),
    ),
    "no_official_rating": (
        gettext_lazy("Rating"),
        ngettext_lazy(
            "%(count)s player has no official rating, only a tournament rating.",
            "%(count)s players have no official rating, only a tournament rating.",
            "count",
        ),
    ),
    "lists_differ": (
        gettext_lazy("Rating"),
        ngettext_lazy(
            "%(count)s entry differs from the rating lists.",
            "%(count)s entries differ from the rating lists.",
            "count",
        ),
    ),
    "no_estimate": (
        gettext_lazy("Estimate"),
        ngettext_lazy(
            "%(names)s has no rating and counts as 0. The rules ask for an estimate before the pairing.",
            "%(names)s have no rating and count as 0. The rules ask for an estimate before the pairing.",
            "count",
        ),
    ),
    "ratings_differ": (
        gettext_lazy("Rating"),
        ngettext_lazy(
            "The official rating of %(names)s is not the tournament rating. The report has the official rating.",
            "The official ratings of %(names)s are not the tournament ratings. The report has the official ratings.",
            "count",
        ),
    ),
    "not_fide_ratings": (
        gettext_lazy("Rating"),
        gettext_lazy(
            "The file has no official ratings, because the ratings of this section are not FIDE's. They are only in "
            "comment lines."
        ),
    ),
    "forbidden_pairs": (
        gettext_lazy("Forbidden"),
        ngettext_lazy(
            "Round %(round)s: %(count)s pair is forbidden, and the report says so.",
            "Round %(round)s: %(count)s pairs are forbidden, and the report says so.",
            "count",
        ),
    ),
    "not_kept_apart": (
        gettext_lazy("May meet"),
        gettext_lazy(
            "Round %(round)s: players of one group may meet, because no round keeps all apart: %(text)s."
        ),
    ),
    "forfeited": (
        gettext_lazy("Absent?"),
        ngettext_lazy(
            "%(names)s lost round %(round)s by forfeit and will be paired again. Decide: play, bye or withdraw?",
            "%(names)s lost round %(round)s by forfeit and will be paired again. Decide: play, bye or withdraw?",
            "count",
        ),
    ),
    "late_registrations": (
        pgettext_lazy("of a player", "Waits"),
        ngettext_lazy(
            "%(count)s player waits for the arbiter, because round 1 is paired. Accept or refuse the player.",
            "%(count)s players wait for the arbiter, because round 1 is paired. Accept or refuse them.",
            "count",
        ),
    ),
    "late_entries": (
        gettext_lazy("Late"),
        gettext_lazy("In round %(round)s these players enter: %(names)s."),
    ),
}

FOR_OTHERS = {
    "late_registrations": ngettext_lazy(
        "%(count)s player waits for the arbiter, because round 1 is paired.",
        "%(count)s players wait for the arbiter, because round 1 is paired.",
        "count",
    ),
}
"""Sentences for people who may not do what those of WORDS ask for."""


def _names(matter: NextStepCheck) -> str:
    return READER.listed((isolated(side.name) for side in matter.sides), longest=SHOWN_NAMES)


def _boards(matter: NextStepCheck) -> str:
    boards = [str(board) for board in matter.boards]
    if not boards:
        return _("no board")
    if len(boards) == 1:
        return _("board %(board)s") % {"board": boards[0]}
    return _("boards %(boards)s") % {"boards": READER.listed(boards, longest=SHOWN_BOARDS)}
