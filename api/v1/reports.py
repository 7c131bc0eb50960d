"""Files of a section: lists as CSV and XLSX, report files, the archive, the copy. They have personal data."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from tempfile import TemporaryFile
from typing import IO, Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers

from evenboard_engine.trf import FORMATS
from tournaments.actions.fairness import pair_otherwise
from tournaments.actions.stored_copies import note_archive
from tournaments.errors import DomainError
from tournaments.files.archives import write_archive, write_event_archive
from tournaments.files.copy_writing import copy_file
from tournaments.files.report_writing import (
    older_report,
    period_report,
    refuse_unfinished_report,
    tournament_report,
)
from tournaments.models import Round, Scope
from tournaments.queries.field import load_field
from tournaments.rights import Right
from web.files import TABLES, file_name, file_response, table_response
from web.views.staff.reports import LISTS, SECONDS, SMALL, is_over, sent_archive
from web.words.log_sentences import sentence_of
from web.words.reports import lost_sentences

from .bodies import BodySerializer
from .operations import ARCHIVE, COPIES, reads
from .problems import Problem
from .shapes import ListShape
from .view import View

TEXT = "text/plain; charset=utf-8"
READ = Scope.ENTRIES_READ


class TableQuery(BodySerializer):
    kind = serializers.ChoiceField(choices=[*TABLES], required=False, default="csv")


class ReportFileQuery(BodySerializer):
    """rating: the final report for the federation. period: of this rating period alone, with `rating`. unfinished: the
    report for rating although rounds are left.
    """

    rating = serializers.BooleanField(required=False, default=False)
    period = serializers.IntegerField(required=False, min_value=1, max_value=1_000)
    unfinished = serializers.BooleanField(required=False, default=False)


class LostShape(ListShape):
    """What the older format cannot hold, in sentences."""

    results = serializers.ListField(child=serializers.CharField())


class TableView(View):
    @reads(
        "Save a list as CSV or XLSX",
        READ,
        query=TableQuery,
        files=("text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    )
    def get(self) -> Any:
        name = self.kwargs["table"]
        if name not in LISTS:
            raise Http404
        if name == "entries" and not self.enters:
            raise PermissionDenied
        try:
            return table_response(
                lambda write: LISTS[name](self.section, write=write),
                file_name(self.section, f"-{name}"),
                self.asked["kind"],
            )
        except Round.DoesNotExist as error:
            raise Http404 from error


class ReportView(View):
    @reads(
        "Save the report file (TRF26), of now or for rating",
        READ,
        query=ReportFileQuery,
        files=("text/plain",),
        apart=True,
    )
    def get(self) -> Any:
        section, rating = self.section, self.asked["rating"]
        if rating and "period" in self.asked:
            period = self.asked["period"]
            return file_response(
                period_report(section, period), file_name(section, f"-rating-{period}.trf"), TEXT
            )
        if rating:
            refuse_unfinished_report(load_field(section))
            if not (is_over(section) or self.asked["unfinished"]):
                raise Problem(
                    422,
                    "rounds_left",
                    _(
                        "Some rounds have not been played. If the section ends now anyway, send unfinished=true."
                    ),
                )
        if not section.fixed_rounds and section.participants.count() <= SMALL:
            pair_otherwise(load_field(section), seconds=SECONDS)
        ending = "-rating.trf" if rating else ".trf"
        return file_response(tournament_report(section, for_rating=rating), file_name(section, ending), TEXT)


class OlderReportView(View):
    @reads("Save the report file in an older format, 16 or 06", READ, files=("text/plain",))
    def get(self) -> Any:
        content, _lost = older_report(self.section, known_format(self.kwargs["trf"]))
        return file_response(content, file_name(self.section, f"-trf{self.kwargs['trf']}.trf"), TEXT)


class LostView(View):
    @reads("Read what an older format of the report file cannot hold", answer=LostShape)
    def get(self) -> Any:
        _content, lost = older_report(self.section, known_format(self.kwargs["trf"]))
        return LostShape({"results": [str(sentence) for sentence in lost_sentences(lost)]}).data


def known_format(edition: str) -> str:
    if edition not in FORMATS:
        raise Http404
    return edition


class OfArchive(View):
    def noted(self, write: Callable[[IO[bytes], Callable[..., str]], None], subject: str) -> IO[bytes]:
        """Return an archive as a file on the disk, and note in the log that it was taken."""
        file = TemporaryFile()  # noqa: SIM115 - a large one is sent later, and closed then
        try:
            write(file, sentence_of)
            note_archive(actor=self.actor, event_id=self.event.pk, subject=subject)
        except DomainError:
            file.close()
            raise
        return file


class ArchiveView(OfArchive):
    @reads(
        "Save everything about a section as a ZIP file. The log notes it",
        READ,
        COPIES,
        files=("application/zip",),
        apart=True,
    )
    def get(self) -> Any:
        section = self.section
        file = self.noted(partial(write_archive, section), section.name)
        return sent_archive(file, file_name(section, ".zip"))


class EventArchiveView(OfArchive):
    @reads(
        "Save the archives of all sections of an event as a ZIP file. The log notes it",
        READ,
        ARCHIVE,
        files=("application/zip",),
        apart=True,
    )
    def get(self) -> Any:
        event = self.event
        people = Right.MANAGE in self.held and Scope.PEOPLE_READ in self.token.scopes
        write = partial(write_event_archive, event, whole_copy=people)
        return sent_archive(self.noted(write, event.name), f"{event.slug}.zip")


class CopyView(View):
    @reads(
        "Save the whole section with its log, as Evenboard can load it again",
        READ,
        COPIES,
        files=("application/gzip",),
    )
    def get(self) -> Any:
        data = copy_file(self.section, compressed=True)
        name = file_name(self.section, f"-rev{self.section.revision:05}.json.gz")
        return file_response(data, name, "application/gzip")
