"""Where the players of lists are: beside an SQLite database, or in PostgreSQL."""

from __future__ import annotations

import sqlite3

from django.db import connection

from ratings.models import RatingList

from . import sqlite
from .layout import Building, Built, Kept

__all__ = ["Building", "Built", "Kept", "building", "delete", "kept", "tables"]


def building(table: str) -> Building:
    """Return the import of a list into its table: a new one, or one that was stopped."""
    if connection.vendor == "postgresql":
        from .postgresql import PostgresBuilding

        return PostgresBuilding(table)
    return sqlite.SqliteBuilding(table)


def kept(listing: RatingList) -> Kept:
    """Return a finished list."""
    if connection.vendor == "postgresql":
        from .postgresql import PostgresList

        return PostgresList(listing.table, by_index=listing.by_index)
    return sqlite.SqliteList(listing.table, by_index=listing.by_index)


def is_here(listing: RatingList) -> bool:
    """Return whether the players of a list are here. The files beside an SQLite database can be left behind."""
    return connection.vendor == "postgresql" or sqlite.is_here(listing.table)


def errors() -> tuple[type[Exception], ...]:
    """Return what the storage raises, such as for a full disk."""
    if connection.vendor == "postgresql":
        import psycopg

        return (psycopg.Error,)
    return (sqlite3.Error,)


def delete(table: str) -> None:
    """Delete what is stored of a list."""
    if connection.vendor == "postgresql":
        from . import postgresql

        postgresql.delete(table)
    else:
        sqlite.delete(table)


def tables() -> set[str]:
    """Return the names of all stored lists."""
    if connection.vendor == "postgresql":
        from . import postgresql

        return postgresql.tables()
    return sqlite.tables()
