"""The page Documents: links to papers and files, report files in each format, the archive, and the end of a section."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import SEEK_END
from tempfile import TemporaryFile
from typing import IO, cast

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models.functions import Length
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from evenboard_engine import Result
from evenboard_engine.trf import FORMATS, NAME_COLUMNS
from tournaments.actions.fairness import pair_otherwise
from tournaments.actions.rounds import note_round_papers
from tournaments.actions.stored_copies import note_archive
from tournaments.errors import DomainError
from tournaments.files import lists, results, statistics
from tournaments.files.archives import write_archive, write_event_archive
from tournaments.files.incidents import incidents_csv
from tournaments.files.lists import receipts_csv
from tournaments.files.report_writing import (
    older_report,
    period_report,
    refuse_unfinished_report,
    tournament_report,
)
from tournaments.files.table_files import Write
from tournaments.models import Event, Game, Round, Section
from tournaments.models.entries import names_for_arbiters
from tournaments.queries.aro_list import aro_list
from tournaments.queries.fairness import OtherPairings, other_pairings_of
from tournaments.queries.field import SectionField, current_round_of, load_field, unfinished_rounds
from tournaments.queries.next_step_checks import rating_advice
from tournaments.queries.published_lists import shows_table
from tournaments.queries.rating_lists import used_lists_of_event
from tournaments.queries.rounds import has_all_rounds
from tournaments.rights import Right
from web.context import section_context, section_url
from web.files import file_name, file_response, table_response
from web.languages import PaperLanguage, paper_language
from web.requests import PersonRequest
from web.views.public.paper import ROUND_PAPERS, fees_seen, round_papers, sheets_context
from web.views.public.public_page import visit_of
from web.views.public.statistics import changes_context, norms_context
from web.words.log_sentences import sentence_of
from web.words.next_step_checks import next_step_words
from web.words.rating_lists import origin_of
from web.words.refusals import explain
from web.words.reports import lost_sentences
from web.words.values import dates_differ

from .access import ARCHIVE, COPIES, ENTRIES, actor_of, event_page, may_not, section_page
from .fairness import MOST_PLAYERS

# The links of the page Documents: sheets of paper, and what is made at the end of a section.


@dataclass(frozen=True, slots=True)
class Document:
    """A paper or a file: what it is called, what it is for. action: the text of its link."""

    label: str
    use: str
    url: str
    action: str = "CSV"
    download: bool = False
    workbook: str = ""
    """The address of the same table as XLSX."""
    pdf: str = ""
    """The address of a paper that opens the dialog in which a browser saves it as a PDF."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When documents are printed. note: what is in the group. open: it is shown, because the moment is now."""

    name: str
    note: str
    documents: list[Document]
    open: bool


Sheet = Callable[[str, str, str], Document]
"""Makes the link to a document on paper: its code, its label, its use."""


def papers_of(
    section: Section, paper: PaperLanguage, *, latest: Round | None, is_published: bool
) -> list[Moment]:
    """Return the documents on paper by the moment at which they are printed."""

    def sheet(document: str, label: str, use: str, **more: object) -> Document:
        url = paper.url(section_url("print", section, document=document, **more))
        return Document(label, use, f"{url}#print", _("Print"), pdf=f"{url}#pdf")

    played = latest is not None and latest.number > (1 if latest.is_draft else 0)
    last = latest is not None and not latest.is_draft and latest.number >= section.rounds
    before = [
        sheet("starting-list", _("Starting list"), _("By pairing number, for the wall.")),
        sheet("cards", _("Place cards"), _("By name, four on a sheet, folded, with the name on both sides.")),
        sheet("wall", _("QR code for the wall"), _("Opens the pairings of this section on a phone.")),
        sheet("wall-event", _("QR code for the wall, whole event"), _("Opens the page of all sections.")),
    ]
    if not section.fixed_rounds and (latest.number if latest else 0) < section.rounds:
        use = _("By name, a box for each player; byes are marked.")
        before.insert(1, sheet("check-in", _("Check-in list"), use))
    if section.rooms:
        before.append(sheet("hall-map", _("Hall map"), _("The rooms and their boards, for the door.")))
    if has_all_rounds(section):
        use = _("Every game of every round, and the rounds of each player.")
        before.insert(0, sheet("all-rounds", _("All rounds"), use))
    end = _of_the_end_on_paper(sheet) if played else []
    if section.prizes:
        end += [
            sheet("prizes", _("Prize list"), _("Who wins what, and how each sum is made.")),
            sheet("receipts", _("Receipt list"), _("The sum of each winner, with a line to sign.")),
        ]
    after = _after_a_round(section, sheet, latest=latest, played=played, is_published=is_published)
    moments = [
        Moment(_("After the round"), _("when its last result is in"), after, open=played and not last),
        Moment(_("Before round 1"), _("lists, cards and QR codes for the hall"), before, open=latest is None),
        Moment(_("After the last round"), _("final report, prizes, rating changes, norms"), end, open=last),
    ]
    return [moment for moment in moments if moment.documents]


def _after_a_round(
    section: Section, sheet: Sheet, *, latest: Round | None, played: bool, is_published: bool
) -> list[Document]:
    found = [sheet("standings", _("Standings"), _("After the latest round."))]
    if is_published:
        use = _("As they were published after the latest round.")
        found.append(sheet("published", _("Published standings"), use))
    if "aro" in section.lists:
        found += [
            sheet("aro", _("ARO list"), _("The basis for pairing the next round.")),
            sheet("aro-names", _("ARO list by name"), _("To find the figures of a player.")),
            sheet("aro-ranks", _("ARO list by rank"), _("By pairing number.")),
        ]
    use = (
        _("Points, colours and opponents of each player.")
        if section.fixed_rounds
        else _("Points, colours, due colour, floats, bye and opponents of each player.")
    )
    found.append(sheet("checklist", _("Checklist for the pairing"), use))
    found.append(sheet("crosstable", _("Crosstable"), _("Every result of every player.")))
    begun = Game.objects.filter(round__section=section).exclude(result="")
    if played and section.tie_break_list and begun.exists():
        use = _("What each round counts for each player.")
        found.append(sheet("sums", _("Tie-breaks as sums"), use))
    if latest and not section.fixed_rounds:
        use = _("How equal the opposition was in each round.")
        found.append(sheet("fairness", _("Fairness of the pairings"), use))
    return found


def _of_the_end_on_paper(sheet: Sheet) -> list[Document]:
    return [
        sheet(
            "final-report",
            _("Final report"),
            _("The section on paper: standings, statistics, departures from the rules."),
        ),
        sheet("statistics", _("Statistics"), _("Players, results by round and by rating difference.")),
        sheet("rating-changes", _("Rating changes"), _("An estimate for each player.")),
        sheet(
            "certificates",
            _("Certificates of title norms (IT1)"),
            _("For FIDE, signed by the chief arbiter."),
        ),
        sheet("norms", _("Title norms"), _("How far the players are from norms. A help, not a decision.")),
    ]


def copies_of(section: Section) -> list[Document]:
    """Return the files with everything about a section, for those who may have copies."""
    return [
        Document(
            _("Archive"),
            _("All lists, rounds and reports in formats that last, with a copy of the section."),
            section_url("archive", section),
            "ZIP",
            download=True,
        ),
        Document(
            _("Copy of the section"),
            _("The whole section with its log. Evenboard can load it again."),
            section_url("copy-now", section),
            _("Download"),
            download=True,
        ),
    ]


def tables_of_rounds(
    section: Section, table: Callable[[str, str, str], Document], *, paired: int
) -> list[Document]:
    """Return the tables of all rounds, and of the check-in for the next one.

    table: makes a link to a table. paired: how many rounds are paired.
    """
    results = table("results", _("Results of all rounds"), _("Every game, with corrections for rating."))
    byes = table("byes", _("Byes"), _("Of all rounds, also those asked for in rounds to come."))
    forbidden = table("forbidden-pairs", _("Forbidden pairs"), _("Players who must not meet."))
    check_in = table("check-in", _("Check-in"), _("Who is here for the next round."))
    return [
        *([results] if paired else []),
        byes,
        *([forbidden] if section.apart_rules or section.forbidden_pairs.exists() else []),
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
            _("Show"),
        ),
        Document(
            _("Title norms"),
            _("How far the players are from norms. A help, not a decision."),
            section_url("norms", section),
            _("Show"),
        ),
        table("certificates", _("Certificates of title norms (IT1)"), _("The data of the form IT1.")),
        table("statistics", _("Results by round"), _("Wins, draws, forfeits and byes of each round.")),
        table(
            "rating-differences",
            _("Results by rating difference"),
            _("What the higher rated player scored, beside what was expected."),
        ),
        table("federations", _("Federations and titles"), _("Players and average ratings.")),
    ]


# The page Documents: links to papers and files.

SMALL = 100
"""Players. The rounds of a section of this size are set beside other pairings before its report is written."""
SECONDS = 3.0
"""For this, in all: what is not worked out then is missing from the report."""


def _latest_pairings(section: Section, *, write: Write) -> bytes:
    """Return the latest round by board, also a draft. Raises Round.DoesNotExist."""
    rounds = list(section.played_rounds.order_by("number"))
    latest = current_round_of(section, rounds, unfinished_rounds(section) if section.fixed_rounds else ())
    if latest is None:
        raise Round.DoesNotExist("no round has been paired yet")
    return lists.pairings_csv(section, latest.number, include_drafts=True, write=write)


LISTS: dict[str, Callable[..., bytes]] = {
    "entries": lists.entries_csv,
    "standings": lists.standings_csv,
    "crosstable": lists.crosstable_csv,
    "aro": lambda section, *, write: lists.aro_csv(aro_list(section), write=write),
    "checklist": lists.checklist_csv,
    "pairings": _latest_pairings,
    "results": results.games_csv,
    "byes": results.byes_csv,
    "forbidden-pairs": results.forbidden_pairs_csv,
    "check-in": results.check_in_csv,
    "incidents": incidents_csv,
    "prizes": lists.prizes_csv,
    "receipts": receipts_csv,
    "rating-changes": statistics.rating_changes_csv,
    "norms": statistics.norms_csv,
    "certificates": statistics.certificates_csv,
    "statistics": statistics.statistics_csv,
    "rating-differences": statistics.differences_csv,
    "federations": statistics.federations_csv,
    "all-rounds": lambda section, *, write: lists.all_rounds_csv(section, include_drafts=True, write=write),
}


@section_page("GET", "HEAD")
def documents(request: PersonRequest, section: Section) -> HttpResponse:
    context = section_context(request, section, "documents")
    latest = context["latest_round"]
    context["undated"] = _undated(section, latest.number if latest else 0)
    context["dates"] = dates_differ(section.event, section.round_days)
    context["manages"] = request.user.has_perm("tournaments.manage_event", section.event)
    paper = paper_language(request)
    is_published = shows_table(section)
    context |= {
        "paper": paper,
        "round_paper": latest and paper.url(section_url("round-paper", section, number=latest.number)),
        "round_papers": round_papers(section, latest.number) if latest else (),
        "wall": paper.url(section_url("print", section, document="wall")),
        "screens": section.event.screens.filter(section=section),
        "moments": papers_of(section, paper, latest=latest, is_published=is_published),
        "files": _files(
            section,
            paired=latest.number if latest else 0,
            is_published=is_published,
            copies=Right.COPIES in request.rights,
            enters=Right.ENTRIES in request.rights,
        ),
    }
    return render(request, "staff/reports_documents.html", context)


def _undated(section: Section, paired: int) -> int:
    """Return how many of the paired rounds have no date."""
    return sum(section.start_of(number) is None for number in range(1, paired + 1))


def _files(
    section: Section, *, paired: int, is_published: bool, copies: bool, enters: bool
) -> list[tuple[str, list[Document]]]:
    """Return the files in groups by use.

    paired: how many rounds are. copies: whether the person may have files with everything about the players.
    enters: whether the person may see birth dates and notes.
    """

    def table(document: str, label: str, use: str) -> Document:
        return Document(
            label,
            use,
            section_url("csv", section, document=document),
            download=True,
            workbook=section_url("xlsx", section, document=document),
        )

    report = section_url("report", section)
    open_games = Game.objects.filter(round__section=section, result__in=("", Result.ADJOURNED))
    final = is_over(section) and not open_games.exists()
    asks_first = final and (_is_compared(section, section.participants.count()) or _cuts_a_name(section))
    of_round = [table("pairings", _("Pairings"), _("The latest round by board."))] if paired else []
    plan = [table("all-rounds", _("All rounds"), _("Every game of every round."))]
    aro = [table("aro", _("ARO list"), _("Points, games, ARO and colours."))]
    programs = [
        Document(
            _("Report file"),
            _("The section as it is now, for other programs: players, rounds, results, byes."),
            report,
            "TRF",
            download=True,
        ),
        *(
            Document(
                _("Report file in %(format)s") % {"format": f"TRF{edition}"},
                _("For older programs. A page says first what the format cannot hold."),
                section_url("older-format", section, trf=edition),
                f"TRF{edition}",
            )
            for edition in FORMATS
        ),
        *(copies_of(section) if copies else []),
    ]
    federation = [
        Document(
            _("Report for rating"),
            _(
                "For the federation, when all games are over. The points in the file include games that do not "
                "count for the standings because a player left too early."
            )
            if section.fixed_rounds
            else _("For the federation, when all games are over."),
            f"{report}?for=rating"
            if final and not asks_first and not section.rating_periods
            else section_url("rating-report", section),
            "TRF",
            download=final and not asks_first,
        ),
        *tables_of_the_end(section, table if paired else None),
    ]
    players = [
        *(
            [table("entries", _("Entries"), _("For a spreadsheet. Evenboard can import it again."))]
            if enters
            else []
        ),
        *of_round,
        *tables_of_rounds(section, table, paired=paired),
        *(plan if has_all_rounds(section) else []),
        table("standings", _("Standings"), _("For a web site or a bulletin.")),
        table("crosstable", _("Crosstable"), _("Every result of every player.")),
        *(
            [
                Document(
                    _("Published standings"),
                    _("As they were published after the latest round."),
                    section_url("list-csv", section, document="published"),
                    download=True,
                    workbook=section_url("list-xlsx", section, document="published"),
                )
            ]
            if is_published
            else []
        ),
        *(
            [
                Document(
                    _("Fairness"),
                    _("How equal the opponents were, by round and score group."),
                    section_url("list-csv", section, document="fairness"),
                    download=True,
                    workbook=section_url("list-xlsx", section, document="fairness"),
                )
            ]
            if paired and not section.fixed_rounds
            else []
        ),
        *(aro if "aro" in section.lists else []),
        Document(
            _("Checklist"),
            _("What the pairing of the next round looks at, also as CSV and XLSX."),
            section_url("checklist", section),
            _("Show"),
        ),
        *(
            [
                table("prizes", _("Prize list"), _("Who wins what, for a spreadsheet.")),
                table("receipts", _("Receipt list"), _("The sum of each winner.")),
            ]
            if section.prizes
            else []
        ),
    ]
    return [
        (_("Lists of players, rounds and standings"), players),
        (_("For the federation"), federation),
        (_("For other programs, and to keep"), programs),
    ]


def _cuts_a_name(section: Section) -> bool:
    """Return whether a name is too long for the report. Then its page says so before the file is made."""
    names = section.participants.annotate(length=Length("player__name"))
    return names.filter(length__gt=NAME_COLUMNS).exists()


@section_page("GET", "HEAD")
def round_paper(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """Show the chosen papers of a round as one document. Without a choice: by board, by name, and the slips.

    ?boards=on takes a paper, ?boards-size=large takes it in large type, ?boards-size=a3 on A3. The section keeps
    the choice.
    """
    if not section.played_rounds.filter(number=number).exists():
        raise Http404
    visit = visit_of(request, section.event.slug, section.slug)
    sizes = {
        name: request.GET.get(f"{name}-size", "") for name in ROUND_PAPERS if request.GET.get(name) == "on"
    }
    if sizes:
        note_round_papers(section, sizes)
    sheets: list[str] = []
    with names_for_arbiters():
        for name in sizes or ROUND_PAPERS[:3]:
            large = name in ("boards", "names") and sizes.get(name) in ("large", "a3")
            document = f"{name}-large" if large else name
            context = {
                **sheets_context(request, visit, document, number),
                "frame": "print/sheets.html",
                "under": bool(sheets),
            }
            sheets.append(render_to_string(f"print/{document}.html", context, request))
    about = {"round": {"number": number}, "section": section, "event": section.event, "sheets": sheets}
    return render(request, "print/round.html", about)


@section_page("GET", "HEAD")
def report(request: PersonRequest, section: Section) -> HttpResponse:
    """Send the report file, or with ?for=rating the report for rating.

    While a game is open, the report for rating is refused. While rounds are left, a page says so, and only
    ?unfinished=yes sends the report.
    """
    for_rating = request.GET.get("for") == "rating"
    period = request.GET.get("period", "")
    if for_rating and period.isdecimal():
        return _of_period(request, section, int(period[:4]))
    if for_rating:
        field = load_field(section)
        refused = _refused_for_rating(field)
        if refused or not (is_over(section) or request.GET.get("unfinished") == "yes"):
            return _rating_page(request, field, refused)
    if not section.fixed_rounds and section.participants.count() <= SMALL:
        pair_otherwise(load_field(section), seconds=SECONDS)
    content = tournament_report(section, for_rating=for_rating)
    name = file_name(section, "-rating.trf" if for_rating else ".trf")
    return file_response(content, name, "text/plain; charset=utf-8")


def _of_period(request: PersonRequest, section: Section, period: int) -> HttpResponse:
    """Send the report of one rating period, or say why there is none."""
    try:
        content = period_report(section, period)
    except DomainError as error:
        messages.warning(request, explain(error))
        return redirect(section_url("rating-report", section))
    name = file_name(section, f"-rating-{period}.trf")
    return file_response(content, name, "text/plain; charset=utf-8")


@section_page("GET", "HEAD")
def rating_report(request: PersonRequest, section: Section) -> HttpResponse:
    """Show what the report for rating still needs, with a link to the file if it can be made."""
    field = load_field(section)
    return _rating_page(request, field, _refused_for_rating(field), status=200)


def _rating_page(
    request: PersonRequest, field: SectionField, refused: DomainError | None, status: int | None = None
) -> HttpResponse:
    section = field.section
    paired = _published(section)
    notices = [next_step_words(matter, section) for matter in rating_advice(field)]
    undated = _undated(section, paired)
    context = {
        **section_context(request, section, "documents"),
        "problem": explain(refused) if refused else "",
        "open_round": _round_of(refused) if refused else None,
        "paired": paired,
        "notices": notices,
        "undated": undated,
        "fills_in": Right.ENTRIES in request.rights and not section.is_closed,
        "lacks": undated or any(notice.to_fill_in for notice in notices),
        "over": is_over(section),
        "dates": dates_differ(section.event, section.round_days),
        "manages": request.user.has_perm("tournaments.manage_event", section.event),
        "beside": _beside(field),
        "lists": [
            (label, count, origin_of(listing))
            for label, count, listing in used_lists_of_event(section, field.participants.values())
        ],
    }
    status = status or (refused.status if refused else 200)
    return render(request, "staff/reports_for_rating.html", context, status=status)


def _beside(field: SectionField) -> OtherPairings | None:
    """Return the rounds beside other pairings if some of them are to be worked out on a page of their own."""
    if not _is_compared(field.section, len(field.participants)):
        return None
    found = other_pairings_of(field)
    return found if found.missing else None


def _is_compared(section: Section, players: int) -> bool:
    """Return whether the rounds of a section are set beside other pairings on a page of their own, not at once."""
    return not section.fixed_rounds and SMALL < players <= MOST_PLAYERS


def _round_of(refused: DomainError) -> int:
    """Return the round of the first game without a result."""
    params = refused.params
    number: int = params["round"] if "round" in params else params["games"][0][0]
    return number


def _refused_for_rating(field: SectionField) -> DomainError | None:
    try:
        refuse_unfinished_report(field)
    except DomainError as error:
        return error
    return None


def _published(section: Section) -> int:
    return section.played_rounds.exclude(state=Round.State.DRAFT).count()


def is_over(section: Section) -> bool:
    """Return whether no round is left to be played. Results may still be missing."""
    return section.is_closed or _published(section) >= section.rounds


@section_page("GET", "HEAD")
def export(request: PersonRequest, section: Section, document: str, kind: str = "csv") -> HttpResponse:
    make = LISTS.get(document)
    if make is None:
        raise Http404
    if document == "entries" and Right.ENTRIES not in request.rights:  # birth dates and notes
        raise PermissionDenied(may_not(ENTRIES))
    fees = {"fees": fees_seen(request, section)} if document == "check-in" else {}
    try:
        return table_response(
            lambda write: make(section, write=write, **fees), file_name(section, f"-{document}"), kind
        )
    except Round.DoesNotExist as error:
        raise Http404 from error


# Files that last: the report file in older formats, with a page that says what is lost, and the archive.

IN_MEMORY = 4 * 1024**2
"""Bytes. A larger archive is sent from the disk, part by part."""


@section_page("GET", "HEAD")
def older_format(request: PersonRequest, section: Section, trf: str) -> HttpResponse:
    """Show what the format cannot hold. With ?file=yes, send the file."""
    if trf not in FORMATS:
        raise Http404
    content, lost = older_report(section, trf)
    if request.GET.get("file") == "yes":
        return file_response(content, file_name(section, f"-trf{trf}.trf"), "text/plain; charset=utf-8")
    context = {
        **section_context(request, section, "documents"),
        "format": f"TRF{trf}",
        "trf": trf,
        "lost": lost_sentences(lost),
    }
    return render(request, "staff/reports_older_format.html", context)


@section_page("GET", "HEAD", permission=COPIES)
def archive(request: PersonRequest, section: Section) -> HttpResponse:
    """Send everything about the section as one file. The log notes it."""
    made = _written(lambda file: write_archive(section, file, sentence_of))
    if isinstance(made, DomainError):
        messages.warning(request, explain(made))
        return redirect(section_url("documents", section))
    note_archive(actor=actor_of(request), event_id=section.event_id, subject=section.name)
    return sent_archive(made, file_name(section, ".zip"))


@event_page("GET", "HEAD", permission=ARCHIVE)
def event_archive(request: PersonRequest, event: Event) -> HttpResponse:
    """Send the archives of all sections of the event, and its registrations, as one file. The log notes it."""
    sees, manages = Right.SEE_REGISTRATIONS in request.rights, Right.MANAGE in request.rights
    made = _written(
        lambda file: write_event_archive(event, file, sentence_of, registrations=sees, whole_copy=manages)
    )
    if isinstance(made, DomainError):
        messages.warning(request, explain(made))
        return redirect("tournaments:event", event.slug)
    note_archive(actor=actor_of(request), event_id=event.pk, subject=event.name)
    return sent_archive(made, f"{event.slug}.zip")


def _written(write: Callable[[IO[bytes]], None]) -> IO[bytes] | DomainError:
    """Return the archive as a file on the disk, or why there is none."""
    file = TemporaryFile()  # noqa: SIM115 - a large one is sent later, and closed then
    try:
        write(file)
    except DomainError as error:
        file.close()
        return error
    return file


def sent_archive(file: IO[bytes], name: str) -> HttpResponse:
    """Answer with an archive, and close its file. A large one is sent from the disk, part by part."""
    is_small = file.seek(0, SEEK_END) <= IN_MEMORY
    file.seek(0)
    if is_small:
        with file:
            return file_response(file.read(), name, "application/zip")
    answer = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    return cast("HttpResponse", answer)  # views answer with HttpResponse; a file is a sister of it


# Pages for arbiters at the end of a section: estimated rating changes, and how far players are from title
# norms.


@section_page("GET", "HEAD")
def rating_changes(request: PersonRequest, section: Section) -> HttpResponse:
    context = section_context(request, section, "documents") | changes_context(section)
    return render(request, "staff/statistics_rating_changes.html", context)


@section_page("GET", "HEAD")
def norms(request: PersonRequest, section: Section) -> HttpResponse:
    context = section_context(request, section, "documents") | norms_context(section)
    return render(request, "staff/statistics_norms.html", context)
