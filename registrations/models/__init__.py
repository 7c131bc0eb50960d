"""The tables of registrations. A registration asks for a place; once accepted, it has an entry (`Participant`)."""

from __future__ import annotations

from .mail import Mail, MailText
from .records import Charge, HistoryLine, Label, LateMove, ListNews, Note, WishedBye
from .registration import Registration
from .settings import EventRegistration, SectionRegistration

__all__ = [
    "Charge",
    "EventRegistration",
    "HistoryLine",
    "Label",
    "LateMove",
    "ListNews",
    "Mail",
    "MailText",
    "Note",
    "Registration",
    "SectionRegistration",
    "WishedBye",
]
