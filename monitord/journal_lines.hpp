#pragma once

// What the files behind journal_text.hpp share: single members of a line, and each kind's lines.

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "monitord/remembered.hpp"

namespace lvs::monitord::journal {

boost::json::object object_from_id(const DestinationId& id);
std::string line(const boost::json::object& object);

std::optional<std::string_view> text_of(const boost::json::object& object, std::string_view key);
std::optional<std::uint32_t> weight_of(const boost::json::object& object, std::string_view key);
/// Finite.
std::optional<double> number_of(const boost::json::object& object, std::string_view key);
bool flag_of(const boost::json::object& object, std::string_view key);
std::optional<ipvs::ServiceKey> service_of(const boost::json::object& object);
std::optional<DestinationId> id_of(const boost::json::object& object);

std::string lines_between(const Learned& recorded, const Learned& now);
std::string lines_between(const Orders& recorded, const Orders& now);

/// False: not to be used. A lesson is no more than that: nothing else suffers from it.
bool take_server(Learned& learned, const boost::json::object& object);
bool take_exponent(Learned& learned, const boost::json::object& object);
/// False: no line of that kind.
bool take_order(Orders& orders, const boost::json::object& object);

}  // namespace lvs::monitord::journal
