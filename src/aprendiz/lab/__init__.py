"""The laboratory: from a file to a table, from a table to an experiment."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    bins=["QuantileBins"],
    cluster=["Clustering", "cluster"],
    compare_runs=["compare_runs", "RunComparison"],
    dialect=["Dialect"],
    experiment=["Experiment", "Results", "Step"],
    explore=["Exploration", "explore"],
    levels=["LevelColumns", "LevelNumbers", "LevelWords"],
    methods=["Method", "chosen_methods"],
    model=["TableModel"],
    preparation=["prepared"],
    question=["Question", "ask"],
    store=["FoldStore"],
    **{"targets.costs": ["Costs", "read_costs"], "targets.power": ["PowerOfTarget"]},
    formulas=["neutral"],
    opening=["ReadingError"],
    reading=["Table", "read"],
    run=["run", "Run"],
    roles=["Role", "propose_target", "suspected_leaks", "task_of_target"],
)
