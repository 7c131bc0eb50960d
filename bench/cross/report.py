"""Show the results of the cross-test as a part of docs/endorsement.md."""

from __future__ import annotations

from .chunk import Found
from .proof import NOT, STEP, WHOLE, WRONG

BEGIN, END = "<!-- cross-test -->", "<!-- end of the cross-test -->"
ARTICLE = "article "


def report(found: Found) -> str:
    """Return the totals, the differences by article with the smallest example of each, and the time."""
    figures = found.figures
    rows = [
        ("tournaments", figures["tournaments"]),
        ("rounds asked of both programs", figures["rounds"]),
        ("pairs", figures["pairs"]),
        ("rounds without a legal pairing, by both", figures["impossible for both"]),
        ("rounds in which the peer was stopped without an answer", figures["unanswered"]),
        ("rounds with the same answer", figures["rounds"] - figures["differing"]),
        ("rounds with another answer", figures["differing"]),
        ("of these, paired as we do by the brute force, the whole round", figures[f"differing, {WHOLE}"]),
        (
            "of these, paired as we do by the brute force, the step that differs",
            figures[f"differing, {STEP}"],
        ),
        ("of these, too large for the brute force", figures[f"differing, {NOT}"]),
        ("of these, **paired otherwise by the brute force**", figures[f"differing, {WRONG}"]),
        ("**differences in which our answer departs from the article**", len(found.faults)),
    ]
    totals = "\n".join(f"| {name} | {value:,} |" for name, value in rows)
    pace = figures["tournaments"] / found.seconds if found.seconds else 0.0
    return (
        f"| | |\n|---|---:|\n{totals}\n\n"
        "| Where the peer departs | Rounds | Proved: whole round, step, not | The smallest example |\n"
        f"|---|---:|---:|---|\n{_articles(found)}\n\n"
        f"Processor time of both programs: {found.seconds / 60:.1f} minutes, {pace:.2f} tournaments a second."
    )


def _articles(found: Found) -> str:
    figures = found.figures
    order = sorted(found.examples, key=lambda article: (-figures[ARTICLE + article], article))
    lines = []
    for article in order:
        example = found.examples[article]
        proved = ", ".join(f"{figures[f'{ARTICLE}{article}, {kind}']:,}" for kind in (WHOLE, STEP, NOT))
        where = f"{example.players} players, seed {example.seed}, round {example.round}"
        lines.append(
            f"| {article} | {figures[ARTICLE + article]:,} | {proved} | {where}: {example.sentence} |"
        )
    return "\n".join(lines)
