"""The page of a spare, below a secret address: what it holds, the papers of the current rounds, and "Take over"."""

from __future__ import annotations

import secrets
import threading
from pathlib import Path

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.crypto import constant_time_compare
from django.utils.dateparse import parse_datetime
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from server.failures import WITHOUT_TERM
from server.paper_files import PAPERS, PaperFiles
from server.spare_state import Database, StateReceiver, take_over
from server.urls import urlpatterns as of_site
from tournaments.actions.spare import contact
from tournaments.models import User
from tournaments.models.spare import SPARE, MachineTerm, guard
from tournaments.queries.spare import held_rounds, last_action
from tournaments.spare_messages import PATH
from web.requests import Middleware
from web.views.public.paper import paper
from web.views.public.public_page import PRIVATE

UNAVAILABLE = 503


class Desk:
    """What the page works with. token: the secret part of its address. taken: set when this machine has taken over."""

    receiver: StateReceiver
    database: Database
    var: Path
    files: PaperFiles

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(24)
        self.taken = threading.Event()

    def begin(self, receiver: StateReceiver, database: Database, var: Path, files: PaperFiles) -> None:
        self.receiver, self.database, self.var, self.files = receiver, database, var, files

    def refuse_others(self, token: str) -> None:
        if not constant_time_compare(token, self.token):
            raise Http404


desk = Desk()


class OnlySpare(Middleware):
    """Answers everything except the pages of the spare, its styles and the other machine: this server is a spare."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.user = AnonymousUser()
        desk.database.show_state()
        first = request.path_info.split("/")[1]
        if request.path_info == PATH or constant_time_compare(first, desk.token):
            return self.get_response(request)
        context = {"failure": WITHOUT_TERM[SPARE], "sent": request.method == "POST"}
        return render(request, "failure.html", context, status=UNAVAILABLE)


@require_GET
@never_cache
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the spare holds."""
    desk.refuse_others(token)
    return _page(request)


@csrf_exempt  # the address itself is the secret
@require_POST
@never_cache
def press_take_over(request: HttpRequest, token: str) -> HttpResponse:
    """Take over, and say where the site is."""
    desk.refuse_others(token)
    complete = take_over(desk.receiver, desk.database, desk.var)
    desk.taken.set()
    context = {"taken": True, "complete": complete, "at": parse_datetime(desk.receiver.held.at)}
    return render(request, "spare.html", context)


def _page(request: HttpRequest) -> HttpResponse:
    receiver = desk.receiver
    context = {
        "token": desk.token,
        "source": receiver.source,
        "by_folder": receiver.line is None,
        "at": parse_datetime(receiver.held.at),
        "age": receiver.age,
        "gone": receiver.is_gone,
        "error": receiver.error,
        "others": max(contact.rumour, MachineTerm.read(receiver.held.heard)) > guard.term,
        "rounds": held_rounds(),
        "last": last_action(),
        "papers": PAPERS,
        "files": desk.files,
    }
    answer = render(request, "spare.html", context)
    for name, value in PRIVATE.items():
        answer.headers[name] = value
    return answer


@require_GET
@never_cache
def held_paper(request: HttpRequest, token: str, event: str, section: str, document: str) -> HttpResponse:
    """Show a paper as an arbiter gets it: whoever reads the console of the spare has its state anyway."""
    desk.refuse_others(token)
    if document not in PAPERS:
        raise Http404
    request.user = User(username="spare", is_superuser=True)
    return paper(request, event=event, section=section, document=document)


urlpatterns = [
    path("<str:token>/", page, name="spare-page"),
    path("<str:token>/take-over/", press_take_over, name="spare-take-over"),
    path("<str:token>/paper/<slug:event>/<slug:section>/<slug:document>/", held_paper, name="spare-paper"),
    *of_site,
]

handler500 = "server.failures.failed"
