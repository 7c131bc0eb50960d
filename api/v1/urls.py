"""Addresses of version 1 of the API: /api/v1/... Below public/ is what everybody may read, without a token."""

from __future__ import annotations

from django.conf import settings
from django.urls import path
from django.utils.module_loading import import_string

from . import entries, events, rounds, sections, states
from .public import public_operations
from .reference import openapi, reference
from .urls_arbiter import arbiter_operations
from .urls_files import file_operations
from .urls_organiser import organiser_operations

EVENT = "events/<int:event>/"
SECTION = "sections/<int:section>/"
ENTRY = "entries/<int:entry>/"
ROUND = f"{SECTION}rounds/<int:number>/"

app_name = "v1"
operations = [
    path("token/", events.TokenView.as_view(), name="token"),
    path("events/", events.EventsView.as_view(), name="events"),
    path(EVENT, events.EventView.as_view(), name="event"),
    path(f"{EVENT}sections/", events.SectionsView.as_view(), name="sections"),
    path(SECTION, sections.SectionView.as_view(), name="section"),
    path(f"{SECTION}initial-colour/", sections.ColourView.as_view(), name="initial-colour"),
    path(f"{SECTION}state/", states.StateView.as_view(), name="state"),
    path(f"{SECTION}closing/", states.ClosingView.as_view(), name="closing"),
    path(f"{SECTION}close/", sections.CloseView.as_view(), name="close"),
    path(f"{SECTION}reopen/", sections.ReopenView.as_view(), name="reopen"),
    path(f"{SECTION}check-in/", sections.CheckInView.as_view(), name="check-in"),
    path(f"{SECTION}undo/", sections.UndoView.as_view(), name="undo"),
    path(f"{SECTION}log/", sections.LogView.as_view(), name="log"),
    path(f"{SECTION}log/check/", states.SealsView.as_view(), name="log-check"),
    path(f"{SECTION}fairness/", states.FairnessView.as_view(), name="fairness"),
    path(f"{SECTION}standings/", sections.StandingsView.as_view(), name="standings"),
    path(f"{SECTION}list/", sections.ListView.as_view(), name="list"),
    path(f"{SECTION}entries/", entries.EntriesView.as_view(), name="entries"),
    path(f"{SECTION}byes/", entries.ByesView.as_view(), name="byes"),
    path(ENTRY, entries.EntryView.as_view(), name="entry"),
    path(f"{ENTRY}section/", entries.EntrySectionView.as_view(), name="entry-section"),
    path(f"{ENTRY}points/", entries.PointsView.as_view(), name="entry-points"),
    path(f"{ENTRY}withdraw/", entries.WithdrawView.as_view(), name="withdraw"),
    path(f"{ENTRY}readmit/", entries.ReadmitView.as_view(), name="readmit"),
    path(f"{ENTRY}presence/", entries.PresenceView.as_view(), name="presence"),
    path(f"{ENTRY}byes/", entries.EntryByesView.as_view(), name="entry-byes"),
    path("byes/<int:bye>/", entries.ByeView.as_view(), name="bye"),
    path(f"{SECTION}rounds/", rounds.RoundsView.as_view(), name="rounds"),
    path(ROUND, rounds.RoundView.as_view(), name="round"),
    path(f"{ROUND}explained/", states.ExplainedView.as_view(), name="explained"),
    path(f"{ROUND}publish/", rounds.PublishView.as_view(), name="publish"),
    path(f"{ROUND}unpublish/", rounds.UnpublishView.as_view(), name="unpublish"),
    path(f"{SECTION}games/", rounds.GamesView.as_view(), name="games"),
    path("games/<int:game>/", rounds.GameView.as_view(), name="game"),
    path("games/<int:game>/result/", rounds.ResultView.as_view(), name="result"),
    *arbiter_operations,
    *organiser_operations,
    *file_operations,
    *(each for name in settings.API_OPERATIONS for each in import_string(name)),
]
for_everybody = [
    *public_operations,
    *(each for name in settings.API_PUBLIC_OPERATIONS for each in import_string(name)),
]
urlpatterns = [
    *operations,
    *for_everybody,
    path("", reference, name="reference"),
    path("openapi.json", openapi, name="openapi"),
]
