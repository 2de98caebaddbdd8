//===- SourceKey.h - Code that is known by its source lines -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was measured at an address of an object is known by the debug line that
// the address has, and by the lines of the calls that were inlined around it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_SOURCEKEY_H
#define MLIR_PROF_PROFILE_SOURCEKEY_H

#include "mlir-prof/Profile/OpKey.h"
#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace mlirprof::profile {

/// The key of code at `chain`, the innermost first, which is not empty.
/// `symbol`, not empty, is the machine code's function. It is an
/// OpKeyKind::FrameworkCall: op ("model.mlir:12:5"), kernel (the symbol),
/// frames (outermost first).
OpKey makeSourceKey(llvm::ArrayRef<SourcePosition> chain,
                    llvm::StringRef symbol);

/// The chain of a key that makeSourceKey() made, the innermost first; empty for
/// all other keys.
std::vector<SourcePosition> getSourceChain(const OpKey &key);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_SOURCEKEY_H
