//===- KeptEvents.h - Choosing single events for a graph --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_KEPTEVENTS_H
#define MLIR_PROF_GRAPH_KEPTEVENTS_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace mlirprof::graph {

/// The kind of kept events that an event graph shows.
enum class EventKind : uint8_t {
  /// Events that measured an op.
  Ops,
  /// Python functions (isPythonFunction).
  Python,
  All,
};

struct EventOptions {
  /// Number of the step to show: the events that begin within it. If not set,
  /// all kept events.
  std::optional<int64_t> step;
  EventKind events = EventKind::Ops;
  /// Names the profile in errors.
  std::string where = "profile";
};

/// Whether an event of this name is a call of a Python function, by the naming
/// schemes of Python tracers: "$file.py:12 f" and "$module f" (XLA),
/// "file.py(12): f", "<built-in function f>" and "nn.Module: Linear_0"
/// (PyTorch), "f (file.py:12)" (VizTracer).
bool isPythonFunction(llvm::StringRef name);

/// Positions in Run::kept of the chosen events, in order; never empty. Fails if
/// there is no such step, if the run does not have kept events, or if none is
/// of the kind.
llvm::Expected<std::vector<uint32_t>>
selectEvents(const profile::Profile &profile, const profile::Run &run,
             const EventOptions &options);

/// The name of a track for people.
llvm::StringRef getTrackName(const profile::TrackInfo &track);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_KEPTEVENTS_H
