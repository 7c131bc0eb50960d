"""How often a program and a visitor may ask. Each answer says so (draft-ietf-httpapi-ratelimit-headers)."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from base.networks import network_in, network_of
from tournaments.models import AccessToken


class Limit(SimpleRateThrottle):
    """Limits how often somebody asks, and says so in headers."""

    num_requests: int
    duration: int  # seconds

    def headers(self) -> dict[str, str]:
        """Return the limit, and what is left of it once it has counted a request."""
        policy = {"RateLimit-Policy": f'"{self.scope}";q={self.num_requests};w={self.duration}'}
        if getattr(self, "key", None) is None:
            return policy
        left = max(0, self.num_requests - len(self.history))
        until = self.duration - (self.now - self.history[-1]) if self.history else self.duration
        return {**policy, "RateLimit": f'"{self.scope}";r={left};t={max(1, ceil(until))}'}


class TokenThrottle(Limit):
    """Limits the requests of one token, so that a program that runs wild does not hold up the hall."""

    scope = "token"
    rate = "600/min"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:  # noqa: ARG002
        token = request.auth
        return f"token_{token.pk}" if isinstance(token, AccessToken) else None


class ReaderThrottle(Limit):
    """Limits how many answers are made for one network per minute: enough for a hall, too few for a crawler.

    A finished answer costs no more than a page, so it does not count. A program with a whole /64 of addresses is one
    program.
    """

    scope = "reader"
    rate = "120/min"

    def get_cache_key(self, request: Request, view: APIView) -> str:  # noqa: ARG002
        return self._key_of(network_of(request))

    def _key_of(self, network: str) -> str:
        return self.cache_format % {"scope": self.scope, "ident": network}

    def uncounted(self, network: str) -> dict[str, str]:
        """Return the limit and what is left of it for an answer that does not count."""
        self.key = self._key_of(network)
        self.now = self.timer()
        self.history = [at for at in self.cache.get(self.key, []) if at > self.now - self.duration]
        return self.headers()


def what_is_left(environ: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the limit of a visitor's network, for an answer that was made for all."""
    return ReaderThrottle().uncounted(network_in(environ))


class Limited(APIView):
    """Names its limits in each answer."""

    def get_throttles(self) -> list[Any]:
        self.limits = super().get_throttles()
        return self.limits

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        found = super().finalize_response(request, response, *args, **kwargs)
        for limit in getattr(self, "limits", ()):
            for name, value in limit.headers().items():
                found.headers[name] = value
        return found
