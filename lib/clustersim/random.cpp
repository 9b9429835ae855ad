#include "clustersim/random.hpp"

#include <cmath>

#include "clustersim/numbers.hpp"

namespace lvs::clustersim {
namespace {

constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15;

/// FNV-1a.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char const letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  }
  return hash;
}

}  // namespace

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

Random::Random(std::uint64_t seed, std::string_view stream)
    : state_(mixed(mixed(seed + golden_gamma) ^ hash_of(stream))) {}

Random Random::child(std::uint64_t index) const {
  return Random(mixed(state_ ^ mixed(index + golden_gamma)));
}

std::uint64_t Random::next() {
  state_ += golden_gamma;
  return mixed(state_);
}

double Random::uniform() {
  return static_cast<double>((next() >> 11) + 1) * 0x1p-53;
}

double Random::exponential(double mean) {
  return -mean * natural_log(uniform());
}

double Random::normal() {
  while (true) {
    double const x = 2 * uniform() - 1;
    double const y = 2 * uniform() - 1;
    double const square = x * x + y * y;
    if (square >= 1 || square == 0) continue;
    return x * std::sqrt(-2 * natural_log(square) / square);
  }
}

}  // namespace lvs::clustersim
