#pragma once

#include <fmt/format.h>

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/core/types.hpp"
#include "gnomon/represent/basis.hpp"
#include "gnomon/represent/kernel.hpp"

// What a request chooses from. Every choice can be made by the name that the command line takes, or by an object; a name
// that does not exist is a UsageError where the choice is made. How texts are read: src/select/parse.cpp.

namespace gnomon {

struct LearnerEntry;
struct NoiseMethod;

/// A learner of the catalogue, by name, or one of your own.
class LearnerChoice {
 public:
  LearnerChoice(std::string_view name);
  LearnerChoice(const char* name) : LearnerChoice(std::string_view(name)) {}
  LearnerChoice(const std::string& name) : LearnerChoice(std::string_view(name)) {}
  LearnerChoice(LearnerEntry entry);

  const LearnerEntry& operator*() const { return *entry_; }
  const LearnerEntry* operator->() const { return entry_.get(); }
  const std::string& name() const;

 private:
  std::shared_ptr<const LearnerEntry> entry_;
};

/// A kernel by name ("gaussian", "polynomial:3"), whose width is chosen apart from it, or one with a width of its own, ours
/// or yours (represent/own_kernel.hpp). The widths that a request names go before a width of its own. Several names,
/// "gaussian,matern52" or "polynomial:2..4", are alternatives to choose from.
class KernelChoice {
 public:
  KernelChoice(std::string_view spec);
  KernelChoice(const char* spec) : KernelChoice(std::string_view(spec)) {}
  KernelChoice(const std::string& spec) : KernelChoice(std::string_view(spec)) {}
  KernelChoice(Kernel kernel);
  template <KernelFunction K>
  requires std::convertible_to<K, Kernel> KernelChoice(K kernel) : KernelChoice(Kernel(std::move(kernel))) {}
  template <KernelFunction K>
  requires(!std::convertible_to<K, Kernel>) KernelChoice(K kernel)
      : KernelChoice(Kernel(OwnKernel(std::move(kernel)))) {}

  std::string name() const;  ///< of several: "gaussian,matern52"
  bool is_own() const { return std::holds_alternative<OwnKernel>(kernel_); }
  bool takes_width() const;  ///< of several: any of them
  /// One choice for each name; empty where there is one only.
  const std::vector<KernelChoice>& alternatives() const { return alternatives_; }
  /// The width of a kernel that was handed over; nothing for a name.
  std::optional<double> own_width() const { return own_width_; }
  Kernel of_width(double width) const { return with_width(kernel_, width); }

 private:
  Kernel kernel_;
  std::optional<double> own_width_;
  std::vector<KernelChoice> alternatives_{};
};

/// A basis by name ("polynomial:3"), to be fitted to the inputs, or one that is fitted already, or functions of your own. An
/// empty name is no choice. Several names, "linear,fourier:2" or "polynomial:1..8", are alternatives to choose from.
class BasisChoice {
 public:
  BasisChoice() = default;
  BasisChoice(std::string_view spec);
  BasisChoice(const char* spec) : BasisChoice(std::string_view(spec)) {}
  BasisChoice(const std::string& spec) : BasisChoice(std::string_view(spec)) {}
  BasisChoice(Basis basis);
  BasisChoice(OwnBasis functions) : BasisChoice(Basis::of(std::move(functions))) {}

  bool empty() const { return spec_.empty(); }
  const std::string& name() const { return spec_; }
  bool is_fitted() const { return fitted_.has_value(); }
  Basis fit(const Matrix& x) const;
  /// The same, to be fitted to some of the inputs (Basis::fit_on).
  BasisChoice on(std::vector<Index> columns) const;
  /// One choice for each name; empty where there is one only.
  const std::vector<BasisChoice>& alternatives() const { return alternatives_; }

 private:
  std::string spec_;
  std::optional<Basis> fitted_;
  std::vector<Index> columns_{};
  std::vector<BasisChoice> alternatives_{};
};

/// Which inputs share a parameter: "age,height;sex" (columns not named form one more group), "each" column by itself, or
/// "all" together. An empty text is no choice.
class GroupChoice {
 public:
  enum class Kind { none, all, each, named };

  GroupChoice() = default;
  GroupChoice(std::string_view text);
  GroupChoice(const char* text) : GroupChoice(std::string_view(text)) {}
  GroupChoice(const std::string& text) : GroupChoice(std::string_view(text)) {}
  GroupChoice(std::vector<std::vector<std::string>> columns)
      : kind_(Kind::named), columns_(std::move(columns)) {}

  Kind kind() const { return kind_; }
  bool empty() const { return kind_ == Kind::none; }
  /// The columns of each group that is named.
  const std::vector<std::vector<std::string>>& columns() const { return columns_; }
  std::string text() const;

 private:
  Kind kind_ = Kind::none;
  std::vector<std::vector<std::string>> columns_;
};

/// Columns that a model uses, as models to choose from: "age,height;age,height,sex", "nested" for the first 1, 2, … columns in
/// their order, or "every" subset of them. An empty text is no choice: all columns.
class SubsetChoice {
 public:
  enum class Kind { none, nested, every, named };

  SubsetChoice() = default;
  SubsetChoice(std::string_view text);
  SubsetChoice(const char* text) : SubsetChoice(std::string_view(text)) {}
  SubsetChoice(const std::string& text) : SubsetChoice(std::string_view(text)) {}
  SubsetChoice(std::vector<std::vector<std::string>> columns);

  Kind kind() const { return kind_; }
  bool empty() const { return kind_ == Kind::none; }
  /// The columns of each subset that is named.
  const std::vector<std::vector<std::string>>& columns() const { return columns_; }
  std::string text() const;

 private:
  Kind kind_ = Kind::none;
  std::vector<std::vector<std::string>> columns_;
};

/// Units of every hidden layer: "8", "8,4" or numbers; "0" or no numbers: no hidden layer.
class HiddenLayers {
 public:
  HiddenLayers(std::string_view text);
  HiddenLayers(const char* text) : HiddenLayers(std::string_view(text)) {}
  HiddenLayers(const std::string& text) : HiddenLayers(std::string_view(text)) {}
  HiddenLayers(std::vector<Index> units);

  const std::vector<Index>& units() const { return units_; }
  std::string text() const;

 private:
  std::vector<Index> units_;
};

/// The family of the shift of additive regularization (shift_families()).
class ShiftFamily {
 public:
  ShiftFamily(std::string_view name);
  ShiftFamily(const char* name) : ShiftFamily(std::string_view(name)) {}
  ShiftFamily(const std::string& name) : ShiftFamily(std::string_view(name)) {}

  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// The noise variance: a method by name (noise_methods()) or of your own, or its value if it is known.
class NoiseChoice {
 public:
  NoiseChoice(std::string method) : text_(std::move(method)) {}
  NoiseChoice(const char* method) : text_(method) {}
  NoiseChoice(double variance) : text_(fmt::format("{}", variance)) {}
  NoiseChoice(NoiseMethod method);

  /// The name or number, or the name of a method of your own.
  const std::string& text() const { return text_; }
  /// The method; a name that does not exist is a UsageError here.
  NoiseMethod method() const;

 private:
  std::string text_;
  std::shared_ptr<const NoiseMethod> own_;
};

}  // namespace gnomon

/// In messages a learner is its name.
template <>
struct fmt::formatter<gnomon::LearnerChoice> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const gnomon::LearnerChoice& learner, Context& context) const {
    return fmt::formatter<std::string_view>::format(learner.name(), context);
  }
};
