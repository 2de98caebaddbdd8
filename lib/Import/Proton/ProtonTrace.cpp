//===- ProtonTrace.cpp - Traces of Triton's profiler ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proton writes Chrome's trace events: one for each kernel that ran, whose
// thread is the stream and whose argument `call_stack` has the frames around it
// from ROOT to the kernel. Neither the device nor launches are in the file.
//
//===----------------------------------------------------------------------===//

#include "../Chrome/Reader.h"
#include "../Importers.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

class ProtonClient : public chrome::Client {
public:
  explicit ProtonClient(ProfileBuilder &builder) : builder(builder) {}

  void member(StringRef key, StringRef value) override {
    chrome::keepFact(key, value, builder);
  }
  bool wantsArguments(const chrome::RawEvent &) override {
    frames.clear();
    return true;
  }
  simdjson::error_code argument(json::RawKey key,
                                simdjson::ondemand::value &value) override;
  StringRef getTrackKind(const chrome::RawEvent &) override { return ""; }
  std::optional<int64_t> getDevice(const chrome::RawEvent &event) override {
    return isKernel(event) ? std::optional<int64_t>(0) : std::nullopt;
  }
  void describe(const chrome::RawEvent &event, chrome::Record &record) override;
  void beginEvents(json::WidePs) override;
  void take(const chrome::Record &record, Event &event) override;

private:
  static bool isKernel(const chrome::RawEvent &event) {
    return event.category == "kernel";
  }

  ProfileBuilder &builder;
  /// The call stack of the current event, outermost first.
  std::vector<std::string> frames;
  /// Op keys by `Record::detail`.
  llvm::StringMap<uint32_t> numbers;
  std::vector<OpKey> keys;
  uint64_t unknown = 0;
};

simdjson::error_code ProtonClient::argument(json::RawKey key,
                                            simdjson::ondemand::value &value) {
  simdjson::ondemand::array list;
  if (!(key == "call_stack") || value.get_array().get(list)) {
    ++unknown;
    return simdjson::SUCCESS;
  }
  for (auto element : list) {
    std::string_view frame;
    if (element.get_string().get(frame))
      ++unknown;
    else
      frames.emplace_back(frame);
  }
  return simdjson::SUCCESS;
}

void ProtonClient::describe(const chrome::RawEvent &event,
                            chrome::Record &record) {
  FrameworkCallKey details;
  for (const std::string &frame : frames)
    details.scope.push_back(frame);
  if (!details.scope.empty() && details.scope.front() == "ROOT")
    details.scope.erase(details.scope.begin());
  if (!details.scope.empty() && details.scope.back() == event.name)
    details.scope.pop_back();
  std::string text = llvm::join(details.scope, StringRef("\0", 1));
  text += '\0';
  text += event.name;
  if (!isKernel(event))
    text += '\0';
  auto [it, isNew] = numbers.try_emplace(text, uint32_t(keys.size()));
  if (isNew) {
    keys.emplace_back(event.name.str(), "", std::move(details));
    if (isKernel(event))
      keys.back().work = DeviceWork::Kernel;
  }
  record.detail = it->second;
  frames.clear();
}

void ProtonClient::beginEvents(json::WidePs) {
  Run &run = builder.getRun();
  run.producer.name = "Proton";
  // Timestamps count from the first kernel.
  run.clock.name = "time since the first kernel";
  if (unknown)
    builder.loss("argument of an event, not kept", unknown, 0);
}

void ProtonClient::take(const chrome::Record &record, Event &event) {
  event.op = builder.addOpKey(keys[record.detail]);
  builder.event(event);
}

/// Whether trace events are Proton's: the first has a call stack.
bool detect(StringRef bytes) {
  StringRef array = json::peekArray(bytes, "traceEvents");
  if (!array.consume_front("["))
    return false;
  StringRef first = array.ltrim();
  return first.starts_with("{") &&
         first.take_front(size_t(1) << 14).contains("\"call_stack\"");
}

} // namespace

Importer importer::ProtonTrace() {
  return chrome::makeImporter<ProtonClient>(
      "proton-trace", "Triton's profiler Proton, Chrome trace events", detect);
}
