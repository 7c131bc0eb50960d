"""Everything that is kept about one player of an event, as one file for this person."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

from django.db.models import Q

from tournaments.hooks import also_keeps
from tournaments.models import ActionLog, Bye, CheckIn, Game, JoinedEntry, Participant, Player
from tournaments.models.journal import row_values
from tournaments.queries.personal_data import Traces

COPIES = "Copies of the sections on the server also hold these data, until they are deleted by age."


def person_zip(player: Player) -> bytes:
    """Return a ZIP file with the same data for programs (JSON) and for people (text). For organisers only."""
    found = person_values(player)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("person.json", json.dumps(found, ensure_ascii=False, indent=2))
        file.writestr("person.txt", "\n".join(_lines(found)) + "\n")
    return packed.getvalue()


def person_values(player: Player) -> dict[str, Any]:
    """Return what is kept about a player. Of opponents only the number and the colour are named, not the person."""
    entries = player.entries.select_related("section").order_by("section_id")
    return {
        "event": player.event.name,
        "person": {name: value for name, value in row_values(player).items() if name != "event_id"},
        "entries": [_entry(entry) for entry in entries],
        "page across events": [
            {"consent": row.at.isoformat(), "name": row.name, "page": row.token}
            for row in JoinedEntry.objects.filter(player=player)
        ],
        **{name: value for keeps in also_keeps for name, value in keeps(player).items()},
        "log": _log(player),
        "copies": COPIES,
    }


def _entry(entry: Participant) -> dict[str, Any]:
    games = (
        Game.objects.filter(Q(white=entry) | Q(black=entry))
        .select_related("round", "white", "black")
        .order_by("round__number")
    )
    return {
        "section": entry.section.name,
        **{
            name: value
            for name, value in row_values(entry).items()
            if name not in ("section_id", "player_id")
        },
        "games": [
            {
                "round": game.round.number,
                "board": game.board,
                "colour": "white" if game.white_id == entry.pk else "black",
                "opponent": (game.black if game.white_id == entry.pk else game.white).tpn,
                "result": game.result,
            }
            for game in games
        ],
        "byes": [
            [bye.round_number, bye.kind]
            for bye in Bye.objects.filter(participant=entry).order_by("round_number")
        ],
        "check_ins": [
            [row.round_number, row.at.isoformat()]
            for row in CheckIn.objects.filter(participant=entry).order_by("at")
        ],
        "forbidden_opponents": [
            pair.second.tpn if pair.first_id == entry.pk else pair.first.tpn
            for pair in entry.section.forbidden_pairs.filter(Q(first=entry) | Q(second=entry))
            .select_related("first", "second")
            .order_by("pk")
        ],
        "incidents": [
            [row.round_number, row.board, row.kind, row.minutes, row.note]
            for row in entry.incidents.order_by("round_number", "pk")
        ],
        "kept_apart": [rule["value"] for rule in entry.section.apart_rules if entry.pk in rule["players"]],
    }


def _log(player: Player) -> list[dict[str, Any]]:
    """Return the rows of the log that name the player. Values are given only where the row is about nobody else."""
    rows = list(ActionLog.objects.filter(event=player.event_id).select_related("section").order_by("pk"))
    traces = Traces.of(player, rows)
    return [
        {
            "section": row.section.name if row.section else "",
            "at": row.at.isoformat(),
            "action": row.action,
            "round": row.round_number,
            **(
                {"before": row.before, "after": row.after, "reason": row.reason}
                if traces.is_about(row)
                else {}
            ),
        }
        for row in rows
        if traces.mentioned_in(row)
    ]


def _lines(value: Any, name: str = "", depth: int = 0) -> list[str]:
    """Return values as lines, indented below their names."""
    start = "  " * depth
    if isinstance(value, dict):
        head = [f"{start}{name}:"] if name else []
        return head + [line for key, one in value.items() for line in _lines(one, key, depth + bool(name))]
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        numbered = (_lines(one, str(place), depth + 1) for place, one in enumerate(value, start=1))
        return [f"{start}{name}:", *(line for lines in numbered for line in lines)]
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    return [f"{start}{name}: {value if value is not None else ''}"]
