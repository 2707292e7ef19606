# What R expects of a fit.
library(gnomon)
set.seed(2)
n <- 80L
d <- data.frame(a = rnorm(n), b = runif(n), kind = factor(sample(c("u", "v", "w"), n, TRUE)), flag = rnorm(n) > 0)
d$y <- 1 + 2 * d$a - d$b + (d$kind == "v") + rnorm(n) / 4
fails <- function(expression, pattern) {
  condition <- tryCatch({ expression; NULL }, error = identity)
  stopifnot(inherits(condition, "gnomon_error"), grepl(pattern, conditionMessage(condition)), !grepl("\n", conditionMessage(condition)))
}

# A linear fit: coefficients are those of the predictions, in the units of the columns.
fit <- gnomon(y ~ ., d, learner = "ridge", seed = 1)
beta <- coef(fit)
stopifnot(identical(names(beta), c("(Intercept)", "a", "b", "kind=u", "kind=v", "kind=w", "flag")))
by_hand <- beta[[1]] + beta[["a"]] * d$a + beta[["b"]] * d$b + beta[paste0("kind=", d$kind)] + beta[["flag"]] * d$flag
stopifnot(all.equal(unname(by_hand), unname(predict(fit, d))))
stopifnot(identical(fitted(fit), predict(fit, d)), all.equal(unname(residuals(fit)), d$y - unname(fitted(fit))))
stopifnot(any(grepl("ridge", capture.output(print(fit)))), any(grepl("error", capture.output(print(summary(fit))))))
# At one lambda it is what lm finds without a penalty.
least <- gnomon(y ~ a + b, d, learner = "ridge", lambda = 0, noise = 0.0625)
stopifnot(all.equal(coef(least), coef(lm(y ~ a + b, d)), tolerance = 1e-8))

# Terms of the formula come along to new rows.
bent <- gnomon(log(y + 9) ~ poly(b, 2) + I(a * b) + kind, d, learner = "ridge", seed = 1)
stopifnot(identical(names(coef(bent))[2:4], c("poly(b, 2)1", "poly(b, 2)2", "I(a * b)")))
stopifnot(all.equal(predict(bent, d[5:9, ]), predict(bent, d)[5:9]))
less <- gnomon(y ~ . - flag - kind, d, learner = "ridge", seed = 1)
stopifnot(identical(names(coef(less)), c("(Intercept)", "a", "b")), identical(predict(less, d), fitted(less)))

# What R asks of every fit.
stopifnot(nobs(fit) == n, is.null(weights(fit)), identical(all.vars(formula(bent)), c("y", "b", "a", "kind")))
stopifnot(identical(weights(gnomon(y ~ a, d, learner = "ridge", weights = b)), d$b))
stopifnot(identical(names(predict(fit, d[5, ])), "5"), identical(rownames(predict(fit, d[5, ], interval = 0.5)), "5"))
stopifnot(all.equal(predict(least, model.frame(~ b + a, d)), predict(least, d)))

# The columns of a matrix do not stand in for a variable of the same name.
doubled <- d
doubled$M <- cbind(d$b, d$a * d$b)
doubled$M1 <- d$a
stopifnot(all.equal(unname(coef(gnomon(y ~ M1 + M, doubled, learner = "ridge", lambda = 0, noise = 0.06))),
                    unname(coef(lm(y ~ M1 + M, doubled))), tolerance = 1e-8))

# Intervals hold about as many rows as they should, and the wider holds more.
bounds <- predict(fit, d, interval = 0.9)
stopifnot(identical(colnames(bounds), c("fit", "lwr", "upr")), identical(bounds[, "fit"], predict(fit, d)))
inside <- function(level) { p <- predict(fit, d, interval = level); mean(d$y >= p[, "lwr"] & d$y <= p[, "upr"]) }
stopifnot(inside(0.9) > 0.85, inside(0.5) < inside(0.9))
fails(predict(fit, d, interval = 1), "between 0 and 1")
fails(predict(fit, d, interval = 0.9999), "lower level")

# Missing cells: as na.action says in the fit, NA in predictions.
holes <- d
holes$a[3] <- NA
stopifnot(nrow(gnomon(y ~ ., holes, learner = "ridge", seed = 1)$frame) == n - 1)
excluded <- gnomon(y ~ ., holes, learner = "ridge", seed = 1, na.action = na.exclude)
stopifnot(length(fitted(excluded)) == n, is.na(fitted(excluded)[3]), is.na(residuals(excluded)[3]))
stopifnot(is.na(predict(fit, holes)[3]), identical(predict(fit, holes)[-3], predict(fit, d)[-3]))
filled <- gnomon(y ~ ., holes, learner = "ridge", missing = "mean")
stopifnot(nrow(filled$frame) == n, !anyNA(predict(filled, holes)))
stopifnot(inherits(try(gnomon(y ~ ., holes, na.action = na.fail), silent = TRUE), "try-error"))

# set.seed decides, a seed of its own goes before it.
random <- function(...) gnomon(y ~ ., d, learner = "ridge", criterion = "cv:5", ...)$results$path$criteria$cv$value
set.seed(7); first <- random(); second <- random()
set.seed(7); again <- random()
stopifnot(identical(first, again), !identical(first, second), identical(random(seed = 3), random(seed = 3)))

# Several targets.
both <- gnomon(cbind(y, twice = 2 * y) ~ a + b, d, learner = "ridge", seed = 1)
stopifnot(identical(colnames(coef(both)), c("y", "twice")), all.equal(coef(both)[, 2], 2 * coef(both)[, 1], tolerance = 1e-6))
stopifnot(identical(dim(predict(both, d)), c(n, 2L)), identical(names(predict(both, d, interval = 0.5)), c("y", "twice")))
stopifnot(identical(dim(residuals(both)), c(n, 2L)))

# Classes.
told <- gnomon(kind ~ a + y, d, learner = "mlp", hidden = 2, restarts = 1, seed = 1)
stopifnot(is.factor(predict(told, d)), identical(levels(predict(told, d)), levels(d$kind)))
p <- predict(told, d, type = "probability")
stopifnot(identical(colnames(p), levels(d$kind)), all.equal(unname(rowSums(p)), rep(1, n)))
fails(predict(told, d, interval = 0.9), "classes")

# A series.
wave <- data.frame(v = sin(1:100 / 3) + rnorm(100) / 20)
series <- gnomon(v ~ 1, wave, learner = "ridge", lags = 4, seed = 1)
ahead <- predict(series, wave)
stopifnot(is.na(ahead[3]), !is.nan(ahead[3]), !is.na(ahead[4]), cor(ahead[4:99], wave$v[5:100]) > 0.9)
stopifnot(is.na(fitted(series)[4]), identical(unname(fitted(series)[5:100]), unname(ahead[4:99])))
stopifnot(all.equal(mean(residuals(series)^2, na.rm = TRUE), series$results$chosen$train_error))
beta <- coef(series)  # of the newest value first
stopifnot(all.equal(ahead[[50]], beta[[1]] + sum(beta[-1] * wave$v[50:47])))
further <- gnomon(v ~ 1, wave, learner = "ridge", lags = 4, horizon = 3, seed = 1)
stopifnot(identical(unname(fitted(further)[10]), unname(predict(further, wave)[7])))

# Fits survive their files: all of R's, and the model alone.
saveRDS(fit, "fit.rds")
stopifnot(identical(predict(readRDS("fit.rds"), d), predict(fit, d)))
save_gnomon(fit, "fit.gnomon")
loaded <- read_gnomon("fit.gnomon")
stopifnot(identical(predict(loaded, d), predict(fit, d)), identical(coef(loaded), coef(fit)))
fails(summary(loaded), "model file")
fails(read_gnomon("nowhere.gnomon"), "nowhere")
writeLines("no model", "other.gnomon")
fails(read_gnomon("other.gnomon"), "other.gnomon")

# Plots of a path, of two parameters, of a search.
pdf("plots.pdf")
plot(fit)
plot(fit, criterion = names(fit$results$path$criteria)[2])
plot(gnomon(y ~ ., d, learner = "elastic-net", mix = c(0.2, 0.7), seed = 1))
plot(gnomon(y ~ ., d, learner = "ridge", groups = "each", seed = 1))
plot(gnomon(y ~ a + b, d, learner = "iwls", weights = "ulsif", test = d[1:40, ], seed = 1))
dev.off()
fails(plot(fit, criterion = "none"), "not asked for")
fails(plot(fit, target = 2), "no target '2'; there are y")
pdf("limits.pdf")
plot(both, target = "twice", ylim = c(0, 20))
dev.off()
stopifnot(file.size("plots.pdf") > 5000)

# Errors name R's arguments, in one line, with the call.
fails(gnomon(y ~ ., d, lamda = 1), "did you mean 'lambda'")
fails(gnomon(y ~ ., d, learner = "rigde"), "did you mean 'ridge'")
fails(gnomon(y ~ ., d, learner = "ridge", lambda = -1), "lambda")
fails(gnomon(y ~ ., d, learner = "ridge", decay_groups = "input"), "^decay_groups")
fails(gnomon(y ~ ., d, lambda = NA_real_), "without NA")
fails(gnomon(y ~ ., d, repeats = "many"), "repeats 'many'")
fails(gnomon(y ~ ., d, intercept = "maybe"), "TRUE or FALSE")
fails(gnomon(y ~ ., d, target = "y"), "formula")
fails(gnomon(y ~ a * b, d), "interactions")
fails(gnomon(y ~ a + offset(b), d), "offset")
fails(gnomon(~ a, d), "response")
fails(gnomon(y ~ a, d, learner = "ridge", weights = -b), "negative")
fails(gnomon(y ~ a, transform(d, a = as.Date("2026-01-01"))), "'a' holds neither")
fails(predict(fit, transform(d, kind = "x")), "kind")
fails(predict(fit, as.list(d)), "data frame")
fails(predict(fit, d, interval = "prediction"), "one probability")
fails(predict(fit, d["a"]), "'b'")
fails(predict(loaded, d["a"]), "no column 'b'")
fails(predict(gnomon(d$y ~ d$a, learner = "ridge"), d[1:3, ]), "3 rows")
fails(gnomon(y ~ a, d, learner = "ridge", weights = factor(flag)), "weights must be numbers")
fails(gnomon(y ~ a + nowhere, d), "nowhere")
fails(gnomon(y ~ a, d, test = "new.csv"), "test must be a data frame")
fails(gnomon(y ~ a, d, learner = "ridge", seed = -1), "seed '-1'")
fails(gnomon(y ~ a, d, learner = "ridge", seed = 1.5), "seed '1.5'")
fails(gnomon(y ~ a, d, learner = "ridge", json = TRUE), "json is no flag")
fails(gnomon(y ~ a, d, learner = "ridge", json = "-"), "name of a file")
fails(gnomon(y ~ a, d, learner = "ridge", fold_groups = ifelse(flag, 1, NA), na.action = na.pass), "fold_groups is missing in row")
fails(save_gnomon(fit, "nowhere/fit.gnomon"), "no folder 'nowhere'")
fails(read_gnomon("."), "no such file")
fails(coef(gnomon(y ~ a, d, seed = 1)), "not linear")
error <- tryCatch(gnomon(y ~ ., d, lamda = 1), error = identity)
stopifnot(identical(conditionCall(error)[[1]], quote(gnomon)))

options <- gnomon_options()
stopifnot(c("lambda", "decay_groups", "seed") %in% options$name, all(nchar(options$meaning) > 0), !"target" %in% options$name)
