#include "gnomon/version.hpp"

namespace gnomon {

const char* version() { return GNOMON_VERSION; }

}  // namespace gnomon
