"""The people who run an event: their roles, invitations, logins for arbiters."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.actions import people as roles
from tournaments.actions.logins import create_login
from tournaments.actions.logins import make_link as make_password_link
from tournaments.actions.people import (
    invite_by_link,
    invite_by_name,
    revoke_invitation,
    send_invitation_again,
)
from tournaments.errors import DomainError, Refusal
from tournaments.models import Event, EventRole, Invitation
from tournaments.models.events import HIGHEST_BOARD
from tournaments.queries.people import (
    invitations_of,
    people_log,
    people_of_event,
)
from tournaments.rights import Right
from tournaments.who_may_appoint import EVERYTHING, MayAppoint, may_appoint
from web.forms.errors import add_refusal
from web.forms.people import LINK, PASSWORD, AddPersonForm, BoardsForm
from web.qr import public_url, qr_svg, reaches_phones
from web.requests import PersonRequest
from web.words.log_sentences import sentence_of
from web.words.people import MAY
from web.words.refusals import explain

from .access import NAME, SEE_PEOPLE, actor_of, event_page, may_not, posted

CREATE_LOGIN = "tournaments.create_login"

# Refusals
BOARDS_IMPOSSIBLE = Refusal(
    "boards_impossible",
    gettext_lazy(
        "Write the first and the last board, both from 1 to %(highest)s, or neither. Nothing was changed."
    ),
    ("highest",),
)


def _seen(request: PersonRequest, naming: MayAppoint) -> MayAppoint:
    """Return whose roles the person sees: those who may only look see the whole event."""
    return naming if Right.NAME in request.rights else EVERYTHING


@event_page("GET", "HEAD", "POST", permission=NAME, look=SEE_PEOPLE, archived=True)
def people(request: PersonRequest, event: Event) -> HttpResponse:
    """Show the people who run the event, and who is online. A POST adds a person.

    Only the answer to the POST shows the link of an invitation, or the password of a new login.
    """
    if request.POST.get("how") == PASSWORD and not request.user.has_perm(CREATE_LOGIN):
        raise PermissionDenied(may_not(CREATE_LOGIN))
    naming = may_appoint(request.user, event)
    form = _form(request, event, naming, posted(request))
    if request.method != "POST" or not form.is_valid():
        return _people(request, event, form=form)
    role = form.cleaned_data
    how, name, username = (role.pop(field) for field in ("how", "name", "username"))
    given: dict[str, Any] = {"actor": actor_of(request), "event": event, "naming": naming, **role}
    try:
        if how == LINK:
            made, token = invite_by_link(note=name, **given)
            return _people(request, event, invited=_link(request, made, token))
        if how == PASSWORD:
            user, password = create_login(username=username, full_name=name, **given)
            shown = {"username": user.username, "label": user.label, "password": password}
            return _people(request, event, made=shown)
        messages.info(request, _sentence(invite_by_name(username=username, **given)))
    except DomainError as error:
        add_refusal(form, error)
        return _people(request, event, form=form)
    return redirect("tournaments:people", event=event.slug)


def _form(
    request: PersonRequest, event: Event, naming: MayAppoint, sent: QueryDict | None = None
) -> AddPersonForm:
    makes_logins = request.user.has_perm(CREATE_LOGIN)
    return AddPersonForm(sent, event=event, naming=naming, makes_logins=makes_logins)


def _sentence(made: Invitation | EventRole) -> str:
    if isinstance(made, EventRole):
        return _("%(name)s has a new role: %(role)s.") % {
            "name": made.user.label,
            "role": made.get_role_display(),
        }
    return _(
        "If there is a login %(name)s, this person sees the invitation on the first page. The role counts once the "
        "person accepts."
    ) % {"name": made.username}


def _link(request: PersonRequest, made: Invitation, token: str) -> dict[str, Any]:
    address = public_url(request, reverse("tournaments:invitation", kwargs={"token": token}))
    code = qr_svg(address) if reaches_phones(request) else ""
    return {"invitation": made, "address": address, "code": code}


@event_page("POST", permission=NAME)
def invite_again(request: PersonRequest, event: Event, invitation: int) -> HttpResponse:
    """Let an invitation begin again. The former link ends; only the answer to this request shows the new one."""
    try:
        made, token = send_invitation_again(
            actor=actor_of(request),
            event=event,
            invitation_id=invitation,
            naming=may_appoint(request.user, event),
        )
    except DomainError as error:
        return _people(request, event, refused=error)
    if token:
        return _people(request, event, invited=_link(request, made, token))
    messages.info(request, _sentence(made))
    return redirect("tournaments:people", event=event.slug)


@event_page("POST", permission=NAME)
def revoke(request: PersonRequest, event: Event, invitation: int) -> HttpResponse:
    try:
        revoke_invitation(
            actor=actor_of(request),
            event=event,
            invitation_id=invitation,
            naming=may_appoint(request.user, event),
        )
    except DomainError as error:
        return _people(request, event, refused=error)
    messages.info(request, _("The invitation is revoked."))
    return redirect("tournaments:people", event=event.slug)


@event_page("POST", permission=NAME)
def end_role(request: PersonRequest, event: Event, role: int) -> HttpResponse:
    try:
        roles.end_role(
            actor=actor_of(request), event=event, role_id=role, naming=may_appoint(request.user, event)
        )
    except DomainError as error:
        return _people(request, event, refused=error)
    messages.info(request, _("The role is ended."))
    return _after_role(request, event)


@event_page("POST", permission=NAME)
def own_boards(request: PersonRequest, event: Event, role: int) -> HttpResponse:
    """Give a result clerk other boards; empty fields give all boards."""
    form = BoardsForm(request.POST)
    if not form.is_valid():
        return _people(request, event, refused=BOARDS_IMPOSSIBLE.error(highest=HIGHEST_BOARD))
    try:
        roles.change_boards(
            actor=actor_of(request),
            event=event,
            role_id=role,
            boards=form.boards,
            naming=may_appoint(request.user, event),
        )
    except DomainError as error:
        return _people(request, event, refused=error)
    messages.info(request, _("The boards are changed."))
    return redirect("tournaments:people", event=event.slug)


def _after_role(request: PersonRequest, event: Event) -> HttpResponse:
    """Lead back to the page, or to the event if the person may no longer open the page."""
    stays = request.user.has_perm(SEE_PEOPLE, event)
    page = "people" if stays else "event" if request.user.has_perm("tournaments.view_section", event) else ""
    return redirect(f"tournaments:{page}", event=event.slug) if page else redirect("home")


@event_page("POST")
def password_link(request: PersonRequest, event: Event) -> HttpResponse:
    """Make a link for a person who has forgotten the password. Only the answer to this request shows the link."""
    try:
        user, token = make_password_link(
            actor=actor_of(request), event=event, username=request.POST.get("username", "")
        )
    except DomainError as error:
        return _people(request, event, refused=error)
    address = public_url(request, reverse("new-password", kwargs={"token": token}))
    link = {"label": user.label, "address": address, "qr": qr_svg(address) if reaches_phones(request) else ""}
    return _people(request, event, link=link)


@event_page("POST")
def remove_person(request: PersonRequest, event: Event) -> HttpResponse:
    try:
        roles.remove_role(
            actor=actor_of(request),
            event=event,
            username=request.POST.get("username", ""),
            naming=may_appoint(request.user, event),
        )
    except DomainError as error:
        return _people(request, event, refused=error)
    return _after_role(request, event)


def _people(
    request: PersonRequest,
    event: Event,
    *,
    form: AddPersonForm | None = None,
    refused: DomainError | None = None,
    **more: Any,
) -> HttpResponse:
    """Show the page. more: what it shows only once, `made` (a login), `link` (for a new password) or
    `invited` (an invitation by link)."""
    naming = may_appoint(request.user, event)
    looked = _seen(request, naming)
    people = people_of_event(event, looked)
    context = {
        "event": event,
        "owner": EventRole.Role.OWNER in naming.roles,
        "manages": Right.MANAGE in request.rights and not request.only_looks,
        "only_some": looked.sections is not None,
        "form": form or _form(request, event, naming),
        "people": people,
        "ends": {
            held.row.pk
            for person in people
            for held in person.roles
            if naming.ends(held.row.role, held.row.section_id) and not request.only_looks
        },
        "rights": [(role, role.label, MAY[role]) for role in EventRole.Role],
        "invitations": invitations_of(event, naming),
        "log": [] if looked.sections is not None else [(row, sentence_of(row)) for row in people_log(event)],
        "problem": explain(refused) if refused else "",
        **more,
    }
    status = refused.status if refused else 422 if form is not None and form.errors else 200
    return render(request, "staff/people.html", context, status=status)
