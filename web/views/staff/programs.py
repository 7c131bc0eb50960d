"""Access tokens for programs, webhooks, and what an organiser copies into other web sites and programs.

Tokens are of an event, or of a person for all own events. Other sites take frames, JSON, a calendar, a feed and PGN.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.actions import programs as actions
from tournaments.actions.logins.second_factor import is_on
from tournaments.actions.programs import end_token, make_token
from tournaments.errors import Busy, DomainError, Wait
from tournaments.models import Event, Round, Section
from tournaments.queries.programs import (
    ended_webhooks,
    newest_messages,
    tokens_of_event,
    tokens_of_person,
    webhooks_of,
)
from web.context import section_context, section_url
from web.forms.errors import add_refusal
from web.forms.programs import KINDS, TokenForm, WebhookForm
from web.languages import PaperLanguage, paper_language
from web.login_mail import mail_change
from web.qr import public_url
from web.requests import PersonRequest
from web.views.account import prove
from web.views.public.programs import pgn_of
from web.words.refusals import explain

from .access import actor_of, event_page, person_page, section_page

# Access tokens for programs that use the API: of an event, and of a person for all own events.


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
        return _programs_page(request, event, _form(request))
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
            return _programs_page(request, event, _form(request), made=made, text=text)
    return _programs_page(request, event, form, status=422)


def _end(request: PersonRequest, event: Event | None) -> HttpResponse:
    asked = request.POST["end"]
    key = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 18 else 0
    try:
        ended = end_token(actor=actor_of(request), event=event, token_id=key)
    except DomainError as error:
        return _programs_page(request, event, _form(request), status=error.status, problem=explain(error))
    messages.info(request, _("The token of %(name)s has ended.") % {"name": ended.name})
    return redirect("tournaments:programs", event=event.slug) if event else redirect("own-programs")


def _form(request: PersonRequest, data: QueryDict | None = None) -> TokenForm:
    return TokenForm(data, factor_on=is_on(request.user))


def _programs_page(
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
    template = "staff/programs.html" if event else "logins/programs.html"
    return render(request, template, context, status=status)


# Webhooks of an event: who is told, with which secret, and what became of the messages.


@event_page("GET", "HEAD", "POST")
def webhooks_page(request: PersonRequest, event: Event) -> HttpResponse:
    """Show the webhooks. A POST makes or removes one, gives it a new secret, or sends a message again."""
    if request.method != "POST":
        return _webhook_page(request, event, WebhookForm())
    for name in ("secret", "remove", "again", "test", "choose"):
        if name in request.POST:
            return _changed(request, event, name, request.POST[name])
    form = WebhookForm(request.POST)
    if form.is_valid():
        try:
            made, secret = actions.make_webhook(actor=actor_of(request), event=event, **form.cleaned_data)
        except DomainError as error:
            add_refusal(form, error)
        else:
            return _webhook_page(request, event, WebhookForm(), made=made, secret=secret)
    return _webhook_page(request, event, form, status=422)


def _changed(request: PersonRequest, event: Event, name: str, asked: str) -> HttpResponse:
    key = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 18 else 0
    actor = actor_of(request)
    try:
        if name == "secret":
            made, secret = actions.change_secret(actor=actor, event=event, webhook_id=key)
            return _webhook_page(request, event, WebhookForm(), made=made, secret=secret, former=True)
        if name == "remove":
            actions.remove_webhook(actor=actor, event=event, webhook_id=key)
            messages.info(request, _("The webhook is removed."))
        elif name == "test":
            actions.send_test(event=event, webhook_id=key)
            messages.info(
                request, _("A test message is sent in a few seconds. The list says whether it arrived.")
            )
        elif name == "choose":
            actions.choose_kinds(
                actor=actor, event=event, webhook_id=key, kinds=request.POST.getlist("kinds")
            )
            messages.info(request, _("The messages of the webhook are chosen."))
        else:
            actions.send_message_again(event=event, message_id=key)
            messages.info(request, _("The message is sent again in a few seconds."))
    except DomainError as error:
        return _webhook_page(request, event, WebhookForm(), status=error.status, problem=explain(error))
    return redirect("tournaments:webhooks", event=event.slug)


def _webhook_page(
    request: PersonRequest, event: Event, form: WebhookForm, *, status: int = 200, **more: object
) -> HttpResponse:
    """Show the page. more: `made`, `secret` and `former`, which only this answer shows; `problem`."""
    context = {
        "event": event,
        "form": form,
        "webhooks": webhooks_of(event),
        "ended": ended_webhooks(event),
        "kinds": KINDS,
        "sent": newest_messages(event),
        **more,
    }
    return render(request, "staff/programs_webhooks.html", context, status=status)


# What an organiser copies into other web sites and programs: frames, JSON, calendar, feed and PGN.


@dataclass(frozen=True, slots=True)
class CopiedLine:
    """A line to copy. use: what it is for."""

    label: str
    use: str
    text: str


@section_page("GET", "HEAD")
def other_sites(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the lines to copy."""
    paper = paper_language(request)
    context = section_context(request, section, "other-sites")
    context |= {
        "paper": paper,
        "frames": _frames(request, section, paper),
        "addresses": _addresses(request, section, paper),
        "sites": section.event.embed_sites.split(),
        "owns": request.user.has_perm("tournaments.manage_event", section.event),
    }
    return render(request, "staff/programs_other_sites.html", context)


@section_page("GET", "HEAD")
def transmission(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """Send the boards of a published round as PGN, with FIDE IDs and full names."""
    try:
        return pgn_of(section, number, fide_ids=True)
    except Round.DoesNotExist as missing:
        raise Http404(str(missing)) from missing


def _frames(request: PersonRequest, section: Section, paper: PaperLanguage) -> list[CopiedLine]:
    def frame(document: str, label: str) -> CopiedLine:
        path = section_url("embed", section, document=document)
        url = public_url(request, path, paper.code)
        return CopiedLine(
            label, "", f'<iframe src="{url}" title="{label}" width="100%" height="600"></iframe>'
        )

    aro = [frame("aro", _("ARO list"))] if "aro" in section.lists else []
    return [frame("pairings", _("Pairings")), frame("standings", _("Standings")), *aro]


def _addresses(request: PersonRequest, section: Section, paper: PaperLanguage) -> list[CopiedLine]:
    def line(label: str, use: str, path: str) -> CopiedLine:
        return CopiedLine(label, use, public_url(request, path, paper.code))

    latest = section.played_rounds.exclude(state=Round.State.DRAFT).order_by("-number").first()
    event = section.event
    api = reverse("api:v1:public-standings", kwargs={"section": section.pk})
    of_calendar = (
        _("The rounds of this section.")
        if any(section.start_of(number) for number in range(1, section.rounds + 1))
        else _("It is empty, because no round of this section has a day yet.")
    )
    found = [
        line(_("Calendar"), of_calendar, section_url("calendar", section)),
        line(
            _("Calendar of the event"),
            _("The rounds of all sections."),
            reverse("tournaments:event-calendar", kwargs={"event": event.slug}),
        ),
        line(_("Feed"), _("What is published, as Atom."), section_url("feed", section)),
        line(_("Standings as JSON"), _("For scripts of any web site."), api),
    ]
    if latest is not None:
        parts = {"section": section.pk, "number": latest.number}
        found.append(
            line(
                _("Pairings as JSON"),
                _("For scripts of any web site."),
                reverse("api:v1:public-round", kwargs=parts),
            )
        )
        if event.public_pgn:
            pgn = section_url("boards-pgn", section, number=latest.number)
            found.append(line(_("Boards as PGN"), _("For everybody, without FIDE IDs."), pgn))
        own = section_url("transmission", section, number=latest.number)
        found.append(line(_("Boards for the transmission"), _("For arbiters, with FIDE IDs."), own))
    return found
