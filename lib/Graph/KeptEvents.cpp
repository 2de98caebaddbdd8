//===- KeptEvents.cpp - Choosing single events for a graph ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/KeptEvents.h"
#include "mlir-prof/Profile/KeptSamples.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace mlirprof;
using namespace mlirprof::graph;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

/// Whether `text` ends with `before` and a number.
static bool endsWithNumber(StringRef text, StringRef before) {
  StringRef head = text.rtrim("0123456789");
  return head.size() < text.size() && head.ends_with(before);
}

bool graph::isPythonFunction(StringRef name) {
  if (name.consume_front("$"))
    return name.contains(' ');
  for (StringRef start : {"<built-in ", "<method ", "<slot wrapper ",
                          "<method-wrapper ", "nn.Module: "})
    if (name.starts_with(start))
      return true;
  if (name.consume_back(")"))
    return endsWithNumber(name, ".py:");
  size_t line = name.find("): ");
  return line != StringRef::npos && endsWithNumber(name.take_front(line), "(");
}

StringRef graph::getTrackName(const TrackInfo &track) {
  return track.displayName.empty() ? track.name : track.displayName;
}

static llvm::Expected<const Step *> findStep(const Run &run, int64_t number) {
  for (const Step &step : run.steps)
    if (step.number == number)
      return &step;
  if (run.steps.empty())
    return inputError(run.source, "the recording does not contain steps",
                      "Leave the step out to see all kept events.");
  return inputError(run.source, "there is no step " + llvm::Twine(number),
                    "The recording lists " +
                        formatCount(run.steps.size(), "step") + ", from " +
                        llvm::Twine(run.steps.front().number) + " to " +
                        llvm::Twine(run.steps.back().number) + ".");
}

/// Tells for each of the profile's strings whether it is the name of an event
/// of the kind.
static std::vector<bool> findNames(const Profile &profile, EventKind kind) {
  std::vector<bool> isNamed;
  if (kind == EventKind::Python)
    for (StringRef name : profile.strings)
      isNamed.push_back(isPythonFunction(name));
  return isNamed;
}

static llvm::Error noneChosen(const Run &run, const EventOptions &options) {
  StringRef hint = "Import the recording with --keep-events for this step.";
  if (options.events == EventKind::Ops)
    hint = "Ask for all events with --events=all, or import the recording with "
           "--keep-events for this step.";
  if (options.events == EventKind::Python)
    hint =
        "Record with the Python tracer on (PyTorch: with_stack=True), or ask "
        "for all events with --events=all.";
  return inputError(run.source,
                    "none of the kept events is of the requested kind", hint);
}

llvm::Expected<std::vector<uint32_t>>
graph::selectEvents(const Profile &profile, const Run &run,
                    const EventOptions &options) {
  if (run.kept.empty()) {
    std::string how = describeKeeping(run);
    return inputError(run.source,
                      "the profile does not contain kept events, which graphs "
                      "of events require",
                      how.empty() ? "Import the recording with --keep-events."
                                  : how);
  }
  int64_t from = std::numeric_limits<int64_t>::min();
  int64_t to = std::numeric_limits<int64_t>::max();
  if (options.step) {
    llvm::Expected<const Step *> step = findStep(run, *options.step);
    if (!step)
      return step.takeError();
    from = (*step)->beginPs;
    to = saturatingAdd(from, (*step)->durationPs);
  }
  std::vector<bool> isNamed = findNames(profile, options.events);
  auto isChosen = [&](uint32_t event) {
    uint32_t name = run.kept.name[event];
    switch (options.events) {
    case EventKind::Ops:
      return run.kept.op[event] != kNone;
    case EventKind::Python:
      return name < isNamed.size() && isNamed[name];
    case EventKind::All:
      break;
    }
    return true;
  };
  std::vector<uint32_t> events;
  for (uint32_t i = 0; i < run.kept.size(); ++i)
    if (run.kept.beginPs[i] >= from && run.kept.beginPs[i] < to && isChosen(i))
      events.push_back(i);
  if (events.empty())
    return noneChosen(run, options);
  return events;
}
