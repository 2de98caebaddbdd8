//===- Ort.cpp - ONNX Runtime's profiles ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX Runtime writes a bare list of Chrome's trace events, each when it has
// ended. Nodes of a graph within a node (If, Loop) nest in that node's event.
// Work on a device has separate tracks: its clock differs, so that it need not
// nest.
//
//===----------------------------------------------------------------------===//

#include "../Chrome/Reader.h"
#include "../Common/Json/Text.h"
#include "../Importers.h"
#include "Nodes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::ort;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;
namespace ondemand = simdjson::ondemand;

namespace {

/// The recorder stops at this number of events.
constexpr uint64_t kMostEvents = 1000000;

enum class Category : uint8_t { Session, Node, Kernel, Api, Other };

class OrtClient : public chrome::Client {
public:
  explicit OrtClient(ProfileBuilder &builder)
      : builder(builder), nodes(builder) {}

  void member(StringRef key, StringRef value) override;
  bool wantsArguments(const chrome::RawEvent &event) override;
  simdjson::error_code argument(json::RawKey key,
                                ondemand::value &value) override;
  StringRef getTrackKind(const chrome::RawEvent &event) override;
  void describe(const chrome::RawEvent &event, chrome::Record &record) override;
  void beginEvents(json::WidePs origin) override;
  void take(const chrome::Record &record, Event &event) override;

private:
  simdjson::error_code readThreads(ondemand::value &value);
  uint32_t readNode(StringRef text);
  uint32_t describeNode(const chrome::RawEvent &event);
  uint32_t describeKernel(const chrome::RawEvent &event);

  ProfileBuilder &builder;
  Nodes nodes;

  /// For the current event, as written in the file.
  StringRef type;
  StringRef shapes;
  StringRef results;
  StringRef provider;

  /// The infos found for events of nodes, by name, type and both shapes.
  llvm::StringMap<uint32_t> known;
  /// The node that ended last; its work on a device follows it.
  uint32_t lastNode = 0;
  uint64_t events = 0;
  uint64_t threads = 0;
  int64_t runs = 0;
  llvm::StringMap<uint64_t> providers;
};

Category getCategory(StringRef text) {
  return llvm::StringSwitch<Category>(text)
      .Case("Session", Category::Session)
      .Case("Node", Category::Node)
      .Case("Kernel", Category::Kernel)
      .Case("Api", Category::Api)
      .Default(Category::Other);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

void OrtClient::member(StringRef, StringRef) {
  builder.loss("part of the file other than its events, not kept", 1, 0);
}

bool OrtClient::wantsArguments(const chrome::RawEvent &) {
  type = shapes = results = provider = StringRef();
  return true;
}

/// {"main_thread": {...}, "sub_threads": {"<id>": {...}, ...}}, or "".
simdjson::error_code OrtClient::readThreads(ondemand::value &value) {
  ondemand::object object;
  if (value.type().value_unsafe() != ondemand::json_type::object)
    return simdjson::SUCCESS;
  if (auto error = value.get_object().get(object))
    return error;
  threads = std::max<uint64_t>(threads, 1);
  ondemand::object others;
  if (object["sub_threads"].get_object().get(others))
    return simdjson::SUCCESS;
  uint64_t count = 1;
  for (auto entry : others) {
    if (entry.error())
      return entry.error();
    ++count;
  }
  threads = std::max(threads, count);
  return simdjson::SUCCESS;
}

simdjson::error_code OrtClient::argument(json::RawKey key,
                                         ondemand::value &value) {
  if (key == "op_name") {
    type = json::stripQuotes(json::getToken(value));
  } else if (key == "provider") {
    provider = json::stripQuotes(json::getToken(value));
  } else if (key == "input_type_shape") {
    return json::getArrayText(value, shapes);
  } else if (key == "output_type_shape") {
    return json::getArrayText(value, results);
  } else if (key == "thread_scheduling_stats" && threads == 0) {
    return readThreads(value);
  }
  return simdjson::SUCCESS;
}

StringRef OrtClient::getTrackKind(const chrome::RawEvent &event) {
  switch (getCategory(event.category)) {
  case Category::Kernel:
    return "device";
  case Category::Api:
    return "device API";
  default:
    return "";
  }
}

/// The node of an event; 0 if it is not the event of a node, or only covers the
/// waiting before and after one, which older releases wrote.
uint32_t OrtClient::readNode(StringRef text) {
  std::string name = json::unescape(text);
  StringRef node = name;
  if (!node.consume_back("_kernel_time"))
    return 0;
  NodeInfo info;
  info.name = node.str();
  info.type = json::unescape(type);
  info.shapes =
      addPackedWeights(info.type, readShapes(shapes), readShapes(results));
  return nodes.add(std::move(info));
}

uint32_t OrtClient::describeNode(const chrome::RawEvent &event) {
  llvm::SmallString<256> text(event.name);
  text += '\0';
  text += type;
  text += '\0';
  text += shapes;
  text += '\0';
  text += results;
  auto [it, isNew] = known.try_emplace(text, 0);
  if (isNew)
    it->second = readNode(event.name);
  if (it->second) {
    lastNode = it->second;
    ++providers[provider];
  } else if (!event.name.ends_with("_fence_before") &&
             !event.name.ends_with("_fence_after")) {
    builder.loss(
        "event of a node whose name is not understood, kept as an event only",
        1, 0);
  }
  return it->second;
}

uint32_t OrtClient::describeKernel(const chrome::RawEvent &event) {
  if (lastNode == 0 || json::unescape(type) != nodes.get(lastNode).type)
    return 0;
  NodeInfo kernel = nodes.get(lastNode);
  kernel.kernel = json::unescape(event.name);
  return nodes.add(std::move(kernel));
}

void OrtClient::describe(const chrome::RawEvent &event,
                         chrome::Record &record) {
  ++events;
  Category category = getCategory(event.category);
  record.kind = uint32_t(category);
  if (category == Category::Node) {
    record.detail = describeNode(event);
  } else if (category == Category::Kernel) {
    record.detail = describeKernel(event);
  } else if (category == Category::Session && event.name == "model_run") {
    record.detail = 1;
  }
}

//===----------------------------------------------------------------------===//
// In order
//===----------------------------------------------------------------------===//

void OrtClient::beginEvents(json::WidePs) {
  Run &run = builder.getRun();
  run.producer.name = "ONNX Runtime";
  // On the host's steady clock, since the start of profiling.
  run.clock.name = "microseconds of the session";
  std::map<std::string, uint64_t> sorted;
  for (const auto &entry : providers)
    if (!entry.getKey().empty())
      sorted[json::unescape(entry.getKey())] += entry.getValue();
  for (const auto &[name, count] : sorted)
    run.facts.emplace_back("provider " + name,
                           std::to_string(count) + " events of nodes");
  if (threads)
    run.facts.emplace_back("threads within a node", std::to_string(threads));
  if (events >= kMostEvents)
    builder.loss(
        "the recorder stops at 1,000,000 events, later events are missing", 1,
        0);
}

void OrtClient::take(const chrome::Record &record, Event &event) {
  switch (Category(record.kind)) {
  case Category::Node:
    event.op =
        nodes.begin(record.track, record.beginPs, record.endPs, record.detail);
    break;
  case Category::Kernel:
    event.op = nodes.getKernel(record.detail);
    break;
  case Category::Session:
    if (record.detail) {
      event.role = EventRole::Step;
      event.step = runs++;
    }
    break;
  default:
    break;
  }
  builder.event(event);
}

//===----------------------------------------------------------------------===//
// The importer
//===----------------------------------------------------------------------===//

/// Whether trace events are from ONNX Runtime: by event names that only ONNX
/// Runtime writes.
bool detect(StringRef bytes) {
  StringRef array = json::peekArray(bytes, "traceEvents");
  if (array.empty())
    return false;
  if (array.contains("_kernel_time\"") && array.contains("\"op_name\""))
    return true;
  bool isSession =
      array.contains("\"Session\"") &&
      (array.contains("\"model_run\"") || array.contains("\"model_loading_"));
  return isSession && (array.contains("\"session_initialization\"") ||
                       array.contains("Executor::Execute\""));
}

} // namespace

Importer importer::Ort() {
  return chrome::makeImporter<OrtClient>(
      "onnxruntime", "ONNX Runtime's profiler, Chrome trace events", detect);
}
