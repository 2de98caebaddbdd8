//===- DynamicShapes.cpp - Many shapes ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "Rules.h"
#include "mlir-prof/Profile/ValueSums.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Each of fewer shapes can have a separate version.
static constexpr uint64_t kManyShapes = 4;

namespace {
/// The shapes at one place in the model.
struct Place {
  std::string name;
  std::map<std::string, uint64_t> counts;
  uint64_t other = 0;
  int64_t timePs = 0;
};
using Places = std::map<std::vector<std::string>, Place>;
} // namespace

static std::string format(llvm::ArrayRef<int64_t> tuple) {
  return llvm::join(
      llvm::map_range(tuple, [](int64_t value) { return llvm::itostr(value); }),
      "x");
}

/// Adds the observations of recordings by `mlir-prof record`.
static void addTables(const Profile &profile, Places &places) {
  for (const ValueTable &table : sumValues(profile)) {
    if (table.kind != ValueKind::Dimensions)
      continue;
    Place &place = places[{table.program, llvm::utostr(table.node)}];
    place.name = llvm::join(table.names, ", ");
    for (const ValueCount &entry : table.entries)
      place.counts[format(entry.tuple)] += entry.count;
    place.other += table.other;
  }
}

static std::string joinFrames(llvm::ArrayRef<SourcePosition> frames) {
  std::string text;
  for (const SourcePosition &frame : frames)
    text += printFrame(frame) + "/";
  return text;
}

/// Adds the shapes that frameworks record for their calls: a place has one op
/// key for each shape.
static void addCalls(const AdviseContext &context, Places &places) {
  for (const OpSummary &op : context.merged) {
    const OpKey &key = context.getKey(op);
    KeyTraits traits = getKeyTraits(key);
    if (!traits.hasShapes() || op.measurements.empty())
      continue;
    std::vector<std::string> name = {
        traits.module.value_or("").str(), key.op,
        traits.graphNode.str(),           getKeyScope(key),
        llvm::join(traits.callers, "/"),  joinFrames(traits.frames),
        llvm::utostr(traits.ordinal)};
    Place &place = places[name];
    place.name = getKeyLabel(key);
    place.counts[traits.shapes->print()] += op.getCount();
    place.timePs = saturatingAdd(place.timePs, op.getTimePs());
  }
}

static Advice describe(const AdviseContext &context, const Place &place) {
  uint64_t calls = place.other, most = 0;
  llvm::StringRef common;
  for (const auto &[shape, count] : place.counts) {
    calls += count;
    if (count > most) {
      most = count;
      common = shape;
    }
  }
  // The cost of other shapes is unknown.
  Advice advice = context.makeAdvice(std::nullopt);
  addText(advice, "place", place.name);
  addCount(advice, "shapes", place.counts.size() + (place.other ? 1 : 0));
  addCount(advice, "calls", calls);
  addText(advice, "most_common", common);
  addPpm(advice, "most_common_ppm", getPpm(int64_t(most), int64_t(calls)));
  if (place.timePs)
    advice.subjects.push_back({place.name, "", place.timePs});
  return advice;
}

static Findings find(const AdviseContext &context) {
  Places places;
  addTables(context.profile, places);
  addCalls(context, places);
  if (places.empty())
    return std::nullopt;
  std::vector<Advice> findings;
  std::vector<const Place *> many;
  for (const auto &[name, place] : places)
    if (place.counts.size() + (place.other ? 1 : 0) >= kManyShapes)
      many.push_back(&place);
  llvm::stable_sort(many, [](const Place *a, const Place *b) {
    return std::tie(a->timePs, a->other) > std::tie(b->timePs, b->other);
  });
  for (const Place *place : many)
    findings.push_back(describe(context, *place));
  return findings;
}

AdviceRule rule::DynamicShapes() {
  return {"many-dynamic-shapes",
          "one place of the model runs with many shapes",
          "shapes in the recording (mlir-prof record of a model with dynamic "
          "dimensions, record_shapes of PyTorch, ONNX Runtime)",
          "{place} ran with {shapes} shapes in {calls} calls; the most common, "
          "{most_common}, in {most_common_ppm} of them",
          "Pad to a few sizes, and have the optimizer make versions of the "
          "common ones.",
          "call_counts",
          "the number of calls with each shape",
          "mlir-prof optimize {MODEL} --profile={PROFILE} --technique=versions "
          "-o versions.mlir",
          find,
          {"versions"},
          "mlir-prof report {PROFILE} --by=measured-op --sort=-count --top=20"};
}
