# What is asked of a fit.

# The results of each target: path, selected, chosen, warnings.
targets <- function(object) {
  if (is.null(object$results)) refuse("a model file does not hold how the model was chosen; only a fit does", sys.call(-1L))
  all <- object$results$targets %||% list(object$results)
  setNamed(all, object$facts$targets[seq_along(all)])
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
  call <- sys.call()
  if (is.null(newdata)) refuse("a model file holds no rows; give newdata", call)
  if (!is.data.frame(newdata)) refuse("newdata must be a data frame", call)
  if (!is.null(interval) && !(is.numeric(interval) && length(interval) == 1L))
    refuse("interval must be one probability, as in interval = 0.9", call)
  classes <- object$facts$classes
  columns <- new_columns(object, newdata, call)
  # A row with a missing cell has no prediction, unless the model fills cells in; a series sees to its windows itself.
  rows <- nrow(newdata)
  whole <- rep(TRUE, rows)
  if (!object$facts$fills_in && !object$facts$series) for (column in columns) whole <- whole & !is.na(column)
  if (!all(whole)) columns <- lapply(columns, function(column) column_of(column[whole], ""))
  found <- native(call, gnomon_r_predict, object$bytes, columns)
  values <- matrix(NA_real_, rows, ncol(found),
                   dimnames = list(row.names(newdata), if (length(classes)) classes else object$facts$targets))
  values[whole, ] <- found
  values[is.nan(values)] <- NA  # a window of a series that is not complete
  if (length(classes)) {
    if (!is.null(interval)) refuse("intervals are for numbers; this model tells classes apart, see type = \"probability\"", call)
    if (type == "probability") return(values)
    best <- ifelse(whole, max.col(replace(values, is.na(values), 0), ties.method = "first"), NA)
    return(setNamed(factor(classes[best], levels = classes), row.names(newdata)))
  }
  if (type != "response") refuse("this model predicts numbers, not classes", call)
  column <- function(t) setNamed(values[, t], rownames(values))  # of one row too
  if (is.null(interval)) return(if (ncol(values) == 1L) column(1L) else values)
  half <- native(call, gnomon_r_half_widths, object$bytes, interval)
  bounds <- lapply(seq_along(half), function(t) cbind(fit = column(t), lwr = column(t) - half[t], upr = column(t) + half[t]))
  if (length(bounds) == 1L) bounds[[1L]] else setNamed(bounds, object$facts$targets)
}

fitted.gnomon <- function(object, ...) {
  targets(object)
  napredict(object$na.action, fitted_rows(object))
}

residuals.gnomon <- function(object, ...) {
  targets(object)
  if (length(object$facts$classes)) refuse("residuals are for a regression of numbers", sys.call())
  naresid(object$na.action, as.matrix(model.response(object$frame))[, seq_along(object$facts$targets)] - fitted_rows(object))
}

# Values of the fit beside the response: a series is forecast some rows earlier.
fitted_rows <- function(object) {
  values <- predict.gnomon(object)
  ahead <- object$facts$horizon
  if (ahead == 0) return(values)
  setNamed(c(rep(NA_real_, ahead), values[seq_len(max(length(values) - ahead, 0))])[seq_along(values)], names(values))
}

nobs.gnomon <- function(object, ...) {
  targets(object)
  nrow(object$frame)
}

weights.gnomon <- function(object, ...) {
  targets(object)
  naresid(object$na.action, model.weights(object$frame))
}

formula.gnomon <- function(x, ...) {
  targets(x)
  formula(x$terms)
}
