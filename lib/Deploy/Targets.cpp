//===- Targets.cpp - Machines to deploy to --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Deploy/Targets.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlirprof;
using namespace mlirprof::deploy;

llvm::ArrayRef<NamedTarget> deploy::getTargets() {
  static const NamedTarget targets[] = {
#define MLIRPROF_TARGET(NAME, DESCRIPTION, TRIPLE, CPU, FEATURES, ABI,         \
                        VECTOR_BITS, VECTOR_REGISTERS, L1_BYTES, L2_BYTES)     \
  {NAME, DESCRIPTION, TRIPLE,           CPU,      FEATURES,                    \
   ABI,  VECTOR_BITS, VECTOR_REGISTERS, L1_BYTES, L2_BYTES},
#include "Targets.def"
  };
  return targets;
}

/// A machine of which nothing but the triple is known.
static NamedTarget getUnknownTarget(llvm::StringRef triple) {
  NamedTarget target;
  target.triple = triple;
  target.vectorBits = 64;
  target.vectorRegisters = 8;
  target.l1Bytes = 16 << 10;
  target.l2Bytes = 64 << 10;
  return target;
}

static llvm::Error explainName(llvm::StringRef name) {
  std::string names;
  for (const NamedTarget &target : getTargets())
    names += (names.empty() ? "" : ", ") + target.name.str();
  return usageError("'--target=" + name + "' is neither one of " + names +
                    " nor a triple such as thumbv7em-none-eabi");
}

llvm::Expected<codegen::TargetModel>
deploy::getTarget(llvm::StringRef name, const TargetChanges &changes) {
  const auto *found =
      llvm::find_if(getTargets(), [&](const NamedTarget &target) {
        return target.name == name;
      });
  bool isNamed = found != getTargets().end();
  llvm::Triple triple(isNamed ? found->triple : name);
  if (triple.getArch() == llvm::Triple::UnknownArch)
    return explainName(name);
  NamedTarget base = isNamed ? *found : getUnknownTarget(name);
  codegen::TargetModel target;
  target.triple = triple.str();
  target.cpu = changes.cpu.empty() ? base.cpu : changes.cpu;
  target.features = llvm::join(
      llvm::make_filter_range(
          llvm::ArrayRef<llvm::StringRef>{base.features, changes.features},
          [](llvm::StringRef text) { return !text.empty(); }),
      ",");
  target.abi = changes.abi.empty() ? base.abi : changes.abi;
  target.addressBits = triple.isArch32Bit() ? 32 : 64;
  target.hasHeap = false;
  target.isChecked = false;
  target.vectorBits = base.vectorBits;
  target.vectorRegisters = base.vectorRegisters;
  target.l1Bytes = base.l1Bytes;
  target.l2Bytes = base.l2Bytes;
  return target;
}
