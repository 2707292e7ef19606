"""Estimators, one per learner. Written by scripts/python-estimators from the table of options: change them there."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Union

import numpy as np

from ._base import _NetworkClassifier, _NetworkRegressor, _WeighedRegressor

Names = Union[str, Sequence[str]]  # one, or several to choose from
Kernel = Union[str, Sequence[str], Callable[[np.ndarray, np.ndarray], float]]
Values = Union[str, float, Sequence[float], np.ndarray]  # "auto", "lo:hi:count", a number, or several to choose from
Units = Union[str, int, Sequence[int]]
Groups = Union[str, Sequence[Sequence[str]]]
RandomState = Any  # an int, a NumPy generator, or None
Folds = Any  # a number, a splitter, an iterable of (train, test) indices, or None

__all__ = ['KernelRidge', 'Ridge', 'ImportanceWeightedRidge', 'Additive', 'Huber', 'Lasso', 'ElasticNet', 'SupportVectorRegressor', 'MLPRegressor', 'MLPClassifier', 'SpectralCutoff', 'Landweber']


class KernelRidge(_WeighedRegressor):
    """Kernel ridge regression that chooses its own λ and width.

        Σ wᵢ (f(xᵢ) − yᵢ)² + λ·αᵀKα,   f(x) = Σ αⱼ k(x, xⱼ) + b

    With ``penalty="coefficients"`` the penalty is λ‖α‖². scikit-learn's ``KernelRidge(alpha)`` has no b and minimises the
    same with α = λ.

    Parameters
    ----------
    kernel : Kernel, default="gaussian"
        ``gaussian``, ``laplace``, ``matern32``, ``matern52``, ``polynomial:D``, ``linear``; several to choose from: a list,
        or ``polynomial:2..4``. A function of two rows of X is called for every pair; ``precomputed``: X is the matrix of
        the kernel, rows x rows in fit and new rows x rows in predict. For both ``scale`` is ``none``.
    width : Values, default="auto"
        ``auto``: chosen before λ from the median distance between rows times powers of two, by ``blend`` and a prior (see
        blend); under importance weights or a search over several parameters it is ``median``, the median distance itself; a
        number; or several for the criterion to choose from: ``a,b,c`` or ``lo:hi:count`` (log-spaced). In units of the
        scaled inputs.
    penalty : str, default="function"
        Kernel ridge: ``function`` (λ·αᵀKα) or ``coefficients`` (λ‖α‖²).
    flattening : Values or None, default=None
        Exponents of importance weights, inside [0,1]: ``lo:hi:count`` (evenly spaced) or ``a,b,c``. ``iwls`` chooses among
        them, other learners with importance weights take one [1]; see covariate shift.
    groups : Groups or None, default=None
        Inputs that share a regularization parameter: ``a,b;c`` (columns not named form one more group), ``each``, ``all``.
        One decay per group for ``ridge``, one width per group for ``kernel-ridge``, and with ``decay_groups=input`` one
        decay per group of inputs for ``mlp``. A text column counts as one column. See many parameters.
    fit_intercept : bool, default=True
        An unpenalised constant; ``False``: none.
    alphas : Values, default="auto"
        ``auto`` (five values per decade from near interpolation to near the null model; lasso and elastic net: 100 values
        down from the λ at which all coefficients are zero, to 10⁻⁴ of it, or 10⁻² if rows do not outnumber columns),
        ``lo:hi:count`` (log-spaced), or a list ``a,b,c``; one value evaluates there. 0 is allowed in a list except for
        ``svr``, ``spectral-cutoff`` and ``landweber``; ``iwls``: ``auto`` is 0 alone.
    criterion : Names, default="auto"
        Comma list, the first one chooses, all are reported: ``sic`` ``rsic`` ``sic-pilot`` ``basic`` ``sure`` ``cp``
        ``gcv`` ``loo`` ``cv[:K]`` ``iwcv[:K]`` ``iwloo`` ``iwaic`` ``cv-blocked[:K]`` ``fpe`` ``fper`` ``gpe`` ``gen[:M]``
        ``nic`` ``aic`` ``aicc`` ``bic`` ``evidence`` ``blend`` (K folds, those of ``cv-blocked`` of consecutive rows, for
        time series; M rows over which a time series depends on itself); other names: ``abic`` ``gml`` ``reml``
        (``evidence``), ``press`` ``ocv`` (``loo``), ``tic`` (``nic``); ``all``: every one that applies; ``auto``: the
        default for this learner (named in the output with the reason), with ``sic`` and ``loo`` or ``cv`` beside it;
        learners that are not linear in y, and rows with weights: ``cv``, with ``sic`` beside it; under importance weights:
        ``sic`` on a basis, ``iwcv`` on a kernel, with the other, where it is defined, and ``cv``.
    noise : str or float, default="auto"
        σ²: ``auto`` ``residual`` ``gcv`` ``gcv-1.4`` ``cv`` ``ml`` ``reml`` ``difference`` ``rice`` ``gsj`` ``nearest``
        ``pure-error`` ``ols``, or a number; see noise variance.
    bootstrap_residuals : str, default="raw"
        Residuals that ``basic`` draws from: ``raw`` (as published), ``centred``, ``scaled`` (centred, times √(n/(n − df))).
    search : str, default="refine"
        ``grid``, or ``refine``: the continuous minimum between grid points; learners that are not linear in y stay on the
        grid. ``gradient``: all parameters of ``ridge``, ``kernel-ridge`` (λ and one width per input) or ``mlp`` at once, by
        their gradients; ``groups`` and ``mlp`` imply it. ``mackay``: updates that raise the evidence, for decays.
    rule : str, default="min"
        ``min``; ``1se``: the largest λ on the grid within one standard error of the least value; or ``paired``: the largest
        one whose value is above the least by no more than the standard error of this difference, which is smaller, both
        being made of the same rows.
    combine : str, default="none"
        ``none``: one fit, which is easier to explain, or ``average``: the fits of every width (or basis) and λ, with
        weights exp(−blend/4), which predict a little better (see blend); for ``ridge`` and ``kernel-ridge``, one target.
    n_repeats : int, default=1
        Of cross-validation's random folds.
    random_state : RandomState, default=0
        Of random folds, bootstrap and probes: an int, a generator, or None for a new one every time.
    metric : str or None, default=None
        Where ``sic`` measures the error: ``function-space``, ``train``, ``test`` (inputs of ``X_test``), ``uniform:a:b`` or
        ``normal:mean:sd`` (one input, units of the file), or a CSV of inputs [importance weights: ``test``, or the weighted
        training inputs without ``X_test``; ``function-space`` for ``penalty=coefficients``; else ``train``].
    missing : str, default="error"
        Missing cells: ``error``, ``drop`` (the row), ``mean``; targets are never filled in.
    weights : str, default="none"
        With ``X_test``: the method that estimates density ratios, one of ``kde``, ``kde-cv``, ``ulsif``, ``rulsif``,
        ``kliep``, ``kmm``, ``logistic``. ``none``: no importance weights, or ``kliep`` for ImportanceWeightedRidge.
    scale : str, default="standard"
        Inputs: ``none``, ``standard`` (mean 0, variance 1), ``unit`` (0 to 1). Without an intercept columns are divided
        only, for a shift would be a constant in the fit.
    strategy : str, default="auto"
        ``auto`` ``full`` ``tridiagonal`` ``pivoted-cholesky`` ``gram``, see strategies.
    cv : Folds, default=None
        Which rows are held out together: as in scikit-learn a number of folds without shuffling, a splitter, or an iterable
        of (train, test) indices that holds out every row once. ``criterion`` "auto" is ``cv`` then. None: random folds, or
        those of the ``groups`` given to fit.
    n_jobs : int or None, default=None
        Threads: None for as many as BLAS is allowed, -1 for all cores. Changes no answer beyond rounding.
    """

    _learner = "kernel-ridge"

    def __init__(
        self,
        *,
        kernel: Kernel = "gaussian",
        width: Values = "auto",
        penalty: str = "function",
        flattening: Values | None = None,
        groups: Groups | None = None,
        fit_intercept: bool = True,
        alphas: Values = "auto",
        criterion: Names = "auto",
        noise: str | float = "auto",
        bootstrap_residuals: str = "raw",
        search: str = "refine",
        rule: str = "min",
        combine: str = "none",
        n_repeats: int = 1,
        random_state: RandomState = 0,
        metric: str | None = None,
        missing: str = "error",
        weights: str = "none",
        scale: str = "standard",
        strategy: str = "auto",
        cv: Folds = None,
        n_jobs: int | None = None,
    ):
        self.kernel = kernel
        self.width = width
        self.penalty = penalty
        self.flattening = flattening
        self.groups = groups
        self.fit_intercept = fit_intercept
        self.alphas = alphas
        self.criterion = criterion
        self.noise = noise
        self.bootstrap_residuals = bootstrap_residuals
        self.search = search
        self.rule = rule
        self.combine = combine
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.metric = metric
        self.missing = missing
        self.weights = weights
        self.scale = scale
        self.strategy = strategy
        self.cv = cv
        self.n_jobs = n_jobs


class Ridge(_WeighedRegressor):
    """Ridge regression that chooses its own λ.

        Σ wᵢ (f(xᵢ) − yᵢ)² + λ‖β‖²,   f(x) = Σ βⱼ φⱼ(x) + b

    φ are the columns of ``basis``, standardised first unless ``scale`` says otherwise. With ``scale="none"`` scikit-learn's
    ``Ridge(alpha)`` minimises the same with alpha = λ. ``groups`` gives every group of inputs a λ of its own.

    Parameters
    ----------
    basis : Names or None, default=None
        For learners on a basis: ``linear`` ``polynomial:D`` ``fourier:D`` ``gaussian:M``; several to choose from: ``a,b``,
        ``polynomial:1..8`` [``linear``; ``svr``: none, so a kernel].
    subsets : Groups or None, default=None
        For learners on a basis: columns that a model uses, as models to choose from: ``a,b;a,b,c`` names them, ``nested``
        takes the first 1, 2, … columns in their order, ``every`` all subsets of up to 12 columns. A text column goes in or
        out as one. With several ``basis`` every basis is tried on every subset. See choosing among models.
    flattening : Values or None, default=None
        Exponents of importance weights, inside [0,1]: ``lo:hi:count`` (evenly spaced) or ``a,b,c``. ``iwls`` chooses among
        them, other learners with importance weights take one [1]; see covariate shift.
    groups : Groups or None, default=None
        Inputs that share a regularization parameter: ``a,b;c`` (columns not named form one more group), ``each``, ``all``.
        One decay per group for ``ridge``, one width per group for ``kernel-ridge``, and with ``decay_groups=input`` one
        decay per group of inputs for ``mlp``. A text column counts as one column. See many parameters.
    fit_intercept : bool, default=True
        An unpenalised constant; ``False``: none.
    alphas : Values, default="auto"
        ``auto`` (five values per decade from near interpolation to near the null model; lasso and elastic net: 100 values
        down from the λ at which all coefficients are zero, to 10⁻⁴ of it, or 10⁻² if rows do not outnumber columns),
        ``lo:hi:count`` (log-spaced), or a list ``a,b,c``; one value evaluates there. 0 is allowed in a list except for
        ``svr``, ``spectral-cutoff`` and ``landweber``; ``iwls``: ``auto`` is 0 alone.
    criterion : Names, default="auto"
        Comma list, the first one chooses, all are reported: ``sic`` ``rsic`` ``sic-pilot`` ``basic`` ``sure`` ``cp``
        ``gcv`` ``loo`` ``cv[:K]`` ``iwcv[:K]`` ``iwloo`` ``iwaic`` ``cv-blocked[:K]`` ``fpe`` ``fper`` ``gpe`` ``gen[:M]``
        ``nic`` ``aic`` ``aicc`` ``bic`` ``evidence`` ``blend`` (K folds, those of ``cv-blocked`` of consecutive rows, for
        time series; M rows over which a time series depends on itself); other names: ``abic`` ``gml`` ``reml``
        (``evidence``), ``press`` ``ocv`` (``loo``), ``tic`` (``nic``); ``all``: every one that applies; ``auto``: the
        default for this learner (named in the output with the reason), with ``sic`` and ``loo`` or ``cv`` beside it;
        learners that are not linear in y, and rows with weights: ``cv``, with ``sic`` beside it; under importance weights:
        ``sic`` on a basis, ``iwcv`` on a kernel, with the other, where it is defined, and ``cv``.
    noise : str or float, default="auto"
        σ²: ``auto`` ``residual`` ``gcv`` ``gcv-1.4`` ``cv`` ``ml`` ``reml`` ``difference`` ``rice`` ``gsj`` ``nearest``
        ``pure-error`` ``ols``, or a number; see noise variance.
    bootstrap_residuals : str, default="raw"
        Residuals that ``basic`` draws from: ``raw`` (as published), ``centred``, ``scaled`` (centred, times √(n/(n − df))).
    search : str, default="refine"
        ``grid``, or ``refine``: the continuous minimum between grid points; learners that are not linear in y stay on the
        grid. ``gradient``: all parameters of ``ridge``, ``kernel-ridge`` (λ and one width per input) or ``mlp`` at once, by
        their gradients; ``groups`` and ``mlp`` imply it. ``mackay``: updates that raise the evidence, for decays.
    rule : str, default="min"
        ``min``; ``1se``: the largest λ on the grid within one standard error of the least value; or ``paired``: the largest
        one whose value is above the least by no more than the standard error of this difference, which is smaller, both
        being made of the same rows.
    combine : str, default="none"
        ``none``: one fit, which is easier to explain, or ``average``: the fits of every width (or basis) and λ, with
        weights exp(−blend/4), which predict a little better (see blend); for ``ridge`` and ``kernel-ridge``, one target.
    n_repeats : int, default=1
        Of cross-validation's random folds.
    random_state : RandomState, default=0
        Of random folds, bootstrap and probes: an int, a generator, or None for a new one every time.
    metric : str or None, default=None
        Where ``sic`` measures the error: ``function-space``, ``train``, ``test`` (inputs of ``X_test``), ``uniform:a:b`` or
        ``normal:mean:sd`` (one input, units of the file), or a CSV of inputs [importance weights: ``test``, or the weighted
        training inputs without ``X_test``; ``function-space`` for ``penalty=coefficients``; else ``train``].
    missing : str, default="error"
        Missing cells: ``error``, ``drop`` (the row), ``mean``; targets are never filled in.
    weights : str, default="none"
        With ``X_test``: the method that estimates density ratios, one of ``kde``, ``kde-cv``, ``ulsif``, ``rulsif``,
        ``kliep``, ``kmm``, ``logistic``. ``none``: no importance weights, or ``kliep`` for ImportanceWeightedRidge.
    scale : str, default="standard"
        Inputs: ``none``, ``standard`` (mean 0, variance 1), ``unit`` (0 to 1). Without an intercept columns are divided
        only, for a shift would be a constant in the fit.
    strategy : str, default="auto"
        ``auto`` ``full`` ``tridiagonal`` ``pivoted-cholesky`` ``gram``, see strategies.
    cv : Folds, default=None
        Which rows are held out together: as in scikit-learn a number of folds without shuffling, a splitter, or an iterable
        of (train, test) indices that holds out every row once. ``criterion`` "auto" is ``cv`` then. None: random folds, or
        those of the ``groups`` given to fit.
    n_jobs : int or None, default=None
        Threads: None for as many as BLAS is allowed, -1 for all cores. Changes no answer beyond rounding.
    """

    _learner = "ridge"

    def __init__(
        self,
        *,
        basis: Names | None = None,
        subsets: Groups | None = None,
        flattening: Values | None = None,
        groups: Groups | None = None,
        fit_intercept: bool = True,
        alphas: Values = "auto",
        criterion: Names = "auto",
        noise: str | float = "auto",
        bootstrap_residuals: str = "raw",
        search: str = "refine",
        rule: str = "min",
        combine: str = "none",
        n_repeats: int = 1,
        random_state: RandomState = 0,
        metric: str | None = None,
        missing: str = "error",
        weights: str = "none",
        scale: str = "standard",
        strategy: str = "auto",
        cv: Folds = None,
        n_jobs: int | None = None,
    ):
        self.basis = basis
        self.subsets = subsets
        self.flattening = flattening
        self.groups = groups
        self.fit_intercept = fit_intercept
        self.alphas = alphas
        self.criterion = criterion
        self.noise = noise
        self.bootstrap_residuals = bootstrap_residuals
        self.search = search
        self.rule = rule
        self.combine = combine
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.metric = metric
        self.missing = missing
        self.weights = weights
        self.scale = scale
        self.strategy = strategy
        self.cv = cv
        self.n_jobs = n_jobs


class ImportanceWeightedRidge(_WeighedRegressor):
    """Least squares under covariate shift that chooses how much to weigh.

        Σ wᵢ^γ (f(xᵢ) − yᵢ)² + λ‖β‖²,   wᵢ = p_test(xᵢ)/p_train(xᵢ),   0 ≤ γ ≤ 1

    γ is called ``flattening``. ``fit(X, y, X_test=…)`` estimates the weights from the test inputs by the method
    ``weights``; ``fit(X, y, sample_weight=w)`` takes them as they are; with neither there is no shift and all are 1.

    Parameters
    ----------
    basis : Names or None, default=None
        For learners on a basis: ``linear`` ``polynomial:D`` ``fourier:D`` ``gaussian:M``; several to choose from: ``a,b``,
        ``polynomial:1..8`` [``linear``; ``svr``: none, so a kernel].
    subsets : Groups or None, default=None
        For learners on a basis: columns that a model uses, as models to choose from: ``a,b;a,b,c`` names them, ``nested``
        takes the first 1, 2, … columns in their order, ``every`` all subsets of up to 12 columns. A text column goes in or
        out as one. With several ``basis`` every basis is tried on every subset. See choosing among models.
    flattening : Values or None, default=None
        Exponents of importance weights, inside [0,1]: ``lo:hi:count`` (evenly spaced) or ``a,b,c``. ``iwls`` chooses among
        them, other learners with importance weights take one [1]; see covariate shift.
    fit_intercept : bool, default=True
        An unpenalised constant; ``False``: none.
    alphas : Values, default="auto"
        ``auto`` (five values per decade from near interpolation to near the null model; lasso and elastic net: 100 values
        down from the λ at which all coefficients are zero, to 10⁻⁴ of it, or 10⁻² if rows do not outnumber columns),
        ``lo:hi:count`` (log-spaced), or a list ``a,b,c``; one value evaluates there. 0 is allowed in a list except for
        ``svr``, ``spectral-cutoff`` and ``landweber``; ``iwls``: ``auto`` is 0 alone.
    criterion : Names, default="auto"
        Comma list, the first one chooses, all are reported: ``sic`` ``rsic`` ``sic-pilot`` ``basic`` ``sure`` ``cp``
        ``gcv`` ``loo`` ``cv[:K]`` ``iwcv[:K]`` ``iwloo`` ``iwaic`` ``cv-blocked[:K]`` ``fpe`` ``fper`` ``gpe`` ``gen[:M]``
        ``nic`` ``aic`` ``aicc`` ``bic`` ``evidence`` ``blend`` (K folds, those of ``cv-blocked`` of consecutive rows, for
        time series; M rows over which a time series depends on itself); other names: ``abic`` ``gml`` ``reml``
        (``evidence``), ``press`` ``ocv`` (``loo``), ``tic`` (``nic``); ``all``: every one that applies; ``auto``: the
        default for this learner (named in the output with the reason), with ``sic`` and ``loo`` or ``cv`` beside it;
        learners that are not linear in y, and rows with weights: ``cv``, with ``sic`` beside it; under importance weights:
        ``sic`` on a basis, ``iwcv`` on a kernel, with the other, where it is defined, and ``cv``.
    noise : str or float, default="auto"
        σ²: ``auto`` ``residual`` ``gcv`` ``gcv-1.4`` ``cv`` ``ml`` ``reml`` ``difference`` ``rice`` ``gsj`` ``nearest``
        ``pure-error`` ``ols``, or a number; see noise variance.
    divergence : str, default="best"
        Stein term of learners that are not linear in y: ``best``, ``exact``, ``mc[:PROBES]`` (Monte Carlo, one probe unless
        said) [``best``: exact for all learners above]; see divergence.
    n_bootstrap : int, default=200
        Replications of ``basic``; refused for linear learners, where all replications are known.
    bootstrap_residuals : str, default="raw"
        Residuals that ``basic`` draws from: ``raw`` (as published), ``centred``, ``scaled`` (centred, times √(n/(n − df))).
    search : str, default="refine"
        ``grid``, or ``refine``: the continuous minimum between grid points; learners that are not linear in y stay on the
        grid. ``gradient``: all parameters of ``ridge``, ``kernel-ridge`` (λ and one width per input) or ``mlp`` at once, by
        their gradients; ``groups`` and ``mlp`` imply it. ``mackay``: updates that raise the evidence, for decays.
    rule : str, default="min"
        ``min``; ``1se``: the largest λ on the grid within one standard error of the least value; or ``paired``: the largest
        one whose value is above the least by no more than the standard error of this difference, which is smaller, both
        being made of the same rows.
    n_repeats : int, default=1
        Of cross-validation's random folds.
    random_state : RandomState, default=0
        Of random folds, bootstrap and probes: an int, a generator, or None for a new one every time.
    metric : str or None, default=None
        Where ``sic`` measures the error: ``function-space``, ``train``, ``test`` (inputs of ``X_test``), ``uniform:a:b`` or
        ``normal:mean:sd`` (one input, units of the file), or a CSV of inputs [importance weights: ``test``, or the weighted
        training inputs without ``X_test``; ``function-space`` for ``penalty=coefficients``; else ``train``].
    missing : str, default="error"
        Missing cells: ``error``, ``drop`` (the row), ``mean``; targets are never filled in.
    weights : str, default="none"
        With ``X_test``: the method that estimates density ratios, one of ``kde``, ``kde-cv``, ``ulsif``, ``rulsif``,
        ``kliep``, ``kmm``, ``logistic``. ``none``: no importance weights, or ``kliep`` for ImportanceWeightedRidge.
    scale : str, default="standard"
        Inputs: ``none``, ``standard`` (mean 0, variance 1), ``unit`` (0 to 1). Without an intercept columns are divided
        only, for a shift would be a constant in the fit.
    cv : Folds, default=None
        Which rows are held out together: as in scikit-learn a number of folds without shuffling, a splitter, or an iterable
        of (train, test) indices that holds out every row once. ``criterion`` "auto" is ``cv`` then. None: random folds, or
        those of the ``groups`` given to fit.
    n_jobs : int or None, default=None
        Threads: None for as many as BLAS is allowed, -1 for all cores. Changes no answer beyond rounding.
    """

    _learner = "iwls"
    _many_targets = False
    _weights_are_ratios = True

    def __init__(
        self,
        *,
        basis: Names | None = None,
        subsets: Groups | None = None,
        flattening: Values | None = None,
        fit_intercept: bool = True,
        alphas: Values = "auto",
        criterion: Names = "auto",
        noise: str | float = "auto",
        divergence: str = "best",
        n_bootstrap: int = 200,
        bootstrap_residuals: str = "raw",
        search: str = "refine",
        rule: str = "min",
        n_repeats: int = 1,
        random_state: RandomState = 0,
        metric: str | None = None,
        missing: str = "error",
        weights: str = "none",
        scale: str = "standard",
        cv: Folds = None,
        n_jobs: int | None = None,
    ):
        self.basis = basis
        self.subsets = subsets
        self.flattening = flattening
        self.fit_intercept = fit_intercept
        self.alphas = alphas
        self.criterion = criterion
        self.noise = noise
        self.divergence = divergence
        self.n_bootstrap = n_bootstrap
        self.bootstrap_residuals = bootstrap_residuals
        self.search = search
        self.rule = rule
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.metric = metric
        self.missing = missing
        self.weights = weights
        self.scale = scale
        self.cv = cv
        self.n_jobs = n_jobs


class Additive(_WeighedRegressor):
    """Ridge regression whose targets are shifted on purpose before the fit.

        Σ wᵢ (f(xᵢ) − yᵢ − vᵢ)² + λ‖β‖²,   v = amplitude × shape

    The shape is called ``shift``.

    Parameters
    ----------
    basis : Names or None, default=None
        For learners on a basis: ``linear`` ``polynomial:D`` ``fourier:D`` ``gaussian:M``; several to choose from: ``a,b``,
        ``polynomial:1..8`` [``linear``; ``svr``: none, so a kernel].
    subsets : Groups or None, default=None
        For learners on a basis: columns that a model uses, as models to choose from: ``a,b;a,b,c`` names them, ``nested``
        takes the first 1, 2, … columns in their order, ``every`` all subsets of up to 12 columns. A text column goes in or
        out as one. With several ``basis`` every basis is tried on every subset. See choosing among models.
    shift : str, default="x:1"
        Additive: shape of the shift, ``constant``, ``index:1`` … ``index:5``, ``x:1`` … ``x:5``; see additive.
    amplitude : Values, default="auto"
        Additive: sizes of the shift in units of the target, ``a,b,c``, also negative; ``auto``: chosen from −s, −s/2, 0,
        s/2, s with s the target's standard deviation.
    flattening : Values or None, default=None
        Exponents of importance weights, inside [0,1]: ``lo:hi:count`` (evenly spaced) or ``a,b,c``. ``iwls`` chooses among
        them, other learners with importance weights take one [1]; see covariate shift.
    fit_intercept : bool, default=True
        An unpenalised constant; ``False``: none.
    alphas : Values, default="auto"
        ``auto`` (five values per decade from near interpolation to near the null model; lasso and elastic net: 100 values
        down from the λ at which all coefficients are zero, to 10⁻⁴ of it, or 10⁻² if rows do not outnumber columns),
        ``lo:hi:count`` (log-spaced), or a list ``a,b,c``; one value evaluates there. 0 is allowed in a list except for
        ``svr``, ``spectral-cutoff`` and ``landweber``; ``iwls``: ``auto`` is 0 alone.
    criterion : Names, default="auto"
        Comma list, the first one chooses, all are reported: ``sic`` ``rsic`` ``sic-pilot`` ``basic`` ``sure`` ``cp``
        ``gcv`` ``loo`` ``cv[:K]`` ``iwcv[:K]`` ``iwloo`` ``iwaic`` ``cv-blocked[:K]`` ``fpe`` ``fper`` ``gpe`` ``gen[:M]``
        ``nic`` ``aic`` ``aicc`` ``bic`` ``evidence`` ``blend`` (K folds, those of ``cv-blocked`` of consecutive rows, for
        time series; M rows over which a time series depends on itself); other names: ``abic`` ``gml`` ``reml``
        (``evidence``), ``press`` ``ocv`` (``loo``), ``tic`` (``nic``); ``all``: every one that applies; ``auto``: the
        default for this learner (named in the output with the reason), with ``sic`` and ``loo`` or ``cv`` beside it;
        learners that are not linear in y, and rows with weights: ``cv``, with ``sic`` beside it; under importance weights:
        ``sic`` on a basis, ``iwcv`` on a kernel, with the other, where it is defined, and ``cv``.
    noise : str or float, default="auto"
        σ²: ``auto`` ``residual`` ``gcv`` ``gcv-1.4`` ``cv`` ``ml`` ``reml`` ``difference`` ``rice`` ``gsj`` ``nearest``
        ``pure-error`` ``ols``, or a number; see noise variance.
    divergence : str, default="best"
        Stein term of learners that are not linear in y: ``best``, ``exact``, ``mc[:PROBES]`` (Monte Carlo, one probe unless
        said) [``best``: exact for all learners above]; see divergence.
    n_bootstrap : int, default=200
        Replications of ``basic``; refused for linear learners, where all replications are known.
    bootstrap_residuals : str, default="raw"
        Residuals that ``basic`` draws from: ``raw`` (as published), ``centred``, ``scaled`` (centred, times √(n/(n − df))).
    search : str, default="refine"
        ``grid``, or ``refine``: the continuous minimum between grid points; learners that are not linear in y stay on the
        grid. ``gradient``: all parameters of ``ridge``, ``kernel-ridge`` (λ and one width per input) or ``mlp`` at once, by
        their gradients; ``groups`` and ``mlp`` imply it. ``mackay``: updates that raise the evidence, for decays.
    rule : str, default="min"
        ``min``; ``1se``: the largest λ on the grid within one standard error of the least value; or ``paired``: the largest
        one whose value is above the least by no more than the standard error of this difference, which is smaller, both
        being made of the same rows.
    n_repeats : int, default=1
        Of cross-validation's random folds.
    random_state : RandomState, default=0
        Of random folds, bootstrap and probes: an int, a generator, or None for a new one every time.
    metric : str or None, default=None
        Where ``sic`` measures the error: ``function-space``, ``train``, ``test`` (inputs of ``X_test``), ``uniform:a:b`` or
        ``normal:mean:sd`` (one input, units of the file), or a CSV of inputs [importance weights: ``test``, or the weighted
        training inputs without ``X_test``; ``function-space`` for ``penalty=coefficients``; else ``train``].
    missing : str, default="error"
        Missing cells: ``error``, ``drop`` (the row), ``mean``; targets are never filled in.
    weights : str, default="none"
        With ``X_test``: the method that estimates density ratios, one of ``kde``, ``kde-cv``, ``ulsif``, ``rulsif``,
        ``kliep``, ``kmm``, ``logistic``. ``none``: no importance weights, or ``kliep`` for ImportanceWeightedRidge.
    scale : str, default="standard"
        Inputs: ``none``, ``standard`` (mean 0, variance 1), ``unit`` (0 to 1). Without an intercept columns are divided
        only, for a shift would be a constant in the fit.
    cv : Folds, default=None
        Which rows are held out together: as in scikit-learn a number of folds without shuffling, a splitter, or an iterable
        of (train, test) indices that holds out every row once. ``criterion`` "auto" is ``cv`` then. None: random folds, or
        those of the ``groups`` given to fit.
    n_jobs : int or None, default=None
        Threads: None for as many as BLAS is allowed, -1 for all cores. Changes no answer beyond rounding.
    """

    _learner = "additive"
    _many_targets = False

    def __init__(
        self,
        *,
        basis: Names | None = None,
        subsets: Groups | None = None,
        shift: str = "x:1",
        amplitude: Values = "auto",
        flattening: Values | None = None,
        fit_intercept: bool = True,
        alphas: Values = "auto",
        criterion: Names = "auto",
        noise: str | float = "auto",
        divergence: str = "best",
        n_bootstrap: int = 200,
        bootstrap_residuals: str = "raw",
        search: str = "refine",
        rule: str = "min",
        n_repeats: int = 1,
        random_state: RandomState = 0,
        metric: str | None = None,
        missing: str = "error",
        weights: str = "none",
        scale: str = "standard",
        cv: Folds = None,
        n_jobs: int | None = None,
    ):
        self.basis = basis
        self.subsets = subsets
        self.shift = shift
        self.amplitude = amplitude
        self.flattening = flattening
        self.fit_intercept = fit_intercept
        self.alphas = alphas
        self.criterion = criterion
        self.noise = noise
        self.divergence = divergence
        self.n_bootstrap = n_bootstrap
        self.bootstrap_residuals = bootstrap_residuals
        self.search = search
        self.rule = rule
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.metric = metric
        self.missing = missing
        self.weights = weights
        self.scale = scale
        self.cv = cv
        self.n_jobs = n_jobs


class Huber(_WeighedRegressor):
    """Robust regression that chooses its own λ.

        Σ wᵢ 2ρ(f(xᵢ) − yᵢ) + λ‖β‖²,   ρ(u) = u²/2 for |u| ≤ τ, τ|u| − τ²/2 beyond

    τ → ∞ is ridge regression with the same λ.

    Parameters
    ----------
    basis : Names or None, default=None
        For learners on a basis: ``linear`` ``polynomial:D`` ``fourier:D`` ``gaussian:M``; several to choose from: ``a,b``,
        ``polynomial:1..8`` [``linear``; ``svr``: none, so a kernel].
    subsets : Groups or None, default=None
        For learners on a basis: columns that a model uses, as models to choose from: ``a,b;a,b,c`` names them, ``nested``
        takes the first 1, 2, … columns in their order, ``every`` all subsets of up to 12 columns. A text column goes in or
        out as one. With several ``basis`` every basis is tried on every subset. See choosing among models.
    tau : Values, default="auto"
        Huber: residuals beyond it count linearly, in units of the target; ``auto``: one value, 1.345 × a robust estimate of
        the noise's standard deviation.
    flattening : Values or None, default=None
        Exponents of importance weights, inside [0,1]: ``lo:hi:count`` (evenly spaced) or ``a,b,c``. ``iwls`` chooses among
        them, other learners with importance weights take one [1]; see covariate shift.
    fit_intercept : bool, default=True
        An unpenalised constant; ``False``: none.
    alphas : Values, default="auto"
        ``auto`` (five values per decade from near interpolation to near the null model; lasso and elastic net: 100 values
        down from the λ at which all coefficients are zero, to 10⁻⁴ of it, or 10⁻² if rows do not outnumber columns),
        ``lo:hi:count`` (log-spaced), or a list ``a,b,c``; one value evaluates there. 0 is allowed in a list except for
        ``svr``, ``spectral-cutoff`` and ``landweber``; ``iwls``: ``auto`` is 0 alone.
    criterion : Names, default="auto"
        Comma list, the first one chooses, all are reported: ``sic`` ``rsic`` ``sic-pilot`` ``basic`` ``sure`` ``cp``
        ``gcv`` ``loo`` ``cv[:K]`` ``iwcv[:K]`` ``iwloo`` ``iwaic`` ``cv-blocked[:K]`` ``fpe`` ``fper`` ``gpe`` ``gen[:M]``
        ``nic`` ``aic`` ``aicc`` ``bic`` ``evidence`` ``blend`` (K folds, those of ``cv-blocked`` of consecutive rows, for
        time series; M rows over which a time series depends on itself); other names: ``abic`` ``gml`` ``reml``
        (``evidence``), ``press`` ``ocv`` (``loo``), ``tic`` (``nic``); ``all``: every one that applies; ``auto``: the
        default for this learner (named in the output with the reason), with ``sic`` and ``loo`` or ``cv`` beside it;
        learners that are not linear in y, and rows with weights: ``cv``, with ``sic`` beside it; under importance weights:
        ``sic`` on a basis, ``iwcv`` on a kernel, with the other, where it is defined, and ``cv``.
    noise : str or float, default="auto"
        σ²: ``auto`` ``residual`` ``gcv`` ``gcv-1.4`` ``cv`` ``ml`` ``reml`` ``difference`` ``rice`` ``gsj`` ``nearest``
        ``pure-error`` ``ols``, or a number; see noise variance.
    divergence : str, default="best"
        Stein term of learners that are not linear in y: ``best``, ``exact``, ``mc[:PROBES]`` (Monte Carlo, one probe unless
        said) [``best``: exact for all learners above]; see divergence.
    n_bootstrap : int, default=200
        Replications of ``basic``; refused for linear learners, where all replications are known.
    bootstrap_residuals : str, default="raw"
        Residuals that ``basic`` draws from: ``raw`` (as published), ``centred``, ``scaled`` (centred, times √(n/(n − df))).
    search : str, default="refine"
        ``grid``, or ``refine``: the continuous minimum between grid points; learners that are not linear in y stay on the
        grid. ``gradient``: all parameters of ``ridge``, ``kernel-ridge`` (λ and one width per input) or ``mlp`` at once, by
        their gradients; ``groups`` and ``mlp`` imply it. ``mackay``: updates that raise the evidence, for decays.
    rule : str, default="min"
        ``min``; ``1se``: the largest λ on the grid within one standard error of the least value; or ``paired``: the largest
        one whose value is above the least by no more than the standard error of this difference, which is smaller, both
        being made of the same rows.
    n_repeats : int, default=1
        Of cross-validation's random folds.
    random_state : RandomState, default=0
        Of random folds, bootstrap and probes: an int, a generator, or None for a new one every time.
    metric : str or None, default=None
        Where ``sic`` measures the error: ``function-space``, ``train``, ``test`` (inputs of ``X_test``), ``uniform:a:b`` or
        ``normal:mean:sd`` (one input, units of the file), or a CSV of inputs [importance weights: ``test``, or the weighted
        training inputs without ``X_test``; ``function-space`` for ``penalty=coefficients``; else ``train``].
    missing : str, default="error"
        Missing cells: ``error``, ``drop`` (the row), ``mean``; targets are never filled in.
    weights : str, default="none"
        With ``X_test``: the method that estimates density ratios, one of ``kde``, ``kde-cv``, ``ulsif``, ``rulsif``,
        ``kliep``, ``kmm``, ``logistic``. ``none``: no importance weights, or ``kliep`` for ImportanceWeightedRidge.
    scale : str, default="standard"
        Inputs: ``none``, ``standard`` (mean 0, variance 1), ``unit`` (0 to 1). Without an intercept columns are divided
        only, for a shift would be a constant in the fit.
    cv : Folds, default=None
        Which rows are held out together: as in scikit-learn a number of folds without shuffling, a splitter, or an iterable
        of (train, test) indices that holds out every row once. ``criterion`` "auto" is ``cv`` then. None: random folds, or
        those of the ``groups`` given to fit.
    n_jobs : int or None, default=None
        Threads: None for as many as BLAS is allowed, -1 for all cores. Changes no answer beyond rounding.
    """

    _learner = "huber"
    _many_targets = False

    def __init__(
        self,
        *,
        basis: Names | None = None,
        subsets: Groups | None = None,
        tau: Values = "auto",
        flattening: Values | None = None,
        fit_intercept: bool = True,
        alphas: Values = "auto",
        criterion: Names = "auto",
        noise: str | float = "auto",
        divergence: str = "best",
        n_bootstrap: int = 200,
        bootstrap_residuals: str = "raw",
        search: str = "refine",
        rule: str = "min",
        n_repeats: int = 1,
        random_state: RandomState = 0,
        metric: str | None = None,
        missing: str = "error",
        weights: str = "none",
        scale: str = "standard",
        cv: Folds = None,
        n_jobs: int | None = None,
    ):
        self.basis = basis
        self.subsets = subsets
        self.tau = tau
        self.flattening = flattening
        self.fit_intercept = fit_intercept
        self.alphas = alphas
        self.criterion = criterion
        self.noise = noise
        self.divergence = divergence
        self.n_bootstrap = n_bootstrap
        self.bootstrap_residuals = bootstrap_residuals
        self.search = search
        self.rule = rule
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.metric = metric
        self.missing = missing
        self.weights = weights
        self.scale = scale
        self.cv = cv
        self.n_jobs = n_jobs


class Lasso(_WeighedRegressor):
    """Lasso that chooses its own λ.

        Σ wᵢ (f(xᵢ) − yᵢ)² + λ‖β‖₁,   f(x) = Σ βⱼ φⱼ(x) + b

    scikit-learn's ``Lasso(alpha)`` minimises the same with alpha = λ/(2n), with ``scale="none"`` here.

    Parameters
    ----------
    basis : Names or None, default=None
        For learners on a basis: ``linear`` ``polynomial:D`` ``fourier:D`` ``gaussian:M``; several to choose from: ``a,b``,
        ``polynomial:1..8`` [``linear``; ``svr``: none, so a kernel].
    subsets : Groups or None, default=None
        For learners on a basis: columns that a model uses, as models to choose from: ``a,b;a,b,c`` names them, ``nested``
        takes the first 1, 2, … columns in their order, ``every`` all subsets of up to 12 columns. A text column goes in or
        out as one. With several ``basis`` every basis is tried on every subset. See choosing among models.
    flattening : Values or None, default=None
        Exponents of importance weights, inside [0,1]: ``lo:hi:count`` (evenly spaced) or ``a,b,c``. ``iwls`` chooses among
        them, other learners with importance weights take one [1]; see covariate shift.
    fit_intercept : bool, default=True
        An unpenalised constant; ``False``: none.
    alphas : Values, default="auto"
        ``auto`` (five values per decade from near interpolation to near the null model; lasso and elastic net: 100 values
        down from the λ at which all coefficients are zero, to 10⁻⁴ of it, or 10⁻² if rows do not outnumber columns),
        ``lo:hi:count`` (log-spaced), or a list ``a,b,c``; one value evaluates there. 0 is allowed in a list except for
        ``svr``, ``spectral-cutoff`` and ``landweber``; ``iwls``: ``auto`` is 0 alone.
    criterion : Names, default="auto"
        Comma list, the first one chooses, all are reported: ``sic`` ``rsic`` ``sic-pilot`` ``basic`` ``sure`` ``cp``
        ``gcv`` ``loo`` ``cv[:K]`` ``iwcv[:K]`` ``iwloo`` ``iwaic`` ``cv-blocked[:K]`` ``fpe`` ``fper`` ``gpe`` ``gen[:M]``
        ``nic`` ``aic`` ``aicc`` ``bic`` ``evidence`` ``blend`` (K folds, those of ``cv-blocked`` of consecutive rows, for
        time series; M rows over which a time series depends on itself); other names: ``abic`` ``gml`` ``reml``
        (``evidence``), ``press`` ``ocv`` (``loo``), ``tic`` (``nic``); ``all``: every one that applies; ``auto``: the
        default for this learner (named in the output with the reason), with ``sic`` and ``loo`` or ``cv`` beside it;
        learners that are not linear in y, and rows with weights: ``cv``, with ``sic`` beside it; under importance weights:
        ``sic`` on a basis, ``iwcv`` on a kernel, with the other, where it is defined, and ``cv``.
    noise : str or float, default="auto"
        σ²: ``auto`` ``residual`` ``gcv`` ``gcv-1.4`` ``cv`` ``ml`` ``reml`` ``difference`` ``rice`` ``gsj`` ``nearest``
        ``pure-error`` ``ols``, or a number; see noise variance.
    divergence : str, default="best"
        Stein term of learners that are not linear in y: ``best``, ``exact``, ``mc[:PROBES]`` (Monte Carlo, one probe unless
        said) [``best``: exact for all learners above]; see divergence.
    n_bootstrap : int, default=200
        Replications of ``basic``; refused for linear learners, where all replications are known.
    bootstrap_residuals : str, default="raw"
        Residuals that ``basic`` draws from: ``raw`` (as published), ``centred``, ``scaled`` (centred, times √(n/(n − df))).
    search : str, default="refine"
        ``grid``, or ``refine``: the continuous minimum between grid points; learners that are not linear in y stay on the
        grid. ``gradient``: all parameters of ``ridge``, ``kernel-ridge`` (λ and one width per input) or ``mlp`` at once, by
        their gradients; ``groups`` and ``mlp`` imply it. ``mackay``: updates that raise the evidence, for decays.
    rule : str, default="min"
        ``min``; ``1se``: the largest λ on the grid within one standard error of the least value; or ``paired``: the largest
        one whose value is above the least by no more than the standard error of this difference, which is smaller, both
        being made of the same rows.
    n_repeats : int, default=1
        Of cross-validation's random folds.
    random_state : RandomState, default=0
        Of random folds, bootstrap and probes: an int, a generator, or None for a new one every time.
    metric : str or None, default=None
        Where ``sic`` measures the error: ``function-space``, ``train``, ``test`` (inputs of ``X_test``), ``uniform:a:b`` or
        ``normal:mean:sd`` (one input, units of the file), or a CSV of inputs [importance weights: ``test``, or the weighted
        training inputs without ``X_test``; ``function-space`` for ``penalty=coefficients``; else ``train``].
    missing : str, default="error"
        Missing cells: ``error``, ``drop`` (the row), ``mean``; targets are never filled in.
    weights : str, default="none"
        With ``X_test``: the method that estimates density ratios, one of ``kde``, ``kde-cv``, ``ulsif``, ``rulsif``,
        ``kliep``, ``kmm``, ``logistic``. ``none``: no importance weights, or ``kliep`` for ImportanceWeightedRidge.
    scale : str, default="standard"
        Inputs: ``none``, ``standard`` (mean 0, variance 1), ``unit`` (0 to 1). Without an intercept columns are divided
        only, for a shift would be a constant in the fit.
    cv : Folds, default=None
        Which rows are held out together: as in scikit-learn a number of folds without shuffling, a splitter, or an iterable
        of (train, test) indices that holds out every row once. ``criterion`` "auto" is ``cv`` then. None: random folds, or
        those of the ``groups`` given to fit.
    n_jobs : int or None, default=None
        Threads: None for as many as BLAS is allowed, -1 for all cores. Changes no answer beyond rounding.
    """

    _learner = "lasso"

    def __init__(
        self,
        *,
        basis: Names | None = None,
        subsets: Groups | None = None,
        flattening: Values | None = None,
        fit_intercept: bool = True,
        alphas: Values = "auto",
        criterion: Names = "auto",
        noise: str | float = "auto",
        divergence: str = "best",
        n_bootstrap: int = 200,
        bootstrap_residuals: str = "raw",
        search: str = "refine",
        rule: str = "min",
        n_repeats: int = 1,
        random_state: RandomState = 0,
        metric: str | None = None,
        missing: str = "error",
        weights: str = "none",
        scale: str = "standard",
        cv: Folds = None,
        n_jobs: int | None = None,
    ):
        self.basis = basis
        self.subsets = subsets
        self.flattening = flattening
        self.fit_intercept = fit_intercept
        self.alphas = alphas
        self.criterion = criterion
        self.noise = noise
        self.divergence = divergence
        self.n_bootstrap = n_bootstrap
        self.bootstrap_residuals = bootstrap_residuals
        self.search = search
        self.rule = rule
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.metric = metric
        self.missing = missing
        self.weights = weights
        self.scale = scale
        self.cv = cv
        self.n_jobs = n_jobs


class ElasticNet(_WeighedRegressor):
    """Elastic net that chooses its own λ and share of the absolute penalty.

        Σ wᵢ (f(xᵢ) − yᵢ)² + λ (r‖β‖₁ + (1 − r)/2 ‖β‖²),   r = l1_ratio

    scikit-learn's ``ElasticNet(alpha, l1_ratio)`` minimises the same with alpha = λ/(2n), with ``scale="none"`` here.

    Parameters
    ----------
    basis : Names or None, default=None
        For learners on a basis: ``linear`` ``polynomial:D`` ``fourier:D`` ``gaussian:M``; several to choose from: ``a,b``,
        ``polynomial:1..8`` [``linear``; ``svr``: none, so a kernel].
    subsets : Groups or None, default=None
        For learners on a basis: columns that a model uses, as models to choose from: ``a,b;a,b,c`` names them, ``nested``
        takes the first 1, 2, … columns in their order, ``every`` all subsets of up to 12 columns. A text column goes in or
        out as one. With several ``basis`` every basis is tried on every subset. See choosing among models.
    l1_ratio : Values, default="auto"
        Elastic-net: share of the absolute penalty, 0 (ridge at λ/2) to 1 (lasso); ``auto``: chosen from 0.1, 0.5, 0.9 and
        1.
    flattening : Values or None, default=None
        Exponents of importance weights, inside [0,1]: ``lo:hi:count`` (evenly spaced) or ``a,b,c``. ``iwls`` chooses among
        them, other learners with importance weights take one [1]; see covariate shift.
    fit_intercept : bool, default=True
        An unpenalised constant; ``False``: none.
    alphas : Values, default="auto"
        ``auto`` (five values per decade from near interpolation to near the null model; lasso and elastic net: 100 values
        down from the λ at which all coefficients are zero, to 10⁻⁴ of it, or 10⁻² if rows do not outnumber columns),
        ``lo:hi:count`` (log-spaced), or a list ``a,b,c``; one value evaluates there. 0 is allowed in a list except for
        ``svr``, ``spectral-cutoff`` and ``landweber``; ``iwls``: ``auto`` is 0 alone.
    criterion : Names, default="auto"
        Comma list, the first one chooses, all are reported: ``sic`` ``rsic`` ``sic-pilot`` ``basic`` ``sure`` ``cp``
        ``gcv`` ``loo`` ``cv[:K]`` ``iwcv[:K]`` ``iwloo`` ``iwaic`` ``cv-blocked[:K]`` ``fpe`` ``fper`` ``gpe`` ``gen[:M]``
        ``nic`` ``aic`` ``aicc`` ``bic`` ``evidence`` ``blend`` (K folds, those of ``cv-blocked`` of consecutive rows, for
        time series; M rows over which a time series depends on itself); other names: ``abic`` ``gml`` ``reml``
        (``evidence``), ``press`` ``ocv`` (``loo``), ``tic`` (``nic``); ``all``: every one that applies; ``auto``: the
        default for this learner (named in the output with the reason), with ``sic`` and ``loo`` or ``cv`` beside it;
        learners that are not linear in y, and rows with weights: ``cv``, with ``sic`` beside it; under importance weights:
        ``sic`` on a basis, ``iwcv`` on a kernel, with the other, where it is defined, and ``cv``.
    noise : str or float, default="auto"
        σ²: ``auto`` ``residual`` ``gcv`` ``gcv-1.4`` ``cv`` ``ml`` ``reml`` ``difference`` ``rice`` ``gsj`` ``nearest``
        ``pure-error`` ``ols``, or a number; see noise variance.
    divergence : str, default="best"
        Stein term of learners that are not linear in y: ``best``, ``exact``, ``mc[:PROBES]`` (Monte Carlo, one probe unless
        said) [``best``: exact for all learners above]; see divergence.
    n_bootstrap : int, default=200
        Replications of ``basic``; refused for linear learners, where all replications are known.
    bootstrap_residuals : str, default="raw"
        Residuals that ``basic`` draws from: ``raw`` (as published), ``centred``, ``scaled`` (centred, times √(n/(n − df))).
    search : str, default="refine"
        ``grid``, or ``refine``: the continuous minimum between grid points; learners that are not linear in y stay on the
        grid. ``gradient``: all parameters of ``ridge``, ``kernel-ridge`` (λ and one width per input) or ``mlp`` at once, by
        their gradients; ``groups`` and ``mlp`` imply it. ``mackay``: updates that raise the evidence, for decays.
    rule : str, default="min"
        ``min``; ``1se``: the largest λ on the grid within one standard error of the least value; or ``paired``: the largest
        one whose value is above the least by no more than the standard error of this difference, which is smaller, both
        being made of the same rows.
    n_repeats : int, default=1
        Of cross-validation's random folds.
    random_state : RandomState, default=0
        Of random folds, bootstrap and probes: an int, a generator, or None for a new one every time.
    metric : str or None, default=None
        Where ``sic`` measures the error: ``function-space``, ``train``, ``test`` (inputs of ``X_test``), ``uniform:a:b`` or
        ``normal:mean:sd`` (one input, units of the file), or a CSV of inputs [importance weights: ``test``, or the weighted
        training inputs without ``X_test``; ``function-space`` for ``penalty=coefficients``; else ``train``].
    missing : str, default="error"
        Missing cells: ``error``, ``drop`` (the row), ``mean``; targets are never filled in.
    weights : str, default="none"
        With ``X_test``: the method that estimates density ratios, one of ``kde``, ``kde-cv``, ``ulsif``, ``rulsif``,
        ``kliep``, ``kmm``, ``logistic``. ``none``: no importance weights, or ``kliep`` for ImportanceWeightedRidge.
    scale : str, default="standard"
        Inputs: ``none``, ``standard`` (mean 0, variance 1), ``unit`` (0 to 1). Without an intercept columns are divided
        only, for a shift would be a constant in the fit.
    cv : Folds, default=None
        Which rows are held out together: as in scikit-learn a number of folds without shuffling, a splitter, or an iterable
        of (train, test) indices that holds out every row once. ``criterion`` "auto" is ``cv`` then. None: random folds, or
        those of the ``groups`` given to fit.
    n_jobs : int or None, default=None
        Threads: None for as many as BLAS is allowed, -1 for all cores. Changes no answer beyond rounding.
    """

    _learner = "elastic-net"
    _many_targets = False

    def __init__(
        self,
        *,
        basis: Names | None = None,
        subsets: Groups | None = None,
        l1_ratio: Values = "auto",
        flattening: Values | None = None,
        fit_intercept: bool = True,
        alphas: Values = "auto",
        criterion: Names = "auto",
        noise: str | float = "auto",
        divergence: str = "best",
        n_bootstrap: int = 200,
        bootstrap_residuals: str = "raw",
        search: str = "refine",
        rule: str = "min",
        n_repeats: int = 1,
        random_state: RandomState = 0,
        metric: str | None = None,
        missing: str = "error",
        weights: str = "none",
        scale: str = "standard",
        cv: Folds = None,
        n_jobs: int | None = None,
    ):
        self.basis = basis
        self.subsets = subsets
        self.l1_ratio = l1_ratio
        self.flattening = flattening
        self.fit_intercept = fit_intercept
        self.alphas = alphas
        self.criterion = criterion
        self.noise = noise
        self.divergence = divergence
        self.n_bootstrap = n_bootstrap
        self.bootstrap_residuals = bootstrap_residuals
        self.search = search
        self.rule = rule
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.metric = metric
        self.missing = missing
        self.weights = weights
        self.scale = scale
        self.cv = cv
        self.n_jobs = n_jobs


class SupportVectorRegressor(_WeighedRegressor):
    """Support vector regression that chooses its own λ.

        2 Σ wᵢ max(0, |f(xᵢ) − yᵢ| − ε) + λ‖f‖²

    ‖f‖² is αᵀKα on a kernel, ‖β‖² on a ``basis``. scikit-learn's ``SVR(C)`` minimises the same with C = 1/λ.

    Parameters
    ----------
    kernel : Kernel, default="gaussian"
        ``gaussian``, ``laplace``, ``matern32``, ``matern52``, ``polynomial:D``, ``linear``; several to choose from: a list,
        or ``polynomial:2..4``. A function of two rows of X is called for every pair; ``precomputed``: X is the matrix of
        the kernel, rows x rows in fit and new rows x rows in predict. For both ``scale`` is ``none``.
    width : Values, default="auto"
        ``auto``: chosen before λ from the median distance between rows times powers of two, by ``blend`` and a prior (see
        blend); under importance weights or a search over several parameters it is ``median``, the median distance itself; a
        number; or several for the criterion to choose from: ``a,b,c`` or ``lo:hi:count`` (log-spaced). In units of the
        scaled inputs.
    basis : Names or None, default=None
        For learners on a basis: ``linear`` ``polynomial:D`` ``fourier:D`` ``gaussian:M``; several to choose from: ``a,b``,
        ``polynomial:1..8`` [``linear``; ``svr``: none, so a kernel].
    subsets : Groups or None, default=None
        For learners on a basis: columns that a model uses, as models to choose from: ``a,b;a,b,c`` names them, ``nested``
        takes the first 1, 2, … columns in their order, ``every`` all subsets of up to 12 columns. A text column goes in or
        out as one. With several ``basis`` every basis is tried on every subset. See choosing among models.
    epsilon : Values, default="auto"
        Svr: half-width of the tube without loss, in units of the target; ``auto``: one value, a tenth of the target's
        standard deviation.
    flattening : Values or None, default=None
        Exponents of importance weights, inside [0,1]: ``lo:hi:count`` (evenly spaced) or ``a,b,c``. ``iwls`` chooses among
        them, other learners with importance weights take one [1]; see covariate shift.
    fit_intercept : bool, default=True
        An unpenalised constant; ``False``: none.
    alphas : Values, default="auto"
        ``auto`` (five values per decade from near interpolation to near the null model; lasso and elastic net: 100 values
        down from the λ at which all coefficients are zero, to 10⁻⁴ of it, or 10⁻² if rows do not outnumber columns),
        ``lo:hi:count`` (log-spaced), or a list ``a,b,c``; one value evaluates there. 0 is allowed in a list except for
        ``svr``, ``spectral-cutoff`` and ``landweber``; ``iwls``: ``auto`` is 0 alone.
    criterion : Names, default="auto"
        Comma list, the first one chooses, all are reported: ``sic`` ``rsic`` ``sic-pilot`` ``basic`` ``sure`` ``cp``
        ``gcv`` ``loo`` ``cv[:K]`` ``iwcv[:K]`` ``iwloo`` ``iwaic`` ``cv-blocked[:K]`` ``fpe`` ``fper`` ``gpe`` ``gen[:M]``
        ``nic`` ``aic`` ``aicc`` ``bic`` ``evidence`` ``blend`` (K folds, those of ``cv-blocked`` of consecutive rows, for
        time series; M rows over which a time series depends on itself); other names: ``abic`` ``gml`` ``reml``
        (``evidence``), ``press`` ``ocv`` (``loo``), ``tic`` (``nic``); ``all``: every one that applies; ``auto``: the
        default for this learner (named in the output with the reason), with ``sic`` and ``loo`` or ``cv`` beside it;
        learners that are not linear in y, and rows with weights: ``cv``, with ``sic`` beside it; under importance weights:
        ``sic`` on a basis, ``iwcv`` on a kernel, with the other, where it is defined, and ``cv``.
    noise : str or float, default="auto"
        σ²: ``auto`` ``residual`` ``gcv`` ``gcv-1.4`` ``cv`` ``ml`` ``reml`` ``difference`` ``rice`` ``gsj`` ``nearest``
        ``pure-error`` ``ols``, or a number; see noise variance.
    divergence : str, default="best"
        Stein term of learners that are not linear in y: ``best``, ``exact``, ``mc[:PROBES]`` (Monte Carlo, one probe unless
        said) [``best``: exact for all learners above]; see divergence.
    n_bootstrap : int, default=200
        Replications of ``basic``; refused for linear learners, where all replications are known.
    bootstrap_residuals : str, default="raw"
        Residuals that ``basic`` draws from: ``raw`` (as published), ``centred``, ``scaled`` (centred, times √(n/(n − df))).
    search : str, default="refine"
        ``grid``, or ``refine``: the continuous minimum between grid points; learners that are not linear in y stay on the
        grid. ``gradient``: all parameters of ``ridge``, ``kernel-ridge`` (λ and one width per input) or ``mlp`` at once, by
        their gradients; ``groups`` and ``mlp`` imply it. ``mackay``: updates that raise the evidence, for decays.
    rule : str, default="min"
        ``min``; ``1se``: the largest λ on the grid within one standard error of the least value; or ``paired``: the largest
        one whose value is above the least by no more than the standard error of this difference, which is smaller, both
        being made of the same rows.
    n_repeats : int, default=1
        Of cross-validation's random folds.
    random_state : RandomState, default=0
        Of random folds, bootstrap and probes: an int, a generator, or None for a new one every time.
    metric : str or None, default=None
        Where ``sic`` measures the error: ``function-space``, ``train``, ``test`` (inputs of ``X_test``), ``uniform:a:b`` or
        ``normal:mean:sd`` (one input, units of the file), or a CSV of inputs [importance weights: ``test``, or the weighted
        training inputs without ``X_test``; ``function-space`` for ``penalty=coefficients``; else ``train``].
    missing : str, default="error"
        Missing cells: ``error``, ``drop`` (the row), ``mean``; targets are never filled in.
    weights : str, default="none"
        With ``X_test``: the method that estimates density ratios, one of ``kde``, ``kde-cv``, ``ulsif``, ``rulsif``,
        ``kliep``, ``kmm``, ``logistic``. ``none``: no importance weights, or ``kliep`` for ImportanceWeightedRidge.
    scale : str, default="standard"
        Inputs: ``none``, ``standard`` (mean 0, variance 1), ``unit`` (0 to 1). Without an intercept columns are divided
        only, for a shift would be a constant in the fit.
    cv : Folds, default=None
        Which rows are held out together: as in scikit-learn a number of folds without shuffling, a splitter, or an iterable
        of (train, test) indices that holds out every row once. ``criterion`` "auto" is ``cv`` then. None: random folds, or
        those of the ``groups`` given to fit.
    n_jobs : int or None, default=None
        Threads: None for as many as BLAS is allowed, -1 for all cores. Changes no answer beyond rounding.
    """

    _learner = "svr"
    _many_targets = False

    def __init__(
        self,
        *,
        kernel: Kernel = "gaussian",
        width: Values = "auto",
        basis: Names | None = None,
        subsets: Groups | None = None,
        epsilon: Values = "auto",
        flattening: Values | None = None,
        fit_intercept: bool = True,
        alphas: Values = "auto",
        criterion: Names = "auto",
        noise: str | float = "auto",
        divergence: str = "best",
        n_bootstrap: int = 200,
        bootstrap_residuals: str = "raw",
        search: str = "refine",
        rule: str = "min",
        n_repeats: int = 1,
        random_state: RandomState = 0,
        metric: str | None = None,
        missing: str = "error",
        weights: str = "none",
        scale: str = "standard",
        cv: Folds = None,
        n_jobs: int | None = None,
    ):
        self.kernel = kernel
        self.width = width
        self.basis = basis
        self.subsets = subsets
        self.epsilon = epsilon
        self.flattening = flattening
        self.fit_intercept = fit_intercept
        self.alphas = alphas
        self.criterion = criterion
        self.noise = noise
        self.divergence = divergence
        self.n_bootstrap = n_bootstrap
        self.bootstrap_residuals = bootstrap_residuals
        self.search = search
        self.rule = rule
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.metric = metric
        self.missing = missing
        self.weights = weights
        self.scale = scale
        self.cv = cv
        self.n_jobs = n_jobs


class MLPRegressor(_NetworkRegressor):
    """A small network whose weight decays are chosen by their gradients.

        Σ wᵢ ‖f(xᵢ) − yᵢ‖² + Σ_g λ_g ‖w_g‖²,   f a network of tanh units

    Groups g are layers, or inputs (``decay_groups``). Targets are standardised first.

    Parameters
    ----------
    groups : Groups or None, default=None
        Inputs that share a regularization parameter: ``a,b;c`` (columns not named form one more group), ``each``, ``all``.
        One decay per group for ``ridge``, one width per group for ``kernel-ridge``, and with ``decay_groups=input`` one
        decay per group of inputs for ``mlp``. A text column counts as one column. See many parameters.
    hidden_layer_sizes : Units, default=8
        Mlp: tanh units, ``a,b`` for two layers, 0 for none.
    decay_groups : str, default="layer"
        Mlp: ``layer`` (one decay per layer) or ``input`` (one per input or group of inputs, and one for the rest).
    n_restarts : int, default=5
        Mlp: random starts of training.
    fit_intercept : bool, default=True
        An unpenalised constant; ``False``: none.
    alphas : Values, default="auto"
        ``auto`` (five values per decade from near interpolation to near the null model; lasso and elastic net: 100 values
        down from the λ at which all coefficients are zero, to 10⁻⁴ of it, or 10⁻² if rows do not outnumber columns),
        ``lo:hi:count`` (log-spaced), or a list ``a,b,c``; one value evaluates there. 0 is allowed in a list except for
        ``svr``, ``spectral-cutoff`` and ``landweber``; ``iwls``: ``auto`` is 0 alone.
    criterion : Names, default="auto"
        Comma list, the first one chooses, all are reported: ``sic`` ``rsic`` ``sic-pilot`` ``basic`` ``sure`` ``cp``
        ``gcv`` ``loo`` ``cv[:K]`` ``iwcv[:K]`` ``iwloo`` ``iwaic`` ``cv-blocked[:K]`` ``fpe`` ``fper`` ``gpe`` ``gen[:M]``
        ``nic`` ``aic`` ``aicc`` ``bic`` ``evidence`` ``blend`` (K folds, those of ``cv-blocked`` of consecutive rows, for
        time series; M rows over which a time series depends on itself); other names: ``abic`` ``gml`` ``reml``
        (``evidence``), ``press`` ``ocv`` (``loo``), ``tic`` (``nic``); ``all``: every one that applies; ``auto``: the
        default for this learner (named in the output with the reason), with ``sic`` and ``loo`` or ``cv`` beside it;
        learners that are not linear in y, and rows with weights: ``cv``, with ``sic`` beside it; under importance weights:
        ``sic`` on a basis, ``iwcv`` on a kernel, with the other, where it is defined, and ``cv``.
    noise : str or float, default="auto"
        σ²: ``auto`` ``residual`` ``gcv`` ``gcv-1.4`` ``cv`` ``ml`` ``reml`` ``difference`` ``rice`` ``gsj`` ``nearest``
        ``pure-error`` ``ols``, or a number; see noise variance.
    search : str, default="refine"
        ``grid``, or ``refine``: the continuous minimum between grid points; learners that are not linear in y stay on the
        grid. ``gradient``: all parameters of ``ridge``, ``kernel-ridge`` (λ and one width per input) or ``mlp`` at once, by
        their gradients; ``groups`` and ``mlp`` imply it. ``mackay``: updates that raise the evidence, for decays.
    n_repeats : int, default=1
        Of cross-validation's random folds.
    random_state : RandomState, default=0
        Of random folds, bootstrap and probes: an int, a generator, or None for a new one every time.
    missing : str, default="error"
        Missing cells: ``error``, ``drop`` (the row), ``mean``; targets are never filled in.
    scale : str, default="standard"
        Inputs: ``none``, ``standard`` (mean 0, variance 1), ``unit`` (0 to 1). Without an intercept columns are divided
        only, for a shift would be a constant in the fit.
    cv : Folds, default=None
        Which rows are held out together: as in scikit-learn a number of folds without shuffling, a splitter, or an iterable
        of (train, test) indices that holds out every row once. ``criterion`` "auto" is ``cv`` then. None: random folds, or
        those of the ``groups`` given to fit.
    n_jobs : int or None, default=None
        Threads: None for as many as BLAS is allowed, -1 for all cores. Changes no answer beyond rounding.
    """

    _learner = "mlp"

    def __init__(
        self,
        *,
        groups: Groups | None = None,
        hidden_layer_sizes: Units = 8,
        decay_groups: str = "layer",
        n_restarts: int = 5,
        fit_intercept: bool = True,
        alphas: Values = "auto",
        criterion: Names = "auto",
        noise: str | float = "auto",
        search: str = "refine",
        n_repeats: int = 1,
        random_state: RandomState = 0,
        missing: str = "error",
        scale: str = "standard",
        cv: Folds = None,
        n_jobs: int | None = None,
    ):
        self.groups = groups
        self.hidden_layer_sizes = hidden_layer_sizes
        self.decay_groups = decay_groups
        self.n_restarts = n_restarts
        self.fit_intercept = fit_intercept
        self.alphas = alphas
        self.criterion = criterion
        self.noise = noise
        self.search = search
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.missing = missing
        self.scale = scale
        self.cv = cv
        self.n_jobs = n_jobs


class MLPClassifier(_NetworkClassifier):
    """A small network for classes whose weight decays are chosen by their gradients.

        −Σ wᵢ log p(class of row i | xᵢ) + Σ_g λ_g ‖w_g‖²,   p the softmax of a network of tanh units

    Groups g are layers, or inputs (``decay_groups``).

    Parameters
    ----------
    groups : Groups or None, default=None
        Inputs that share a regularization parameter: ``a,b;c`` (columns not named form one more group), ``each``, ``all``.
        One decay per group for ``ridge``, one width per group for ``kernel-ridge``, and with ``decay_groups=input`` one
        decay per group of inputs for ``mlp``. A text column counts as one column. See many parameters.
    hidden_layer_sizes : Units, default=8
        Mlp: tanh units, ``a,b`` for two layers, 0 for none.
    decay_groups : str, default="layer"
        Mlp: ``layer`` (one decay per layer) or ``input`` (one per input or group of inputs, and one for the rest).
    n_restarts : int, default=5
        Mlp: random starts of training.
    fit_intercept : bool, default=True
        An unpenalised constant; ``False``: none.
    alphas : Values, default="auto"
        ``auto`` (five values per decade from near interpolation to near the null model; lasso and elastic net: 100 values
        down from the λ at which all coefficients are zero, to 10⁻⁴ of it, or 10⁻² if rows do not outnumber columns),
        ``lo:hi:count`` (log-spaced), or a list ``a,b,c``; one value evaluates there. 0 is allowed in a list except for
        ``svr``, ``spectral-cutoff`` and ``landweber``; ``iwls``: ``auto`` is 0 alone.
    criterion : Names, default="auto"
        Comma list, the first one chooses, all are reported: ``sic`` ``rsic`` ``sic-pilot`` ``basic`` ``sure`` ``cp``
        ``gcv`` ``loo`` ``cv[:K]`` ``iwcv[:K]`` ``iwloo`` ``iwaic`` ``cv-blocked[:K]`` ``fpe`` ``fper`` ``gpe`` ``gen[:M]``
        ``nic`` ``aic`` ``aicc`` ``bic`` ``evidence`` ``blend`` (K folds, those of ``cv-blocked`` of consecutive rows, for
        time series; M rows over which a time series depends on itself); other names: ``abic`` ``gml`` ``reml``
        (``evidence``), ``press`` ``ocv`` (``loo``), ``tic`` (``nic``); ``all``: every one that applies; ``auto``: the
        default for this learner (named in the output with the reason), with ``sic`` and ``loo`` or ``cv`` beside it;
        learners that are not linear in y, and rows with weights: ``cv``, with ``sic`` beside it; under importance weights:
        ``sic`` on a basis, ``iwcv`` on a kernel, with the other, where it is defined, and ``cv``.
    noise : str or float, default="auto"
        σ²: ``auto`` ``residual`` ``gcv`` ``gcv-1.4`` ``cv`` ``ml`` ``reml`` ``difference`` ``rice`` ``gsj`` ``nearest``
        ``pure-error`` ``ols``, or a number; see noise variance.
    search : str, default="refine"
        ``grid``, or ``refine``: the continuous minimum between grid points; learners that are not linear in y stay on the
        grid. ``gradient``: all parameters of ``ridge``, ``kernel-ridge`` (λ and one width per input) or ``mlp`` at once, by
        their gradients; ``groups`` and ``mlp`` imply it. ``mackay``: updates that raise the evidence, for decays.
    n_repeats : int, default=1
        Of cross-validation's random folds.
    random_state : RandomState, default=0
        Of random folds, bootstrap and probes: an int, a generator, or None for a new one every time.
    missing : str, default="error"
        Missing cells: ``error``, ``drop`` (the row), ``mean``; targets are never filled in.
    scale : str, default="standard"
        Inputs: ``none``, ``standard`` (mean 0, variance 1), ``unit`` (0 to 1). Without an intercept columns are divided
        only, for a shift would be a constant in the fit.
    cv : Folds, default=None
        Which rows are held out together: as in scikit-learn a number of folds without shuffling, a splitter, or an iterable
        of (train, test) indices that holds out every row once. ``criterion`` "auto" is ``cv`` then. None: random folds, or
        those of the ``groups`` given to fit.
    n_jobs : int or None, default=None
        Threads: None for as many as BLAS is allowed, -1 for all cores. Changes no answer beyond rounding.
    """

    _learner = "mlp"

    def __init__(
        self,
        *,
        groups: Groups | None = None,
        hidden_layer_sizes: Units = 8,
        decay_groups: str = "layer",
        n_restarts: int = 5,
        fit_intercept: bool = True,
        alphas: Values = "auto",
        criterion: Names = "auto",
        noise: str | float = "auto",
        search: str = "refine",
        n_repeats: int = 1,
        random_state: RandomState = 0,
        missing: str = "error",
        scale: str = "standard",
        cv: Folds = None,
        n_jobs: int | None = None,
    ):
        self.groups = groups
        self.hidden_layer_sizes = hidden_layer_sizes
        self.decay_groups = decay_groups
        self.n_restarts = n_restarts
        self.fit_intercept = fit_intercept
        self.alphas = alphas
        self.criterion = criterion
        self.noise = noise
        self.search = search
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.missing = missing
        self.scale = scale
        self.cv = cv
        self.n_jobs = n_jobs


class SpectralCutoff(_WeighedRegressor):
    """Least squares on a kernel in its leading directions only.

        f in the span of the eigenvectors of K with eigenvalue ≥ λ; there Σ wᵢ (f(xᵢ) − yᵢ)² is least

    λ counts as a penalty does: larger is smoother.

    Parameters
    ----------
    kernel : Kernel, default="gaussian"
        ``gaussian``, ``laplace``, ``matern32``, ``matern52``, ``polynomial:D``, ``linear``; several to choose from: a list,
        or ``polynomial:2..4``. A function of two rows of X is called for every pair; ``precomputed``: X is the matrix of
        the kernel, rows x rows in fit and new rows x rows in predict. For both ``scale`` is ``none``.
    width : Values, default="auto"
        ``auto``: chosen before λ from the median distance between rows times powers of two, by ``blend`` and a prior (see
        blend); under importance weights or a search over several parameters it is ``median``, the median distance itself; a
        number; or several for the criterion to choose from: ``a,b,c`` or ``lo:hi:count`` (log-spaced). In units of the
        scaled inputs.
    fit_intercept : bool, default=True
        An unpenalised constant; ``False``: none.
    alphas : Values, default="auto"
        ``auto`` (five values per decade from near interpolation to near the null model; lasso and elastic net: 100 values
        down from the λ at which all coefficients are zero, to 10⁻⁴ of it, or 10⁻² if rows do not outnumber columns),
        ``lo:hi:count`` (log-spaced), or a list ``a,b,c``; one value evaluates there. 0 is allowed in a list except for
        ``svr``, ``spectral-cutoff`` and ``landweber``; ``iwls``: ``auto`` is 0 alone.
    criterion : Names, default="auto"
        Comma list, the first one chooses, all are reported: ``sic`` ``rsic`` ``sic-pilot`` ``basic`` ``sure`` ``cp``
        ``gcv`` ``loo`` ``cv[:K]`` ``iwcv[:K]`` ``iwloo`` ``iwaic`` ``cv-blocked[:K]`` ``fpe`` ``fper`` ``gpe`` ``gen[:M]``
        ``nic`` ``aic`` ``aicc`` ``bic`` ``evidence`` ``blend`` (K folds, those of ``cv-blocked`` of consecutive rows, for
        time series; M rows over which a time series depends on itself); other names: ``abic`` ``gml`` ``reml``
        (``evidence``), ``press`` ``ocv`` (``loo``), ``tic`` (``nic``); ``all``: every one that applies; ``auto``: the
        default for this learner (named in the output with the reason), with ``sic`` and ``loo`` or ``cv`` beside it;
        learners that are not linear in y, and rows with weights: ``cv``, with ``sic`` beside it; under importance weights:
        ``sic`` on a basis, ``iwcv`` on a kernel, with the other, where it is defined, and ``cv``.
    noise : str or float, default="auto"
        σ²: ``auto`` ``residual`` ``gcv`` ``gcv-1.4`` ``cv`` ``ml`` ``reml`` ``difference`` ``rice`` ``gsj`` ``nearest``
        ``pure-error`` ``ols``, or a number; see noise variance.
    bootstrap_residuals : str, default="raw"
        Residuals that ``basic`` draws from: ``raw`` (as published), ``centred``, ``scaled`` (centred, times √(n/(n − df))).
    search : str, default="refine"
        ``grid``, or ``refine``: the continuous minimum between grid points; learners that are not linear in y stay on the
        grid. ``gradient``: all parameters of ``ridge``, ``kernel-ridge`` (λ and one width per input) or ``mlp`` at once, by
        their gradients; ``groups`` and ``mlp`` imply it. ``mackay``: updates that raise the evidence, for decays.
    rule : str, default="min"
        ``min``; ``1se``: the largest λ on the grid within one standard error of the least value; or ``paired``: the largest
        one whose value is above the least by no more than the standard error of this difference, which is smaller, both
        being made of the same rows.
    n_repeats : int, default=1
        Of cross-validation's random folds.
    random_state : RandomState, default=0
        Of random folds, bootstrap and probes: an int, a generator, or None for a new one every time.
    metric : str or None, default=None
        Where ``sic`` measures the error: ``function-space``, ``train``, ``test`` (inputs of ``X_test``), ``uniform:a:b`` or
        ``normal:mean:sd`` (one input, units of the file), or a CSV of inputs [importance weights: ``test``, or the weighted
        training inputs without ``X_test``; ``function-space`` for ``penalty=coefficients``; else ``train``].
    missing : str, default="error"
        Missing cells: ``error``, ``drop`` (the row), ``mean``; targets are never filled in.
    scale : str, default="standard"
        Inputs: ``none``, ``standard`` (mean 0, variance 1), ``unit`` (0 to 1). Without an intercept columns are divided
        only, for a shift would be a constant in the fit.
    strategy : str, default="auto"
        ``auto`` ``full`` ``tridiagonal`` ``pivoted-cholesky`` ``gram``, see strategies.
    cv : Folds, default=None
        Which rows are held out together: as in scikit-learn a number of folds without shuffling, a splitter, or an iterable
        of (train, test) indices that holds out every row once. ``criterion`` "auto" is ``cv`` then. None: random folds, or
        those of the ``groups`` given to fit.
    n_jobs : int or None, default=None
        Threads: None for as many as BLAS is allowed, -1 for all cores. Changes no answer beyond rounding.
    """

    _learner = "spectral-cutoff"

    def __init__(
        self,
        *,
        kernel: Kernel = "gaussian",
        width: Values = "auto",
        fit_intercept: bool = True,
        alphas: Values = "auto",
        criterion: Names = "auto",
        noise: str | float = "auto",
        bootstrap_residuals: str = "raw",
        search: str = "refine",
        rule: str = "min",
        n_repeats: int = 1,
        random_state: RandomState = 0,
        metric: str | None = None,
        missing: str = "error",
        scale: str = "standard",
        strategy: str = "auto",
        cv: Folds = None,
        n_jobs: int | None = None,
    ):
        self.kernel = kernel
        self.width = width
        self.fit_intercept = fit_intercept
        self.alphas = alphas
        self.criterion = criterion
        self.noise = noise
        self.bootstrap_residuals = bootstrap_residuals
        self.search = search
        self.rule = rule
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.metric = metric
        self.missing = missing
        self.scale = scale
        self.strategy = strategy
        self.cv = cv
        self.n_jobs = n_jobs


class Landweber(_WeighedRegressor):
    """Least squares on a kernel by gradient steps, stopped early.

        Σ wᵢ (f(xᵢ) − yᵢ)² by about 1/λ steps of gradient descent

    λ counts as a penalty does: larger is smoother.

    Parameters
    ----------
    kernel : Kernel, default="gaussian"
        ``gaussian``, ``laplace``, ``matern32``, ``matern52``, ``polynomial:D``, ``linear``; several to choose from: a list,
        or ``polynomial:2..4``. A function of two rows of X is called for every pair; ``precomputed``: X is the matrix of
        the kernel, rows x rows in fit and new rows x rows in predict. For both ``scale`` is ``none``.
    width : Values, default="auto"
        ``auto``: chosen before λ from the median distance between rows times powers of two, by ``blend`` and a prior (see
        blend); under importance weights or a search over several parameters it is ``median``, the median distance itself; a
        number; or several for the criterion to choose from: ``a,b,c`` or ``lo:hi:count`` (log-spaced). In units of the
        scaled inputs.
    fit_intercept : bool, default=True
        An unpenalised constant; ``False``: none.
    alphas : Values, default="auto"
        ``auto`` (five values per decade from near interpolation to near the null model; lasso and elastic net: 100 values
        down from the λ at which all coefficients are zero, to 10⁻⁴ of it, or 10⁻² if rows do not outnumber columns),
        ``lo:hi:count`` (log-spaced), or a list ``a,b,c``; one value evaluates there. 0 is allowed in a list except for
        ``svr``, ``spectral-cutoff`` and ``landweber``; ``iwls``: ``auto`` is 0 alone.
    criterion : Names, default="auto"
        Comma list, the first one chooses, all are reported: ``sic`` ``rsic`` ``sic-pilot`` ``basic`` ``sure`` ``cp``
        ``gcv`` ``loo`` ``cv[:K]`` ``iwcv[:K]`` ``iwloo`` ``iwaic`` ``cv-blocked[:K]`` ``fpe`` ``fper`` ``gpe`` ``gen[:M]``
        ``nic`` ``aic`` ``aicc`` ``bic`` ``evidence`` ``blend`` (K folds, those of ``cv-blocked`` of consecutive rows, for
        time series; M rows over which a time series depends on itself); other names: ``abic`` ``gml`` ``reml``
        (``evidence``), ``press`` ``ocv`` (``loo``), ``tic`` (``nic``); ``all``: every one that applies; ``auto``: the
        default for this learner (named in the output with the reason), with ``sic`` and ``loo`` or ``cv`` beside it;
        learners that are not linear in y, and rows with weights: ``cv``, with ``sic`` beside it; under importance weights:
        ``sic`` on a basis, ``iwcv`` on a kernel, with the other, where it is defined, and ``cv``.
    noise : str or float, default="auto"
        σ²: ``auto`` ``residual`` ``gcv`` ``gcv-1.4`` ``cv`` ``ml`` ``reml`` ``difference`` ``rice`` ``gsj`` ``nearest``
        ``pure-error`` ``ols``, or a number; see noise variance.
    bootstrap_residuals : str, default="raw"
        Residuals that ``basic`` draws from: ``raw`` (as published), ``centred``, ``scaled`` (centred, times √(n/(n − df))).
    search : str, default="refine"
        ``grid``, or ``refine``: the continuous minimum between grid points; learners that are not linear in y stay on the
        grid. ``gradient``: all parameters of ``ridge``, ``kernel-ridge`` (λ and one width per input) or ``mlp`` at once, by
        their gradients; ``groups`` and ``mlp`` imply it. ``mackay``: updates that raise the evidence, for decays.
    rule : str, default="min"
        ``min``; ``1se``: the largest λ on the grid within one standard error of the least value; or ``paired``: the largest
        one whose value is above the least by no more than the standard error of this difference, which is smaller, both
        being made of the same rows.
    n_repeats : int, default=1
        Of cross-validation's random folds.
    random_state : RandomState, default=0
        Of random folds, bootstrap and probes: an int, a generator, or None for a new one every time.
    metric : str or None, default=None
        Where ``sic`` measures the error: ``function-space``, ``train``, ``test`` (inputs of ``X_test``), ``uniform:a:b`` or
        ``normal:mean:sd`` (one input, units of the file), or a CSV of inputs [importance weights: ``test``, or the weighted
        training inputs without ``X_test``; ``function-space`` for ``penalty=coefficients``; else ``train``].
    missing : str, default="error"
        Missing cells: ``error``, ``drop`` (the row), ``mean``; targets are never filled in.
    scale : str, default="standard"
        Inputs: ``none``, ``standard`` (mean 0, variance 1), ``unit`` (0 to 1). Without an intercept columns are divided
        only, for a shift would be a constant in the fit.
    strategy : str, default="auto"
        ``auto`` ``full`` ``tridiagonal`` ``pivoted-cholesky`` ``gram``, see strategies.
    cv : Folds, default=None
        Which rows are held out together: as in scikit-learn a number of folds without shuffling, a splitter, or an iterable
        of (train, test) indices that holds out every row once. ``criterion`` "auto" is ``cv`` then. None: random folds, or
        those of the ``groups`` given to fit.
    n_jobs : int or None, default=None
        Threads: None for as many as BLAS is allowed, -1 for all cores. Changes no answer beyond rounding.
    """

    _learner = "landweber"

    def __init__(
        self,
        *,
        kernel: Kernel = "gaussian",
        width: Values = "auto",
        fit_intercept: bool = True,
        alphas: Values = "auto",
        criterion: Names = "auto",
        noise: str | float = "auto",
        bootstrap_residuals: str = "raw",
        search: str = "refine",
        rule: str = "min",
        n_repeats: int = 1,
        random_state: RandomState = 0,
        metric: str | None = None,
        missing: str = "error",
        scale: str = "standard",
        strategy: str = "auto",
        cv: Folds = None,
        n_jobs: int | None = None,
    ):
        self.kernel = kernel
        self.width = width
        self.fit_intercept = fit_intercept
        self.alphas = alphas
        self.criterion = criterion
        self.noise = noise
        self.bootstrap_residuals = bootstrap_residuals
        self.search = search
        self.rule = rule
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.metric = metric
        self.missing = missing
        self.scale = scale
        self.strategy = strategy
        self.cv = cv
        self.n_jobs = n_jobs
