"""The usual order of rows is cheap: most lists are of one section."""

from __future__ import annotations

import pytest

from tournaments.models import ForbiddenPair, Participant, Round, Section


@pytest.mark.parametrize("model", [ForbiddenPair, Participant, Round, Section])
def test_usual_order_joins_no_other_table(
    model: type[ForbiddenPair | Participant | Round | Section],
) -> None:
    assert " JOIN " not in str(model.objects.all().query)
