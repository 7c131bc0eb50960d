"""Incidents: noted, changed and removed."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from .declaration import Row, Sentence, always, reverted, text, value_at

_TEXTS = {
    "illegal": text(_("Round %(round)s: illegal move by %(subject)s")),
    "phone": text(_("Round %(round)s: phone of %(subject)s")),
    "late": text(_("Round %(round)s: late arrival of %(subject)s")),
    "claim": text(_("Round %(round)s: claim by %(subject)s")),
    "warning": text(_("Round %(round)s: warning for %(subject)s")),
    "penalty": text(_("Round %(round)s: penalty for %(subject)s")),
    "": text(_("Round %(round)s: incident of %(subject)s")),
}


def _kind(row: Row) -> str:
    kind = value_at(row, ("after", "incident"))
    return kind if isinstance(kind, str) and kind in _TEXTS else ""


NOTE_INCIDENT = reverted("note_incident", _("incident noted"), Sentence(_TEXTS, _kind))
CHANGE_INCIDENT = reverted(
    "change_incident",
    _("incident changed"),
    always(_("Round %(round)s: incident of %(subject)s changed")),
)
REMOVE_INCIDENT = reverted(
    "remove_incident",
    _("incident removed"),
    always(_("Round %(round)s: incident of %(subject)s removed")),
)
