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
  void describe(const chrome::RawEvent &event, chrome::Record &record) override;
  void beginEvents(json::WidePs origin) override;
  void take(const chrome::Record &record, Event &event) override;
  void finish() override { tree.reportLosses(); }

private:
  Category getCategory(const chrome::RawEvent &event);
  uint32_t getThread(const chrome::RawEvent &event);

  ProfileBuilder &builder;
  CallTree tree;

  /// For the current event.
  uint64_t sequencePlusOne = 0;
  uint64_t correlation = 0;
  uint32_t currentShapes = 0;

  std::string lastCategory;
  Category lastMeaning = Category::Other;
  std::string lastThread;
  uint32_t lastThreadNumber = 0;
  llvm::StringMap<uint32_t> threads;

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
    chrome::keepFact(key, value, builder);
  }
}

/// Categories by their names: the current ones, those of 2021, and those of the
/// exporter before Kineto, which stored them in the process name.
static Category toCategory(StringRef text) {
  return llvm::StringSwitch<Category>(text)
      .Cases({"cpu_op", "Operator"}, Category::Op)
      .Cases({"user_annotation", "gpu_user_annotation"}, Category::Annotation)
      .Cases({"python_function", "Python"}, Category::Python)
      .Cases({"cuda_runtime", "cuda_driver", "Runtime", "xpu_runtime",
              "privateuse1_runtime", "privateuse1_driver", "mtia_runtime"},
             Category::Runtime)
      .Cases(
          {"kernel", "gpu_memcpy", "gpu_memset", "Kernel", "Memcpy", "Memset"},
          Category::Device)
      .Default(Category::Other);
}

Category KinetoClient::getCategory(const chrome::RawEvent &event) {
  if (event.category.empty())
    return event.pid == "CPU functions"    ? Category::Op
           : event.pid == "CUDA functions" ? Category::Device
                                           : Category::Other;
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
  return getCategory(event) == Category::Annotation ? kAnnotations : "";
}

bool KinetoClient::wantsArguments(const chrome::RawEvent &event) {
  sequencePlusOne = correlation = 0;
  currentShapes = 0;
  Category category = getCategory(event);
  return event.category.empty() || category == Category::Op ||
         category == Category::Runtime || category == Category::Device;
}

simdjson::error_code KinetoClient::argument(json::RawKey key,
                                            ondemand::value &value) {
  uint64_t number = 0;
  char first = key.front();
  if (first != 'I' && first != 'S' && first != 'c')
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

/// Category and thread share a field of the record.
static constexpr uint32_t kCategoryBits = 4;

void KinetoClient::describe(const chrome::RawEvent &event,
                            chrome::Record &record) {
  Category category = getCategory(event);
  record.kind = getThread(event) << kCategoryBits | uint32_t(category);
  record.detail = currentShapes;
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
  input.shapes = record.detail;
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
