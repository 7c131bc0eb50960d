"""Pages for the people who run an event, and the addresses to which these pages post."""

from __future__ import annotations

from django.urls import path

from web.views import events as home
from web.views.staff import (
    by_hand,
    byes,
    cockpit,
    copies,
    corrections,
    entries,
    entry_lists,
    fairness,
    forbidden_pairs,
    hall,
    log,
    new_section,
    pairing_numbers,
    people,
    presence,
    prizes,
    programs,
    rating_lists,
    ratings,
    reports,
    results,
    rounds,
    sections,
    tie_breaks,
    undo,
    why,
)
from web.views.staff import events as events

EVENT = "<slug:event>/"
SECTION = f"{EVENT}<slug:section>/"
ENTRY = f"{SECTION}entries/<int:participant>/"
FORBIDDEN = f"{SECTION}forbidden-pairs/"
ROUND = f"{SECTION}round/<int:number>/"
SCREEN = f"{EVENT}-/hall/<int:screen>/"
BY_HAND = f"{ROUND}by-hand/"
CORRECTIONS = f"{ROUND}corrections/"

event_pages = [
    path("new/", events.new_event, name="new-event"),
    path(EVENT, home.event, name="event"),
    path(f"{EVENT}-/sections/", events.sections_menu, name="sections"),
    path(f"{EVENT}-/overview/", events.overview, name="overview"),
    path(f"{EVENT}-/edit/", events.edit_event, name="edit-event"),
    path(f"{EVENT}-/people/", people.people, name="people"),
    path(f"{EVENT}-/people/revoke/<int:invitation>/", people.revoke, name="revoke-invitation"),
    path(f"{EVENT}-/people/again/<int:invitation>/", people.invite_again, name="invite-again"),
    path(f"{EVENT}-/people/role/<int:role>/end/", people.end_role, name="end-role"),
    path(f"{EVENT}-/people/role/<int:role>/boards/", people.own_boards, name="own-boards"),
    path(f"{EVENT}-/people/remove/", people.remove_person, name="remove-person"),
    path(f"{EVENT}-/people/link/", people.password_link, name="password-link"),
    path(f"{EVENT}-/programs/", programs.programs, name="programs"),
    path(f"{EVENT}-/rating-lists/", rating_lists.event_lists, name="event-rating-lists"),
    path(f"{EVENT}-/rating-lists/file/", rating_lists.take_event_file, name="event-rating-list-file"),
    path(f"{EVENT}-/rating-lists/columns/", rating_lists.event_columns, name="event-rating-list-columns"),
    path(
        f"{EVENT}-/rating-lists/<int:event_list>/", rating_lists.event_answer, name="event-rating-list-answer"
    ),
    path(f"{EVENT}-/new-section/", new_section.new_section, name="new-section"),
    path(f"{EVENT}-/new-section/<slug:step>/", new_section.new_section_step, name="new-section-step"),
    path(f"{EVENT}-/webhooks/", programs.webhooks_page, name="webhooks"),
    path(f"{EVENT}-/copy-section/", new_section.copy_section, name="copy-section"),
    path(f"{EVENT}-/report/", entry_lists.new_section_from_report, name="new-section-from-report"),
]

section_pages = [
    path(SECTION, home.section, name="section"),
    path(f"{SECTION}cockpit/", cockpit.cockpit, name="cockpit"),
    path(f"{SECTION}desk/", cockpit.former_cockpit, name="former-cockpit"),
    path(f"{SECTION}initial-colour/", rounds.draw_colour, name="draw-colour"),
    path(f"{SECTION}lots/", pairing_numbers.lots_page, name="lots"),
    path(f"{SECTION}lots/draw/", pairing_numbers.draw_lots_page, name="draw-lots"),
    path(f"{SECTION}pair/", rounds.pair, name="pair"),
    path(f"{SECTION}take-offer/", rounds.take_offer, name="take-offer"),
    path(f"{SECTION}device/<int:device>/forget/", rounds.forget, name="forget-device"),
    path(f"{SECTION}cockpit/notice/", rounds.leave_notice, name="leave-notice"),
    path(f"{SECTION}pair/all/", rounds.pair_all, name="pair-all"),
    path(f"{SECTION}publish/all/", rounds.publish_all, name="publish-all"),
    path(f"{ROUND}publish/", rounds.publish, name="publish"),
    path(f"{ROUND}lists/publish/", rounds.publish_list, name="publish-lists"),
    path(f"{ROUND}unpublish/", rounds.unpublish, name="unpublish"),
    path(f"{ROUND}unpair/", rounds.unpair, name="unpair"),
    path(f"{ROUND}pair-again/", rounds.pair_again, name="pair-again"),
    path(f"{ROUND}results/", results.enter_results, name="enter-results"),
    path(f"{ROUND}board/<int:board>/", results.board_result, name="board-result"),
    path(f"{SECTION}game/<int:game>/result/", results.record_result_key, name="record-result"),
    path(f"{SECTION}game/<int:game>/confirm/", results.confirm_result_key, name="confirm-result"),
    path(f"{SECTION}game/<int:game>/over/", results.mark_over_key, name="mark-over"),
    path(f"{SECTION}entries/", entries.entries, name="entries"),
    path(f"{SECTION}entries/add/", entries.add, name="add-entry"),
    path(f"{SECTION}entries/equal/", pairing_numbers.equal_ratings, name="equal-ratings"),
    path(f"{SECTION}entries/import/", entry_lists.upload_file, name="import"),
    path(f"{SECTION}entries/import/check/", entry_lists.check_file, name="import-check"),
    path(f"{SECTION}entries/<int:participant>/", entries.edit, name="edit-entry"),
    path(f"{SECTION}entries/<int:participant>/withdraw/", entries.withdraw, name="withdraw"),
    path(f"{SECTION}entries/<int:participant>/readmit/", entries.readmit, name="readmit"),
    path(f"{SECTION}entries/<int:participant>/data/", entries.personal_data, name="personal-data"),
    path(f"{SECTION}entries/<int:participant>/data/file.zip", entries.personal_file, name="personal-file"),
    path(f"{SECTION}entries/<int:participant>/move/", entries.move, name="move-entry"),
    path(f"{SECTION}entries/<int:participant>/remove/", entries.remove, name="remove-entry"),
    path(f"{SECTION}byes/", byes.byes, name="byes"),
    path(f"{SECTION}byes/<int:bye>/cancel/", byes.cancel, name="cancel-bye"),
    path(f"{SECTION}documents/", reports.documents, name="documents"),
    path(f"{SECTION}documents/rating/", reports.rating_report, name="rating-report"),
    path(f"{ROUND}paper/", reports.round_paper, name="round-paper"),
    path(f"{SECTION}other-sites/", programs.other_sites, name="other-sites"),
    path(f"{ROUND}transmission.pgn", programs.transmission, name="transmission"),
    path(f"{SECTION}report.trf", reports.report, name="report"),
    path(f"{SECTION}documents/trf/<slug:trf>/", reports.older_format, name="older-format"),
    path(f"{SECTION}documents/archive.zip", reports.archive, name="archive"),
    path(f"{SECTION}documents/rating-changes/", reports.rating_changes, name="rating-changes"),
    path(f"{SECTION}documents/norms/", reports.norms, name="norms"),
    path(f"{SECTION}csv/<slug:document>/", reports.export, name="csv"),
    path(f"{SECTION}xlsx/<slug:document>/", reports.export, {"kind": "xlsx"}, name="xlsx"),
    path(f"{SECTION}settings/", sections.settings, name="settings"),
    path(f"{SECTION}entries/lists/", rating_lists.section_rating_lists, name="section-lists"),
    path(f"{SECTION}tie-breaks/", tie_breaks.tie_breaks, name="tie-breaks"),
    path(f"{SECTION}tie-breaks/values/", tie_breaks.tie_values, name="tie-values"),
    path(f"{SECTION}settings/ratings/", ratings.ratings, name="ratings"),
    path(f"{SECTION}settings/ratings/periods/", ratings.periods, name="rating-periods"),
    path(f"{SECTION}settings/ratings/periods/<int:period>/", ratings.period_ratings, name="period-ratings"),
    path(f"{SECTION}prizes/", prizes.prizes, name="prizes"),
    path(f"{SECTION}prizes/edit/", prizes.edit_prizes, name="edit-prizes"),
    path(f"{SECTION}settings/rounds/", sections.schedule, name="schedule"),
    path(f"{SECTION}last-step/<slug:taken>/", sections.last_step, name="last-step"),
    path(f"{SECTION}close/", sections.close_section, name="close"),
    path(f"{SECTION}take-away/", sections.take_away, name="take-away"),
    path(f"{SECTION}bring-back/", sections.bring_back, name="bring-back"),
    path(f"{SECTION}reopen/", sections.reopen_section, name="reopen"),
]

# the minutes before a round, and what a round needs besides results
hall_pages = [
    path(f"{SECTION}check-in/", presence.check_in, name="check-in"),
    path(f"{SECTION}check-in/open/", presence.open_check_in, name="open-check-in"),
    path(f"{SECTION}check-in/all/", presence.mark_all, name="check-in-all"),
    path(f"{SECTION}check-in/close/", presence.close_check_in, name="close-check-in"),
    path(f"{SECTION}check-in/<int:participant>/", presence.mark, name="check-in-player"),
    path(f"{SECTION}absences/", presence.absences, name="absences"),
    path(f"{SECTION}round/<int:number>/check/", rounds.check, name="check-round"),
    path(f"{SECTION}game/<int:game>/settle/", results.settle_game, name="settle"),
    path(f"{SECTION}game/<int:game>/absent/", results.mark_absent, name="absent"),
    path(f"{SECTION}entries/withdraw/", byes.withdraw_chosen, name="withdraw-chosen"),
    path(f"{ENTRY}leave/", byes.leave_section, name="leave"),
    path(f"{ENTRY}points/", corrections.points_page, name="decide-points"),
    path(f"{ENTRY}half-byes/", byes.half_byes, name="half-byes"),
    path(f"{SECTION}settings/fide-mode/", byes.fide_mode, name="fide-mode"),
    path(f"{SECTION}screens/", hall.screens_page, name="screens"),
    path(f"{SECTION}screens/countdown/", hall.set_countdown, name="countdown"),
    path(f"{SECTION}screens/message/", hall.set_message, name="hall-message"),
    path(f"{EVENT}-/hall/", hall.hall_screens, name="hall-screens"),
    path(SCREEN, hall.hall_screen, name="hall-screen"),
    path(f"{SCREEN}press/", hall.press_screen, name="press-screen"),
    path(f"{SCREEN}remove/", hall.remove_screen, name="remove-screen"),
]

# pairs, results and forbidden pairs changed by hand, why a pairing is as it is, and other systems beside it
round_pages = [
    path(f"{ROUND}why/", why.why_round, name="why"),
    path(f"{ROUND}why/<int:tpn>/", why.why_player, name="why-player"),
    path(f"{SECTION}fairness/compare/", fairness.compare_fairness, name="fairness-compare"),
    path(f"{SECTION}fairness/compare/print/", fairness.fairness_sheet, name="fairness-sheet"),
    path(f"{SECTION}fairness/compare.<slug:kind>", fairness.fairness_file, name="fairness-file"),
    path(f"{ROUND}compare/", fairness.compare_systems, name="compare"),
    path(f"{SECTION}by-hand/", by_hand.start, name="by-hand-start"),
    path(BY_HAND, by_hand.by_hand, name="by-hand"),
    path(f"{BY_HAND}begin/", by_hand.begin, name="by-hand-begin"),
    path(f"{BY_HAND}end/", by_hand.end, name="by-hand-end"),
    path(FORBIDDEN, forbidden_pairs.forbidden_pairs, name="forbidden-pairs"),
    path(f"{FORBIDDEN}rules/<int:rule>/end/", forbidden_pairs.end, name="end-rule"),
    path(f"{FORBIDDEN}<int:pair>/", forbidden_pairs.change, name="forbidden-pair"),
    path(f"{FORBIDDEN}<int:pair>/remove/", forbidden_pairs.allow, name="allow-pair"),
    path(CORRECTIONS, corrections.corrections, name="corrections"),
    path(f"{CORRECTIONS}<int:board>/", corrections.correct, name="correct"),
]

log_pages = [
    path(f"{SECTION}log/", log.log, name="log"),
    path(f"{SECTION}log/file/<slug:kind>/", log.log_file, name="log-file"),
    path(f"{SECTION}log/check/", log.log_check, name="log-check"),
    path(f"{SECTION}log/<int:revision>/undo/", undo.undo_action, name="undo"),
    path(f"{SECTION}log/<int:revision>/undo-since/", undo.undo_together, name="undo-since"),
    path(f"{SECTION}restore/<int:number>/", undo.restore, name="restore"),
    path(f"{SECTION}copies/", copies.copies, name="copies"),
    path(f"{SECTION}copies/now/", copies.copy_now, name="copy-now"),
    path(f"{SECTION}copies/keep/", copies.keep_copy, name="keep-copy"),
    path(f"{SECTION}copies/elsewhere/", copies.copy_elsewhere, name="copy-elsewhere"),
    path(f"{SECTION}copies/<name>/", copies.kept_copy, name="kept-copy"),
    path(f"{SECTION}copies/<name>/load/", copies.open_copy, name="open-copy"),
    path(f"{EVENT}-/copy/", copies.event_copy, name="event-copy"),
    path(f"{EVENT}-/archive.zip", reports.event_archive, name="event-archive"),
    path("new/-/load/", copies.load, name="load-copy"),
    path("new/-/load/check/", copies.load_check, name="load-copy-check"),
]

urlpatterns = [*event_pages, *section_pages, *hall_pages, *round_pages, *log_pages]
