# Data frames as columns that the library reads: doubles, and factors with levels sorted by their bytes.

# The variables of a model frame that its terms learn from: no response, no weights, nothing that `. - a` took away.
features_of <- function(frame, terms) {
  factors <- attr(terms, "factors")
  used <- if (length(factors)) which(rowSums(factors) > 0)
  frame[setdiff(used, attr(terms, "response"))]
}

# The columns of a matrix go by its name and theirs, which may be that of another variable.
columns_of <- function(frame) {
  columns <- list()
  for (name in names(frame)) {
    part <- frame[[name]]
    if (is.matrix(part) || is.data.frame(part)) {
      labels <- colnames(part) %||% seq_len(ncol(part))
      for (j in seq_len(ncol(part))) columns[[fresh(enc2utf8(paste0(name, labels[j])), names(columns))]] <- column_of(part[, j], name)
    } else {
      columns[[fresh(enc2utf8(name), names(columns))]] <- column_of(part, name)
    }
  }
  columns
}

column_of <- function(values, name) {
  if (is.factor(values) || is.character(values)) {
    texts <- enc2utf8(as.character(values))
    return(factor(texts, levels = sort(unique(texts), method = "radix")))
  }
  if (is.numeric(values) || is.logical(values)) return(as.double(values))
  refuse(paste0("column '", name, "' holds neither numbers nor categories; convert it first"), sys.call(-2L))
}

# One column per target; the columns of cbind(a, b) have names of their own.
targets_of <- function(frame, taken) {
  values <- frame[[1L]]
  if (!is.matrix(values)) return(setNamed(list(column_of(values, names(frame))), fresh(enc2utf8(names(frame)), taken)))
  labels <- colnames(values) %||% rep("", ncol(values))
  bad <- labels == "" | grepl(",", labels, fixed = TRUE)
  labels[bad] <- paste0("y", seq_len(ncol(values)))[bad]
  for (j in seq_along(labels)) labels[j] <- fresh(labels[j], c(taken, labels[-j]))
  setNamed(lapply(seq_len(ncol(values)), function(j) as.double(values[, j])), labels)
}

setNamed <- function(values, labels) {
  names(values) <- labels
  values
}

# The name, with as many underscores as it takes to be no other column's.
fresh <- function(name, taken) {
  while (name %in% taken) name <- paste0(name, "_")
  name
}

# Inputs where the error matters; the response too if it is there.
test_columns <- function(terms, test) {
  known <- all(all.vars(attr(terms, "variables")[[2L]]) %in% names(test))
  if (!known) terms <- delete.response(terms)
  frame <- framed(sys.call(-1L), model.frame(terms, test, na.action = stats::na.pass))
  columns <- columns_of(features_of(frame, terms))
  if (known) c(columns, targets_of(frame[1L], names(columns))) else columns
}

# New rows for a model: by the terms of its formula, or by the names of its columns where it came from a file.
new_columns <- function(object, newdata, call) {
  wanted <- object$facts$columns
  if (object$facts$series && !is.null(object$terms) && !wanted %in% names(newdata))
    return(setNamed(list(column_of(eval(attr(object$terms, "variables")[[2L]], newdata), wanted)), wanted))
  if (object$facts$series || is.null(object$terms)) {
    missing <- setdiff(wanted, names(newdata))
    if (length(missing)) refuse(paste0("newdata has no column '", missing[1L], "', which the model needs"), call)
    return(columns_of(newdata[wanted]))
  }
  if (!is.null(attr(newdata, "terms")) && identical(names(newdata), names(object$frame)))
    return(columns_of(features_of(newdata, object$terms)))  # the frame of the fit
  terms <- delete.response(object$terms)
  frame <- framed(call, suppressWarnings(model.frame(terms, newdata, na.action = stats::na.pass)))
  if (nrow(frame) != nrow(newdata))
    refuse(paste0("newdata has ", nrow(newdata), " rows but the variables of the formula have ", nrow(frame),
                  "; a formula of columns' names, y ~ x with data, finds them in newdata"), call)
  columns_of(features_of(frame, terms))
}

# The value of an expression that R itself may refuse.
framed <- function(call, value) tryCatch(value, error = function(error) refuse(conditionMessage(error), call))

# Calls the library; its errors are conditions of class gnomon_error with the call of the user.
native <- function(call, routine, ...) {
  tryCatch(.Call(routine, ...), `C++Error` = function(error) refuse(conditionMessage(error), call))
}

refuse <- function(message, call) {
  stop(structure(class = c("gnomon_error", "error", "condition"), list(message = message, call = call)))
}
