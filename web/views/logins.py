"""Logging in, and a forgotten password.

First the password, then a code for people who have a second factor. A link by mail opens the page for a new password, a
link that a person makes where they are logged in opens a new browser, and a link of an organiser makes a login.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import SESSION_KEY, login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from base.networks import address_of
from tournaments.actions.logins import link_of, second_factor, use_link
from tournaments.actions.logins.attempts import CODE, LONGEST_NAME, MAIL, PASSWORD, LoginSource, trial
from tournaments.actions.logins.sessions import forget_ended
from tournaments.errors import Busy, DomainError, Wait
from tournaments.models import User
from tournaments.queries.programs import NO_ACCESS, opened_by
from tournaments.queries.site import cannot_write
from web.forms.errors import add_refusal
from web.forms.logins import CodeForm, ForgottenForm, PasswordForm, ResetPasswordForm
from web.login_mail import mail_change, mail_link
from web.qr import url_for_others
from web.recent_logins import greet_device, remember_device, source_of
from web.requests import own_page
from web.words.refusals import explain

from .staff.access import posted

# Logging in: the password, then a code for people who have a second factor.

HALF = "half-login"
HALF_LASTS = timedelta(minutes=10)
BACKEND = "django.contrib.auth.backends.ModelBackend"


class LoginPage(LoginView):
    """The first step: name and password. Too many failed attempts get an answer without checking a password."""

    authentication_form = PasswordForm
    template_name = "logins/login.html"
    redirect_authenticated_user = True

    def get(self, request: HttpRequest, *args: Any, **parts: Any) -> HttpResponse:
        answer = super().get(request, *args, **parts)
        greet_device(request, answer)
        return answer

    def post(self, request: HttpRequest, *args: Any, **parts: Any) -> HttpResponse:
        name = request.POST.get("username", "").strip()
        if not name or len(name) > LONGEST_NAME or not request.POST.get("password"):  # the form says so
            return super().post(request, *args, **parts)
        form = self.get_form()
        try:
            with trial(PASSWORD, name, source_of(request, name)) as tried:
                if form.is_valid():
                    tried.succeeded()
        except (Wait, Busy) as error:
            return self._not_now(name, error)
        return self.form_valid(form) if form.is_valid() else self.form_invalid(form)

    def get_initial(self) -> dict[str, Any]:
        """Fill in the name that the link for a new phone gives."""
        return {**super().get_initial(), "username": self.request.GET.get("name", "")[:LONGEST_NAME]}

    def get_redirect_url(self) -> str:  # type: ignore[override]  # Django 5.2 passes no request; its types do
        """Return the page that the person wanted, "" if it is none of this server's or the log-in page itself."""
        sent = self.request.POST.get("next", self.request.GET.get("next", ""))
        return own_page(sent, "", never=self.request.path)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        if second_factor.is_on(user):
            _begin_half(self.request, user, self.get_success_url())
            return redirect("login-code")
        return _log_in(self.request, user, self.get_success_url())

    def _not_now(self, name: str, error: DomainError) -> HttpResponse:
        form = self.get_form_class()(self.request, initial={"username": name})
        refused = isinstance(error, Wait)
        page = self.render_to_response(
            self.get_context_data(form=form, problem=explain(error), refused=refused)
        )
        return with_retry_after(page, error)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def login_code(request: HttpRequest) -> HttpResponse:
    """The second step: a code of the app, or a recovery code."""
    half = _half(request)
    if half is None:
        return redirect("login")
    user, after = half
    form = CodeForm(posted(request))
    problem: DomainError | None = None
    if request.method == "POST" and form.is_valid():
        try:
            with trial(CODE, user.username, source_of(request, user.username)) as tried:
                second_factor.check_code(user=user, code=form.cleaned_data["code"])
                tried.succeeded()
        except (Wait, Busy) as error:
            problem = error
        except DomainError as error:
            add_refusal(form, error)
        else:
            return _log_in(request, user, after)
    status = 422 if form.errors else 200
    context = {"form": form, "problem": explain(problem) if problem else ""}
    page = render(request, "logins/code.html", context, status=status)
    return with_retry_after(page, problem) if problem else page


def with_retry_after(page: HttpResponse, error: DomainError) -> HttpResponse:
    """Give a page the status of the error, and say after how many seconds to come again."""
    page.status_code = error.status
    page["Retry-After"] = str(error.params.get("seconds", 3))
    # Django would write an error to the console for every guess; its types do not have this attribute.
    page._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001
    return page


def _log_in(request: HttpRequest, user: User, after: str) -> HttpResponse:
    request.session.pop(HALF, None)
    try:
        login(request, user, backend=BACKEND)
        forget_ended(user)
    except DatabaseError as error:
        # When the disk is full, the session is kept in memory, and the times of the login are not noted.
        if not cannot_write(error) or request.user != user:
            raise
    answer = HttpResponseRedirect(after)
    remember_device(request, answer, user.username)
    return answer


def _begin_half(request: HttpRequest, user: User, after: str) -> None:
    """Note in the session whose password was right. Nobody is logged in yet."""
    request.session.cycle_key()
    request.session[HALF] = {
        "user": user.pk,
        "password": user.get_session_auth_hash(),
        "at": timezone.now().timestamp(),
        "after": after,
    }


def _half(request: HttpRequest) -> tuple[User, str] | None:
    """Return the person and the next page, or None. A new password or ten minutes end it."""
    noted = request.session.get(HALF)
    if noted is None or SESSION_KEY in request.session:
        return None
    age = timezone.now().timestamp() - noted["at"]
    user = User.objects.filter(pk=noted["user"], is_active=True).first()
    if (
        user is None
        or not 0 <= age <= HALF_LASTS.total_seconds()
        or not constant_time_compare(user.get_session_auth_hash(), noted["password"])
    ):
        return None
    return user, noted["after"]


# A forgotten password: a link by mail, and the page that a link opens.

GONE = 410


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def forgotten_password(request: HttpRequest) -> HttpResponse:
    """Ask for the login name. The answer to every name is the same."""
    template = "logins/forgotten.html"
    if not settings.MAIL_IS_SET_UP:
        return render(request, template, {"by_mail": False})
    form = ForgottenForm(posted(request))
    if request.method != "POST" or not form.is_valid():
        status = 422 if form.errors else 200
        return render(request, template, {"by_mail": True, "form": form}, status=status)
    name = form.cleaned_data["username"]
    try:
        with trial(MAIL, name, LoginSource(address_of(request))):
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
            ended = NO_ACCESS if form.keeps else opened_by(user).counts()
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
    return render(request, "logins/new_password.html", context, status=status)


def link_gone(request: HttpRequest, error: DomainError) -> HttpResponse:
    """Answer that a link no longer works."""
    return render(request, "logins/link_gone.html", {"problem": explain(error)}, status=GONE)


def _address_of(request: HttpRequest) -> Callable[[str], str]:
    return lambda token: url_for_others(request, reverse("new-password", kwargs={"token": token}))
