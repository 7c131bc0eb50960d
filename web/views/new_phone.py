"""Allow a new phone: a link that a person makes where they are logged in, and opens in the new browser."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from base.networks import address_of
from tournaments.actions.device_links import LIFETIME, device_link_of, make_device_link, use_device_link
from tournaments.errors import Busy, DomainError
from tournaments.models import User
from web.devices import greet_device, remember_device
from web.qr import public_url, qr_svg, reaches_phones
from web.requests import PersonRequest
from web.words.refusals import explain

from .forgotten import link_gone
from .login import with_retry_after
from .staff.access import actor_of, person_page


@person_page("GET", "HEAD", "POST")
def new_phone(request: PersonRequest) -> HttpResponse:
    """Make a link for a new browser of the person. Only the answer to this request shows it."""
    context: dict[str, object] = {"minutes": LIFETIME.seconds // 60}
    if request.method == "POST":
        token = make_device_link(actor=actor_of(request), user=request.user)
        address = public_url(request, reverse("allow-phone", kwargs={"token": token}))
        context |= {"address": address, "qr": qr_svg(address) if reaches_phones(request) else ""}
    return render(request, "registration/new_phone.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def allow_phone(request: HttpRequest, token: str) -> HttpResponse:
    """The page of a link: make this browser one that the person has used. Looking at the page uses nothing up."""
    try:
        person = device_link_of(token).user
        if request.method != "POST":
            return _page(request, person)
        use_device_link(token=token, origin=address_of(request))
    except Busy as error:
        return with_retry_after(_page(request, person, problem=explain(error)), error)
    except DomainError as error:
        return link_gone(request, error)
    messages.info(
        request, _("This browser no longer has to wait because of others. Log in with your password.")
    )
    answer = redirect(f"{reverse('login')}?{urlencode({'name': person.username})}")
    remember_device(request, answer, person.username)
    return answer


def _page(request: HttpRequest, person: User, *, problem: str = "") -> HttpResponse:
    context = {"username": person.username, "problem": problem}
    answer = render(request, "registration/allow_phone.html", context)
    greet_device(request, answer)
    return answer
