"""The links of the page Documents: sheets of paper, and what is made at the end of a section."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.models import Round, Section
from tournaments.queries.all_rounds import has_all_rounds
from web.context import section_url
from web.languages import PaperLanguage


@dataclass(frozen=True, slots=True)
class Document:
    """A link: what it is called, what it is for."""

    label: str
    use: str
    url: str
    download: bool = False
    workbook: str = ""
    """The address of the same table as XLSX."""


def papers_of(
    section: Section, paper: PaperLanguage, *, latest: Round | None, is_published: bool
) -> list[Document]:
    def sheet(document: str, label: str, use: str, *, a3: bool = False, **more: object) -> Document:
        url = paper.url(section_url("print", section, document=document, **more))
        return Document(label, use, f"{url}?paper=a3" if a3 else url)

    of_round = [
        sheet("boards", _("Pairings by board"), _("For the wall.")),
        sheet("names", _("Pairings by name"), _("For the players: name, board, colour.")),
        sheet("boards-large", _("By board, large type"), _("Two columns, readable from two metres.")),
        sheet("boards-large", _("By board, large type, A3"), _("A hundred boards on two sheets."), a3=True),
        sheet("names-large", _("By name, large type"), _("Two columns, readable from two metres.")),
        sheet("names-large", _("By name, large type, A3"), _("Two hundred names on two sheets."), a3=True),
        sheet(
            "slips",
            _("Result slips"),
            _("Eight on a sheet, in cutting order. A code opens the board on a phone."),
        ),
    ]
    if latest:
        of_round.append(
            sheet("cards", _("Place cards of the round"), _("By board, folded."), number=latest.number)
        )
    played = latest and latest.number > (1 if latest.is_draft else 0)
    rounds_left = not section.fixed_rounds and (latest.number if latest else 0) < section.rounds
    known = has_all_rounds(section)
    plan = sheet(
        "all-rounds", _("All rounds"), _("Every game of every round, and the rounds of each player.")
    )
    check_in = sheet("check-in", _("Check-in list"), _("By name, a box for each player; byes are marked."))
    aro = [
        sheet("aro", _("ARO list"), _("The basis for pairing the next round.")),
        sheet("aro-names", _("ARO list by name"), _("To find the figures of a player.")),
        sheet("aro-ranks", _("ARO list by rank"), _("By pairing number.")),
    ]
    walls = [
        sheet("wall", _("Code for the wall"), _("Opens the pairings of this section on a phone.")),
        sheet("wall-event", _("Code for the wall, whole event"), _("Opens the page of all sections.")),
    ]
    return [
        *walls,
        *([plan] if known else []),
        *(of_round if latest else []),
        sheet("starting-list", _("Starting list"), _("By pairing number, for the wall.")),
        *([check_in] if rounds_left else []),
        sheet("cards", _("Place cards"), _("By name, four on a sheet, folded, with the name on both sides.")),
        *(aro if "aro" in section.lists else []),
        sheet("standings", _("Standings"), _("After the latest round.")),
        *(
            [sheet("sums", _("Tie-breaks as sums"), _("What each round counts for each player."))]
            if played and section.tie_break_list
            else []
        ),
        sheet("crosstable", _("Crosstable"), _("Every result of every player.")),
        *(
            [
                sheet(
                    "published", _("Published standings"), _("As they were published after the latest round.")
                )
            ]
            if is_published
            else []
        ),
        *(
            [
                sheet(
                    "fairness",
                    _("Fairness of the pairings"),
                    _("How equal the opposition was in each round."),
                )
            ]
            if latest and not section.fixed_rounds
            else []
        ),
        *(_of_the_end_on_paper(sheet) if played else []),
        *(
            [
                sheet("prizes", _("Prize list"), _("Who wins what, and how each sum is made.")),
                sheet("receipts", _("Receipt list"), _("The sum of each winner, with a line to sign.")),
            ]
            if section.prizes
            else []
        ),
    ]


def _of_the_end_on_paper(sheet: Callable[[str, str, str], Document]) -> list[Document]:
    return [
        sheet(
            "final-report", _("Final report"), _("The section on paper: standings, statistics, departures.")
        ),
        sheet("statistics", _("Statistics"), _("Players, results by round and by rating difference.")),
        sheet("rating-changes", _("Rating changes"), _("An estimate for each player.")),
        sheet("norms", _("Title norms"), _("How far the players are from norms. A help, not a decision.")),
    ]


def copies_of(section: Section) -> list[Document]:
    """Return the files with everything about a section, for those who may have copies."""
    return [
        Document(
            _("Archive (ZIP)"),
            _("All lists, rounds and reports in formats that last, with a copy of the section."),
            section_url("archive", section),
            download=True,
        ),
        Document(
            _("Copy of the section"),
            _("The whole section with its log. Evenboard can load it again."),
            section_url("copy-now", section),
            download=True,
        ),
    ]


def tables_of_rounds(
    section: Section, table: Callable[[str, str, str], Document], *, paired: int
) -> list[Document]:
    """Return the tables of all rounds, and of the check-in for the next one.

    table: makes a link to a table. paired: how many rounds are paired.
    """
    results = table(
        "results", _("Results of all rounds (CSV)"), _("Every game, with corrections for rating.")
    )
    byes = table("byes", _("Byes (CSV)"), _("Of all rounds, also those asked for in rounds to come."))
    forbidden = table("forbidden-pairs", _("Forbidden pairs (CSV)"), _("Players who must not meet."))
    check_in = table("check-in", _("Check-in (CSV)"), _("Who is here for the next round."))
    return [
        *([results] if paired else []),
        byes,
        *([forbidden] if section.forbidden_pairs.exists() else []),
        *([check_in] if paired < section.rounds and not section.fixed_rounds else []),
    ]


def tables_of_the_end(section: Section, table: Callable[[str, str, str], Document] | None) -> list[Document]:
    """Return what is made from the results of the rounds. table: makes a link to a table; None before round 1."""
    if table is None:
        return []
    return [
        Document(
            _("Rating changes"),
            _("An estimate for each player, with K and the expected score."),
            section_url("rating-changes", section),
        ),
        Document(
            _("Title norms"),
            _("How far the players are from norms. A help, not a decision."),
            section_url("norms", section),
        ),
        table("statistics", _("Results by round (CSV)"), _("Wins, draws, forfeits and byes of each round.")),
        table(
            "rating-differences",
            _("Results by rating difference (CSV)"),
            _("What the higher rated player scored, beside what was expected."),
        ),
        table("federations", _("Federations and titles (CSV)"), _("Players and average ratings.")),
    ]
