//===- Model.cpp - The graphs of an ONNX model ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "../Common/WireProbe.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/MemoryBudget.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::onnx;
using llvm::StringRef;

/// Limit on nested graphs; models have two or three levels.
static constexpr size_t kMostLevels = 16;
/// Limit on the memory for the names of a model: some millions of nodes.
static constexpr uint64_t kMostMemory = uint64_t(1) << 30;

std::string onnx::getShownName(const Node &node, size_t position) {
  if (!node.name.empty())
    return node.name.str();
  return (node.type + "_" + llvm::Twine(position)).str();
}

namespace {

/// Numbers of fields, from onnx.proto.
enum ModelField : uint64_t { kModelGraph = 7 };
enum GraphField : uint64_t { kGraphNode = 1 };
enum NodeField : uint64_t {
  kNodeInput = 1,
  kNodeOutput = 2,
  kNodeName = 3,
  kNodeType = 4,
  kNodeAttribute = 5,
  kNodeDomain = 7,
};
enum AttributeField : uint64_t {
  kAttributeName = 1,
  kAttributeGraph = 6,
  kAttributeGraphs = 11,
};

class ModelReader {
public:
  ModelReader(StringRef bytes, StringRef where)
      : bytes(bytes), where(where), budget(kMostMemory) {}

  llvm::Expected<Model> read();

private:
  /// A graph within a node, not read yet.
  struct Inner {
    std::string attribute;
    StringRef message;
  };

  template <typename Read>
  llvm::Error readFields(StringRef message, Read &&read);
  llvm::Error readGraph(StringRef message, uint32_t graph);
  llvm::Error readNode(StringRef message, uint32_t graph);
  llvm::Error readAttribute(StringRef message, std::vector<Inner> &inner);
  llvm::Error charge(StringRef at, uint64_t size);
  llvm::Error fail(const char *at, const llvm::Twine &what,
                   const llvm::Twine &hint) const;

  StringRef bytes;
  StringRef where;
  MemoryBudget budget;
  Model model;
};

llvm::Error ModelReader::fail(const char *at, const llvm::Twine &what,
                              const llvm::Twine &hint) const {
  return inputError(where + ": byte " + llvm::Twine(at - bytes.begin()), what,
                    hint);
}

/// Calls `read(field)` for each field of bytes.
template <typename Read>
llvm::Error ModelReader::readFields(StringRef message, Read &&read) {
  WireProbe probe(message);
  const char *at = message.begin();
  while (probe.next()) {
    if (probe.isCut())
      break;
    if (probe.type() != WireProbe::Type::Bytes)
      continue;
    at = probe.bytes().end();
    if (llvm::Error error = read(probe))
      return error;
  }
  if (probe.isCut())
    return fail(at, "ends within a field of an ONNX model",
                "The file was cut off; copy or export it again.");
  if (probe.isBroken())
    return fail(at, "is not an ONNX model: it contains an invalid field",
                "Give the *.onnx file passed to ONNX Runtime, or the one that "
                "it wrote to optimized_model_filepath.");
  return llvm::Error::success();
}

llvm::Error ModelReader::charge(StringRef at, uint64_t size) {
  if (budget.charge(size))
    return llvm::Error::success();
  return fail(at.begin(), "has too many names of nodes and values",
              "Models with millions of nodes are not supported.");
}

llvm::Error ModelReader::readAttribute(StringRef message,
                                       std::vector<Inner> &inner) {
  StringRef name;
  size_t first = inner.size();
  if (llvm::Error error = readFields(message, [&](const WireProbe &field) {
        if (field.number() == kAttributeName)
          name = field.bytes();
        else if (field.number() == kAttributeGraph ||
                 field.number() == kAttributeGraphs)
          inner.push_back({"", field.bytes()});
        return llvm::Error::success();
      }))
    return error;
  for (size_t i = first; i != inner.size(); ++i)
    inner[i].attribute = (name + "#" + llvm::Twine(i - first)).str();
  return llvm::Error::success();
}

llvm::Error ModelReader::readNode(StringRef message, uint32_t graph) {
  if (llvm::Error error = charge(message, sizeof(Node)))
    return error;
  Node node;
  std::vector<Inner> inner;
  auto read = [&](const WireProbe &field) -> llvm::Error {
    StringRef text = field.bytes();
    switch (field.number()) {
    case kNodeInput:
      node.inputs.push_back(text);
      return charge(text, 2 * sizeof(StringRef));
    case kNodeOutput:
      node.outputs.push_back(text);
      return charge(text, 2 * sizeof(StringRef));
    case kNodeName:
      node.name = text;
      break;
    case kNodeType:
      node.type = text;
      break;
    case kNodeDomain:
      node.domain = text;
      break;
    case kNodeAttribute:
      return readAttribute(text, inner);
    default:
      break;
    }
    return llvm::Error::success();
  };
  if (llvm::Error error = readFields(message, read))
    return error;
  // Add the node to its graph, then the graphs within it, whose callers end
  // with this node.
  std::vector<std::string> callers = model.graphs[graph].callers;
  callers.push_back(getShownName(node, model.graphs[graph].nodes.size()));
  model.graphs[graph].nodes.push_back(std::move(node));
  if (!inner.empty() && callers.size() >= kMostLevels)
    return fail(message.begin(), "nests graphs within nodes too deeply",
                "At most 16 levels are read.");
  for (Inner &found : inner) {
    uint64_t size = sizeof(Graph);
    for (const std::string &caller : callers)
      size += sizeof(caller) + caller.size();
    if (llvm::Error error = charge(message, size))
      return error;
    model.graphs.push_back({callers, std::move(found.attribute), {}});
    if (llvm::Error error =
            readGraph(found.message, uint32_t(model.graphs.size() - 1)))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error ModelReader::readGraph(StringRef message, uint32_t graph) {
  return readFields(message, [&](const WireProbe &field) {
    return field.number() == kGraphNode ? readNode(field.bytes(), graph)
                                        : llvm::Error::success();
  });
}

llvm::Expected<Model> ModelReader::read() {
  model.graphs.emplace_back();
  if (llvm::Error error = readFields(bytes, [&](const WireProbe &field) {
        return field.number() == kModelGraph ? readGraph(field.bytes(), 0)
                                             : llvm::Error::success();
      }))
    return std::move(error);
  if (model.graphs.front().nodes.empty())
    return inputError(where, "does not contain nodes of an ONNX model",
                      "Give the *.onnx file passed to ONNX Runtime.");
  return std::move(model);
}

} // namespace

llvm::Expected<Model> onnx::readModel(StringRef bytes, StringRef where) {
  return ModelReader(bytes, where).read();
}
