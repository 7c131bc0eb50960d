"""Check that a refusal changes nothing in the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection

from tests.house.packages import SITE
from tournaments.errors import REFUSALS, DomainError, Refusal
from tournaments.models import ActionLog, EventChange, Section


def all_refusals() -> Mapping[str, Refusal]:
    """Return the refusals of all actions, by code. Each is made when its module is imported."""
    for file in (file for tree in SITE for file in (settings.BASE_DIR / tree).rglob("*.py")):
        if " = Refusal(" in file.read_text("utf-8"):
            import_module(
                ".".join(file.relative_to(settings.BASE_DIR).with_suffix("").parts).removesuffix(".__init__")
            )
    return REFUSALS


def tables() -> dict[str, list[dict[str, Any]]]:
    """Return every row of every table of the application, as the driver gives it: the models would take longer. Marks
    for the copies of the site are left out: a row that is written as it was has one too.
    """
    found = {}
    with connection.cursor() as cursor:
        for model in set(apps.get_app_config("tournaments").get_models()) - {EventChange}:
            table, key = model._meta.db_table, model._meta.pk.column
            cursor.execute(f'SELECT * FROM "{table}" ORDER BY "{key}"')  # noqa: S608 - names of columns
            names = [column[0] for column in cursor.description]
            found[model.__name__] = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return found


@contextmanager
def refused(code: str, **params: Any) -> Iterator[None]:
    """Expect a DomainError with this code and at least these parameters, and an unchanged database."""
    before = tables()
    with pytest.raises(DomainError) as caught:
        yield
    assert caught.value.code == code
    assert {key: caught.value.params[key] for key in params} == params
    assert tables() == before


@contextmanager
def unchanged() -> Iterator[None]:
    """Expect an unchanged database."""
    before = tables()
    yield
    assert tables() == before


@contextmanager
def one_step(section: Section, action: str) -> Iterator[list[ActionLog]]:
    """Expect one new row in the log and a revision that is higher by one. The list then has the row."""
    revision = Section.objects.get(pk=section.pk).revision
    rows = set(ActionLog.objects.values_list("pk", flat=True))
    logged: list[ActionLog] = []
    yield logged
    logged += ActionLog.objects.exclude(pk__in=rows)
    assert [(row.action, row.section_id, row.revision) for row in logged] == [
        (action, section.pk, revision + 1)
    ]
    assert Section.objects.get(pk=section.pk).revision == revision + 1
