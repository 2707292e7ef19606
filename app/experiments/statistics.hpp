#pragma once

#include <string>
#include <string_view>

#include "finding.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon::app {

/// Mean and standard deviation (divisor n − 1) of a sample.
struct Summary {
  double mean = undefined, deviation = undefined;
  Index count = 0;

  double standard_error() const;
};
Summary summary_of(const VectorView& sample);

/// A number as a table prints it: its value, and the spacing of its last digit.
struct Printed {
  std::string_view text;

  double value() const;
  double spacing() const;
};

/// A mean beside that of a reference implementation, which comes from `trials` trials of the same spread and was rounded when
/// printed.
Finding finding_of(std::string name, const Summary& ours, const Printed& expected, Index trials);

/// P(|T| ≥ |t|) for Student's t with ν degrees of freedom: the regularised incomplete beta I_x(ν/2, ½), x = ν/(ν + t²).
double student_two_sided(double t, double degrees_of_freedom);

/// p-value of the paired t-test that two samples have one mean; 1 if they never differ.
double paired_t_test(const VectorView& a, const VectorView& b);

/// The same for samples taken as independent, of unequal variances (Welch 1947).
double unpaired_t_test(const Summary& a, const Summary& b);

/// "0.021", "< 0.001".
std::string p_in_words(double p);

}  // namespace gnomon::app
