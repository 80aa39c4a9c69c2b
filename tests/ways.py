"""Which learners a test needs, where what they have in common is tested once."""


def distinct(classes, *methods):
    """One learner for each way in which some methods are defined: what a common base does is seen through the first of its
    learners, what a learner overrides through itself."""
    found = {}
    for cls in classes:
        owners = (next((base for base in cls.__mro__ if name in vars(base)), None) for name in methods)
        found.setdefault((cls.target, *owners), cls)
    return list(found.values())


PASSES = ("fit", "learned", "summarise", "states", "grown")  # the methods in which fits go through the rows
