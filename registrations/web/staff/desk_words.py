"""What a helper at the desk reads."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from base.reader import date_format
from base.text import isolated
from registrations.actions.marking import Differs
from registrations.models import Registration
from registrations.web.forms.desk import CorrectionForm
from registrations.web.forms.money import shown_amount
from web.words.absences import overtaken_sentence

DONE: Mapping[str, Promise] = {
    "here": gettext_lazy("%(name)s is here"),
    "both": gettext_lazy("%(name)s is here and has paid"),
    "paid": gettext_lazy("%(name)s has paid"),
    "away": gettext_lazy("%(name)s is not here"),
}


def differs_sentence(one: Registration, differs: Differs, currency: str) -> str:
    """Return both values: what was noted at this desk, and what somebody else has written since."""
    if differs.overtaken is not None:
        return overtaken_sentence(differs.overtaken)
    about = {
        "name": isolated(one.name),
        "by": differs.by or _("somebody"),
        "at": date_format(localtime(differs.at), "H:i") if differs.at else "–",
    }
    if differs.fact == "paid":
        money = {
            "now": f"{shown_amount(max(differs.now, 0))} {currency}",
            "paid": f"{shown_amount(differs.typed)} {currency}",
        }
        return _(
            "You noted that %(name)s paid %(paid)s. Meanwhile %(by)s changed the account (%(at)s): %(now)s is owed."
        ) % {**about, **money}
    return _(
        "You corrected “%(field)s” of %(name)s to “%(typed)s”. Meanwhile %(by)s changed it (%(at)s) to “%(now)s”."
    ) % {
        **about,
        "field": CorrectionForm.base_fields[differs.fact].label,
        "typed": differs.typed or "",
        "now": differs.now or "",
    }
