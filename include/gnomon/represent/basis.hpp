#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Functions that the library does not know. They are asked from several threads at once, and every row of the design
/// depends on its own row of inputs alone.
struct OwnBasis {
  std::string name;                                 ///< for reports
  std::vector<std::string> functions;               ///< a name for each of φ_1, …, φ_p
  std::function<Matrix(const MatrixView&)> design;  ///< rows × p
};

/// Functions φ_1, …, φ_p of the inputs for learners linear in their parameters. There is no constant among
/// them: the intercept is handled by centring.
///
///   linear        the columns themselves
///   polynomial:D  x_j, x_j², …, x_j^D for each column j; no products of different columns
///   fourier:D     sin(kt), cos(kt), k = 1..D, for each column, where t maps the training range of the column
///   onto
///                 [−π/2, π/2]: half a period, so that the two ends of the range need not take the same value
///   gaussian:M    exp(−‖x − c_m‖² / (2 width²)) at M centres among the training rows: the row nearest the
///   mean, then
///                 always the row farthest from the centres so far (ties: the first). Width: the median
///                 distance between centres (between training rows if M = 1), or as given
class Basis {
 public:
  enum class Kind { linear, polynomial, fourier, gaussian, own };

  /// Learns ranges or centres from the training inputs. Cost: O(nd), for gaussian:M O(nMd).
  static Basis fit(std::string_view spec, MatrixView x_train, std::optional<double> width = std::nullopt);

  /// The same, of some of the inputs alone: `columns` are their places among those of x, ascending. `design` still takes all
  /// inputs. All of them named is the basis without a list.
  static Basis fit_on(std::vector<Index> columns, std::string_view spec, const MatrixView& x_train,
                      std::optional<double> width = std::nullopt);

  /// Functions of your own. A model with them predicts, but cannot be saved to a file.
  static Basis of(OwnBasis functions);

  /// The n × p design Φ_ij = φ_j(x_i).
  Matrix design(MatrixView x) const;

  /// One name per column of the design: "age", "age^2", "sin(2 age)", "bump 3".
  std::vector<std::string> names(const std::vector<std::string>& features) const;

  /// "polynomial:3"
  std::string spec() const;
  Kind kind() const { return kind_; }
  /// Whether the design is the inputs as they are, all of them.
  bool is_identity() const { return kind_ == Kind::linear && columns_.empty(); }
  Index inputs() const { return inputs_; }  ///< columns of x; 0 where any number will do
  /// The places of the inputs in use, where it is not all of them; empty otherwise.
  const std::vector<Index>& columns() const { return columns_; }
  /// Number of functions p.
  Index size() const;
  /// Centres (M × inputs in use) and width of gaussian:M; empty and 0 for the others.
  const Matrix& centres() const { return centres_; }
  double width() const { return width_; }

  /// The same functions where only the inputs `kept` are there, ascending places that hold all those in use.
  Basis of_inputs(const std::vector<Index>& kept) const;

  nlohmann::json to_json() const;
  static Basis from_json(const nlohmann::json& json);

 private:
  Index used() const { return columns_.empty() ? inputs_ : static_cast<Index>(columns_.size()); }
  Matrix functions_of(MatrixView x) const;
  Matrix powers(MatrixView x) const;
  Matrix waves(MatrixView x) const;
  Matrix own_design(MatrixView x) const;

  Kind kind_ = Kind::linear;
  Index inputs_ = 0;  ///< columns of x
  std::vector<Index> columns_{};
  Index count_ = 1;  ///< D or M
  Vector low_, high_;
  Matrix centres_;
  double width_ = 0;
  std::shared_ptr<const OwnBasis> own_;
};

/// "linear", "polynomial:D", "fourier:D", "gaussian:M": what `Basis::fit` takes.
std::vector<std::string> basis_names();

/// Throws a UsageError unless `Basis::fit` would take this text for some inputs.
void check_basis_spec(std::string_view spec);

}  // namespace gnomon
