//===- CallInstances.cpp - Functions by their paths of calls --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallInstances.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Graph/CallPlaces.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Limit on the ops of further instances in a graph.
static constexpr size_t kMaxInstanceOps = size_t(1) << 16;

CallInstances::CallInstances(const ModuleIndex &index, CallDrawing drawing)
    : index(index), byFunction(index.getFunctions().size()),
      places(index.getFunctions().size(), 1),
      callsOf(index.getFunctions().size()) {
  for (const IndexedCall &call : index.getCalls())
    callsOf[call.callee].push_back(&call);
  if (drawing == CallDrawing::Once)
    addOnce();
  else
    addPaths();
}

uint32_t CallInstances::add(uint32_t function) {
  byFunction[function].push_back(uint32_t(instances.size()));
  instances.emplace_back().function = function;
  return uint32_t(instances.size() - 1);
}

void CallInstances::addOnce() {
  for (uint32_t function = 0; function < byFunction.size(); ++function)
    add(function);
  for (const IndexedCall &call : index.getCalls()) {
    instances[call.callee].calls.push_back({call.op, call.caller});
    byCall[{call.caller, call.op, call.callee}] = call.callee;
  }
}

/// Whether each path of calls gets an instance; takes their ops off `budget`.
bool CallInstances::canExpand(uint32_t function, size_t &budget) const {
  llvm::ArrayRef<IndexedFunction> functions = index.getFunctions();
  if (places[function] == 0 || function == 0)
    return function == 0;
  bool isOfPaths = llvm::all_of(callsOf[function], [&](const auto *call) {
    return places[call->caller] == 1;
  });
  uint32_t begin = functions[function].op, end = index[begin].end;
  bool holdsOthers = llvm::any_of(functions, [&](const IndexedFunction &other) {
    return other.op > begin && other.op < end;
  });
  size_t ops = size_t(places[function] - 1) * (end - begin);
  if (!isOfPaths || (holdsOthers && places[function] > 1) || ops > budget)
    return false;
  budget -= ops;
  return true;
}

void CallInstances::addPaths() {
  std::vector<std::pair<uint32_t, uint32_t>> calls;
  for (const IndexedCall &call : index.getCalls())
    calls.push_back({call.caller, call.callee});
  std::vector<uint32_t> order;
  places = graph::countCallPlaces(uint32_t(places.size()), calls, &order);
  size_t budget = kMaxInstanceOps;
  for (uint32_t function : order) {
    if (!canExpand(function, budget))
      continue;
    // From here on, each of its nodes is one place.
    places[function] = 1;
    if (callsOf[function].empty())
      add(function);
    for (const IndexedCall *call : callsOf[function])
      for (uint32_t caller : byFunction[call->caller]) {
        uint32_t instance = add(function);
        instances[instance].calls.push_back({call->op, caller});
        byCall[{caller, call->op, function}] = instance;
      }
  }
  for (uint32_t function = 0; function < byFunction.size(); ++function)
    if (byFunction[function].empty())
      add(function);
}

uint32_t CallInstances::find(uint32_t caller, uint32_t call,
                             uint32_t callee) const {
  auto it = byCall.find({caller, call, callee});
  return it == byCall.end() ? kNone : it->second;
}

uint32_t CallInstances::find(uint32_t function,
                             llvm::ArrayRef<uint32_t> calls) const {
  for (uint32_t first : byFunction[function]) {
    uint32_t at = first;
    bool isPath = llvm::all_of(calls, [&](uint32_t call) {
      if (instances[at].calls.size() != 1 ||
          instances[at].calls.front().first != call)
        return false;
      at = instances[at].calls.front().second;
      return true;
    });
    if (isPath && instances[at].calls.empty())
      return first;
  }
  return kNone;
}

namespace {

/// The calls through which code of a program was inlined.
class InlinedCode {
public:
  explicit InlinedCode(const Program &program);

  /// The calls through which the code of `key` was inlined, as positions of
  /// their ops, innermost first; none if they are not a single path.
  std::optional<std::vector<uint32_t>> getCalls(const OpKey &key) const;

private:
  std::vector<uint32_t> getPositions(uint32_t node, uint32_t instance) const;

  const Program &program;
  /// Loops that contain code of several paths: samples in them do not tell the
  /// path.
  std::vector<bool> isMixed;
};

} // namespace

InlinedCode::InlinedCode(const Program &program)
    : program(program), isMixed(program.loops.size()) {
  std::vector<std::optional<std::vector<uint32_t>>> first(isMixed.size());
  for (const Instruction &instruction : program.instructions) {
    if (instruction.loop >= first.size() || instruction.node == kNone)
      continue;
    std::vector<uint32_t> calls = getPositions(instruction.node, kNone);
    auto &known = first[instruction.loop];
    if (known && *known != calls)
      isMixed[instruction.loop] = true;
    known = std::move(calls);
  }
}

std::vector<uint32_t> InlinedCode::getPositions(uint32_t node,
                                                uint32_t instance) const {
  std::vector<uint32_t> calls = getInlinedCalls(program, node, instance);
  for (uint32_t &call : calls)
    call = program.nodes[call].position;
  return calls;
}

std::optional<std::vector<uint32_t>>
InlinedCode::getCalls(const OpKey &key) const {
  if (const auto *probe = key.getIf<ProbeKey>();
      probe && probe->probe < program.probes.size() &&
      program.probes[probe->probe].node < program.nodes.size())
    return getPositions(program.probes[probe->probe].node, probe->instance);
  const auto *code = key.getIf<CodeKey>();
  if (!code || code->instruction >= program.instructions.size())
    return std::nullopt;
  const Instruction &instruction = program.instructions[code->instruction];
  if (instruction.node == kNone ||
      (instruction.loop < isMixed.size() && isMixed[instruction.loop]))
    return std::nullopt;
  return getPositions(instruction.node, code->instance);
}

InstanceTimes match::getInstanceTimes(const Profile &profile,
                                      const Ownership &ownership,
                                      const ModuleIndex &index,
                                      const CallInstances &instances) {
  InstanceTimes times;
  llvm::StringMap<InlinedCode> programs;
  for (const Program &program : profile.programs)
    programs.try_emplace(program.fingerprint, program);
  for (const OpSummary &summary : mergeRuns(profile)) {
    if (summary.op >= ownership.matches.size())
      continue;
    const Match &match = ownership.matches[summary.op];
    const OpKey &key = profile.opKeys[summary.op];
    const std::string *fingerprint = findProgramOf(key);
    auto program = fingerprint ? programs.find(*fingerprint) : programs.end();
    if (match.matchClass != MatchClass::Unique || match.ops.size() != 1 ||
        match.ops.front() >= index.size() || program == programs.end())
      continue;
    std::optional<std::vector<uint32_t>> calls = program->second.getCalls(key);
    if (!calls || calls->empty())
      continue;
    uint32_t op = match.ops.front();
    uint32_t instance = instances.find(index[op].function, *calls);
    if (instance == kNone)
      continue;
    int64_t &sum = times[{op, instance}];
    sum = saturatingAdd(sum, summary.getTimePs());
  }
  return times;
}
