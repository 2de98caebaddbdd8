//===- Explain.cpp - Explaining the time of an op -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/Explain.h"
#include "Explainer.h"
#include "NearestNames.h"
#include "mlir-prof/Attribution/Instances.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/RollUp.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

MeasuredOp Explainer::describe(uint32_t key) {
  MeasuredOp op;
  op.key = key;
  op.name = getKeyLabel(input.profile.opKeys[key]);
  op.kernel = names.getKernel(key).str();
  op.count = merged[key].getCount();
  op.timePs = merged[key].getTimePs();
  if (!input.ownership)
    return op;
  op.match = &input.ownership->matches[key];
  if (!hasOwners(*op.match))
    return op;
  std::vector<uint64_t> weights = getWeights(*op.match);
  std::vector<int64_t> parts = splitExactly(op.timePs, weights);
  for (size_t i = 0; i < parts.size(); ++i)
    op.owners.push_back({op.match->ops[i], weights[i], parts[i]});
  return op;
}

void Explainer::findTracks(std::vector<MeasuredOp> &measured) const {
  // One pass over the events for all ops. Several op keys may share an event
  // name, because names repeat across modules.
  llvm::StringMap<std::vector<uint32_t>> byName;
  for (uint32_t i = 0; i < measured.size(); ++i) {
    const OpKey &key = input.profile.opKeys[measured[i].key];
    byName[getEventName(key)].push_back(i);
  }
  llvm::ArrayRef<std::string> strings = input.profile.strings;
  for (const Run &run : input.profile.runs)
    for (const EventSummary &event : run.events) {
      if (event.name >= strings.size() || event.track >= run.tracks.size())
        continue;
      auto it = byName.find(strings[event.name]);
      if (it == byName.end())
        continue;
      const TrackInfo &track = run.tracks[event.track];
      for (uint32_t i : it->second)
        measured[i].tracks.push_back(
            {track.plane, track.line, track.name, event.total.count});
    }
}

/// The part of `op` in the time of `measured`.
static int64_t getPart(const MeasuredOp &measured, uint32_t op) {
  for (const OwnerShare &owner : measured.owners)
    if (owner.op == op)
      return owner.partPs;
  return 0;
}

/// Total time of all ops inside `op`: later ops whose chain of parents leads to
/// it. Parents come before their children.
static int64_t getTotalInside(const ReportInput &input, uint32_t op) {
  llvm::ArrayRef<MlirOp> ops = input.ownership->ops;
  std::vector<bool> inside(ops.size());
  inside[op] = true;
  int64_t sum = 0;
  for (uint32_t i = op + 1; i < ops.size(); ++i)
    if (ops[i].parent < i && inside[ops[i].parent]) {
      inside[i] = true;
      addSaturating(sum, input.attribution->ops[i].totalPs());
    }
  return sum;
}

void Explainer::findInstances(Explanation &explanation) const {
  ProfileInstances instances(input.profile);
  if (instances.empty())
    return;
  std::map<ProfileInstance, int64_t> parts;
  for (const MeasuredOp &measured : explanation.measured) {
    const OpKey &key = input.profile.opKeys[measured.key];
    uint32_t program = instances.findProgram(key);
    if (program == kNone)
      continue;
    int64_t partPs = getPart(measured, explanation.op);
    for (auto [instance, timePs] : instances.of(program).split(key, partPs))
      if (instance != kNone)
        addSaturating(parts[{program, instance}], timePs);
  }
  for (auto [which, timePs] : parts)
    explanation.instances.push_back({which.program, which.instance, timePs});
  llvm::stable_sort(explanation.instances,
                    [](const InstanceShare &a, const InstanceShare &b) {
                      return a.partPs > b.partPs;
                    });
}

void Explainer::explainMlirOp(Explanation &explanation) {
  uint32_t op = explanation.op;
  llvm::ArrayRef<Match> matches = input.ownership->matches;
  for (uint32_t key = 0; key < matches.size(); ++key)
    if (hasOwners(matches[key]) && !merged[key].measurements.empty() &&
        llvm::is_contained(matches[key].ops, op))
      explanation.measured.push_back(describe(key));
  llvm::sort(explanation.measured,
             [&](const MeasuredOp &a, const MeasuredOp &b) {
               int64_t partA = getPart(a, op), partB = getPart(b, op);
               return std::tie(partB, a.key) < std::tie(partA, b.key);
             });
  findTracks(explanation.measured);
  findInstances(explanation);
  explanation.insidePs = getTotalInside(input, op);
  if (explanation.measured.empty())
    explainAbsence(explanation);
}

/// Why the owners of `measured` exclude an op that has its name.
static std::string explainNarrowing(llvm::StringRef measured, int64_t timePs,
                                    const Ownership &ownership,
                                    const Match &match) {
  std::string owners;
  for (uint32_t op : llvm::ArrayRef(match.ops).take_front(5))
    owners += (owners.empty() ? "" : ", ") + formatNumber(ownership, op);
  if (match.ops.size() > 5)
    owners += " and more";
  std::string name = "Its name is that of " + measured.str() + " (" +
                     formatTime(timePs) + "), ";
  if (!hasOwners(match))
    return name + "but that was not assigned to an op" +
           (match.reason.empty() ? "." : ": " + match.reason + ".");
  return name + "but the tier '" + toString(match.tier).str() +
         "' assigned that to " + owners + ".";
}

void Explainer::explainAbsence(Explanation &explanation) const {
  const MlirOp &op = input.ownership->ops[explanation.op];
  std::vector<std::string> &reasons = explanation.reasons;
  if (explanation.insidePs) {
    reasons.push_back("It contains other ops, which have its time.");
    return;
  }
  if (op.cost == 0)
    reasons.push_back("It does not do work by itself at run time.");
  if (op.path.empty()) {
    reasons.push_back(
        "Its location does not have a name that a measured op could carry.");
    return;
  }

  constexpr size_t kMost = 5;
  size_t carriers = 0;
  NearestNames nearest(op.path);
  llvm::ArrayRef<Match> matches = input.ownership->matches;
  for (uint32_t key = 0; key < matches.size(); ++key) {
    for (const std::string &name : matches[key].names)
      nearest.add(name);
    if (merged[key].measurements.empty() ||
        !llvm::is_contained(matches[key].names, op.path))
      continue;
    if (++carriers <= kMost)
      reasons.push_back(explainNarrowing(getKeyLabel(input.profile.opKeys[key]),
                                         merged[key].getTimePs(),
                                         *input.ownership, matches[key]));
  }
  if (carriers > kMost)
    reasons.push_back(llvm::utostr(carriers - kMost) +
                      " more measured ops have its name and other owners.");
  if (carriers)
    return;
  reasons.push_back("No measured op carries its name: the compiler removed it, "
                    "folded it, or gave its work another name.");
  explanation.nearest = nearest.take();
}

llvm::Expected<Explanation> report::explain(const ReportInput &input,
                                            llvm::StringRef query) {
  if (llvm::Error error = checkInput(input))
    return error;
  return Explainer(input).explain(query);
}

llvm::Error report::explainOp(const ReportInput &input, llvm::StringRef query,
                              ExplainFormat format, llvm::raw_ostream &os) {
  llvm::Expected<Explanation> explanation = explain(input, query);
  if (!explanation)
    return explanation.takeError();
  writeExplanation(input, *explanation, format, os);
  return llvm::Error::success();
}
