"""Note that a mail address is that of the player, who opened the link in a mail and pressed the button."""

from __future__ import annotations

from registrations.models import Registration


def prove_mail(*, registration_id: int) -> None:
    Registration.objects.filter(pk=registration_id).update(email_proved=True)
