#include "gnomon/criteria/criterion.hpp"

namespace gnomon {

std::string_view to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::function_space:
      return "function-space";
    case ErrorKind::prediction:
      return "prediction";
    case ErrorKind::log_evidence:
      return "log-evidence";
    case ErrorKind::cross_entropy:
      return "cross-entropy";
    case ErrorKind::huber_loss:
      return "huber-loss";
    case ErrorKind::relative:
      return "relative";
    case ErrorKind::log_likelihood:
      break;
  }
  return "log-likelihood";
}

}  // namespace gnomon
