"""The pages. `home` and the pages of a person's own login (urls_account.py) have bare names. All others are in the
namespace `tournaments`.

Names take `event` and `section` (the two slugs), and `number` where they are about a round:

    new-event  event  section
    pairings  names  results  standings  aro              with or without `number`
    list-csv (document, with or without number)
    crosstable  players  player (tpn)  me  print (document, with or without number)
    why (number)  why-player (number, tpn)
    log-file (kind)  undo (revision)  restore (number)  and what they post to: urls_log.py
    copies  copy-now  kept-copy (name)  and what they post to;  event-copy  load-copy: urls_log.py
    cockpit  enter-results (number)  board-result (number, board)  entries  byes  documents  log  settings
    and what they post to: urls_staff.py
    screen (public)  screens  and what they post to: urls_screens.py
    site  sign-up  invitation (token)  and what they post to: urls_rights.py
    check-in  absences  leave (participant)  absent (game)  fide-mode  and what they post to: urls_hall.py

Pages of an event that are not about a section are under `-`, which cannot be a slug.
"""

from __future__ import annotations

from django.urls import include, path

from tournaments.web.urls_account import urlpatterns as account_pages
from tournaments.web.urls_by_hand import urlpatterns as pages_by_hand
from tournaments.web.urls_explanation import urlpatterns as explanation_pages
from tournaments.web.urls_hall import urlpatterns as hall_pages
from tournaments.web.urls_log import urlpatterns as log_pages
from tournaments.web.urls_public import urlpatterns as public_pages
from tournaments.web.urls_rights import urlpatterns as rights_pages
from tournaments.web.urls_screens import urlpatterns as screen_pages
from tournaments.web.urls_staff import urlpatterns as staff_pages
from tournaments.web.views.home import home

urlpatterns = [
    path("", home, name="home"),
    *account_pages,
    path(
        "",
        include(
            (
                [
                    *rights_pages,
                    *staff_pages,
                    *hall_pages,
                    *explanation_pages,
                    *pages_by_hand,
                    *log_pages,
                    *screen_pages,
                    *public_pages,
                ],
                "tournaments",
            )
        ),
    ),
]
