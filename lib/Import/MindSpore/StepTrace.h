//===- StepTrace.h - Points of steps ----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_MINDSPORE_STEPTRACE_H
#define MLIR_PROF_LIB_IMPORT_MINDSPORE_STEPTRACE_H

#include "Framework.h"
#include "Recording.h"
#include "Slices.h"

namespace mlirprof::importer::mindspore {

/// A point that a task of the recorder marked.
struct TracePoint {
  enum class Kind : uint8_t { First, Last, End, ReduceBegin, ReduceEnd };
  Kind kind = Kind::First;
  uint32_t tag = 0;
  TaskId task;
  uint64_t ticks = 0;
};

/// Reads training_trace (up to 1.3): records of 20 bytes.
std::vector<TracePoint>
readTrainingTrace(llvm::ArrayRef<llvm::StringRef> slices, Recording &recording);
/// Reads ts_track (from 1.5 on): records of 40 bytes, among others.
std::vector<TracePoint> readTsTrack(llvm::ArrayRef<llvm::StringRef> slices,
                                    Recording &recording);

/// The ops that the points stand for.
struct PointNames {
  /// By tag: JobRecord::names.
  std::map<uint32_t, uint32_t> byTag;
  /// By task of the recorder, for points of collectives.
  std::map<TaskId, uint32_t> byTask;
  uint32_t first = trace::kNone;
  uint32_t last = trace::kNone;
  uint32_t end = trace::kNone;
};

/// Reads the files of points: "tag op_name" in each line.
void readPoints(llvm::StringRef text, Recording &recording, PointNames &names);

/// Reads step_info (from 1.6 on), which says what the recorder's tasks mark:
/// the op that follows in `table`, or the one before.
void readStepInfo(llvm::ArrayRef<llvm::StringRef> slices,
                  const TaskTable &table, llvm::ArrayRef<TracePoint> points,
                  Recording &recording, PointNames &names);

/// Forms steps out of points, which the clock of `recording` has seen. Steps
/// that lack a point are losses; their numbers are not given to others.
/// `skipsFirst`: the first one fills the queue of data.
void addSteps(llvm::ArrayRef<TracePoint> points, const PointNames &names,
              bool skipsFirst, Recording &recording);

} // namespace mlirprof::importer::mindspore

#endif // MLIR_PROF_LIB_IMPORT_MINDSPORE_STEPTRACE_H
