"""The page Documents: links to papers and files."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models.functions import Length
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from evenboard_engine import Result
from evenboard_engine.trf import FORMATS, NAME_COLUMNS
from tournaments.actions.other_pairings import pair_otherwise
from tournaments.errors import DomainError
from tournaments.exports import end_csv, games_csv, lists_csv
from tournaments.exports.period_report import period_report
from tournaments.exports.receipts_csv import receipts_csv
from tournaments.exports.report_trf import refuse_unfinished, tournament_report
from tournaments.exports.table_files import Write
from tournaments.models import Game, Round, Section
from tournaments.queries.all_rounds import has_all_rounds
from tournaments.queries.aro_list import aro_list
from tournaments.queries.cockpit_matters import rating_notices
from tournaments.queries.current import current_of, unfinished_rounds
from tournaments.queries.field import SectionField, load_field
from tournaments.queries.other_pairings import Beside, beside
from tournaments.queries.published import shows_table
from tournaments.queries.rating_lists import used_lists_of_event
from tournaments.rights import Right
from web.context import section_context, section_url
from web.downloads import download, file_name, table_download
from web.languages import paper_language
from web.matters import matter_words
from web.requests import PersonRequest
from web.words.dates import dates_differ
from web.words.rating_lists import origin_of
from web.words.refusals import explain

from .access import ENTRIES, may_not, section_page
from .compare import MOST_PLAYERS
from .document_links import Document, copies_of, papers_of, tables_of_rounds, tables_of_the_end

SMALL = 100
"""Players. The rounds of a section of this size are set beside other pairings before its report is written."""
SECONDS = 3.0
"""For this, in all: what is not worked out then is missing from the report."""


def _latest_pairings(section: Section, *, write: Write) -> bytes:
    """Return the latest round by board, also a draft. Raises Round.DoesNotExist."""
    rounds = list(section.played_rounds.order_by("number"))
    latest = current_of(section, rounds, unfinished_rounds(section) if section.fixed_rounds else ())
    if latest is None:
        raise Round.DoesNotExist("no round has been paired yet")
    return lists_csv.pairings_csv(section, latest.number, include_drafts=True, write=write)


LISTS: dict[str, Callable[..., bytes]] = {
    "entries": lists_csv.entries_csv,
    "standings": lists_csv.standings_csv,
    "crosstable": lists_csv.crosstable_csv,
    "aro": lambda section, *, write: lists_csv.aro_csv(aro_list(section), write=write),
    "pairings": _latest_pairings,
    "results": games_csv.games_csv,
    "byes": games_csv.byes_csv,
    "forbidden-pairs": games_csv.forbidden_pairs_csv,
    "check-in": games_csv.check_in_csv,
    "prizes": lists_csv.prizes_csv,
    "receipts": receipts_csv,
    "rating-changes": end_csv.rating_changes_csv,
    "norms": end_csv.norms_csv,
    "statistics": end_csv.statistics_csv,
    "rating-differences": end_csv.differences_csv,
    "federations": end_csv.federations_csv,
    "all-rounds": lambda section, *, write: lists_csv.all_rounds_csv(
        section, include_drafts=True, write=write
    ),
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
        "papers": papers_of(section, paper, latest=latest, is_published=is_published),
        "files": _files(
            section,
            paired=latest.number if latest else 0,
            is_published=is_published,
            copies=Right.COPIES in request.rights,
            enters=Right.ENTRIES in request.rights,
        ),
    }
    return render(request, "staff/documents.html", context)


def _undated(section: Section, paired: int) -> int:
    """Return how many of the paired rounds have no date."""
    return sum(section.start_of(number) is None for number in range(1, paired + 1))


def _files(
    section: Section, *, paired: int, is_published: bool, copies: bool, enters: bool
) -> list[Document]:
    """paired: how many rounds are. copies: whether the person may have files with everything about the players.
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
    of_round = [table("pairings", _("Pairings (CSV)"), _("The latest round by board."))] if paired else []
    plan = [table("all-rounds", _("All rounds (CSV)"), _("Every game of every round."))]
    aro = [table("aro", _("ARO list (CSV)"), _("Points, games, ARO and colours."))]
    return [
        Document(
            _("Report file (TRF)"),
            _("The section as it is now, for other programs: players, rounds, results, byes."),
            report,
            download=True,
        ),
        Document(
            _("Report for rating (TRF)"),
            _(
                "For the federation, when all games are over. Its points include games that do not count for the "
                "standings because a player left too early."
            )
            if section.fixed_rounds
            else _("For the federation, when all games are over."),
            f"{report}?for=rating"
            if final and not asks_first and not section.rating_periods
            else section_url("rating-report", section),
            download=final and not asks_first,
        ),
        *(
            Document(
                _("Report file in %(format)s") % {"format": f"TRF{edition}"},
                _("For older programs. A page says first what the format cannot hold."),
                section_url("older-format", section, trf=edition),
            )
            for edition in FORMATS
        ),
        *(copies_of(section) if copies else []),
        *tables_of_the_end(section, table if paired else None),
        *(
            [table("entries", _("Entries (CSV)"), _("For a spreadsheet. Evenboard can import it again."))]
            if enters
            else []
        ),
        *of_round,
        *tables_of_rounds(section, table, paired=paired),
        *(plan if has_all_rounds(section) else []),
        table("standings", _("Standings (CSV)"), _("For a web site or a bulletin.")),
        table("crosstable", _("Crosstable (CSV)"), _("Every result of every player.")),
        *(
            [
                Document(
                    _("Published standings (CSV)"),
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
                    _("Fairness (CSV)"),
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
        *(
            [
                table("prizes", _("Prize list (CSV)"), _("Who wins what, for a spreadsheet.")),
                table("receipts", _("Receipt list (CSV)"), _("The sum of each winner.")),
            ]
            if section.prizes
            else []
        ),
    ]


def _cuts_a_name(section: Section) -> bool:
    """Return whether a name is too long for the report. Then its page says so before the file is made."""
    names = section.participants.annotate(length=Length("player__name"))
    return names.filter(length__gt=NAME_COLUMNS).exists()


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
    return download(content, name, "text/plain; charset=utf-8")


def _of_period(request: PersonRequest, section: Section, period: int) -> HttpResponse:
    """Send the report of one rating period, or say why there is none."""
    try:
        content = period_report(section, period)
    except DomainError as error:
        messages.warning(request, explain(error))
        return redirect(section_url("rating-report", section))
    name = file_name(section, f"-rating-{period}.trf")
    return download(content, name, "text/plain; charset=utf-8")


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
    context = {
        **section_context(request, section, "documents"),
        "problem": explain(refused) if refused else "",
        "open_round": _round_of(refused) if refused else None,
        "paired": paired,
        "notices": [matter_words(matter, section) for matter in rating_notices(field)],
        "undated": _undated(section, paired),
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
    return render(request, "staff/rating_report.html", context, status=status)


def _beside(field: SectionField) -> Beside | None:
    """Return the rounds beside other pairings if some of them are to be worked out on a page of their own."""
    if not _is_compared(field.section, len(field.participants)):
        return None
    found = beside(field)
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
        refuse_unfinished(field)
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
    try:
        return table_download(
            lambda write: make(section, write=write), file_name(section, f"-{document}"), kind
        )
    except Round.DoesNotExist as error:
        raise Http404 from error
