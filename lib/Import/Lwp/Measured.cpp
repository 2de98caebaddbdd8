//===- Measured.cpp - A program of functions and loops --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Table/Totals.h"
#include "Lwp.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::lwp;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

std::string lwp::getName(const Measured &measured, uint32_t id) {
  if (measured.isFunction)
    return measured.function.empty() ? "function " + std::to_string(id)
                                     : measured.function;
  return "loop " + std::to_string(id);
}

namespace {

class ProgramMaker {
public:
  explicit ProgramMaker(const std::map<uint32_t, Measured> &measured)
      : measured(measured) {}

  Program make();

private:
  uint32_t addString(const std::string &text) {
    program.strings.push_back(text);
    return uint32_t(program.strings.size() - 1);
  }
  void addNode(uint32_t id, const Measured &info);

  const std::map<uint32_t, Measured> &measured;
  Program program;
};

} // namespace

void ProgramMaker::addNode(uint32_t id, const Measured &info) {
  ProgramProbe &probe = program.probes[id];
  probe.kind = info.isFunction ? ProbeKind::Function : ProbeKind::Loop;
  probe.node = uint32_t(program.nodes.size());
  // Ids are in pre-order if a program assigned them.
  bool isNested = info.parent < id && program.probes[info.parent].node != kNone;
  probe.parent = isNested ? info.parent : kNone;
  ProgramNode &node = program.nodes.emplace_back();
  node.kind = info.isFunction ? NodeKind::Function : NodeKind::Loop;
  node.op = info.isFunction ? 1 : 2;
  node.name = addString(info.isFunction ? info.function : "");
  if (!info.location.empty())
    node.location = addString(info.location);
  else if (info.end)
    node.location = addString("code 0x" + llvm::utohexstr(info.begin, true) +
                              " to 0x" + llvm::utohexstr(info.end, true));
  if (!isNested)
    return;
  const ProgramProbe &parent = program.probes[probe.parent];
  node.container = parent.node;
  if (parent.kind == ProbeKind::Loop)
    probe.depth = parent.depth + 1;
}

Program ProgramMaker::make() {
  program.levels = {"lwp"};
  program.strings = {"", "function", "loop"};
  program.probes.resize(measured.empty() ? 0 : measured.rbegin()->first + 1);
  for (const auto &[id, info] : measured)
    addNode(id, info);
  for (size_t id = program.probes.size(); id-- > 0;) {
    const ProgramProbe &probe = program.probes[id];
    if (probe.parent != kNone && probe.kind == ProbeKind::Loop) {
      uint32_t &height = program.probes[probe.parent].height;
      height = std::max(height, probe.height + 1);
    }
  }
  program.fingerprint = fingerprintProgram(program);
  return std::move(program);
}

static int64_t toPs(int64_t cycles) {
  int64_t ps;
  return __builtin_mul_overflow(cycles, int64_t(1000), &ps)
             ? std::numeric_limits<int64_t>::max()
             : ps;
}

std::vector<uint32_t>
lwp::addMeasured(const std::map<uint32_t, Measured> &measured,
                 ProfileBuilder &builder) {
  builder.loss("cycles of unknown length, treated as nanoseconds", 1, 0);
  Program program = ProgramMaker(measured).make();
  std::vector<uint32_t> ops(program.probes.size(), kNone);
  for (const auto &entry : measured) {
    uint32_t id = entry.first;
    const Measured &info = entry.second;
    ops[id] = builder.addOpKey(
        OpKey(getName(info, id), "", ProbeKey{program.fingerprint, id}));
    if (info.count == 0)
      continue;
    auto set = [&](Quantity quantity, int64_t value) {
      builder.setMeasurement(ops[id], quantity,
                             table::makeEvenSummary(info.count, value));
    };
    set(Quantity::Execute, toPs(info.cycles));
    set(Quantity::Self, toPs(info.self));
    set(Quantity::Cycles, info.cycles);
  }
  builder.getProfile().programs.push_back(std::move(program));
  return ops;
}
