#include "keyfile/file_mode.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <string_view>

namespace lvs::keyfile {
namespace {

std::string_view verb_of(unsigned others) {
  const bool may_read = (others & S_IROTH) != 0;
  const bool may_write = (others & S_IWOTH) != 0;
  if (may_read && may_write) return "read and write";
  if (may_write) return "write";
  return may_read ? "read" : "execute";
}

}  // namespace

std::string fault_of_mode(unsigned mode) {
  const unsigned permissions = mode & 07777U;
  if ((mode & S_IRWXO) != 0) {
    return fmt::format("everybody may {} the keys (mode {:04o})", verb_of(mode & S_IRWXO),
                       permissions);
  }
  if ((mode & S_IWGRP) != 0) {
    return fmt::format("the group may write the keys (mode {:04o})", permissions);
  }
  return {};
}

}  // namespace lvs::keyfile
