"""Pages for people who are invited, and for people who make their own login."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from base.networks import address_of
from tournaments.actions.logins import sign_up as make_login
from tournaments.actions.logins.attempts import SIGN_UP, LoginSource, trial
from tournaments.actions.people import accept_invitation, decline_invitation, has_already, note_opened
from tournaments.errors import Busy, DomainError, NotFound, Wait
from tournaments.models import EventRole, Invitation
from tournaments.queries.people import invitation_of
from web.forms.errors import add_refusal
from web.forms.logins import SignUpForm
from web.recent_logins import remember_device
from web.requests import PageRequest, PersonRequest, is_of_person
from web.words.refusals import explain

from .logins import BACKEND, with_retry_after
from .staff.access import actor_of, login_first, person_page, posted, refused


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: PageRequest, token: str) -> HttpResponse:
    """Show an invitation by link: event, role, who invites. A POST accepts or declines it."""
    found = _invitation(request, token)
    if found is None:
        return _over(request)
    if request.method == "POST":
        if not is_of_person(request):
            return login_first(request)
        return _answer(request, found)
    return _shown(request, found, token, SignUpForm())


@never_cache
@require_http_methods(["POST"])
def make_login_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Make the login of an invited person, and lead back to the invitation, which must still be accepted."""
    found = _invitation(request, token)
    if found is None or found.user_id is not None or request.user.is_authenticated:
        return _over(request)
    form = SignUpForm(request.POST)
    done = _signed_up(request, form, found)
    if done is True:
        answer = redirect("tournaments:invitation", token=token)
        remember_device(request, answer, form.cleaned_data["username"])
        return answer
    return _refused_now(_shown(request, found, token, form), done)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Make a login without an invitation, if site owners allow it."""
    if request.user.is_authenticated:
        return redirect("home")
    if not request.user.has_perm("tournaments.sign_up"):
        return render(request, "logins/sign_up.html", {"closed": True}, status=403)
    form = SignUpForm(posted(request))
    done = request.method == "POST" and _signed_up(request, form, None)
    if done is True:
        messages.info(request, _("Your login is made, and you are logged in."))
        answer = redirect("home")
        remember_device(request, answer, form.cleaned_data["username"])
        return answer
    status = 422 if form.errors else 200
    return _refused_now(render(request, "logins/sign_up.html", {"form": form}, status=status), done)


@person_page("POST")
def answer_invitation(request: PersonRequest, invitation: int) -> HttpResponse:
    """Accept or decline an invitation that is listed on the first page."""
    return _answer(request, get_object_or_404(Invitation, pk=invitation, user=request.user))


def _invitation(request: HttpRequest, token: str) -> Invitation | None:
    """Return the invitation of a link if it is open and this visitor may see it."""
    found = invitation_of(token)
    if found is None or not request.user.is_authenticated:
        return found
    return found if request.user.has_perm("tournaments.answer_invitation", found) else None


def _over(request: HttpRequest) -> HttpResponse:
    return render(request, "logins/invitation.html", {"over": True}, status=404)


def _shown(request: HttpRequest, found: Invitation, token: str, form: SignUpForm) -> HttpResponse:
    user = request.user if is_of_person(request) else None
    if found.made_by != user:
        note_opened(found)
    roles = EventRole.objects.filter(event=found.event, user=user).order_by("pk") if user else ()
    context = {
        "invitation": found,
        "token": token,
        "form": form,
        "held": list(dict.fromkeys(row.get_role_display() for row in roles)),
        "enough": user is not None and has_already(user, found),
    }
    return render(request, "logins/invitation.html", context, status=422 if form.errors else 200)


def _answer(request: PersonRequest, found: Invitation) -> HttpResponse:
    """Accept or decline. The caller has found out that the person may answer."""
    accepts = request.POST.get("answer") == "accept"
    try:
        if accepts:
            accept_invitation(actor=actor_of(request), invitation=found)
        else:
            decline_invitation(actor=actor_of(request), invitation=found)
    except DomainError as error:
        return refused(request, error)
    if accepts:
        sentence = _("You now work on %(event)s. Your role: %(role)s.")
        messages.info(request, sentence % {"event": found.event.name, "role": found.get_role_display()})
        return redirect("tournaments:event", event=found.event.slug)
    messages.info(request, _("You declined the invitation to %(event)s.") % {"event": found.event.name})
    return redirect("home")


def _signed_up(request: HttpRequest, form: SignUpForm, invited: Invitation | None) -> DomainError | bool:
    """Make the login and log the person in. If this fails, the form says why; an error is one of the moment."""
    if not form.is_valid():
        return False
    wanted = {name: form.cleaned_data[name] for name in ("username", "full_name", "password")}
    origin = address_of(request)
    try:
        with trial(SIGN_UP, wanted["username"], LoginSource(address=origin)) as tried:
            user = make_login(**wanted, origin=origin, invitation=invited)
            if invited is not None:  # a link makes one login anyway
                tried.succeeded()
    except (Wait, Busy) as error:
        form.add_error(None, explain(error))
        return error
    except NotFound as error:
        form.add_error(None, explain(error))
        return False
    except DomainError as error:
        add_refusal(form, error)
        return False
    login(request, user, backend=BACKEND)
    return True


def _refused_now(page: HttpResponse, done: DomainError | bool) -> HttpResponse:
    return with_retry_after(page, done) if isinstance(done, DomainError) else page
