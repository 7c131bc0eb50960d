from __future__ import annotations

from django.apps import AppConfig


class EnteringConfig(AppConfig):
    name = "entering"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let the erasing of a player erase the registration too, and the file of a person have it.

        `tournaments` does not know this application.
        """
        from entering.actions.erasing import erase_registrations_of
        from entering.queries.person import registrations_kept
        from tournaments.actions.erasing import also_erases
        from tournaments.exports.person import also_keeps

        also_erases.append(erase_registrations_of)
        also_keeps.append(registrations_kept)
