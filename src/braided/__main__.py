"""``python -m braided`` is the command ``braided``."""

import sys

from braided.cli import main

if __name__ == "__main__":
    sys.exit(main())
