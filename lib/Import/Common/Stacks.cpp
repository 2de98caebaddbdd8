//===- Stacks.cpp - Samples of call stacks --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stacks.h"
#include "Table/Totals.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

int64_t importer::getPsPerUnit(llvm::StringRef unit) {
  return llvm::StringSwitch<int64_t>(unit)
      .Cases({"picoseconds", "picosecond", "ps"}, 1)
      .Cases({"nanoseconds", "nanosecond", "ns"}, 1000)
      .Cases({"microseconds", "microsecond", "us"}, 1000000)
      .Cases({"milliseconds", "millisecond", "ms"}, 1000000000)
      .Cases({"seconds", "second", "s"}, 1000000000000)
      .Default(0);
}

void StackValues::add(const StackValues &other) {
  records += other.records;
  samples = saturatingAdd(samples, other.samples);
  timePs = saturatingAdd(timePs, other.timePs);
  bytes = saturatingAdd(bytes, other.bytes);
  cycles = saturatingAdd(cycles, other.cycles);
}

/// Minimum budget, which valid files need regardless of their size.
static constexpr uint64_t kSmallestBudget = uint64_t(1) << 30;

Stacks::Stacks(ProfileBuilder &builder, const ImportInput &input)
    : builder(builder), budget(kSmallestBudget, input.bytes.size()),
      periodPs(input.samplePeriodPs), nodes(1) {}

llvm::Error Stacks::tooLarge(llvm::StringRef where) const {
  return inputError(where,
                    "needs more than " + llvm::Twine(budget.getLimit()) +
                        " bytes of memory, far more than its size",
                    "It has too many different stacks, or is damaged; leave "
                    "out frames, or record for a shorter time.");
}

uint32_t Stacks::find(llvm::ArrayRef<uint32_t> frames) {
  uint32_t stack = 0;
  for (uint32_t frame : llvm::reverse(frames)) {
    uint32_t &child = children[uint64_t(stack) << 32 | frame];
    if (child == kNone) {
      child = uint32_t(nodes.size());
      nodes.push_back({stack, frame, none()});
    }
    stack = child;
  }
  return stack;
}

bool Stacks::add(llvm::ArrayRef<uint32_t> frames, const StackValues &values) {
  if (values.samples < 0 || values.timePs < 0 || values.bytes < 0 ||
      values.cycles < 0) {
    ++negative;
    return true;
  }
  cutStacks += frames.size() > kMostFrames;
  size_t known = nodes.size();
  uint32_t stack = last = find(frames.take_front(kMostFrames));
  StackValues &sum = nodes[stack].values;
  // Nodes, their index and their names; the op of the profile, and the names in
  // its key.
  constexpr uint64_t kOfName = 2 * sizeof(std::string) + 32;
  constexpr uint64_t kOfOp =
      sizeof(OpKey) + sizeof(OpSummary) + 2 * sizeof(Measurement);
  uint64_t newBytes = (nodes.size() - known) * (3 * sizeof(Node) + kOfName);
  if (!sum.records)
    newBytes +=
        kOfOp + std::min(frames.size(), kMostFrames) * sizeof(std::string);
  sum.add(values);
  return budget.charge(newBytes);
}

uint32_t Stacks::add(OpKey key, const StackValues &values) {
  uint32_t op = builder.addOpKey(std::move(key));
  known.try_emplace(op, none()).first->second.add(values);
  return op;
}

OpKey Stacks::makeKey(const Node &node) const {
  const std::vector<std::string> &strings = builder.getProfile().strings;
  OpKey key;
  key.op = node.frame == kNone ? "(no stack)" : strings[node.frame];
  std::vector<std::string> &scope = key.make<FrameworkCallKey>().scope;
  // kNone for the stack without frames, 0 for the outermost.
  for (uint32_t at = node.parent; at != kNone && at != 0; at = nodes[at].parent)
    scope.push_back(strings[nodes[at].frame]);
  std::reverse(scope.begin(), scope.end());
  return key;
}

void Stacks::finishOp(uint32_t op, const StackValues &values) {
  uint64_t count = hasSamples ? uint64_t(values.samples) : values.records;
  auto set = [&](Quantity quantity, int64_t sum) {
    builder.setMeasurement(
        op, quantity,
        table::makeEvenSummary(std::max<uint64_t>(count, 1), sum));
  };
  if (hasTime || getSamplePeriod()) {
    int64_t timePs =
        hasTime ? values.timePs : saturatingMul(values.samples, periodPs);
    set(Quantity::Execute, timePs);
    set(Quantity::Self, timePs);
  }
  if (hasBytes)
    set(Quantity::Bytes, values.bytes);
  if (hasCycles)
    set(Quantity::Cycles, values.cycles);
  if (hasSamples)
    set(Quantity::Samples, values.samples);
}

void Stacks::finish() {
  if (getSamplePeriod())
    builder.getRun().samplePeriodPs = periodPs;
  for (const auto &[op, values] : known)
    finishOp(op, values);
  for (const Node &node : nodes)
    if (node.values.records)
      finishOp(builder.addOpKey(makeKey(node)), node.values);
  if (negative)
    builder.loss("sample with a negative value: not taken", negative, 0);
  if (cutStacks)
    builder.loss("sample of more than 512 frames: the outer ones are not kept",
                 cutStacks, 0);
}
