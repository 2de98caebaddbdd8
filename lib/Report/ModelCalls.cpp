//===- ModelCalls.cpp - Calls of a model, down to its ops -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/ModelCalls.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

namespace {

class PartMaker {
public:
  PartMaker(const Profile &profile, uint32_t program)
      : profile(profile), program(program), keys(profile),
        match(matchProgramRows(
            profile, profile.programs[program].levels.empty()
                         ? llvm::StringRef()
                         : profile.programs[program].levels.front())) {}
  ModelParts make();

private:
  void add(const OpSummary &op, const MeasuredNode &measured);
  void addTime(uint32_t node, const OpSummary &op, const MeasuredNode &measured,
               int64_t timePs);
  uint32_t getOp(uint32_t node, const OpKey &key);
  uint32_t getPart(uint32_t parent, std::string name);
  void addWhole();

  const Profile &profile;
  uint32_t program;
  ProgramIndex keys;
  ProgramMatch match;
  ModelParts made;
  /// By parent and name.
  std::map<std::pair<uint32_t, std::string>, uint32_t> numbers;
  std::map<uint32_t, uint32_t> partOfNode;
};

} // namespace

uint32_t PartMaker::getPart(uint32_t parent, std::string name) {
  auto [it, isNew] = numbers.try_emplace({parent, std::move(name)},
                                         uint32_t(made.parts.size()));
  if (isNew) {
    ModelPart part;
    part.parent = parent;
    part.name = it->first.second;
    made.parts.push_back(std::move(part));
  }
  return it->second;
}

/// The part of a node, or of code that does not belong to any.
uint32_t PartMaker::getOp(uint32_t node, const OpKey &key) {
  if (node == kNone)
    return getPart(kNone, key.op);
  auto [it, isNew] = partOfNode.try_emplace(node, uint32_t(made.parts.size()));
  if (!isNew)
    return it->second;
  const Program &of = profile.programs[program];
  const ProgramNode &info = of.nodes[node];
  // Ops alike in name and place remain apart.
  ModelPart part;
  part.name = getString(of, info.op).str();
  if (std::string place = getPlace(of, node); !place.empty())
    part.name += " (" + place + ")";
  part.file = getString(of, info.file).str();
  part.line = info.line;
  made.parts.push_back(std::move(part));
  return it->second;
}

void PartMaker::addTime(uint32_t node, const OpSummary &op,
                        const MeasuredNode &measured, int64_t timePs) {
  const OpKey &key = profile.opKeys[op.op];
  uint32_t part = getOp(node, key);
  if (node != kNone && key.is<CodeKey>() && measured.index != kNone) {
    const Program &of = profile.programs[program];
    llvm::StringRef text = getString(of, of.instructions[measured.index].text);
    part = getPart(part, (key.op + " " + text).str());
  }
  addSaturating(made.parts[part].timePs, timePs);
}

void PartMaker::add(const OpSummary &op, const MeasuredNode &measured) {
  int64_t timePs = op.getTimePs();
  const Match &of = match.ownership.matches[op.op];
  if (of.matchClass == MatchClass::Unmatched || of.ops.empty())
    return addTime(kNone, op, measured, timePs);
  std::vector<uint64_t> weights = of.weights;
  weights.resize(of.ops.size());
  std::vector<int64_t> times = splitExactly(timePs, weights);
  for (auto [owner, time] : llvm::zip_equal(of.ops, times)) {
    const ProgramRow &row = match.rows[owner];
    if (time)
      addTime(row.program == program ? row.node : kNone, op, measured, time);
  }
}

/// The time of the runs in which the program was measured.
void PartMaker::addWhole() {
  int64_t sum = 0;
  for (const ModelPart &part : made.parts)
    addSaturating(sum, part.timePs);
  for (const Run &run : profile.runs)
    if (llvm::any_of(run.ops, [&](const OpSummary &op) {
          return keys.find(profile.opKeys[op.op]).program == program;
        }))
      addSaturating(made.wholePs, run.iterations.sum);
  made.wholePs = std::max(made.wholePs, sum);
}

ModelParts PartMaker::make() {
  for (const OpSummary &op : mergeRuns(profile)) {
    MeasuredNode measured = keys.find(profile.opKeys[op.op]);
    if (measured.program == program && op.getTimePs() > 0)
      add(op, measured);
  }
  addWhole();
  return std::move(made);
}

std::vector<int64_t> ModelParts::split(int64_t callsPs) const {
  std::vector<uint64_t> weights;
  __int128 sum = 0;
  for (const ModelPart &part : parts) {
    weights.push_back(uint64_t(std::max<int64_t>(part.timePs, 0)));
    sum += weights.back();
  }
  if (wholePs <= 0 || sum <= 0 || callsPs <= 0)
    return std::vector<int64_t>(parts.size());
  __int128 covered =
      sum >= wholePs ? __int128(callsPs) : __int128(callsPs) * sum / wholePs;
  return splitExactly(int64_t(covered), weights);
}

const ModelParts *ModelCalls::find(llvm::StringRef fingerprint) {
  auto it = models.find(fingerprint);
  if (it == models.end()) {
    uint32_t program = ProgramIndex(profile).findProgram(fingerprint);
    ModelParts parts;
    if (program != kNone)
      parts = PartMaker(profile, program).make();
    it = models.try_emplace(fingerprint.str(), std::move(parts)).first;
  }
  return it->second.parts.empty() ? nullptr : &it->second;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Gives a part the durations of calls, in proportion: each call is split in
/// the same way.
static void scaleDurations(const scope::TableRow &calls,
                           scope::TableRow &part) {
  if (calls.totalPs <= 0)
    return;
  for (int64_t scope::TableRow::*figure :
       {&scope::TableRow::minPs, &scope::TableRow::maxPs,
        &scope::TableRow::p50Ps, &scope::TableRow::p90Ps,
        &scope::TableRow::p99Ps, &scope::TableRow::p999Ps})
    part.*figure =
        int64_t(__int128(calls.*figure) * part.totalPs / calls.totalPs);
}

/// Adds the rows of the parts of the calls in row `calls`.
static void addParts(const ModelParts &model, uint32_t calls,
                     std::vector<scope::TableRow> &rows) {
  scope::TableRow whole = rows[calls];
  std::vector<int64_t> shares = model.split(whole.selfPs);
  std::vector<int64_t> costs =
      model.split(saturatingSub(whole.rawSelfPs, whole.selfPs));
  auto first = uint32_t(rows.size());
  for (auto [index, part] : llvm::enumerate(model.parts)) {
    scope::TableRow row;
    row.name = part.name;
    row.type = uint16_t(part.parent == kNone ? scope::ScopeType::Operator
                                             : scope::ScopeType::OperatorInner);
    row.recording = whole.recording;
    row.thread = whole.thread;
    row.parent = part.parent == kNone ? calls : first + part.parent;
    row.depth = rows[row.parent].depth + 1;
    row.calls = whole.calls;
    row.firstEndPs = whole.firstEndPs;
    row.totalPs = row.selfPs = shares[index];
    row.rawTotalPs = row.rawSelfPs = shares[index] + costs[index];
    if (part.parent != kNone) {
      addSaturating(rows[row.parent].totalPs, row.totalPs);
      addSaturating(rows[row.parent].rawTotalPs, row.rawTotalPs);
    }
    rows[calls].selfPs -= row.selfPs;
    rows[calls].rawSelfPs -= row.rawSelfPs;
    rows.push_back(std::move(row));
  }
  for (scope::TableRow &row : llvm::MutableArrayRef(rows).drop_front(first))
    scaleDurations(whole, row);
}

void report::addModelRows(const Profile &profile,
                          std::vector<scope::TableRow> &rows) {
  ModelCalls models(profile);
  size_t before = rows.size();
  for (uint32_t index = 0; index != before; ++index)
    if (!rows[index].model.empty() && rows[index].calls)
      if (const ModelParts *model = models.find(rows[index].model))
        addParts(*model, index, rows);
}
