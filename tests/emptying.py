"""Empty the database after a test whose changes are committed, without what Django's flush does for a real site.

Django deletes the rows of all tables, one by one, and then makes the rows of permissions and types of content again, as
after `migrate`. No test changes these, and few tests fill more than a third of the tables.
"""

from __future__ import annotations

from django.core.management.color import no_style
from django.db import connections

MARKED = "tournaments_eventchange"
MADE_BY_MIGRATE = {"django_content_type", "auth_permission"}


def empty(database: str) -> None:
    """Delete all rows of a database that a test has written, in one transaction."""
    connection = connections[database]
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    asked = " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {connection.ops.quote_name(table)})"  # noqa: S608
        for table in sorted(set(tables) - MADE_BY_MIGRATE)
    )
    with connection.cursor() as cursor:
        cursor.execute(asked)
        filled = [table for (table,) in cursor.fetchall()]
    filled.sort(key=lambda table: table == MARKED)  # a row that is deleted leaves a mark there
    cascade = (
        connection.vendor == "postgresql"
    )  # it truncates no table that others refer to, even if those are empty
    if filled:
        connection.ops.execute_sql_flush(connection.ops.sql_flush(no_style(), filled, allow_cascade=cascade))
