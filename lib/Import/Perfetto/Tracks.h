//===- Tracks.h - Tracks and their descriptions -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFETTO_TRACKS_H
#define MLIR_PROF_LIB_IMPORT_PERFETTO_TRACKS_H

#include "mlir-prof/Trace/IntegerMap.h"
#include "llvm/ADT/StringRef.h"

#include <limits>
#include <map>
#include <string>
#include <vector>

namespace mlirprof::importer::perfetto {

/// Values of a counter: a profile cannot store each of them.
struct CounterValues {
  uint64_t count = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  double last = 0;

  void add(double value);
};

struct TrackDescription {
  uint64_t uuid = 0;
  bool isDescribed = false;
  bool hasParent = false;
  bool hasProcess = false;
  bool hasThread = false;
  bool isIncremental = false;
  uint64_t parent = 0;
  int64_t process = 0;
  int64_t thread = 0;
  std::string name, processName, threadName;
  std::string unit;
  double unitMultiplier = 1;
  CounterValues values;
};

/// The tracks of a trace. A description may follow the events.
class Tracks {
public:
  /// Index of a track, by its uuid in events.
  uint32_t getIndex(uint64_t uuid);
  /// Index of the track of a thread without a uuid.
  uint32_t getThread(int64_t process, int64_t thread);
  TrackDescription &operator[](uint32_t index) { return list[index]; }
  size_t size() const { return list.size(); }

  /// Read TrackDescriptor, ProcessDescriptor and ThreadDescriptor of the old
  /// form, which determines the track of its sequence and its reference time in
  /// us. Throw protozero's exceptions.
  void describe(llvm::StringRef message);
  void describeProcess(llvm::StringRef message);
  uint32_t describeThread(llvm::StringRef message, int64_t &referenceUs);

  /// The track in the form of a profile.
  trace::Track makeTrack(uint32_t index);

private:
  /// The nearest track from `index` upward that belongs to a thread or a
  /// process.
  const TrackDescription *findOwner(uint32_t index, bool isThread) const;
  std::string getPlane(uint32_t index) const;

  std::vector<TrackDescription> list;
  trace::IntegerMap byUuid;
  std::map<std::pair<int64_t, int64_t>, uint32_t> byThread;
  std::map<int64_t, std::string> processNames;
  std::map<std::string, uint32_t> linesOfPlane;
};

} // namespace mlirprof::importer::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_TRACKS_H
