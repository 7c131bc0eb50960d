"""The page of a login: password, second factor, mail, sessions and keys; and a link that opens a new phone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from base.networks import address_of
from tournaments.actions.logins import (
    DEVICE_LINK_LIFETIME,
    choose_language,
    choose_mail,
    choose_result_keys,
    device_link_of,
    end_links,
    end_open_links,
    end_other_access,
    make_device_link,
    password_made_by,
    totp,
    use_device_link,
)
from tournaments.actions.logins import second_factor as factor
from tournaments.actions.logins.attempts import CODE, PASSWORD, trial
from tournaments.actions.logins.sessions import end_session, session_moved, sessions_of
from tournaments.errors import Busy, DomainError, Refusal
from tournaments.models import LoginSession, ResultKeys, User
from tournaments.queries.programs import NO_ACCESS, opened_by
from web.forms.errors import add_refusal
from web.forms.logins import ChangePasswordForm, KeepForm, LoginMailForm, ProvenForm, TurnOnForm
from web.languages import for_any_reader
from web.login_mail import mail_change
from web.qr import public_url, qr_svg, reaches_phones
from web.recent_logins import greet_device, remember_device, source_of
from web.requests import PersonRequest
from web.words.people import agent_words
from web.words.refusals import explain

from .logins import link_gone, with_retry_after
from .staff.access import View, actor_of, person_page, posted

# Refusals
WRONG_PASSWORD = Refusal("wrong_password", gettext_lazy("This is not your current password."))


# What everybody may see and change about their own login.

ISSUER = "Evenboard"
OTHERS = "others"
LATELY = timedelta(minutes=20)


@person_page("GET", "HEAD")
def account(request: PersonRequest) -> HttpResponse:
    """Show the person's login: password, second factor, mail, sessions."""
    here = request.session.session_key
    context = {
        "sessions": [_row(session, here) for session in sessions_of(request.user)],
        "factor_on": factor.is_on(request.user),
        "codes_left": request.user.recovery_codes.count(),
        "mail": settings.MAIL_IS_SET_UP,
        "own_language": dict(settings.LANGUAGES).get(request.user.language, ""),
        "makes_events": request.user.has_perm("tournaments.create_event"),
        "set_by": password_made_by(request.user),
        "keep": KeepForm(opened=opened_by(request.user)),
    }
    return render(request, "logins/account.html", context)


def _row(session: LoginSession, here: str | None) -> dict[str, Any]:
    """Return what the list says about a session. Its key is a secret: whoever has the key is logged in."""
    return {
        "pk": session.pk,
        "browser": agent_words(session.agent),
        "address": session.address,
        "started": session.started_at,
        "seen": _ago(session),
        "here": session.session_key == here,
    }


def _ago(session: LoginSession) -> str:
    now = timezone.now()
    if now - session.seen_at < LATELY:
        return _("in the last 20 minutes")
    return _("%(time)s ago") % {"time": timesince(session.seen_at, now, depth=1)}


@person_page("POST")
def end(request: PersonRequest) -> HttpResponse:
    """End one session of the person, or all except this one."""
    which = request.POST.get("session", "")
    if which == OTHERS:
        form = KeepForm(request.POST, opened=opened_by(request.user))
        keep = form.is_valid() and form.keeps
        ended = NO_ACCESS if keep else opened_by(request.user).counts()
        here = request.session.session_key or ""
        end_other_access(actor=actor_of(request), user=request.user, session=here, keep=keep)
        messages.info(request, _("All other sessions are ended."))
        mail_change(request, request.user, gettext_lazy("All other sessions were ended."), ended=ended)
    elif which.isdecimal() and len(which) < 19:  # as the key of a row
        end_session(user=request.user, session=int(which))
        messages.info(request, _("The session is ended."))
    return redirect("account")


class _PasswordView(PasswordChangeView):
    """Asks for the old password. The change ends the person's other sessions."""

    request: PersonRequest
    template_name = "logins/password.html"
    success_url = reverse_lazy("account")
    form_class = ChangePasswordForm

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "opened": opened_by(self.request.user)}

    def post(self, request: HttpRequest, *_args: Any, **_parts: Any) -> HttpResponse:
        form = self.get_form()
        name = self.request.user.username
        with trial(PASSWORD, name, source_of(request, name)) as tried:
            form.is_valid()
            if "old_password" not in form.errors:
                tried.succeeded()
        return self.form_valid(form) if form.is_valid() else self.form_invalid(form)

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        assert isinstance(form, ChangePasswordForm)
        user, session = self.request.user, self.request.session
        old = session.session_key or ""
        ended = NO_ACCESS if form.keeps else opened_by(user).counts()
        answer = super().form_valid(form)
        here = session.session_key or ""
        end_links(user)
        session_moved(old=old, new=here)
        end_other_access(actor=actor_of(self.request), user=user, session=here, keep=form.keeps)
        messages.info(self.request, _("Your password is changed. All other sessions are ended."))
        mail_change(self.request, user, gettext_lazy("Your password was changed."), ended=ended)
        return answer

    def form_invalid(self, form: PasswordChangeForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


@person_page("GET", "HEAD", "POST")
def second_factor(request: PersonRequest) -> HttpResponse:
    """Turn the second factor on or off, and make new recovery codes, which only the answer to this request shows."""
    if not factor.is_on(request.user):
        return _turn_on(request)
    form = ProvenForm(posted(request), factor_on=True)
    if request.method == "POST" and form.is_valid():
        try:
            prove(request, form)
        except DomainError as error:
            add_unproven(form, error)
        else:
            return _turned(request)
    left = request.user.recovery_codes.count()
    context = {"form": form, "left": left}
    return render(request, "logins/factor_on.html", context, status=422 if form.errors else 200)


def _turned(request: PersonRequest) -> HttpResponse:
    if request.POST.get("do") == "codes":
        codes = factor.renew_codes(request.user)
        mail_change(
            request, request.user, gettext_lazy("New recovery codes were made. The old ones no longer work.")
        )
        return _show_codes(request, codes)
    factor.turn_off(request.user)
    mail_change(
        request, request.user, gettext_lazy("The second factor is off. Your password is enough to log in.")
    )
    messages.info(request, _("The second factor is off. Your password is enough to log in."))
    return redirect("account")


def _turn_on(request: PersonRequest) -> HttpResponse:
    form = TurnOnForm(posted(request), opened=opened_by(request.user))
    if request.method == "POST" and form.is_valid():
        ended = NO_ACCESS if form.keeps else opened_by(request.user).counts()
        try:
            _check_password(request, form.cleaned_data["password"])
            here = request.session.session_key or ""
            codes = factor.turn_on(user=request.user, code=form.cleaned_data["code"], session=here)
        except DomainError as error:
            add_unproven(form, error)
        else:
            actor = actor_of(request)
            end_other_access(actor=actor, user=request.user, session=here, keep=form.keeps)
            mail_change(request, request.user, gettext_lazy("The second factor is on."), ended=ended)
            request.session.cycle_key()  # a copy of the old key must not open the login without a code
            session_moved(old=here, new=request.session.session_key or "")
            messages.info(request, _("All other sessions are ended."))
            return _show_codes(request, codes)
    secret = factor.secret_of(factor.prepare(request.user))
    address = totp.app_address(secret, issuer=ISSUER, name=request.user.username)
    written = totp.base32(secret)
    groups = " ".join(written[start : start + 4] for start in range(0, len(written), 4))
    context = {"form": form, "qr": qr_svg(address), "secret": groups}
    return render(request, "logins/factor_off.html", context, status=422 if form.errors else 200)


def _show_codes(request: PersonRequest, codes: list[str]) -> HttpResponse:
    return render(request, "logins/codes.html", {"codes": codes})


@person_page("GET", "HEAD", "POST")
def mail(request: PersonRequest) -> HttpResponse:
    """Set the address that gets links for a new password. A thief of an open session must not be able to do this."""
    form = LoginMailForm(posted(request), initial={"email": request.user.email})
    if request.method == "POST" and form.is_valid():
        try:
            _check_password(request, form.cleaned_data["password"])
            before = request.user.email
            choose_mail(user=request.user, address=form.cleaned_data["email"])
        except DomainError as error:
            add_unproven(form, error)
        else:
            if before != request.user.email:
                end_open_links(request.user)  # one of them may have gone to the former address
                change = gettext_lazy("The e-mail address of your login was changed.")
                for address in (before, request.user.email):
                    mail_change(request, request.user, change, to=address)
            messages.info(request, _("Your e-mail address is saved."))
            return redirect("account")
    context = {"form": form, "mail": settings.MAIL_IS_SET_UP}
    return render(request, "logins/mail.html", context, status=422 if form.errors else 200)


def prove(request: PersonRequest, form: forms.Form) -> None:
    """Check the password of a form, and its code if it has one: it has one while the second factor is on.

    Raises Wait, Busy; DomainError: wrong_password, wrong_code.
    """
    _check_password(request, form.cleaned_data["password"])
    if "code" in form.fields:
        _check_code(request, form.cleaned_data["code"])


def add_unproven(form: forms.Form, error: DomainError) -> None:
    """Show a wrong password or code at its field. Raises any other error."""
    if error.code not in ("wrong_password", "wrong_code", "recovery_code_waits"):
        raise error
    add_refusal(form, error)


def _check_password(request: PersonRequest, password: str) -> None:
    """Check the password with the same limits as a login. Raises Wait, Busy, DomainError("wrong_password")."""
    user: User = request.user
    with trial(PASSWORD, user.username, source_of(request, user.username)) as tried:
        if not user.check_password(password):
            raise WRONG_PASSWORD.error()
        tried.succeeded()


def _check_code(request: PersonRequest, code: str) -> None:
    """Use up a code, with the same limits as a login. Raises Wait, Busy, DomainError("wrong_code")."""
    user: User = request.user
    with trial(CODE, user.username, source_of(request, user.username)) as tried:
        factor.check_code(user=user, code=code)
        tried.succeeded()


class _KeysForm(forms.Form):
    keys = forms.ChoiceField(
        label=gettext_lazy("Digits as in"), choices=ResultKeys.choices, widget=forms.RadioSelect
    )


class _LanguageForm(forms.Form):
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=lambda: [("", gettext_lazy("The language of the browser")), *settings.LANGUAGES],
        widget=forms.RadioSelect,
        required=False,
    )


@person_page("GET", "HEAD", "POST")
def language(request: PersonRequest) -> HttpResponse:
    """Choose the language of all pages for this login. The next page is in this language."""
    form = _LanguageForm(posted(request), initial={"language": request.user.language})
    if request.method == "POST" and form.is_valid():
        choose_language(user=request.user, language=form.cleaned_data["language"])
        return redirect(for_any_reader(reverse("account")))
    context = {"form": form, "partly": settings.PARTLY_ENGLISH}
    return render(request, "logins/language.html", context, status=422 if form.errors else 200)


@person_page("GET", "HEAD", "POST")
def result_keys(request: PersonRequest) -> HttpResponse:
    """Choose which keys type results. The page of results asks for JSON, and gets 200 or 422."""
    form = _KeysForm(posted(request), initial={"keys": request.user.result_keys})
    by_script = request.headers.get("Accept", "").startswith("application/json")
    if request.method == "POST" and form.is_valid():
        choose_result_keys(user=request.user, keys=form.cleaned_data["keys"])
        if by_script:
            return JsonResponse({"keys": request.user.result_keys})
        messages.info(request, _("Your keys for results are saved."))
        return redirect("result-keys")
    if by_script:
        return JsonResponse({"keys": request.user.result_keys}, status=422 if form.is_bound else 200)
    return render(request, "logins/keys.html", {"form": form}, status=422 if form.is_bound else 200)


password = person_page("GET", "HEAD", "POST")(
    cast("View", _PasswordView.as_view())  # never answers with a stream, which would be no HttpResponse
)


# Allow a new phone: a link that a person makes where they are logged in, and opens in the new browser.


@person_page("GET", "HEAD", "POST")
def new_phone(request: PersonRequest) -> HttpResponse:
    """Make a link for a new browser of the person. Only the answer to this request shows it."""
    context: dict[str, object] = {"minutes": DEVICE_LINK_LIFETIME.seconds // 60}
    if request.method == "POST":
        token = make_device_link(actor=actor_of(request), user=request.user)
        address = public_url(request, reverse("allow-phone", kwargs={"token": token}))
        context |= {"address": address, "qr": qr_svg(address) if reaches_phones(request) else ""}
    return render(request, "logins/new_phone.html", context)


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
        request, _("Wrong passwords of others no longer make this browser wait. Log in with your password.")
    )
    answer = redirect(f"{reverse('login')}?{urlencode({'name': person.username})}")
    remember_device(request, answer, person.username)
    return answer


def _page(request: HttpRequest, person: User, *, problem: str = "") -> HttpResponse:
    context = {"username": person.username, "problem": problem}
    answer = render(request, "logins/allow_phone.html", context)
    greet_device(request, answer)
    return answer
