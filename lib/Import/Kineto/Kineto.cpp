//===- Kineto.cpp - PyTorch's profiler ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kineto writes Chrome's trace events. Python functions and ops of one thread
// nest in each other, so they form one track; annotations overlap them
// partially (a step of the profiler ends within the call that ends it) and have
// a separate track. Self times of events match torch's key_averages(); self
// times of ops exclude the ops and annotations in them.
//
//===----------------------------------------------------------------------===//

#include "../Chrome/Reader.h"
#include "../Common/Json/Text.h"
#include "../Importers.h"
#include "CallTree.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::kineto;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;
namespace ondemand = simdjson::ondemand;

namespace {

/// The track kind of annotations.
constexpr llvm::StringLiteral kAnnotations = "annotations";

class KinetoClient : public chrome::Client {
public:
  explicit KinetoClient(ProfileBuilder &builder)
      : builder(builder), tree(builder) {}

  void member(StringRef key, StringRef value) override;
  bool wantsArguments(const chrome::RawEvent &event) override;
  simdjson::error_code argument(json::RawKey key,
                                ondemand::value &value) override;
  StringRef getTrackKind(const chrome::RawEvent &event) override;
  std::optional<StringRef> getRegionKind() const override {
    return kAnnotations;
  }
  std::optional<int64_t> getDevice(const chrome::RawEvent &event) override;
  DeviceInfo describeDevice(int64_t number) override;
  void describe(const chrome::RawEvent &event, chrome::Record &record) override;
  void beginEvents(json::WidePs origin) override;
  void take(const chrome::Record &record, Event &event) override;
  void finish() override { tree.reportLosses(); }

private:
  Category getCategory(const chrome::RawEvent &event);
  uint32_t getThread(const chrome::RawEvent &event);
  void readDevices(StringRef json);
  uint32_t addBytes(uint64_t bytes);

  ProfileBuilder &builder;
  CallTree tree;

  /// For the current event.
  uint64_t sequencePlusOne = 0;
  uint64_t correlation = 0;
  uint64_t bytes = 0;
  std::optional<int64_t> device;
  uint32_t currentShapes = 0;

  std::string lastCategory;
  Category lastMeaning = Category::Other;
  std::string lastThread;
  uint32_t lastThreadNumber = 0;
  llvm::StringMap<uint32_t> threads;

  std::map<int64_t, DeviceInfo> devices;
  /// Numbers of bytes, each once; records hold indices. The first is 0.
  std::vector<uint64_t> amounts = {0};
  IntegerMap amountOf;

  bool hasBase = false;
  int64_t baseNs = 0;
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

void KinetoClient::member(StringRef key, StringRef value) {
  if (key == "baseTimeNanoseconds") {
    hasBase = json::getInteger(value, baseNs);
    if (!hasBase)
      builder.loss("baseTimeNanoseconds that is not a number", 1, 0);
  } else if (key == "host_name") {
    builder.getRun().machine.host = json::unescape(json::stripQuotes(value));
  } else {
    if (key == "deviceProperties")
      readDevices(value);
    chrome::keepFact(key, value, builder);
  }
}

/// Reads [{"id": 0, "name": "...", "totalGlobalMem": 1, "numSms": 1, ...}];
/// what has another form stays a fact only.
void KinetoClient::readDevices(StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return llvm::consumeError(value.takeError());
  const llvm::json::Array *list = value->getAsArray();
  for (size_t i = 0; list && i != list->size(); ++i) {
    const llvm::json::Object *object = (*list)[i].getAsObject();
    std::optional<int64_t> id =
        object ? object->getInteger("id") : std::nullopt;
    if (!id)
      continue;
    DeviceInfo info;
    info.number = *id;
    if (std::optional<StringRef> name = object->getString("name"))
      info.name = name->str();
    info.memoryBytes = uint64_t(
        std::max<int64_t>(0, object->getInteger("totalGlobalMem").value_or(0)));
    info.processors = uint32_t(std::clamp<int64_t>(
        object->getInteger("numSms").value_or(0), 0, UINT32_MAX));
    devices.try_emplace(*id, std::move(info));
  }
}

DeviceInfo KinetoClient::describeDevice(int64_t number) {
  auto it = devices.find(number);
  return it == devices.end() ? chrome::Client::describeDevice(number)
                             : it->second;
}

/// Categories by their names: the current ones, those of 2021, and those of the
/// exporter before Kineto, which stored them in the process name.
static Category toCategory(StringRef text) {
  return llvm::StringSwitch<Category>(text)
      .Cases({"cpu_op", "Operator"}, Category::Op)
      .Case("user_annotation", Category::Annotation)
      .Case("gpu_user_annotation", Category::DeviceAnnotation)
      .Cases({"python_function", "Python"}, Category::Python)
      .Cases({"cuda_runtime", "cuda_driver", "Runtime", "xpu_runtime",
              "privateuse1_runtime", "privateuse1_driver", "mtia_runtime"},
             Category::Runtime)
      .Cases({"kernel", "Kernel"}, Category::Kernel)
      .Cases({"gpu_memcpy", "Memcpy"}, Category::Copy)
      .Cases({"gpu_memset", "Memset"}, Category::SetMemory)
      .Default(Category::Other);
}

Category KinetoClient::getCategory(const chrome::RawEvent &event) {
  if (event.category.empty()) {
    if (event.pid != "CUDA functions")
      return event.pid == "CPU functions" ? Category::Op : Category::Other;
    return event.name.starts_with("Memcpy ")   ? Category::Copy
           : event.name.starts_with("Memset ") ? Category::SetMemory
                                               : Category::Kernel;
  }
  if (event.category != lastCategory) {
    lastCategory = event.category.str();
    lastMeaning = toCategory(event.category);
  }
  // In 2021 annotations were ops.
  if (lastMeaning == Category::Op && event.name.starts_with("ProfilerStep#"))
    return Category::Annotation;
  return lastMeaning;
}

StringRef KinetoClient::getTrackKind(const chrome::RawEvent &event) {
  Category category = getCategory(event);
  return category == Category::Annotation ||
                 category == Category::DeviceAnnotation
             ? kAnnotations
             : "";
}

/// Processes of devices have the device's number.
std::optional<int64_t> KinetoClient::getDevice(const chrome::RawEvent &event) {
  Category category = getCategory(event);
  if (!isDeviceWork(category) && category != Category::DeviceAnnotation)
    return std::nullopt;
  int64_t number = 0;
  if (device)
    return device;
  return json::getInteger(event.pid, number) ? number : 0;
}

bool KinetoClient::wantsArguments(const chrome::RawEvent &event) {
  sequencePlusOne = correlation = bytes = 0;
  device.reset();
  currentShapes = 0;
  Category category = getCategory(event);
  return event.category.empty() || category == Category::Op ||
         category == Category::Runtime || isDeviceWork(category);
}

simdjson::error_code KinetoClient::argument(json::RawKey key,
                                            ondemand::value &value) {
  uint64_t number = 0;
  char first = key.front();
  if (first != 'I' && first != 'S' && first != 'c' && first != 'b' &&
      first != 'd')
    return simdjson::SUCCESS;
  if (key == "Input Dims" || key == "Input dims") {
    StringRef dimensions;
    if (auto error = json::getArrayText(value, dimensions))
      return error;
    currentShapes = tree.addShapes(dimensions);
  } else if (key == "Sequence number") {
    if (json::getInteger(json::getToken(value), number) && number + 1 != 0)
      sequencePlusOne = number + 1;
  } else if (key == "correlation") {
    if (json::getInteger(json::getToken(value), number))
      correlation = number;
  } else if (key == "bytes") {
    if (json::getInteger(json::getToken(value), number))
      bytes = number;
  } else if (key == "device") {
    if (int64_t id = 0; json::getInteger(json::getToken(value), id))
      device = id;
  }
  return simdjson::SUCCESS;
}

uint32_t KinetoClient::getThread(const chrome::RawEvent &event) {
  size_t pid = event.pid.size();
  if (lastThread.size() == pid + 1 + event.tid.size() &&
      StringRef(lastThread).starts_with(event.pid) && lastThread[pid] == '\0' &&
      StringRef(lastThread).ends_with(event.tid))
    return lastThreadNumber;
  lastThread = event.pid.str();
  lastThread += '\0';
  lastThread += event.tid;
  return lastThreadNumber =
             threads.try_emplace(lastThread, uint32_t(threads.size()))
                 .first->second;
}

uint32_t KinetoClient::addBytes(uint64_t bytes) {
  if (bytes == 0)
    return 0;
  uint32_t &place = amountOf[bytes];
  if (place == kNone) {
    place = uint32_t(amounts.size());
    amounts.push_back(bytes);
  }
  return place;
}

/// Category and thread share a field of the record.
static constexpr uint32_t kCategoryBits = 4;

void KinetoClient::describe(const chrome::RawEvent &event,
                            chrome::Record &record) {
  Category category = getCategory(event);
  record.kind = getThread(event) << kCategoryBits | uint32_t(category);
  record.detail = isDeviceWork(category) ? addBytes(bytes) : currentShapes;
  record.id = category == Category::Op ? sequencePlusOne : correlation;
}

//===----------------------------------------------------------------------===//
// In order
//===----------------------------------------------------------------------===//

void KinetoClient::beginEvents(json::WidePs origin) {
  Run &run = builder.getRun();
  run.producer.name = "PyTorch";
  run.clock.name = hasBase ? "baseTimeNanoseconds and timestamps"
                           : "timestamps of the trace";
  // Without a base, timestamps count from 1970; those of the exporter before
  // Kineto count from an arbitrary begin.
  chrome::setAnchor(run.clock, origin / 1000 + (hasBase ? baseNs : 0),
                    hasBase ? chrome::Epoch::Unix : chrome::Epoch::Unknown);
}

void KinetoClient::take(const chrome::Record &record, Event &event) {
  CallTree::Input input;
  input.beginPs = record.beginPs;
  input.endPs = record.endPs;
  input.thread = record.kind >> kCategoryBits;
  input.name = record.name;
  input.category = Category(record.kind & ((1 << kCategoryBits) - 1));
  if (input.category == Category::Op)
    input.sequencePlusOne = record.id;
  else
    input.correlation = record.id;
  if (isDeviceWork(input.category)) {
    event.bytes = amounts[record.detail];
    event.hasFlowIn = input.correlation != 0;
    event.flowIn = input.correlation;
  } else {
    input.shapes = record.detail;
  }
  if (input.category == Category::Runtime) {
    event.hasFlowOut = input.correlation != 0;
    event.flowOut = input.correlation;
  }
  event.op = tree.add(input);
  if (input.category == Category::Annotation &&
      tree.getStep(record.name, event.step))
    event.role = EventRole::Step;
  builder.event(event);
}

//===----------------------------------------------------------------------===//
// The importer
//===----------------------------------------------------------------------===//

/// Whether trace events are from PyTorch: by keys other than the events that
/// only PyTorch writes, or by categories.
bool detect(StringRef bytes) {
  StringRef array = json::peekArray(bytes, "traceEvents");
  if (array.empty())
    return false;
  if (json::hasKeyBefore(bytes, "traceEvents", "baseTimeNanoseconds") ||
      (json::hasKeyBefore(bytes, "traceEvents", "schemaVersion") &&
       json::hasKeyBefore(bytes, "traceEvents", "deviceProperties")))
    return true;
  for (StringRef sign : {"\"cpu_op\"", "\"CPU functions\"",
                         "\"python_function\"", "\"ProfilerStep#"})
    if (array.contains(sign))
      return true;
  return array.contains("\"Operator\"") && (array.contains("\"External id\"") ||
                                            array.contains("\"external id\""));
}

} // namespace

Importer importer::Kineto() {
  return chrome::makeImporter<KinetoClient>(
      "kineto", "PyTorch's profiler, Chrome trace events", detect);
}
