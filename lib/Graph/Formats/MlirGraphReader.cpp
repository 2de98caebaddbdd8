//===- MlirGraphReader.cpp - Reading graphs from JSON ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/Format.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <simdjson.h>

using namespace mlirprof;
using namespace mlirprof::graph;

namespace {

/// A position in the text, formatted only for errors.
struct Place {
  const char *list = "";
  size_t index = 0;
  const char *member = "";

  std::string str() const {
    if (!*list)
      return "";
    return (llvm::Twine(": ") + list + "[" + llvm::Twine(index) + "]" + member)
        .str();
  }
};

class MlirGraphReader {
public:
  explicit MlirGraphReader(llvm::StringRef where) : where(where) {}

  llvm::Expected<Graph> read(llvm::StringRef text);

private:
  using Element = simdjson::dom::element;
  using Object = simdjson::dom::object;
  using Array = simdjson::dom::array;

  llvm::Error fail(const Place &place, const llvm::Twine &what) {
    return inputError(where + place.str(), what,
                      "A graph is {\"version\": \"1.0.0\", \"nodes\": [...], "
                      "\"edges\": [...]}, as docs/graph.md describes.");
  }
  llvm::Error readVersion(const Object &top);
  /// Reads the kind and the name.
  llvm::Error readKind(const Object &top);
  llvm::Error readNodes(const Array &array);
  llvm::Error readNode(const Object &object, const Place &place);
  llvm::Error readDetails(const Object &object, const Place &place, Node &node);
  llvm::Error readClusters(const Object &top);
  llvm::Error readCluster(const Object &object, const Place &place);
  llvm::Error readEdges(const Array &array);
  llvm::Error readAdjacent(const Array &nodes);
  /// Reads the integer member `key`, or leaves `value` unchanged if it is
  /// missing.
  template <typename Integer>
  llvm::Error readInteger(const Object &object, llvm::StringRef key,
                          const Place &place, Integer &value);
  /// Like readInteger, for 32-bit values.
  llvm::Error readNumber(const Object &object, llvm::StringRef key,
                         const Place &place, uint32_t &value);
  llvm::Error readText(const Object &object, llvm::StringRef key,
                       const Place &place, std::string &value);
  llvm::Error readFlag(const Object &object, llvm::StringRef key,
                       const Place &place, bool &value);
  /// The position of the node whose id `element` holds.
  llvm::Expected<uint32_t> findNode(simdjson::simdjson_result<Element> element,
                                    const Place &place);

  llvm::StringRef where;
  Graph graph;
  llvm::DenseMap<uint64_t, uint32_t> positions;
  /// The number of edges per pair not yet accounted for by `adj`.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> unseen;
};

} // namespace

template <typename Integer>
llvm::Error MlirGraphReader::readInteger(const Object &object,
                                         llvm::StringRef key,
                                         const Place &place, Integer &value) {
  simdjson::simdjson_result<Element> member =
      object.at_key(std::string_view(key.data(), key.size()));
  if (member.error() == simdjson::NO_SUCH_FIELD)
    return llvm::Error::success();
  if (member.get(value))
    return fail(place, "\"" + key + "\" is not an integer in range");
  return llvm::Error::success();
}

llvm::Error MlirGraphReader::readNumber(const Object &object,
                                        llvm::StringRef key, const Place &place,
                                        uint32_t &value) {
  uint64_t wide = value;
  if (llvm::Error error = readInteger(object, key, place, wide))
    return error;
  if (wide > std::numeric_limits<uint32_t>::max())
    return fail(place, "\"" + key + "\" is larger than 32 bits");
  value = uint32_t(wide);
  return llvm::Error::success();
}

llvm::Error MlirGraphReader::readText(const Object &object, llvm::StringRef key,
                                      const Place &place, std::string &value) {
  auto member = object.at_key(std::string_view(key.data(), key.size()));
  std::string_view text;
  if (member.error() == simdjson::NO_SUCH_FIELD)
    return llvm::Error::success();
  if (member.get(text))
    return fail(place, "\"" + key + "\" is not a string");
  value = std::string(text);
  return llvm::Error::success();
}

llvm::Error MlirGraphReader::readFlag(const Object &object, llvm::StringRef key,
                                      const Place &place, bool &value) {
  auto member = object.at_key(std::string_view(key.data(), key.size()));
  if (member.error() != simdjson::NO_SUCH_FIELD && member.get(value))
    return fail(place, "\"" + key + "\" is neither true nor false");
  return llvm::Error::success();
}

llvm::Error MlirGraphReader::readKind(const Object &top) {
  std::string name;
  if (llvm::Error error = readText(top, "kind", {}, name))
    return error;
  std::optional<GraphKind> kind = parseGraphKind(name);
  if (!kind && !name.empty())
    return fail({}, "kind \"" + name + "\" of the graph is not known");
  graph.kind = kind.value_or(GraphKind::Unknown);
  return readText(top, "name", {}, graph.name);
}

llvm::Error MlirGraphReader::readDetails(const Object &object,
                                         const Place &place, Node &node) {
  node.measured = node.durationPs != 0;
  for (auto [key, value] :
       {std::pair("detail", &node.detail), std::pair("tooltip", &node.tooltip)})
    if (llvm::Error error = readText(object, key, place, *value))
      return error;
  for (auto [key, value] : {std::pair("measured", &node.measured),
                            std::pair("incidental", &node.incidental)})
    if (llvm::Error error = readFlag(object, key, place, *value))
      return error;
  for (auto [key, value] : {std::pair("estimated", &node.estimatedPs),
                            std::pair("split", &node.splitPs),
                            std::pair("inclusive", &node.inclusivePs)})
    if (llvm::Error error = readInteger(object, key, place, *value))
      return error;
  for (auto [key, value] : {std::pair("cluster", &node.cluster),
                            std::pair("instanceOf", &node.instanceOf),
                            std::pair("places", &node.places)})
    if (llvm::Error error = readNumber(object, key, place, *value))
      return error;
  return readInteger(object, "calls", place, node.calls);
}

llvm::Error MlirGraphReader::readCluster(const Object &object,
                                         const Place &place) {
  Cluster cluster;
  if (llvm::Error error = readText(object, "name", place, cluster.name))
    return error;
  if (llvm::Error error = readNumber(object, "parent", place, cluster.parent))
    return error;
  if (llvm::Error error =
          readFlag(object, "runsInOrder", place, cluster.runsInOrder))
    return error;
  if (cluster.parent != kNoCluster && cluster.parent >= graph.clusters.size())
    return fail(place, "\"parent\" is not the position of an earlier cluster");
  if (auto owner = object.at_key("owner");
      owner.error() != simdjson::NO_SUCH_FIELD) {
    llvm::Expected<uint32_t> node =
        findNode(owner, {"clusters", place.index, ".owner"});
    if (!node)
      return node.takeError();
    cluster.owner = *node;
  }
  graph.clusters.push_back(std::move(cluster));
  return llvm::Error::success();
}

/// Reads the clusters, and checks the clusters that nodes refer to.
llvm::Error MlirGraphReader::readClusters(const Object &top) {
  Array clusters;
  auto member = top.at_key("clusters");
  if (member.error() != simdjson::NO_SUCH_FIELD && member.get(clusters))
    return fail({}, "\"clusters\" is not a list");
  if (!member.error())
    for (Element element : clusters) {
      Place place = {"clusters", graph.clusters.size(), ""};
      Object object;
      if (element.get(object))
        return fail(place, "is not an object");
      if (llvm::Error error = readCluster(object, place))
        return error;
    }
  for (auto [position, node] : llvm::enumerate(graph.nodes))
    if (node.cluster != kNoCluster && node.cluster >= graph.clusters.size())
      return fail({"nodes", position, ".cluster"},
                  "there is no cluster " + llvm::Twine(node.cluster));
  return llvm::Error::success();
}

llvm::Error MlirGraphReader::readVersion(const Object &top) {
  std::string_view version;
  if (top.at_key("version").get(version))
    return fail({}, "this is not a graph: \"version\" is missing");
  if (version.substr(0, 2) != "1.")
    return inputError(where,
                      "version " +
                          llvm::StringRef(version.data(), version.size()) +
                          " of the graph is not known",
                      "This program reads version 1.");
  return llvm::Error::success();
}

llvm::Error MlirGraphReader::readNode(const Object &object,
                                      const Place &place) {
  Node node;
  uint64_t id = ~uint64_t(0);
  std::string_view name;
  if (object.at_key("name").get(name))
    return fail(place, "\"name\" is missing or not a string");
  node.name = std::string(name);
  if (llvm::Error error = readInteger(object, "id", place, id))
    return error;
  if (id > std::numeric_limits<uint32_t>::max())
    return fail(place, "\"id\" is missing or larger than 32 bits");
  node.id = uint32_t(id);
  if (llvm::Error error = readInteger(object, "ts", place, node.beginPs))
    return error;
  if (llvm::Error error =
          readInteger(object, "duration", place, node.durationPs))
    return error;
  if (llvm::Error error = readDetails(object, place, node))
    return error;
  if (!positions.try_emplace(id, uint32_t(graph.nodes.size())).second)
    return fail(place, "\"id\" " + llvm::Twine(id) + " occurs twice");
  graph.nodes.push_back(std::move(node));
  return llvm::Error::success();
}

llvm::Error MlirGraphReader::readNodes(const Array &array) {
  size_t position = 0;
  for (Element element : array) {
    Place place = {"nodes", position++, ""};
    Object object;
    if (element.get(object))
      return fail(place, "is not an object");
    if (llvm::Error error = readNode(object, place))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<uint32_t>
MlirGraphReader::findNode(simdjson::simdjson_result<Element> element,
                          const Place &place) {
  uint64_t id;
  if (element.get(id))
    return fail(place, "is not the id of a node");
  // The map reserves the largest values for its empty slots.
  if (id <= std::numeric_limits<uint32_t>::max())
    if (auto it = positions.find(id); it != positions.end())
      return it->second;
  return fail(place, "there is no node with id " + llvm::Twine(id));
}

llvm::Error MlirGraphReader::readEdges(const Array &array) {
  size_t position = 0;
  for (Element element : array) {
    Place place = {"edges", position++, ""};
    Object object;
    if (element.get(object))
      return fail(place, "is not an object");
    llvm::Expected<uint32_t> from = findNode(
        object.at_key("edgeFrom"), {"edges", place.index, ".edgeFrom"});
    if (!from)
      return from.takeError();
    llvm::Expected<uint32_t> to =
        findNode(object.at_key("edgeTo"), {"edges", place.index, ".edgeTo"});
    if (!to)
      return to.takeError();
    graph.edges.push_back({*from, *to});
    ++unseen[{*from, *to}];
  }
  return llvm::Error::success();
}

llvm::Error MlirGraphReader::readAdjacent(const Array &nodes) {
  uint32_t from = 0;
  for (Element element : nodes) {
    Place place = {"nodes", from, ".adj"};
    Array adjacent;
    simdjson::simdjson_result<Element> member = element.at_key("adj");
    if (!member.error() && member.get(adjacent))
      return fail(place, "is not a list");
    if (!member.error())
      for (Element id : adjacent) {
        llvm::Expected<uint32_t> to =
            findNode(simdjson::simdjson_result<Element>(Element(id)), place);
        if (!to)
          return to.takeError();
        auto it = unseen.find({from, *to});
        if (it != unseen.end() && it->second > 0)
          --it->second;
        else
          graph.edges.push_back({from, *to});
      }
    ++from;
  }
  return llvm::Error::success();
}

llvm::Expected<Graph> MlirGraphReader::read(llvm::StringRef text) {
  simdjson::dom::parser parser;
  Element root;
  if (simdjson::error_code error =
          parser.parse(text.data(), text.size()).get(root))
    return fail({}, llvm::Twine("this is not JSON: ") +
                        simdjson::error_message(error));
  Object top;
  if (root.get(top))
    return fail({}, "this is not a graph: it is not an object");
  if (llvm::Error error = readVersion(top))
    return std::move(error);
  if (llvm::Error error = readKind(top))
    return std::move(error);
  Array nodes, edges;
  if (top.at_key("nodes").get(nodes))
    return fail({}, "\"nodes\" is missing or not a list");
  if (llvm::Error error = readNodes(nodes))
    return std::move(error);
  simdjson::simdjson_result<Element> edgeList = top.at_key("edges");
  if (!edgeList.error()) {
    if (edgeList.get(edges))
      return fail({}, "\"edges\" is not a list");
    if (llvm::Error error = readEdges(edges))
      return std::move(error);
  }
  if (llvm::Error error = readAdjacent(nodes))
    return std::move(error);
  if (llvm::Error error = readClusters(top))
    return std::move(error);
  return std::move(graph);
}

llvm::Expected<Graph> graph::readMlirGraph(llvm::StringRef text,
                                           llvm::StringRef where) {
  return MlirGraphReader(where).read(text);
}
