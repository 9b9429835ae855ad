#include "clustersim/workload.hpp"

#include <algorithm>

#include "clustersim/arrivals.hpp"
#include "clustersim/numbers.hpp"

namespace lvs::clustersim {

Workload::Workload(const Scenario& scenario)
    : first_(scenario.request),
      classes_(scenario.classes),
      mean_at_start_(mean_request_cost(scenario)) {
  if (scenario.second_service) {
    second_ = scenario.second_service->request;
    second_share_ = scenario.second_service->share;
  }
  for (auto const& part : classes_)
    class_shares_ += part.share;
  if (!(scenario.persistence_s > 0)) return;
  double sum = 0;
  for (unsigned rank = 1; rank <= std::max(1U, scenario.clients); ++rank) {
    sum += 1.0 / rank;
    client_shares_.push_back(sum);
  }
}

std::uint32_t Workload::service(Random& random) const {
  if (!(second_share_ > 0)) return 0;
  return random.uniform() <= second_share_ ? 1 : 0;
}

std::uint32_t Workload::client(Random& random) const {
  if (client_shares_.empty()) return static_cast<std::uint32_t>(random.next() % lone_clients);
  auto const wanted = random.uniform() * client_shares_.back();
  auto const found = std::ranges::lower_bound(client_shares_, wanted);
  return static_cast<std::uint32_t>(found - client_shares_.begin());
}

std::size_t Workload::clients() const {
  return client_shares_.empty() ? lone_clients : client_shares_.size();
}

double Workload::class_mean(Random& random) const {
  if (classes_.empty()) return first_.mean_s;
  auto left = random.uniform() * class_shares_;
  for (auto const& part : classes_) {
    left -= part.share;
    if (left <= 0) return part.mean_s;
  }
  return classes_.back().mean_s;
}

double Workload::cost(std::uint32_t service, Random& random) const {
  auto const& request = service == 0 ? first_ : second_;
  auto const mean = factor_ * (service == 0 ? class_mean(random) : request.mean_s);
  switch (request.distribution) {
    case Distribution::fixed:
      return mean;
    case Distribution::lognormal: {
      auto const sigma = request.sigma;
      return mean * exponential_of(sigma * random.normal() - sigma * sigma / 2);
    }
    case Distribution::exponential:
      break;
  }
  return random.exponential(mean);
}

}  // namespace lvs::clustersim
