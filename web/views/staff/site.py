"""The site: who may make events and logins. For site owners."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.actions.chores import trust_clock
from tournaments.actions.logins import create_site_login
from tournaments.actions.site import RIGHTS, choose_site_settings, set_rights
from tournaments.errors import DomainError
from tournaments.queries.site import SEARCH_LENGTH, logins_page, site_log
from tournaments.rules import site_settings
from web.forms.errors import add_refusal
from web.forms.logins import SiteForm, SiteLoginForm
from web.requests import PersonRequest
from web.views.privacy import clock_doubt
from web.words.log_sentences import site_sentence_of
from web.words.refusals import explain

from .access import actor_of, person_page, posted

OWNERS = "tournaments.manage_site"


@person_page("GET", "HEAD", "POST", permission=OWNERS)
def site(request: PersonRequest) -> HttpResponse:
    """Show the settings, the logins with their rights, and what was changed. A POST saves the settings."""
    form = _settings_form(request)
    if request.method == "POST" and form.is_valid():
        choose_site_settings(actor=actor_of(request), **form.cleaned_data)
        messages.info(request, _("The settings are saved."))
        return redirect("tournaments:site")
    return _site(request, form=form)


def _settings_form(request: PersonRequest, *, shown: bool = False) -> SiteForm:
    settings = site_settings()
    initial = {"events_by": settings.events_by, "open_registration": settings.open_registration}
    return SiteForm(None if shown else posted(request), initial=initial)


@person_page("POST", permission=OWNERS)
def rights(request: PersonRequest) -> HttpResponse:
    """Give and take the rights whose boxes the person changed; what another site owner changed meanwhile stays."""
    try:
        changed = set_rights(actor=actor_of(request), changes=_changes(request.POST))
    except DomainError as error:
        return _site(request, refused=error)
    if changed:
        sentence = ngettext(
            "The rights of %(count)s login are changed.",
            "The rights of %(count)s logins are changed.",
            changed,
        )
        messages.info(request, sentence % {"count": changed})
    back = {name: value for name in ("q", "page") if (value := request.POST.get(name, ""))}
    query = f"?{urlencode(back)}" if back else ""
    return redirect(f"{reverse('tournaments:site')}{query}#logins")


def _changes(sent: QueryDict) -> dict[int, dict[str, bool]]:
    """Return the boxes that differ from those of the page that was shown. Each is named `right-key`."""
    now, before = set(sent.getlist("on")), set(sent.getlist("was"))
    changes: dict[int, dict[str, bool]] = {}
    for box in now ^ before:
        right, _sign, key = box.rpartition("-")
        if right in RIGHTS and key.isdecimal() and len(key) < 19:
            changes.setdefault(int(key), {})[right] = box in now
    return changes


@person_page("POST", permission=OWNERS)
def confirm_time(request: PersonRequest) -> HttpResponse:
    """End the doubt about the clock of the server."""
    trust_clock()
    messages.info(request, _("The time is confirmed."))
    return redirect("tournaments:site")


@person_page("POST", permission=OWNERS)
def make_login(request: PersonRequest) -> HttpResponse:
    """Make a login. Only the answer to this request shows its password."""
    form = SiteLoginForm(request.POST, prefix="new")
    if form.is_valid():
        try:
            user, password = create_site_login(actor=actor_of(request), **form.cleaned_data)
        except DomainError as error:
            add_refusal(form, error)
        else:
            made = {"username": user.username, "label": user.label, "password": password}
            return _site(request, made=made)
    return _site(request, login_form=form)


def _site(
    request: PersonRequest,
    *,
    form: SiteForm | None = None,
    login_form: SiteLoginForm | None = None,
    refused: DomainError | None = None,
    **more: Any,
) -> HttpResponse:
    search = request.GET.get("q", "")[:SEARCH_LENGTH]
    page = logins_page(request.GET.get("page", "1"), search)
    context = {
        "form": form or _settings_form(request, shown=True),
        "login_form": login_form or SiteLoginForm(prefix="new"),
        "page": page,
        "logins": [(user, _boxes(user)) for user in page],
        "search": search,
        "log": [(row, site_sentence_of(row)) for row in site_log()],
        "doubt": clock_doubt(),
        "problem": explain(refused) if refused else "",
        **more,
    }
    wrong = any(sent is not None and sent.errors for sent in (form, login_form))
    status = refused.status if refused else 422 if wrong else 200
    return render(request, "staff/site.html", context, status=status)


def _boxes(user: Any) -> list[dict[str, Any]]:
    """Return the boxes of a login. The right of a superuser comes from the command line and cannot be taken here."""
    labels = {
        "site_owner": _("site owner"),
        "makes_events": _("makes events"),
        "makes_logins": _("makes logins"),
        "keeps_lists": _("keeps rating lists"),
    }
    return [
        {
            "value": f"{right}-{user.pk}",
            "on": getattr(user, right),
            "label": _("%(name)s: %(right)s") % {"name": user.label, "right": labels[right]},
            "fixed": right == "site_owner" and user.is_superuser,
        }
        for right in RIGHTS
    ]
