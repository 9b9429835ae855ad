#include "monitord/policy_numbers.hpp"

namespace lvs::monitord {
namespace {

PolicyMap guards_map(loadcalc::ReliefParameters& relief) {
  return {"guards",
          "",
          false,
          {{"backlog_horizon", 1, 1000, &relief.backlog_horizon},
           {"backlog_tolerated", 0, 100, &relief.backlog_tolerated},
           {"backlog_floor", 0, 1, &relief.backlog_floor},
           {"saturation_cpu", 0.5, 1, &relief.saturation_cpu},
           {"memory_reserve", 0, 0.5, &relief.memory_reserve}}};
}

PolicyMap capacity_map(loadcalc::CapacityParameters& capacity) {
  auto& learning = capacity.learning;
  return {"capacity",
          "",
          false,
          {{"gamma_share", 0, 2, &capacity.gamma_share},
           {"gamma_correction", 0, 2, &capacity.gamma_correction},
           {"correction_min", 0.01, 1, &capacity.correction_min},
           {"correction_max", 1, 100, &capacity.correction_max},
           {"ratio_exponent_wlc", 0, 2, &capacity.ratio_exponent_wlc},
           {"ratio_exponent_sed", 0, 2, &capacity.ratio_exponent_sed},
           {"exponent_least", 0, 1, &capacity.exponent_least},
           {"exponent_gain", 0, 1, &capacity.exponent_gain},
           {"slope_low", -10, 10, &capacity.slope_low},
           {"slope_high", -10, 10, &capacity.slope_high},
           {"doubt", 0, 10, &capacity.doubt},
           {"advantage_max", 1, 1e6, &capacity.advantage_max},
           {"prior", 0, 1000, &capacity.prior},
           {"lambda", 0, 1, &learning.lambda},
           {"lambda_short", 0, 0.99, &learning.lambda_short},
           {"memory_brake", 0, 1, &learning.memory_brake},
           {"minimum_cpu", 0, 1, &learning.minimum_cpu},
           {"minimum_completions", 0, 1e6, &learning.minimum_completions},
           {"smoothing", 0.01, 1, &learning.smoothing}}};
}

PolicyMap headroom_map(loadcalc::HeadroomParameters& headroom) {
  return {"headroom", "", false, {{"scale", 0.01, 100, &headroom.scale}}};
}

PolicyMap feedback_map(loadcalc::FeedbackParameters& feedback) {
  return {"feedback",
          "",
          false,
          {{"step", 0.01, 1000, &feedback.step},
           {"scale", 1, 1000, &feedback.scale},
           {"set_point", 0.1, 2, &feedback.set_point},
           {"dead_band", 0, 1, &feedback.dead_band},
           {"idle", 0, 2, &feedback.idle}}};
}

PolicyMap feedback_right(loadcalc::FeedbackParameters& feedback) {
  return {"feedback",
          "just_right",
          false,
          {{"cpu", 0.05, 1, &feedback.cpu_right},
           {"memory", 0.05, 1, &feedback.memory_right},
           {"disk", 0.05, 1, &feedback.disk_right}}};
}

PolicyMap feedback_coefficients(loadcalc::FeedbackCoefficients& share) {
  return {"feedback",
          "coefficients",
          true,
          {{"input", 0, 1, &share.input},
           {"cpu", 0, 1, &share.cpu},
           {"memory", 0, 1, &share.memory},
           {"disk", 0, 1, &share.disk},
           {"processes", 0, 1, &share.processes},
           {"response", 0, 1, &share.response}}};
}

PolicyMap response_map(loadcalc::ResponseParameters& response) {
  return {"response", "", false, {{"load_share", 0, 1, &response.load_share}}};
}

PolicyMap response_coefficients(loadcalc::ResponseCoefficients& share) {
  return {"response",
          "coefficients",
          true,
          {{"cpu", 0, 1, &share.cpu},
           {"memory", 0, 1, &share.memory},
           {"network", 0, 1, &share.network},
           {"disk", 0, 1, &share.disk}}};
}

PolicyMap linear_map(loadcalc::LinearParameters& linear) {
  return {"linear", "", false, {{"cut_off", 0.5, 1, &linear.cut_off}}};
}

PolicyMap linear_coefficients(loadcalc::LinearCoefficients& share) {
  return {"linear",
          "coefficients",
          true,
          {{"cpu", 0, 1, &share.cpu},
           {"memory", 0, 1, &share.memory},
           {"network", 0, 1, &share.network},
           {"disk", 0, 1, &share.disk},
           {"load_average", 0, 1, &share.load_average},
           {"connections", 0, 1, &share.connections}}};
}

}  // namespace

std::vector<PolicyMap> policy_maps(Policy& policy) {
  return {guards_map(policy.relief),       capacity_map(policy.capacity),
          headroom_map(policy.headroom),   feedback_map(policy.feedback),
          feedback_right(policy.feedback), feedback_coefficients(policy.feedback.coefficients),
          response_map(policy.response),   response_coefficients(policy.response.coefficients),
          linear_map(policy.linear),       linear_coefficients(policy.linear.coefficients)};
}

}  // namespace lvs::monitord
