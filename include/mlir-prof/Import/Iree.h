//===- Iree.h - Where IREE's dispatches stand in the model ------*- C++ -*-===//
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

/// How many dispatches were measured, how many of them have a place in the
/// dump, and how long the others took. Of those that have one, how many were
/// given one of several that run the same, in turn.
struct DispatchCounts {
  uint64_t measured = 0;
  uint64_t found = 0;
  uint64_t inTurn = 0;
  int64_t missingPs = 0;
};

/// Says of each dispatch of IREE in `profile` which ops it does the work of, by
/// the module of the compiler's stream phase in `path` (text, perhaps gzipped;
/// with locations). A command buffer is the `stream.cmd.execute` that
/// dispatches the same functions in the same order, between as many other
/// commands, and the k-th dispatch of the one is the k-th of the other: a
/// function alone says little, since alike ops share one. Of several executes
/// that agree it is the N-th, where this holds for all command buffers N (they
/// are made with the module that way); else they take turns, or, where the
/// numbers of both do not fit, the dispatch has no place. A dispatch in no
/// command buffer has one when its function is dispatched at one place alone.
///
/// Sets DispatchKey::origins to what locations name ("NAME" or
/// "FILE:LINE:COLUMN"), the place's own first, with the place's number among
/// those of its names, and place to the place, "EXECUTE/DISPATCH". Their kind
/// is Whole where the function was made of the place's own ops, and SameName
/// where it was made of others that are alike; then only the place's own name
/// is known.
///
/// Fails when no dispatch was measured, or none has a place.
llvm::Expected<DispatchCounts> addDispatchSites(profile::Profile &profile,
                                                llvm::StringRef path);

} // namespace mlirprof::importer

#endif // MLIR_PROF_IMPORT_IREE_H
