#include "gnomon/represent/basis.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "core/json.hpp"
#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gram.hpp"
#include "width.hpp"

namespace gnomon {
namespace {

constexpr std::array<std::pair<std::string_view, Basis::Kind>, 4> kKinds{
    {{"linear", Basis::Kind::linear},
     {"polynomial", Basis::Kind::polynomial},
     {"fourier", Basis::Kind::fourier},
     {"gaussian", Basis::Kind::gaussian}}};

std::pair<Basis::Kind, Index> parse(std::string_view spec) {
  const auto colon = spec.find(':');
  const auto name = spec.substr(0, colon);
  for (const auto& [known, kind] : kKinds) {
    if (name != known || (kind == Basis::Kind::linear && name != spec)) continue;
    if (kind == Basis::Kind::linear) return {kind, 1};
    const auto digits = colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1);
    Index count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc{} || end != digits.data() + digits.size() || count < 1)
      throw UsageError(fmt::format("basis '{}': give a whole number of 1 or more, as in {}:3", spec, name));
    return {kind, count};
  }
  std::vector<std::string> known_names;
  for (const auto& entry : kKinds) known_names.emplace_back(entry.first);
  throw UsageError(fmt::format("unknown basis '{}': use one of {}{}", spec, join(basis_names()),
                               suggestion(name, known_names)));
}

/// Greedy farthest-point choice of `count` rows.
Matrix farthest_points(MatrixView x, Index count) {
  const Matrix mean = x.colwise().mean();
  Index next = 0;
  squared_distances(x, mean).col(0).minCoeff(&next);
  Matrix centres(count, x.cols());
  Vector nearest = Vector::Constant(x.rows(), INFINITY);
  for (Index m = 0; m < count; ++m) {
    if (m > 0) {
      const double farthest = nearest.maxCoeff(&next);
      require(farthest > 0, "basis 'gaussian:{}': there are only {} distinct rows: use gaussian:{} or fewer",
              count, m, m);
    }
    centres.row(m) = x.row(next);
    nearest = nearest.cwiseMin(squared_distances(x, centres.row(m)).col(0)).eval();
  }
  return centres;
}

/// A kind that a switch forgot: the compiler warns of it, and no other kind takes its place.
[[noreturn]] void unknown_kind() { fail("a basis of unknown kind: list it in every switch of basis.cpp"); }

/// At least one, ascending, each among `inputs` columns.
bool are_places(const std::vector<Index>& columns, Index inputs) {
  const bool ascending =
      std::adjacent_find(columns.begin(), columns.end(), std::greater_equal<Index>()) == columns.end();
  return !columns.empty() && ascending && columns.front() >= 0 && columns.back() < inputs;
}

std::vector<double> to_list(const Matrix& values) { return {values.data(), values.data() + values.size()}; }

Vector to_vector(const nlohmann::json& list) {
  const auto values = list.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

}  // namespace

std::vector<std::string> basis_names() { return {"linear", "polynomial:D", "fourier:D", "gaussian:M"}; }

void check_basis_spec(std::string_view spec) { parse(spec); }

Basis Basis::fit(std::string_view spec, MatrixView x_train, std::optional<double> width) {
  Basis basis;
  std::tie(basis.kind_, basis.count_) = parse(spec);
  require(x_train.rows() > 0 && x_train.cols() > 0, "basis '{}': there are no training inputs", spec);
  basis.inputs_ = x_train.cols();
  if (basis.kind_ == Kind::fourier) {
    basis.low_ = x_train.colwise().minCoeff();
    basis.high_ = x_train.colwise().maxCoeff();
  }
  if (basis.kind_ == Kind::gaussian) {
    require(!width || (*width > 0 && std::isfinite(*width)),
            "basis '{}': the width must be positive and finite", spec);
    basis.centres_ = farthest_points(x_train, basis.count_);
    basis.width_ =
        width ? *width : median_distance(basis.count_ > 1 ? MatrixView(basis.centres_) : x_train, Vector());
  }
  return basis;
}

Basis Basis::fit_on(std::vector<Index> columns, std::string_view spec, const MatrixView& x_train,
                    std::optional<double> width) {
  require(are_places(columns, x_train.cols()),
          "basis '{}': columns must be places among the {} inputs, ascending, each once", spec,
          x_train.cols());
  if (static_cast<Index>(columns.size()) == x_train.cols()) return fit(spec, x_train, width);
  Basis basis = fit(spec, Matrix(x_train(Eigen::all, columns)), width);
  basis.inputs_ = x_train.cols();
  basis.columns_ = std::move(columns);
  return basis;
}

Basis Basis::of_inputs(const std::vector<Index>& kept) const {
  require(!columns_.empty() && are_places(kept, inputs_) &&
              std::includes(kept.begin(), kept.end(), columns_.begin(), columns_.end()),
          "a basis of some inputs needs every one that it uses");
  Basis basis = *this;
  basis.inputs_ = static_cast<Index>(kept.size());
  basis.columns_.clear();
  if (kept == columns_) return basis;
  for (const Index j : columns_)
    basis.columns_.push_back(std::lower_bound(kept.begin(), kept.end(), j) - kept.begin());
  return basis;
}

Basis Basis::of(OwnBasis functions) {
  require(!functions.name.empty() && !functions.functions.empty() && functions.design != nullptr,
          "a basis of your own needs a name, a name for each of its functions, and their design");
  Basis basis;
  basis.kind_ = Kind::own;
  basis.count_ = static_cast<Index>(functions.functions.size());
  basis.own_ = std::make_shared<const OwnBasis>(std::move(functions));
  return basis;
}

Index Basis::size() const {
  switch (kind_) {
    case Kind::linear:
      return used();
    case Kind::polynomial:
      return used() * count_;
    case Kind::fourier:
      return 2 * used() * count_;
    case Kind::gaussian:
    case Kind::own:
      return count_;
  }
  unknown_kind();
}

Matrix Basis::design(MatrixView x) const {
  require(kind_ == Kind::own || x.cols() == inputs_,
          "the inputs have {} columns where the basis was fitted to {}: give the same features", x.cols(),
          inputs_);
  if (columns_.empty()) return functions_of(x);
  Matrix in_use = x(Eigen::all, columns_);
  return kind_ == Kind::linear ? in_use : functions_of(in_use);
}

Matrix Basis::functions_of(MatrixView x) const {
  switch (kind_) {
    case Kind::linear:
      return x;
    case Kind::polynomial:
      return powers(x);
    case Kind::fourier:
      return waves(x);
    case Kind::gaussian:
      return cross_gram(Gaussian{width_}, x, centres_);
    case Kind::own:
      return own_design(x);
  }
  unknown_kind();
}

Matrix Basis::own_design(MatrixView x) const {
  Matrix phi = own_->design(x);
  require(phi.rows() == x.rows() && phi.cols() == count_,
          "basis '{}' made a design of {} rows and {} columns from {} rows, for {} functions", own_->name,
          phi.rows(), phi.cols(), x.rows(), count_);
  require(phi.allFinite(), "basis '{}' is infinite or not a number for some row", own_->name);
  return phi;
}

Matrix Basis::powers(MatrixView x) const {
  Matrix phi(x.rows(), size());
  for (Index j = 0, column = 0; j < x.cols(); ++j) {
    phi.col(column++) = x.col(j);
    for (Index k = 2; k <= count_; ++k, ++column)
      phi.col(column) = phi.col(column - 1).cwiseProduct(x.col(j));
  }
  return phi;
}

Matrix Basis::waves(MatrixView x) const {
  Matrix phi(x.rows(), size());
  for (Index j = 0, column = 0; j < x.cols(); ++j) {
    // A column that is constant in training has no range: its angle stays at 0.
    const double range = high_[j] - low_[j], slope = range > 0 ? std::numbers::pi / range : 0;
    const Vector angle = slope * (x.col(j).array() - 0.5 * (low_[j] + high_[j]));
    for (Index k = 1; k <= count_; ++k) {
      phi.col(column++) = (static_cast<double>(k) * angle.array()).sin();
      phi.col(column++) = (static_cast<double>(k) * angle.array()).cos();
    }
  }
  return phi;
}

std::vector<std::string> Basis::names(const std::vector<std::string>& features) const {
  require(kind_ == Kind::own || static_cast<Index>(features.size()) == inputs_,
          "{} feature names for a basis of {} inputs", features.size(), inputs_);
  std::vector<std::string> result, in_use;
  for (const Index j : columns_) in_use.push_back(features[static_cast<std::size_t>(j)]);
  const std::vector<std::string>& inputs = columns_.empty() ? features : in_use;
  const auto for_each_term = [&](const auto& add) {
    for (const auto& feature : inputs)
      for (Index k = 1; k <= count_; ++k) add(feature, k);
  };
  switch (kind_) {
    case Kind::linear:
      return inputs;
    case Kind::polynomial:
      for_each_term([&](const std::string& feature, Index k) {
        result.push_back(k == 1 ? feature : fmt::format("{}^{}", feature, k));
      });
      return result;
    case Kind::fourier:
      for_each_term([&](const std::string& feature, Index k) {
        const auto argument = k == 1 ? feature : fmt::format("{} {}", k, feature);
        result.push_back(fmt::format("sin({})", argument));
        result.push_back(fmt::format("cos({})", argument));
      });
      return result;
    case Kind::gaussian:
      for (Index m = 1; m <= count_; ++m) result.push_back(fmt::format("bump {}", m));
      return result;
    case Kind::own:
      return own_->functions;
  }
  unknown_kind();
}

std::string Basis::spec() const {
  if (kind_ == Kind::own) return own_->name;
  const std::string name(kKinds[static_cast<std::size_t>(kind_)].first);
  return kind_ == Kind::linear ? name : fmt::format("{}:{}", name, count_);
}

nlohmann::json Basis::to_json() const {
  if (kind_ == Kind::own)
    fail(
        "basis '{}' cannot be saved to a file: it is not one of gnomon's, and who reads the file would not "
        "have its "
        "functions; predict in the program that brings it",
        own_->name);
  nlohmann::json json{{"name", spec()}, {"inputs", inputs_}};
  if (!columns_.empty()) json["columns"] = columns_;
  if (kind_ == Kind::fourier) json["low"] = to_list(low_), json["high"] = to_list(high_);
  if (kind_ == Kind::gaussian) json["centres"] = to_list(centres_), json["width"] = width_;
  return json;
}

Basis Basis::from_json(const nlohmann::json& json) try {
  Basis basis;
  std::tie(basis.kind_, basis.count_) = parse(json.at("name").get<std::string>());
  basis.inputs_ = whole_from_json(json.at("inputs"));
  // So few that no product of them overflows; what is stored must then agree with them.
  constexpr Index most = Index{1} << 30;
  bool consistent = basis.inputs_ > 0 && basis.inputs_ <= most && basis.count_ <= most;
  if (json.contains("columns")) {
    require(json.at("columns").is_array(), "its columns are no list");
    for (const auto& place : json.at("columns")) basis.columns_.push_back(whole_from_json(place));
    consistent = consistent && are_places(basis.columns_, basis.inputs_) && basis.used() < basis.inputs_;
  }
  if (basis.kind_ == Kind::fourier) {
    basis.low_ = to_vector(json.at("low")), basis.high_ = to_vector(json.at("high"));
    consistent = consistent && basis.low_.size() == basis.used() && basis.high_.size() == basis.used() &&
                 basis.low_.allFinite() && basis.high_.allFinite();
  }
  if (basis.kind_ == Kind::gaussian) {
    const Vector values = to_vector(json.at("centres"));
    basis.width_ = json.at("width").get<double>();
    consistent = consistent && values.size() == basis.count_ * basis.used() && values.allFinite() &&
                 std::isfinite(basis.width_) && basis.width_ > 0;
    if (consistent) basis.centres_ = Eigen::Map<const Matrix>(values.data(), basis.count_, basis.used());
  }
  require(consistent, "sizes do not match, or a number is not finite");
  return basis;
} catch (const std::exception& problem) {
  fail("the basis of this model cannot be read ({}): the file is damaged or was not written by gnomon",
       problem.what());
}

}  // namespace gnomon
