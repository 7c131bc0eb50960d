"""Keep the file of each published round and the engine that paired it, so that the round can be proved years later.

Both stay as they were when the program is upgraded (docs/decisions/0066).
"""

from __future__ import annotations

from functools import partial

from django.db import transaction

from evenboard_engine import PROGRAM, VERSION
from evenboard_engine.trf import report_before, write_report
from tournaments.engine_package import engine_package
from tournaments.files.report_writing import entries_as_paired
from tournaments.models import EnginePackage, RoundFile, Section
from tournaments.queries.why import round_as_paired, rules_of


def keep_file_after_commit(section: Section, number: int) -> None:
    """Keep the file of a round after the current transaction is committed. Without it, the page makes the file."""
    transaction.on_commit(partial(keep_round_file, section.pk, number), robust=True)


def keep_round_file(section_id: int, number: int) -> None:
    """Keep the file of a round and the engine that is installed now."""
    section = Section.objects.get(pk=section_id)
    base = round_as_paired(section, number, entries_as_paired(section, number))
    code, content = engine_package()
    EnginePackage.objects.get_or_create(code=code, defaults={"version": VERSION, "content": content})
    RoundFile.objects.create(
        section=section,
        number=number,
        rules=rules_of(section),
        version=VERSION,
        program=code,
        report=write_report(report_before(base.before, PROGRAM)).decode(),
    )
