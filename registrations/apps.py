from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.apps import AppConfig

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from registrations.models import HistoryLine
    from tournaments.entry_data import ImportRow
    from tournaments.models import Event, Participant, Player, Section, User


class RegistrationsConfig(AppConfig):
    name = "registrations"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let the erasing of a player erase the registration too, and the file of a person and the archive have it.

        A section with registrations is not hidden. The history of registrations is one of the logs. Next year's event
        has the same settings.

        `tournaments` does not know this application.
        """
        from registrations.models import HistoryLine
        from tournaments.hooks import (
            also_archives,
            also_deletes,
            also_erases,
            also_keeps,
            asked_of_organisers,
            fees_of,
            keeps_for_arbiter,
            keeps_in_sight,
            keeps_move,
            keeps_rating_limit,
            other_logs,
            rating_limits,
            takes_over_settings,
            waits_for_arbiter,
        )

        also_archives.append(_archived)
        also_deletes.append(_counts)
        also_erases.append(_erase)
        takes_over_settings.append(_take_over)
        also_keeps.append(_kept)
        asked_of_organisers.append(_asked)
        fees_of.append(_fees)
        keeps_in_sight.append(_in_sight)
        waits_for_arbiter.append(_waiting)
        keeps_for_arbiter.append(_keep)
        keeps_move.append(_keep_move)
        keeps_rating_limit.append(_keep_limit)
        other_logs.append((HistoryLine, _line_words))
        rating_limits.append(_limit)


def _erase(event: Event, player: Player) -> None:
    """Load what this needs when it is needed: commands and the start of the server are quicker."""
    from registrations.actions.erasing import erase_registrations_of

    erase_registrations_of(event, player)


def _counts(event: Event) -> dict[str, int]:
    from registrations.models import Charge, Registration

    return {
        "registrations": Registration.objects.filter(event=event).count(),
        "payments": Charge.objects.filter(registration__event=event).count(),
    }


def _take_over(event: Event, made: Event, sections: dict[int, int], shift: timedelta) -> None:
    from registrations.actions.next_year import take_over_registration

    take_over_registration(event, made, sections, shift)


def _kept(player: Player) -> dict[str, Any]:
    from registrations.queries.archives import registrations_kept

    return registrations_kept(player)


def _fees(section: Section) -> dict[int, tuple[int, int, str]]:
    from registrations.queries.desk import fees_of_entries

    return fees_of_entries(section)


def _limit(section: Section) -> tuple[int | None, int | None]:
    from registrations.queries.places import rating_limit

    return rating_limit(section)


def _keep_limit(section: Section, lowest: int | None, highest: int | None) -> None:
    from registrations.actions.sections import keep_rating_limit

    keep_rating_limit(section, lowest, highest)


def _in_sight(section: Section) -> None:
    from registrations.actions.sections import refuse_hiding

    refuse_hiding(section)


def _archived(event: Event) -> tuple[str, list[tuple[str, str, bytes]]]:
    from registrations.queries.archives import registrations_archived

    return registrations_archived(event)


def _keep(section: Section, user: User | None, rows: Sequence[ImportRow]) -> int:
    from registrations.actions.new_registrations import register_late

    return register_late(section=section, user=user, rows=rows)


def _keep_move(entry: Participant, section: Section, user: User | None) -> None:
    from registrations.actions.sections import keep_move

    keep_move(entry, section, user)


def _asked(event: Event) -> tuple[int, int]:
    from registrations.queries.queue import to_decide

    return to_decide(event)


def _waiting(section: Section) -> int:
    from registrations.queries.places import how_many_wait

    return how_many_wait(section)


def _line_words(line: HistoryLine) -> tuple[str, str, str, str]:
    from registrations.web.staff.conflict_check import step_hand, step_words

    one = line.registration
    return str(one.section), one.name, step_words(line), step_hand(line)
