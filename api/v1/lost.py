"""Addresses below /api/v1/ at which there is nothing: programs read no page."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from .problems import problem_of, problem_response


@csrf_exempt
def nothing_here(request: HttpRequest) -> HttpResponse:
    problem = problem_of(Http404())
    assert problem is not None
    return problem_response(problem, request.path)
