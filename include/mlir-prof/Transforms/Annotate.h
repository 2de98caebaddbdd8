//===- Annotate.h - Annotating a module with times --------------*- C++ -*-===//
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

/// The place where an annotation is stored.
enum class Carrier : uint8_t {
  /// `prof.data` on the ops.
  Attribute,
  /// The locations of the ops; does not change the compiled code.
  Location,
  /// Like Attribute, plus `profiler_data = {dur, ts}`.
  CompatProfilerData,
};

struct AnnotateOptions {
  Carrier carrier = Carrier::Attribute;
  /// Also write `profiler_data`, whatever the carrier.
  bool compatProfilerData = false;
};

/// Annotates `root` and the ops in it with the times of `attribution`,
/// replacing earlier annotations. Indexed by the op's position in pre-order,
/// `root` first; ops without a matched measured op are not annotated. The
/// dialect prof must be loaded. Returns the number of ops that got times.
uint64_t annotate(mlir::Operation *root,
                  const attribution::Attribution &attribution,
                  const AnnotateOptions &options = {});

/// The result of removing everything that annotate() writes from `root` and the
/// ops in it.
struct Stripped {
  uint64_t attributes = 0;
  uint64_t locations = 0;
};
Stripped stripAnnotations(mlir::Operation *root);

/// Matches `profile` with `root` and annotates it. Emits an error if no
/// measured time has an owner in `root`, unless `allowUnmatched`. Sets
/// `annotatedOps` if it is not null.
mlir::LogicalResult
annotateFromProfile(mlir::Operation *root, const profile::Profile &profile,
                    const AnnotateOptions &options = {},
                    const match::MatchOptions &matching = {},
                    bool allowUnmatched = false,
                    uint64_t *annotatedOps = nullptr);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_TRANSFORMS_ANNOTATE_H
