"""Ask py4swiss, through its documented interface, and print one line of JSON for each path on standard input.

Runs in the peer's own environment. The first argument is the limit in seconds of processor time, on systems that can
enforce it. read, pair: seconds of processor time. pairs: [white, black] in its order of boards, black 0 for the bye.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from py4swiss.engines import DubovEngine
from py4swiss.trf import TrfParser

try:
    import resource
except ImportError:  # Windows: only the limit by the clock works
    pass
else:
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), int(sys.argv[1])))

for line in sys.stdin:
    began = time.process_time()
    try:
        trf = TrfParser.parse(Path(line.strip()))
        read = time.process_time()
        pairs = DubovEngine.generate_pairings(trf)
    except Exception as error:  # noqa: BLE001 (any failure is the peer's answer)
        answer: dict[str, object] = {"error": f"{type(error).__name__}: {error}"[:200]}
    else:
        paired = time.process_time()
        answer = {
            "read": read - began,
            "pair": paired - read,
            "pairs": [[pair.white, pair.black] for pair in pairs],
        }
    print(json.dumps(answer), flush=True)
