#pragma once

#include <string>

#include "gnomon/core/error.hpp"
#include "gnomon/select/selection.hpp"

namespace gnomon::testing {

/// What select() says of a request that it refuses.
inline std::string message_of(const TrainingData& data, const SelectionRequest& request) {
  try {
    select(data, request);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace gnomon::testing
