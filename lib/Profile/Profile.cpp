//===- Profile.cpp - Measurements per measured op -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::profile;

void EventColumns::addLaunch(uint32_t event) {
  if (launch.empty() && event == trace::kNone)
    return;
  launch.resize(size() - 1, trace::kNone);
  launch.push_back(event);
}

void EventColumns::addCode(int64_t begin, int64_t end) {
  if (beginCode.empty() && begin == 0 && end == 0)
    return;
  beginCode.resize(size() - 1);
  beginCode.push_back(begin);
  endCode.resize(size() - 1);
  endCode.push_back(end);
}

const Summary *OpSummary::find(Quantity quantity) const {
  for (const Measurement &measurement : measurements)
    if (measurement.quantity == quantity)
      return &measurement.summary;
  return nullptr;
}

Summary &OpSummary::get(Quantity quantity) {
  for (Measurement &measurement : measurements)
    if (measurement.quantity == quantity)
      return measurement.summary;
  measurements.push_back({quantity, {}});
  return measurements.back().summary;
}

uint64_t OpSummary::getCount() const {
  for (Quantity quantity : {Quantity::Execute, Quantity::Self})
    if (const Summary *summary = find(quantity))
      return summary->count;
  return measurements.empty() ? 0 : measurements.front().summary.count;
}

int64_t OpSummary::getSum(Quantity quantity) const {
  const Summary *summary = find(quantity);
  return summary ? summary->sum : 0;
}

int64_t OpSummary::getTimePs() const {
  const Summary *execute = find(Quantity::Execute);
  const Summary *self = find(Quantity::Self);
  const Summary *bounded = find(Quantity::Bounded);
  // Sources without nesting do not measure self time: all of it is the op's.
  __int128 time = self ? self->sum : execute ? execute->sum : 0;
  if (execute && bounded)
    time += __int128(bounded->sum) - execute->sum;
  return int64_t(std::clamp<__int128>(time, std::numeric_limits<int64_t>::min(),
                                      std::numeric_limits<int64_t>::max()));
}

void OpSummary::merge(const OpSummary &other) {
  if (measurements.empty()) {
    uint32_t own = op;
    *this = other;
    op = own;
    return;
  }
  if (other.measurements.empty())
    return;
  // If only one has such a quantity, the other's executed time replaces it:
  // without nesting or asynchronous work both are equal.
  for (Quantity quantity : {Quantity::Self, Quantity::Bounded}) {
    const Summary *execute = find(Quantity::Execute);
    const Summary *otherExecute = other.find(Quantity::Execute);
    bool isHere = find(quantity), isThere = other.find(quantity);
    if (isHere && !isThere && otherExecute) {
      get(quantity).merge(*otherExecute);
    } else if (!isHere && isThere && execute) {
      Summary copy = *execute;
      get(quantity) = std::move(copy);
    }
  }
  firstBeginPs = std::min(firstBeginPs, other.firstBeginPs);
  for (const Measurement &measurement : other.measurements)
    get(measurement.quantity).merge(measurement.summary);
}

bool Profile::hasDeviceWork() const {
  return llvm::any_of(
      opKeys, [](const OpKey &key) { return key.work != DeviceWork::None; });
}

const IrModule *Profile::findIrModule(llvm::StringRef level) const {
  auto it = llvm::find_if(irModules,
                          [&](const IrModule &m) { return m.level == level; });
  return it == irModules.end() ? nullptr : &*it;
}

const IrModule *Profile::findIrModule(llvm::StringRef level,
                                      llvm::StringRef program) const {
  auto it = llvm::find_if(irModules, [&](const IrModule &m) {
    return m.level == level && m.program == program;
  });
  return it == irModules.end() ? nullptr : &*it;
}

const Program *Profile::findProgram(llvm::StringRef fingerprint) const {
  auto it = llvm::find_if(
      programs, [&](const Program &p) { return p.fingerprint == fingerprint; });
  return it == programs.end() ? nullptr : &*it;
}

std::vector<OpSummary> profile::mergeRuns(const Profile &profile) {
  std::vector<OpSummary> merged(profile.opKeys.size());
  for (uint32_t op = 0; op != merged.size(); ++op)
    merged[op].op = op;
  for (const Run &run : profile.runs)
    for (const OpSummary &summary : run.ops)
      if (summary.op < merged.size())
        merged[summary.op].merge(summary);
  return merged;
}
