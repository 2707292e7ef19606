# The estimated error along the path, with standard errors and the choice.

plot.gnomon <- function(x, criterion = NULL, target = 1L, xlab = NULL, ylab = NULL, ylim = NULL, ...) {
  all <- targets(x)
  if (length(target) != 1L || !(target %in% names(all) || target %in% seq_along(all)))
    refuse(paste0("there is no target '", target[1L], "'; there are ", paste(names(all), collapse = ", ")), sys.call())
  found <- all[[target]]
  path <- found$path
  criterion <- criterion %||% found$chosen$criterion
  curve <- path$criteria[[criterion]]
  if (is.null(curve))
    refuse(paste0("criterion '", criterion, "' was not asked for; there are ", paste(names(path$criteria), collapse = ", ")),
           sys.call())
  axis <- path_axis(path)
  at <- axis$at(path)
  drawn <- is.finite(at) & is.finite(curve$value)
  line <- axis$line(path)
  parts <- split(which(drawn), line[drawn])
  spread <- if (is.null(curve$se)) rep(0, length(at)) else ifelse(is.finite(curve$se), curve$se, 0)
  plot(at[drawn], curve$value[drawn], type = "n", log = axis$log, xlab = xlab %||% axis$label,
       ylab = ylab %||% gsub("\u2212", "-", paste0(criterion, ": ", curve$estimates)),  # few devices have that minus
       ylim = ylim %||% range(curve$value[drawn] - spread[drawn], curve$value[drawn] + spread[drawn]), ...)
  segments(at[drawn], (curve$value - spread)[drawn], y1 = (curve$value + spread)[drawn], col = "grey70")
  for (i in seq_along(parts)) lines(at[parts[[i]]], curve$value[parts[[i]]], lty = i)
  if (length(parts) > 1L) legend("topleft", names(parts), lty = seq_along(parts), bty = "n")
  chosen <- found$chosen[[axis$name]]
  if (is.numeric(chosen) && length(chosen) == 1L) abline(v = chosen, lty = 3)
  invisible(x)
}

# What runs along the path: the first of its parameters that changes, or the steps of a search over several. Other parameters
# that change give a line each.
path_axis <- function(path) {
  if (is.list(path$lambda))
    return(list(name = "", label = "step of the search", log = "", at = function(p) seq_along(p$df), line = function(p) rep("", length(p$df))))
  own <- path$parameters %||% path[names(path) %in% c("lambda", "flattening")]
  changes <- vapply(own, function(values) length(unique(values)) > 1L, TRUE)
  name <- c(names(own)[changes], "lambda")[1L]
  others <- setdiff(names(own)[changes], name)
  list(name = name, label = name, log = if (all(own[[name]] > 0)) "x" else "", at = function(p) own[[name]],
       line = function(p) if (length(others)) do.call(paste, c(Map(function(n) paste(n, "=", signif(own[[n]], 4)), others), sep = ", "))
                          else rep("", length(own[[name]])))
}
