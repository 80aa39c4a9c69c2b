"""The time that a run may take: `--budget`. It bounds everything, from the reading of the table to the report.

    limit = TimeLimit(60)
    with limit.cut() as part:           # what is inside is left when the time is spent, as if by Ctrl-C
        curve = …
    part.cut                             # True if it was

Work is left in the middle by the exception of Ctrl-C, which every fit of this library answers at once; a timer of the system
raises it. There is none on Windows, and none for other threads than the main one: there, a limit is looked at between two
pieces of work only. `keep` sets seconds aside for what must follow.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

Value = TypeVar("Value")


@dataclass
class Part:
    """A piece of work, and whether it was left before its end."""

    cut: bool = False


class TimeLimit:
    """Seconds that are counted from now on; None for as many as it takes."""

    def __init__(self, seconds: float | None = None):
        self.seconds = seconds
        self.begun = time.monotonic()
        self.left_out: list[str] = []  # what was not done for want of time, in words

    @property
    def left(self) -> float:
        """Seconds that are left; below 0 if it took longer."""
        return float("inf") if self.seconds is None else self.seconds - (time.monotonic() - self.begun)

    @property
    def spent(self) -> bool:
        return self.left <= 0

    def reserve(self, seconds: float) -> float:
        """Seconds to be set aside for what must follow: as many as it needs, but no more than a third of all."""
        return 0.0 if self.seconds is None else min(seconds, self.seconds / 3)

    def attempt(self, words: str, work: Callable[[], Value], keep: float = 0.0) -> Value | None:
        """The result of something that can be left out; None, and a note of it, where the time did not suffice."""
        if self.left > keep:
            with self.cut(keep) as part:
                found = work()
            if not part.cut:
                return found
        self.left_out.append(words)
        return None

    @contextmanager
    def cut(self, keep: float = 0.0) -> Iterator[Part]:
        """Do something in the time that is left, `keep` seconds set aside."""
        part, seconds = Part(), self.left - keep
        if seconds == float("inf") or not can_be_interrupted():
            yield part
            return

        def ring(*_given: Any) -> None:
            part.cut = True
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, ring)
        try:
            signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
            yield part
        except KeyboardInterrupt:
            if not part.cut:  # by the user
                raise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)


def can_be_interrupted() -> bool:
    """Does a timer of the system reach this thread?"""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
