"""Pages for the people who run an event, and the addresses to which these pages post. Names are listed in
urls.py.
"""

from __future__ import annotations

from django.urls import path

from tournaments.web.views import home
from tournaments.web.views.staff import (
    byes,
    cockpit,
    documents,
    entries,
    equals,
    events,
    imports,
    people,
    result_moves,
    results,
    rounds,
    sections,
)

EVENT = "<slug:event>/"
SECTION = "<slug:event>/<slug:section>/"
ROUND = f"{SECTION}round/<int:number>/"

urlpatterns = [
    path("new/", events.new_event, name="new-event"),
    path(EVENT, home.event, name="event"),
    path(f"{EVENT}-/edit/", events.edit_event, name="edit-event"),
    path(f"{EVENT}-/people/", people.people, name="people"),
    path(f"{EVENT}-/people/invite/", people.make_link, name="invite-by-link"),
    path(f"{EVENT}-/people/revoke/<int:invitation>/", people.revoke, name="revoke-invitation"),
    path(f"{EVENT}-/people/login/", people.make_login, name="make-login"),
    path(f"{EVENT}-/people/remove/", people.remove_person, name="remove-person"),
    path(f"{EVENT}-/people/link/", people.password_link, name="password-link"),
    path(f"{EVENT}-/new-section/", sections.new_section, name="new-section"),
    path(f"{EVENT}-/report/", imports.new_section_from_report, name="new-section-from-report"),
    path(SECTION, home.section, name="section"),
    # the address is older than the name of the page: people have bookmarks and printed sheets with it
    path(f"{SECTION}desk/", cockpit.cockpit, name="cockpit"),
    path(f"{SECTION}initial-colour/", rounds.draw_colour, name="draw-colour"),
    path(f"{SECTION}pair/", rounds.pair, name="pair"),
    path(f"{ROUND}publish/", rounds.publish, name="publish"),
    path(f"{ROUND}unpublish/", rounds.unpublish, name="unpublish"),
    path(f"{ROUND}unpair/", rounds.unpair, name="unpair"),
    path(f"{ROUND}pair-again/", rounds.pair_again, name="pair-again"),
    path(f"{ROUND}results/", results.enter_results, name="enter-results"),
    path(f"{ROUND}board/<int:board>/", results.board_result, name="board-result"),
    path(f"{SECTION}game/<int:game>/result/", result_moves.record, name="record-result"),
    path(f"{SECTION}game/<int:game>/confirm/", result_moves.confirm, name="confirm-result"),
    path(f"{SECTION}game/<int:game>/over/", result_moves.over, name="mark-over"),
    path(f"{SECTION}entries/", entries.entries, name="entries"),
    path(f"{SECTION}entries/add/", entries.add, name="add-entry"),
    path(f"{SECTION}entries/equal/", equals.equal_ratings, name="equal-ratings"),
    path(f"{SECTION}entries/import/", imports.upload, name="import"),
    path(f"{SECTION}entries/import/check/", imports.check, name="import-check"),
    path(f"{SECTION}entries/<int:participant>/", entries.edit, name="edit-entry"),
    path(f"{SECTION}entries/<int:participant>/withdraw/", entries.withdraw, name="withdraw"),
    path(f"{SECTION}entries/<int:participant>/readmit/", entries.readmit, name="readmit"),
    path(f"{SECTION}entries/<int:participant>/remove/", entries.remove, name="remove-entry"),
    path(f"{SECTION}byes/", byes.byes, name="byes"),
    path(f"{SECTION}byes/<int:bye>/cancel/", byes.cancel, name="cancel-bye"),
    path(f"{SECTION}documents/", documents.documents, name="documents"),
    path(f"{SECTION}documents/rating/", documents.rating_report, name="rating-report"),
    path(f"{SECTION}report.trf", documents.report, name="report"),
    path(f"{SECTION}csv/<slug:document>/", documents.export, name="csv"),
    path(f"{SECTION}settings/", sections.settings, name="settings"),
    path(f"{SECTION}settings/rounds/", sections.schedule, name="schedule"),
    path(f"{SECTION}close/", sections.close, name="close"),
    path(f"{SECTION}take-away/", sections.take_away, name="take-away"),
    path(f"{SECTION}bring-back/", sections.bring_back, name="bring-back"),
    path(f"{SECTION}reopen/", sections.reopen, name="reopen"),
]
