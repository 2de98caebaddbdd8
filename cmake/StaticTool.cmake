# The tool as a program of its own: with MLIR and LLVM in it, it runs where neither is
# installed. It is linked from the same objects as the tool of the build.

# Machines to which models are deployed, and whose code is disassembled: samples may come
# from another machine.
set(MLIRPROF_TARGETS AArch64 ARM RISCV X86)

# mlirprof_get_archives(VARIABLE target...): the files of those that are archives.
# LLVM's lists name targets that its package does not have.
function(mlirprof_get_archives variable)
  set(archives "")
  foreach(target ${ARGN})
    set(type "")
    set(file "")
    if(TARGET ${target})
      get_target_property(type ${target} TYPE)
      get_target_property(is_imported ${target} IMPORTED)
      if(is_imported)
        get_target_property(file ${target} LOCATION)
      endif()
    endif()
    if(type STREQUAL STATIC_LIBRARY AND (NOT file OR EXISTS ${file}))
      list(APPEND archives $<TARGET_FILE:${target}>)
    endif()
  endforeach()
  set(${variable} ${archives} PARENT_SCOPE)
endfunction()

# Writes definitions of the functions of LLVM's targets that are left out, which
# everything that initializes all targets calls (lld, MLIR's passes for GPUs).
function(mlirprof_write_left_out file)
  set(left_out "")
  foreach(target ${LLVM_TARGETS_TO_BUILD})
    set(parts TargetInfo TargetMC Disassembler Target AsmPrinter AsmParser TargetMCA)
    if(target IN_LIST MLIRPROF_TARGETS OR target STREQUAL LLVM_NATIVE_ARCH)
      set(parts TargetMCA)
    endif()
    foreach(part ${parts})
      string(APPEND left_out "LEFT_OUT(${target}${part})\n")
    endforeach()
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/LeftOut.cpp.in ${file} @ONLY)
endfunction()

# mlirprof_add_static_tool(NAME TOOL OUTPUT): TOOL in the folder OUTPUT, stripped,
# without dynamic symbols of its own; it looks for libraries in OUTPUT/../lib. Beside it
# is TOOL.archives: how many members of which archive it has. Built on request only.
function(mlirprof_add_static_tool name tool output)
  get_property(own GLOBAL PROPERTY MLIRPROF_CORE_LIBRARIES)
  get_property(own_mlir GLOBAL PROPERTY MLIRPROF_MLIR_LIBRARIES)
  list(APPEND own ${own_mlir} prof_rt)
  mlirprof_get_archives(own_archives ${own})
  get_property(mlir GLOBAL PROPERTY MLIR_ALL_LIBS)
  list(FILTER mlir EXCLUDE REGEX "Test|CAPI")
  mlirprof_get_archives(archives ${mlir} lldELF lldCommon ${LLVM_AVAILABLE_LIBS})

  mlirprof_write_left_out(${CMAKE_CURRENT_BINARY_DIR}/LeftOut.cpp)
  add_executable(${name} EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/LeftOut.cpp
    $<TARGET_OBJECTS:${tool}> $<TARGET_OBJECTS:MLIRProfDialect>)
  add_dependencies(${name} ${own})
  target_compile_options(${name} PRIVATE -fno-exceptions)
  target_link_libraries(${name} PRIVATE mlirprof_settings ${own_archives} ${archives}
    simdjson::simdjson CppHttplib::CppHttplib -l:libsqlite3.a -l:libz.a -l:libzstd.a Threads::Threads
    ${CMAKE_DL_LIBS} m)
  set(symbols ${PROJECT_SOURCE_DIR}/cmake/NoSymbols.map)
  target_link_options(${name} PRIVATE -fuse-ld=lld -pie -Wl,--gc-sections -Wl,-O2
    -Wl,-z,pack-relative-relocs -Wl,--build-id -Wl,-s -Wl,--version-script=${symbols}
    -Wl,--print-archive-stats=${output}/${tool}.archives)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${tool}
    RUNTIME_OUTPUT_DIRECTORY ${output} LINK_DEPENDS ${symbols}
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../lib")
endfunction()

# The target mlirprof-wheel: what utils/build-wheel takes from a build.
function(mlirprof_add_wheel)
  mlirprof_add_static_tool(mlir-prof-static mlir-prof ${PROJECT_BINARY_DIR}/wheel/bin)
  set(runtime prof_rt prof_rt_shared prof_rt_bare)
  if(TARGET prof_malloc)
    list(APPEND runtime prof_malloc)
  endif()
  add_custom_target(mlirprof-wheel DEPENDS mlir-prof-static ${runtime})
endfunction()
