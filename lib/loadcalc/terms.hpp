#pragma once

// Sums with coefficients in which a number that nobody knows takes no part.

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "loadcalc/strategy.hpp"

namespace lvs::loadcalc {

/// `value` if it is a finite number >= 0, else empty: a reading that cannot be is not a reading.
std::optional<double> known(std::optional<double> value);

/// `value`, at most `most`; empty when it is not known.
std::optional<double> at_most(std::optional<double> value, double most);

/// 1 - `fraction` in [0,1]; empty when it is not known.
std::optional<double> complement(std::optional<double> fraction);

/// `value` if it is finite and within [least, most], else `otherwise`: a parameter that is out of
/// its range must not make a weight that is no number.
double sane(double value, double least, double most, double otherwise);

/// Adds a term if its value is known and its coefficient is above 0.
void add_term(std::vector<Term>& terms, std::string_view name, double coefficient,
              std::optional<double> value);

/// Sum of coefficient * value, after making the coefficients sum up to 1: what is left out is
/// neither 0 nor full, the others speak for it. Empty without terms.
std::optional<double> weighted_sum(std::vector<Term>& terms);

/// Mean of a number over the members with measures for which it is known and above 0.
std::optional<double> mean_over_pool(
    const Pool& pool, const std::function<std::optional<double>(const Member&)>& number);

/// `value` / `mean`; empty when either is unknown.
std::optional<double> relative(std::optional<double> value, std::optional<double> mean);

}  // namespace lvs::loadcalc
