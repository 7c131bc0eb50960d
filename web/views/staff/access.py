"""Decorators for staff pages: they find the event or the section, check the permission, and answer if it is missing.

Also what they answer in the same way: a form that is out of date, a round that was unpaired, the offer to undo.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from base.networks import address_of
from base.reader import READER, date_format
from base.zones import use_zone
from evenboard_engine.words.catalogue import FULL_STOP
from tournaments.actions.ledger import Actor, refuse_at_rest, steps_taken
from tournaments.actions.rehearsals import refuse_in_cut
from tournaments.declarations import ACTIONS, ActionKind, names_of, names_with
from tournaments.declarations.entries import MOVE_ENTRY_AWAY, MOVE_ENTRY_HERE
from tournaments.declarations.rounds import BACKUP_FAILED
from tournaments.errors import DomainError, Stale, Wait
from tournaments.models import ActionLog, Event, Section
from tournaments.queries.log import LogRow, last_log_rows, last_writer, log_row, round_taken_back
from tournaments.questions import MOST, Answers
from tournaments.rights import Right
from tournaments.rules import held_in, may_set_up
from web.context import UNDO_OFFERS, section_url
from web.forms.conflict_check import ConflictCheckForm
from web.forms.log import ReasonForm
from web.requests import PageRequest, PersonRequest, is_of_person
from web.words.log_sentences import sentence_of
from web.words.refusals import explain
from web.words.values import actor_words

# Lead from the page of a round that was unpaired to the cockpit, and say what happened.

View = Callable[..., HttpResponse]


def leads_to_cockpit_if_gone(view: View) -> View:
    """Decorate a view: if its round no longer exists, browsers are led to the cockpit; scripts get the 404."""

    @wraps(view)
    def page(request: PersonRequest, section: Section, **parts: Any) -> HttpResponse:
        try:
            return view(request, section, **parts)
        except Http404:
            number, reads = parts.get("number"), request.method == "GET" and not request.htmx
            scripted = request.headers.get("Accept", "").startswith("application/json")
            row = round_taken_back(section, number) if number and reads and not scripted else None
            if row is None:
                raise
            messages.warning(request, _gone_sentence(row, number))
            sees = request.user.has_perm("tournaments.see_section", section)
            return redirect(section_url("cockpit" if sees else "section", section))

    return page


def _gone_sentence(row: LogRow, number: object) -> str:
    sentence = _("Round %(number)s is no longer paired. %(action)s (%(who)s, %(time)s).") % {
        "number": number,
        "action": sentence_of(row),
        "who": actor_words(row),
        "time": date_format(localtime(row.at), "H:i"),
    }
    return " ".join([sentence, _("Reason: %(reason)s") % {"reason": row.reason}]) if row.reason else sentence


# After a person did something, the pages of the section offer to undo it, until this person does something else.

SILENT = names_of(action for action in ACTIONS.values() if action.silent)
"""Actions that are done many times a minute. They are corrected where they were typed."""
MOST_STEPS = 100
"""Of one press, such as pairing all rounds of a table. More are undone in the log."""
MOST_SENTENCES = 3
MOST_OFFERS = 20
"""Sections of which a session keeps an offer."""


def offer_undo(request: HttpRequest, steps: Sequence[ActionLog], *, silent: frozenset[str] = SILENT) -> None:
    """Offer to undo what was just done, if all of it can be undone. Three SQL queries a step.

    silent: actions without an offer. A copy that could not be kept is reported too, because nobody would look for
    it in the log.
    """
    for step in steps:
        if step.action == BACKUP_FAILED.name and step.section is not None:
            _warn(request, step)
    steps = [step for step in steps if step.action != BACKUP_FAILED.name]
    if not 1 <= len(steps) <= MOST_STEPS or any(step.action in silent for step in steps):
        return
    section = steps[-1].section
    pair = [MOVE_ENTRY_AWAY.name, MOVE_ENTRY_HERE.name]
    moved = [step.action for step in steps] == pair * (len(steps) // 2)
    if section is None or any(step.section != section for step in steps if not moved):
        return
    rows = [log_row(step.section, step.revision) for step in steps if step.section is not None]
    if all(row is not None and row.undoable for row in rows):
        revisions: dict[Section, list[int]] = {}
        for step in steps:
            assert step.section is not None
            revisions.setdefault(step.section, []).append(step.revision)
        asked: dict[str, list[str]] = {}
        if moved:
            asked["there"] = [f"{step.section_id}-{step.revision}" for step in steps[::2]]
            steps, rows = steps[1::2], rows[::2]
        *earlier, last = (step.revision for step in steps)
        asked["also"] = [str(revision) for revision in earlier]
        address = section_url("undo", section, revision=last)
        query = urlencode(asked, doseq=True)
        also = f"?{query}" if query else ""
        sentences = [sentence_of(row) for row in rows[:MOST_SENTENCES] if row is not None]
        if len(rows) > MOST_SENTENCES:
            sentences.append(_more(len(rows) - MOST_SENTENCES))
        *before, newest = sentences
        sentence = " ".join([*(READER.text_of(FULL_STOP, {"sentence": each}) for each in before), newest])
        keep_offer(request, revisions, sentence, f"{address}{also}")


def keep_offer(
    request: HttpRequest, steps: Mapping[Section, Sequence[int]], sentence: str, address: str
) -> None:
    """Keep an offer for the pages of these sections. steps: what was done in each, by revision."""
    kept = dict(request.session.get(UNDO_OFFERS, {}))
    for section, revisions in steps.items():
        kept.pop(str(section.pk), None)  # the newest is the last
        kept[str(section.pk)] = {
            "event": section.event.slug,
            "section": section.name,
            "sentence": sentence,
            "address": address,
            "steps": revisions,
            "close": section_url("undo", section, revision=revisions[-1]),
        }
    request.session[UNDO_OFFERS] = dict(list(kept.items())[-MOST_OFFERS:])


def close_offer(request: HttpRequest, section: Section) -> None:
    """Forget the offer of this section, because the person does not want to see it."""
    kept = request.session.get(UNDO_OFFERS, {})
    request.session[UNDO_OFFERS] = {key: offer for key, offer in kept.items() if key != str(section.pk)}


def _more(count: int) -> str:
    return ngettext("And %(count)s more step", "And %(count)s more steps", count) % {"count": count}


def _warn(request: HttpRequest, step: ActionLog) -> None:
    sentence = _(
        "The round is published, but no copy of the section could be kept (%(reason)s). Download one: Log, Copies."
    )
    messages.warning(request, sentence % {"reason": step.reason})


# Answer a form that is out of date: show both values and a choice, or say who has done what since.

OF_BOARDS = names_with(ActionKind.RESULT)
"""Actions after which the page of a round is not out of date."""

Form = TypeVar("Form", bound=ConflictCheckForm)


def ask_between_values(form: Form, error: Stale, fresh: Form, rows: QuerySet[ActionLog], *names: str) -> Form:
    """Return the form to show. fresh: the form with the current values. rows: of the log, to find who wrote them.

    names: the names of the values in the log, if they differ from the names of the fields.
    """
    theirs = error.params["theirs"]
    assert isinstance(theirs, dict)  # as CODES has it
    return form.ask(theirs, last_writer(rows, names or tuple(theirs)), fresh)


def why_overtaken(section: Section, error: DomainError) -> str:
    """Say why an action was refused; if the page was out of date, also who has done what since."""
    sentence = explain(error)
    if error.code not in ("stale_version", "stale_round", "stale"):
        return sentence
    since = [
        _("%(who)s at %(time)s: %(action)s.")
        % {"who": actor_words(row), "time": date_format(localtime(row.at), "H:i"), "action": sentence_of(row)}
        for row in last_log_rows(section, 1, without=OF_BOARDS)
    ]
    return " ".join([sentence, *since])


def came_from(request: HttpRequest, section: Section) -> str:
    """Return the page of the section from which the person came to this form, "" for none. Forms send it as `back`."""
    sent = request.POST.get("back", "")
    if request.method != "POST":
        page = urlsplit(request.headers.get("Referer", ""))
        sent = (
            page._replace(scheme="", netloc="", fragment="").geturl()
            if page.netloc == request.get_host()
            else ""
        )
    inside = sent.startswith(section_url("section", section))
    return sent if inside and urlsplit(sent).path != request.path else ""


# Decorators for staff pages: they find the event or the section, check the permission, and answer if it is
# missing.
#
# Without a login: the log-in page (403 if the request is not a GET). A private event that the person may not
# see: 404. Other pages without permission: 403. A DomainError that the view did not handle: a page with its
# message.

NOT_ASKED = frozenset({"answer", "csrfmiddlewaretoken"})
"""Values of a form about which no question asks."""
BAD_REQUEST = 400


def actor_of(request: PersonRequest) -> Actor:
    """Return the person and the address of the request, for the log."""
    return Actor(user=request.user, origin=address_of(request), boards=getattr(request, "boards", None))


def answers_of(request: HttpRequest, *about: object) -> Answers:
    """Return what the person answered. It counts for `about`, or else for this address and all values that were sent.

    A page sends `DomainError.answer` of its question back as `answer`, with those of the questions before.
    """
    sent = sorted((name, values) for name, values in request.POST.lists() if name not in NOT_ASKED)
    return Answers(about or [request.path, *sent], frozenset(request.POST.getlist("answer")[-MOST:]))


def reason_of(request: HttpRequest) -> str:
    """Return the reason that the person typed, "" for none."""
    form = ReasonForm(request.POST)
    return str(form.cleaned_data["reason"]) if form.is_valid() else ""


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
        try:
            subject = find(request, parts)
            if request.method == "POST" and isinstance(subject, Section) and subject.event.rehearsal:
                refuse_in_cut(subject.event, request.path)
            with steps_taken() as steps:
                answer = view(request, **parts) if subject is None else view(request, subject, **parts)
        except DomainError as error:
            return refused(request, error)
        if answer.status_code < BAD_REQUEST:  # else the steps were not kept
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
        event = subject.event if isinstance(subject, Section) else subject
        request.only_looks = event.is_archived and request.method != "POST"
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
    """Return the answer that the box of `staff/entries_both.html` sends, "" if this was not asked."""
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
    "tournaments.create_event": gettext_lazy(
        "Your login may not make events. Site owners can give it this right on the page Site."
    ),
    "tournaments.load_copy": gettext_lazy(
        "Your login may not make events and owns none, so it cannot load copies. Site owners can give it the right."
    ),
    "tournaments.manage_lists": gettext_lazy(
        "The rating lists count in all events of this server. Site owners change them, and the logins to which they "
        "give this right on the page Site."
    ),
    "tournaments.create_login": gettext_lazy(
        "Your login may not make logins. Invite people by a link instead, or ask a site owner for this right."
    ),
    "tournaments.manage_site": gettext_lazy("Only site owners can use this page."),
    MANAGE: gettext_lazy(
        "Only organisers of the event can use this page. An organiser can give you this role on the page People."
    ),
    NAME: gettext_lazy("Only organisers and chief arbiters can change this. Ask an organiser for the role."),
    **dict.fromkeys(
        (DIRECT, SET_UP),
        gettext_lazy(
            "Only the chief arbiter can change this. An organiser can also change settings until round 1 is paired."
        ),
    ),
    RUN: gettext_lazy(
        "Your role does not let you change rounds or byes. Ask an owner or an organiser for the role."
    ),
    RESULTS: gettext_lazy(
        "Your role does not let you enter results. Ask an owner or an organiser for the role."
    ),
    PRESENCE: gettext_lazy(
        "Your role does not let you note who is present. Ask an owner or an organiser for the role."
    ),
    ENTRIES: gettext_lazy(
        "Your role does not let you change entries. Ask an owner or an organiser for the role."
    ),
    **dict.fromkeys(
        (REGISTRATIONS, DESK),
        gettext_lazy(
            "Your role does not let you change registrations. Ask an owner or an organiser for the role."
        ),
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


def event_page(
    *methods: str, permission: str = MANAGE, look: str = "", archived: bool = False
) -> Callable[[View], View]:
    """Decorate a page for people who have the permission in the whole event: view(request, event).

    look: the permission that is enough to look at the page, if it is not that of `READS`. archived: the page has more
    than a form that changes the event, so it also opens for an archived one; else it says at once that nobody can
    change the event.
    """

    def find(request: PersonRequest, parts: dict[str, Any]) -> Event:
        event = get_object_or_404(Event, slug=parts.pop("event"))
        _allowed(request, permission, event, look)
        use_zone(event.time_zone)
        if "POST" in methods and request.method != "POST" and not archived:
            refuse_at_rest(event)
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
