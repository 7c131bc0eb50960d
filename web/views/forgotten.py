"""A forgotten password: a link by mail, and the page that a link opens."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from base.networks import address_of
from tournaments.actions.login_trials import MAIL, Source, trial
from tournaments.actions.password_links import link_of, use_link
from tournaments.errors import Busy, DomainError, Wait
from tournaments.queries.access_tokens import NOTHING, opened_by
from web.devices import remember_device
from web.forms.logins import ForgottenForm, ResetPasswordForm
from web.login_mail import mail_change, mail_link
from web.qr import url_for_others
from web.words.refusals import explain

from .login import with_retry_after
from .staff.access import posted

GONE = 410


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def forgotten(request: HttpRequest) -> HttpResponse:
    """Ask for the login name. The answer to every name is the same."""
    template = "registration/forgotten.html"
    if not settings.MAIL_IS_SET_UP:
        return render(request, template, {"by_mail": False})
    form = ForgottenForm(posted(request))
    if request.method != "POST" or not form.is_valid():
        status = 422 if form.errors else 200
        return render(request, template, {"by_mail": True, "form": form}, status=status)
    name = form.cleaned_data["username"]
    try:
        with trial(MAIL, name, Source(address_of(request))):
            mail_link(name, _address_of(request), get_language() or settings.LANGUAGE_CODE)
    except (Wait, Busy) as error:
        context = {"by_mail": True, "form": form, "problem": explain(error)}
        return with_retry_after(render(request, template, context), error)
    return render(request, template, {"by_mail": True, "asked": name})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_password(request: HttpRequest, token: str) -> HttpResponse:
    """The page of a link: set a new password. Looking at the page does not use up the link."""
    try:
        link = link_of(token)
    except DomainError as error:
        return link_gone(request, error)
    form = ResetPasswordForm(link.user, posted(request), opened=opened_by(link.user))
    if request.method == "POST" and form.is_valid():
        try:
            user = form.save(commit=False)
            ended = NOTHING if form.keeps else opened_by(user).counts()
            use_link(token=token, user=user, origin=address_of(request), keep=form.keeps)
        except Busy as error:
            return with_retry_after(_page(request, form, problem=explain(error)), error)
        except DomainError as error:
            return link_gone(request, error)
        messages.info(request, _("Your new password is saved. Log in with it."))
        mail_change(request, user, gettext_lazy("A new password was set with a link."), ended=ended)
        answer = redirect("login")
        remember_device(request, answer, user.username)
        return answer
    return _page(request, form, status=422 if form.errors else 200)


def _page(
    request: HttpRequest, form: ResetPasswordForm, *, problem: str = "", status: int = 200
) -> HttpResponse:
    context = {"form": form, "username": form.user.username, "problem": problem}
    return render(request, "registration/new_password.html", context, status=status)


def link_gone(request: HttpRequest, error: DomainError) -> HttpResponse:
    """Answer that a link no longer works."""
    return render(request, "registration/link_gone.html", {"problem": explain(error)}, status=GONE)


def _address_of(request: HttpRequest) -> Callable[[str], str]:
    return lambda token: url_for_others(request, reverse("new-password", kwargs={"token": token}))
