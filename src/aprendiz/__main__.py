"""`python -m aprendiz` is `aprendiz`."""

import sys

from aprendiz.cli.entry import main

sys.exit(main())
