//===- Iree.h - Places of IREE's dispatches in the model --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_IMPORT_IREE_H
#define MLIR_PROF_IMPORT_IREE_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/Support/Error.h"

namespace mlirprof::importer {

/// Number of measured dispatches, of those with a place in the dump, and the
/// time of the others; and, among those with a place, the number of those that
/// were assigned to several equal executes in rotation.
struct DispatchCounts {
  uint64_t measured = 0;
  uint64_t found = 0;
  uint64_t inTurn = 0;
  int64_t missingPs = 0;
};

/// Adds to each dispatch of IREE in `profile` the ops whose work it does,
/// according to the module of the compiler's stream phase in `path` (text,
/// perhaps gzipped; with locations). A command buffer is the
/// `stream.cmd.execute` that dispatches the same functions in the same order,
/// between as many other commands, and the k-th dispatch of the one is the k-th
/// of the other: a function alone is weak evidence, since similar ops share
/// one. If several executes agree, command buffer N is the N-th of them,
/// provided that this holds for all command buffers (the compiler creates them
/// with the module that way); else they are assigned in rotation, or, if their
/// numbers do not fit, the dispatch does not get a place. A dispatch outside of
/// command buffers gets one if its function is dispatched at only one place.
///
/// Sets DispatchKey::origins to the names in locations ("NAME" or
/// "FILE:LINE:COLUMN"), the place's own first, with the place's number among
/// those with its names, and place to the place, "EXECUTE/DISPATCH". Their kind
/// is Whole if the function was made from the place's own ops, and SameName if
/// it was made from similar ones; then only the place's own name is known.
///
/// Fails if no dispatch was measured, or none has a place.
llvm::Expected<DispatchCounts> addDispatchSites(profile::Profile &profile,
                                                llvm::StringRef path);

} // namespace mlirprof::importer

#endif // MLIR_PROF_IMPORT_IREE_H
