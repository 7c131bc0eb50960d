"""A visitor's browser asks for notices of published rounds, or wants none any more.

It has no login and no cookie, so there is nothing that a forged form could misuse.
"""

from __future__ import annotations

from django.conf import settings
from django.http import Http404
from rest_framework.decorators import api_view, authentication_classes, permission_classes, throttle_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from base.networks import network_of
from tournaments.actions.notices import NotABrowserError, TooManyNoticesError, subscribe, unsubscribe
from tournaments.models import Section

from .reading import NetworkThrottle


class NoticeThrottle(NetworkThrottle):
    """Limits the requests of one network per minute. A hall shares one address, and each phone asks once."""

    scope = "notices"
    rate = "200/min"


@api_view(["POST", "DELETE"])
@authentication_classes([])
@permission_classes([AllowAny])
@throttle_classes([NoticeThrottle])
def notices(request: Request, section: int) -> Response:
    """Note or remove a browser: `endpoint`, and to note it `point`, `secret` and `language`."""
    found = Section.objects.filter(pk=section, event__public=True, taken_away=False).first()
    if found is None:
        raise Http404
    sent = request.data if isinstance(request.data, dict) else {}
    endpoint, point, secret, language = (
        str(sent.get(name, "")) for name in ("endpoint", "point", "secret", "language")
    )
    if request.method == "DELETE":
        unsubscribe(section=found, endpoint=endpoint)
        return Response(status=204)
    known = language if language in dict(settings.LANGUAGES) else ""
    try:
        subscribe(
            section=found,
            endpoint=endpoint,
            point=point,
            secret=secret,
            language=known,
            network=network_of(request),
        )
    except NotABrowserError:
        return Response({"code": "not-a-browser"}, status=422)
    except TooManyNoticesError:
        return Response({"code": "too-many"}, status=409)
    return Response(status=204)
