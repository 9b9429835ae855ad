#include "monitord/json_text.hpp"

#include <boost/json/serialize.hpp>

#include "strictyaml/words.hpp"

namespace lvs::monitord {

std::string json_text(const boost::json::value& value) {
  return strictyaml::text_as_utf8(boost::json::serialize(value));
}

}  // namespace lvs::monitord
