"""Addresses for what an arbiter does besides pairing the next round and typing results."""

from __future__ import annotations

from django.urls import path

from . import by_hand, choices, drawing, forbidden, hall, prizes, results

EVENT = "events/<int:event>/"
SECTION = "sections/<int:section>/"
ENTRY = "entries/<int:entry>/"
GAME = "games/<int:game>/"
ROUNDS = f"{SECTION}rounds/"
ROUND = f"{ROUNDS}<int:number>/"

of_results = [
    path(f"{ROUND}results/", results.RoundResultsView.as_view(), name="round-results"),
    path(f"{GAME}second-reading/", results.ReadingView.as_view(), name="second-reading"),
    path(f"{GAME}over/", results.OverView.as_view(), name="over"),
    path(f"{GAME}absent/", results.AbsentView.as_view(), name="absent"),
    path(f"{GAME}correction/", results.CorrectionView.as_view(), name="correction"),
]
of_pairing = [
    path(f"{ROUNDS}all/", drawing.PairAllView.as_view(), name="pair-all"),
    path(f"{ROUNDS}all/publish/", drawing.PublishAllView.as_view(), name="publish-all"),
    path(f"{ROUND}pair-again/", drawing.PairAgainView.as_view(), name="pair-again"),
    path(f"{ROUND}pair-without/", drawing.PairWithoutView.as_view(), name="pair-without"),
    path(f"{ROUND}check/", drawing.CheckView.as_view(), name="check"),
    path(f"{ROUND}lists/", drawing.PublishListView.as_view(), name="publish-lists"),
    path(f"{SECTION}lots/", drawing.LotsView.as_view(), name="lots"),
    path(f"{SECTION}equal-ratings/", drawing.EqualsView.as_view(), name="equal-ratings"),
    path(f"{SECTION}by-hand/", by_hand.StartView.as_view(), name="start-by-hand"),
    path(f"{SECTION}offer/", by_hand.OfferView.as_view(), name="offer"),
    path(f"{ROUND}by-hand/", by_hand.HandView.as_view(), name="by-hand"),
    path(f"{ROUND}by-hand/begin/", by_hand.BeginView.as_view(), name="begin-by-hand"),
    path(f"{ROUND}by-hand/end/", by_hand.EndView.as_view(), name="end-by-hand"),
    path(f"{SECTION}forbidden-pairs/", forbidden.ForbiddenPairsView.as_view(), name="forbidden-pairs"),
    path("forbidden-pairs/<int:forbidden>/", forbidden.ForbiddenPairView.as_view(), name="forbidden-pair"),
]
of_hall = [
    path(f"{SECTION}presence/", hall.PresencesView.as_view(), name="presences"),
    path(f"{SECTION}check-in/all/", hall.HereAllView.as_view(), name="check-in-all"),
    path(f"{SECTION}absences/", hall.AbsencesView.as_view(), name="absences"),
    path(f"{ENTRY}half-byes/", hall.HalfByesView.as_view(), name="half-byes"),
    path(f"{SECTION}countdown/", hall.CountdownView.as_view(), name="countdown"),
    path(f"{SECTION}hall-message/", hall.MessageView.as_view(), name="hall-message"),
    path(f"{EVENT}screens/", hall.ScreensView.as_view(), name="screens"),
    path("screens/<int:screen>/", hall.ScreenView.as_view(), name="screen"),
]
of_settings = [
    path(f"{SECTION}tie-breaks/", choices.TieBreaksView.as_view(), name="tie-breaks"),
    path(f"{SECTION}tie-values/", choices.TieValuesView.as_view(), name="tie-values"),
    path(f"{SECTION}rating-method/", choices.RatingMethodView.as_view(), name="rating-method"),
    path(f"{SECTION}rating-periods/", choices.RatingPeriodsView.as_view(), name="rating-periods"),
    path(f"{SECTION}period-ratings/", choices.PeriodRatingsView.as_view(), name="period-ratings"),
    path(f"{SECTION}prizes/", prizes.PrizesView.as_view(), name="prizes"),
    path(f"{SECTION}prizes/winners/", prizes.WinnersView.as_view(), name="prize-winners"),
    path(f"{SECTION}schedule/", choices.ScheduleView.as_view(), name="schedule"),
    path(f"{SECTION}leave-fide-mode/", choices.FideModeView.as_view(), name="leave-fide-mode"),
    path(f"{SECTION}hide/", choices.HideView.as_view(), name="hide"),
    path(f"{SECTION}show/", choices.ShowView.as_view(), name="show"),
    path(f"{EVENT}sections/like/", choices.LikeView.as_view(), name="section-like"),
    path(f"{SECTION}undo-since/", choices.UndoSinceView.as_view(), name="undo-since"),
    path(f"{SECTION}restore/", choices.RestoreView.as_view(), name="restore"),
]
arbiter_operations = [*of_results, *of_pairing, *of_hall, *of_settings]
