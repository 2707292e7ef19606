# Ctrl-C stops a computation, and R goes on.
library(gnomon)
set.seed(3)
d <- data.frame(x = matrix(rnorm(1500 * 4), 1500))
d$y <- rnorm(1500)
system(paste("(sleep 1; kill -INT", Sys.getpid(), ")"), wait = FALSE)
stopped <- tryCatch(gnomon(y ~ ., d, learner = "svr", criterion = "basic", bootstrap = 1e6, lambda = c(0.1, 1)),
                    interrupt = function(condition) "stopped")
stopifnot(identical(stopped, "stopped"))
stopifnot(all(is.finite(predict(gnomon(y ~ ., d[1:50, ], learner = "ridge", seed = 1), d))))
