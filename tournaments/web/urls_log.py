"""The log, what takes actions back, and copies. Names are listed in urls.py."""

from __future__ import annotations

from django.urls import path

from tournaments.web.views.staff import log, undo

SECTION = "<slug:event>/<slug:section>/"

urlpatterns = [
    path(f"{SECTION}log/", log.log, name="log"),
    path(f"{SECTION}log/file/<slug:kind>/", log.log_file, name="log-file"),
    path(f"{SECTION}log/<int:revision>/undo/", undo.undo_action, name="undo"),
    path(f"{SECTION}log/<int:revision>/undo-since/", undo.undo_together, name="undo-since"),
    path(f"{SECTION}restore/<int:number>/", undo.restore, name="restore"),
]
