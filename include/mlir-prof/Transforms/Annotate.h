//===- Annotate.h - Writing times onto a module -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRANSFORMS_ANNOTATE_H
#define MLIR_PROF_TRANSFORMS_ANNOTATE_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Match/Matcher.h"
#include "mlir/IR/Operation.h"

namespace mlirprof::transforms {

/// Where an annotation is written.
enum class Carrier : uint8_t {
  /// `prof.data` on the ops.
  Attribute,
  /// The locations of the ops; does not change what is compiled.
  Location,
  /// As Attribute, and `profiler_data = {dur, ts}` beside it.
  CompatProfilerData,
};

struct AnnotateOptions {
  Carrier carrier = Carrier::Attribute;
  /// Write `profiler_data` whatever the carrier is.
  bool compatProfilerData = false;
};

/// Writes the times of `attribution` onto `root` and the ops in it, in place of
/// what was written before. Index = position of the op in pre-order, `root`
/// first; ops that no measured op was matched with get nothing. The dialect
/// prof must be loaded. Returns the number of ops that got times.
uint64_t annotate(mlir::Operation *root,
                  const attribution::Attribution &attribution,
                  const AnnotateOptions &options = {});

/// Takes everything that annotate() writes off `root` and the ops in it.
struct Stripped {
  uint64_t attributes = 0;
  uint64_t locations = 0;
};
Stripped stripAnnotations(mlir::Operation *root);

/// Matches `profile` with `root` and annotates it. Emits an error when no
/// measured time has an owner in `root`, unless `allowUnmatched`. Sets
/// `annotatedOps` when it is not null.
mlir::LogicalResult
annotateFromProfile(mlir::Operation *root, const profile::Profile &profile,
                    const AnnotateOptions &options = {},
                    const match::MatchOptions &matching = {},
                    bool allowUnmatched = false,
                    uint64_t *annotatedOps = nullptr);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_TRANSFORMS_ANNOTATE_H
