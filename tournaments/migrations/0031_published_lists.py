"""Lists that are published after a round are kept. In existing sections they are published by themselves."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0030_explained_to")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="section",
            name="lists_by_hand",
            field=models.BooleanField(default=False, verbose_name="lists are published by an arbiter"),
        ),
        migrations.CreateModel(
            name="PublishedList",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("after_round", models.PositiveSmallIntegerField()),
                ("edition", models.PositiveSmallIntegerField()),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("of_revision", models.PositiveIntegerField()),
                ("who", models.CharField(blank=True, max_length=150)),
                ("content", models.JSONField(default=dict)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "section",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="published_lists",
                        to="tournaments.section",
                    ),
                ),
            ],
            options={
                "ordering": ["section_id", "kind", "after_round", "edition"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["section", "kind", "after_round", "edition"], name="one_list_an_edition"
                    )
                ],
            },
        ),
        migrations.RunPython(install, drop),
    ]
