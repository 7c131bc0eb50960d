"""Who asks: the token in the header Authorization. Cookies count for nothing here, so no form of another site does."""

from __future__ import annotations

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from tournaments.actions.access_tokens import token_of
from tournaments.models import AccessToken, User
from web.known_sessions import Login, known, of_token

LONGEST = 200


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer evb_...`"""

    def authenticate(self, request: Request) -> tuple[User, AccessToken] | None:
        kind, _space, text = request.headers.get("Authorization", "").partition(" ")
        text = text.strip()
        if kind.lower() != "bearer" or not text:
            return None
        token = token_of(text) if len(text) <= LONGEST else None
        if token is None:
            raise AuthenticationFailed(_("This token is unknown, or it has ended."))
        known.put(of_token(text), Login(token.made_by.pk, works=True))
        return token.made_by, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        return "Bearer"
