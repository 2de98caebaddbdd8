//===- ProgramEncoder.cpp - Encoding a program as attributes --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramAttribute.h"
#include "ProgramColumns.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

/// A column of one field of `rows`.
template <typename Array, typename Row, typename Get>
static Attribute encode(MLIRContext *context, ArrayRef<Row> rows, Get get) {
  using Element = std::decay_t<decltype(get(rows.front()))>;
  SmallVector<Element> values(llvm::map_range(rows, get));
  return Array::get(context, values);
}

template <typename Row>
static Attribute encode(MLIRContext *context, ArrayRef<Row> rows,
                        uint32_t Row::*field) {
  return encode<DenseI32ArrayAttr>(
      context, rows, [field](const Row &row) { return int32_t(row.*field); });
}

static void encodeList(Builder &builder, ArrayRef<ProgramNode> nodes,
                       const columns::ListColumn &column,
                       NamedAttrList &entries) {
  SmallVector<int32_t> lengths, values;
  for (const ProgramNode &node : nodes) {
    const std::vector<uint32_t> &list = node.*column.field;
    lengths.push_back(int32_t(list.size()));
    values.append(list.begin(), list.end());
  }
  // Most levels do not have callers.
  if (values.empty())
    return;
  entries.set(column.lengths, builder.getDenseI32ArrayAttr(lengths));
  entries.set(column.name, builder.getDenseI32ArrayAttr(values));
}

DictionaryAttr transforms::encodeLevel(MLIRContext *context, StringRef name,
                                       ArrayRef<ProgramNode> nodes) {
  Builder builder(context);
  NamedAttrList entries;
  entries.set("level", builder.getStringAttr(name));
  entries.set("kind", encode<DenseI8ArrayAttr>(context, nodes,
                                               [](const ProgramNode &node) {
                                                 return int8_t(node.kind);
                                               }));
  for (const auto &column : columns::kNodes)
    entries.set(column.name, encode(context, nodes, column.field));
  entries.set(
      "cost",
      encode<DenseI64ArrayAttr>(context, nodes, [](const ProgramNode &node) {
        return int64_t(std::min<uint64_t>(node.cost, INT64_MAX));
      }));
  entries.set("trips", encode<DenseI64ArrayAttr>(
                           context, nodes,
                           [](const ProgramNode &node) { return node.trips; }));
  for (const columns::ListColumn &column : columns::kLists)
    encodeList(builder, nodes, column, entries);
  return entries.getDictionary(context);
}

static DictionaryAttr encodeProbes(MLIRContext *context,
                                   ArrayRef<ProgramProbe> probes) {
  NamedAttrList entries;
  entries.set(
      StringRef("kind"),
      encode<DenseI8ArrayAttr>(context, probes, [](const ProgramProbe &probe) {
        return int8_t(probe.kind);
      }));
  for (const auto &column : columns::kProbes)
    entries.set(column.name, encode(context, probes, column.field));
  return entries.getDictionary(context);
}

static Attribute encodeSite(Builder &builder, const ValueSite &site) {
  SmallVector<StringRef> names(site.names.begin(), site.names.end());
  NamedAttrList entries;
  entries.set("kind", builder.getI8IntegerAttr(int8_t(site.kind)));
  entries.set("node", builder.getI32IntegerAttr(int32_t(site.node)));
  entries.set("names", builder.getStrArrayAttr(names));
  return entries.getDictionary(builder.getContext());
}

static Attribute encodeInstance(Builder &builder,
                                const ProgramInstance &instance) {
  SmallVector<int32_t> origins;
  for (auto [op, origin] : instance.origins)
    origins.append({int32_t(op), int32_t(origin)});
  NamedAttrList entries;
  entries.set("node", builder.getI32IntegerAttr(int32_t(instance.node)));
  entries.set("kernel", builder.getI32IntegerAttr(int32_t(instance.kernel)));
  entries.set("origins", builder.getDenseI32ArrayAttr(origins));
  return entries.getDictionary(builder.getContext());
}

static Attribute encodeLevels(Builder &builder, const Program &program) {
  std::vector<SmallVector<ProgramNode, 0>> byLevel(program.levels.size());
  for (const ProgramNode &node : program.nodes)
    if (node.level < byLevel.size())
      byLevel[node.level].push_back(node);
  SmallVector<Attribute> levels;
  for (auto [name, nodes] : llvm::zip_equal(program.levels, byLevel))
    levels.push_back(encodeLevel(builder.getContext(), name, nodes));
  return builder.getArrayAttr(levels);
}

DictionaryAttr transforms::encodeProgram(MLIRContext *context,
                                         const Program &program) {
  Builder builder(context);
  NamedAttrList entries;
  entries.set("version", builder.getI32IntegerAttr(columns::kVersion));
  for (const columns::Text &text : columns::kTexts)
    if (!(program.*text.field).empty())
      entries.set(text.name, builder.getStringAttr(program.*text.field));
  SmallVector<Attribute> strings;
  for (const std::string &text : program.strings)
    strings.push_back(builder.getStringAttr(text));
  if (strings.empty())
    strings.push_back(builder.getStringAttr(""));
  entries.set("strings", builder.getArrayAttr(strings));
  entries.set("levels", encodeLevels(builder, program));
  if (!program.probes.empty())
    entries.set("probes",
                encodeProbes(context, ArrayRef<ProgramProbe>(program.probes)));
  if (!program.sites.empty())
    entries.set("sites", builder.getArrayAttr(llvm::map_to_vector(
                             program.sites, [&](const ValueSite &site) {
                               return encodeSite(builder, site);
                             })));
  if (!program.instances.empty())
    entries.set("instances",
                builder.getArrayAttr(llvm::map_to_vector(
                    program.instances, [&](const ProgramInstance &instance) {
                      return encodeInstance(builder, instance);
                    })));
  return entries.getDictionary(context);
}

std::string ProgramAppender::open(Attribute attribute) {
  if (!attribute)
    return {};
  before = dyn_cast<DictionaryAttr>(attribute);
  auto version = before ? before.getAs<IntegerAttr>("version") : nullptr;
  auto allStrings = before ? before.getAs<ArrayAttr>("strings") : nullptr;
  auto allLevels = before ? before.getAs<ArrayAttr>("levels") : nullptr;
  if (!version || !allStrings || !allLevels)
    return "its version, strings or levels are missing";
  if (version.getValue() != columns::kVersion)
    return "its version is unknown";
  for (Attribute text : allStrings) {
    if (!isa<StringAttr>(text))
      return "an element of its strings is not a string";
    numbers.try_emplace(text, uint32_t(strings.size()));
    strings.push_back(text);
  }
  if (strings.empty() || !cast<StringAttr>(strings.front()).empty())
    return "its first string is not empty";
  for (Attribute entry : allLevels) {
    auto level = dyn_cast<DictionaryAttr>(entry);
    auto ops = level ? level.getAs<DenseI32ArrayAttr>("op") : nullptr;
    if (!ops || !level.getAs<StringAttr>("level"))
      return "a level lacks a name or nodes";
    nodes += uint64_t(ops.size());
    levels.push_back(level);
  }
  return {};
}

bool ProgramAppender::hasLevel(StringRef name) const {
  return llvm::any_of(levels, [&](Attribute level) {
    return cast<DictionaryAttr>(level).getAs<StringAttr>("level") == name;
  });
}

uint32_t ProgramAppender::intern(StringAttr text) {
  if (strings.empty()) {
    strings.push_back(StringAttr::get(text.getContext(), ""));
    numbers.try_emplace(strings.front(), 0);
  }
  auto [entry, isNew] = numbers.try_emplace(text, uint32_t(strings.size()));
  if (isNew)
    strings.push_back(text);
  return entry->second;
}

std::vector<std::string> ProgramAppender::getStrings(MLIRContext *context) {
  intern(StringAttr::get(context, ""));
  std::vector<std::string> texts;
  for (Attribute text : strings)
    texts.push_back(cast<StringAttr>(text).str());
  return texts;
}

DictionaryAttr ProgramAppender::append(MLIRContext *context,
                                       DictionaryAttr level) {
  Builder builder(context);
  intern(builder.getStringAttr(""));
  levels.push_back(level);
  NamedAttrList entries(before);
  entries.set("version", builder.getI32IntegerAttr(columns::kVersion));
  entries.set("strings", builder.getArrayAttr(strings));
  entries.set("levels", builder.getArrayAttr(levels));
  return entries.getDictionary(context);
}
