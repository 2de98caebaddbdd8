//===- ProgramCheck.cpp - Checking a program after reading ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// After these checks, users of a program need not check its indices, or that
// climbing to containers and parents terminates.
//===----------------------------------------------------------------------===//

#include "Wire.h"
#include "mlir-prof/Profile/ProgramLevels.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// Collects the first problem.
class Checker {
public:
  explicit Checker(const Program &program) : program(program) {}

  std::string run();

private:
  void require(bool holds, llvm::StringLiteral what) {
    if (!holds && problem.empty())
      problem = what.str();
  }
  bool isString(uint32_t index) const { return index < program.strings.size(); }
  bool isNode(uint32_t index) const { return index < program.nodes.size(); }
  bool isNodeOrNone(uint32_t index) const {
    return index == kNone || isNode(index);
  }
  /// Whether `origin` is a node of an earlier level than `node`.
  bool isEarlier(uint32_t origin, const ProgramNode &node) const {
    return isNode(origin) && program.nodes[origin].level < node.level;
  }

  void checkNode(const ProgramNode &node);
  void checkContainers();
  void checkProbes();
  void checkInstances();
  void checkOrigins(const ProgramInstance &instance,
                    llvm::ArrayRef<uint32_t> functions);
  void checkCode();

  const Program &program;
  std::string problem;
};

} // namespace

void Checker::checkNode(const ProgramNode &node) {
  require(node.level < program.levels.size(),
          "a node belongs to a level that the program lacks");
  require(isString(node.op) && isString(node.name) && isString(node.location) &&
              isString(node.file),
          "a node has a string that the program lacks");
  require(isNodeOrNone(node.container),
          "a node is in a node that the program lacks");
  require(node.container == kNone || !isNode(node.container) ||
              program.nodes[node.container].level == node.level,
          "a node is in a node of another level");
  for (size_t i = 0; i != node.parents.size(); ++i) {
    require(isEarlier(node.parents[i], node),
            "a node comes from a node that is not of an earlier level");
    require(i == 0 || node.parents[i - 1] < node.parents[i],
            "the origins of a node are not in order");
  }
  for (uint32_t caller : node.callers)
    require(
        isEarlier(caller, node),
        "a node was inlined through a node that is not of an earlier level");
}

/// Containers must not form cycles. Usually they come first, which proves it.
void Checker::checkContainers() {
  enum State : uint8_t { Unknown, OnPath, Done };
  std::vector<uint8_t> states(program.nodes.size(), Unknown);
  std::vector<uint32_t> path;
  for (uint32_t start = 0; start != program.nodes.size(); ++start) {
    uint32_t at = start;
    for (; at != kNone && states[at] == Unknown;
         at = program.nodes[at].container) {
      states[at] = OnPath;
      path.push_back(at);
    }
    require(at == kNone || states[at] == Done, "a node contains itself");
    for (uint32_t node : path)
      states[node] = Done;
    path.clear();
  }
}

void Checker::checkProbes() {
  for (uint32_t i = 0; i != program.probes.size(); ++i) {
    const ProgramProbe &probe = program.probes[i];
    require(isNodeOrNone(probe.node),
            "a probe measures a node that the program lacks");
    // Ids are in pre-order.
    require(probe.parent == kNone || probe.parent < i,
            "a probe is in a probe that does not come before it");
  }
  for (const ValueSite &site : program.sites)
    require(isNodeOrNone(site.node),
            "values are recorded at a node that the program lacks");
}

void Checker::checkOrigins(const ProgramInstance &instance,
                           llvm::ArrayRef<uint32_t> functions) {
  for (size_t i = 0; i != instance.origins.size(); ++i) {
    auto [op, origin] = instance.origins[i];
    require(isNode(op) && functions[op] == instance.kernel,
            "a dispatch has an origin of an op that is not in its kernel");
    require(!isNode(op) ||
                std::binary_search(program.nodes[op].parents.begin(),
                                   program.nodes[op].parents.end(), origin),
            "a dispatch has an origin that is not a parent of the op");
    require(i == 0 || instance.origins[i - 1] < instance.origins[i],
            "the origins of a dispatch are not in order");
  }
}

/// Containers and parents were checked before.
void Checker::checkInstances() {
  if (program.instances.empty()) {
    require(program.calls.empty(), "a call is of a dispatch that it lacks");
    return;
  }
  require(program.instances.size() < kNone, "it has too many dispatches");
  std::vector<uint32_t> functions = findFunctions(program);
  uint32_t first = program.instances.front().node;
  for (const ProgramInstance &instance : program.instances) {
    require(isNode(instance.node) && isNode(instance.kernel),
            "a dispatch has a node that the program lacks");
    if (!problem.empty())
      return;
    require(program.nodes[instance.kernel].kind == NodeKind::Function,
            "the kernel of a dispatch is not a function");
    for (uint32_t node : {instance.node, instance.kernel})
      require(program.nodes[node].level == program.nodes[first].level,
              "the dispatches are of several levels");
    checkOrigins(instance, functions);
  }
  require(program.calls.empty() || !program.instructions.empty(),
          "a call of a dispatch is in code that the program lacks");
  for (size_t i = 0; i != program.calls.size(); ++i) {
    require(program.calls[i].instance < program.instances.size(),
            "a call is of a dispatch that the program lacks");
    require(i == 0 || program.calls[i - 1].address < program.calls[i].address,
            "the calls of dispatches are out of order");
  }
}

void Checker::checkCode() {
  for (const MachineFunction &function : program.functions)
    require(function.begin <= function.end, "a function ends before it begins");
  for (const MachineLoop &loop : program.loops)
    require(loop.begin <= loop.end, "a loop ends before it begins");
  uint64_t last = 0;
  for (const Instruction &instruction : program.instructions) {
    require(instruction.address >= last, "instructions are out of order");
    last = instruction.address;
    require(isNodeOrNone(instruction.node),
            "an instruction belongs to a node that the program lacks");
    require(instruction.node == kNone || !isNode(instruction.node) ||
                program.nodes[instruction.node].level + 1 ==
                    program.levels.size(),
            "an instruction belongs to a node that is not of the last level");
    require(isString(instruction.text),
            "an instruction has a text that the program lacks");
    require(instruction.loop == kNone ||
                instruction.loop < program.loops.size(),
            "an instruction is in a loop that the program lacks");
  }
}

std::string Checker::run() {
  // Indices range up to 2^32 - 2.
  require(program.nodes.size() < kNone && program.instructions.size() < kNone,
          "it has too many nodes");
  require(program.strings.empty() || program.strings.front().empty(),
          "its first string is not empty");
  for (const ProgramNode &node : program.nodes)
    checkNode(node);
  if (problem.empty())
    checkContainers();
  if (problem.empty())
    checkInstances();
  checkProbes();
  checkCode();
  return std::move(problem);
}

std::string schema::checkProgram(const Program &program) {
  return Checker(program).run();
}
