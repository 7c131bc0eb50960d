"""What this process counts for those who run it. `server/metrics.py` sends it in the format of Prometheus."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

REQUEST_TIME = Histogram(
    "evenboard_request_seconds",
    "Seconds from the arrival of a request to its answer, with the time in the lane.",
    ("lane", "task", "status"),
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30),
)
SAVES = Counter("evenboard_saves", "Actions that were saved.", ("action",))
SAVE_TIME = Histogram(
    "evenboard_save_seconds",
    "Seconds that an action took, with the time for which it waited for the lock of its section.",
    buckets=(0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10),
)
PAIRING_TIME = Histogram(
    "evenboard_pairing_seconds",
    "Seconds that the engine took to pair a round.",
    ("system",),
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30),
)
