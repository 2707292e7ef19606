# What is asked of a fit.

# The results of each target: path, selected, chosen, warnings.
targets <- function(object) {
  if (is.null(object$results)) refuse("a model file does not hold how the model was chosen; only a fit does", sys.call(-1L))
  object$results$targets %||% list(object$results)
}

print.gnomon <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  if (!is.null(x$terms)) cat("Call: ", paste(deparse(x$call), collapse = "\n"), "\n", sep = "")
  cat(x$facts$summary, "\n", sep = "")
  if (is.null(x$results)) return(invisible(x))
  for (target in targets(x)) {
    error <- target$chosen$error
    if (is.null(error)) next
    show <- function(value) format(value, digits = digits)
    cat(error$estimates, if (!is.null(target$target)) paste0(" (", target$target, ")"), ": ", show(error$value), sep = "")
    if (length(error$low)) cat(" (", 100 * error$level, "% between ", show(error$low), " and ", show(error$high), ")", sep = "")
    if (length(target$chosen$r_squared)) cat(", R-squared ", show(target$chosen$r_squared), sep = "")
    cat("\n")
  }
  invisible(x)
}

summary.gnomon <- function(object, ...) {
  targets(object)
  structure(list(call = object$call, text = object$text, results = object$results), class = "summary.gnomon")
}

print.summary.gnomon <- function(x, ...) {
  cat("Call: ", paste(deparse(x$call), collapse = "\n"), "\n\n", x$text, sep = "")
  invisible(x)
}

coef.gnomon <- function(object, ...) {
  equations <- object$facts$equations
  if (length(equations) == 0L) refuse("the fitted function is not linear in its columns: it has no coefficients", sys.call())
  values <- do.call(cbind, equations)
  dimnames(values) <- list(c("(Intercept)", object$facts$features), object$facts$targets)
  if (ncol(values) == 1L) values[, 1L] else values
}

predict.gnomon <- function(object, newdata = object$frame, interval = NULL, type = c("response", "class", "probability"), ...) {
  type <- match.arg(type)
  if (is.null(newdata)) refuse("a model file holds no rows; give newdata", sys.call())
  classes <- object$facts$classes
  call <- sys.call()
  columns <- new_columns(object, newdata)
  # A row with a missing cell has no prediction, unless the model fills cells in; a series sees to its windows itself.
  rows <- nrow(newdata)
  whole <- rep(TRUE, rows)
  if (!object$facts$fills_in && !object$facts$series) for (column in columns) whole <- whole & !is.na(column)
  if (!all(whole)) columns <- lapply(columns, function(column) column_of(column[whole], ""))
  found <- native(call, gnomon_r_predict, object$bytes, columns)
  values <- matrix(NA_real_, rows, ncol(found),
                   dimnames = list(row.names(newdata), if (length(classes)) classes else object$facts$targets))
  values[whole, ] <- found
  if (length(classes)) {
    if (!is.null(interval)) refuse("intervals are for numbers; this model tells classes apart, see type = \"probability\"", call)
    if (type == "probability") return(values)
    best <- ifelse(whole, max.col(replace(values, is.na(values), 0), ties.method = "first"), NA)
    return(setNamed(factor(classes[best], levels = classes), row.names(newdata)))
  }
  if (type != "response") refuse("this model predicts numbers, not classes", call)
  if (is.null(interval)) return(if (ncol(values) == 1L) values[, 1L] else values)
  half <- native(call, gnomon_r_half_widths, object$bytes, interval)
  bounds <- lapply(seq_along(half), function(t) cbind(fit = values[, t], lwr = values[, t] - half[t], upr = values[, t] + half[t]))
  if (length(bounds) == 1L) bounds[[1L]] else setNamed(bounds, object$facts$targets)
}

fitted.gnomon <- function(object, ...) {
  targets(object)
  napredict(object$na.action, predict.gnomon(object))
}

residuals.gnomon <- function(object, ...) {
  targets(object)
  if (length(object$facts$classes) || object$facts$series) refuse("residuals are for a regression of numbers", sys.call())
  naresid(object$na.action, as.matrix(model.response(object$frame))[, seq_along(object$facts$targets)] - predict.gnomon(object))
}
