"""The pages. `home` and the pages of a person's own login (`urls_site.login_pages`) have bare names. All others are in
the namespace `tournaments`.

Addresses take `event` and `section` (the two slugs), and `number` where they are about a round. Pages of an event that
are not about a section are under `-`, which cannot be a slug.
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
