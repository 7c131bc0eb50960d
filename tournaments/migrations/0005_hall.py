import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0004_schedule"),
    ]

    operations = [
        migrations.RunPython(drop, install),
        migrations.CreateModel(
            name="CheckIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round_number", models.PositiveSmallIntegerField(verbose_name="round")),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["round_number", "participant"],
            },
        ),
        migrations.AddField(
            model_name="actionlog",
            name="back_to",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="actionlog",
            name="changes",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="actionlog",
            name="undoes",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="over_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="over_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="second_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="second_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="second_result",
            field=models.CharField(
                blank=True,
                choices=[
                    ("1-0", "1-0"),
                    ("1/2", "1/2"),
                    ("0-1", "0-1"),
                    ("+:-", "+:-"),
                    ("-:+", "-:+"),
                    ("-:-", "-:-"),
                    ("adj", "adj"),
                    ("1/2-0", "1/2-0"),
                    ("0-1/2", "0-1/2"),
                    ("0-0", "0-0"),
                    ("W-L", "W-L"),
                    ("D-D", "D-D"),
                    ("L-W", "L-W"),
                ],
                max_length=6,
            ),
        ),
        migrations.AddField(
            model_name="participant",
            name="left_after",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="round",
            name="manual_reason",
            field=models.CharField(blank=True, max_length=300),
        ),
        migrations.AddField(
            model_name="tournament",
            name="check_in_round",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="tournament",
            name="countdown_to",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="tournament",
            name="half_bye_limit",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="half-point byes a player may ask for"
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="hall_message",
            field=models.CharField(blank=True, max_length=120, verbose_name="line on the hall screen"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="last_bye_round",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="last round in which a bye with points may be asked for"
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="result_keys",
            field=models.CharField(
                choices=[
                    ("evenboard", "Evenboard: 1, 5, 0"),
                    ("vega", "Vega: 1, 5, 0 and 3, 4, 2 for forfeits"),
                    ("swiss-manager", "Swiss-Manager: 1, 2, 3"),
                ],
                default="evenboard",
                max_length=20,
                verbose_name="keys for results",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "second_result__in",
                        [
                            "",
                            "1-0",
                            "1/2",
                            "0-1",
                            "+:-",
                            "-:+",
                            "-:-",
                            "adj",
                            "1/2-0",
                            "0-1/2",
                            "0-0",
                            "W-L",
                            "D-D",
                            "L-W",
                        ],
                    )
                ),
                name="known_second_result",
            ),
        ),
        migrations.AddField(
            model_name="checkin",
            name="by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="checkin",
            name="participant",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="check_ins",
                to="tournaments.participant",
            ),
        ),
        migrations.AddConstraint(
            model_name="checkin",
            constraint=models.UniqueConstraint(
                fields=("participant", "round_number"), name="one_check_in_a_round"
            ),
        ),
        migrations.AddConstraint(
            model_name="checkin",
            constraint=models.CheckConstraint(
                condition=models.Q(("round_number__gte", 1)), name="check_in_rounds_count_from_1"
            ),
        ),
        migrations.RunPython(install, drop),
    ]
