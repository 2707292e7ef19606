#include "gnomon/criteria/target.hpp"

#include "gnomon/core/error.hpp"

namespace gnomon {

std::string_view to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::function_space:
      return "function-space";
    case ErrorKind::prediction:
      return "prediction";
    case ErrorKind::log_evidence:
      return "log-evidence";
    case ErrorKind::log_likelihood:
      return "log-likelihood";
    case ErrorKind::cross_entropy:
      return "cross-entropy";
    case ErrorKind::huber_loss:
      return "huber-loss";
    case ErrorKind::relative:
      return "relative";
  }
  fail("an error of no kind");
}

ErrorKind Target::kind(const Metric& metric) const {
  switch (of) {
    case Of::log_evidence:
      return ErrorKind::log_evidence;
    case Of::log_likelihood:
      return ErrorKind::log_likelihood;
    case Of::error:
      break;
  }
  return where == Where::in_metric && metric.kind == Metric::Kind::function_space ? ErrorKind::function_space
                                                                                  : ErrorKind::prediction;
}

}  // namespace gnomon
