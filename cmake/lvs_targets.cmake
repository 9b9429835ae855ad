# lvs_library(NAME SOURCES... [LINK ...]): a static library with the project's settings.
function(lvs_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC lvs_options ${arg_LINK} PRIVATE ${arg_PRIVATE_LINK})
  if(LVS_BUILD_FUZZERS) # the fuzzer wants to see which way through it an input takes
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# lvs_program(NAME SOURCES... [LINK ...]): an executable with the project's settings.
function(lvs_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE lvs_options ${arg_LINK})
  target_link_options(${name} PRIVATE -Wl,--as-needed) # no package for what another program needs
endfunction()

# What a test says itself needs no optimisation, which with a sanitizer takes half of its compilation.
function(lvs_quick_to_compile name)
  if(LVS_SANITIZE)
    target_compile_options(${name} PRIVATE -O0)
  endif()
endfunction()

# lvs_test(NAME SOURCES... [LINK ...] [LABEL l] [TIMEOUT s]): a Catch2 binary; each TEST_CASE becomes
# a CTest test.
function(lvs_test name)
  cmake_parse_arguments(arg "" "LABEL;TIMEOUT" "SOURCES;LINK" ${ARGN})
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)  # against hanging: sanitizers on a busy machine take their time
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE lvs_options lvs_test_support ${arg_LINK})
  lvs_quick_to_compile(${name})
  target_compile_definitions(${name} PRIVATE LVS_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                             LVS_BINARY_DIR="${PROJECT_BINARY_DIR}")
  catch_discover_tests(${name} TEST_PREFIX "${name}: " PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT})
endfunction()

# lvs_kernel_test(NAME SOURCES... [LINK ...]): as lvs_test, but every TEST_CASE runs as root in a
# throw-away IPVS kernel of its own (lab/run). Where that kernel cannot run the test fails; without the
# lab there is no such target.
function(lvs_kernel_test name)
  if(NOT LVS_BUILD_LAB)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE lvs_options lvs_test_support ${arg_LINK})
  lvs_quick_to_compile(${name})
  target_compile_definitions(${name} PRIVATE LVS_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                             LVS_BINARY_DIR="${PROJECT_BINARY_DIR}")
  if(TARGET guest-init)
    add_dependencies(${name} guest-init)
  endif()
  set_target_properties(${name} PROPERTIES
    CROSSCOMPILING_EMULATOR "${PROJECT_SOURCE_DIR}/lab/run-catch")
  catch_discover_tests(${name} TEST_PREFIX "${name}: " PROPERTIES LABELS kernel TIMEOUT 300)
endfunction()
