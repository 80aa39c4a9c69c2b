"""`python -m aprendiz` is `aprendiz`."""

import sys

from aprendiz.cli.main import main

sys.exit(main())
