"""Run the command line with ``python -m textindex``."""

import sys

from textindex.cli import main

if __name__ == "__main__":
    sys.exit(main())
