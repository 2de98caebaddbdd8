//===- SharedProgram.cpp - Random programs with shared kernels ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedProgram.h"
#include "mlir-prof/Profile/KeyOrder.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <random>
#include <set>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

enum Level : uint32_t { Input, Linalg, Dispatch, Tiled, Llvm };

class Maker {
public:
  explicit Maker(unsigned seed) : random(seed) {}
  SharedProgram make();

private:
  uint32_t draw(uint32_t count) { return uint32_t(random() % count); }
  bool isLucky(uint32_t percent) { return draw(100) < percent; }
  uint32_t addNode(Level level, NodeKind kind, const std::string &op,
                   uint32_t container, std::vector<uint32_t> parents);
  std::vector<uint32_t> drawSome(llvm::ArrayRef<uint32_t> from, uint32_t most);

  void addInput();
  void addKernel();
  void lower(Level level, uint32_t kernel);
  void addCode(uint32_t kernel);
  void addInstance(uint32_t number);
  void finishNodes();
  void addHost();
  void measure();

  Program expand();
  uint32_t copyNode(uint32_t node, uint32_t instance, Program &to);
  void addKey(OpKey key, int64_t timePs, uint64_t count, Profile &profile);

  struct Kernel {
    uint32_t function;
    /// Its ops at each level, of which those at Dispatch include bodies.
    std::map<uint32_t, std::vector<uint32_t>> ops;
    std::vector<uint32_t> instructions;
    std::vector<uint32_t> probes;
    std::vector<uint32_t> instances;
  };

  std::mt19937 random;
  SharedProgram result;
  Program program;
  std::vector<uint32_t> inputs;
  std::vector<Kernel> kernels;
  uint32_t inputMain = 0, linalgMain = 0, hostMain = 0;
  /// The copy of each instruction and probe in the expanded program, by
  /// dispatch, kNone for code of the host side.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> instructionOf, probeOf;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> nodeOf, loopOf;
};

} // namespace

static uint32_t addString(Program &program, const std::string &text) {
  if (program.strings.empty())
    program.strings.push_back("");
  auto it = llvm::find(program.strings, text);
  auto index = uint32_t(it - program.strings.begin());
  if (it == program.strings.end())
    program.strings.push_back(text);
  return index;
}

uint32_t Maker::addNode(Level level, NodeKind kind, const std::string &op,
                        uint32_t container, std::vector<uint32_t> parents) {
  ProgramNode node;
  node.level = level;
  node.kind = kind;
  node.op = addString(program, op);
  node.name = addString(program, op + std::to_string(program.nodes.size()));
  node.container = container;
  node.cost = kind == NodeKind::Function ? 0 : draw(4) * 7;
  llvm::sort(parents);
  parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
  node.parents = std::move(parents);
  program.nodes.push_back(std::move(node));
  return uint32_t(program.nodes.size() - 1);
}

std::vector<uint32_t> Maker::drawSome(llvm::ArrayRef<uint32_t> from,
                                      uint32_t most) {
  std::vector<uint32_t> some;
  for (uint32_t i = 0, count = 1 + draw(most); i != count; ++i)
    some.push_back(from[draw(uint32_t(from.size()))]);
  return some;
}

void Maker::addInput() {
  inputMain = addNode(Input, NodeKind::Function, "func.func", kNone, {});
  for (uint32_t i = 0, count = 3 + draw(10); i != count; ++i) {
    inputs.push_back(
        addNode(Input, NodeKind::Operation, "input.op", inputMain, {}));
    if (isLucky(30))
      inputs.push_back(
          addNode(Input, NodeKind::Body, "arith.addf", inputs.back(), {}));
  }
  linalgMain =
      addNode(Linalg, NodeKind::Function, "func.func", kNone, {inputMain});
}

/// The kernel's ops come from those of its dispatches, which follow.
void Maker::addKernel() {
  Kernel &kernel = kernels.emplace_back();
  kernel.function =
      addNode(Dispatch, NodeKind::Function, "func.func", kNone, {});
  for (uint32_t i = 0, count = 1 + draw(3); i != count; ++i) {
    uint32_t op = addNode(Dispatch, NodeKind::Operation, "linalg.generic",
                          kernel.function, {});
    kernel.ops[Dispatch].push_back(op);
    for (uint32_t body = 0, bodies = draw(3); body != bodies; ++body)
      kernel.ops[Dispatch].push_back(
          addNode(Dispatch, NodeKind::Body, "arith.mulf", op, {}));
  }
}

void Maker::lower(Level level, uint32_t number) {
  Kernel &kernel = kernels[number];
  uint32_t function =
      addNode(level, NodeKind::Function, "func.func", kNone, {kernel.function});
  uint32_t loop = kNone;
  for (uint32_t i = 0, count = 2 + draw(6); i != count; ++i) {
    std::vector<uint32_t> parents =
        drawSome(kernel.ops[level - 1], isLucky(50) ? 1 : 3);
    bool isLoop = level == Tiled && isLucky(30);
    kernel.ops[level].push_back(addNode(
        level, isLoop ? NodeKind::Loop : NodeKind::Operation,
        isLoop ? "scf.for" : "vector.op", loop == kNone ? function : loop,
        isLucky(95) ? parents : std::vector<uint32_t>()));
    if (isLoop)
      loop = kernel.ops[level].back();
  }
}

void Maker::addCode(uint32_t number) {
  Kernel &kernel = kernels[number];
  static const char *const texts[] = {"vfmadd231ps %zmm0", "vaddps %zmm1",
                                      "vdivps %zmm2", "callq expf"};
  uint64_t address = 4 * program.instructions.size(), begin = address;
  uint32_t loop = kNone;
  for (uint32_t i = 0, count = 3 + draw(10); i != count; ++i, address += 4) {
    if (isLucky(30)) {
      loop = isLucky(30) ? kNone : uint32_t(program.loops.size());
      if (loop != kNone)
        program.loops.push_back({address, address, isLucky(20)});
    }
    if (loop != kNone)
      program.loops[loop].end = address + 4;
    uint32_t node =
        isLucky(85) ? kernel.ops[Llvm][draw(uint32_t(kernel.ops[Llvm].size()))]
                    : kNone;
    kernel.instructions.push_back(uint32_t(program.instructions.size()));
    program.instructions.push_back(
        {address, node, addString(program, texts[draw(4)]), loop});
  }
  program.functions.push_back(
      {"kernel" + std::to_string(number), begin, address});
  for (Level level : {Dispatch, Tiled}) {
    kernel.probes.push_back(uint32_t(program.probes.size()));
    ProgramProbe probe;
    probe.node = kernel.ops[level][draw(uint32_t(kernel.ops[level].size()))];
    program.probes.push_back(probe);
  }
}

/// The ops of a dispatch before it was outlined: one or two for most of the
/// kernel's ops, with their own origins.
void Maker::addInstance(uint32_t number) {
  uint32_t of =
      number < kernels.size() ? number : draw(uint32_t(kernels.size()));
  Kernel &kernel = kernels[of];
  kernel.instances.push_back(uint32_t(program.instances.size()));
  ProgramInstance instance;
  instance.kernel = kernel.function;
  std::set<std::pair<uint32_t, uint32_t>> origins;
  for (uint32_t op : kernel.ops[Dispatch])
    for (uint32_t i = 0, count = isLucky(90) ? 1 + draw(2) : 0; i != count;
         ++i) {
      bool isBody = program.nodes[op].kind == NodeKind::Body;
      origins.insert(
          {op, addNode(Linalg, isBody ? NodeKind::Body : NodeKind::Operation,
                       isBody ? "arith.mulf" : "linalg.generic", linalgMain,
                       drawSome(inputs, 2))});
    }
  instance.origins.assign(origins.begin(), origins.end());
  std::vector<uint32_t> parents;
  for (auto [op, origin] : origins)
    parents.push_back(origin);
  instance.node =
      addNode(Dispatch, NodeKind::Operation, "dispatch.run", hostMain, parents);
  program.instances.push_back(std::move(instance));
}

/// A kernel's ops have the origins of all of its dispatches.
void Maker::finishNodes() {
  std::map<uint32_t, std::set<uint32_t>> parents;
  for (const ProgramInstance &instance : program.instances)
    for (auto [op, origin] : instance.origins)
      parents[op].insert(origin);
  for (auto &[op, all] : parents)
    program.nodes[op].parents.assign(all.begin(), all.end());
}

/// Code of the host side, and a probe there.
void Maker::addHost() {
  uint32_t op = addNode(Dispatch, NodeKind::Operation, "memref.dim", hostMain,
                        drawSome(inputs, 1));
  uint32_t tiled =
      addNode(Tiled, NodeKind::Operation, "memref.dim", kNone, {op});
  uint32_t last =
      addNode(Llvm, NodeKind::Operation, "llvm.load", kNone, {tiled});
  uint64_t address = 4 * program.instructions.size();
  program.functions.push_back({"main", address, address + 4});
  program.instructions.push_back(
      {address, last, addString(program, "movq"), kNone});
  ProgramProbe probe;
  probe.node = inputs[draw(uint32_t(inputs.size()))];
  program.probes.push_back(probe);
}

//===----------------------------------------------------------------------===//
// The expanded program
//===----------------------------------------------------------------------===//

/// The node itself before the dispatches and outside of kernels.
uint32_t Maker::copyNode(uint32_t node, uint32_t instance, Program &to) {
  if (node == kNone)
    return kNone;
  auto known = nodeOf.find({node, instance});
  if (known != nodeOf.end())
    return known->second;
  ProgramNode copy = program.nodes[node];
  if (copy.container != kNone)
    copy.container = copyNode(copy.container, instance, to);
  std::vector<uint32_t> parents;
  if (instance != kNone && node == program.instances[instance].kernel) {
    // The function comes from what the op that runs it comes from.
    for (uint32_t origin :
         program.nodes[program.instances[instance].node].parents)
      parents.push_back(copyNode(origin, kNone, to));
  } else if (instance != kNone && copy.level == Dispatch) {
    for (auto [op, origin] : program.instances[instance].origins)
      if (op == node)
        parents.push_back(copyNode(origin, kNone, to));
  } else {
    for (uint32_t parent : copy.parents)
      parents.push_back(copyNode(parent, instance, to));
  }
  llvm::sort(parents);
  copy.parents = parents;
  result.sharedNode.push_back(node);
  to.nodes.push_back(std::move(copy));
  return nodeOf[{node, instance}] = uint32_t(to.nodes.size() - 1);
}

Program Maker::expand() {
  Program to;
  to.levels = program.levels;
  to.strings = program.strings;
  auto addAll = [&](llvm::ArrayRef<uint32_t> instructions,
                    llvm::ArrayRef<uint32_t> probes, uint32_t instance) {
    uint64_t begin = 4 * to.instructions.size();
    for (uint32_t number : instructions) {
      Instruction copy = program.instructions[number];
      copy.address = 4 * to.instructions.size();
      copy.node = copyNode(copy.node, instance, to);
      if (copy.loop != kNone) {
        auto [it, isNew] = loopOf.try_emplace({copy.loop, instance},
                                              uint32_t(to.loops.size()));
        if (isNew)
          to.loops.push_back(
              {copy.address, copy.address, program.loops[copy.loop].calls});
        to.loops[it->second].end = copy.address + 4;
        copy.loop = it->second;
      }
      instructionOf[{number, instance}] = uint32_t(to.instructions.size());
      to.instructions.push_back(copy);
    }
    to.functions.push_back({"f" + std::to_string(to.functions.size()), begin,
                            4 * to.instructions.size()});
    for (uint32_t number : probes) {
      ProgramProbe copy = program.probes[number];
      copy.node = copyNode(copy.node, instance, to);
      probeOf[{number, instance}] = uint32_t(to.probes.size());
      to.probes.push_back(copy);
    }
  };
  auto isOfKernel = [&](uint32_t node) {
    while (program.nodes[node].container != kNone)
      node = program.nodes[node].container;
    return program.nodes[node].level >= Dispatch &&
           program.nodes[node].kind == NodeKind::Function && node != hostMain;
  };
  // The same order, so that the first of several origins is the same.
  for (uint32_t node = 0; node != program.nodes.size(); ++node)
    if (!isOfKernel(node))
      copyNode(node, kNone, to);
  for (const Kernel &kernel : kernels)
    for (uint32_t instance : kernel.instances) {
      copyNode(kernel.function, instance, to);
      for (const auto &[level, ops] : kernel.ops)
        for (uint32_t op : ops)
          copyNode(op, instance, to);
      addAll(kernel.instructions, kernel.probes, instance);
    }
  auto last = uint32_t(program.instructions.size() - 1);
  addAll(last, uint32_t(program.probes.size() - 1), kNone);
  return to;
}

//===----------------------------------------------------------------------===//
// Measurements
//===----------------------------------------------------------------------===//

void Maker::addKey(OpKey key, int64_t timePs, uint64_t count,
                   Profile &profile) {
  profile.opKeys.push_back(std::move(key));
  OpSummary op;
  op.op = uint32_t(profile.opKeys.size() - 1);
  for (uint64_t i = 0; i != count; ++i)
    for (Quantity quantity : {Quantity::Execute, Quantity::Self})
      op.get(quantity).add(timePs);
  profile.runs[0].ops.push_back(std::move(op));
}

void Maker::measure() {
  const Program &one = result.shared.programs[0];
  const Program &other = result.expanded.programs[0];
  auto addPlace = [&](uint32_t instruction, uint32_t instance) {
    bool isCall = isLucky(20);
    int64_t timePs = 1 + draw(100000);
    uint64_t count = 1 + draw(4);
    std::string callee = isCall ? "libm.so.6:expf" : "";
    addKey(makeCodeKey(one, instruction, callee, instance), timePs, count,
           result.shared);
    addKey(
        makeCodeKey(other, instructionOf.at({instruction, instance}), callee),
        timePs, count, result.expanded);
  };
  auto addProbe = [&](uint32_t probe, uint32_t instance) {
    int64_t timePs = 1 + draw(100000);
    uint64_t count = 1 + draw(4);
    addKey(OpKey("probe", "", ProbeKey{one.fingerprint, probe, true, instance}),
           timePs, count, result.shared);
    addKey(OpKey("probe", "",
                 ProbeKey{other.fingerprint, probeOf.at({probe, instance})}),
           timePs, count, result.expanded);
  };
  for (const Kernel &kernel : kernels)
    for (uint32_t instance : kernel.instances) {
      for (uint32_t instruction : kernel.instructions)
        if (isLucky(60))
          addPlace(instruction, instance);
      for (uint32_t probe : kernel.probes)
        if (isLucky(60))
          addProbe(probe, instance);
    }
  addPlace(uint32_t(one.instructions.size() - 1), kNone);
  addProbe(uint32_t(one.probes.size() - 1), kNone);
  for (Profile *profile : {&result.shared, &result.expanded})
    for (OutsideKind kind :
         {OutsideKind::Waiting, OutsideKind::Stealing, OutsideKind::Executor})
      addKey(makeOutsideKey("somewhere", kind), 1000, 3, *profile);
}

SharedProgram Maker::make() {
  program.levels = {"input", "linalg", "dispatch", "tiled", "llvm"};
  program.entry = "main";
  addInput();
  hostMain =
      addNode(Dispatch, NodeKind::Function, "func.func", kNone, {linalgMain});
  uint32_t kernelCount = 1 + draw(4);
  for (uint32_t i = 0; i != kernelCount; ++i)
    addKernel();
  for (uint32_t i = 0, count = kernelCount + draw(8); i != count; ++i)
    addInstance(i);
  finishNodes();
  for (uint32_t i = 0; i != kernelCount; ++i) {
    lower(Tiled, i);
    lower(Llvm, i);
    addCode(i);
  }
  addHost();
  program.fingerprint = fingerprintProgram(program);
  Program expanded = expand();
  expanded.entry = "main";
  expanded.fingerprint = fingerprintProgram(expanded);
  result.shared.programs.push_back(program);
  result.expanded.programs.push_back(std::move(expanded));
  for (Profile *profile : {&result.shared, &result.expanded}) {
    profile->runs.emplace_back();
    profile->runs[0].hash = contentHash("run");
  }
  measure();
  return std::move(result);
}

SharedProgram test::makeSharedProgram(unsigned seed) {
  return Maker(seed).make();
}

Profile test::forgetInstances(Profile profile) {
  std::map<OpKey, uint32_t, OpKeyLess> numbers;
  std::vector<OpKey> keys;
  for (Run &run : profile.runs) {
    std::map<uint32_t, OpSummary> merged;
    for (const OpSummary &op : run.ops) {
      OpKey key = profile.opKeys[op.op];
      if (auto *code = key.getIf<CodeKey>())
        code->instance = kNone;
      if (auto *probe = key.getIf<ProbeKey>())
        probe->instance = kNone;
      auto [it, isNew] = numbers.try_emplace(key, uint32_t(keys.size()));
      if (isNew)
        keys.push_back(key);
      OpSummary &sum = merged[it->second];
      sum.op = it->second;
      sum.merge(op);
    }
    run.ops.clear();
    for (auto &[number, op] : merged)
      run.ops.push_back(std::move(op));
  }
  profile.opKeys = std::move(keys);
  return profile;
}
