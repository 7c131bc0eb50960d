"""The choice about the page across events, behind the link of a guardian or one that an arbiter gave to the player."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from base.zones import use_zone
from registrations.actions.persons_page import ask_guardian, give_consent, withdraw_consent
from registrations.queries.persons_page import PageChoice, choice_of_link
from tournaments.errors import DomainError
from tournaments.models import Event
from web.requests import PageRequest
from web.views.public.public_page import PRIVATE
from web.words.refusals import explain

JOIN, LEAVE, LEAVE_ALL, ASK = "join", "leave", "leave-all", "ask-guardian"
BUTTONS = (JOIN, LEAVE, LEAVE_ALL, ASK)


def choose(request: PageRequest, choice: PageChoice, asked: str) -> None:
    """Do what a button says. Raises as the actions do."""
    if asked == JOIN:
        give_consent(choice)
        messages.info(request, _("You have agreed."))
    elif asked == ASK and choice.writes_guardian and choice.one is not None:
        ask_guardian(event_id=choice.one.event_id, registration_id=choice.one.pk)
        messages.info(request, _("The mail goes to the parent or guardian."))
    elif asked in (LEAVE, LEAVE_ALL):
        withdraw_consent(choice, everywhere=asked == LEAVE_ALL)
        messages.info(request, _("You have taken your consent back."))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def persons_page_choice(request: PageRequest, event: str, consent: str) -> HttpResponse:
    """Show what the person has chosen, or do what a button says. The link opens this of a private event too."""
    found = get_object_or_404(Event.objects.select_related("registration"), slug=event)
    use_zone(found.time_zone)
    choice, problem, status = choice_of_link(found, consent), "", 200
    if choice is None:
        status = 404
    elif request.method == "POST":
        asked = request.POST.get("do", "")
        if asked == JOIN and not choice.of_guardian and not request.POST.get("is-person"):
            problem, status = _("Tick the box that says who you are."), 422
        else:
            try:
                choose(request, choice, asked)
            except DomainError as error:
                problem, status = explain(error), error.status
            else:
                return redirect(request.path)
    context = {"event": found, "choice": choice, "problem": problem}
    answer = render(request, "registrations/public/persons_page.html", context, status=status)
    for name, value in PRIVATE.items():
        answer[name] = value
    return answer
