#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// none; standard: weighted mean 0 and variance 1; unit: smallest value 0, largest 1.
enum class Scale { none, standard, unit };
std::string_view name_of(Scale);
Scale scale_from_name(std::string_view);

/// The map x ↦ (x − shift)·factor, column by column.
///   standard: shift = Σ wᵢxᵢ / W,  factor = 1/√(Σ wᵢ(xᵢ − shift)² / W),  W = Σ wᵢ,
/// so weight k equals the row repeated k times. Two passes around a value of the column and differences
/// measured in their own largest size, so neither a huge offset nor a huge or tiny unit spoils it. Rows of
/// weight zero do not count. A constant column is shifted to 0 and keeps factor 1.
struct Scaling {
  Vector shift, factor;

  /// An empty weight means all ones. Without an intercept columns are divided only, for a shift is a constant in the fit.
  static Scaling fit(MatrixView x, VectorView weight, Scale scale, bool intercept = true);
  void apply(Matrix& x) const;
};

nlohmann::json to_json(const Scaling& scaling);
Scaling scaling_from_json(const nlohmann::json& json);

}  // namespace gnomon
