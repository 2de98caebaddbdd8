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

#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace mlirprof::profile {

/// A debug line. `line` counts from 1; `column` does, too, and is 0 where it
/// is not known.
struct SourcePosition {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  /// The function that it is in, or "".
  std::string function;
};

/// The key of code at `chain`, the innermost first, which is not empty.
/// `symbol`, not empty, is the machine code's function. It is an
/// OpKeyKind::FrameworkCall: op ("model.mlir:12:5"), kernel (the symbol),
/// frames
/// ("dir/model.mlir(12:5): main", outermost first).
trace::OpKey makeSourceKey(llvm::ArrayRef<SourcePosition> chain,
                           llvm::StringRef symbol);

/// The chain of a key that makeSourceKey() made, the innermost first; empty for
/// all other keys.
std::vector<SourcePosition> getSourceChain(const trace::OpKey &key);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_SOURCEKEY_H
