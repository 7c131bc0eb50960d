"""The people who run an event: who they are, invitations, logins for arbiters."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.actions import events
from tournaments.actions.invitations import invite_by_link, invite_by_name, revoke_invitation
from tournaments.actions.logins import create_login
from tournaments.actions.password_links import make_link as make_password_link
from tournaments.errors import DomainError
from tournaments.models import Event, EventRole, Invitation
from tournaments.queries.invitations import open_invitations, people_log
from tournaments.web.forms.errors import add_refusal
from tournaments.web.forms.events import LinkForm, LoginForm, PersonForm
from tournaments.web.qr import public_url, qr_svg, reaches_phones
from tournaments.web.requests import PersonRequest
from tournaments.web.words.log_sentences import sentence_of
from tournaments.web.words.refusals import explain

from .access import actor_of, event_page, may_not, posted


@event_page("GET", "HEAD", "POST")
def people(request: PersonRequest, event: Event) -> HttpResponse:
    """Show the people who run the event. A POST invites a login by name, or changes the role of a person."""
    form = PersonForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = invite_by_name(actor=actor_of(request), event=event, **form.cleaned_data)
        except DomainError as error:
            add_refusal(form, error)
        else:
            messages.info(request, _sentence(made))
            return redirect("tournaments:people", event=event.slug)
    return _people(request, event, form=form)


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


@event_page("POST")
def make_link(request: PersonRequest, event: Event) -> HttpResponse:
    """Make an invitation by link. Only the answer to this request shows the link."""
    form = LinkForm(request.POST, prefix="link")
    if not form.is_valid():
        return _people(request, event, link_form=form)
    try:
        made, token = invite_by_link(actor=actor_of(request), event=event, **form.cleaned_data)
    except DomainError as error:
        add_refusal(form, error)
        return _people(request, event, link_form=form)
    address = public_url(request, reverse("tournaments:invitation", kwargs={"token": token}))
    code = qr_svg(address) if reaches_phones(request) else ""
    return _people(request, event, invited={"invitation": made, "address": address, "code": code})


@event_page("POST")
def revoke(request: PersonRequest, event: Event, invitation: int) -> HttpResponse:
    try:
        revoke_invitation(actor=actor_of(request), event=event, invitation_id=invitation)
    except DomainError as error:
        return _people(request, event, refused=error)
    messages.info(request, _("The invitation is revoked."))
    return redirect("tournaments:people", event=event.slug)


@event_page("POST")
def make_login(request: PersonRequest, event: Event) -> HttpResponse:
    """Make a login for a new arbiter. Only the answer to this request shows its password."""
    if not request.user.has_perm("tournaments.create_login"):
        raise PermissionDenied(may_not("tournaments.create_login"))
    form = LoginForm(request.POST, prefix="new")
    if form.is_valid():
        try:
            user, password = create_login(actor=actor_of(request), event=event, **form.cleaned_data)
        except DomainError as error:
            add_refusal(form, error)
        else:
            made = {"username": user.username, "label": user.label, "password": password}
            return _people(request, event, made=made)
    return _people(request, event, login_form=form)


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
        events.remove_role(actor=actor_of(request), event=event, username=request.POST.get("username", ""))
    except DomainError as error:
        return _people(request, event, refused=error)
    return redirect("tournaments:people", event=event.slug)


def _people(
    request: PersonRequest,
    event: Event,
    *,
    form: PersonForm | None = None,
    link_form: LinkForm | None = None,
    login_form: LoginForm | None = None,
    refused: DomainError | None = None,
    **more: Any,
) -> HttpResponse:
    """Show the page. more: what it shows only once, `made` (a login), `link` (for a new password) or
    `invited` (an invitation by link)."""
    context = {
        "event": event,
        "form": form or PersonForm(),
        "link_form": link_form or LinkForm(prefix="link"),
        "login_form": login_form or LoginForm(prefix="new"),
        "makes_logins": request.user.has_perm("tournaments.create_login"),
        "roles": event.roles.select_related("user").order_by("-role", "user__username"),
        "invitations": open_invitations(event),
        "log": [(row, sentence_of(row)) for row in people_log(event)],
        "problem": explain(refused) if refused else "",
        **more,
    }
    wrong = any(sent is not None and sent.errors for sent in (form, link_form, login_form))
    status = refused.status if refused else 422 if wrong else 200
    return render(request, "staff/people.html", context, status=status)
