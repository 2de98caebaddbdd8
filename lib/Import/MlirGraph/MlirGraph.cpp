//===- MlirGraph.cpp - Graphs with times, as recordings -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphs as `mlir-prof graph --format=mlirgraph` writes them (docs/graph.md):
// each node with a duration is a measured op. Edges are ignored.
//
//===----------------------------------------------------------------------===//

#include "../Common/FreeLanes.h"
#include "../Common/Json/ArrayReader.h"
#include "../Common/Json/Decimal.h"
#include "../Common/Json/Text.h"
#include "../Common/Lanes.h"
#include "../Common/Table/Totals.h"
#include "../Events/NamedKey.h"
#include "../Importers.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

static bool detect(StringRef bytes) {
  // Edges may come first, before the nodes.
  if (json::peekArray(bytes, "edges", 1 << 10).contains("\"edgeFrom\"") &&
      !bytes.ltrim().starts_with("["))
    return true;
  StringRef nodes = json::peekArray(bytes, "nodes").take_front(1 << 14);
  if (nodes.empty() || bytes.ltrim().starts_with("["))
    return false;
  if (nodes.drop_front().ltrim().starts_with("]"))
    return json::hasKeyBefore(bytes, "nodes", "version");
  return nodes.contains("\"name\"") && nodes.contains("\"duration\"");
}

namespace {

/// A node as written in the file; texts without quotes.
struct RawNode {
  StringRef name;
  StringRef begin;
  StringRef duration;
  StringRef id;
  /// For further instances of an op, the id of the first one.
  StringRef instanceOf;
};

class Reader {
public:
  Reader(const ImportInput &input, ProfileBuilder &builder)
      : input(input), builder(builder), totals(builder) {}
  llvm::Error read();

private:
  void readMember(StringRef key, StringRef value);
  simdjson::error_code readNode(simdjson::ondemand::object &object);
  void addNode(const RawNode &node);
  void finish();

  const ImportInput &input;
  ProfileBuilder &builder;
  table::Totals totals;
  LaneEvents events;
  std::string otherVersion;
};

} // namespace

void Reader::readMember(StringRef key, StringRef value) {
  // Others are large: "edges" may be most of the file.
  if (key != "version")
    return;
  std::string version = json::unescape(json::stripQuotes(value));
  if (!StringRef(version).starts_with("1."))
    otherVersion = StringRef(version).take_front(40).str();
}

simdjson::error_code Reader::readNode(simdjson::ondemand::object &object) {
  RawNode node;
  for (auto entry : object) {
    simdjson::ondemand::field field;
    if (auto error = std::move(entry).get(field))
      return error;
    json::RawKey key(field.key());
    StringRef *text = key == "name"         ? &node.name
                      : key == "ts"         ? &node.begin
                      : key == "duration"   ? &node.duration
                      : key == "id"         ? &node.id
                      : key == "instanceOf" ? &node.instanceOf
                                            : nullptr;
    if (text)
      *text = json::stripQuotes(json::getToken(field.value()));
  }
  addNode(node);
  return simdjson::SUCCESS;
}

/// Reads a number of picoseconds; without one, `ps` does not change.
static bool readPs(StringRef text, int64_t &ps) {
  json::WidePs wide = ps;
  if (!text.empty() &&
      !json::parseDecimalTime(text, json::DecimalUnit::Picoseconds, wide))
    return false;
  if (wide < std::numeric_limits<int64_t>::min() ||
      wide > std::numeric_limits<int64_t>::max())
    return false;
  ps = int64_t(wide);
  return true;
}

void Reader::addNode(const RawNode &node) {
  int64_t beginPs = 0, durationPs = 0;
  if (!readPs(node.duration, durationPs))
    return builder.loss(
        "node whose duration is not a number of picoseconds, left out", 1, 0);
  if (durationPs < 0)
    return builder.loss("node with a negative duration, left out", 1, 0);
  // It was not measured.
  if (durationPs == 0)
    return;
  if (node.name.empty())
    return builder.loss("node without a name, left out", 1, durationPs);
  if (!readPs(node.begin, beginPs))
    builder.loss("node whose begin is not a number of picoseconds, taken as 0",
                 1, durationPs);
  std::string name = json::unescape(node.name);
  OpKey key = makeNamedKey(name);
  uint32_t id;
  // Instances of an op are the same op of the module.
  if (json::getInteger(node.instanceOf, id) || json::getInteger(node.id, id))
    key.get<GraphNodeKey>().number = id;
  else
    builder.loss("node without an id of 32 bits, known by its name alone", 1,
                 durationPs);
  LaneEvent event;
  event.beginPs = beginPs;
  event.endPs = saturatingAdd(beginPs, durationPs);
  event.name = builder.addName(name);
  event.op = builder.addOpKey(key);
  // Nodes may be sums of executions that overlap: the time of each is self
  // time.
  if (totals.add(std::move(key), table::makeEvenSummary(1, durationPs)))
    events.push_back(event);
}

void Reader::finish() {
  builder.getRun().clock.name = "times of the graph";
  if (events.empty())
    return builder.loss("graph without a node that was measured", 1, 0);
  llvm::sort(events, [](const LaneEvent &a, const LaneEvent &b) {
    return isBefore(a, b) || (!isBefore(b, a) && a.op < b.op);
  });
  FreeLanes free;
  std::vector<Lane> lanes;
  for (const LaneEvent &event : events) {
    size_t number = free.take(event.beginPs, event.endPs);
    if (number == lanes.size()) {
      Track track;
      track.line = uint32_t(number);
      track.name = number ? "nodes " + std::to_string(number + 1) : "nodes";
      lanes.push_back({builder.addTrack(std::move(track)), {}});
    }
    lanes[number].events.push_back(event);
  }
  emitLanes(lanes, builder);
  totals.finish();
}

llvm::Error Reader::read() {
  json::ArrayReader reader(input, builder);
  if (llvm::Error error = reader.read(
          "nodes",
          [&](StringRef key, StringRef value) { readMember(key, value); },
          [&](simdjson::ondemand::object &node) { return readNode(node); }))
    return error;
  if (!otherVersion.empty())
    return inputError(input.where,
                      "version " + otherVersion + " of the graph is not known",
                      "This program reads version 1.");
  finish();
  return llvm::Error::success();
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  return Reader(input, builder).read();
}

Importer importer::MlirGraph() {
  Importer importer = {
      "mlirgraph", "graphs with times, written by mlir-prof graph and others",
      detect, read};
  importer.inflatesWhileReading = true;
  return importer;
}
