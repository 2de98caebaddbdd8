//===- ProbePlan.h - Placement of probes ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_PROBEPLAN_H
#define MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_PROBEPLAN_H

#include "LoopNests.h"
#include "mlir-prof/Profile/Program.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>
#include <vector>

namespace mlirprof::transforms {

/// The ops that get probes.
struct ProbeScope {
  enum class Kind {
    /// Outermost ops that do work: loops, structured ops, copies, calls.
    Operations,
    /// Loops that have a sibling; innermost ones only if they are outermost.
    Siblings,
    /// Loops of at most, or at least, this depth or height.
    Depth,
    Height,
    AllLoops,
  };
  Kind kind = Kind::Operations;
  unsigned level = 0;
};

/// "op", "siblings", "depth:N", "height:N" or "all"; nullopt for anything else.
std::optional<ProbeScope> parseProbeScope(llvm::StringRef text);

/// A probe to create.
struct PlannedProbe {
  enum class Place {
    /// Before and after the op.
    Around,
    /// At the begin and the end of the op's body.
    Inside,
  };
  mlir::Operation *op = nullptr;
  Place place = Place::Around;
  profile::ProbeKind kind = profile::ProbeKind::Operation;
  LoopFacts facts;
  /// Index in the plan of the probe around it, or kNone.
  uint32_t parent = trace::kNone;
};

/// The probes of `function`, in pre-order.
std::vector<PlannedProbe> planProbes(mlir::FunctionOpInterface function,
                                     ProbeScope scope, bool withFunction);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_PROBEPLAN_H
