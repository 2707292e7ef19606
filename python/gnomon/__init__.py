"""gnomon: how wrong a regression model will be on data it has not seen, and the regularization that makes it least wrong.

Estimators for scikit-learn that choose λ themselves, one per learner, and ``select`` for all of them in one call::

    from gnomon import KernelRidge
    model = KernelRidge(criterion="sic").fit(X, y)
    model.alpha_, model.error_, model.predict(X_new, return_interval=0.9)
"""
from . import _interpreter  # before all that is compiled
from . import _core
from ._compare import Comparison, compare
from ._criterion import Criterion
from ._display import CoefficientPathDisplay, CompareDisplay, RiskCurveDisplay
from ._estimate import Estimate, estimate
from ._estimators import *  # noqa: F403
from ._estimators import __all__ as _estimators
from ._learner import Learner
from ._model import Model, load
from ._ratio import DensityRatio, density_ratio
from ._reproduce import Reproduction, reproduce
from ._result import Result
from ._select import select

_interpreter.require_lock()
__version__ = _core.version()
__all__ = [
    *_estimators, "CoefficientPathDisplay", "CompareDisplay", "Comparison", "Criterion", "DensityRatio", "Estimate", "Learner", "Model",
    "Reproduction", "Result", "RiskCurveDisplay",
    "compare", "density_ratio", "estimate", "load", "reproduce", "select",
]  # fmt: skip
