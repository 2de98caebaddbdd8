//===- Runtime.cpp - The runtime of programs for targets ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace mlirprof;

/// The bitcode of an architecture, a file that the build made
/// (runtime/CMakeLists.txt).
#define MLIRPROF_BITCODE(NAME)                                                 \
  extern "C" const char prof_bitcode_##NAME[], prof_bitcode_##NAME##_end[];    \
  __asm__(".pushsection .rodata,\"a\",@progbits\n"                             \
          ".globl prof_bitcode_" #NAME "\n"                                    \
          ".hidden prof_bitcode_" #NAME "\n"                                   \
          ".balign 8\n"                                                        \
          "prof_bitcode_" #NAME ":\n"                                          \
          ".incbin \"" MLIRPROF_BITCODE_FOLDER "/" #NAME ".bc\"\n"             \
          ".globl prof_bitcode_" #NAME "_end\n"                                \
          ".hidden prof_bitcode_" #NAME "_end\n"                               \
          "prof_bitcode_" #NAME "_end:\n"                                      \
          ".popsection\n")

MLIRPROF_BITCODE(thumb);
MLIRPROF_BITCODE(riscv32);
MLIRPROF_BITCODE(riscv64);
MLIRPROF_BITCODE(aarch64);
MLIRPROF_BITCODE(x86_64);

#define MLIRPROF_BYTES(NAME)                                                   \
  StringRef(prof_bitcode_##NAME,                                               \
            size_t(prof_bitcode_##NAME##_end - prof_bitcode_##NAME))

/// Empty for an architecture without it.
static StringRef getBitcode(const Triple &triple) {
  switch (triple.getArch()) {
  case Triple::thumb:
    return MLIRPROF_BYTES(thumb);
  case Triple::riscv32:
    return MLIRPROF_BYTES(riscv32);
  case Triple::riscv64:
    return MLIRPROF_BYTES(riscv64);
  case Triple::aarch64:
    return MLIRPROF_BYTES(aarch64);
  case Triple::x86_64:
    return MLIRPROF_BYTES(x86_64);
  default:
    return "";
  }
}

Expected<std::string> deploy::makeRuntime(const codegen::TargetModel &target) {
  StringRef bitcode = getBitcode(Triple(target.triple));
  if (bitcode.empty())
    return usageError("the runtime of probes is not made for " + target.triple);
  compile::BackendOptions backend;
  backend.target = target;
  backend.hasSections = true;
  return compile::emitBitcode(bitcode, backend);
}
