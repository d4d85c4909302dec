"""`python -m noughts` is the command `noughts`."""

import sys

from noughts.cli import main

sys.exit(main())
