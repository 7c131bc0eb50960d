"""Decorators for staff pages: they find the event or the section, check the permission, and answer if it is missing.

Without a login: the log-in page (403 if the request is not a GET). A private event that the person may not see: 404.
Other pages without permission: 403. A DomainError that the view did not handle: a page with its message.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from base.networks import address_of
from base.zones import use_zone
from tournaments.actions.ledger import Actor, steps_taken
from tournaments.errors import DomainError, Wait
from tournaments.models import Event, Section
from tournaments.questions import MOST, Answers
from tournaments.rights import Right
from tournaments.rules import held_in, may_set_up
from web.requests import PageRequest, PersonRequest, is_of_person
from web.toasts import offer_undo
from web.words.refusals import explain

from .gone import leads_to_cockpit_if_gone

View = Callable[..., HttpResponse]
NOT_ASKED = frozenset({"answer", "csrfmiddlewaretoken"})
"""Values of a form about which no question asks."""
FOUND = 302


def actor_of(request: PersonRequest) -> Actor:
    """Return the person and the address of the request, for the log."""
    return Actor(user=request.user, origin=address_of(request), boards=getattr(request, "boards", None))


def answers_of(request: HttpRequest, *about: object) -> Answers:
    """Return what the person answered. It counts for `about`, or else for this address and all values that were sent.

    A page sends `DomainError.answer` of its question back as `answer`, with those of the questions before.
    """
    sent = sorted((name, values) for name, values in request.POST.lists() if name not in NOT_ASKED)
    return Answers(about or [request.path, *sent], frozenset(request.POST.getlist("answer")[-MOST:]))


def asked_again(request: HttpRequest, question: DomainError | None) -> dict[str, Any]:
    """Return what a page of two questions (level 4) shows: whether it asks the second time, and the answer.

    The reason belongs to the second question. While it is missing, the answer stays.
    """
    missing = question is not None and question.code == "reason_required"
    given = request.POST.getlist("answer")[-1:]
    answer = "".join(given) if missing else question.answer if question else ""
    return {"answer": answer, "asked_again": missing or (question is not None and question.time > 1)}


def login_state(request: PersonRequest) -> dict[str, Any]:
    """Return who is logged in, and the token of that login, for a browser in which something waits to be sent."""
    return {"token": get_token(request), "user": request.user.pk}


def other_login(request: PersonRequest) -> HttpResponse | None:
    """Refuse what somebody else typed in this browser: it must not be written under another name.

    user: who typed it. None if that is the person who is logged in.
    """
    if request.POST.get("user", str(request.user.pk)) == str(request.user.pk):
        return None
    return JsonResponse({"code": "other_user"}, status=403)


def posted(request: HttpRequest) -> QueryDict | None:
    """Return the data for a form, or None if nothing was posted."""
    return request.POST if request.method == "POST" else None


def asks_for_part(request: PageRequest) -> bool:
    """Return whether htmx asks for a part of the page, not for a whole page."""
    return bool(request.htmx) and not request.htmx.boosted


def login_first(request: PageRequest) -> HttpResponse:
    """Answer a person who is not logged in. After a form, the log-in page says that nothing was done."""
    if request.method not in ("GET", "HEAD"):
        if not request.htmx:
            raise PermissionDenied
        again = {"next": request.htmx.current_url_abs_path or "/", "ended": 1}
        query = f"?{urlencode(again)}" if request.htmx.boosted else ""
        answer = HttpResponseClientRedirect(f"{resolve_url('login')}{query}")
        answer.status_code = 403
        return answer
    if request.htmx:
        return HttpResponseClientRedirect(resolve_url("login"))
    return redirect_to_login(request.get_full_path())


def refused(request: PageRequest, error: DomainError) -> HttpResponse:
    """Return a page (for htmx: a note) that says why an action was refused, with the status of the error."""
    template = "staff/refused.html#note" if asks_for_part(request) else "staff/refused.html"
    answer = render(request, template, {"problem": explain(error)}, status=error.status)
    if isinstance(error, Wait):
        answer["Retry-After"] = str(error.params["seconds"])
    return answer


def _guarded(
    view: View, methods: tuple[str, ...], find: Callable[[PersonRequest, dict[str, Any]], object]
) -> View:
    @wraps(view)
    @never_cache
    @require_http_methods(methods)
    def page(request: PageRequest, **parts: Any) -> HttpResponse:
        if not is_of_person(request):
            return login_first(request)
        subject = find(request, parts)
        try:
            with steps_taken() as steps:
                answer = view(request, **parts) if subject is None else view(request, subject, **parts)
        except DomainError as error:
            return refused(request, error)
        if answer.status_code == FOUND:
            offer_undo(request, steps)
        return answer

    return page


def _allowed(request: PersonRequest, permission: str, subject: Event | Section, look: str = "") -> None:
    """Check the permission. To look at a page, the right to look at it is enough: `look`, or that of `READS`."""
    if not request.user.has_perm("tournaments.view_section", subject):
        raise Http404
    found = held_in(request.user, subject)
    held = request.rights = found.rights
    request.boards = found.boards
    if _gives(held, permission, subject):
        return
    reads = look or READS.get(permission, permission)
    if request.method == "POST" or not _gives(held, reads, subject):
        raise PermissionDenied(MAY_NOT.get(permission, ""))
    request.only_looks = True


def _gives(held: frozenset[Right], permission: str, subject: Event | Section) -> bool:
    if permission == SET_UP:
        return isinstance(subject, Section) and may_set_up(held, subject)
    return permission.removeprefix("tournaments.") in held


RUN = Right.RUN.permission
ASKS_BOTH = "two_sections_to_confirm"
"""The code of the question whether players of another section play here too."""


def asks_both(error: DomainError | None) -> str:
    """Return the answer that the box of `staff/both.html` sends, "" if this was not asked."""
    return error.answer if error is not None and error.code == ASKS_BOTH else ""


DIRECT = Right.DIRECT.permission
SET_UP = "tournaments.set_up_section"
RESULTS = Right.RESULTS.permission
PRESENCE = Right.PRESENCE.permission
ENTRIES = Right.ENTRIES.permission
REGISTRATIONS = Right.REGISTRATIONS.permission
DESK = Right.DESK.permission
COPIES = Right.COPIES.permission
ARCHIVE = Right.ARCHIVE.permission
SEE = Right.SEE.permission
MANAGE = Right.MANAGE.permission
NAME = Right.NAME.permission
SEE_PEOPLE = Right.SEE_PEOPLE.permission
READS = {
    **dict.fromkeys((RUN, DIRECT, SET_UP, ENTRIES), Right.SEE.permission),
    RESULTS: Right.SEE_RESULTS.permission,
    PRESENCE: Right.SEE_PRESENCE.permission,
    REGISTRATIONS: Right.SEE_REGISTRATIONS.permission,
}
"""Who may look at a page whose forms need a permission; if there is none here, only those who may use the forms."""


MAY_NOT = {
    "tournaments.create_event": _(
        "Your login may not make events. Site owners can give it this right on the page Site."
    ),
    "tournaments.load_copy": _(
        "Your login may not make events and owns none, so it cannot load copies. Site owners can give it the right."
    ),
    "tournaments.manage_lists": _(
        "The rating lists count in all events of this server. Site owners change them, and the logins to which they "
        "give this right on the page Site."
    ),
    "tournaments.create_login": _(
        "Your login may not make logins. Invite people by a link instead, or ask a site owner for this right."
    ),
    "tournaments.manage_site": _("Only site owners can use this page."),
    MANAGE: _(
        "Only organisers of the event can use this page. An organiser can give you this role on the page People."
    ),
    NAME: _("Only organisers and chief arbiters can change this. Ask an organiser for the role."),
    **dict.fromkeys(
        (DIRECT, SET_UP),
        _(
            "Only the chief arbiter can change this. An organiser can also change settings until round 1 is paired."
        ),
    ),
    RUN: _("Your role does not let you change rounds or byes. Ask an owner or an organiser for the role."),
    RESULTS: _("Your role does not let you enter results. Ask an owner or an organiser for the role."),
    PRESENCE: _("Your role does not let you note who is present. Ask an owner or an organiser for the role."),
    ENTRIES: _("Your role does not let you change entries. Ask an owner or an organiser for the role."),
    **dict.fromkeys(
        (REGISTRATIONS, DESK),
        _("Your role does not let you change registrations. Ask an owner or an organiser for the role."),
    ),
}
"""What the page 403 says if a right is missing; without a line here: only people who run the event can use the page."""


def may_not(permission: str) -> str:
    return str(MAY_NOT[permission])


def person_page(*methods: str, permission: str = "") -> Callable[[View], View]:
    """Decorate a page for people who are logged in and have the permission: view(request)."""

    def find(request: PersonRequest, _parts: dict[str, Any]) -> None:
        if permission and not request.user.has_perm(permission):
            raise PermissionDenied(may_not(permission))

    return lambda view: _guarded(view, methods, find)


def event_page(*methods: str, permission: str = MANAGE, look: str = "") -> Callable[[View], View]:
    """Decorate a page for people who have the permission in the whole event: view(request, event).

    look: the permission that is enough to look at the page, if it is not that of `READS`.
    """

    def find(request: PersonRequest, parts: dict[str, Any]) -> Event:
        event = get_object_or_404(Event, slug=parts.pop("event"))
        _allowed(request, permission, event, look)
        use_zone(event.time_zone)
        return event

    return lambda view: _guarded(view, methods, find)


def section_page(*methods: str, permission: str = RUN, look: str = "") -> Callable[[View], View]:
    """Decorate a page for people who have the permission in the section: view(request, section, **rest of the address).

    Its forms need the permission; to look at the page less may be enough (`READS`, if it is not `look`).
    """

    def find(request: PersonRequest, parts: dict[str, Any]) -> Section:
        sections = Section.objects.select_related("event")
        section = get_object_or_404(sections, event__slug=parts.pop("event"), slug=parts.pop("section"))
        _allowed(request, permission, section, look)
        use_zone(section.event.time_zone)
        return section

    return lambda view: _guarded(leads_to_cockpit_if_gone(view), methods, find)
