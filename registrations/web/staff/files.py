"""The queue as a file for spreadsheets, with the filter of the page."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpResponse
from django.utils import timezone

from registrations.models import EventRegistration
from registrations.queries.conditions import HERE
from registrations.queries.queue import QueueFilter, found_by
from registrations.web.forms.money import amount
from registrations.web.staff.access import desk_page
from tournaments.player_fields import REGISTERED
from web.downloads import table_download
from web.requests import PersonRequest

HEAD = (
    "Name", "Sex", "Title", "Federation", "FIDE ID", "Rating", "Rating list", "Birth date",
    *(field.english_head for field in REGISTERED), "Section", "State", "E-mail",
    "Telephone", "Guardian", "Guardian's e-mail", "Half-point bye in round", "Owed", "Present",
    "Labels", "Message", "Notes", "Registered", "Paid",
)  # fmt: skip


def day(at: datetime | None) -> str:
    """Return the day in the zone of the event, as spreadsheets sort it."""
    return timezone.localdate(at).isoformat() if at else ""


@desk_page("GET", "HEAD")
def registrations_file(request: PersonRequest, form: EventRegistration, kind: str = "csv") -> HttpResponse:
    """Return everything that organisers know about the registrations that the filter finds."""
    rows = found_by(form.event, QueueFilter.read(request.GET)).select_related("section").annotate(here=HERE)
    table = (
        (
            *(
                one.name,
                one.sex,
                one.title,
                one.federation,
                one.fide_id,
                one.rating,
                one.rating_list,
                one.birth_date,
            ),
            *(getattr(one, field.name) for field in REGISTERED),
            *(one.section.name, one.state, one.email, one.phone, one.guardian, one.guardian_email),
            ", ".join(str(bye.round_number) for bye in one.byes.all() if bye.state != bye.State.REFUSED),
            amount(one.balance),
            "yes" if one.here else "",
            ", ".join(label.name for label in one.labels.all()),
            one.message,
            "; ".join(note.text for note in one.notes.all()),
            *(day(one.created_at), day(one.paid_at)),
        )
        for one in rows.prefetch_related("byes", "labels", "notes")
    )
    return table_download(lambda write: write(HEAD, table), f"{form.event.slug}-registrations", kind)
