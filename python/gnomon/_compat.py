"""What differs between the versions of scikit-learn that we serve, 1.2 and later."""
from __future__ import annotations

from typing import Any


from sklearn.utils import check_array

try:  # scikit-learn ≥ 1.6
    from sklearn.utils.validation import _check_feature_names as check_feature_names
    from sklearn.utils.validation import validate_data

    FINITE = "ensure_all_finite"
except ImportError:
    FINITE = "force_all_finite"

    def validate_data(estimator: Any, *arguments: Any, **keywords: Any) -> Any:
        return estimator._validate_data(*arguments, **keywords)

    def check_feature_names(estimator: Any, X: Any, *, reset: bool) -> None:
        estimator._check_feature_names(X, reset=reset)


def finite(missing_allowed: bool) -> dict[str, Any]:
    """The keyword that refuses NaN, or lets it pass as a missing cell."""
    return {FINITE: "allow-nan" if missing_allowed else True}


def check_y(y: Any) -> Any:
    """A target beside a frame, where scikit-learn has no function that looks at both."""
    return check_array(y, ensure_2d=False, dtype=None, **finite(False))


