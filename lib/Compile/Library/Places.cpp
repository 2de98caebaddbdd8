//===- Places.cpp - Ops by places in the code -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "mlir-prof/Profile/ProgramLevels.h"
#include "mlir-prof/Runtime/prof_model_file.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;

static std::string describeOp(const Program &program, uint32_t index) {
  const ProgramNode &node = program.nodes[index];
  std::string text = program.strings[node.op];
  if (node.name != 0)
    text += " '" + program.strings[node.name] + "'";
  if (node.file != 0)
    text +=
        " at " + program.strings[node.file] + ":" + std::to_string(node.line);
  else if (node.location != 0)
    text += " at " + program.strings[node.location];
  return text;
}

namespace {
class PlacesWriter {
public:
  explicit PlacesWriter(const Program &program);

  std::string write();

private:
  ArrayRef<uint32_t> findInstances(uint32_t node);
  uint32_t addText(ArrayRef<uint32_t> ops);
  void addRows(const Instruction &instruction);

  const Program &program;
  AncestorTable ops;
  /// Those at the level of the dispatches, if there are any.
  std::optional<AncestorTable> kernelOps;
  std::vector<uint32_t> functions;
  /// By the node of a kernel's function: the dispatches that run it.
  DenseMap<uint32_t, SmallVector<uint32_t>> instances;
  std::vector<prof_model_place> rows;
  StringMap<uint32_t> known;
  std::vector<uint32_t> ends;
  std::string texts;
};
} // namespace

PlacesWriter::PlacesWriter(const Program &program)
    : program(program), ops(program, /*level=*/0) {
  if (program.instances.empty())
    return;
  kernelOps.emplace(program, getInstanceLevel(program));
  functions = findFunctions(program);
  for (auto [number, instance] : enumerate(program.instances))
    instances[instance.kernel].push_back(uint32_t(number));
}

/// The dispatches that share the code of `node`, if there are several.
ArrayRef<uint32_t> PlacesWriter::findInstances(uint32_t node) {
  if (!kernelOps)
    return {};
  for (uint32_t op : kernelOps->get(node)) {
    auto it = instances.find(functions[op]);
    if (it != instances.end() && it->second.size() > 1)
      return it->second;
  }
  return {};
}

uint32_t PlacesWriter::addText(ArrayRef<uint32_t> origins) {
  if (origins.empty())
    return trace::kNone;
  std::string text = describeOp(program, origins.front());
  if (origins.size() > 1)
    text += " (fused with " + std::to_string(origins.size() - 1) + " more)";
  auto [it, isNew] = known.try_emplace(text, uint32_t(ends.size()));
  if (isNew) {
    texts += text;
    ends.push_back(uint32_t(texts.size()));
  }
  return it->second;
}

void PlacesWriter::addRows(const Instruction &instruction) {
  auto begin = uint32_t(instruction.address);
  uint32_t node = instruction.node;
  if (node == trace::kNone) {
    rows.push_back({begin, trace::kNone, trace::kNone});
    return;
  }
  for (uint32_t instance : findInstances(node))
    rows.push_back({begin, instance, addText(ops.get(node, instance))});
  rows.push_back({begin, trace::kNone, addText(ops.get(node))});
}

std::string PlacesWriter::write() {
  const Instruction *before = nullptr;
  for (const Instruction &instruction : program.instructions) {
    if (!before || instruction.node != before->node)
      addRows(instruction);
    before = &instruction;
  }
  std::string bytes;
  auto append = [&](const auto *values, size_t count) {
    bytes.append(reinterpret_cast<const char *>(values),
                 count * sizeof *values);
  };
  prof_model_places header = {uint32_t(rows.size()), uint32_t(ends.size())};
  append(&header, 1);
  append(rows.data(), rows.size());
  append(ends.data(), ends.size());
  return bytes + texts;
}

std::string compile::writePlaces(const Program &program) {
  prof_model_places none = {0, 0};
  // Without identities nothing is known.
  if (program.levels.empty())
    return std::string(reinterpret_cast<const char *>(&none), sizeof none);
  return PlacesWriter(program).write();
}
