//===- EvidenceValues.cpp - Values observed at a model's ops --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EvidenceValues.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Cost/Work.h"
#include "mlir-prof/Profile/ValueSums.h"
#include "mlir-prof/Transforms/EntryValues.h"

#include <map>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::module;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

static constexpr StringLiteral kInputLevel = "input";

/// The nodes of the first level that `node` came from; for a function that it
/// did not come from one, the one of its name.
static std::vector<uint32_t> findInputNodes(const Program &program,
                                            AncestorTable &ancestors,
                                            uint32_t node, uint32_t instance) {
  std::vector<uint32_t> nodes = ancestors.get(node, instance).vec();
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

//===----------------------------------------------------------------------===//
// Seconds of calls
//===----------------------------------------------------------------------===//

namespace {
/// Seconds of the calls of a table.
struct TableSeconds {
  std::vector<double> entries;
  double other = 0;
};

/// Estimates of the work of a function for the sizes of a call.
class CallWork {
public:
  /// In operations and bytes; nothing where it is not known.
  std::optional<double> find(func::FuncOp function,
                             const std::vector<int64_t> &tuple);

private:
  std::map<std::pair<Operation *, std::vector<int64_t>>, std::optional<double>>
      known;
};
} // namespace

/// The shapes of the arguments of `function` with these dynamic dimensions;
/// nothing where they are not as many, or no sizes.
static std::optional<std::vector<std::vector<int64_t>>>
fillShapes(func::FuncOp function, ArrayRef<int64_t> tuple) {
  SmallVector<EntryValue> dimensions = getEntryDimensions(function);
  if (dimensions.size() != tuple.size() ||
      llvm::any_of(tuple, [](int64_t size) { return size < 0; }))
    return std::nullopt;
  std::vector<std::vector<int64_t>> shapes;
  for (Type type : function.getArgumentTypes()) {
    auto shaped = dyn_cast<ShapedType>(type);
    shapes.push_back(shaped && shaped.hasRank() ? shaped.getShape().vec()
                                                : std::vector<int64_t>());
  }
  for (auto [dimension, size] : llvm::zip_equal(dimensions, tuple))
    shapes[dimension.argument][*dimension.dimension] = size;
  return shapes;
}

std::optional<double> CallWork::find(func::FuncOp function,
                                     const std::vector<int64_t> &tuple) {
  auto [place, isNew] = known.try_emplace({function, tuple});
  if (!isNew)
    return place->second;
  auto shapes = fillShapes(function, tuple);
  if (!shapes)
    return std::nullopt;
  std::vector<ArrayRef<int64_t>> views(shapes->begin(), shapes->end());
  NodeWork all = computeTotalWork(function, views);
  // The operations of any call, whatever it does.
  constexpr double kCall = 100;
  if (all.flops != 0 || all.bytes != 0)
    place->second = kCall + double(all.flops) + double(all.bytes);
  return place->second;
}

/// Shares the seconds of a run among the calls of `table`.
static TableSeconds shareSeconds(const ValueTable &table, double seconds,
                                 Operation *op, CallWork &work) {
  TableSeconds result;
  auto function = dyn_cast<func::FuncOp>(op);
  bool isKnown = function && table.kind == ValueKind::Dimensions;
  double calls = double(table.other), listed = 0;
  for (const ValueCount &entry : table.entries) {
    std::optional<double> each;
    if (isKnown)
      each = work.find(function, entry.tuple);
    isKnown &= each.has_value();
    result.entries.push_back(double(entry.count) * each.value_or(1));
    listed += double(entry.count);
  }
  if (!isKnown)
    for (auto [entry, weight] : llvm::zip_equal(table.entries, result.entries))
      weight = double(entry.count);
  double sum = 0;
  for (double weight : result.entries)
    sum += weight;
  // Calls whose values found no room took what the others did on average.
  result.other = listed > 0 ? calls * sum / listed : calls;
  sum += result.other;
  double scale = sum > 0 ? seconds / sum : 0;
  result.other *= scale;
  for (double &weight : result.entries)
    weight *= scale;
  return result;
}

//===----------------------------------------------------------------------===//
// Sums over runs and programs
//===----------------------------------------------------------------------===//

namespace {
class ValueCollector {
public:
  void add(uint32_t target, ValueTable table, const TableSeconds &seconds);
  void take(bool hasSeconds, Evidence &evidence);

private:
  using Key = std::tuple<ValueKind, uint32_t, std::vector<std::string>>;
  struct Seconds {
    std::map<std::vector<int64_t>, double> entries;
    double total = 0;
  };
  ValueSums sums;
  std::map<Key, Seconds> seconds;
};
} // namespace

void ValueCollector::add(uint32_t target, ValueTable table,
                         const TableSeconds &took) {
  // Programs may differ; the op of the model is one.
  table.program.clear();
  table.node = target;
  table.instance = trace::kNone;
  Seconds &sum = seconds[Key(table.kind, target, table.names)];
  sum.total += took.other;
  for (auto [entry, weight] : llvm::zip_equal(table.entries, took.entries)) {
    sum.entries[entry.tuple] += weight;
    sum.total += weight;
  }
  sums.add(table);
}

void ValueCollector::take(bool hasSeconds, Evidence &evidence) {
  for (ValueTable &table : sums.take()) {
    ObservedValues values;
    values.kind = table.kind;
    values.names = table.names;
    values.total = table.other;
    Seconds &took = seconds[Key(table.kind, table.node, table.names)];
    bool isTimed = hasSeconds && took.total > 0;
    if (isTimed)
      llvm::stable_sort(table.entries,
                        [&](const ValueCount &a, const ValueCount &b) {
                          return took.entries[a.tuple] > took.entries[b.tuple];
                        });
    for (const ValueCount &entry : table.entries) {
      values.total += entry.count;
      if (isTimed)
        values.weights.push_back(took.entries[entry.tuple] / took.total);
    }
    values.entries = std::move(table.entries);
    evidence.values.push_back({table.node, std::move(values)});
  }
  llvm::stable_sort(evidence.values,
                    [](const Evidence::Values &a, const Evidence::Values &b) {
                      return a.position < b.position;
                    });
}

static double getSeconds(const Run &run) {
  return double(run.iterations.sum) * 1e-12;
}

void optimize::addValues(const Profile &profile, ArrayRef<Operation *> ops,
                         StoredAlignments &stored, Evidence &evidence) {
  ValueCollector collector;
  CallWork work;
  for (const Program &program : profile.programs) {
    AncestorTable ancestors(program, 0);
    const Alignment *alignment = stored.find(kInputLevel, program.fingerprint);
    for (const Run &run : profile.runs)
      for (const ValueTable &table : run.values) {
        if (table.program != program.fingerprint ||
            table.node >= program.nodes.size())
          continue;
        for (uint32_t node :
             findInputNodes(program, ancestors, table.node, table.instance))
          for (uint32_t target : findTargets(program, node, alignment, ops))
            collector.add(
                target, table,
                shareSeconds(table, getSeconds(run), ops[target], work));
      }
  }
  bool hasSeconds = llvm::all_of(profile.runs, [](const Run &run) {
    return run.values.empty() || getSeconds(run) > 0;
  });
  collector.take(hasSeconds, evidence);
}
