"""The log, undo, and copies. Names are listed in urls.py."""

from __future__ import annotations

from django.urls import path

from tournaments.web.views.staff import copies, log, undo

SECTION = "<slug:event>/<slug:section>/"

urlpatterns = [
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
    path("<slug:event>/-/copy/", copies.event_copy, name="event-copy"),
    path("new/-/load/", copies.load, name="load-copy"),
    path("new/-/load/check/", copies.load_check, name="load-copy-check"),
]
