from __future__ import annotations

import pytest

from .sections import MadeSection, make_section

RATINGS = {"Anna": 2000, "Bert": 1900, "Carl": 1801, "Dora": 1700, "Eva": 1600}


@pytest.fixture
def section(db: None) -> MadeSection:
    """Five players, five rounds planned, round 3 running.

    Points, ARO and colours by hand:
    after round 1: Anna 1, Eva 1 (bye), Bert 1/2, Dora 1/2, Carl 0
    after round 2: Anna 2 (1801, 1600: 1700.5), Dora 1 1/2 (1900; the forfeit is no game), Bert 1 (1700),
                   Eva 1 (2000), Carl 0 (2000)
    after round 3: Anna 2 (still playing), Bert 2 (1700), Dora 1 1/2, Eva 1 1/2 (2000, 1801: 1900.5),
                   Carl 1/2 (2000, 1600: 1800), upfloated in round 3
    """
    return make_section(
        RATINGS,
        "Anna 1-0 Carl; Dora 1/2 Bert; Eva U",
        "Eva 0-1 Anna; Dora +:- Carl; Bert H",
        "Anna . Dora; Carl 1/2 Eva; Bert U",
    )
