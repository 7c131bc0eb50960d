"""`manage.py load_copy FILE`: load a copy of a section or an event as a new one into this database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.actions.copies import (
    free_name,
    known_roles,
    load_copy,
    load_copy_as_event,
    load_event_copy,
)
from tournaments.actions.ledger import Actor
from tournaments.copy_format import MOST_BYTES
from tournaments.errors import DomainError
from tournaments.files.copy_reading import EventCopy, SectionCopy, read_any
from tournaments.models import Event, User
from web.words.copies import SEALS
from web.words.refusals import explain


class Command(BaseCommand):
    help = (
        "Load a copy as a new event, or with --into as a new section of an event. Existing data are not changed. "
        "If the copy cannot be loaded completely, nothing is loaded and the exit code is 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--into", metavar="ADDRESS", help="the event that gets the new section")
        parser.add_argument(
            "--name", default="", help="with --into: the name of the section, if not that of the copy"
        )
        parser.add_argument(
            "--owner", metavar="LOGIN", help="the login that loads the copy and becomes owner of a new event"
        )
        parser.add_argument(
            "--no-roles",
            action="store_true",
            help="do not load the roles of people from the copy of an event",
        )
        parser.add_argument(
            "--changed",
            action="store_true",
            help="load the copy even if somebody changed it after this server made it",
        )
        parser.add_argument(
            "--both",
            action="store_true",
            help="with --into: also if players of the copy play in another section of the event",
        )
        parser.add_argument("--check", action="store_true", help="only print what is in the file")

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            with Path(file).open("rb") as opened:
                copy = read_any(opened.read(MOST_BYTES + 1))
            self.stdout.write(_facts(copy))
            if not options["check"]:
                self.stdout.write(f"Loaded: /{_loaded(copy, Path(file).name, **options)}/")
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        except DomainError as error:
            raise CommandError(f"{file}: {explain(error)}") from error


def _loaded(
    copy: SectionCopy | EventCopy,
    source: str,
    *,
    into: str | None,
    name: str,
    owner: str | None,
    **options: Any,
) -> str:
    """Load the copy and return the address of the new event or section. Raises DomainError, CommandError."""
    actor = _actor(owner)
    how = {"source": source, "changed": options["changed"]}
    if isinstance(copy, EventCopy):
        if into:
            raise CommandError(
                "This is the copy of an event. Load it without --into: it becomes a new event."
            )
        return load_event_copy(actor=actor, copy=copy, roles=not options["no_roles"], **how).slug
    if not into:
        made = load_copy_as_event(actor=actor, copy=copy, **how)
        return f"{made.event.slug}/{made.slug}"
    event = Event.objects.filter(slug=into).first()
    if event is None:
        raise CommandError(f"No such event: {into}.")
    name = name or free_name(event, copy.name)
    made = load_copy(actor=actor, event=event, copy=copy, name=name, both=options["both"], **how)
    return f"{event.slug}/{made.slug}"


def _actor(owner: str | None) -> Actor:
    if owner is None:
        return Actor.command()
    user = User.objects.filter(username=owner, is_active=True).first()
    if user is None:
        raise CommandError(f"No such login: {owner}.")
    return Actor(user, "command")


def _facts(copy: SectionCopy | EventCopy) -> str:
    sections = copy.sections if isinstance(copy, EventCopy) else (copy,)
    lines = [f"{copy.name}, copied {copy.made_at:%Y-%m-%d %H:%M} UTC" if copy.made_at else copy.name]
    lines.append(f"  {SEALS[copy.origin]}")
    for section in sections:
        rows = section.rows
        lines.append(
            f"  {section.name}: {len(rows['participants'])} entries, {len(rows['rounds'])} rounds, "
            f"{section.results} results, {len(section.log)} rows of the log"
        )
    if isinstance(copy, EventCopy) and (strangers := set(copy.roles) - set(known_roles(copy))):
        lines.append(f"  without a login here: {', '.join(sorted({held.username for held in strangers}))}")
    return "\n".join(lines)
