"""Decision trees: questions that divide the rows until each part is of one kind."""

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
