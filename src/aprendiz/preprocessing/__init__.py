"""Preprocessing: scaling, discretisation and imputation of columns, rows with missing cells, outliers, text."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    standard_scaler=["StandardScaler"],
    min_max_scaler=["MinMaxScaler"],
    mdl_discretizer=["MDLDiscretizer"],
    robust_scaler=["RobustScaler"],
    simple_imputer=["SimpleImputer"],
    drop_missing=["drop_missing", "CompleteRows"],
    outlier_filter=["OutlierFilter"],
    drop_outliers=["DropOutliers"],
    count_vectorizer=["CountVectorizer"],
    tfidf_vectorizer=["TfidfVectorizer"],
    tfidf_transformer=["TfidfTransformer"],
    hashing_vectorizer=["HashingVectorizer"],
)
