"""Addresses of version 1 of the API: /api/v1/... Below public/ is what everybody may read, without a token."""

from __future__ import annotations

from django.conf import settings
from django.urls import path
from django.utils.module_loading import import_string

from . import (
    by_hand,
    cockpit,
    entries,
    entry_lists,
    events,
    forbidden_pairs,
    hall,
    incidents,
    people,
    prizes,
    programs,
    rating_lists,
    reports,
    results,
    rounds,
    sections,
)
from .public import public_operations
from .reference import openapi, reference

# Addresses for what an arbiter does besides pairing the next round and typing results.

EVENT = "events/<int:event>/"
SECTION = "sections/<int:section>/"
ENTRY = "entries/<int:entry>/"
GAME = "games/<int:game>/"
ROUNDS = f"{SECTION}rounds/"
ONE_ROUND = f"{ROUNDS}<int:number>/"

of_results = [
    path(f"{ONE_ROUND}results/", results.RoundResultsView.as_view(), name="round-results"),
    path(f"{GAME}second-reading/", results.ReadingView.as_view(), name="second-reading"),
    path(f"{GAME}over/", results.OverView.as_view(), name="over"),
    path(f"{GAME}player-link/", results.PlayerLinkView.as_view(), name="player-link"),
    path(f"{GAME}absent/", results.AbsentView.as_view(), name="absent"),
    path(f"{GAME}correction/", results.CorrectionView.as_view(), name="correction"),
]
of_pairing = [
    path(f"{ROUNDS}all/", rounds.PairAllView.as_view(), name="pair-all"),
    path(f"{ROUNDS}ahead/", cockpit.AheadView.as_view(), name="pair-ahead"),
    path(f"{ROUNDS}all/publish/", rounds.PublishAllView.as_view(), name="publish-all"),
    path(f"{ONE_ROUND}pair-again/", rounds.PairAgainView.as_view(), name="pair-again"),
    path(f"{ONE_ROUND}pair-without/", rounds.PairWithoutView.as_view(), name="pair-without"),
    path(f"{ONE_ROUND}check/", rounds.CheckView.as_view(), name="check"),
    path(f"{ONE_ROUND}lists/", rounds.PublishListView.as_view(), name="publish-lists"),
    path(f"{SECTION}lots/", rounds.LotsView.as_view(), name="lots"),
    path(f"{SECTION}equal-ratings/", rounds.EqualsView.as_view(), name="equal-ratings"),
    path(f"{SECTION}by-hand/", by_hand.StartView.as_view(), name="start-by-hand"),
    path(f"{SECTION}offer/", by_hand.OfferView.as_view(), name="offer"),
    path(f"{ONE_ROUND}by-hand/", by_hand.HandView.as_view(), name="by-hand"),
    path(f"{ONE_ROUND}by-hand/begin/", by_hand.BeginView.as_view(), name="begin-by-hand"),
    path(f"{ONE_ROUND}by-hand/end/", by_hand.EndView.as_view(), name="end-by-hand"),
    path(f"{SECTION}forbidden-pairs/", forbidden_pairs.ForbiddenPairsView.as_view(), name="forbidden-pairs"),
    path(f"{SECTION}apart-rules/", forbidden_pairs.ApartRulesView.as_view(), name="apart-rules"),
    path(
        f"{SECTION}apart-rules/preview/",
        forbidden_pairs.ApartRulePreviewView.as_view(),
        name="apart-rule-preview",
    ),
    path(f"{SECTION}apart-rules/<int:rule>/", forbidden_pairs.ApartRuleView.as_view(), name="apart-rule"),
    path(
        "forbidden-pairs/<int:forbidden>/", forbidden_pairs.ForbiddenPairView.as_view(), name="forbidden-pair"
    ),
]
of_hall = [
    path(f"{SECTION}incidents/", incidents.IncidentsView.as_view(), name="incidents"),
    path("incidents/<int:incident>/", incidents.IncidentView.as_view(), name="incident"),
    path(f"{SECTION}presence/", hall.PresencesView.as_view(), name="presences"),
    path(f"{SECTION}check-in/all/", hall.HereAllView.as_view(), name="check-in-all"),
    path(f"{SECTION}absences/", hall.AbsencesView.as_view(), name="absences"),
    path(f"{ENTRY}half-byes/", hall.HalfByesView.as_view(), name="half-byes"),
    path(f"{ENTRY}board/", hall.FixedBoardView.as_view(), name="fixed-board"),
    path(f"{SECTION}countdown/", hall.CountdownView.as_view(), name="countdown"),
    path(f"{SECTION}hall-message/", hall.MessageView.as_view(), name="hall-message"),
    path(f"{EVENT}screens/", hall.ScreensView.as_view(), name="screens"),
    path("screens/<int:screen>/", hall.ScreenView.as_view(), name="screen"),
]
of_settings = [
    path(f"{SECTION}tie-breaks/", sections.TieBreaksView.as_view(), name="tie-breaks"),
    path(f"{SECTION}tie-values/", sections.TieValuesView.as_view(), name="tie-values"),
    path(f"{SECTION}rating-method/", sections.RatingMethodView.as_view(), name="rating-method"),
    path(f"{SECTION}rating-periods/", sections.RatingPeriodsView.as_view(), name="rating-periods"),
    path(f"{SECTION}period-ratings/", sections.PeriodRatingsView.as_view(), name="period-ratings"),
    path(f"{SECTION}prizes/", prizes.PrizesView.as_view(), name="prizes"),
    path(f"{SECTION}prizes/winners/", prizes.WinnersView.as_view(), name="prize-winners"),
    path(f"{SECTION}schedule/", sections.ScheduleView.as_view(), name="schedule"),
    path(f"{SECTION}leave-fide-mode/", sections.FideModeView.as_view(), name="leave-fide-mode"),
    path(f"{SECTION}hide/", sections.HideView.as_view(), name="hide"),
    path(f"{SECTION}show/", sections.ShowView.as_view(), name="show"),
    path(f"{EVENT}sections/like/", sections.LikeView.as_view(), name="section-like"),
    path(f"{SECTION}undo-since/", sections.UndoSinceView.as_view(), name="undo-since"),
    path(f"{SECTION}restore/", sections.RestoreView.as_view(), name="restore"),
]
arbiter_operations = [*of_results, *of_pairing, *of_hall, *of_settings]


# Addresses of files: what is read from them, and what is saved as one.

NEW = f"{EVENT}sections/"

file_operations = [
    path(f"{SECTION}import-list/preview/", entry_lists.ListPreviewView.as_view(), name="preview-list"),
    path(f"{SECTION}import-list/", entry_lists.ListImportView.as_view(), name="import-list"),
    path(f"{SECTION}import-report/preview/", entry_lists.ReportPreviewView.as_view(), name="preview-report"),
    path(f"{SECTION}import-report/", entry_lists.ReportImportView.as_view(), name="import-report"),
    path(
        f"{NEW}import-report/preview/",
        entry_lists.NewReportPreviewView.as_view(),
        name="preview-section-report",
    ),
    path(f"{NEW}import-report/", entry_lists.NewSectionReportView.as_view(), name="section-report"),
    path(f"{SECTION}tables/<slug:table>/", reports.TableView.as_view(), name="table"),
    path(f"{SECTION}report/", reports.ReportView.as_view(), name="report"),
    path(f"{SECTION}report/<slug:trf>/", reports.OlderReportView.as_view(), name="older-report"),
    path(f"{SECTION}report/<slug:trf>/lost/", reports.LostView.as_view(), name="lost"),
    path(f"{SECTION}archive/", reports.ArchiveView.as_view(), name="archive"),
    path(f"{EVENT}archived/", events.ArchivedView.as_view(), name="archived"),
    path(f"{EVENT}archive/", reports.EventArchiveView.as_view(), name="event-archive"),
    path(f"{SECTION}copy/", reports.CopyView.as_view(), name="copy"),
]


# Addresses for what an organiser does besides the settings: rating lists, roles, webhooks and tokens.

LISTS = "sections/<int:section>/rating-lists/"

organiser_operations = [
    path(LISTS, rating_lists.RatingListsView.as_view(), name="rating-lists"),
    path(f"{LISTS}players/", rating_lists.ListedPlayersView.as_view(), name="listed-players"),
    path(f"{LISTS}comparison/", rating_lists.ComparisonView.as_view(), name="comparison"),
    path(f"{EVENT}roles/", people.RolesView.as_view(), name="roles"),
    path(f"{EVENT}roles/<int:role>/", people.RoleView.as_view(), name="end-role"),
    path(f"{EVENT}invitations/", people.InvitationsView.as_view(), name="invitations"),
    path(f"{EVENT}invitations/<int:invitation>/", people.InvitationView.as_view(), name="invitation"),
    path(f"{EVENT}webhooks/", programs.WebhooksView.as_view(), name="webhooks"),
    path(f"{EVENT}webhook-messages/", programs.MessagesView.as_view(), name="webhook-messages"),
    path(
        f"{EVENT}webhook-messages/<int:message>/send-again/",
        programs.SendAgainView.as_view(),
        name="send-again",
    ),
    path(f"{EVENT}webhooks/<int:webhook>/", programs.WebhookView.as_view(), name="webhook"),
    path(f"{EVENT}webhooks/<int:webhook>/test/", programs.TestView.as_view(), name="test-webhook"),
    path(f"{EVENT}tokens/", programs.TokensView.as_view(), name="tokens"),
    path(f"{EVENT}tokens/<int:token>/", programs.EndTokenView.as_view(), name="end-token"),
]


ROUND = f"{SECTION}rounds/<int:number>/"

app_name = "v1"
operations = [
    path("token/", events.TokenView.as_view(), name="token"),
    path("events/", events.EventsView.as_view(), name="events"),
    path(EVENT, events.EventView.as_view(), name="event"),
    path(f"{EVENT}sections/", events.SectionsView.as_view(), name="sections"),
    path(SECTION, sections.SectionView.as_view(), name="section"),
    path(f"{SECTION}initial-colour/", sections.ColourView.as_view(), name="initial-colour"),
    path(f"{SECTION}state/", cockpit.SectionStateView.as_view(), name="state"),
    path(f"{SECTION}notices/", cockpit.NoticesView.as_view(), name="section-notices"),
    path(f"{SECTION}closing/", cockpit.ClosingView.as_view(), name="closing"),
    path(f"{SECTION}close/", sections.CloseView.as_view(), name="close"),
    path(f"{SECTION}reopen/", sections.ReopenView.as_view(), name="reopen"),
    path(f"{SECTION}check-in/", sections.CheckInView.as_view(), name="check-in"),
    path(f"{SECTION}undo/", sections.UndoView.as_view(), name="undo"),
    path(f"{SECTION}log/", sections.LogView.as_view(), name="log"),
    path(f"{SECTION}log/check/", cockpit.SealsView.as_view(), name="log-check"),
    path(f"{SECTION}fairness/", cockpit.FairnessView.as_view(), name="fairness"),
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
    path(ROUND, rounds.OneRoundView.as_view(), name="round"),
    path(f"{ROUND}explained/", cockpit.ExplainedView.as_view(), name="explained"),
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
