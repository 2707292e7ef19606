# The fit: formula and data frame in, one call of the library, an object of plain R values out.

gnomon <- function(formula, data, learner = "kernel-ridge", criterion = "auto", ...,
                   weights, fold_groups, fold_column, subset, na.action, test = NULL) {
  call <- match.call()
  options <- list(learner = learner, criterion = criterion, ...)
  options <- options[!vapply(options, is.null, TRUE)]
  if (is.null(names(options)) || any(names(options) == ""))
    refuse("every option needs its name, as in lambda = 0.1", call)
  taken <- intersect(names(options), said_otherwise)
  if (length(taken)) refuse(paste0("'", taken[1], "' is said by the formula or not needed in R"), call)
  if (!is.null(test) && !is.data.frame(test)) refuse("test must be a data frame", call)
  for (name in intersect(names(options), c("report", "json", "model", "start", "metric"))) {
    if (identical(options[[name]], "-")) refuse(paste0(name, " '-' is for the command; give the name of a file"), call)
    if (is.character(options[[name]])) options[[name]] <- path.expand(options[[name]])
  }

  wanted <- match(c("formula", "data", "subset", "weights", "fold_groups", "fold_column", "na.action"), names(call), 0L)
  asked <- call[c(1L, wanted)]
  asked[[1L]] <- quote(stats::model.frame)
  method <- if (!missing(weights)) weights_method(substitute(weights), if (missing(data)) NULL else data, parent.frame())
  if (!is.null(method)) {
    options$weights <- method
    asked$weights <- NULL
  }
  if (missing(na.action) && !identical(options$missing %||% "error", "error")) asked$na.action <- quote(stats::na.pass)
  frame <- framed(call, eval(asked, parent.frame()))
  terms <- attr(frame, "terms")
  check_terms(terms, call)
  if (attr(terms, "intercept") == 0L && is.null(options$intercept)) options$intercept <- FALSE

  columns <- columns_of(features_of(frame, terms))
  target <- targets_of(frame[1L], names(columns))
  options$target <- names(target)
  columns <- c(columns, target)
  if (!is.null(model.weights(frame))) {
    options$weights <- fresh("(weights)", names(columns))
    if (!is.numeric(model.weights(frame)) && !is.logical(model.weights(frame))) refuse("weights must be numbers", call)
    columns[[options$weights]] <- as.double(model.weights(frame))
  }
  for (name in c("fold_groups", "fold_column")) {
    labels <- frame[[paste0("(", name, ")")]]
    if (is.null(labels)) next
    if (anyNA(labels)) refuse(paste0(name, " is missing in row ", which(is.na(labels))[1L]), call)
    options[[name]] <- fresh(paste0("(", name, ")"), names(columns))
    columns[[options[[name]]]] <- as.double(match(labels, unique(labels)))
  }
  if (is.null(options$seed)) options$seed <- sample.int(.Machine$integer.max, 1L)

  fit <- native(call, gnomon_r_select, columns, options, if (!is.null(test)) test_columns(terms, test))
  for (text in fit$warnings) warning(text, call. = FALSE)
  structure(list(call = call, terms = terms, frame = frame, na.action = attr(frame, "na.action"),
                 results = fit$results, text = fit$text, warnings = fit$warnings, facts = fit$facts, bytes = fit$bytes),
            class = "gnomon")
}

`%||%` <- function(value, otherwise) if (is.null(value)) otherwise else value

# Weights are a vector of counts, evaluated in the data; a single text names a method that estimates them from `test`.
weights_method <- function(expression, data, where) {
  value <- eval(expression, data, where)
  if (is.character(value) && length(value) == 1L) value
}

check_terms <- function(terms, call) {
  if (attr(terms, "response") == 0L) refuse("the formula has no response; write y ~ .", call)
  if (any(attr(terms, "order") > 1L))
    refuse("interactions are no features; write a product as I(a * b), or choose a kernel or a polynomial basis", call)
  if (!is.null(attr(terms, "offset"))) refuse("offset() is not served; subtract it from the response", call)
}

# Options of the command that an argument of gnomon() stands for, or that mean nothing in R.
said_otherwise <- c("target", "features", "drop", "quiet")

gnomon_options <- function() {
  table <- as.data.frame(.Call(gnomon_r_options), stringsAsFactors = FALSE)
  table$default[table$name == "seed"] <- "drawn by R"
  table <- table[!table$name %in% said_otherwise, ]
  rownames(table) <- NULL
  table
}

save_gnomon <- function(object, file) {
  stopifnot(inherits(object, "gnomon"))
  if (!dir.exists(dirname(file))) refuse(paste0(file, ": there is no folder '", dirname(file), "'"), sys.call())
  beside <- tempfile("gnomon", dirname(file))
  on.exit(unlink(beside))
  writeBin(object$bytes, beside)
  if (!file.rename(beside, file)) refuse(paste0("cannot write '", file, "'"), sys.call())
  invisible(object)
}

read_gnomon <- function(file) {
  if (!file.exists(file) || dir.exists(file)) refuse(paste0(file, ": there is no such file"), sys.call())
  bytes <- readBin(file, "raw", file.size(file))
  structure(list(call = sys.call(), facts = native(sys.call(), gnomon_r_facts, bytes, file), bytes = bytes), class = "gnomon")
}
