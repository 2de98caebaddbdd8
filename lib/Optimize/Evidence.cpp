//===- Evidence.cpp - What a profile says of a model's ops ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/Evidence.h"
#include "mlir-prof/Match/Matcher.h"
#include "mlir-prof/Match/ModuleReader.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Profile/ProgramMatch.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Machine.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlirprof;

static constexpr StringLiteral kInputLevel = "input";

static std::vector<Operation *> getOps(Operation *root) {
  std::vector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  return ops;
}

namespace {

/// Where the ops of the module that a profile knows stand in the model.
class PositionMap {
public:
  /// The two are the same.
  explicit PositionMap(size_t size) : targets(size) {
    for (size_t i = 0; i != size; ++i)
      targets[i] = {uint32_t(i)};
  }
  /// Ops with equal hashes stand for each other; else, with equal hashes but
  /// for their sizes.
  PositionMap(Operation *profiled, Operation *model);

  ArrayRef<uint32_t> get(size_t position) const {
    return position < targets.size() ? ArrayRef(targets[position])
                                     : ArrayRef<uint32_t>();
  }

private:
  std::vector<std::vector<uint32_t>> targets;
};

} // namespace

PositionMap::PositionMap(Operation *profiled, Operation *model) {
  llvm::DenseMap<Operation *, uint32_t> positions;
  for (auto [index, op] : llvm::enumerate(getOps(model)))
    positions[op] = index;
  llvm::StringMap<std::vector<uint32_t>> exact, shapeErased;
  for (const SignedOp &entry : getSignatures(model)) {
    exact[entry.signature.exact].push_back(positions[entry.op]);
    shapeErased[entry.signature.shapeErased].push_back(positions[entry.op]);
  }
  llvm::DenseMap<Operation *, uint32_t> sources;
  for (auto [index, op] : llvm::enumerate(getOps(profiled)))
    sources[op] = index;
  targets.resize(sources.size());
  for (const SignedOp &entry : getSignatures(profiled)) {
    std::vector<uint32_t> &found = targets[sources[entry.op]];
    found = exact.lookup(entry.signature.exact);
    if (found.empty())
      found = shapeErased.lookup(entry.signature.shapeErased);
  }
}

/// Adds the op time of `profile` to the ops of the model, and its coverage.
/// Returns the time of all ops, in ps.
static double addShares(const Profile &profile, const Ownership &ownership,
                        const PositionMap &map, Evidence &evidence) {
  Attribution attribution = attribute(profile, ownership);
  double total = double(attribution.coverage.opTimePs);
  if (total <= 0)
    return 0;
  for (auto [index, time] : llvm::enumerate(attribution.ops)) {
    ArrayRef<uint32_t> targets = map.get(index);
    for (uint32_t target : targets) {
      double share = double(time.heatPs()) / total / double(targets.size());
      evidence.shares[target] += share;
      evidence.coverage += share;
    }
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

static void addValues(const Profile &profile, const PositionMap &map,
                      Evidence &evidence) {
  for (const Program &program : profile.programs) {
    AncestorTable ancestors(program, 0);
    for (const Run &run : profile.runs)
      for (const ValueTable &table : run.values) {
        if (table.program != program.fingerprint ||
            table.node >= program.nodes.size())
          continue;
        for (uint32_t node : findInputNodes(program, ancestors, table.node))
          for (uint32_t target : map.get(program.nodes[node].position))
            evidence.values.push_back({target, readTable(table)});
      }
  }
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

/// Returns the time of all ops of the profile, in ps.
static double read(const Profile &profile, Operation *profiled,
                   const PositionMap &map, Evidence &evidence) {
  MatchOptions options;
  options.level = kInputLevel.str();
  double time =
      addShares(profile, match(profile, profiled, options), map, evidence);
  addValues(profile, map, evidence);
  return time;
}

/// Whether ops with the same positions compute the same.
static bool isSameModel(Operation *a, Operation *b) {
  auto isSameOp = [](Operation *a, Operation *b) {
    return a->getName().getStringRef() == b->getName().getStringRef();
  };
  auto isSameHash = [](const SignedOp &a, const SignedOp &b) {
    return a.signature.exact == b.signature.exact;
  };
  return llvm::equal(getOps(a), getOps(b), isSameOp) &&
         llvm::equal(getSignatures(a), getSignatures(b), isSameHash);
}

llvm::Expected<Evidence> mlirprof::readEvidence(const Profile &profile,
                                                StringRef profileName,
                                                ModuleOp input) {
  size_t size = getOps(input).size();
  Evidence evidence;
  evidence.shares.resize(size, 0);
  bool hasTime = read(profile, input, PositionMap(size), evidence) > 0;
  if (evidence.coverage == 0 && profile.findIrModule(kInputLevel)) {
    // Of its own, as this may be called by a pass.
    MLIRContext context(MLIRContext::Threading::DISABLED);
    prepareContext(context);
    auto stored = loadStoredModule(profile, kInputLevel, context);
    if (!stored)
      return stored.takeError();
    // What a profile stores has no large constants, which hashes tell from
    // zeros.
    OwningOpRef<Operation *> model = input->clone();
    elideConstants(*model);
    if (isSameModel(stored->get(), *model)) {
      hasTime = false;
    } else {
      evidence.basis = EvidenceBasis::Hashes;
      evidence.values.clear();
      read(profile, stored->get(), PositionMap(stored->get(), *model),
           evidence);
      if (hasTime)
        evidence.notes.push_back(
            llvm::formatv("{0} is of another build of the model: by what ops "
                          "compute, {1:P1} of its time was found again",
                          profileName, evidence.coverage)
                .str());
    }
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
