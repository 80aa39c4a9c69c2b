"""The report of an experiment: one page, the numbers behind it, the code that reproduces them, and the model."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    finding=["Finding"],
    findings=["findings_of"],
    folder=["write_outcome"],
    numbers=["numbers_of"],
    page=["page_of"],
    script=["script_of"],
)
