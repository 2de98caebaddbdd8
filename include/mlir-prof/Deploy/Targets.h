//===- Targets.h - Machines to deploy to ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DEPLOY_TARGETS_H
#define MLIR_PROF_DEPLOY_TARGETS_H

#include "mlir-prof/Codegen/Target.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace mlirprof::deploy {

/// A machine by name. To add one, add a row in lib/Deploy/Targets.cpp.
struct NamedTarget {
  llvm::StringRef name;
  llvm::StringRef description;
  /// As LLVM names them.
  llvm::StringRef triple, cpu, features, abi;
  unsigned vectorBits = 0;
  unsigned vectorRegisters = 0;
  /// Fast memory close to the processor.
  uint64_t l1Bytes = 0, l2Bytes = 0;
};
llvm::ArrayRef<NamedTarget> getTargets();

/// Changes of a named target by a user; empty for the target's own.
struct TargetChanges {
  llvm::StringRef cpu, features, abi;
};

/// The target `name`, which is a named one or a triple of LLVM, without a heap
/// and without checks. Its features are all that its processor has. A usage
/// error if LLVM does not know the target, the processor, a feature or the ABI,
/// or if these do not fit together.
llvm::Expected<codegen::TargetModel> getTarget(llvm::StringRef name,
                                               const TargetChanges &changes);

/// A processor for which a package has code of its own.
struct Variant {
  /// As the user names it.
  std::string name;
  codegen::TargetModel target;
};

/// The variant `name` of a target, whose changes do not name a processor: a
/// processor by LLVM's name ("znver4"), a level of x86-64 ("v3" for
/// "x86-64-v3"), or features that the target gets ("dotprod", "sve2+i8mm").
/// None if LLVM does not know such a processor or feature of the target, or if
/// programs for the target cannot ask for its processor. A usage error as of
/// getTarget.
llvm::Expected<std::optional<Variant>> getVariant(llvm::StringRef target,
                                                  llvm::StringRef name,
                                                  const TargetChanges &changes);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_DEPLOY_TARGETS_H
