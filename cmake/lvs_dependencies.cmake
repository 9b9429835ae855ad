# Everything from outside, found once. Debian 12 and 13 differ here and in tests/support/catch.hpp only.
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)  # Boost's own package, not CMake's module, which 3.30 gave up
endif()
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json)
find_package(OpenSSL REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tl-expected REQUIRED)
pkg_check_modules(LIBNL REQUIRED IMPORTED_TARGET libnl-3.0 libnl-genl-3.0)
pkg_check_modules(SYSTEMD REQUIRED IMPORTED_TARGET libsystemd)
# yaml-cpp 0.7 (Debian 12) has the plain name, 0.8 (Debian 13) the namespaced one.
if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()
