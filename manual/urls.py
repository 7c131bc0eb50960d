"""The pages of the manual. They are below /site/, which no event can have as its address."""

from __future__ import annotations

from django.urls import path

from manual import views

urlpatterns = [
    path("site/manual/", views.contents, name="manual"),
    path("site/manual/whole/", views.whole, name="manual-whole"),
    path("site/manual/index.json", views.index, name="manual-index"),
    path("site/manual/<slug:chapter>/", views.chapter, name="manual-chapter"),
]
