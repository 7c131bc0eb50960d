"""A published list as values for programs: with names, and with pairing numbers in place of keys."""

from __future__ import annotations

from typing import Any

from tournaments.models import PublishedList
from tournaments.queries.list_content import People


def list_values(published: PublishedList, people: People) -> dict[str, Any]:
    """Return the list as it was published. Points are in tenths. Names are those of now, "" for a removed entry."""
    return {
        "list": published.kind,
        "after_round": published.after_round,
        "edition": published.edition,
        "published_at": published.made_at.isoformat(),
        "published_by": published.who or None,
        "of_revision": published.of_revision,
        "withdrawn_at": published.withdrawn_at.isoformat() if published.withdrawn_at else None,
        **{name: value for name, value in published.content.items() if name != "rows"},
        "next": None,
        "previous": None,
        "results": [_row(row, people) for row in published.content["rows"]],
    }


def _row(row: dict[str, Any], people: People) -> dict[str, Any]:
    entry = people.get(row["player"])
    shown = {
        name: value for name, value in row.items() if name not in {"player", "met", "cells", "decisions"}
    }
    named = {"name": entry.shown_name if entry else "", **shown}
    if "met" in row:
        named["opponents"] = [{"tpn": tpn, "rating": rating} for _key, tpn, rating in row["met"]]
        named["sum"] = sum(rating for _key, _tpn, rating in row["met"])
    if "cells" in row:
        named["games"] = [
            {"opponent": tpn, "colour": colour, "score": score} for _key, tpn, colour, score in row["cells"]
        ]
    if "decisions" in row:
        named["decisions"] = [
            {"round": number, "points": points, "of_result": of_result}
            for number, points, of_result in row["decisions"]
        ]
    return named
