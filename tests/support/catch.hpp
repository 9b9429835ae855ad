#pragma once

// Debian 12 has Catch2 2.13, Debian 13 has 3.7; this is the one place that knows.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
