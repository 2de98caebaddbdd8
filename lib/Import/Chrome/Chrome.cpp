//===- Chrome.cpp - Trace events of no particular producer ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Importers.h"
#include "../Json/Text.h"
#include "Reader.h"
#include "mlir-prof/Profile/ProfileFile.h"

using namespace mlirprof;
using llvm::StringRef;

namespace {

/// Takes every interval as it is. XLA's traces (JAX, TensorFlow) say of some
/// what they are.
class GenericClient : public chrome::Client {
public:
  explicit GenericClient(ProfileBuilder &builder) : builder(builder) {
    details.emplace_back();
  }

  void member(StringRef key, StringRef value) override;
  bool wantsArguments(const chrome::RawEvent &) override {
    current = Detail();
    return true;
  }
  simdjson::error_code argument(json::RawKey key,
                                simdjson::ondemand::value &value) override;
  StringRef getTrackKind(const chrome::RawEvent &) override { return ""; }
  void describe(const chrome::RawEvent &event, chrome::Record &record) override;
  void beginEvents(json::WidePs origin) override;
  void take(const chrome::Record &record, Event &event) override;

private:
  /// What arguments say of an event.
  struct Detail {
    std::string step;
    std::string module;
    std::string op;
    /// Of what mlir-prof wrote itself: index into `writtenKeys`.
    std::string key;
  };

  uint32_t getOpKey(const Detail &detail);

  ProfileBuilder &builder;
  Detail current;
  /// Op keys by detail - 1.
  std::vector<Detail> details;
  llvm::StringMap<uint32_t> byText;
  std::vector<uint32_t> opKeys;
  std::vector<OpKey> writtenKeys;
};

void GenericClient::member(StringRef key, StringRef value) {
  if (key != "mlirProfOpKeys")
    return chrome::keepFact(key, value, builder);
  llvm::Expected<Profile> keys = readProfileJson(value, "mlirProfOpKeys");
  if (keys) {
    writtenKeys = std::move(keys->opKeys);
    return;
  }
  llvm::consumeError(keys.takeError());
  builder.loss("op keys of mlir-prof's that cannot be read", 1, 0);
}

simdjson::error_code GenericClient::argument(json::RawKey key,
                                             simdjson::ondemand::value &value) {
  std::string *part = key == "step_num"     ? &current.step
                      : key == "hlo_module" ? &current.module
                      : key == "hlo_op"     ? &current.op
                      : key == "op_key"     ? &current.key
                                            : nullptr;
  if (part)
    *part = json::unescape(json::stripQuotes(json::getToken(value)));
  return simdjson::SUCCESS;
}

void GenericClient::describe(const chrome::RawEvent &, chrome::Record &record) {
  if (current.step.empty() && current.op.empty() && current.key.empty())
    return;
  std::string text = current.step + '\0' + current.module + '\0' + current.op +
                     '\0' + current.key;
  auto [it, isNew] = byText.try_emplace(text, uint32_t(details.size()));
  if (isNew)
    details.push_back(current);
  record.detail = it->second;
  current = Detail();
}

void GenericClient::beginEvents(json::WidePs origin) {
  Run &run = builder.getRun();
  run.clock.name = "timestamps of the trace";
  // Nothing says which clock they are of, so there is no anchor.
  json::WidePs ns = origin / 1000;
  if (ns >= std::numeric_limits<int64_t>::min() &&
      ns <= std::numeric_limits<int64_t>::max())
    run.facts.emplace_back("first timestamp, ns", std::to_string(int64_t(ns)));
  opKeys.assign(details.size(), kNone);
}

uint32_t GenericClient::getOpKey(const Detail &detail) {
  size_t number;
  if (!StringRef(detail.key).getAsInteger(10, number) &&
      number < writtenKeys.size())
    return builder.addOpKey(writtenKeys[number]);
  if (detail.op.empty())
    return kNone;
  OpKey key;
  key.kind = OpKeyKind::HloInstruction;
  key.module = detail.module;
  key.hasModule = !detail.module.empty();
  key.op = detail.op;
  return builder.addOpKey(std::move(key));
}

void GenericClient::take(const chrome::Record &record, Event &event) {
  if (record.detail) {
    const Detail &detail = details[record.detail];
    if (opKeys[record.detail] == kNone)
      opKeys[record.detail] = getOpKey(detail);
    event.op = opKeys[record.detail];
    if (!StringRef(detail.step).getAsInteger(10, event.step))
      event.role = EventRole::Step;
  }
  builder.event(event);
}

/// Whether `bytes` are trace events: objects with a phase.
bool detect(StringRef bytes) {
  StringRef array = json::peekArray(bytes, "traceEvents");
  if (!array.consume_front("["))
    return false;
  array = array.ltrim();
  // The list may be empty when it is what the object is for.
  if (array.starts_with("]"))
    return bytes.take_front(1 << 16).contains("\"traceEvents\"");
  StringRef first = array.take_front(size_t(1) << 14);
  return first.starts_with("{") && first.contains("\"ph\"");
}

} // namespace

Importer importer::Chrome() {
  return chrome::makeImporter<GenericClient>(
      "chrome-json", "trace events, as Chrome and many others write them",
      detect);
}
