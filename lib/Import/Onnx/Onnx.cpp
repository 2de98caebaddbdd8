//===- Onnx.cpp - Origins of optimized ONNX graphs ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Import/Onnx.h"
#include "Clusters.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

/// A model, with the bytes that contain its names.
struct OpenModel {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  onnx::Model model;
};

llvm::Expected<OpenModel> openModel(StringRef path) {
  auto buffer = openPlainInput(path);
  if (!buffer)
    return buffer.takeError();
  OpenModel opened;
  opened.buffer = std::move(*buffer);
  auto model = unlessChanged(*opened.buffer,
                             onnx::readModel(opened.buffer->getBuffer(), path));
  if (!model)
    return model.takeError();
  opened.model = std::move(*model);
  return std::move(opened);
}

/// A node by its graph and its position there.
struct Place {
  uint32_t graph;
  uint32_t node;
};

std::string joinText(llvm::ArrayRef<std::string> callers, StringRef last) {
  std::string text;
  for (const std::string &caller : callers)
    text += std::to_string(caller.size()) + '/' + caller;
  text += last;
  return text;
}

/// The nodes of a model by their names in recordings.
class NodeTable {
public:
  explicit NodeTable(const onnx::Model &model) : model(model) {
    for (auto [graph, content] : llvm::enumerate(model.graphs)) {
      std::string around = joinText(content.callers, "");
      graphs.try_emplace(around + '\0' + content.attribute, uint32_t(graph));
      for (auto [position, node] : llvm::enumerate(content.nodes))
        places[around + '\0' + onnx::getShownName(node, position)].push_back(
            {uint32_t(graph), uint32_t(position)});
    }
  }

  llvm::ArrayRef<Place> find(llvm::ArrayRef<std::string> callers,
                             StringRef name) const {
    auto it = places.find(joinText(callers, "") + '\0' + name.str());
    return it == places.end() ? llvm::ArrayRef<Place>()
                              : llvm::ArrayRef<Place>(it->second);
  }
  /// The graph of another model at the same place as `graph`.
  std::optional<uint32_t> findGraph(const onnx::Graph &graph) const {
    auto it = graphs.find(joinText(graph.callers, "") + '\0' + graph.attribute);
    return it == graphs.end() ? std::nullopt : std::optional(it->second);
  }
  const onnx::Graph &getGraph(uint32_t graph) const {
    return model.graphs[graph];
  }
  const onnx::Node &get(Place place) const {
    return model.graphs[place.graph].nodes[place.node];
  }
  size_t size() const { return model.graphs.size(); }

private:
  const onnx::Model &model;
  llvm::StringMap<uint32_t> graphs;
  llvm::StringMap<std::vector<Place>> places;
};

class OriginFinder {
public:
  OriginFinder(const onnx::Model &original, const onnx::Model *optimized);

  /// Sets the origin of `key`; false if the models do not contain it.
  bool find(OpKey &key) const;

private:
  llvm::SmallVector<Place> findOptimized(llvm::ArrayRef<std::string> callers,
                                         StringRef name) const;
  std::optional<Place> findNameless(Place place) const;
  OriginNode describe(Place place) const;
  static void add(NodeOrigins &origins, OriginKind kind, OriginNode node);

  NodeTable original;
  std::optional<NodeTable> optimized;
  /// By graph and node of the optimized model; nodes belong to
  /// `originalGraphs`.
  std::vector<std::vector<onnx::NodeOrigin>> origins;
  std::vector<uint32_t> originalGraphs;
  /// By graph and node of the original: its ordinal among nodes of its type,
  /// and their number.
  std::vector<std::vector<uint32_t>> ordinals;
  std::vector<llvm::StringMap<uint32_t>> alike;
};

OriginFinder::OriginFinder(const onnx::Model &originalModel,
                           const onnx::Model *optimizedModel)
    : original(originalModel) {
  for (const onnx::Graph &graph : originalModel.graphs) {
    llvm::StringMap<uint32_t> &count = alike.emplace_back();
    std::vector<uint32_t> &ordinal = ordinals.emplace_back();
    for (const onnx::Node &node : graph.nodes)
      ordinal.push_back(count[node.type]++);
  }
  if (!optimizedModel)
    return;
  optimized.emplace(*optimizedModel);
  for (const onnx::Graph &graph : optimizedModel->graphs) {
    std::optional<uint32_t> found = original.findGraph(graph);
    originalGraphs.push_back(found.value_or(0));
    origins.push_back(found
                          ? onnx::findOrigins(original.getGraph(*found), graph)
                          : std::vector<onnx::NodeOrigin>(graph.nodes.size()));
  }
}

/// The optimized counterpart of a nameless original node: such nodes are
/// identified by positions, which differ in the file that ONNX Runtime wrote.
std::optional<Place> OriginFinder::findNameless(Place place) const {
  const onnx::Node &node = original.get(place);
  if (!node.name.empty() || node.outputs.empty())
    return std::nullopt;
  for (uint32_t graph = 0; graph != optimized->size(); ++graph) {
    if (originalGraphs[graph] != place.graph)
      continue;
    llvm::ArrayRef<onnx::Node> nodes = optimized->getGraph(graph).nodes;
    for (uint32_t position = 0; position != nodes.size(); ++position)
      if (nodes[position].name.empty() && nodes[position].type == node.type &&
          nodes[position].outputs == node.outputs)
        return Place{graph, position};
  }
  return std::nullopt;
}

llvm::SmallVector<Place>
OriginFinder::findOptimized(llvm::ArrayRef<std::string> callers,
                            StringRef name) const {
  llvm::SmallVector<Place> places;
  for (Place place : original.find(callers, name))
    if (std::optional<Place> left = findNameless(place))
      places.push_back(*left);
  if (!places.empty())
    return places;
  for (Place place : optimized->find(callers, name))
    if (!optimized->get(place).name.empty())
      places.push_back(place);
  return places;
}

OriginNode OriginFinder::describe(Place place) const {
  const onnx::Node &node = original.get(place);
  OriginNode origin;
  origin.name = node.name.str();
  origin.type = node.type.str();
  origin.ordinal = ordinals[place.graph][place.node];
  origin.alike = alike[place.graph].lookup(node.type);
  return origin;
}

void OriginFinder::add(NodeOrigins &origins, OriginKind kind, OriginNode node) {
  origins.kind = std::max(origins.kind, kind);
  // Both branches of an If may contain nodes of the same name.
  bool isKnown = llvm::any_of(origins.nodes, [&](const OriginNode &other) {
    return other.name == node.name && other.type == node.type &&
           other.ordinal == node.ordinal;
  });
  if (!isKnown)
    origins.nodes.push_back(std::move(node));
}

bool OriginFinder::find(OpKey &key) const {
  auto &details = key.get<OnnxNodeKey>();
  StringRef name = key.op;
  for (const std::string &caller : details.callers)
    name.consume_front(caller + "/");
  bool isFound = false;
  if (!optimized) {
    for (Place place : original.find(details.callers, name)) {
      add(details.origins, OriginKind::SameName, describe(place));
      isFound = true;
    }
    return isFound;
  }
  for (Place place : findOptimized(details.callers, name)) {
    const onnx::NodeOrigin &origin = origins[place.graph][place.node];
    details.origins.kind = std::max(details.origins.kind, origin.kind);
    for (uint32_t node : origin.nodes)
      add(details.origins, origin.kind,
          describe({originalGraphs[place.graph], node}));
    isFound = true;
  }
  return isFound;
}

llvm::Error foreignModel(StringRef path) {
  return inputError(
      path, "does not contain any of the measured nodes",
      "With --onnx, give the model passed to ONNX Runtime; with "
      "--onnx-optimized, the one that it wrote to optimized_model_filepath in "
      "a session with the same options.");
}

} // namespace

llvm::Expected<OnnxCounts> importer::addOnnxOrigins(Profile &profile,
                                                    StringRef originalPath,
                                                    StringRef optimizedPath) {
  auto original = openModel(originalPath);
  if (!original)
    return original.takeError();
  std::optional<OpenModel> optimized;
  if (!optimizedPath.empty()) {
    auto opened = openModel(optimizedPath);
    if (!opened)
      return opened.takeError();
    optimized = std::move(*opened);
  }
  OriginFinder finder(original->model, optimized ? &optimized->model : nullptr);
  OnnxCounts counts;
  for (OpKey &key : profile.opKeys) {
    const auto *node = key.getIf<OnnxNodeKey>();
    if (!node)
      continue;
    ++counts.measured;
    if (node->origins.kind != OriginKind::Unknown || finder.find(key))
      ++counts.found;
  }
  // Names refer to the bytes of the files.
  for (const OpenModel *opened :
       {&*original, optimized ? &*optimized : nullptr})
    if (opened)
      if (llvm::Error error = checkUnchanged(*opened->buffer))
        return std::move(error);
  if (counts.measured == 0)
    return inputError(originalPath,
                      "cannot be used: no node of an ONNX model was measured",
                      "ONNX models belong to profiles of ONNX Runtime.");
  if (counts.found == 0)
    return foreignModel(optimizedPath.empty() ? originalPath : optimizedPath);
  return counts;
}
