from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, models, transaction

from tests.factories import SectionFactory
from tournaments.models import ActionLog

pytestmark = pytest.mark.django_db


@pytest.fixture
def row() -> ActionLog:
    section = SectionFactory()
    return ActionLog.objects.create(
        event=section.event, section=section, who="arbiter", action="test", revision=1
    )


def test_row_cannot_be_saved_again(row: ActionLog) -> None:
    row.reason = "other"
    with pytest.raises(TypeError):
        row.save()


def test_row_cannot_be_deleted(row: ActionLog) -> None:
    with pytest.raises(TypeError):
        row.delete()
    with pytest.raises(TypeError):
        ActionLog.objects.filter(pk=row.pk).delete()


def test_rows_cannot_be_updated(row: ActionLog) -> None:
    with pytest.raises(TypeError):
        ActionLog.objects.filter(pk=row.pk).update(reason="other")


def test_database_refuses_an_update_that_bypasses_the_model(row: ActionLog) -> None:
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        models.QuerySet(ActionLog).filter(pk=row.pk).update(reason="other")
    with (
        pytest.raises(IntegrityError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE tournaments_actionlog SET who = 'nobody'")


def test_each_revision_has_only_one_row(row: ActionLog) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        ActionLog.objects.create(
            event=row.event, section=row.section, who="arbiter", action="test", revision=1
        )


def test_account_in_the_log_cannot_be_deleted(row: ActionLog, django_user_model: type[models.Model]) -> None:
    user = django_user_model.objects.create(username="arbiter")
    ActionLog.objects.create(event=row.event, user=user, who="arbiter", action="test")
    with pytest.raises(models.ProtectedError):
        user.delete()
