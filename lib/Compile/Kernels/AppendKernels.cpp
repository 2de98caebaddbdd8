//===- AppendKernels.cpp - Programs of kernels in the model's -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AppendKernels.h"
#include "Instances.h"
#include "mlir-prof/Compile/LinkObjects.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {
/// A program to append: its nodes get new numbers.
struct Part {
  const Program *program = nullptr;
  /// Added to addresses in its code.
  uint64_t textBase = 0;
  /// The new number of each node.
  std::vector<uint32_t> nodes;
  /// The new number of each string.
  std::vector<uint32_t> strings;
  /// By level of the whole: added to positions.
  std::vector<uint32_t> positions;
};

/// Builds the program of a model from those of its host side and kernels.
class ProgramJoiner {
public:
  ProgramJoiner(const Program &host, ArrayRef<TakenKernel> taken,
                ArrayRef<CompiledKernel> kernels,
                ArrayRef<IrModule> hostLevels);

  /// Sets where the code of each part begins; the first is the host side.
  void setTextBases(ArrayRef<uint64_t> bases);
  Program join();
  /// The new number of each node of the kernel `index`, after join().
  ArrayRef<uint32_t> getNodes(size_t index) const {
    return parts[1 + index].nodes;
  }
  /// Renumbers the nodes in `audit` of the part `index`, after join().
  void renumber(transforms::AuditLog &audit, size_t index) const;

private:
  void numberNodes();
  void addStrings(Part &part);
  void addNodes();
  void nameLike(ProgramNode &node);
  void addProbes(const Part &part);
  void addCode(const Part &part);
  void addInstances();
  uint32_t mapNode(const Part &part, uint32_t node) const {
    return node == kNone ? kNone : part.nodes[node];
  }

  Program joined;
  ArrayRef<TakenKernel> taken;
  std::vector<Part> parts;
  StringMap<uint32_t> strings;
};
} // namespace

ProgramJoiner::ProgramJoiner(const Program &host, ArrayRef<TakenKernel> taken,
                             ArrayRef<CompiledKernel> kernels,
                             ArrayRef<IrModule> hostLevels)
    : taken(taken), parts(1 + kernels.size()) {
  joined.fingerprint = host.fingerprint;
  joined.entry = host.entry;
  joined.pipeline = host.pipeline;
  joined.target = host.target;
  joined.levels = host.levels;
  // The host side of a device is not lowered as far as kernels are.
  for (const CompiledKernel &kernel : kernels)
    for (const std::string &level : kernel.program.levels)
      if (!is_contained(joined.levels, level))
        joined.levels.push_back(level);
  parts.front().program = &host;
  for (auto [part, kernel] : zip_equal(drop_begin(parts), kernels))
    part.program = &kernel.program;
  for (Part &part : parts)
    part.positions.resize(joined.levels.size());
  // The modules of the kernels follow the ops of the host side's.
  for (const auto &[index, name] : enumerate(joined.levels)) {
    const std::string &level = name;
    const auto *module = find_if(hostLevels, [&](const IrModule &stored) {
      return stored.level == level;
    });
    uint64_t position = module == hostLevels.end() ? 0 : module->operations;
    for (auto [part, kernel] : zip_equal(drop_begin(parts), kernels)) {
      part.positions[index] = uint32_t(position);
      for (const IrModule &own : kernel.levels)
        if (own.level == level)
          position += own.operations;
    }
  }
}

void ProgramJoiner::setTextBases(ArrayRef<uint64_t> bases) {
  for (auto [part, base] : zip_equal(parts, bases))
    part.textBase = base;
}

void ProgramJoiner::addStrings(Part &part) {
  for (const std::string &text : part.program->strings) {
    auto [entry, isNew] =
        strings.try_emplace(text, uint32_t(joined.strings.size()));
    if (isNew)
      joined.strings.push_back(text);
    part.strings.push_back(entry->second);
  }
}

/// Level by level, as a program must be.
void ProgramJoiner::numberNodes() {
  uint32_t next = 0;
  for (Part &part : parts)
    part.nodes.assign(part.program->nodes.size(), kNone);
  for (const std::string &level : joined.levels)
    for (auto [index, part] : enumerate(parts))
      for (auto [old, node] : enumerate(part.program->nodes)) {
        if (part.program->levels[node.level] != level)
          continue;
        // The host side has the nodes at which kernels begin.
        bool isKnown = index != 0 && level == kDispatchLevel;
        part.nodes[old] =
            isKnown ? parts.front().nodes[taken[index - 1].node + old] : next++;
      }
  joined.nodes.resize(next);
}

/// A kernel is compiled without the model's names: its nodes are called like
/// their first origin.
void ProgramJoiner::nameLike(ProgramNode &node) {
  if (node.parents.empty() || node.location != 0 || node.name != 0)
    return;
  const ProgramNode &origin = joined.nodes[node.parents.front()];
  node.name = origin.name;
  node.location = origin.location;
  node.file = origin.file;
  node.line = origin.line;
}

void ProgramJoiner::addNodes() {
  for (auto [index, part] : enumerate(parts))
    for (auto [old, from] : enumerate(part.program->nodes)) {
      StringRef level = part.program->levels[from.level];
      if (index != 0 && level == kDispatchLevel)
        continue;
      ProgramNode &node = joined.nodes[part.nodes[old]];
      node = from;
      node.level = uint32_t(find(joined.levels, level) - joined.levels.begin());
      for (uint32_t *text : {&node.op, &node.name, &node.location, &node.file})
        *text = part.strings[*text];
      node.container = mapNode(part, from.container);
      if (from.position != kNone)
        node.position = from.position + part.positions[node.level];
      for (uint32_t &parent : node.parents)
        parent = part.nodes[parent];
      for (uint32_t &caller : node.callers)
        caller = part.nodes[caller];
    }
  for (ProgramNode &node : joined.nodes)
    nameLike(node);
}

/// Adds the probes and the places that record values.
void ProgramJoiner::addProbes(const Part &part) {
  auto first = uint32_t(joined.probes.size());
  for (ProgramProbe probe : part.program->probes) {
    probe.node = mapNode(part, probe.node);
    if (probe.parent != kNone)
      probe.parent += first;
    joined.probes.push_back(probe);
  }
  for (ValueSite site : part.program->sites) {
    site.node = mapNode(part, site.node);
    joined.sites.push_back(std::move(site));
  }
}

void ProgramJoiner::addCode(const Part &part) {
  const Program &from = *part.program;
  auto firstLoop = uint32_t(joined.loops.size());
  for (profile::MachineFunction function : from.functions) {
    function.begin += part.textBase;
    function.end += part.textBase;
    joined.functions.push_back(std::move(function));
  }
  for (MachineLoop loop : from.loops) {
    loop.begin += part.textBase;
    loop.end += part.textBase;
    joined.loops.push_back(loop);
  }
  for (profile::Instruction instruction : from.instructions) {
    instruction.address += part.textBase;
    instruction.node = mapNode(part, instruction.node);
    instruction.text = part.strings[instruction.text];
    if (instruction.loop != kNone)
      instruction.loop += firstLoop;
    joined.instructions.push_back(instruction);
  }
}

void ProgramJoiner::addInstances() {
  const Part &host = parts.front();
  joined.instances = host.program->instances;
  for (ProgramInstance &instance : joined.instances) {
    instance.node = mapNode(host, instance.node);
    instance.kernel = mapNode(host, instance.kernel);
    for (auto &[node, origin] : instance.origins) {
      node = mapNode(host, node);
      origin = mapNode(host, origin);
    }
  }
  findCalls(joined);
}

void ProgramJoiner::renumber(transforms::AuditLog &audit, size_t index) const {
  const Part &part = parts[index];
  auto renumberList = [&](std::vector<uint32_t> &nodes) {
    for (uint32_t &node : nodes)
      if (node < part.nodes.size())
        node = part.nodes[node];
    sort(nodes);
  };
  for (transforms::PassAudit &pass : audit.passes) {
    for (std::vector<uint32_t> *nodes :
         {&pass.gone, &pass.invented, &pass.lostNodes})
      renumberList(*nodes);
    for (std::vector<uint32_t> &nodes : pass.lostNodesByOp)
      renumberList(nodes);
  }
}

Program ProgramJoiner::join() {
  joined.strings.push_back("");
  strings.try_emplace("", 0);
  for (Part &part : parts)
    addStrings(part);
  numberNodes();
  addNodes();
  for (const Part &part : parts) {
    addProbes(part);
    addCode(part);
  }
  addInstances();
  return std::move(joined);
}

/// Where the code of each part lies in the joined object, by one symbol of
/// each.
static Expected<std::vector<uint64_t>>
findTextBases(StringRef object, ArrayRef<const Program *> programs,
              ArrayRef<StringRef> symbols) {
  auto file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(object, "the joined object"));
  if (!file)
    return file.takeError();
  StringMap<uint64_t> values;
  for (const object::SymbolRef &symbol : (*file)->symbols()) {
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    Expected<uint64_t> value = symbol.getValue();
    if (!value)
      return value.takeError();
    if (object::ELFSymbolRef(symbol).getELFType() == ELF::STT_FUNC)
      values.try_emplace(*name, *value);
  }
  std::vector<uint64_t> bases;
  for (auto [program, symbol] : zip_equal(programs, symbols)) {
    auto value = values.find(symbol);
    auto own =
        find_if(program->functions, [&, symbol = symbol](const auto &function) {
          return function.name == symbol;
        });
    if (value == values.end() || own == program->functions.end())
      return inputError("the joined object",
                        "it lacks the function '" + symbol + "'");
    bases.push_back(value->second - own->begin);
  }
  return std::move(bases);
}

std::vector<std::vector<uint32_t>>
compile::joinPrograms(ArrayRef<TakenKernel> taken,
                      ArrayRef<CompiledKernel> kernels, CompiledModel &model) {
  ProgramJoiner joiner(model.program, taken, kernels, model.irModules);
  model.program = joiner.join();
  std::vector<std::vector<uint32_t>> nodes;
  for (size_t i = 0; i != kernels.size(); ++i)
    nodes.push_back(joiner.getNodes(i).vec());
  return nodes;
}

Error compile::appendKernels(ArrayRef<TakenKernel> taken,
                             std::vector<CompiledKernel> kernels,
                             StringRef tables, CompiledModel &model,
                             transforms::AuditLog *audit) {
  PROF_SCOPE("append kernels");
  SmallVector<StringRef> objects = {model.object},
                         symbols = {model.entrySymbol};
  SmallVector<const Program *> programs = {&model.program};
  for (auto [source, kernel] : zip_equal(taken, kernels)) {
    objects.push_back(kernel.object);
    symbols.push_back(source.source.symbol);
    programs.push_back(&kernel.program);
    model.usesOpenMP |= kernel.usesOpenMP;
  }
  if (!tables.empty())
    objects.push_back(tables);
  auto joined = linkObjects(objects);
  if (!joined)
    return joined.takeError();
  auto bases = findTextBases(*joined, programs, symbols);
  if (!bases)
    return bases.takeError();
  ProgramJoiner joiner(model.program, taken, kernels, model.irModules);
  joiner.setTextBases(*bases);
  model.program = joiner.join();
  model.object = std::move(*joined);
  if (audit) {
    // The declarations of kernels on the host side do not have ops.
    erase_if(audit->passes, [](const transforms::PassAudit &pass) {
      return pass.opsBefore == 0 && pass.opsAfter == 0;
    });
    joiner.renumber(*audit, 0);
    for (auto [index, kernel] : enumerate(kernels)) {
      joiner.renumber(kernel.audit, 1 + index);
      append_range(audit->passes, kernel.audit.passes);
    }
  }
  for (auto [source, kernel] : zip_equal(taken, kernels))
    model.kernels.push_back({source.source.symbol, std::move(kernel.levels)});
  return Error::success();
}
