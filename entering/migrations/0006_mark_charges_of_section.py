from datetime import timedelta
from typing import Any

from django.db import migrations
from django.db.models import DateTimeField, ExpressionWrapper, F


def mark(apps: Any, _editor: Any) -> None:
    """Mark the lines that came with the registration: until now, only these were the price of a section."""
    begun = ExpressionWrapper(
        F("registration__created_at") + timedelta(seconds=5), output_field=DateTimeField()
    )
    lines = apps.get_model("entering", "Charge").objects.filter(kind__in=["fee", "reduction"], note="")
    lines.filter(at__lte=begun).update(of_section=True)


class Migration(migrations.Migration):
    """Apart from the column itself: PostgreSQL changes no table that has unfinished writes."""

    dependencies = [("entering", "0005_charge_of_section")]

    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
