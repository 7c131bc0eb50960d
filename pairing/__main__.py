"""`python -m pairing`: the command line, see pairing/cli."""

from __future__ import annotations

import sys

from pairing.cli.command import main

if __name__ == "__main__":
    sys.exit(main())
