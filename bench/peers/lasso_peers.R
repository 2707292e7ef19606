#!/usr/bin/Rscript
# cv.glmnet beside gnomon on the data that bench_lasso wrote, one thread, CPU seconds.
#   bench_lasso folder; Rscript lasso_peers.R folder grid; bench_lasso folder; Rscript lasso_peers.R folder
# "grid" only writes glmnet's own grid (its early stopping included) for bench_lasso to use. glmnet minimises
# |y - b - Xa|^2/(2n) + lambda |a|_1, so lambda = ours/(2n). Its `thresh` bounds the change of the objective in a
# sweep, relative to the null deviance, not the distance to the optimum: the runs go through several values and the
# largest duality gap of the path on all rows, relative to the null deviance, is printed beside the time.
suppressMessages(library(glmnet))
arguments <- commandArgs(TRUE)
folder <- arguments[1]
values <- function(name) {
  file <- file.path(folder, name)
  readBin(file, "double", file.size(file) / 8)
}
for (case in c("wide", "tall")) {
  size <- values(paste0(case, "_size.bin"))
  n <- size[1]
  x <- matrix(values(paste0(case, "_x.bin")), n, size[2])
  y <- values(paste0(case, "_y.bin"))
  if (length(arguments) > 1) {
    own <- rev(glmnet(x, y, standardize = FALSE)$lambda)
    writeBin(own * 2 * n, file.path(folder, paste0(case, "_lambda.bin")))
    cat(sprintf("%s: glmnet's own grid has %d values, down to %.2e of the largest\n", case, length(own), own[1] / max(own)))
    next
  }
  fold <- values(paste0(case, "_fold.bin")) + 1
  lambda <- values(paste0(case, "_grid.bin"))
  ours <- values(paste0(case, "_objective.bin"))
  centred <- y - mean(y)
  means <- colMeans(x)
  for (thresh in c(1e-7, 1e-10, 1e-13)) {
    time <- system.time(cv <- cv.glmnet(x, y, lambda = rev(lambda) / (2 * n), foldid = fold, standardize = FALSE,
                                        thresh = thresh, maxit = 1e7, grouped = FALSE))
    fit <- cv$glmnet.fit
    a <- as.matrix(fit$beta)[, length(lambda):1]
    residual <- centred - sweep(x %*% a, 2, colSums(a * means))
    rss <- colSums(residual^2)
    g <- apply(abs(t(x) %*% residual - means %o% colSums(residual)), 2, max)
    objective <- rss + lambda * colSums(abs(a))
    scale <- pmin(pmax(colSums(centred * residual) / rss, -lambda / 2 / g), lambda / 2 / g)
    gap <- objective - (2 * scale * colSums(centred * residual) - scale^2 * rss)
    cat(sprintf(paste("%s: cv.glmnet thresh %.0e: %.3f s CPU; largest gap %.1e, median %.1e; objective above ours by",
                      "%.1e to %.1e of it\n"), case, thresh, sum(time[1:2]), max(gap) / sum(centred^2),
                median(gap) / sum(centred^2), min(objective / ours - 1), max(objective / ours - 1)))
  }
}
