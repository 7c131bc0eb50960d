"""Invitations, open registration, and the settings of the site. Names are listed in urls.py."""

from __future__ import annotations

from django.urls import path, register_converter

from tournaments.web.views import invitations
from tournaments.web.views.staff import site


class TokenConverter:
    """A token of an invitation: 32 bytes in base64 for addresses."""

    regex = "[-_A-Za-z0-9]{43}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(TokenConverter, "token")

urlpatterns = [
    path("site/", site.site, name="site"),
    path("site/rights/", site.rights, name="site-rights"),
    path("site/login/", site.make_login, name="site-login"),
    path("sign-up/", invitations.sign_up, name="sign-up"),
    path("invitation/<token:token>/", invitations.invitation, name="invitation"),
    path("invitation/<token:token>/login/", invitations.make_login_by_link, name="invitation-login"),
    path("invitation/<int:invitation>/answer/", invitations.answer_invitation, name="answer-invitation"),
]
