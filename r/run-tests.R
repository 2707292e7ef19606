# Runs every file of tests/ in an R of its own, and the code of docs/r.md: Rscript r/run-tests.R
# R_LIBS says where the package is; GNOMON, if set, where the command is whose numbers must be the same.
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
page <- readLines(file.path(here, "..", "docs", "r.md"), encoding = "UTF-8")
fences <- grep("^```", page)
starts <- fences[page[fences] == "```r"]
blocks <- unlist(lapply(starts, function(i) c(page[(i + 1):(min(fences[fences > i]) - 1)], "")))
stopifnot(length(blocks) > 0)
documented <- tempfile("docs-r-", fileext = ".R")
writeLines(blocks, documented, useBytes = TRUE)

files <- c(list.files(file.path(here, "tests"), "\\.R$", full.names = TRUE), documented)
files <- normalizePath(files)
place <- tempfile("gnomon-r-")
dir.create(place)
before <- setwd(place)  # what the tests write goes away with them
failed <- Filter(function(file) {
  cat(basename(file), "\n")
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(file))) != 0L
}, files)
setwd(before)
unlink(place, recursive = TRUE)
if (length(failed)) stop("failed: ", paste(basename(failed), collapse = ", "))
