//===- Runtime.cpp - The runtime of programs for targets ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "../Bitcode.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace mlirprof;

MLIRPROF_BITCODE(thumb);
MLIRPROF_BITCODE(riscv32);
MLIRPROF_BITCODE(riscv64);
MLIRPROF_BITCODE(aarch64);
MLIRPROF_BITCODE(x86_64);

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
