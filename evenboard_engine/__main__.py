"""`python -m evenboard_engine`: the command line, see evenboard_engine/cli."""

from __future__ import annotations

import sys

from .cli.command import main

if __name__ == "__main__":
    sys.exit(main())
