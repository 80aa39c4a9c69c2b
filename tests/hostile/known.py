"""Faults that are known and wait to be mended, by reason, case and learners. One that no longer happens makes its test fail.

KNOWN[learner, case] → reason      the case is run, and must still fail
NOT_RUN[case] → reason             the case is run for no learner: it would end the process, or not end, or fail by chance

Both are empty. A fault that is found and cannot be mended at once has its place here.
"""

KNOWN: dict[tuple[str, str], str] = {}
NOT_RUN: dict[str, str] = {}
