"""Findings: what the reader should know, each with a code, a sentence, the reason, and what to do.

    warning   the scores may mislead, or something went wrong
    note      worth knowing

The codes are stable: programs can look for them in results.json. Each kind of finding has a file, which begins with its codes.
"""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(__name__, all_findings=["findings_of"])
