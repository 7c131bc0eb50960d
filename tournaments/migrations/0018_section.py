"""The model of a section gets the name that people read on the pages: Tournament becomes Section.

Rows of the log keep the old names in `changes`, and their seals cover these (tournaments/models/journal.py, OLD_NAMES).
"""

import django.db.models.deletion
from django.db import migrations, models

from ._triggers import drop, install

UNIQUE = {
    "actionlog": [("one_log_row_a_revision", ["revision"])],
    "copyproof": [("one_proof_a_copy", ["name"])],
    "forbiddenpair": [("one_row_a_forbidden_pair", ["first", "second"])],
    "participant": [("one_entry_a_player", ["player"]), ("one_participant_a_pairing_number", ["tpn"])],
    "round": [("one_round_a_number", ["number"])],
}
"""For each model with a section: its constraints that name the section, and their other fields."""
ORDER = {
    "forbiddenpair": ["section_id", "first_id", "second_id"],
    "participant": ["section", "tpn", "pk"],
    "round": ["section", "number"],
}
KNOWN_STATUS = models.Q(status__in=["open", "closed"])


def unique(name, others):
    condition = models.Q(section__isnull=False) if name == "one_log_row_a_revision" else None
    return models.UniqueConstraint(fields=["section", *others], condition=condition, name=name)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0017_plainer_words")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.RemoveIndex("actionlog", "log_newest_first"),
        *(migrations.RemoveConstraint(model, name) for model, found in UNIQUE.items() for name, _ in found),
        migrations.RemoveConstraint("tournament", "known_tournament_status"),
        migrations.RenameModel("Tournament", "Section"),
        *(migrations.RenameField(model, "tournament", "section") for model in UNIQUE),
        migrations.AlterField(
            "section",
            "event",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="sections", to="tournaments.event"
            ),
        ),
        *(migrations.AlterModelOptions(model, {"ordering": order}) for model, order in ORDER.items()),
        migrations.AddIndex("actionlog", models.Index(fields=["section", "-id"], name="log_newest_first")),
        *(
            migrations.AddConstraint(model, unique(name, others))
            for model, found in UNIQUE.items()
            for name, others in found
        ),
        migrations.AddConstraint(
            "section", models.CheckConstraint(condition=KNOWN_STATUS, name="known_section_status")
        ),
        migrations.RunPython(install, drop),
    ]
