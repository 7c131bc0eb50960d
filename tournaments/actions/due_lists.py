"""Keep the published lists true: after each action, publish what is due by itself, and withdraw what no longer holds.

A published list never changes. If what it shows has changed, there is a new edition, or the list is withdrawn.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils import timezone

from tournaments.models import PublishedList, Round, Section
from tournaments.models.journal import OPTION, Change
from tournaments.queries.field import load_field
from tournaments.queries.log import undone_in
from tournaments.queries.published_lists import list_content_of, newest_editions, played_results

_VALUES = {
    "game": frozenset({"result", "white_id", "black_id", "round_id"}),
    "participant": frozenset({"tpn", "rating", "official_rating", "status", "first_round", "acceleration_group",
                              "virtual_points", "rulings", "tie_values"}),
    "section": frozenset({"rounds", "system", "options", "acceleration", "win_points", "draw_points", "loss_points",
                          "bye_points", "tie_breaks", "unrated_left_out", "lists_by_hand"}),
    "bye": frozenset({"kind"}),
    "round": frozenset(),
}  # fmt: skip
"""Columns that a list is made from, by model."""
_READING = "second_result"


def keep_lists(section: Section, changes: Iterable[Change], *, undoing: bool) -> None:
    """Bring the published lists in line with what an action has changed. The section is locked, the action logged.

    changes: of the journal. undoing: the action is an undo.
    Cost: no query for an action that no list depends on; two while a round is played; all of a list if it is due.
    """
    kinds = section.lists
    touched, read = _touched(changes)
    if not kinds or not (touched or read or undoing):
        return
    now = played_results(section)
    newest = newest_editions(section, since=0 if undoing else now.after_round)
    undone = undone_in(section.pk) if undoing and newest else {}
    for found in newest.values():
        gone = found.after_round > now.after_round or (found.who and found.of_revision in undone)
        if gone and not found.withdrawn:
            found.withdrawn_at = timezone.now()
            found.save(update_fields=["withdrawn_at"])
    if now.in_conflict or not now.is_next(section):
        return
    for kind in kinds:
        last = newest.get((kind, now.after_round))
        if section.lists_by_hand:
            if undoing and last and last.withdrawn and last.who and last.of_revision not in undone:
                publish_list(
                    section, kind, now.after_round, last, revision=section.revision, who=last.who, again=True
                )
        elif touched or last is None or last.withdrawn:
            publish_list(section, kind, now.after_round, last, revision=section.revision)


def _touched(changes: Iterable[Change]) -> tuple[bool, bool]:
    """Return whether a list may be different now, and whether a slip was read a second time.

    A draft changes no list, so new games and byes do not count, and of a round only that it is no draft any more.
    """
    touched = read = False
    for model, _key, before, after in changes:
        if after is None:
            touched = touched or model in _VALUES
        elif before is None:
            touched = (
                touched
                or model == "participant"
                or after.get("state", Round.State.DRAFT) != Round.State.DRAFT
            )
        elif model == "round":
            touched = touched or Round.State.DRAFT in (before.get("state"), after.get("state"))
        else:
            columns = _VALUES.get(model, frozenset())
            touched = touched or any(name in columns or name.startswith(OPTION) for name in after)
            read = read or _READING in after
    return touched, read


def publish_list(
    section: Section,
    kind: str,
    after_round: int,
    last: PublishedList | None,
    *,
    revision: int,
    who: str = "",
    again: bool = False,
) -> PublishedList | None:
    """Publish a list as a new edition; None if that is not needed.

    last: the newest edition. It is enough if it stands and shows the same. revision: of the action that publishes.
    who: "" for by itself. again: an undo may have brought back what the last edition, withdrawn since, shows; only then
    is it published.
    """
    content = list_content_of(kind, load_field(section, before_round=after_round + 1))
    same = last is not None and last.content == content
    if (again and not same) or (same and last is not None and not last.withdrawn):
        return None
    return PublishedList.objects.create(
        section=section,
        kind=kind,
        after_round=after_round,
        edition=last.edition + 1 if last else 1,
        of_revision=revision,
        who=who,
        content=content,
    )
