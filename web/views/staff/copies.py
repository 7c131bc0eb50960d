"""Copies of a section or an event: list them, make them, download them, and load them as something new."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import eq
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from base.reader import READER
from tournaments.actions.chores import ask_for_copies
from tournaments.actions.copies import (
    free_name,
    load_copy,
    load_copy_as_event,
    load_event_copy,
)
from tournaments.actions.stored_copies import StoredCopy, stored_copies, stored_copy, take_copy
from tournaments.copy_format import CopyOrigin
from tournaments.errors import DomainError
from tournaments.files.copy_reading import EventCopy, SectionCopy, read_any
from tournaments.files.copy_writing import copy_file, event_file
from tournaments.files.entry_matching import id_conflicts
from tournaments.models import CopyProof, Event, EventRole, Section
from tournaments.models.events import AT_REST
from tournaments.queries.copies import copies_elsewhere, hosts_apart
from web import files
from web.context import section_context, section_url
from web.forms.copies import CopyFileForm, LoadEventForm, LoadSectionForm
from web.forms.errors import add_refusal
from web.requests import PersonRequest
from web.words.copies import SEALS, fault_sentence, occasion_text
from web.words.refusals import explain

from .access import (
    COPIES,
    actor_of,
    answers_of,
    asks_both,
    event_page,
    may_not,
    person_page,
    posted,
    section_page,
)

PLACE = "copy"
UNFOLDED = 20_000_000
"""The most bytes of an uploaded copy when uncompressed: about 6,000 players in 9 rounds."""
GZIP = "application/gzip"


@dataclass(frozen=True, slots=True)
class Proved:
    """The outcome of a test restore, in words."""

    at: datetime
    outcome: str
    failed: bool


@section_page("GET", "HEAD", permission=COPIES)
def copies(request: PersonRequest, section: Section) -> HttpResponse:
    """List the copies of the section on this machine, newest first, and say which are kept."""
    found = stored_copies(section)
    proofs = {proof.name: proof for proof in section.copy_proofs.all()}
    context = section_context(request, section, "log") | {
        "copies": [(copy, occasion_text(copy), _proof_of(copy, proofs)) for copy in found],
        "elsewhere": copies_elsewhere(),
        "hosts": READER.listed(hosts_apart()),
        "host": socket.gethostname(),
        "size": sum(copy.size for copy in found),
        "keep": settings.BACKUP_KEEP,
        "days": settings.BACKUP_DAYS,
        "manages": request.user.has_perm("tournaments.manage_event", section.event),
        "loads_copies": request.user.has_perm("tournaments.load_copy"),
    }
    return render(request, "staff/copies.html", context)


def _proof_of(copy: StoredCopy, proofs: Mapping[str, CopyProof]) -> Proved | None:
    """Return the outcome of the test restore in words; None if there is none of this file as it is."""
    proof = proofs.get(copy.name)
    if proof is None or proof.changed_ns != copy.changed_ns:
        return None
    return Proved(proof.at, fault_sentence(proof.fault, proof.detail), failed=bool(proof.fault))


@section_page("POST", permission=COPIES)
def copy_elsewhere(request: PersonRequest, section: Section) -> HttpResponse:
    """Ask for copies of all events in the other place. The server makes them by itself."""
    if settings.BACKUP_TO:
        ask_for_copies()
        messages.info(
            request,
            _("The copies are made in the background. Load this page again to see when they are done."),
        )
    return redirect(section_url("copies", section))


@section_page("GET", "HEAD", permission=COPIES)
def copy_now(_request: PersonRequest, section: Section) -> HttpResponse:
    """Send a file of the section as it is now. No action waits for it."""
    data = copy_file(section, compressed=True)
    return _download(data, f"{section.event.slug}-{section.slug}-rev{section.revision:05}.json.gz")


@event_page("GET", "HEAD")
def event_copy(_request: PersonRequest, event: Event) -> HttpResponse:
    """Send a file of the event as it is now, with all its sections."""
    data = event_file(event, compressed=True)
    return _download(data, f"{event.slug}.json.gz")


@section_page("POST", permission=COPIES)
def keep_copy(request: PersonRequest, section: Section) -> HttpResponse:
    """Make a copy on this machine."""
    take_copy(section, "asked")
    messages.info(request, _("The section is copied."))
    return redirect(section_url("copies", section))


@section_page("GET", "HEAD", permission=COPIES)
def kept_copy(_request: PersonRequest, section: Section, name: str) -> HttpResponse:
    """Send a copy that is stored on this machine."""
    return _download(_data_of(section, name), f"{section.event.slug}-{section.slug}-{name}")


@section_page("POST", permission="tournaments.manage_event")
def open_copy(request: PersonRequest, section: Section, name: str) -> HttpResponse:
    """Open a stored copy on the page that shows its content; nothing is loaded yet."""
    files.keep_upload(request, PLACE, name, _data_of(section, name))
    return redirect(f"{reverse('tournaments:load-copy-check')}?{urlencode({'into': section.event.slug})}")


def _data_of(section: Section, name: str) -> bytes:
    copy = stored_copy(section, name)
    try:
        if copy is not None:
            return copy.path.read_bytes()
    except OSError as error:
        raise Http404 from error
    raise Http404


def _download(data: bytes, name: str) -> HttpResponse:
    """Return the response for a file. Slugs and the names of stored copies are safe in a header."""
    return HttpResponse(
        data, content_type=GZIP, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@person_page("GET", "HEAD", "POST", permission="tournaments.load_copy")
def load(request: PersonRequest) -> HttpResponse:
    """Take the file; the next page reads it."""
    form = CopyFileForm(posted(request), request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        files.keep_upload(request, PLACE, file.name, file.read())
        into = urlencode({"into": request.GET.get("into", "")[:60]})
        return redirect(f"{reverse('tournaments:load-copy-check')}?{into}")
    return _choose(request, form)


def _choose(request: PersonRequest, form: CopyFileForm, problem: str = "") -> HttpResponse:
    context = {"form": form, "into": request.GET.get("into", "")[:60], "problem": problem}
    return render(request, "staff/copies_load.html", context, status=422 if form.errors or problem else 200)


@person_page("GET", "HEAD", "POST", permission="tournaments.load_copy")
def load_check(request: PersonRequest) -> HttpResponse:
    """Show what is in the file. A POST loads it."""
    file = files.kept_upload(request, PLACE)
    if file is None:
        if request.method == "POST":
            messages.warning(
                request, _("The server no longer has the file. Nothing was loaded. Choose the file again.")
            )
        return redirect("tournaments:load-copy")
    try:
        copy = read_any(file.data, UNFOLDED)
    except DomainError as error:
        return _choose(request, CopyFileForm(), explain(error))
    form = _form_for(request, copy)
    problem, both = "", ""
    if request.method == "POST" and request.POST.get("upload") != file.token:
        problem = _(
            "You have opened another file since then, %(name)s. Nothing was loaded. This page shows the new file."
        ) % {"name": file.name}
    elif request.method == "POST" and form.is_valid():
        try:
            address = _load(request, copy, file.name, form.cleaned_data)
        except DomainError as error:
            add_refusal(form, error)
            both = asks_both(error)
        else:
            files.forget_upload(request)
            return redirect(address)
    context = {
        "file": file,
        "copy": copy,
        "is_event": isinstance(copy, EventCopy),
        "sections": _facts(copy),
        "form": form,
        "people": _people(copy),
        "seal": SEALS[copy.origin],
        "trusted": copy.origin is CopyOrigin.OWN,
        "problem": problem,
        "asks_both": both,
        **_conflicts(request, copy, form),
    }
    status = 409 if problem else 422 if form.errors else 200
    return render(request, "staff/copies_load_check.html", context, status=status)


def _form_for(request: PersonRequest, copy: SectionCopy | EventCopy) -> LoadSectionForm | LoadEventForm:
    changed = copy.origin is CopyOrigin.CHANGED
    if isinstance(copy, EventCopy):
        return LoadEventForm(posted(request), is_changed=changed)
    own = Event.objects.exclude(state__in=AT_REST)
    own = own.filter(roles__user=request.user, roles__role=EventRole.Role.OWNER).order_by("-start", "name")
    places = list(own.values_list("slug", "name"))
    if request.user.has_perm("tournaments.create_event"):
        places.insert(0, (LoadSectionForm.NEW, _("a new event, not public")))
    initial = {"into": request.GET.get("into", "")}
    return LoadSectionForm(posted(request), places=places, initial=initial, is_changed=changed)


def _load(request: PersonRequest, copy: SectionCopy | EventCopy, source: str, asked: dict[str, Any]) -> str:
    """Load the copy and return the address of the new section or event. Raises DomainError."""
    actor = actor_of(request)
    how = {"source": source, "changed": asked.get("changed", False)}
    as_event = isinstance(copy, EventCopy) or asked["into"] == LoadSectionForm.NEW
    if as_event and not request.user.has_perm("tournaments.create_event"):
        raise PermissionDenied(may_not("tournaments.create_event"))
    if isinstance(copy, EventCopy):
        event = load_event_copy(actor=actor, copy=copy, invite=asked["invite"], **how)
        return reverse("tournaments:event", kwargs={"event": event.slug})
    if asked["into"] == LoadSectionForm.NEW:
        made = load_copy_as_event(actor=actor, copy=copy, **how)
        return section_url("cockpit", made)
    event = get_object_or_404(Event, slug=asked["into"])
    if not request.user.has_perm("tournaments.manage_event", event):
        raise PermissionDenied
    name = asked["name"] or free_name(event, copy.name)
    both = answers_of(request, event.pk, request.POST.get("upload"), name)
    return section_url("cockpit", load_copy(actor=actor, event=event, copy=copy, name=name, both=both, **how))


def _conflicts(
    request: PersonRequest, copy: SectionCopy | EventCopy, form: LoadSectionForm | LoadEventForm
) -> dict[str, Any]:
    """Return the players whose FIDE ID the chosen event has under another name, for the page."""
    event = Event.objects.filter(slug=form["into"].value() or "").first() if "into" in form.fields else None
    if (
        event is None
        or isinstance(copy, EventCopy)
        or not request.user.has_perm("tournaments.manage_event", event)
    ):
        return {}
    rows = enumerate(copy.rows["players"], start=1)
    people = [(place, row["fide_id"], row["name"]) for place, row in rows if row.get("fide_id")]
    return {"conflicts": id_conflicts(event, people, eq), "into": event}


@dataclass(frozen=True, slots=True)
class CopiedSection:
    """What a section of the copy holds."""

    name: str
    entries: int
    rounds: int
    results: int
    actions: int


def _facts(copy: SectionCopy | EventCopy) -> list[CopiedSection]:
    return [
        CopiedSection(
            section.name,
            len(section.rows["participants"]),
            len(section.rows["rounds"]),
            section.results,
            len(section.log),
        )
        for section in (copy.sections if isinstance(copy, EventCopy) else (copy,))
    ]


def _people(copy: SectionCopy | EventCopy) -> list[tuple[str, str]]:
    """Return name and role of each person. The page does not say which of them have a login here."""
    if not isinstance(copy, EventCopy):
        return []
    return [(held.username, str(EventRole.Role(held.role).label)) for held in copy.roles]
