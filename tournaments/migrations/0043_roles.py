"""Seven roles in the event or in a section, with an end. An arbiter of before becomes chief arbiter, with the same rights.

An owner stays owner. Open invitations of arbiters become invitations of chief arbiters.
"""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from ._triggers import drop, install


def rename(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("tournaments", "EventRole").objects.filter(role="arbiter").update(role="chief")
    open_ones = apps.get_model("tournaments", "Invitation").objects.filter(role="arbiter", state="open")
    open_ones.update(role="chief")


def rename_back(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Keep what the former roles can say. The other roles end: they gave less than the role of arbiter did."""
    roles = apps.get_model("tournaments", "EventRole").objects
    invitations = apps.get_model("tournaments", "Invitation").objects
    roles.filter(section__isnull=False).delete()
    for rows in (roles, invitations):
        rows.exclude(role__in=("owner", "chief")).delete()
        rows.filter(role="chief").update(role="arbiter")


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0042_access_tokens'),
    ]

    operations = [
        migrations.RunPython(drop, install),
        migrations.RemoveConstraint(
            model_name='eventrole',
            name='one_role_a_person_an_event',
        ),
        migrations.RemoveConstraint(
            model_name='eventrole',
            name='known_event_role',
        ),
        migrations.RemoveConstraint(
            model_name='invitation',
            name='known_invited_role',
        ),
        migrations.RemoveConstraint(
            model_name='invitation',
            name='one_open_invitation_a_name',
        ),
        migrations.AddField(
            model_name='event',
            name='sections_apart',
            field=models.BooleanField(default=False, verbose_name='sections play at different times'),
        ),
        migrations.AddField(
            model_name='eventrole',
            name='section',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='roles', to='tournaments.section'),
        ),
        migrations.AddField(
            model_name='eventrole',
            name='until',
            field=models.DateField(blank=True, null=True, verbose_name='last day'),
        ),
        migrations.AddField(
            model_name='invitation',
            name='opened_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='invitation',
            name='sections',
            field=models.ManyToManyField(blank=True, related_name='+', to='tournaments.section'),
        ),
        migrations.AddField(
            model_name='invitation',
            name='until',
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='loginsession',
            name='page',
            field=models.CharField(blank=True, max_length=300),
        ),
        migrations.AlterField(
            model_name='eventrole',
            name='role',
            field=models.CharField(choices=[('owner', 'owner'), ('organiser', 'organiser'), ('chief', 'chief arbiter'), ('arbiter', 'arbiter'), ('clerk', 'result clerk'), ('check-in', 'check-in'), ('viewer', 'viewer')], max_length=10),
        ),
        migrations.AlterField(
            model_name='invitation',
            name='role',
            field=models.CharField(choices=[('owner', 'owner'), ('organiser', 'organiser'), ('chief', 'chief arbiter'), ('arbiter', 'arbiter'), ('clerk', 'result clerk'), ('check-in', 'check-in'), ('viewer', 'viewer')], max_length=10),
        ),
        migrations.RunPython(rename, rename_back),
        migrations.AddConstraint(
            model_name='eventrole',
            constraint=models.UniqueConstraint(condition=models.Q(('section', None)), fields=('event', 'user', 'role'), name='a_role_in_an_event_once'),
        ),
        migrations.AddConstraint(
            model_name='eventrole',
            constraint=models.UniqueConstraint(condition=models.Q(('section__isnull', False)), fields=('section', 'user', 'role'), name='a_role_in_a_section_once'),
        ),
        migrations.AddConstraint(
            model_name='eventrole',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'organiser', 'chief', 'arbiter', 'clerk', 'check-in', 'viewer'])), name='known_event_role'),
        ),
        migrations.AddConstraint(
            model_name='eventrole',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('role', 'owner'), _negated=True), models.Q(('section', None), ('until', None)), _connector='OR'), name='owner_everywhere_for_good'),
        ),
        migrations.AddConstraint(
            model_name='eventrole',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('role', 'organiser'), _negated=True), ('section', None), _connector='OR'), name='organiser_of_the_whole_event'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'organiser', 'chief', 'arbiter', 'clerk', 'check-in', 'viewer'])), name='known_invited_role'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open'), models.Q(('username', ''), _negated=True)), fields=('event', 'username', 'role'), name='one_open_invitation_a_name_a_role'),
        ),
        migrations.RunPython(install, drop),
    ]
