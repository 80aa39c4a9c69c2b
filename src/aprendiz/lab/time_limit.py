"""The time that a run may take: `--budget`. It bounds everything, from the reading of the table to the report.

    limit = TimeLimit(60)
    with limit.cut() as part:           # what is inside is left when the time is spent, as if by Ctrl-C
        curve = …
    part.cut                             # True if it was

Work is left in the middle by the interrupt that Ctrl-C makes, which every fit of this library answers at once: a clock in
another thread asks for it. It can reach the main thread alone; in another thread, a limit is looked at between two pieces of
work only. `keep` sets seconds aside for what must follow.
"""

from __future__ import annotations

import _thread
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Part:
    """A piece of work, and whether it was left before its end."""

    cut: bool = False


class TimeLimit:
    """Seconds that are counted from now on; None for as many as it takes."""

    def __init__(self, seconds: float | None = None):
        self.seconds = seconds
        self.begun = time.monotonic()

    @property
    def left(self) -> float:
        """Seconds that are left; below 0 if it took longer."""
        return float("inf") if self.seconds is None else self.seconds - (time.monotonic() - self.begun)

    @property
    def spent(self) -> bool:
        return self.left <= 0

    @contextmanager
    def cut(self, keep: float = 0.0) -> Iterator[Part]:
        """Do something in the time that is left, `keep` seconds set aside."""
        part, seconds = Part(), self.left - keep
        if seconds == float("inf") or threading.current_thread() is not threading.main_thread():
            yield part
            return
        alarm = Alarm(seconds)
        try:
            with alarm:
                yield part
        except KeyboardInterrupt:
            if not alarm.rang:
                raise
            part.cut = True


class Alarm:
    """Interrupts the main thread after some seconds, unless its block has ended before."""

    def __init__(self, seconds: float):
        self.timer = threading.Timer(max(seconds, 0.0), self.ring)
        self.timer.daemon = True
        self.lock = threading.Lock()
        self.rang, self.over = False, False

    def ring(self) -> None:
        with self.lock:
            if not self.over:
                self.rang = True
                _thread.interrupt_main()

    def __enter__(self) -> None:
        self.timer.start()

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        with self.lock:
            self.over = True
        self.timer.cancel()
        if self.rang and kind is None:  # it rang after the last line of the block: what it asked for comes here, and nowhere else
            for _moment in range(100):
                time.sleep(0.001)
