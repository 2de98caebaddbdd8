//===- TableNotes.cpp - Sentences about tables of scopes ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Table.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <set>

using namespace mlirprof;
using namespace mlirprof::scope;

static void addSample(const std::set<uint32_t> &samples, const char *then,
                      std::vector<std::string> &notes) {
  if (samples.empty())
    return;
  std::string of = std::to_string(*samples.begin());
  if (samples.size() > 1)
    of += " to " + std::to_string(*samples.rbegin());
  notes.push_back("events are a sample, 1 of " + of + then);
}

static std::vector<std::string> describe(const Recordings &recordings,
                                         bool takesStatistics) {
  uint64_t overwritten = 0;
  std::set<uint32_t> samples, samplesWithSums;
  for (const Recording *recording : recordings) {
    for (const Thread &thread : recording->threads)
      trace::addSaturating(overwritten, thread.overwritten);
    if (recording->hasEvents && recording->sampleEvery > 1)
      (takesStatistics && recording->hasStatistics ? samplesWithSums : samples)
          .insert(recording->sampleEvery);
  }
  std::vector<std::string> notes;
  if (overwritten)
    notes.push_back(std::to_string(overwritten) +
                    (overwritten == 1 ? " record was" : " records were") +
                    " overwritten in rings, two a scope at most");
  addSample(samples, " scopes of a name on a thread", notes);
  addSample(samplesWithSums, "; calls and times are those of statistics",
            notes);
  return notes;
}

std::vector<std::string> scope::describeMissing(const Recordings &recordings) {
  return describe(recordings, /*takesStatistics=*/false);
}

TableNotes scope::describeBestTable(const Recordings &recordings) {
  TableNotes notes;
  notes.missing = describe(recordings, /*takesStatistics=*/true);
  size_t count = std::count_if(recordings.begin(), recordings.end(),
                               [](const Recording *recording) {
                                 return hasBetterStatistics(*recording);
                               });
  if (count == 0)
    return notes;
  std::string of = count == recordings.size()
                       ? "of statistics"
                       : "as those of " + std::to_string(count) + " of " +
                             std::to_string(recordings.size()) +
                             " recordings are of statistics";
  notes.names = "rows are by name, " + of +
                ": paths need all events, and percentiles are within 6 %";
  return notes;
}
