"""The pages. `home` and the pages of a person's own login (urls_site.py) have bare names. All others are in the
namespace `tournaments`.

Names take `event` and `section` (the two slugs), and `number` where they are about a round:

    new-event  event  section
    pairings  names  results  standings  aro              with or without `number`
    programs  webhooks (event)
    worker  manifest (event)
    list-csv  list-xlsx (document, with or without number)
    crosstable  players  rules  player (tpn)  print (document, with or without number)
    seat (participant, with or without number)
    why (number)  why-player (number, tpn)
    log-file (kind)  undo (revision)  restore (number)  and what they post to: urls_staff.py
    copies  copy-now  kept-copy (name)  and what they post to;  event-copy  event-archive  load-copy: urls_staff.py
    cockpit  enter-results (number)  board-result (number, board)  entries  byes  documents  log  settings
    tie-breaks  tie-values  and what they post to: urls_staff.py
    news (with or without number)  event-news: what open pages ask
    embed (document)  feed  calendar  boards-pgn (number)  event-calendar: urls_public.py;  other-sites  transmission
    screen  named-screen (code): urls_public.py;  screens  hall-screens (event)  and what they post to: urls_staff.py
    site  sign-up  invitation (token)  and what they post to: urls_site.py
    check-in  absences  leave (participant)  absent (game)  fide-mode  and what they post to: urls_staff.py

Pages of an event that are not about a section are under `-`, which cannot be a slug.
"""

from __future__ import annotations

from django.urls import include, path

from web import urls_public, urls_site, urls_staff
from web.views.home import home

pages = [*urls_public.first_pages, *urls_site.urlpatterns, *urls_staff.urlpatterns, *urls_public.urlpatterns]

urlpatterns = [
    path("", home, name="home"),
    *urls_site.login_pages,
    path("", include((pages, "tournaments"))),
]
