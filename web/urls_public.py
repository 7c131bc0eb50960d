"""Pages for everybody who may see the event."""

from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from tournaments.models.hall import CODE_LENGTH, CODE_LETTERS
from tournaments.queries.player_results import LINK
from web.views.public import (
    app,
    aro_list,
    fairness,
    paper,
    player_results,
    programs,
    published_lists,
    rounds,
    rules,
    standings,
    statistics,
    why,
)
from web.views.public.hall import hall_map, named_screen, screen


class ScreenConverter(StringConverter):
    """The code of a screen in the hall."""

    regex = f"[{CODE_LETTERS}]{{{CODE_LENGTH}}}"


class PlayerLinkConverter(StringConverter):
    """The link of a player to a board."""

    regex = LINK


register_converter(ScreenConverter, "screen")
register_converter(PlayerLinkConverter, "player_link")

SECTION = "<slug:event>/<slug:section>/"
ROUND = f"{SECTION}round/<int:number>/"

# before the addresses of sections, whose words would match too
first_pages = [
    path("-/<screen:code>/", named_screen, name="named-screen"),
    path("<slug:event>/-/news/", app.event_news, name="event-news"),
    path("<slug:event>/-/calendar.ics", programs.event_calendar, name="event-calendar"),
]

urlpatterns = [
    path("worker.js", app.worker, name="worker"),
    path("<slug:event>/app.webmanifest", app.manifest, name="manifest"),
    path(f"{SECTION}notices/", app.notices, name="notices"),
    path(f"{SECTION}screen/", screen, name="screen"),
    path(f"{SECTION}board/<player_link:link>/", player_results.player_result, name="player-result"),
    path(f"{SECTION}embed/<slug:document>/", programs.framed_list, name="embed"),
    path(f"{SECTION}feed.xml", programs.published_feed, name="feed"),
    path(f"{SECTION}calendar.ics", programs.section_calendar, name="calendar"),
    path(f"{ROUND}boards.pgn", programs.boards_as_pgn, name="boards-pgn"),
    path(f"{SECTION}news/", app.round_news, name="news"),
    path(f"{ROUND}news/", app.round_news, name="news"),
    path(f"{SECTION}pairings/", rounds.pairings, name="pairings"),
    path(f"{ROUND}pairings/", rounds.pairings, name="pairings"),
    path(f"{SECTION}names/", rounds.names, name="names"),
    path(f"{ROUND}names/", rounds.names, name="names"),
    path(f"{ROUND}explained/", why.explained_round, name="explained"),
    path(f"{ROUND}explained/<int:board>/", why.explained_board, name="explained-board"),
    path(f"{ROUND}explained/work/<int:bracket>/", why.work_out, name="work-out"),
    path(f"{ROUND}explained/file.trf", why.round_file, name="round-file"),
    path(f"{ROUND}explained/engine.pyz", why.engine_file, name="round-engine"),
    path(f"{SECTION}results/", rounds.results, name="results"),
    path(f"{SECTION}results/<int:number>/", rounds.results, name="results"),
    path(f"{SECTION}standings/", standings.standings, name="standings"),
    path(f"{SECTION}standings/<int:number>/", standings.standings, name="standings"),
    path(f"{SECTION}standings/<int:number>/<int:tpn>/", standings.sums, name="sums"),
    path(f"{SECTION}aro/", aro_list.aro, name="aro"),
    path(f"{SECTION}aro/<int:number>/", aro_list.aro, name="aro"),
    path(f"{SECTION}aro/<int:number>/<int:edition>/", aro_list.aro, name="aro-edition"),
    path(f"{SECTION}published/", published_lists.published, name="published"),
    path(f"{SECTION}published/<int:number>/", published_lists.published, name="published"),
    path(
        f"{SECTION}published/<int:number>/<int:edition>/", published_lists.published, name="published-edition"
    ),
    path(f"{SECTION}crosstable/", standings.crosstable_page, name="crosstable"),
    path(f"{SECTION}fairness/", fairness.fairness, name="fairness"),
    path(f"{SECTION}rules/", rules.rules, name="rules"),
    path(f"{SECTION}hall-map/", hall_map, name="hall-map"),
    path(f"{SECTION}statistics/", statistics.statistics_page, name="statistics"),
    path(f"{SECTION}rounds/", standings.all_rounds, name="all-rounds"),
    path(f"{SECTION}players/", standings.players, name="players"),
    path(f"{SECTION}players/<int:tpn>/", rounds.player_page, name="player"),
    path(f"{SECTION}seat/<int:participant>/", rounds.seat_page, name="seat"),
    path(f"{ROUND}seat/<int:participant>/", rounds.seat_page, name="seat"),
    path(f"{SECTION}lists/<slug:document>.csv", programs.list_file, name="list-csv"),
    path(f"{SECTION}lists/<int:number>/<slug:document>.csv", programs.list_file, name="list-csv"),
    path(f"{SECTION}lists/<slug:document>.xlsx", programs.list_file, {"kind": "xlsx"}, name="list-xlsx"),
    path(
        f"{SECTION}lists/<int:number>/<slug:document>.xlsx",
        programs.list_file,
        {"kind": "xlsx"},
        name="list-xlsx",
    ),
    path(f"{SECTION}print/<slug:document>/", paper.paper, name="print"),
    path(f"{SECTION}print/<slug:document>/<int:number>/", paper.paper, name="print"),
]
