"""Access tokens for programs that use the API: of an event, and of a person for all own events."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.actions.access_tokens import end_token, make_token
from tournaments.actions.second_factor import is_on
from tournaments.errors import Busy, DomainError, Wait
from tournaments.models import Event
from tournaments.queries.access_tokens import tokens_of_event, tokens_of_person
from web.forms.errors import add_refusal
from web.forms.programs import TokenForm
from web.login_mail import mail_change
from web.qr import public_url
from web.requests import PersonRequest
from web.views.account import prove
from web.words.refusals import explain

from .access import actor_of, event_page, person_page


@event_page("GET", "HEAD", "POST")
def programs(request: PersonRequest, event: Event) -> HttpResponse:
    """Show the tokens of an event. A POST makes one or ends one."""
    return _answer(request, event)


@person_page("GET", "HEAD", "POST", permission="tournaments.create_event")
def own_programs(request: PersonRequest) -> HttpResponse:
    """The same for tokens that are for all events of a person."""
    return _answer(request, None)


def _answer(request: PersonRequest, event: Event | None) -> HttpResponse:
    if request.method != "POST":
        return _page(request, event, _form(request))
    if "end" in request.POST:
        return _end(request, event)
    form = _form(request, request.POST)
    if form.is_valid():
        try:
            prove(request, form)
            made, text = make_token(
                actor=actor_of(request),
                event=event,
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                expires_at=form.expires_at,
            )
        except (Wait, Busy):
            raise
        except DomainError as error:
            add_refusal(form, error)
        else:
            change = gettext_lazy("An access token was made with your login. Name of the program: %(name)s.")
            mail_change(request, request.user, change, name=made.name)
            return _page(request, event, _form(request), made=made, text=text)
    return _page(request, event, form, status=422)


def _end(request: PersonRequest, event: Event | None) -> HttpResponse:
    asked = request.POST["end"]
    key = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 18 else 0
    try:
        ended = end_token(actor=actor_of(request), event=event, token_id=key)
    except DomainError as error:
        return _page(request, event, _form(request), status=error.status, problem=explain(error))
    messages.info(request, _("The token of %(name)s has ended.") % {"name": ended.name})
    return redirect("tournaments:programs", event=event.slug) if event else redirect("own-programs")


def _form(request: PersonRequest, data: QueryDict | None = None) -> TokenForm:
    return TokenForm(data, factor_on=is_on(request.user))


def _page(
    request: PersonRequest, event: Event | None, form: TokenForm, *, status: int = 200, **more: object
) -> HttpResponse:
    """Show the page. more: `made` and `text`, a token that only this answer shows; `problem`."""
    context = {
        "event": event,
        "form": form,
        "tokens": tokens_of_event(event) if event else tokens_of_person(request.user),
        "address": public_url(request, resolve_url("api:v1:events").removesuffix("events/")),
        **more,
    }
    template = "staff/programs.html" if event else "registration/programs.html"
    return render(request, template, context, status=status)
