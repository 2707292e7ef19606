"""Which criterion on my data? Ask the data.

Fits to your targets are taken for the truth, noise of your size is added, and every criterion chooses on such data sets. Regret is what its
choices cost: the error of what it chose over that of the best λ.
"""
import numpy as np

import gnomon
from gallery import arguments, save

asked = arguments(__doc__)
rng = np.random.default_rng(3)
X = rng.uniform(-3, 3, size=(40, 1))
y = np.sin(2 * X[:, 0]) * np.exp(-X[:, 0] / 3) + 0.3 * rng.normal(size=40)

comparison = gnomon.compare(X, y, "kernel-ridge", criteria=["loo", "gcv", "sic", "evidence", "blend", "aic"], trials=48)
print(comparison.recommendation)
for name in comparison.ranking:
    regret = comparison.criteria[name]["regret"]
    print(f"{name:<9} regret {regret['mean']:5.2f} ± {regret['se']:.2f}, one data set in twenty above {regret['quantile_95']:.2f}")
regrets = [comparison.criteria[name]["regret"]["mean"] for name in comparison.ranking]
assert 1 <= regrets[0] < 0.8 * max(regrets)  # it matters

chosen = gnomon.KernelRidge(criterion=comparison.ranking[0]).fit(X, y)
print(f"{chosen.criterion_} chooses λ = {chosen.alpha_:.3g} on the real targets")

save(gnomon.CompareDisplay.from_result(comparison), asked.figure)
