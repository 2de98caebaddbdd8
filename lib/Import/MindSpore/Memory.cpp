//===- Memory.cpp - The memory that graphs were planned to take -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Host.h"
#include "mlir-prof/Support/ProtoReader.h"

#include <protozero/exception.hpp>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

using protozero::pbf_wire_type;
using protozero::tag_and_type;

namespace {

struct RawTensor {
  uint64_t id = 0;
  int64_t bytes = 0;
  std::string type;
  int64_t firstNode = 0;
  int64_t lastNode = 0;
  /// Why it lives longer: "LifeLongGraphAll".
  std::string reason;
};

/// Reads one message MemoryProto of MindSpore's memory_usage.proto.
class MemoryReader {
public:
  explicit MemoryReader(Recording &recording) : recording(recording) {}

  void read(StringRef bytes);

private:
  void readGraph(ProtoReader reader);
  void readNode(ProtoReader reader);
  void readTensor(ProtoReader reader);
  void addTensors(MemoryPlan &plan);

  Recording &recording;
  std::vector<MemoryPlan> plans;
  uint64_t capacity = 0;
  /// Names by number of the node, and tensors: those of the current graph.
  std::map<int64_t, std::string> nodes;
  std::vector<RawTensor> tensors;
  uint64_t outside = 0;
};

} // namespace

static uint64_t getPositive(ProtoReader &reader) {
  return uint64_t(std::max<int64_t>(reader.get_int64(), 0));
}

static std::string getText(ProtoReader &reader) {
  protozero::data_view view = reader.get_view();
  return {view.data(), view.size()};
}

void MemoryReader::readNode(ProtoReader reader) {
  std::string name;
  int64_t id = 0;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
    case tag_and_type(1, pbf_wire_type::length_delimited):
      name = getText(reader);
      break;
    case tag_and_type(2, pbf_wire_type::varint):
      id = reader.get_int64();
      break;
    default:
      reader.skip();
    }
  }
  nodes[id] = std::move(name);
}

void MemoryReader::readTensor(ProtoReader reader) {
  RawTensor tensor;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
    case tag_and_type(1, pbf_wire_type::varint):
      tensor.id = getPositive(reader);
      break;
    case tag_and_type(2, pbf_wire_type::varint):
      tensor.bytes = reader.get_int64();
      break;
    case tag_and_type(3, pbf_wire_type::length_delimited):
      tensor.type = getText(reader);
      break;
    case tag_and_type(4, pbf_wire_type::varint):
      tensor.firstNode = reader.get_int64();
      break;
    case tag_and_type(5, pbf_wire_type::varint):
      tensor.lastNode = reader.get_int64();
      break;
    case tag_and_type(6, pbf_wire_type::length_delimited):
      tensor.reason = getText(reader);
      break;
    default:
      reader.skip();
    }
  }
  tensors.push_back(std::move(tensor));
}

/// Extends the life of a tensor of a graph with `nodes` nodes by its reason.
static void extendLife(StringRef reason, size_t nodes, TensorLife &life) {
  if (reason == "LifeLongGraphAll" || reason == "LifeLongGraphStart")
    life.firstNode = 0;
  if (reason == "LifeLongGraphAll" || reason == "LifeLongGraphEnd")
    life.lastNode = uint32_t(nodes - 1);
}

/// Numbers of nodes become positions in order of execution.
void MemoryReader::addTensors(MemoryPlan &plan) {
  std::map<int64_t, uint32_t> positions;
  for (const auto &[id, name] : nodes) {
    positions[id] = uint32_t(plan.nodes.size());
    uint32_t known = recording.addName(name);
    plan.nodes.push_back(known == kNone
                             ? recording.addName("node " + std::to_string(id))
                             : known);
  }
  for (const RawTensor &raw : tensors) {
    auto first = positions.lower_bound(raw.firstNode);
    auto after = positions.upper_bound(raw.lastNode);
    if (first == positions.end() || after == positions.begin() ||
        std::prev(after)->second < first->second || raw.bytes < 0) {
      ++outside;
      continue;
    }
    TensorLife life;
    life.id = raw.id;
    life.bytes = uint64_t(raw.bytes);
    life.type = recording.addName(raw.type);
    life.firstNode = first->second;
    life.lastNode = std::prev(after)->second;
    if (raw.reason != "LifeLongNone") {
      life.reason = recording.addName(raw.reason);
      extendLife(raw.reason, plan.nodes.size(), life);
    }
    plan.tensors.push_back(life);
  }
}

void MemoryReader::readGraph(ProtoReader reader) {
  MemoryPlan plan;
  nodes.clear();
  tensors.clear();
  while (reader.next()) {
    switch (reader.tag_and_type()) {
    case tag_and_type(1, pbf_wire_type::varint):
      plan.graph = uint32_t(std::min<uint64_t>(getPositive(reader), kNone));
      break;
    case tag_and_type(2, pbf_wire_type::varint):
      plan.staticBytes = getPositive(reader);
      break;
    case tag_and_type(3, pbf_wire_type::length_delimited):
      readNode(reader.get_message());
      break;
    case tag_and_type(4, pbf_wire_type::length_delimited):
      readTensor(reader.get_message());
      break;
    case tag_and_type(5, pbf_wire_type::length_delimited):
      plan.firstOp = recording.addName(getText(reader));
      break;
    case tag_and_type(6, pbf_wire_type::length_delimited):
      plan.lastOp = recording.addName(getText(reader));
      break;
    default:
      reader.skip();
    }
  }
  addTensors(plan);
  plans.push_back(std::move(plan));
}

void MemoryReader::read(StringRef bytes) {
  try {
    ProtoReader reader(bytes.data(), bytes.size());
    while (reader.next()) {
      switch (reader.tag_and_type()) {
      case tag_and_type(1, pbf_wire_type::length_delimited):
        readGraph(reader.get_message());
        break;
      case tag_and_type(2, pbf_wire_type::varint):
        capacity = getPositive(reader);
        break;
      default:
        reader.skip();
      }
    }
  } catch (const protozero::exception &) {
    recording.addLoss("memory_usage that is damaged", 1);
  }
  for (MemoryPlan &plan : plans) {
    plan.capacityBytes = capacity;
    recording.job.memory.push_back(std::move(plan));
  }
  recording.addLoss("tensor that lives outside of its graph", outside);
}

void mindspore::readMemory(StringRef bytes, Recording &recording) {
  MemoryReader(recording).read(bytes);
}
