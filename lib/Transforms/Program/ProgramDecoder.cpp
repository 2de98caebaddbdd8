//===- ProgramDecoder.cpp - Decoding attributes to a program --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramAttribute.h"
#include "ProgramColumns.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;

namespace {

/// Reads attributes that may contain anything; records the first problem.
class Decoder {
public:
  explicit Decoder(Program &program) : program(program) {}

  std::string decode(Attribute attribute);

private:
  bool fail(const Twine &what) {
    if (problem.empty())
      problem = what.str();
    return false;
  }
  template <typename Array>
  bool getColumn(DictionaryAttr from, StringRef name, size_t rows,
                 Array &column);
  template <typename Kind>
  bool getKind(int64_t value, Kind last, Kind &kind);
  bool readStrings(ArrayAttr strings);
  bool readLevel(DictionaryAttr level);
  bool readColumns(DictionaryAttr level, MutableArrayRef<ProgramNode> nodes);
  bool readList(DictionaryAttr level, const columns::ListColumn &column,
                MutableArrayRef<ProgramNode> nodes);
  bool checkNode(uint32_t index, uint32_t first);
  bool readProbes(DictionaryAttr probes);
  bool readSite(DictionaryAttr site);
  bool readInstance(DictionaryAttr entry);

  Program &program;
  std::string problem;
};

} // namespace

template <typename Array>
bool Decoder::getColumn(DictionaryAttr from, StringRef name, size_t rows,
                        Array &column) {
  column = from.getAs<Array>(name);
  if (!column || size_t(column.size()) != rows)
    return fail("the column '" + name + "' is missing or has another length");
  return true;
}

template <typename Kind>
bool Decoder::getKind(int64_t value, Kind last, Kind &kind) {
  if (value < 0 || value > int64_t(last))
    return fail("a kind is unknown");
  kind = Kind(value);
  return true;
}

bool Decoder::readStrings(ArrayAttr strings) {
  for (Attribute text : strings) {
    if (!isa<StringAttr>(text))
      return fail("an element of its strings is not a string");
    program.strings.push_back(cast<StringAttr>(text).str());
  }
  if (program.strings.empty() || !program.strings.front().empty())
    return fail("its first string is not empty");
  return true;
}

bool Decoder::readColumns(DictionaryAttr level,
                          MutableArrayRef<ProgramNode> nodes) {
  DenseI8ArrayAttr kinds;
  DenseI64ArrayAttr costs, trips;
  if (!getColumn(level, "kind", nodes.size(), kinds) ||
      !getColumn(level, "cost", nodes.size(), costs) ||
      !getColumn(level, "trips", nodes.size(), trips))
    return false;
  for (auto [i, node] : llvm::enumerate(nodes)) {
    node.level = uint32_t(program.levels.size() - 1);
    node.cost = uint64_t(std::max<int64_t>(costs[i], 0));
    node.trips = std::max<int64_t>(trips[i], -1);
    if (!getKind(kinds[i], NodeKind::Body, node.kind))
      return false;
  }
  for (const auto &column : columns::kNodes) {
    DenseI32ArrayAttr values;
    if (!getColumn(level, column.name, nodes.size(), values))
      return false;
    for (auto [node, value] : llvm::zip_equal(nodes, values.asArrayRef()))
      node.*column.field = uint32_t(value);
  }
  return true;
}

bool Decoder::readList(DictionaryAttr level, const columns::ListColumn &column,
                       MutableArrayRef<ProgramNode> nodes) {
  if (!level.contains(column.name) && !level.contains(column.lengths))
    return true;
  DenseI32ArrayAttr lengths;
  auto values = level.getAs<DenseI32ArrayAttr>(column.name);
  if (!values || !getColumn(level, column.lengths, nodes.size(), lengths))
    return fail("the list '" + column.name + "' is malformed");
  ArrayRef<int32_t> rest = values.asArrayRef();
  for (auto [node, length] : llvm::zip_equal(nodes, lengths.asArrayRef())) {
    if (length < 0 || size_t(length) > rest.size())
      return fail("the list '" + column.name + "' is too short");
    ArrayRef<int32_t> list = rest.take_front(length);
    (node.*column.field).assign(list.begin(), list.end());
    rest = rest.drop_front(length);
  }
  return rest.empty() || fail("the list '" + column.name + "' is too long");
}

bool Decoder::checkNode(uint32_t index, uint32_t first) {
  const ProgramNode &node = program.nodes[index];
  for (uint32_t text : {node.op, node.name, node.location, node.file})
    if (text >= program.strings.size())
      return fail("a node refers to a missing string");
  if (node.container != kNone &&
      (node.container < first || node.container >= index))
    return fail("a node is in a container that does not precede it");
  for (ArrayRef<uint32_t> list :
       {ArrayRef(node.parents), ArrayRef(node.callers)})
    if (llvm::any_of(list, [&](uint32_t other) { return other >= first; }))
      return fail("a parent of a node is not at an earlier level");
  for (size_t i = 1; i < node.parents.size(); ++i)
    if (node.parents[i - 1] >= node.parents[i])
      return fail("the parents of a node are not ascending");
  return true;
}

bool Decoder::readLevel(DictionaryAttr level) {
  auto name = level ? level.getAs<StringAttr>("level") : nullptr;
  auto ops = level ? level.getAs<DenseI32ArrayAttr>("op") : nullptr;
  if (!name || name.empty() || !ops)
    return fail("a level lacks a name or nodes");
  if (llvm::is_contained(program.levels, name.getValue()))
    return fail("the level '" + name.getValue() + "' occurs twice");
  size_t first = program.nodes.size();
  if (first + size_t(ops.size()) > size_t(INT32_MAX))
    return fail("it has too many nodes");
  program.levels.push_back(name.str());
  program.nodes.resize(first + size_t(ops.size()));
  MutableArrayRef<ProgramNode> nodes =
      MutableArrayRef<ProgramNode>(program.nodes).drop_front(first);
  if (!readColumns(level, nodes))
    return false;
  for (const columns::ListColumn &column : columns::kLists)
    if (!readList(level, column, nodes))
      return false;
  for (size_t i = first; i < program.nodes.size(); ++i)
    if (!checkNode(uint32_t(i), uint32_t(first)))
      return false;
  return true;
}

bool Decoder::readProbes(DictionaryAttr probes) {
  DenseI8ArrayAttr kinds = probes.getAs<DenseI8ArrayAttr>("kind");
  if (!kinds)
    return fail("the kinds of the probes are missing");
  program.probes.resize(size_t(kinds.size()));
  for (const auto &column : columns::kProbes) {
    DenseI32ArrayAttr values;
    if (!getColumn(probes, column.name, program.probes.size(), values))
      return false;
    for (auto [probe, value] :
         llvm::zip_equal(program.probes, values.asArrayRef()))
      probe.*column.field = uint32_t(value);
  }
  for (auto [i, probe] : llvm::enumerate(program.probes)) {
    if (!getKind(kinds[i], ProbeKind::Work, probe.kind))
      return false;
    if (probe.node != kNone && probe.node >= program.nodes.size())
      return fail("a probe refers to a missing node");
    if (probe.parent != kNone && probe.parent >= i)
      return fail("the parent of a probe does not precede it");
  }
  return true;
}

bool Decoder::readSite(DictionaryAttr entry) {
  auto kind = entry ? entry.getAs<IntegerAttr>("kind") : nullptr;
  auto node = entry ? entry.getAs<IntegerAttr>("node") : nullptr;
  auto names = entry ? entry.getAs<ArrayAttr>("names") : nullptr;
  if (!kind || !node || !names || !kind.getType().isSignlessInteger(8) ||
      !node.getType().isSignlessInteger(32))
    return fail("a place that records values is malformed");
  ValueSite site;
  site.node = uint32_t(node.getInt());
  if (site.node != kNone && site.node >= program.nodes.size())
    return fail("a place that records values refers to a missing node");
  for (Attribute name : names) {
    if (!isa<StringAttr>(name))
      return fail("a name of a value is not a string");
    site.names.push_back(cast<StringAttr>(name).str());
  }
  if (!getKind(kind.getInt(), ValueKind::Arguments, site.kind))
    return false;
  program.sites.push_back(std::move(site));
  return true;
}

bool Decoder::readInstance(DictionaryAttr entry) {
  auto node = entry ? entry.getAs<IntegerAttr>("node") : nullptr;
  auto kernel = entry ? entry.getAs<IntegerAttr>("kernel") : nullptr;
  auto origins = entry ? entry.getAs<DenseI32ArrayAttr>("origins") : nullptr;
  if (!node || !kernel || !origins || origins.size() % 2 != 0 ||
      !node.getType().isSignlessInteger(32) ||
      !kernel.getType().isSignlessInteger(32))
    return fail("a dispatch is malformed");
  ProgramInstance instance;
  instance.node = uint32_t(node.getInt());
  instance.kernel = uint32_t(kernel.getInt());
  for (int64_t i = 0; i != origins.size(); i += 2)
    instance.origins.emplace_back(uint32_t(origins[i]),
                                  uint32_t(origins[i + 1]));
  bool isKnown = instance.node < program.nodes.size() &&
                 instance.kernel < program.nodes.size();
  for (auto [op, origin] : instance.origins)
    isKnown &= op < program.nodes.size() && origin < program.nodes.size();
  if (!isKnown)
    return fail("a dispatch refers to a missing node");
  if (!llvm::is_sorted(instance.origins))
    return fail("the origins of a dispatch are not ascending");
  program.instances.push_back(std::move(instance));
  return true;
}

std::string Decoder::decode(Attribute attribute) {
  auto all = dyn_cast_or_null<DictionaryAttr>(attribute);
  auto version = all ? all.getAs<IntegerAttr>("version") : nullptr;
  auto strings = all ? all.getAs<ArrayAttr>("strings") : nullptr;
  auto levels = all ? all.getAs<ArrayAttr>("levels") : nullptr;
  if (!version || !strings || !levels)
    return "its version, strings or levels are missing";
  if (version.getValue() != columns::kVersion)
    return "its version is unknown";
  for (const columns::Text &text : columns::kTexts)
    if (auto value = all.getAs<StringAttr>(text.name))
      program.*text.field = value.str();
  bool good = readStrings(strings);
  for (Attribute level : levels)
    good = good && readLevel(dyn_cast<DictionaryAttr>(level));
  if (auto probes = all.getAs<DictionaryAttr>("probes"))
    good = good && readProbes(probes);
  if (auto sites = all.getAs<ArrayAttr>("sites"))
    for (Attribute site : sites)
      good = good && readSite(dyn_cast<DictionaryAttr>(site));
  if (auto instances = all.getAs<ArrayAttr>("instances"))
    for (Attribute instance : instances)
      good = good && readInstance(dyn_cast<DictionaryAttr>(instance));
  return problem;
}

std::string transforms::decodeProgram(Attribute attribute, Program &program) {
  program = {};
  std::string problem = Decoder(program).decode(attribute);
  if (!problem.empty())
    program = {};
  return problem;
}
