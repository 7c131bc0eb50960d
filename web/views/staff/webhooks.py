"""Webhooks of an event: who is told, with which secret, and what became of the messages."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.actions import webhooks as actions
from tournaments.errors import DomainError
from tournaments.models import Event
from tournaments.queries.webhooks import ended_webhooks, newest_messages, webhooks_of
from web.forms.errors import add_refusal
from web.forms.programs import KINDS, WebhookForm
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import actor_of, event_page


@event_page("GET", "HEAD", "POST")
def webhooks(request: PersonRequest, event: Event) -> HttpResponse:
    """Show the webhooks. A POST makes or removes one, gives it a new secret, or sends a message again."""
    if request.method != "POST":
        return _page(request, event, WebhookForm())
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
            return _page(request, event, WebhookForm(), made=made, secret=secret)
    return _page(request, event, form, status=422)


def _changed(request: PersonRequest, event: Event, name: str, asked: str) -> HttpResponse:
    key = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 18 else 0
    actor = actor_of(request)
    try:
        if name == "secret":
            made, secret = actions.change_secret(actor=actor, event=event, webhook_id=key)
            return _page(request, event, WebhookForm(), made=made, secret=secret, former=True)
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
            actions.send_again(event=event, message_id=key)
            messages.info(request, _("The message is sent again in a few seconds."))
    except DomainError as error:
        return _page(request, event, WebhookForm(), status=error.status, problem=explain(error))
    return redirect("tournaments:webhooks", event=event.slug)


def _page(
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
    return render(request, "staff/webhooks.html", context, status=status)
