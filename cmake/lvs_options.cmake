# Compiler settings as INTERFACE targets, so that a target says what it wants and nothing is global.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(LVS_CCACHE ccache)
if(LVS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${LVS_CCACHE}")
endif()

add_library(lvs_warnings INTERFACE)
target_compile_options(lvs_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlaps in `"text" + std::string` that are not there (GCC bug 105651).
  target_compile_options(lvs_warnings INTERFACE -Wno-restrict)
endif()

# For what is linked statically, which g++ 12 cannot do with a sanitizer's run time.
add_library(lvs_unsanitized INTERFACE)
target_include_directories(lvs_unsanitized INTERFACE "${PROJECT_SOURCE_DIR}/lib" "${PROJECT_SOURCE_DIR}")
target_link_libraries(lvs_unsanitized INTERFACE lvs_warnings)

add_library(lvs_options INTERFACE)
target_link_libraries(lvs_options INTERFACE lvs_unsanitized)

set(LVS_SANITIZE "" CACHE STRING "Sanitizers for everything, e.g. address,undefined")
if(LVS_SANITIZE)
  target_compile_options(lvs_options INTERFACE
    -fsanitize=${LVS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(lvs_options INTERFACE -fsanitize=${LVS_SANITIZE})
endif()
