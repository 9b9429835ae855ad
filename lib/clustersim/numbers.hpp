#pragma once

// Elementary functions from additions, multiplications and divisions alone. Those of libm differ in
// the last bit between versions and processors, and one bit is enough to send two runs of the same
// scenario different ways.

namespace lvs::clustersim {

/// ln x for finite x > 0; relative error below 1e-15.
double natural_log(double x);

/// e^x for |x| < 700; relative error below 1e-14.
double exponential_of(double x);

/// sin(2 pi turns) for |turns| < 1e15; absolute error below 1e-12.
double sine_of_turns(double turns);

}  // namespace lvs::clustersim
