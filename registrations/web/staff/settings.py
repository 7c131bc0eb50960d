"""The organiser's settings: who may register, how, at which price, and the texts of the mails."""

from __future__ import annotations

from typing import Any

from django.conf import settings as conf
from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from evenboard_engine import system_named
from registrations.actions.clock import contacts_kept, last_day_of_contacts
from registrations.actions.mails import mail_server_fails, set_mail_text
from registrations.actions.settings import set_up_registration, would_offer
from registrations.models import EventRegistration, MailText, Registration, SectionRegistration
from registrations.models.mail import MailKind
from registrations.queries.mails import PLACES
from registrations.queries.places import places_of
from registrations.queries.queue import FACTS, QueueCondition, QueueFilter
from registrations.refusals import OFFERS_TO_CONFIRM
from registrations.web.forms.settings import EventRegistrationForm, MailTextForm, SectionRegistrationForm
from registrations.web.words.mails import deletion_sentence, footer_of, text_for
from tournaments.errors import DomainError
from tournaments.models import Event
from tournaments.questions import ask
from web.forms.errors import add_refusal
from web.qr import public_url, qr_svg, reaches_phones
from web.requests import PersonRequest
from web.views.privacy import clock_doubt
from web.views.staff.access import actor_of, answers_of, event_page, posted

SHOWN = 20
"""Names of people who would get an offer."""


@event_page("GET", "HEAD", "POST")
def settings(request: PersonRequest, event: Event) -> HttpResponse:
    """Show and change the settings of the event and of all its sections."""
    stored = EventRegistration.objects.filter(event=event).first()
    # without mail nobody can confirm
    shown = stored or EventRegistration(event=event, confirm_by_mail=conf.MAIL_IS_SET_UP)
    form = EventRegistrationForm(posted(request), initial=EventRegistrationForm.initial_of(shown))
    offers: list[Registration] = []
    answer = ""
    sections = _section_forms(request, event, set_up=stored is not None)
    if request.method == "POST" and all([form.is_valid(), *(each.is_valid() for each, _section in sections)]):
        values = {**form.cleaned_data, "address": public_url(request, "/").rstrip("/")}
        of_sections = {section.pk: each.cleaned_data for each, section in sections}
        what: Any = {"actor": actor_of(request), "event": event, "values": values, "sections": of_sections}
        try:
            if offers := would_offer(**what):
                waiting = [one.pk for one in offers]
                ask(OFFERS_TO_CONFIRM.error(registrations=waiting), answers_of(request))
            set_up_registration(**what)
        except DomainError as error:
            if error.code == "offers_to_confirm":
                answer = error.answer
            else:
                add_refusal(form, error)
        if not answer and not form.errors:
            messages.info(request, _("The settings of the registration are saved."))
            if form.cleaned_data["confirm_by_mail"] and (kind := mail_server_fails()):
                fails = _("The mail server does not answer (%(kind)s). Until it does, nobody gets a mail.")
                messages.warning(request, fails % {"kind": kind})
            return redirect("registrations:registration-settings", event=event.slug)
    address = public_url(request, reverse("registrations:register", args=[event.slug]))
    context = {
        "event": event,
        "form": form,
        "sections": sections,
        "stored": stored,
        "offers": offers if answer else [],
        "answer": answer,
        "offered": offers[:SHOWN],
        "unnamed": max(0, len(offers) - SHOWN),
        "places": places_of(event),
        "misfits": _misfits(event),
        "forgotten_on": last_day_of_contacts(stored) if stored else None,
        "deletion": deletion_sentence(stored) if stored else "",
        "doubt": clock_doubt(),
        "forgotten": stored is not None and not contacts_kept(stored),
        "address": address,
        "code": qr_svg(address) if reaches_phones(request) else "",
        "sends_mail": conf.MAIL_IS_SET_UP,
        "mails": MailKind.choices,
        "own_mails": set(MailText.objects.filter(event=event).values_list("kind", flat=True)),
    }
    wrong = form.errors or any(each.errors for each, _section in sections)
    return render(request, "registrations/staff/settings.html", context, status=422 if wrong else 200)


def _misfits(event: Event) -> dict[int, tuple[int, str]]:
    """Return how many do not meet the limits of their sections, and the address of the queue that has them."""
    rows = Registration.objects.filter(FACTS["misfit"], event=event).order_by().values_list("section")
    return {
        key: (
            count,
            QueueFilter(pile="all", section=key, conditions=(QueueCondition("fact.misfit"),)).address(),
        )
        for key, count in rows.annotate(n=Count("pk"))
    }


def _section_forms(
    request: PersonRequest, event: Event, *, set_up: bool
) -> list[tuple[SectionRegistrationForm, Any]]:
    limits = {each.section_id: each for each in SectionRegistration.objects.filter(section__event=event)}
    found = []
    for section in event.sections.filter(taken_away=False).order_by("pk"):
        of_section = limits.get(section.pk) or SectionRegistration(section=section, open=True)
        if not set_up:  # a rating limit of a new section can be there before
            of_section.open = True
        initial = SectionRegistrationForm.initial_of(of_section)
        form = SectionRegistrationForm(posted(request), initial=initial, prefix=f"section{section.pk}")
        if system_named(section.system).takes_unrated:
            del form.fields["unrated_as"]
        elif section.minimum_rating:
            form.fields["unrated_as"].help_text = _(
                "Provisional. Empty: %(rating)s, the minimum rating of the section."
            ) % {"rating": section.minimum_rating}
        found.append((form, section))
    return found


@event_page("GET", "HEAD", "POST")
def mail_text(request: PersonRequest, event: Event, mail: str) -> HttpResponse:
    """Show and change the text of a mail. Saved without any text, it becomes that of the program again."""
    kind = mail
    if kind not in MailKind.values:
        raise Http404
    subject, body = text_for(event.pk, kind)
    form = MailTextForm(posted(request), initial={"subject": subject, "body": body})
    if request.method == "POST" and (form.is_valid() or "reset" in request.POST):
        texts = {"subject": "", "body": ""} if "reset" in request.POST else form.cleaned_data
        try:
            set_mail_text(event=event, kind=kind, **texts)
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect("registrations:registration-settings", event=event.slug)
    context = {
        "event": event,
        "form": form,
        "title": MailKind(kind).label,
        "kind": kind,
        "places": [f"{{{name}}}" for name in PLACES],
        "below": footer_of(event),
        "own": MailText.objects.filter(event=event, kind=kind).exists(),
    }
    return render(request, "registrations/staff/mail.html", context, status=422 if form.errors else 200)
