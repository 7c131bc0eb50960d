"""Screens of the hall: the screen itself and its settings. Names are listed in urls.py."""

from __future__ import annotations

from django.urls import path

from tournaments.web.views.public.screen import screen
from tournaments.web.views.staff import screens

SECTION = "<slug:event>/<slug:section>/"

urlpatterns = [
    path(f"{SECTION}screen/", screen, name="screen"),
    path(f"{SECTION}screens/", screens.screens, name="screens"),
    path(f"{SECTION}screens/countdown/", screens.countdown, name="countdown"),
    path(f"{SECTION}screens/message/", screens.message, name="hall-message"),
]
