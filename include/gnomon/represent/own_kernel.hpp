#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// A function of one number: of the squared distance ‖x−x'‖², or of the inner product ⟨x, x'⟩ if the kernel says
/// `static constexpr bool of_inner_product = true;`.
template <class K>
concept KernelOfOneNumber = requires(const K& k, double argument) {
  { k(argument) } -> std::convertible_to<double>;
};

/// A function of two rows of inputs, k(x, x').
template <class K>
concept KernelOfRows = requires(const K& k, std::span<const double> row) {
  { k(row, row) } -> std::convertible_to<double>;
};

/// What a kernel has to offer: a name, and its value. A field `width` is filled with the widths that a request names.
template <class K>
concept KernelFunction = requires(const K& k) {
  std::string(k.name);
}
&&(KernelOfOneNumber<K> || KernelOfRows<K>);

template <class K>
inline constexpr bool takes_inner_product = [] {
  if constexpr (requires { K::of_inner_product; }) return K::of_inner_product;
  return false;
}();

/// A kernel that the library does not know, symmetric and positive semidefinite. Its function is called from several threads
/// at once, and also with numbers of its own kind that belong to no row. Entries of a matrix are asked for in blocks, so
/// that a block costs one virtual call and the function itself is compiled where it is written.
class OwnKernel {
 public:
  template <KernelFunction K>
  explicit OwnKernel(K kernel) : OwnKernel(std::make_shared<const Holder<K>>(std::move(kernel))) {}

  const std::string& name() const { return name_; }
  std::optional<double> width() const { return kernel_->width(); }
  /// The same kernel with another width; itself where it has none.
  OwnKernel of_width(double width) const { return OwnKernel(kernel_->of_width(width)); }

  enum class Argument { squared_distance, inner_product, rows };
  Argument argument() const { return kernel_->argument(); }
  /// Replaces squared distances, or inner products, by values.
  void apply(double* values, Index count) const { kernel_->apply({values, static_cast<std::size_t>(count)}); }
  /// k(x_i, z_j) at out[j·stride + i]; x and z hold rows of d numbers one after another.
  void fill(const double* x, Index rows, const double* z, Index columns, Index d, double* out,
            Index stride) const {
    kernel_->fill(x, rows, z, columns, d, out, stride);
  }

 private:
  struct Function {
    virtual ~Function() = default;
    virtual std::string name() const = 0;
    virtual std::optional<double> width() const = 0;
    virtual std::shared_ptr<const Function> of_width(double width) const = 0;
    virtual Argument argument() const = 0;
    virtual void apply(std::span<double> values) const = 0;
    virtual void fill(const double* x, Index rows, const double* z, Index columns, Index d, double* out,
                      Index stride) const = 0;
  };

  template <class K>
  struct Holder final : Function {
    explicit Holder(K k) : kernel(std::move(k)) {}

    static constexpr bool has_width = requires(K & k) { k.width = 1.0; };

    std::string name() const override { return std::string(kernel.name); }
    std::optional<double> width() const override {
      if constexpr (has_width) return kernel.width;
      return std::nullopt;
    }
    std::shared_ptr<const Function> of_width([[maybe_unused]] double width) const override {
      K other = kernel;
      if constexpr (has_width) other.width = width;
      return std::make_shared<const Holder>(std::move(other));
    }
    Argument argument() const override {
      if constexpr (!KernelOfOneNumber<K>) return Argument::rows;
      return takes_inner_product<K> ? Argument::inner_product : Argument::squared_distance;
    }
    void apply([[maybe_unused]] std::span<double> values) const override {
      if constexpr (KernelOfOneNumber<K>)
        for (double& value : values) value = kernel(value);
    }
    void fill([[maybe_unused]] const double* x, [[maybe_unused]] Index rows, [[maybe_unused]] const double* z,
              [[maybe_unused]] Index columns, [[maybe_unused]] Index d, [[maybe_unused]] double* out,
              [[maybe_unused]] Index stride) const override {
      if constexpr (KernelOfRows<K>) {
        const auto length = static_cast<std::size_t>(d);
        for (Index j = 0; j < columns; ++j)
          for (Index i = 0; i < rows; ++i)
            out[j * stride + i] =
                kernel(std::span(x + i * d, length), std::span<const double>(z + j * d, length));
      }
    }

    K kernel;
  };

  explicit OwnKernel(std::shared_ptr<const Function> kernel);

  std::shared_ptr<const Function> kernel_;
  std::string name_;
};

}  // namespace gnomon
