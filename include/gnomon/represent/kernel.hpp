#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gnomon/represent/kernels/gaussian.hpp"
#include "gnomon/represent/kernels/laplace.hpp"
#include "gnomon/represent/kernels/linear.hpp"
#include "gnomon/represent/kernels/matern32.hpp"
#include "gnomon/represent/kernels/matern52.hpp"
#include "gnomon/represent/kernels/polynomial.hpp"
#include "gnomon/represent/own_kernel.hpp"

namespace gnomon {

/// A positive semidefinite function of two inputs. Ours are scalar functions of one number: of the squared distance
/// ‖x−x'‖², or of the inner product ⟨x, x'⟩ for those that say `of_inner_product`.
using Kernel = std::variant<Gaussian, Laplace, Matern32, Matern52, Polynomial, Linear, OwnKernel>;

/// "gaussian", "laplace", …, "polynomial:D", "linear": what `parse_kernel` takes.
std::vector<std::string> kernel_names();

/// "matern52" or "polynomial:3" with its width, which must be positive and finite (and is ignored by
/// "linear").
Kernel parse_kernel(std::string_view spec, double width);

/// Whether a width has to be chosen for this kernel; an unknown name is a UsageError.
bool uses_width(std::string_view spec);

/// The text `parse_kernel` takes: "gaussian", "polynomial:3"; of a kernel of your own, its name.
std::string kernel_spec(const Kernel& kernel);

/// Its width; nothing for a kernel that has none.
std::optional<double> width_of(const Kernel& kernel);
/// The same kernel with another width, which must be positive and finite.
Kernel with_width(const Kernel& kernel, double width);

/// For people: "gaussian (width 1.5)".
std::string describe(const Kernel& kernel);

/// {"name": "polynomial", "width": 2.0, "degree": 3}, fields that do not apply left out; and back. A kernel of your own
/// cannot be written: whoever reads it would not have its function.
nlohmann::json kernel_to_json(const Kernel& kernel);
Kernel kernel_from_json(const nlohmann::json& json);

}  // namespace gnomon
