"""Who asks: the token in the header Authorization. Cookies count for nothing here, so no form of another site does."""

from __future__ import annotations

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.views import APIView

from api.reading import Limit
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


class TokenThrottle(Limit):
    """Limits the requests of one token, so that a program that runs wild does not hold up the hall."""

    scope = "token"
    rate = "600/min"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:  # noqa: ARG002
        token = request.auth
        return f"token_{token.pk}" if isinstance(token, AccessToken) else None
