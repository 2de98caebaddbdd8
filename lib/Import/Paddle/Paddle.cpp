//===- Paddle.cpp - PaddlePaddle's profiler -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Paddle writes Chrome's trace events with begins truncated to whole
// microseconds, with which children would extend past their parents. The
// arguments contain the begin relative to the first event to the nanosecond, as
// text of a 32-bit float, which is more exact only for the first seconds.
//
//===----------------------------------------------------------------------===//

#include "../Chrome/Reader.h"
#include "../Common/Json/Text.h"
#include "../Importers.h"
#include "../Kineto/CallTree.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <optional>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using kineto::CallTree;
using kineto::Category;
using llvm::StringRef;
namespace ondemand = simdjson::ondemand;

static constexpr json::WidePs kMicrosecond = 1000000;

namespace {

/// The meaning of a category.
struct Meaning {
  Category category = Category::Other;
  CallPhase phase = CallPhase::Forward;
};

class PaddleClient : public chrome::Client {
public:
  explicit PaddleClient(ProfileBuilder &builder)
      : builder(builder), tree(builder) {}

  void member(StringRef key, StringRef value) override {
    chrome::keepFact(key, value, builder);
  }
  bool wantsArguments(const chrome::RawEvent &event) override;
  simdjson::error_code argument(json::RawKey key,
                                ondemand::value &value) override;
  void correct(chrome::RawEvent &event) override;
  StringRef getTrackKind(const chrome::RawEvent &) override { return ""; }
  void describe(const chrome::RawEvent &event, chrome::Record &record) override;
  void beginEvents(json::WidePs origin) override;
  void take(const chrome::Record &record, Event &event) override;
  void finish() override;

private:
  simdjson::error_code readShapes(ondemand::value &value);
  void correctTime(chrome::RawEvent &event);

  ProfileBuilder &builder;
  CallTree tree;

  /// For the current event.
  std::optional<json::WidePs> exactBegin;
  uint64_t correlation = 0;
  uint32_t currentShapes = 0;
  std::string timestamp;

  /// The origin of exact begins.
  std::optional<json::WidePs> base;
  uint64_t contradictions = 0;
  llvm::StringMap<uint32_t> threads;
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Meaning toMeaning(StringRef category) {
  return llvm::StringSwitch<Meaning>(category)
      .Cases({"Operator", "OperatorInner", "PythonOp"},
             Meaning{Category::Op, CallPhase::Forward})
      .Cases({"ProfileStep", "Forward"},
             Meaning{Category::Annotation, CallPhase::Forward})
      .Case("Backward", Meaning{Category::Annotation, CallPhase::Backward})
      .Case("Optimization", Meaning{Category::Annotation, CallPhase::Optimizer})
      .Cases({"CudaRuntime", "MluRuntime"},
             Meaning{Category::Runtime, CallPhase::Forward})
      .Cases({"Kernel", "Memcpy", "Memset"},
             Meaning{Category::Device, CallPhase::Forward})
      .Default(Meaning());
}

bool PaddleClient::wantsArguments(const chrome::RawEvent &) {
  exactBegin.reset();
  correlation = 0;
  currentShapes = 0;
  return true;
}

/// {"X": [[2, 3]], "Y": [[3]]} as InputShapes::print(): "[[2,3],[3]]".
simdjson::error_code PaddleClient::readShapes(ondemand::value &value) {
  ondemand::object inputs;
  if (value.type().value_unsafe() != ondemand::json_type::object)
    return simdjson::SUCCESS;
  if (auto error = value.get_object().get(inputs))
    return error;
  std::string text;
  for (auto entry : inputs) {
    ondemand::field field;
    std::string_view raw;
    if (auto error = std::move(entry).get(field))
      return error;
    if (auto error = simdjson::to_json_string(field.value()).get(raw))
      return error;
    std::string dense = json::dropSpace(raw);
    StringRef list = dense;
    if (!list.consume_front("[") || !list.consume_back("]") || list.empty())
      continue;
    text += text.empty() ? "[" : ",";
    text += list;
  }
  if (text.empty())
    return simdjson::SUCCESS;
  currentShapes = tree.addShapes(text + ']');
  return simdjson::SUCCESS;
}

simdjson::error_code PaddleClient::argument(json::RawKey key,
                                            ondemand::value &value) {
  if (key == "start_time") {
    StringRef text = json::stripQuotes(json::getToken(value));
    json::WidePs ps;
    if (text.consume_back(" us") &&
        json::parseDecimalTime(text, json::DecimalUnit::Microseconds, ps))
      exactBegin = ps;
  } else if (key == "correlation id") {
    json::getInteger(json::getToken(value), correlation);
  } else if (key == "input_shapes") {
    return readShapes(value);
  }
  return simdjson::SUCCESS;
}

/// Removes "[1.234 ms]", which Paddle appends to every name.
StringRef stripDuration(StringRef name) {
  StringRef rest = name;
  if (!rest.consume_back(" ms]") && !rest.consume_back(" us]"))
    return name;
  rest = rest.rtrim("0123456789.");
  return rest.consume_back("[") ? rest : name;
}

void PaddleClient::correctTime(chrome::RawEvent &event) {
  // From here on, a float's resolution is that of the timestamp, or coarser.
  constexpr json::WidePs kMostExact = kMicrosecond << 23;
  json::WidePs cut;
  if (!exactBegin || *exactBegin < 0 || *exactBegin >= kMostExact ||
      !json::parseDecimalTime(event.timestamp, json::DecimalUnit::Microseconds,
                              cut) ||
      cut < 0)
    return;
  if (!base)
    base = cut - *exactBegin;
  json::WidePs exact = *base + *exactBegin;
  // Both the base and the timestamp were truncated by less than a microsecond,
  // and the float was rounded.
  json::WidePs most = kMicrosecond + (*exactBegin >> 22);
  if (exact < 0 || exact < cut - most || exact > cut + most) {
    ++contradictions;
    return;
  }
  timestamp = llvm::formatv("{0}.{1,0+6}", uint64_t(exact / kMicrosecond),
                            uint64_t(exact % kMicrosecond))
                  .str();
  event.timestamp = timestamp;
}

void PaddleClient::correct(chrome::RawEvent &event) {
  if (event.phase != "X")
    return;
  event.name = stripDuration(event.name);
  correctTime(event);
}

/// Category, phase and thread share a field of the record.
static constexpr uint32_t kCategoryBits = 4;
static constexpr uint32_t kPhaseBits = 2;

void PaddleClient::describe(const chrome::RawEvent &event,
                            chrome::Record &record) {
  // In the file, the Python and C++ events of a thread are two timelines.
  StringRef tid = event.tid;
  if (!tid.consume_back("(C++)"))
    tid.consume_back("(Python)");
  std::string thread = (event.pid + llvm::Twine('\0') + tid).str();
  uint32_t number =
      threads.try_emplace(thread, uint32_t(threads.size())).first->second;
  Meaning meaning = toMeaning(event.category);
  record.kind = (number << kPhaseBits | uint32_t(meaning.phase))
                    << kCategoryBits |
                uint32_t(meaning.category);
  record.detail = currentShapes;
  record.id = correlation;
}

//===----------------------------------------------------------------------===//
// In order
//===----------------------------------------------------------------------===//

void PaddleClient::beginEvents(json::WidePs origin) {
  Run &run = builder.getRun();
  run.producer.name = "PaddlePaddle";
  run.clock.name = "timestamps of the trace";
  chrome::setAnchor(run.clock, origin / 1000, chrome::Epoch::Unknown);
}

void PaddleClient::take(const chrome::Record &record, Event &event) {
  CallTree::Input input;
  input.beginPs = record.beginPs;
  input.endPs = record.endPs;
  input.name = record.name;
  input.category = Category(record.kind & ((1 << kCategoryBits) - 1));
  input.phase =
      CallPhase(record.kind >> kCategoryBits & ((1 << kPhaseBits) - 1));
  input.thread = record.kind >> (kCategoryBits + kPhaseBits);
  if (input.category != Category::Op)
    input.correlation = record.id;
  input.shapes = record.detail;
  event.op = tree.add(input);
  if (input.category == Category::Annotation &&
      tree.getStep(record.name, event.step))
    event.role = EventRole::Step;
  builder.event(event);
}

void PaddleClient::finish() {
  tree.reportLosses();
  if (contradictions)
    builder.loss("start_time that contradicts the timestamp, which is used",
                 contradictions, 0);
}

//===----------------------------------------------------------------------===//
// The importer
//===----------------------------------------------------------------------===//

bool detect(StringRef bytes) {
  StringRef array = json::peekArray(bytes, "traceEvents");
  if (array.empty())
    return false;
  return json::hasKeyBefore(bytes, "traceEvents", "span_indx") ||
         (array.contains("\"start_time\"") &&
          (array.contains("(C++)\"") || array.contains("(Python)\"")));
}

} // namespace

Importer importer::Paddle() {
  return chrome::makeImporter<PaddleClient>(
      "paddle", "PaddlePaddle's profiler, Chrome trace events", detect);
}
