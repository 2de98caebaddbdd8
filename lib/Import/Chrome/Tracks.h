//===- Tracks.h - Processes and threads of a trace --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_CHROME_TRACKS_H
#define MLIR_PROF_LIB_IMPORT_CHROME_TRACKS_H

#include "mlir-prof/Profile/EventSink.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlirprof::importer::chrome {

/// The timelines of a trace by process and thread, both numbers or strings.
/// They are numbered while events are read, and become the profile's tracks at
/// the end, with the names found anywhere in the file.
class Tracks {
public:
  /// The track of a thread; `kind` distinguishes several tracks of one thread
  /// ("" for the thread's own).
  uint32_t get(llvm::StringRef pid, llvm::StringRef tid,
               llvm::StringRef kind = "");

  void nameProcess(llvm::StringRef pid, std::string name);
  void nameThread(llvm::StringRef pid, llvm::StringRef tid, std::string name);
  /// Another track like `track`, for events that would overlap on it.
  uint32_t addLane(uint32_t track, uint32_t lane);

  /// Marks `track` as having events; other tracks are not declared.
  void use(uint32_t track) { tracks[track].isUsed = true; }
  /// Says that `track` is a stream of a device, by the producer's number.
  void setDevice(uint32_t track, int64_t number) {
    tracks[track].device = number;
  }

  /// The description of a device by the producer's number for it.
  using DescribeDevice = llvm::function_ref<profile::DeviceInfo(int64_t)>;
  /// Adds the devices of used tracks and these tracks to `sink`, and reports
  /// contradictory names.
  void declare(profile::EventSink &sink, DescribeDevice describeDevice);
  /// The declared tracks of `kind`, each with its thread's own track.
  std::vector<std::pair<uint32_t, uint32_t>> findBeside(llvm::StringRef kind);
  /// The sink's number of a track; adds the track if declare() has not.
  uint32_t getDeclared(uint32_t track, profile::EventSink &sink);

private:
  struct Entry {
    std::string pid;
    std::string tid;
    std::string kind;
    bool isUsed = false;
    uint32_t declared = trace::kNone;
    std::optional<int64_t> device = std::nullopt;
  };
  struct Name {
    std::string text;
    uint64_t contradictions = 0;
  };

  void setName(Name &name, std::string text);
  std::string getPlane(const std::string &pid) const;
  trace::Track describe(const Entry &entry);

  std::vector<Entry> tracks;
  llvm::StringMap<uint32_t> byKey;
  std::map<std::string, Name> processes;
  std::map<std::pair<std::string, std::string>, Name> threads;
  /// Number of processes per name.
  std::map<std::string, unsigned> processesNamed;
  /// The sink's number of each device.
  std::map<int64_t, uint32_t> devices;
  /// Number of tracks of a plane so far.
  std::map<std::string, uint32_t> lines;

  /// Arguments of the last call of get().
  std::string lastPid;
  std::string lastTid;
  std::string lastKind;
  uint32_t last = trace::kNone;
};

} // namespace mlirprof::importer::chrome

#endif // MLIR_PROF_LIB_IMPORT_CHROME_TRACKS_H
