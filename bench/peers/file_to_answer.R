#!/usr/bin/Rscript
# cv.glmnet for file_to_answer.py: file_to_answer.R TRAIN TEST prints CPU and clock seconds of reading and fitting with one thread, and the
# squared error over the variance on the rows of TEST.
suppressMessages(library(glmnet))
read <- if (requireNamespace("data.table", quietly = TRUE)) function(path) as.matrix(data.table::fread(path, nThread = 1L)) else
  function(path) as.matrix(read.csv(path))
arguments <- commandArgs(TRUE)
time <- system.time({
  d <- read(arguments[1])
  p <- ncol(d) - 1
  fit <- cv.glmnet(d[, 1:p], d[, p + 1], nfolds = 10)
})
new <- read(arguments[2])
y <- new[, p + 1]
cat(sum(time[1:2]), time[3], mean((predict(fit, new[, 1:p], s = "lambda.min") - y)^2) / mean((y - mean(y))^2), "\n")
