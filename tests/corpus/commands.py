"""The commands of the corpus: every learner × criterion × search, and what stands beside them.

A command is a list of words. {json}, {report}, {model}, {csv} and {folder} become paths of its own, which are read
back when it is done. Commands of a later stage read what earlier ones wrote, under the name these were given.
"""

import shlex
from dataclasses import dataclass

LEARNERS = ["ridge", "kernel-ridge", "spectral-cutoff", "landweber", "lasso", "elastic-net", "huber", "svr",
            "additive", "iwls", "mlp"]
CRITERIA = ["sic", "rsic", "sic-pilot", "basic", "sure", "cp", "gcv", "loo", "cv", "iwcv", "cv-blocked", "fpe", "fper", "gpe",
            "gen", "nic", "aic", "aicc", "bic", "evidence", "iwloo", "iwaic", "blend"]
RATIOS = ["kde", "kde-cv", "ulsif", "rulsif", "kliep", "kmm", "logistic"]
NOISE = ["residual", "gcv", "cv", "ml", "reml", "difference", "rice", "gsj", "nearest", "pure-error", "ols", "0.04"]
NETWORK = "--hidden 2 --restarts 1"

# What each learner is asked about, and settings that keep it quick.
PROBLEM = {
    "ridge": "data/four.csv --target y --learner ridge",
    "kernel-ridge": "data/sinc.csv --target y --learner kernel-ridge",
    "spectral-cutoff": "data/sinc.csv --target y --learner spectral-cutoff",
    "landweber": "data/sinc.csv --target y --learner landweber",
    "lasso": "data/four.csv --target y --learner lasso",
    "elastic-net": "data/four.csv --target y --learner elastic-net --mix 0.3,0.8 --lambda 0.01:10:12",
    "huber": "data/outliers.csv --target y --learner huber",
    "svr": "data/four.csv --target y --learner svr --lambda 0.01:10:8",
    "additive": "data/four.csv --target y --learner additive --amplitude 0,0.5",
    "iwls": "data/ratio.csv --target y --learner iwls --weights weight --flattening 0:1:5",
    "mlp": f"data/two.csv --target a --drop b --learner mlp {NETWORK}",
}


@dataclass(frozen=True)
class Command:
    words: tuple
    name: str = ""  # of its own files; empty = one made from the words
    stage: int = 0


def _select(text, **more):
    return Command(tuple(["select"] + shlex.split(text) + ["--json", "{json}", "--quiet", "--threads", "1"]), **more)


def _all_of(lines):
    return [_select(line) for line in lines.strip().splitlines()]


def _learners_and_criteria():
    commands = []
    for learner in LEARNERS:
        for criterion in ["auto", "all"] + CRITERIA:
            commands.append(_select(f"{PROBLEM[learner]} --criterion {criterion}"))
        for search in ["grid", "refine", "gradient", "mackay"]:
            commands.append(_select(f"{PROBLEM[learner]} --search {search}"))
    for learner in ["ridge", "kernel-ridge"]:
        for criterion in CRITERIA:
            commands.append(_select(f"{PROBLEM[learner]} --search gradient --criterion {criterion}"))
    for criterion in CRITERIA:
        commands.append(_select(f"{PROBLEM['ridge']} --search grid --criterion {criterion}"))
    return commands


def _noise():
    commands = []
    for method in ["auto"] + NOISE:
        for table in ["sinc", "repeated"]:
            commands.append(_select(f"data/{table}.csv --target y --criterion sure,sic,cp,aic --noise {method}"))
        commands.append(_select(f"data/four.csv --target y --learner ridge --criterion sure,bic --noise {method}"))
        commands.append(_select(f"data/outliers.csv --target y --learner huber --criterion sic,cp --noise {method}"))
    return commands + _all_of("""
        data/counts.csv --target y --weights count --noise nearest --criterion sure
        data/counts.csv --target y --weights count --noise pure-error --criterion sure
        data/wide.csv --target y --learner ridge --noise ols --criterion sure
        data/wide.csv --target y --learner lasso --noise cv --criterion cp
        data/sinc.csv --target y --no-intercept --noise reml --criterion sure
        data/sinc.csv --target y --no-intercept --noise ml --criterion sure
        data/few.csv --target y --criterion sure --kernel laplace
        data/four.csv --target y --learner ridge --search gradient --noise nearest --criterion sic
        data/four.csv --target y --learner ridge --search gradient --noise residual --criterion cp
        data/four.csv --target y --learner ridge --search gradient --noise gcv --criterion cp
        data/four.csv --target y --learner ridge --search gradient --noise cv --criterion cp
        data/four.csv --target y --learner ridge --search gradient --noise 0.1 --criterion cp
        data/two.csv --target a,b --noise residual --criterion sure,cp
        data/sinc.csv --target y --noise -1
        data/sinc.csv --target y --noise nearset
        """)


def _kernels_bases_penalties():
    return _all_of("""
        data/sinc.csv --target y --kernel laplace --criterion all
        data/sinc.csv --target y --kernel matern32 --criterion all
        data/sinc.csv --target y --kernel matern52 --criterion all
        data/sinc.csv --target y --kernel polynomial:3 --criterion all
        data/sinc.csv --target y --kernel linear --criterion all
        data/four.csv --target y --kernel exponential
        data/four.csv --target y --kernel polynomial
        data/four.csv --target y --kernel polynomial:0
        data/four.csv --target y --kernel gausian
        data/sinc.csv --target y --width 0.3 --criterion loo,evidence
        data/sinc.csv --target y --width 0.1,0.3,1 --criterion loo,gcv,sic,evidence
        data/sinc.csv --target y --width 0.1:3:5 --criterion cv:5 --search grid
        data/sinc.csv --target y --width 0.1,0.3 --metric function-space --criterion sic
        data/sinc.csv --target y --width -1
        data/sinc.csv --target y --learner svr --width 0.2,0.6 --lambda 0.01:10:6 --criterion cv:5
        data/sinc.csv --target y --penalty coefficients --criterion all
        data/sinc.csv --target y --penalty coefficients
        data/sinc.csv --target y --penalty coefficient
        data/sinc.csv --target y --learner spectral-cutoff --kernel matern32 --width 0.2,0.5
        data/sinc.csv --target y --learner landweber --kernel laplace --criterion sure,loo
        data/sinc.csv --target y --learner ridge --basis polynomial:6 --criterion all
        data/sinc.csv --target y --learner ridge --basis fourier:4 --criterion all
        data/sinc.csv --target y --learner ridge --basis gaussian:12 --criterion all
        data/sinc.csv --target y --learner ridge --basis gausian:12
        data/sinc.csv --target y --learner ridge --basis gaussian
        data/sinc.csv --target y --learner lasso --basis polynomial:5 --criterion all
        data/sinc.csv --target y --learner huber --basis fourier:3 --criterion cv,gen,nic
        data/sinc.csv --target y --learner svr --basis polynomial:4 --lambda 0.01:10:6 --criterion all
        data/sinc.csv --target y --learner additive --basis gaussian:8 --criterion all
        """)


def _tuning_values():
    return _all_of("""
        data/four.csv --target y --learner elastic-net
        data/four.csv --target y --learner elastic-net --mix 1 --lambda 0.1,1
        data/four.csv --target y --learner elastic-net --mix 0 --lambda 0,0.1,1
        data/four.csv --target y --learner elastic-net --mix 2
        data/outliers.csv --target y --learner huber --tau 0.3,1,3 --criterion cv:5,sic
        data/outliers.csv --target y --learner huber --tau 1 --criterion gen,nic,fper,gpe,evidence
        data/outliers.csv --target y --learner huber --tau 0.3,1 --criterion gen
        data/outliers.csv --target y --learner huber --lambda 0,0.1,1 --tau 0.5
        data/four.csv --target y --learner svr --epsilon 0.05,0.2 --lambda 0.1:10:5 --criterion cv:5
        data/four.csv --target y --learner svr --epsilon 0 --lambda 0.1:10:5
        data/four.csv --target y --learner svr --lambda 0,1
        data/four.csv --target y --learner additive --shift constant --amplitude 1 --criterion all
        data/four.csv --target y --learner additive --shift index:2 --amplitude -1,0,1
        data/four.csv --target y --learner additive --shift x:3
        data/four.csv --target y --learner additive --shift x:9
        data/four.csv --target y --learner lasso --lambda 0,0.01,0.1,1 --criterion cv:5
        data/four.csv --target y --learner ridge --lambda 0,0.5,50 --criterion all
        data/four.csv --target y --learner ridge --lambda 0.7 --criterion all
        data/four.csv --target y --learner ridge --lambda 0.001:1000:13 --criterion gcv
        data/four.csv --target y --learner ridge --lambda -1
        data/four.csv --target y --learner landweber --lambda 0,1
        """)


def _choices():
    commands = _all_of("""
        data/four.csv --target y --learner ridge --criterion cv:5,loo --rule 1se
        data/four.csv --target y --learner ridge --criterion loo --rule 1se --search grid
        data/four.csv --target y --learner ridge --criterion gcv --rule 1se
        data/four.csv --target y --learner lasso --criterion cv --rule 1se
        data/four.csv --target y --learner lasso --criterion cv --rule paired
        data/four.csv --target y --learner ridge --criterion loo,cv:5,gcv --rule paired
        data/sinc.csv --target y --criterion cv:5 --rule 1se --seed 4
        data/sinc.csv --target y --combine average
        data/sinc.csv --target y --combine average --width 0.1,0.3,1 --lambda 0.01:10:7 --criterion blend,gcv
        data/sinc.csv --target y --combine average --penalty coefficients
        data/counts.csv --target y --combine average --weights count
        data/four.csv --target y --learner ridge --basis linear,polynomial:2 --combine average
        data/four.csv --target y --learner lasso --combine average
        data/sinc.csv --target y --combine average --criterion gcv
        data/sinc.csv --target y --combine average --lambda 0,1
        data/two.csv --target a,b --combine average
        data/sinc.csv --target y --combine stack
        data/sinc.csv --target y --criterion cv:5 --repeats 3 --seed 2
        data/four.csv --target y --learner lasso --criterion cv:4 --repeats 2 --seed 7
        data/sinc.csv --target y --criterion cv:60
        data/sinc.csv --target y --criterion cv:61
        data/sinc.csv --target y --criterion cv:1
        data/sinc.csv --target y --criterion gen:3,gen
        data/sinc.csv --target y --criterion gen:60
        data/sinc.csv --target y --criterion gcv:3
        data/sinc.csv --target y --criterion gvc
        data/sinc.csv --target y --criterion gcv,gcv
        data/sinc.csv --target y --criterion cv-blocked:4,iwcv:4
        data/sinc.csv --target y --metric train --criterion sic
        data/sinc.csv --target y --metric function-space --criterion sic,rsic,sic-pilot
        data/sinc.csv --target y --kernel gaussian,matern52,linear --criterion loo,evidence
        data/sinc.csv --target y --learner ridge --basis polynomial:1..8 --lambda 0 --criterion sic,cp,gcv
        data/sinc.csv --target y --learner lasso --basis linear,fourier:2 --criterion cv
        data/four.csv --target y --learner ridge --subsets every --lambda 0 --criterion cp,sic,loo,bic
        data/four.csv --target y --learner ridge --subsets nested
        data/four.csv --target y --learner lasso --subsets x1;x1,x3;x2,x3,x4 --basis linear,polynomial:2 --criterion cv:4,sic
        data/four.csv --target y --learner huber --subsets nested --tau 1 --criterion cv
        data/four.csv --target y --learner svr --basis linear --subsets nested --criterion cv
        data/ratio.csv --target y --learner iwls --weights weight --flattening 0:1:5 --subsets nested
        data/wide.csv --target y --learner ridge --subsets nested --criterion loo
        data/wide.csv --target y --learner ridge --subsets every
        data/four.csv --target y --learner ridge --subsets x1,x1
        data/four.csv --target y --learner ridge --subsets x5
        data/four.csv --target y --learner ridge --subsets every --groups each
        data/four.csv --target y --subsets every
        data/sinc.csv --target y --metric uniform:-3:3 --criterion sic
        data/sinc.csv --target y --metric normal:0:1 --criterion sic
        data/sinc.csv --target y --learner ridge --basis polynomial:5 --metric uniform:-3:3 --criterion sic
        data/sinc.csv --target y --learner ridge --basis gaussian:9 --metric normal:0:1 --criterion sic
        data/sinc.csv --target y --learner lasso --basis polynomial:4 --metric uniform:-2:2 --criterion sic
        data/four.csv --target y --metric uniform:0:1
        data/four.csv --target y --metric data/points.csv --criterion sic
        data/four.csv --target y --learner ridge --metric data/points.csv --criterion sic,loo
        data/four.csv --target y --learner ridge --metric data/points.csv --criterion sic --scale none
        data/outliers.csv --target y --learner huber --metric function-space --criterion sic
        data/train.csv --target y --test data/test.csv --metric test --criterion sic
        data/train.csv --target y --test data/test.csv --learner lasso --metric test --criterion sic
        data/four.csv --target y --metric test
        data/sinc.csv --target y --metric somewhere
        data/four.csv --target y --learner lasso --divergence exact --criterion sure,sic
        data/four.csv --target y --learner lasso --divergence mc --criterion sure,sic
        data/outliers.csv --target y --learner huber --divergence mc:3 --criterion sure,gcv,aic --seed 3
        data/outliers.csv --target y --learner huber --divergence mc:0
        data/four.csv --target y --learner lasso --criterion basic --bootstrap 20
        data/four.csv --target y --learner lasso --criterion basic --bootstrap 20 --bootstrap-residuals centred
        data/four.csv --target y --learner lasso --criterion basic --bootstrap 20 --bootstrap-residuals scaled --seed 5
        data/four.csv --target y --learner ridge --criterion basic --bootstrap-residuals scaled
        data/four.csv --target y --learner ridge --criterion basic --bootstrap-residuals centred
        data/four.csv --target y --learner lasso --criterion basic --bootstrap 0
        """)
    for strategy in ["full", "tridiagonal", "pivoted-cholesky", "gram"]:
        commands.append(_select(f"data/sinc.csv --target y --criterion all --strategy {strategy}"))
        commands.append(_select(f"data/four.csv --target y --learner ridge --criterion all --strategy {strategy}"))
    return commands


def _data():
    return _all_of("""
        data/text.csv --target y --criterion all
        data/text.csv --target y --learner ridge --criterion all
        data/text.csv --target y --learner ridge --groups colour;size
        data/text.csv --target y --learner lasso
        data/text.csv --target colour
        data/gaps.csv --target y --learner ridge
        data/gaps.csv --target y --learner ridge --missing drop
        data/gaps.csv --target y --learner ridge --missing mean
        data/gaps.csv --target y --learner ridge --missing zero
        data/constant.csv --target y --criterion all
        data/constant.csv --target y --learner ridge --criterion all
        data/constant.csv --target y --learner lasso
        data/constant.csv --target same
        data/repeated.csv --target y --criterion all
        data/repeated.csv --target y --learner ridge --criterion all
        data/repeated.csv --target y --learner huber --criterion all --divergence exact
        data/few.csv --target y --criterion all
        data/few.csv --target y --learner ridge --basis polynomial:6 --criterion all
        data/few.csv --target y --learner lasso --criterion all
        data/wide.csv --target y --criterion all
        data/wide.csv --target y --learner ridge --criterion all
        data/wide.csv --target y --learner ridge --criterion all --metric function-space
        data/wide.csv --target y --learner lasso --criterion cv:6,gcv,sic
        data/wide.csv --target y --learner elastic-net --mix 0.5 --criterion cv:6
        data/wide.csv --target y --learner huber --criterion cv:6
        data/wide.csv --target y --learner svr --basis linear --lambda 0.1:100:6 --criterion cv:6
        data/four.csv --target y --learner ridge --scale none --criterion all
        data/four.csv --target y --learner ridge --scale unit --criterion all
        data/four.csv --target y --learner lasso --scale unit
        data/four.csv --target y --scale none
        data/four.csv --target y --scale large
        data/four.csv --target y --learner ridge --no-intercept --criterion all
        data/sinc.csv --target y --no-intercept --criterion all
        data/four.csv --target y --learner lasso --no-intercept --criterion all
        data/outliers.csv --target y --learner huber --no-intercept --criterion cv:5,gen
        data/four.csv --target y --learner svr --no-intercept --lambda 0.1:10:5
        data/four.csv --target y --learner ridge --features x1,x3 --criterion loo
        data/four.csv --target y --learner ridge --drop x4 --criterion loo
        data/four.csv --target z
        data/four.csv --target y --features x9
        data/absent.csv --target y
        data/counts.csv --target y --weights count --criterion all
        data/counts.csv --target y --weights count --learner ridge --criterion all
        data/counts.csv --target y --weights count --learner lasso --criterion all
        data/counts.csv --target y --weights count --learner elastic-net --mix 0.5 --criterion cv:5
        data/counts.csv --target y --weights count --learner huber --criterion all
        data/counts.csv --target y --weights count --learner svr --lambda 0.1:10:5 --criterion cv:5,sic
        data/counts.csv --target y --weights count --learner additive --amplitude 0.5 --criterion all
        data/counts.csv --target y --weights count --learner spectral-cutoff --criterion all
        data/counts.csv --target y --weights count --learner landweber --criterion all
        data/counts.csv --target y --weights count --learner mlp --hidden 2 --restarts 1
        data/counts.csv --target y --weights count --learner ridge --search gradient
        data/counts.csv --target y --weights count --learner ridge --strategy gram
        data/counts.csv --target y --weights weight
        data/counts.csv --target y --weights weight --fold-groups count
        data/counts.csv --target y --fold-column count --learner ridge --criterion all
        data/counts.csv --target y --fold-groups count --learner lasso
        data/counts.csv --target y --fold-groups count --learner ridge --groups each
        data/counts.csv --target y --fold-groups count --learner mlp --hidden 2 --restarts 1
        data/two.csv --target a,b --criterion all
        data/two.csv --target a,b --learner ridge --basis polynomial:3 --criterion all
        data/two.csv --target a,b --learner landweber --criterion auto
        data/two.csv --target a,b --learner lasso --criterion all
        data/two.csv --target a,b --learner huber --tau 0.3
        data/two.csv --target a,b --learner svr --lambda 0.1:10:4
        data/two.csv --target a,b --width 0.3,1
        data/two.csv --target a,b --learner ridge --search gradient
        data/two.csv --target a,b --learner mlp --hidden 2 --restarts 1 --criterion evidence,gen
        data/series.csv --target value --lags 4 --criterion all
        data/series.csv --target value --lags 4 --learner ridge --criterion cv-blocked:6,gen:3,loo,evidence
        data/series.csv --target value --lags 3 --horizon 2 --learner lasso --criterion cv-blocked:5
        data/series.csv --target value --lags 3 --learner huber --criterion cv-blocked:5,gen:2,nic
        data/series.csv --target value --lags 3 --learner ridge --search gradient --criterion gen:2
        data/series.csv --target value --lags 2 --learner mlp --hidden 2 --restarts 1 --criterion gen:2
        data/series.csv --target value --lags 120
        data/series.csv --target value --lags 0
        """)


def _many_rows():
    commands = _all_of("""
        data/many.csv --target y --criterion all
        data/many.csv --target y --criterion cv:5 --kernel laplace
        data/many.csv --target y --penalty coefficients --criterion gcv,cv:5,sic
        data/many.csv --target y --criterion gcv,cv:5 --width 0.5,1,2
        data/many.csv --target y --search gradient --criterion evidence
        data/many.csv --target y --learner ridge --criterion all
        data/many.csv --target y --learner ridge --basis polynomial:4 --criterion all
        data/many.csv --target y --learner ridge --basis gaussian:60 --criterion all
        data/many.csv --target y --learner ridge --groups each --criterion loo,evidence,gen
        data/many.csv --target y --learner lasso --basis polynomial:3 --criterion all
        data/many.csv --target y --learner elastic-net --basis polynomial:3
        data/many.csv --target y --learner huber --criterion cv,sic,gen
        data/many.csv --target y --learner svr --lambda 0.1,1,10 --criterion cv:5
        data/many.csv --target y --learner mlp --hidden 5 --restarts 1 --criterion evidence
        """)
    for strategy in ["full", "tridiagonal", "pivoted-cholesky"]:
        commands.append(_select(f"data/many.csv --target y --criterion gcv,loo,cv:5 --strategy {strategy}"))
    return commands


def _covariate_shift():
    commands = []
    both = "data/train.csv --target y --test data/test.csv"
    for method in RATIOS:
        commands.append(_select(f"{both} --learner iwls --weights {method}"))
        commands.append(_select(f"{both} --learner ridge --weights {method} --criterion all"))
        words = f"weights data/train.csv --test data/test.csv --target y --method {method} --json {{json}} -o {{csv}}"
        commands.append(Command(tuple(words.split() + ["--quiet", "--threads", "1"])))
    for learner in LEARNERS:
        quick = f"--weights ulsif --learner {learner}" + (" --lambda 0.1:10:5" if learner == "svr" else "")
        commands.append(_select(f"{both} {quick}"))
    for line in ["--test data/inputs.csv", "--test data/far.csv", "--test data/inputs.csv --seed 5 --append -o {csv}",
                 "--test data/inputs.csv --append", "--test data/inputs.csv --method ulsiff",
                 "--test data/inputs.csv --name share -o {csv}", "--test data/inputs.csv --drop z"]:
        commands.append(Command(tuple(f"weights data/train.csv --target y {line} --json {{json}} --threads 1".split())))
    return commands + _all_of(f"""
        {both} --learner ridge
        {both} --learner lasso --criterion all
        {both} --learner mlp {NETWORK} --criterion evidence
        {both} --learner iwls
        {both} --learner iwls --criterion all
        {both} --learner iwls --flattening 0,0.5,1 --lambda 0,0.1,1 --criterion iwcv:5
        {both} --learner iwls --basis polynomial:3 --criterion all
        {both} --learner iwls --flattening 2
        {both} --learner ridge --weights ulsif --flattening 0.5 --criterion all
        {both} --learner ridge --weights ulsif --basis polynomial:3 --criterion all
        {both} --learner kernel-ridge --weights ulsif --width 0.5,1 --criterion iwcv:5
        {both} --learner kernel-ridge --weights ulsif --criterion all
        {both} --learner kernel-ridge --weights ulsif --penalty coefficients
        {both} --learner lasso --weights ulsif --criterion all
        {both} --learner elastic-net --mix 0.5 --weights ulsif --criterion iwcv:5
        {both} --learner huber --weights ulsif --criterion iwcv:5,cv:5
        {both} --learner svr --weights ulsif --lambda 0.1:10:5 --criterion iwcv:5
        {both} --learner additive --weights ulsif --amplitude 0.3 --criterion all
        {both} --learner ridge --weights ulsif --flattening 0,1
        {both} --learner ridge --weights ulsif --criterion gcv
        {both} --learner ridge --weights ulsiff
        data/train.csv --target y --test data/inputs.csv --learner iwls --weights kliep --seed 3
        data/train.csv --target y --test data/far.csv --learner iwls --weights ulsif
        data/train.csv --target y --learner iwls
        data/train1.csv --target y --test data/test1.csv --learner iwls --criterion all
        data/train1.csv --target y --test data/test1.csv --learner kernel-ridge --weights kliep --criterion all
        data/train1.csv --target y --test data/test1.csv --learner ridge --weights kde --metric uniform:0:2
        data/train1.csv --target y --test data/inputs.csv
        data/ratio.csv --target y --weights weight --learner iwls --test data/inputs.csv
        data/ratio.csv --target y --weights weight --learner iwls --lambda 0:1:3
        data/ratio.csv --target y --weights weight --learner ridge
        """)


def _several_parameters():
    network = f"--learner mlp {NETWORK}"
    return _all_of(f"""
        data/four.csv --target y --learner ridge --groups each --criterion loo,evidence,gcv
        data/four.csv --target y --learner ridge --groups all --criterion evidence
        data/four.csv --target y --learner ridge --groups x1,x2;x3 --criterion cv:5
        data/four.csv --target y --learner ridge --groups x1,x2;x3 --search mackay
        data/four.csv --target y --learner ridge --groups x1,x2;x3 --search grid --lambda 0.01,0.1,1,10
        data/four.csv --target y --learner ridge --groups x1,x9
        data/four.csv --target y --learner ridge --groups each --criterion all
        data/four.csv --target y --learner ridge --groups each --lambda 0.5 --criterion all
        data/four.csv --target y --learner ridge --groups each --lambda 0.01,1 --criterion gen
        data/four.csv --target y --learner ridge --groups each --no-intercept --criterion loo
        data/four.csv --target y --learner ridge --groups each --criterion loo --metric train
        data/four.csv --target y --learner ridge --groups each --search mackay --criterion loo
        data/four.csv --target y --learner kernel-ridge --groups each --criterion loo
        data/four.csv --target y --learner kernel-ridge --groups x1,x2;x3,x4 --criterion evidence,gcv
        data/four.csv --target y --learner kernel-ridge --groups all --kernel matern32 --criterion evidence
        data/four.csv --target y --learner kernel-ridge --groups all --search mackay
        data/four.csv --target y --learner kernel-ridge --search gradient --kernel linear
        data/four.csv --target y --learner lasso --groups each
        data/wide.csv --target y --learner ridge --groups v1,v2,v3 --criterion evidence
        data/two.csv --target a --drop b {network} --criterion all
        data/two.csv --target a --drop b {network} --search mackay --criterion evidence
        data/two.csv --target a --drop b {network} --search grid --lambda 0.001,0.1 --criterion gen,evidence
        data/two.csv --target a --drop b {network} --lambda 0.01 --criterion gen,evidence,gcv,fper
        data/two.csv --target a --drop b {network} --decay-groups input --criterion gen
        data/two.csv --target a --drop b {network} --decay-groups input --groups all --criterion evidence
        data/two.csv --target a --drop b {network} --decay-groups unit
        data/two.csv --target a --drop b {network} --no-intercept --criterion evidence
        data/two.csv --target a --drop b --learner mlp --hidden 2,2 --restarts 2 --criterion evidence
        data/two.csv --target a --drop b --learner mlp --hidden 0 --restarts 1 --criterion gen,evidence
        data/two.csv --target a --drop b --learner mlp --hidden none
        data/two.csv --target a --drop b --learner mlp --restarts 0
        data/classes.csv --target kind --drop is_rosa {network}
        data/classes.csv --target kind --drop is_rosa {network} --criterion all
        data/classes.csv --target kind --drop is_rosa {network} --criterion gcv
        data/classes.csv --target kind --drop is_rosa {network} --search mackay --criterion evidence
        data/classes.csv --target is_rosa --drop kind --classify {network} --criterion evidence,gen,nic
        data/classes.csv --target is_rosa --drop kind {network} --criterion evidence
        data/classes.csv --target kind --drop is_rosa --learner ridge
        """)


def _wrong_usage():
    return _all_of("""
        data/sinc.csv --target y --learner rigde
        data/sinc.csv --target y --learner ridge --kernel gaussian
        data/sinc.csv --target y --learner ridge --width 1
        data/sinc.csv --target y --learner kernel-ridge --basis linear
        data/sinc.csv --target y --learner svr --basis linear --kernel gaussian
        data/sinc.csv --target y --learner ridge --penalty coefficients
        data/sinc.csv --target y --learner ridge --mix 0.5
        data/sinc.csv --target y --learner lasso --mix 0.5
        data/sinc.csv --target y --learner ridge --tau 1
        data/sinc.csv --target y --learner ridge --epsilon 1
        data/sinc.csv --target y --learner ridge --amplitude 1
        data/sinc.csv --target y --learner ridge --shift constant
        data/sinc.csv --target y --learner ridge --flattening 0.5
        data/sinc.csv --target y --learner ridge --hidden 3
        data/sinc.csv --target y --learner ridge --decay-groups input
        data/sinc.csv --target y --learner ridge --restarts 2
        data/sinc.csv --target y --learner ridge --classify
        data/sinc.csv --target y --learner ridge --start out/none.json
        data/sinc.csv --target y --learner ridge --divergence mc
        data/sinc.csv --target y --learner ridge --bootstrap 50
        data/sinc.csv --target y --learner lasso --strategy full
        data/sinc.csv --target y --learner lasso --search gradient
        data/sinc.csv --target y --learner mlp --basis linear
        data/sinc.csv --target y --learner mlp --kernel gaussian
        data/sinc.csv --target y --learner mlp --rule 1se
        data/sinc.csv --target y --learner mlp --metric train
        data/sinc.csv --target y --search newton
        data/sinc.csv --target y --rule 2se
        data/sinc.csv --target y --strategy svd
        data/sinc.csv --target y --divergence mcc
        data/sinc.csv --target y --bootstrap-residuals squared
        data/sinc.csv --target y --horizon 2
        data/sinc.csv --target y --seed -1
        data/sinc.csv --target y --repeats 0
        data/sinc.csv --target y --lambda 1:2
        data/sinc.csv --target y --unknown-flag
        data/sinc.csv
        """)


def _reports_and_models():
    """The table, the page and the model of a few studies, and what the models predict."""
    studies = {
        "ridge": "data/four.csv --target y --learner ridge --criterion all",
        "kernel-ridge": "data/sinc.csv --target y --criterion auto,gcv,evidence",
        "cutoff": "data/sinc.csv --target y --learner spectral-cutoff",
        "landweber": "data/sinc.csv --target y --learner landweber",
        "lasso": "data/four.csv --target y --learner lasso --criterion cv,sic",
        "elastic-net": "data/four.csv --target y --learner elastic-net --mix 0.3,0.8 --lambda 0.01:10:12",
        "huber": "data/outliers.csv --target y --learner huber --criterion all",
        "svr": "data/four.csv --target y --learner svr --lambda 0.01:10:8",
        "additive": "data/four.csv --target y --learner additive --amplitude 0,0.5",
        "iwls": "data/train.csv --target y --test data/test.csv --learner iwls",
        "shift": "data/train.csv --target y --test data/test.csv --learner ridge --weights ulsif",
        "groups": "data/four.csv --target y --learner ridge --groups each --criterion loo,evidence",
        "widths": "data/four.csv --target y --groups each --criterion loo",
        "mlp": f"data/two.csv --target a --drop b --learner mlp {NETWORK} --criterion evidence,gen",
        "classes": f"data/classes.csv --target kind --drop is_rosa --learner mlp {NETWORK} --criterion evidence",
        "targets": "data/two.csv --target a,b --criterion auto",
        "text": "data/text.csv --target y --learner ridge",
        "counts": "data/counts.csv --target y --weights count",
        "series": "data/series.csv --target value --lags 4 --learner ridge",
        "choice": "data/sinc.csv --target y --width 0.1,0.3,1 --criterion cv:5 --rule 1se",
        "average": "data/sinc.csv --target y --combine average",
    }
    commands = []
    for name, line in studies.items():
        words = ["select"] + line.split() + "--json {json} --report {report} --model {model} --quiet --threads 1".split()
        commands.append(Command(tuple(words), name))
        words = ["predict", f"out/{name}.model", line.split()[0], "-o", "{csv}", "--threads", "1"]
        commands.append(Command(tuple(words), stage=1))
        commands.append(Command(tuple(words + ["--interval", "0.8", "--mark-outside"]), stage=1))
    for name in ["groups", "widths", "mlp"]:
        commands.append(_select(f"{studies[name]} --start out/{name}.json", stage=1))
    commands += [Command(tuple(line.split()), stage=1) for line in [
        "predict out/ridge.model data/sinc.csv -o {csv} --interval 2",
        "predict out/ridge.model data/sinc.csv -o {csv}",
        "predict data/sinc.csv data/sinc.csv -o {csv}",
        "predict out/none.model data/sinc.csv -o {csv}",
    ]]
    return commands


def _comparisons():
    return [Command(tuple(f"compare {line} -o {{folder}} --quiet --threads 1".split())) for line in [
        "data/sinc.csv --target y --trials 24",
        "data/four.csv --target y --learner ridge --criterion loo,cv:5,bic --trials 12 --splits 4",
        "data/four.csv --target y --learner ridge,lasso --trials 6 --splits 3",
        "data/two.csv --target a,b --trials 6",
        "data/counts.csv --target y --weights count --trials 12 --splits 4",
        "data/ratio.csv --target y --learner iwls --weights weight --flattening 0:1:3 --trials 6",
        "data/train.csv --test data/inputs.csv --weights kde --target y --learner iwls --flattening 0:1:3 --trials 6 --splits 2",
        "data/four.csv --target y --learner ridge --groups each --trials 3 --splits 2",
        "data/sinc.csv --target y --search gradient --trials 3",
        f"data/two.csv --target a --drop b --learner mlp {NETWORK} --trials 2",
        "data/series.csv --target value --lags 3 --learner ridge --trials 6",
        "data/classes.csv --target kind --learner mlp",
        "data/ratio.csv --target y --learner ridge,iwls --weights weight",
        "data/sinc.csv --target y --trials 1",
        "data/sinc.csv --target y --learner iwls",
    ]]


def _other_commands():
    return [Command(tuple(line.split())) for line in [
        "demo -o {folder} --rows 40 --quiet",
        "demo -o {folder} --problem friedman1 --rows 60 --noise 1 --seed 3 --quiet",
        "demo -o {folder} --problem cosine --quiet",
        "reproduce --list",
        "reproduce shift-toy -o {folder} --trials 6 --quiet --threads 1",
        "reproduce shift-abalone -o {folder} --trials 2 --data data/abalone.csv --quiet --threads 1",
        "reproduce adaptive-linear -o {folder} --trials 8 --quiet --threads 1",
        "reproduce adaptive-mlp -o {folder} --trials 2 --quiet --threads 1",
        "reproduce shift-tyo -o {folder}",
        "select --help",
        "compare --help",
        "weights --help",
        "predict --help",
        "reproduce --help",
        "demo --help",
        "--help",
        "selct data/sinc.csv",
    ]]


def corpus():
    """All commands, each once, in a fixed order."""
    commands = (_learners_and_criteria() + _noise() + _kernels_bases_penalties() + _tuning_values() + _choices() +
                _data() + _many_rows() + _covariate_shift() + _several_parameters() + _wrong_usage() + _reports_and_models() +
                _comparisons() + _other_commands())
    return list({command.words: command for command in commands}.values())
