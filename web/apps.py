from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class WebConfig(AppConfig):
    name = "web"

    def ready(self) -> None:
        """Note logins. Let a prepared round follow the last result: `pairing` is no application of Django."""
        from tournaments.hooks import follows_results

        follows_results.append(_results_came)
        user_logged_in.connect(_note_login, dispatch_uid="web.note_login")


def _note_login(request: Any, user: Any, **_kwargs: Any) -> None:
    """Note a new session when it begins, whichever page began it."""
    from web.middleware import note_request

    note_request(request, user)


def _results_came(section_id: int) -> None:
    """Load what this needs when it is needed: commands and the start of the server are quicker."""
    from pairing.ahead import results_came

    results_came(section_id)
