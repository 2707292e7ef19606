# Data frames as columns that the library reads: doubles, and factors with levels sorted by their bytes.

# The variables of a model frame that its terms learn from: no response, no weights, nothing that `. - a` took away.
features_of <- function(frame, terms) {
  factors <- attr(terms, "factors")
  used <- if (length(factors)) which(rowSums(factors) > 0)
  frame[setdiff(used, attr(terms, "response"))]
}

columns_of <- function(frame) {
  columns <- list()
  for (name in names(frame)) {
    part <- frame[[name]]
    if (is.matrix(part) || is.data.frame(part)) {
      labels <- colnames(part) %||% seq_len(ncol(part))
      for (j in seq_len(ncol(part))) columns[[enc2utf8(paste0(name, labels[j]))]] <- column_of(part[, j], name)
    } else {
      columns[[enc2utf8(name)]] <- column_of(part, name)
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
  frame <- model.frame(terms, test, na.action = stats::na.pass)
  columns <- columns_of(features_of(frame, terms))
  if (known) c(columns, targets_of(frame[1L], names(columns))) else columns
}

# New rows for a model: by the terms of its formula, or by the names of its columns where it came from a file.
new_columns <- function(object, newdata) {
  wanted <- object$facts$columns
  if (object$facts$series && !is.null(object$terms) && !wanted %in% names(newdata))
    return(setNamed(list(column_of(eval(attr(object$terms, "variables")[[2L]], newdata), wanted)), wanted))
  if (object$facts$series || is.null(object$terms)) return(columns_of(newdata[intersect(wanted, names(newdata))]))
  if (!is.null(attr(newdata, "terms"))) return(columns_of(features_of(newdata, object$terms)))  # the frame of the fit
  terms <- delete.response(object$terms)
  columns_of(features_of(model.frame(terms, newdata, na.action = stats::na.pass), terms))
}

# Calls the library; its errors are conditions of class gnomon_error with the call of the user.
native <- function(call, routine, ...) {
  tryCatch(.Call(routine, ...), `C++Error` = function(error) refuse(conditionMessage(error), call))
}

refuse <- function(message, call) {
  stop(structure(class = c("gnomon_error", "error", "condition"), list(message = message, call = call)))
}
