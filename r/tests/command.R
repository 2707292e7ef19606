# The numbers, models and predictions of the command, to the last bit.
library(gnomon)
command <- Sys.getenv("GNOMON")
if (command == "") quit(status = 0L)
Sys.setenv(OPENBLAS_CORETYPE = .Call(gnomon:::gnomon_r_blas_core))  # the kernels of this process

set.seed(1)
n <- 60
d <- data.frame(a = rnorm(n), b = rnorm(n), town = sample(c("Bonn", "Aachen", "K\u00f6ln"), n, TRUE), stringsAsFactors = TRUE)
d$y <- sin(d$a) + d$b / 2 + (d$town == "Bonn") + rnorm(n) / 5
d$z <- d$a - d$b + rnorm(n) / 9

write_rows <- function(frame, file) {
  columns <- lapply(frame, function(v) if (is.numeric(v)) sprintf("%.17g", v) else as.character(v))
  lines <- c(paste(names(frame), collapse = ","), do.call(paste, c(columns, sep = ",")))
  writeLines(enc2utf8(lines), file, useBytes = TRUE)
}
run <- function(...) {
  out <- suppressWarnings(system2(command, shQuote(c(...)), stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(out, "status"))) stop(paste(out, collapse = "\n"))
  out
}
write_rows(d, "d.csv")

# The JSON that both write, but for the source and what only one of them was told.
same <- function(formula, target, flags, ..., data = d, file = "d.csv") {
  do.call(gnomon, list(formula, data, ..., seed = 0, json = "r.json", model = "r.gnomon"))
  run("select", file, "--target", target, "--json", "c.json", "--model", "c.gnomon", "--quiet", flags)
  read <- function(path) {
    lines <- readLines(path, encoding = "UTF-8")
    part <- cumsum(grepl('^  "', lines))  # a part of the result each
    name <- sub('^  "([a-z_]+)".*', "\\1", lines[match(part, part)])
    # Options and warnings are in the words of either.
    lines[!name %in% c("settings", "warnings") & !grepl('"source"', lines)]
  }
  stopifnot(any(grepl('^ +"chosen"', read("r.json"))))
  if (!identical(read("r.json"), read("c.json"))) stop("not the same numbers: ", paste(flags, collapse = " "))
  ours <- run("predict", "r.gnomon", file)
  if (!identical(ours, run("predict", "c.gnomon", file))) stop("not the same model: ", paste(flags, collapse = " "))
}
one <- y ~ a + b + town
drop <- c("--drop", "z")
same(one, "y", drop)
same(one, "y", c(drop, "--learner", "ridge", "--lambda", "0.1,0.3,1,10", "--criterion", "all"), learner = "ridge",
     lambda = c(0.1, 0.3, 1, 10), criterion = "all")
same(one, "y", c(drop, "--learner", "lasso", "--criterion", "basic,cv:5", "--bootstrap", "20"), learner = "lasso",
     criterion = c("basic", "cv:5"), bootstrap = 20)
same(one, "y", c(drop, "--learner", "mlp", "--hidden", "2", "--restarts", "1", "--decay-groups", "input"), learner = "mlp", hidden = 2L,
     restarts = 1, decay_groups = "input")
same(one, "y", c(drop, "--learner", "huber", "--no-intercept"), learner = "huber", intercept = FALSE)
same(y ~ a + b + town - 1, "y", c(drop, "--learner", "ridge", "--no-intercept"), learner = "ridge")
same(cbind(y, z) ~ ., "y,z", c("--learner", "ridge", "--groups", "a,b;town"), learner = "ridge", groups = list(c("a", "b"), "town"),
     data = d[c("a", "b", "town", "y", "z")])

# Weights that count, weights from test inputs.
d$count <- rep(1:3, 20)
write_rows(d, "w.csv")
same(one, "y", c("--drop", "z", "--weights", "count", "--learner", "ridge"), learner = "ridge", weights = d$count, data = d, file = "w.csv")
same(one, "y", c("--drop", "z", "--fold-groups", "count", "--learner", "ridge"), learner = "ridge", fold_groups = quote(count), data = d,
     file = "w.csv")
same(one, "y", c("--drop", "z", "--fold-column", "count", "--learner", "lasso"), learner = "lasso", fold_column = d$count, data = d,
     file = "w.csv")
shifted <- data.frame(a = rnorm(40, 0.5), b = rnorm(40), town = sample(d$town, 40))
write_rows(shifted, "t.csv")
write_rows(d[c("a", "b", "town", "y")], "s.csv")
same(y ~ ., "y", c("--test", "t.csv", "--learner", "iwls", "--weights", "ulsif"), learner = "iwls", weights = "ulsif", test = shifted,
     data = d[c("a", "b", "town", "y")], file = "s.csv")

# Models both ways, with intervals.
fit <- gnomon(one, d, seed = 0)
save_gnomon(fit, "ours.gnomon")
theirs <- as.matrix(read.csv(text = run("predict", "ours.gnomon", "d.csv", "--interval", "0.9"), colClasses = "character"))
ours <- predict(fit, d, interval = 0.9)
# R reads decimals with an error in the last bit: compare what it writes of them, to 15 digits.
stopifnot(identical(unname(signif(ours, 15)), unname(signif(matrix(as.numeric(theirs), ncol = 3), 15))))
invisible(run("select", "d.csv", "--target", "y", "--drop", "z", "--model", "theirs.gnomon", "--quiet"))
loaded <- read_gnomon("theirs.gnomon")
stopifnot(identical(predict(loaded, d), predict(fit, d)), identical(predict(loaded, d, interval = 0.8), predict(fit, d, interval = 0.8)))
