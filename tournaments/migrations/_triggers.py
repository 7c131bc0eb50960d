"""Rules across rows and tables that no constraint can say, as triggers of SQLite and PostgreSQL.

Each surfaces as `django.db.IntegrityError`. They stand behind the actions, which refuse first and with words.

SQLite rebuilds a table to alter it, and loses its triggers by that; triggers that name the table then get in the
way. A migration that alters one of these tables therefore begins with `RunPython(drop, install)` and ends with
`RunPython(install, drop)`. tests/models/test_triggers.py finds a migration that forgot.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from tournaments.models.log import LOG_IN_PROGRESS


@dataclass(frozen=True, slots=True)
class Trigger:
    """Refuse a row for which `refused` is true. It may name NEW and, without `insert`, OLD.

    update: the columns whose change is looked at ("" for all). lock: a query that PostgreSQL runs first, so that two
    transactions that cannot see each other's rows come one after the other; SQLite has one writer anyway.
    """

    name: str
    table: str
    message: str
    refused: str
    update: str = ""
    insert: bool = True
    lock: str = ""


LOCK_ROUND_OF_GAME = "SELECT 1 FROM tournaments_round WHERE id = NEW.round_id FOR NO KEY UPDATE"
LOCK_ROUND_OF_BYE = """
    SELECT 1 FROM tournaments_round r JOIN tournaments_participant p ON p.section_id = r.section_id
    WHERE p.id = NEW.participant_id AND r.number = NEW.round_number FOR NO KEY UPDATE OF r"""

TRIGGERS = (
    Trigger(
        "player_once_a_round",
        "tournaments_game",
        "a player has a game in this round already",
        # the same colour twice is refused by the unique constraints
        """EXISTS (SELECT 1 FROM tournaments_game g WHERE g.round_id = NEW.round_id AND g.white_id = NEW.black_id)
        OR EXISTS (SELECT 1 FROM tournaments_game g WHERE g.round_id = NEW.round_id AND g.black_id = NEW.white_id)""",
        update="round_id, white_id, black_id",
        lock=LOCK_ROUND_OF_GAME,
    ),
    Trigger(
        "game_without_bye",
        "tournaments_game",
        "a player has a bye in this round",
        """EXISTS (SELECT 1 FROM tournaments_bye b JOIN tournaments_round r ON r.number = b.round_number
        WHERE r.id = NEW.round_id AND b.participant_id IN (NEW.white_id, NEW.black_id))""",
        update="round_id, white_id, black_id",
        lock=LOCK_ROUND_OF_GAME,
    ),
    Trigger(
        "game_within_section",
        "tournaments_game",
        "a player of a game is not in the section of its round",
        """EXISTS (SELECT 1 FROM tournaments_round r, tournaments_participant p WHERE r.id = NEW.round_id
        AND p.id IN (NEW.white_id, NEW.black_id) AND p.section_id <> r.section_id)""",
        update="round_id, white_id, black_id",
    ),
    Trigger(
        "bye_without_game",
        "tournaments_bye",
        "the player has a game in this round",
        """EXISTS (SELECT 1 FROM tournaments_game g JOIN tournaments_round r ON r.id = g.round_id
        WHERE r.number = NEW.round_number AND g.white_id = NEW.participant_id)
        OR EXISTS (SELECT 1 FROM tournaments_game g JOIN tournaments_round r ON r.id = g.round_id
        WHERE r.number = NEW.round_number AND g.black_id = NEW.participant_id)""",
        update="participant_id, round_number",
        lock=LOCK_ROUND_OF_BYE,
    ),
    Trigger(
        "forbidden_pair_within_section",
        "tournaments_forbiddenpair",
        "a player of a forbidden pair is not in its section",
        """EXISTS (SELECT 1 FROM tournaments_participant p
        WHERE p.id IN (NEW.first_id, NEW.second_id) AND p.section_id <> NEW.section_id)""",
        update="section_id, first_id, second_id",
    ),
    Trigger(
        "incident_within_section",
        "tournaments_incident",
        "the player of an incident is not in its section",
        """EXISTS (SELECT 1 FROM tournaments_participant p
        WHERE p.id = NEW.participant_id AND p.section_id <> NEW.section_id)""",
        update="section_id, participant_id",
    ),
    Trigger(
        "participant_within_event",
        "tournaments_participant",
        "the player is not of the event of the section",
        """EXISTS (SELECT 1 FROM tournaments_section t, tournaments_player p
        WHERE t.id = NEW.section_id AND p.id = NEW.player_id AND p.event_id <> t.event_id)""",
        update="section_id, player_id",
    ),
    Trigger(
        "participant_stays",
        "tournaments_participant",
        "an entry cannot move to another section",
        "NEW.section_id <> OLD.section_id",
        update="section_id",
        insert=False,
    ),
    Trigger(
        "round_stays",
        "tournaments_round",
        "a round keeps its section and its number",
        "NEW.section_id <> OLD.section_id OR NEW.number <> OLD.number",
        update="section_id, number",
        insert=False,
    ),
    Trigger(
        "player_stays",
        "tournaments_player",
        "a player cannot move to another event",
        "NEW.event_id <> OLD.event_id",
        update="event_id",
        insert=False,
    ),
    Trigger(
        "section_stays",
        "tournaments_section",
        "a section cannot move to another event",
        "NEW.event_id <> OLD.event_id",
        update="event_id",
        insert=False,
    ),
    Trigger(
        "rehearsal_stays",
        "tournaments_event",
        "an event does not become a rehearsal, nor a rehearsal an event",
        "NEW.rehearsal <> OLD.rehearsal",
        update="rehearsal",
        insert=False,
    ),
    Trigger(
        "fide_mode_left_for_good",  # VCL4THP.13 Q45
        "tournaments_section",
        "FIDE mode cannot be entered again",
        "NOT OLD.fide_mode AND (NEW.fide_mode OR NEW.fide_mode_left_in_round <> OLD.fide_mode_left_in_round)",
        update="fide_mode, fide_mode_left_in_round",
        insert=False,
    ),
    Trigger(
        "published_list_stays",
        "tournaments_publishedlist",
        "a published list never changes",
        "NEW.id = OLD.id OR NEW.id <> OLD.id",
        update="section_id, kind, after_round, edition, made_at, of_revision, who, content",
        insert=False,
    ),
    Trigger(
        "round_file_stays",
        "tournaments_roundfile",
        "the file of a published round never changes",
        "NEW.id = OLD.id OR NEW.id <> OLD.id",
        insert=False,
    ),
    # Deleting stays possible, for whoever drops the whole database row by row; the model refuses it.
    Trigger(
        "log_is_append_only",
        "tournaments_actionlog",
        "the log is append-only",
        "NEW.id = OLD.id OR NEW.id <> OLD.id",
        insert=False,
    ),
)


# An older transaction may commit a row of the log with a lower key later than a newer one. SQLite has one writer.
_NOTES_PROGRESS = (
    "CREATE FUNCTION log_in_progress() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    f"PERFORM pg_advisory_xact_lock_shared({LOG_IN_PROGRESS}, "
    "mod(CASE WHEN is_called THEN last_value ELSE 0 END, 2147483647)::int) FROM tournaments_actionlog_id_seq; "
    "RETURN NULL; END $$",
    "CREATE TRIGGER log_in_progress BEFORE INSERT ON tournaments_actionlog "
    "FOR EACH STATEMENT EXECUTE FUNCTION log_in_progress()",
)


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make all triggers, in place of those that may be there."""
    drop(apps, schema_editor)
    make = _postgresql if schema_editor.connection.vendor == "postgresql" else _sqlite
    for trigger in TRIGGERS:
        for statement in make(trigger):
            schema_editor.execute(statement)
    if make is _postgresql:
        for statement in _NOTES_PROGRESS:
            schema_editor.execute(statement)


def drop(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Remove all triggers."""
    for trigger in TRIGGERS:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {trigger.name} ON {trigger.table}")
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {trigger.name}()")
        else:
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {trigger.name}_insert")
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {trigger.name}_update")
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER IF EXISTS log_in_progress ON tournaments_actionlog")
        schema_editor.execute("DROP FUNCTION IF EXISTS log_in_progress()")


def _sqlite(trigger: Trigger) -> list[str]:
    columns = f" OF {trigger.update}" if trigger.update else ""
    occasions = [("update", f"UPDATE{columns}")] + ([("insert", "INSERT")] if trigger.insert else [])
    return [
        f"CREATE TRIGGER {trigger.name}_{suffix} AFTER {occasion} ON {trigger.table} FOR EACH ROW "
        f"WHEN {trigger.refused} BEGIN SELECT RAISE(ABORT, '{trigger.message}'); END"
        for suffix, occasion in occasions
    ]


def _postgresql(trigger: Trigger) -> list[str]:
    columns = f" OF {trigger.update}" if trigger.update else ""
    occasion = ("INSERT OR " if trigger.insert else "") + f"UPDATE{columns}"
    lock = f"PERFORM{trigger.lock.strip().removeprefix('SELECT')};" if trigger.lock else ""
    return [
        f"CREATE FUNCTION {trigger.name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {lock} "
        f"IF {trigger.refused} THEN RAISE EXCEPTION '{trigger.message}' "
        f"USING ERRCODE = 'check_violation', CONSTRAINT = '{trigger.name}'; END IF; RETURN NULL; END $$",
        f"CREATE TRIGGER {trigger.name} AFTER {occasion} ON {trigger.table} "
        f"FOR EACH ROW EXECUTE FUNCTION {trigger.name}()",
    ]
