"""How much memory there is for a table."""

from __future__ import annotations

import os
from pathlib import Path

LIMITS_OF_CONTAINERS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def free_memory() -> int:
    """Bytes that are available, as the system says (or all it has), within the limit of a container."""
    found = [2**62]
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            found += [int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable:")]
    except (OSError, ValueError):
        if "SC_PHYS_PAGES" in getattr(os, "sysconf_names", ()):
            found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in LIMITS_OF_CONTAINERS:
        try:
            found.append(int(Path(path).read_text(encoding="ascii")))
        except (OSError, ValueError):  # no container, or "max"
            continue
    return min(found)
