//===- ThreadTable.cpp - Activity of threads in recordings ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadTable.h"
#include "mlir-prof/Trace/Time.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Position of `name` in kThreadClasses, or kNone.
static uint32_t findClass(llvm::StringRef name) {
  for (uint32_t i = 0; i < std::size(kThreadClasses); ++i)
    if (kThreadClasses[i] == name)
      return i;
  return kNone;
}

std::vector<ThreadTimes> report::getThreads(const Profile &profile) {
  std::vector<ThreadTimes> threads;
  for (size_t i = 0; i < profile.runs.size(); ++i) {
    const Run &run = profile.runs[i];
    if (run.iterations.count == 0)
      continue;
    std::map<uint32_t, ThreadTimes> byTrack;
    for (const EventSummary &event : run.events) {
      if (event.track >= run.tracks.size() ||
          event.name >= profile.strings.size())
        continue;
      uint32_t kind = findClass(profile.strings[event.name]);
      if (kind == kNone)
        continue;
      ThreadTimes &thread = byTrack[event.track];
      thread.track = &run.tracks[event.track];
      thread.run = uint32_t(i);
      thread.number = event.track;
      addSaturating(thread.timesPs[kind], event.total.sum);
      addSaturating(thread.samples[kind], event.total.count);
    }
    for (auto &[track, thread] : byTrack)
      threads.push_back(thread);
  }
  return threads;
}
