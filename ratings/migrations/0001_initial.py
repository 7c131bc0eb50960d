import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('tournaments', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='KnownOrigin',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('series', models.CharField(max_length=12)),
                ('kind', models.CharField(choices=[('standard', 'standard'), ('rapid', 'rapid'), ('blitz', 'blitz'), ('combined', 'standard, rapid and blitz'), ('national', 'national or own')], max_length=10)),
                ('address', models.CharField(max_length=300, unique=True)),
                ('reading', models.JSONField(blank=True, default=dict)),
                ('asked', models.BooleanField(default=False)),
                ('etag', models.CharField(blank=True, max_length=200)),
                ('part', models.CharField(blank=True, max_length=100)),
                ('part_etag', models.CharField(blank=True, max_length=200)),
                ('checked_at', models.DateTimeField(blank=True, null=True)),
                ('tried_at', models.DateTimeField(blank=True, null=True)),
                ('problem', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'ordering': ['series', 'kind'],
            },
        ),
        migrations.CreateModel(
            name='RatingList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('given_by', models.CharField(blank=True, max_length=150)),
                ('series', models.CharField(max_length=12)),
                ('kind', models.CharField(choices=[('standard', 'standard'), ('rapid', 'rapid'), ('blitz', 'blitz'), ('combined', 'standard, rapid and blitz'), ('national', 'national or own')], max_length=10)),
                ('origin', models.CharField(choices=[('A', 'A: fetched by the program'), ('B', 'B: from a file')], default='B', max_length=1)),
                ('period', models.CharField(blank=True, max_length=7)),
                ('file', models.CharField(blank=True, max_length=100)),
                ('file_name', models.CharField(blank=True, max_length=120)),
                ('address', models.CharField(blank=True, max_length=300)),
                ('sha256', models.CharField(blank=True, max_length=64)),
                ('reading', models.JSONField(blank=True, default=dict)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('loading', 'is being imported'), ('asking', 'needs an answer'), ('ready', 'ready'), ('replaced', 'replaced'), ('refused', 'not imported')], default='waiting', max_length=10)),
                ('step', models.CharField(blank=True, max_length=10)),
                ('progress', models.PositiveSmallIntegerField(default=0)),
                ('rows', models.PositiveIntegerField(default=0)),
                ('bad', models.PositiveIntegerField(default=0)),
                ('repeated', models.PositiveIntegerField(default=0)),
                ('warnings', models.JSONField(blank=True, default=list)),
                ('doubts', models.JSONField(blank=True, default=list)),
                ('agreed', models.BooleanField(default=False)),
                ('problem', models.JSONField(blank=True, default=dict)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('table', models.CharField(max_length=40, unique=True)),
                ('by_index', models.BooleanField(default=True)),
                ('index', models.PositiveSmallIntegerField(default=0)),
                ('bytes', models.BigIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('ready_at', models.DateTimeField(blank=True, null=True)),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.event')),
            ],
            options={
                'ordering': ['series', '-period', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'loading', 'asking', 'ready', 'replaced', 'refused'])), name='known_rating_list_state'), models.CheckConstraint(condition=models.Q(('origin__in', ['A', 'B'])), name='known_rating_list_origin'), models.CheckConstraint(condition=models.Q(('event', None), models.Q(('origin', 'B'), models.Q(('series', 'FIDE'), _negated=True)), _connector='OR'), name='list_of_event_is_never_of_fide')],
            },
        ),
    ]
