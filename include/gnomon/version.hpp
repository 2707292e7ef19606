#pragma once

namespace gnomon {

/// "0.1.0"
const char* version();

}  // namespace gnomon
