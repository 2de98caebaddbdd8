//===- SampleSlices.cpp - Samples as intervals ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleSlices.h"
#include "OpText.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/StringExtras.h"

#include <tuple>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

SliceText SampleSlices::makeText(uint32_t op) const {
  SliceText text;
  const Match *match =
      input.ownership ? &input.ownership->matches[op] : nullptr;
  if (!match || match->ops.empty()) {
    text.name = getKeyLabel(input.profile.opKeys[op]);
    return text;
  }
  text.name = describeOwners(*input.ownership, match->ops);
  text.owners = llvm::join(
      llvm::map_range(match->ops, [](uint32_t o) { return llvm::utostr(o); }),
      ",");
  if (match->ops.size() == 1) {
    const MlirOp &owner = input.ownership->ops[match->ops.front()];
    text.op = owner.op;
    text.location = getPlace(owner).str();
  }
  return text;
}

uint32_t SampleSlices::getText(uint32_t op) {
  uint32_t &text = textOfOp[op];
  if (text != kNone)
    return text;
  bool isOwned = input.ownership && !input.ownership->matches[op].ops.empty();
  auto next = uint32_t(texts.size());
  text = isOwned
             ? textOfOwners.try_emplace(input.ownership->matches[op].ops, next)
                   .first->second
             : next;
  if (text == next)
    texts.push_back(makeText(op));
  return text;
}

void SampleSlices::addSample(const EventColumns &kept, size_t event) {
  int64_t periodPs = std::max<int64_t>(kept.durationPs[event], 0);
  int64_t beginPs = kept.beginPs[event];
  int64_t endPs = saturatingAdd(beginPs, periodPs);
  uint32_t text = getText(kept.op[event]);
  auto [last, isFirst] = lastOf.try_emplace(kept.track[event], slices.size());
  if (!isFirst) {
    Slice &before = slices[last->second];
    // Timers fire late: if the thread continued, the gap between two samples is
    // less than a period.
    bool isNext = saturatingSub(beginPs, before.endPs) < periodPs;
    if (isNext && before.name == text) {
      before.endPs = std::max(before.endPs, endPs);
      ++before.samples;
      return;
    }
    beginPs = std::max(beginPs, before.endPs);
    endPs = std::max(endPs, beginPs);
  }
  last->second = slices.size();
  slices.push_back({kept.track[event], text, beginPs, endPs, 1});
}

/// Puts the slices into columns, in order.
void SampleSlices::sort() {
  llvm::sort(slices, [](const Slice &a, const Slice &b) {
    return std::tie(a.beginPs, b.endPs, a.track, a.name) <
           std::tie(b.beginPs, a.endPs, b.track, b.name);
  });
  for (const Slice &slice : slices) {
    events.track.push_back(slice.track);
    events.name.push_back(slice.name);
    events.op.push_back(kNone);
    events.beginPs.push_back(slice.beginPs);
    events.durationPs.push_back(saturatingSub(slice.endPs, slice.beginPs));
    samples.push_back(slice.samples);
  }
}

SampleSlices::SampleSlices(const ExportInput &input, uint32_t run)
    : input(input), textOfOp(input.profile.opKeys.size(), kNone) {
  const EventColumns &kept = input.profile.runs[run].kept;
  for (size_t event = 0; event < kept.size(); ++event) {
    if (kept.op[event] != kNone)
      addSample(kept, event);
    else
      slices.push_back(
          {kept.track[event], kept.name[event], kept.beginPs[event],
           saturatingAdd(kept.beginPs[event],
                         std::max<int64_t>(kept.durationPs[event], 0)),
           0});
  }
  sort();
}
