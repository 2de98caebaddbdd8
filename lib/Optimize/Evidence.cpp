//===- Evidence.cpp - What a profile says of a model's ops ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/Evidence.h"
#include "mlir-prof/Match/Alignment.h"
#include "mlir-prof/Match/Matcher.h"
#include "mlir-prof/Profile/ProgramMatch.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Machine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlirprof;

static constexpr StringLiteral kInputLevel = "input";

static std::vector<Operation *> getOps(Operation *root) {
  std::vector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  return ops;
}

/// Adds the part of the time of each op. Returns the time of all ops of the
/// profile, in ps.
static double addShares(const Profile &profile, const Ownership &ownership,
                        Evidence &evidence) {
  Attribution attribution = attribute(profile, ownership);
  double total = double(attribution.coverage.opTimePs);
  if (total <= 0)
    return 0;
  for (auto [index, time] : llvm::enumerate(attribution.ops)) {
    double share = double(time.heatPs()) / total;
    evidence.shares[index] += share;
    evidence.coverage += share;
  }
  return total;
}

static ObservedValues readTable(const ValueTable &table) {
  ObservedValues values;
  values.kind = table.kind;
  values.names = table.names;
  values.entries = table.entries;
  values.total = table.other;
  for (const ValueCount &entry : table.entries)
    values.total += entry.count;
  llvm::stable_sort(values.entries,
                    [](const ValueCount &a, const ValueCount &b) {
                      return a.count > b.count;
                    });
  return values;
}

/// The nodes of the first level that `node` came from; for a function that it
/// did not come from one, the one of its name.
static std::vector<uint32_t> findInputNodes(const Program &program,
                                            const AncestorTable &ancestors,
                                            uint32_t node) {
  std::vector<uint32_t> nodes = ancestors.get(node).vec();
  if (!nodes.empty() || program.nodes[node].kind != NodeKind::Function)
    return nodes;
  for (auto [index, other] : llvm::enumerate(program.nodes))
    if (other.level == 0 && other.kind == NodeKind::Function &&
        other.name == program.nodes[node].name)
      return {uint32_t(index)};
  return nodes;
}

/// The ops of the model that an op of the input level of `program` is.
static ArrayRef<uint32_t> findTargets(const Program &program, uint32_t node,
                                      const Alignment *alignment,
                                      ArrayRef<Operation *> ops) {
  const ProgramNode &own = program.nodes[node];
  if (alignment)
    return own.position < alignment->ops.size()
               ? ArrayRef<uint32_t>(alignment->ops[own.position].ops)
               : ArrayRef<uint32_t>();
  // The model is the one that was compiled, or the profile does not hold that.
  bool isSame = own.position < ops.size() &&
                ops[own.position]->getName().getStringRef() ==
                    StringRef(program.strings[own.op]);
  return isSame ? ArrayRef(own.position) : ArrayRef<uint32_t>();
}

/// Adds the values of runs to the ops that they were seen at.
static void addValues(const Profile &profile, ArrayRef<Operation *> ops,
                      StoredAlignments &stored, Evidence &evidence) {
  for (const Program &program : profile.programs) {
    AncestorTable ancestors(program, 0);
    const Alignment *alignment = stored.find(kInputLevel, program.fingerprint);
    for (const Run &run : profile.runs)
      for (const ValueTable &table : run.values) {
        if (table.program != program.fingerprint ||
            table.node >= program.nodes.size())
          continue;
        for (uint32_t node : findInputNodes(program, ancestors, table.node))
          for (uint32_t target : findTargets(program, node, alignment, ops))
            evidence.values.push_back({target, readTable(table)});
      }
  }
}

/// Whether the model is another one than a program of the profile.
static bool hasChanged(const Profile &profile, StoredAlignments &stored) {
  return llvm::any_of(profile.programs, [&](const Program &program) {
    const Alignment *alignment = stored.find(kInputLevel, program.fingerprint);
    return alignment && !alignment->isIdentical;
  });
}

/// Whether times of the profile were measured on a processor like this one.
static bool isSameMachine(const Profile &profile) {
  MachineInfo here = getMachineInfo();
  return llvm::all_of(profile.runs, [&](const Run &run) {
    return run.machine.cpu.empty() || run.machine.cpu == here.cpu;
  });
}

static double getModelSeconds(const Profile &profile) {
  double sum = 0, count = 0;
  for (const Run &run : profile.runs) {
    sum += double(run.iterations.sum) * 1e-12;
    count += double(run.iterations.count);
  }
  return count > 0 ? sum / count : 0;
}

llvm::Expected<Evidence> mlirprof::readEvidence(const Profile &profile,
                                                StringRef profileName,
                                                ModuleOp input) {
  std::vector<Operation *> ops = getOps(input);
  Evidence evidence;
  evidence.shares.resize(ops.size(), 0);
  MatchOptions options;
  options.level = kInputLevel.str();
  StoredAlignments stored(profile, input, /*shown=*/"");
  bool hasTime =
      addShares(profile, match(profile, input, options, stored), evidence) > 0;
  addValues(profile, ops, stored, evidence);
  if (hasChanged(profile, stored)) {
    evidence.basis = EvidenceBasis::Alignment;
    if (hasTime)
      evidence.notes.push_back(
          llvm::formatv("{0} is of another build of the model: {1:P1} of its "
                        "time was found again",
                        profileName, evidence.coverage)
              .str());
  }
  if (!hasTime && evidence.values.empty())
    return inputError(profileName, "holds no time of any op",
                      "The run ended before the first sample: record for "
                      "longer (--seconds).");
  if (evidence.coverage == 0 && evidence.values.empty())
    return inputError(
        profileName,
        "says nothing of this model: no op that it measured is in it",
        "Record the model with 'mlir-prof record', or leave --profile out: "
        "optimize then records by itself.");
  if (!hasTime) {
    evidence.notes.push_back(
        (profileName + " holds no time of any op, as its run ended before the "
                       "first sample: its shapes and values are used")
            .str());
    // Zeros would say that all ops are cold.
    evidence.shares.clear();
  }
  evidence.modelSeconds = getModelSeconds(profile);
  if (!isSameMachine(profile)) {
    evidence.notes.push_back(
        (profileName + " was recorded on another machine (" +
         profile.runs.front().machine.cpu +
         "): its times are not used, its shapes and values are")
            .str());
    evidence.shares.clear();
    evidence.modelSeconds = 0;
  }
  return std::move(evidence);
}
