"""Lasso with BASIC: choosing λ without a noise variance, and without holding rows out.

The bootstrap approximated SIC refits the lasso to its own fit plus resampled residuals. Beside it SIC by Stein's divergence, which needs σ², and
ten folds. The truth is known here, so that their choices can be judged.
"""
import numpy as np

import gnomon
from gallery import arguments, save

asked = arguments(__doc__)
rng = np.random.default_rng(2)
X = rng.normal(size=(80, 15))
truth = X[:, :4] @ [2.0, -1.5, 1.0, 0.5]
y = truth + rng.normal(size=80)

model = gnomon.Lasso(criterion=["basic", "sic", "cv"], n_bootstrap=50).fit(X, y)
path = model.risk_path_["lambda"]


def error_at(alpha):
    fit = gnomon.Lasso(alphas=alpha, criterion="gcv").fit(X, y)
    return np.mean((fit.predict(X) - truth) ** 2), np.count_nonzero(fit.coef_)


best = min(error_at(alpha)[0] for alpha in path[::8])
for name, chosen in model.result_.data["selected"].items():
    error, columns = error_at(chosen["lambda"])
    print(f"{name:<6} λ = {chosen['lambda']:6.2f}: {columns:2} columns, error {error:.3f}, {error / best:.2f} of the best of the path")
assert error_at(model.result_.data["selected"]["basic"]["lambda"])[0] < 1.5 * best
assert model.coef_[:3].all()

save(gnomon.CoefficientPathDisplay.from_estimator(model, X, y, n_alphas=30), asked.figure)
