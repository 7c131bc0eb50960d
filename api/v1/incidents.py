"""Incidents of a section: never public."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from tournaments.actions.incidents import CHANGED, change_incident, note_incident, remove_incident
from tournaments.models import Incident, Scope
from tournaments.models.incidents import MOST_MINUTES
from tournaments.queries.incidents import IncidentRow, incident_list

from .bodies import LARGEST, BodySerializer
from .operations import SEE_RESULTS, TYPE_RESULTS, reads, writes
from .shapes import ROUNDS, Shape
from .view import View


class IncidentChangeBody(BodySerializer):
    """minutes: added to the clock of the player, below 0 if they are lost."""

    kind = serializers.ChoiceField(choices=Incident.Kind.values, required=False)
    minutes = serializers.IntegerField(
        min_value=-MOST_MINUTES, max_value=MOST_MINUTES, allow_null=True, required=False
    )
    note = serializers.CharField(max_length=200, allow_blank=True, required=False)


class IncidentBody(IncidentChangeBody):
    """entry: the player, in a published round."""

    entry = serializers.IntegerField(min_value=1, max_value=LARGEST)
    round = serializers.IntegerField(**ROUNDS)
    kind = serializers.ChoiceField(choices=Incident.Kind.values)


class IncidentShape(Shape):
    """time: 2 for the second incident of this kind by the player in this game."""

    id = serializers.IntegerField(source="incident.pk")
    entry = serializers.IntegerField(source="incident.participant_id")
    round = serializers.IntegerField(source="incident.round_number")
    board = serializers.IntegerField(source="incident.board", allow_null=True)
    kind = serializers.CharField(source="incident.kind")
    time = serializers.IntegerField()
    minutes = serializers.IntegerField(source="incident.minutes", allow_null=True)
    note = serializers.CharField(source="incident.note", allow_blank=True)
    at = serializers.DateTimeField(source="incident.at")


class OfIncidents(View):
    def _row(self, key: int) -> Any:
        return IncidentShape(next(row for row in self._rows() if row.incident.pk == key)).data

    def _rows(self) -> list[IncidentRow]:
        return incident_list(self.section, self.boards)


class IncidentsView(OfIncidents):
    @reads("List the incidents of a section", Scope.ENTRIES_READ, SEE_RESULTS, IncidentShape, many=True)
    def get(self) -> QuerySet[Incident]:
        self.counted = {row.incident.pk: row for row in self._rows()}
        return Incident.objects.filter(pk__in=self.counted)

    def in_list(self, row: Incident) -> Any:
        return IncidentShape(self.counted[row.pk]).data

    @writes("Note an incident", Scope.RESULTS_WRITE, TYPE_RESULTS, IncidentBody, IncidentShape)
    def post(self) -> Any:
        entry, number = self.sent.pop("entry"), self.sent.pop("round")
        about = {"section_id": self.section.pk, "participant_id": entry, "round_number": number}
        return self._row(note_incident(actor=self.actor, **about, **self.sent).pk)


class IncidentView(OfIncidents):
    @writes("Change an incident", Scope.RESULTS_WRITE, TYPE_RESULTS, IncidentChangeBody, IncidentShape)
    def patch(self) -> Any:
        row = self.subject.row
        stands = {name: getattr(row, name) for name in CHANGED}
        change_incident(actor=self.actor, incident_id=row.pk, **{**stands, **self.sent})
        return self._row(row.pk)

    @writes("Remove an incident", Scope.RESULTS_WRITE, TYPE_RESULTS, status=204)
    def delete(self) -> None:
        remove_incident(actor=self.actor, incident_id=self.subject.row.pk)
