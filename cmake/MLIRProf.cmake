# How the parts of mlir-prof are built. Every library, tool and unit test is one
# call of a function from here.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Settings that all targets share, also those that fuzz/ and bench/ add.
add_library(mlirprof_settings INTERFACE)
target_compile_features(mlirprof_settings INTERFACE cxx_std_17)
target_include_directories(mlirprof_settings INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/runtime/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# LLVM's and MLIR's headers warn under flags that ours are clean under.
target_include_directories(mlirprof_settings SYSTEM INTERFACE
  $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}> $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}>)
target_compile_definitions(mlirprof_settings INTERFACE ${LLVM_DEFINITIONS_LIST})
separate_arguments(_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(mlirprof_settings INTERFACE ${_definitions})

add_library(mlirprof_warnings INTERFACE)
# std::stable_sort of libstdc++ calls what the same library calls deprecated, and
# each use of it would warn.
target_compile_options(mlirprof_warnings INTERFACE
  -Wall -Wextra -Wno-unused-parameter -U__DEPRECATED)
if(MLIRPROF_SANITIZE)
  add_compile_options(-fsanitize=${MLIRPROF_SANITIZE}
                      -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${MLIRPROF_SANITIZE})
  # libMLIR.so and libLLVM.so are not instrumented: a vptr check on their
  # classes fails to link.
  add_compile_options(-fno-sanitize=vptr)
endif()
if(MLIRPROF_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Unit tests run once: to optimize their own code takes longer than it saves.
set(MLIRPROF_TEST_OPTIONS $<$<CONFIG:Release>:-O0>)

# mlirprof_add_precompiled_headers(NAME
#   HEADERS <header>...     what is compiled once
#   LINK library...         whose headers they are
#   [OWN <header>...]       with MLIRPROF_PRECOMPILE_OWN, headers of this project
#   [DEPENDS target...]     what generates some of those
#   [TESTS])                for sources of unit tests, which may use exceptions
# Compiles headers for all targets that ask for them with REUSE_FROM.
function(mlirprof_add_precompiled_headers name)
  cmake_parse_arguments(ARG "TESTS" "" "HEADERS;LINK;OWN;DEPENDS" ${ARGN})
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/Empty.cpp)
  if(ARG_TESTS)
    # Code of an executable is of another kind than that of libraries.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIE ${MLIRPROF_TEST_OPTIONS})
  else()
    target_compile_options(${name} PRIVATE -fno-exceptions)
  endif()
  target_link_libraries(${name} PUBLIC mlirprof_settings ${ARG_LINK}
    PRIVATE mlirprof_warnings)
  # Without times of headers the same headers give the same bytes, which ccache
  # finds again.
  target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  if(MLIRPROF_PRECOMPILE_OWN)
    target_precompile_headers(${name} PRIVATE ${ARG_OWN})
    if(ARG_DEPENDS)
      add_dependencies(${name} ${ARG_DEPENDS})
    endif()
  endif()
endfunction()

# mlirprof_add_library(NAME source...
#   [LINK library...]       other libraries, passed on to users
#   [PRIVATE library...]    libraries that only the sources need
#   [DEPENDS target...]     generated headers
#   [EXCEPTIONS source...]  sources that catch exceptions of other libraries
#   [MLIR]                  uses MLIR; otherwise only LLVM's shared library
#   [STANDALONE]            uses neither, and other builds may compile its sources
#   [SHARED])               is a shared library, of which a process has one copy
# Those with MLIR are component MLIR of the installed package, the others are
# component Core.
function(mlirprof_add_library name)
  cmake_parse_arguments(ARG "MLIR;SHARED;STANDALONE" "" "LINK;PRIVATE;DEPENDS;EXCEPTIONS"
    ${ARGN})
  if(ARG_SHARED)
    add_library(${name} SHARED ${ARG_UNPARSED_ARGUMENTS})
    set_target_properties(${name} PROPERTIES
      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
      INSTALL_RPATH "${LLVM_LIBRARY_DIR}"
      # The precompiled headers know no macro of this library's.
      DEFINE_SYMBOL "")
  else()
    add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  endif()
  set_source_files_properties(${ARG_UNPARSED_ARGUMENTS} PROPERTIES
    COMPILE_OPTIONS -fno-exceptions)
  # Headers were compiled without exceptions.
  set_source_files_properties(${ARG_EXCEPTIONS} PROPERTIES
    COMPILE_OPTIONS -fexceptions SKIP_PRECOMPILE_HEADERS ON)
  target_link_libraries(${name} PUBLIC mlirprof_settings ${ARG_LINK}
    PRIVATE $<BUILD_INTERFACE:mlirprof_warnings> ${ARG_PRIVATE})
  if(ARG_MLIR)
    target_link_libraries(${name} PUBLIC MLIR LLVM)
    target_precompile_headers(${name} REUSE_FROM mlirprof_mlir_headers)
  elseif(NOT ARG_STANDALONE)
    target_link_libraries(${name} PUBLIC LLVM)
    target_precompile_headers(${name} REUSE_FROM mlirprof_core_headers)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_MLIR)
    set_property(GLOBAL APPEND PROPERTY MLIRPROF_MLIR_LIBRARIES ${name})
  else()
    set_property(GLOBAL APPEND PROPERTY MLIRPROF_CORE_LIBRARIES ${name})
  endif()
endfunction()

# mlirprof_add_tool(NAME source...
#   [HEADERS <header>...]   what its sources have in common, compiled once
#   [LINK library...] [DEPENDS target...])
function(mlirprof_add_tool name)
  cmake_parse_arguments(ARG "" "" "HEADERS;LINK;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE -fno-exceptions)
  if(ARG_HEADERS)
    target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
    # As for the others, for ccache.
    target_compile_options(${name} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>)
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINK} mlirprof_warnings)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${LLVM_LIBRARY_DIR}")
  set_property(GLOBAL APPEND PROPERTY MLIRPROF_TOOLS ${name})
endfunction()

# mlirprof_add_unittest(NAME source...
#   [LINK library...]
#   [MLIR]    its sources include MLIR
#   [PLAIN])  its sources do without precompiled headers
function(mlirprof_add_unittest name)
  cmake_parse_arguments(ARG "MLIR;PLAIN" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_MLIR)
    target_precompile_headers(${name} REUSE_FROM mlirprof_mlir_test_headers)
  elseif(NOT ARG_PLAIN)
    target_precompile_headers(${name} REUSE_FROM mlirprof_test_headers)
  endif()
  target_compile_options(${name} PRIVATE ${MLIRPROF_TEST_OPTIONS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} mlirprof_warnings
    GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE
    MLIRPROF_TEST_DIR="${PROJECT_SOURCE_DIR}/test")
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unittests)
  set_property(GLOBAL APPEND PROPERTY MLIRPROF_UNITTESTS ${name})
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# Ends an installation before it writes anything when one of the targets is not
# built.
function(mlirprof_check_built)
  set(files "")
  foreach(target ${ARGN})
    string(APPEND files " \"$<TARGET_FILE:${target}>\"")
  endforeach()
  install(CODE "
    foreach(file${files})
      if(NOT EXISTS \"\${file}\")
        message(FATAL_ERROR \"\${file} is not built. Build everything that is \"
          \"installed first: cmake --build ${PROJECT_BINARY_DIR} \"
          \"--target mlirprof-package\")
      endif()
    endforeach()"
    ALL_COMPONENTS)
endfunction()

# Installs tools, the plugin, libraries, headers and the package MLIRProf. The
# target mlirprof-package builds all of it. Nothing else may install(): what is
# missing has to be known before the first file is written.
function(mlirprof_install_package)
  get_property(tools GLOBAL PROPERTY MLIRPROF_TOOLS)
  get_property(core GLOBAL PROPERTY MLIRPROF_CORE_LIBRARIES)
  get_property(mlir GLOBAL PROPERTY MLIRPROF_MLIR_LIBRARIES)
  set(runtime prof_rt prof_rt_shared prof_rt_bare)
  if(TARGET prof_malloc)
    list(APPEND runtime prof_malloc)
  endif()
  set(targets ${tools} MLIRProfPlugin prof_emulator ${core} ${mlir} ${runtime})
  add_custom_target(mlirprof-package DEPENDS ${targets})
  mlirprof_check_built(${targets})

  install(TARGETS ${tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS MLIRProfPlugin prof_emulator LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(TARGETS ${core} ${runtime} mlirprof_settings
    EXPORT MLIRProfCoreTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(TARGETS ${mlir}
    EXPORT MLIRProfMLIRTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  foreach(component Core MLIR)
    install(EXPORT MLIRProf${component}Targets NAMESPACE MLIRProf::
      DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MLIRProf)
  endforeach()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/mlir-prof
    ${PROJECT_SOURCE_DIR}/runtime/include/mlir-prof
    ${PROJECT_BINARY_DIR}/include/mlir-prof
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.td" PATTERN "*.inc"
    PATTERN CMakeFiles EXCLUDE)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/MLIRProfConfig.cmake.in
    ${PROJECT_BINARY_DIR}/MLIRProfConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MLIRProf
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
  write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/MLIRProfConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_SOURCE_DIR}/proto/profile.proto
    DESTINATION ${CMAKE_INSTALL_DATADIR}/mlir-prof)
  install(FILES ${PROJECT_BINARY_DIR}/MLIRProfConfig.cmake
    ${PROJECT_BINARY_DIR}/MLIRProfConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MLIRProf)
endfunction()
