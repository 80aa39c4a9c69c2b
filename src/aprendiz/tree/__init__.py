"""Decision trees: splits on single columns, until the rows of a leaf are alike."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    decision_tree_classifier=["DecisionTreeClassifier"],
    decision_tree_regressor=["DecisionTreeRegressor"],
    id3=["ID3"],
    c45=["C45"],
    cart=["CART"],
    count_splits=["count_splits"],
)
