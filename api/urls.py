"""Addresses of the API: /api/v1/... Earlier ones without a version lead there."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import include, path, re_path, reverse
from django.views.decorators.csrf import csrf_exempt

from api.v1.problems import problem_of, problem_response
from api.v1.public import ANY_SITE

EARLIER = r"rounds/[0-9]+/(?:explained/)?|standings/|fairness/|list/(?:[0-9]+/){0,2}"
WITHOUT_VERSION = rf"^sections/(?P<rest>[0-9]+/(?:{EARLIER}))$"


@csrf_exempt
def moved(request: HttpRequest, rest: str) -> HttpResponse:
    """Lead from an earlier address to the one that gives the same. Scripts of other sites may follow."""
    address = f"{reverse('api:v1:reference')}public/sections/{rest}"
    writes = request.method not in ("GET", "HEAD")  # the new address says that it takes nothing
    return HttpResponsePermanentRedirect(address, preserve_request=writes, headers=ANY_SITE)


@csrf_exempt
def nothing_here(request: HttpRequest) -> HttpResponse:
    """Answer with a problem: programs read no page."""
    problem = problem_of(Http404())
    assert problem is not None
    return problem_response(problem, request.path)


app_name = "api"
urlpatterns = [
    path("v1/", include("api.v1.urls")),
    re_path(WITHOUT_VERSION, moved, name="moved"),
    re_path("", nothing_here, name="nothing-here"),
]
