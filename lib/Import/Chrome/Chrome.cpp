//===- Chrome.cpp - Generic trace events ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Json/Text.h"
#include "../Events/NamedKey.h"
#include "../Importers.h"
#include "Reader.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Trace/IntegerMap.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

/// Takes every interval unchanged. XLA's traces (JAX, TensorFlow) and those
/// written by mlir-prof state for some intervals what they measured. In all
/// others every interval is for an op with the interval's name
/// (docs/formats.md, generic recordings).
class GenericClient : public chrome::Client {
public:
  explicit GenericClient(ProfileBuilder &builder) : builder(builder) {
    details.emplace_back();
  }

  void member(StringRef key, StringRef value) override;
  bool wantsArguments(const chrome::RawEvent &) override {
    current = Detail();
    currentUnknown = 0;
    return true;
  }
  simdjson::error_code argument(json::RawKey key,
                                simdjson::ondemand::value &value) override;
  StringRef getTrackKind(const chrome::RawEvent &) override { return ""; }
  void describe(const chrome::RawEvent &event, chrome::Record &record) override;
  void beginEvents(json::WidePs origin) override;
  void take(const chrome::Record &record, Event &event) override;

private:
  /// The arguments of an event.
  struct Detail {
    std::string step;
    std::string module;
    std::string op;
    /// For traces written by mlir-prof: index into `writtenKeys`.
    std::string key;
    /// For the generic form: the op's location, and its name.
    std::string location;
    std::string type;
  };

  /// An instant, or a part of a recording that mlir-prof wrote: these do not
  /// measure anything.
  static constexpr uint32_t kMoment = 1;

  StringRef getProcess(const Event &event) const;
  uint32_t getOpKey(const Detail &detail);
  uint32_t getSaidKey(uint32_t detail);
  uint32_t getNamedKey(const chrome::Record &record, StringRef process);

  ProfileBuilder &builder;
  Detail current;
  /// Op keys by detail - 1.
  std::vector<Detail> details;
  llvm::StringMap<uint32_t> byText;
  std::vector<uint32_t> opKeys;
  std::vector<OpKey> writtenKeys;
  /// Whether some event states what it measured.
  bool isSaid = false;
  /// Number of interval arguments without a meaning here, in total and for the
  /// current event.
  uint64_t unknown = 0;
  uint64_t currentUnknown = 0;
  /// Op keys by name and detail, if no event states what it measured.
  IntegerMap named;
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
  builder.loss("op keys written by mlir-prof that cannot be read", 1, 0);
}

simdjson::error_code GenericClient::argument(json::RawKey key,
                                             simdjson::ondemand::value &value) {
  std::string *part = key == "step_num"     ? &current.step
                      : key == "hlo_module" ? &current.module
                      : key == "hlo_op"     ? &current.op
                      : key == "op_key"     ? &current.key
                      : key == "location"   ? &current.location
                      : key == "op"         ? &current.type
                                            : nullptr;
  if (part)
    *part = json::unescape(json::stripQuotes(json::getToken(value)));
  else
    ++currentUnknown;
  return simdjson::SUCCESS;
}

static bool isMoment(StringRef phase) {
  return phase == "i" || phase == "I" || phase == "n" || phase == "R";
}

void GenericClient::describe(const chrome::RawEvent &event,
                             chrome::Record &record) {
  record.kind =
      isMoment(event.phase) || event.category == "phase" ? kMoment : 0;
  unknown += currentUnknown;
  currentUnknown = 0;
  if (current.step.empty() && current.op.empty() && current.key.empty() &&
      current.location.empty() && current.type.empty())
    return;
  isSaid |= !current.op.empty() || !current.key.empty();
  std::string text = current.step + '\0' + current.module + '\0' + current.op +
                     '\0' + current.key + '\0' + current.location + '\0' +
                     current.type;
  auto [it, isNew] = byText.try_emplace(text, uint32_t(details.size()));
  if (isNew)
    details.push_back(current);
  record.detail = it->second;
  current = Detail();
}

void GenericClient::beginEvents(json::WidePs origin) {
  Run &run = builder.getRun();
  run.clock.name = "timestamps of the trace";
  // Their clock is unknown, so there is no anchor.
  json::WidePs ns = origin / 1000;
  if (ns >= std::numeric_limits<int64_t>::min() &&
      ns <= std::numeric_limits<int64_t>::max())
    run.facts.emplace_back("first timestamp, ns", std::to_string(int64_t(ns)));
  opKeys.assign(details.size(), kNone);
  // Arguments of events with other names belong to the producer.
  if (unknown && !isSaid)
    builder.loss("argument of an event, not kept", unknown, 0);
}

uint32_t GenericClient::getOpKey(const Detail &detail) {
  size_t number;
  if (!StringRef(detail.key).getAsInteger(10, number) &&
      number < writtenKeys.size())
    return builder.addOpKey(writtenKeys[number]);
  if (detail.op.empty())
    return kNone;
  HloInstructionKey details;
  if (!detail.module.empty())
    details.module = detail.module;
  return builder.addOpKey(OpKey(detail.op, "", std::move(details)));
}

uint32_t GenericClient::getSaidKey(uint32_t detail) {
  if (detail && opKeys[detail] == kNone)
    opKeys[detail] = getOpKey(details[detail]);
  return opKeys[detail];
}

/// Processes of MindSpore's timelines: its ops on processors, and the scopes
/// around ops, which have the time of the ops once more.
static constexpr llvm::StringLiteral kMindSporeOps = "CPU OP";
static constexpr llvm::StringLiteral kMindSporeScopes = "Scope Layer";

/// The type in the name of an op of MindSpore: "MatMul", "Default/Adam-op0".
static StringRef getMindSporeType(StringRef name) {
  StringRef type = name.rsplit('/').second;
  auto [stem, number] = (type.empty() ? name : type).rsplit("-op");
  return stem;
}

uint32_t GenericClient::getNamedKey(const chrome::Record &record,
                                    StringRef process) {
  const Detail &detail = details[record.detail];
  const std::string &name = builder.getProfile().strings[record.name];
  if (name.empty() && detail.location.empty())
    return kNone;
  uint32_t &op = named[uint64_t(record.name) << 32 | record.detail];
  if (op == kNone) {
    StringRef type = detail.type.empty() && process == kMindSporeOps
                         ? getMindSporeType(name)
                         : StringRef(detail.type);
    op = builder.addOpKey(makeNamedKey(name, detail.location, type));
  }
  return op;
}

StringRef GenericClient::getProcess(const Event &event) const {
  return builder.getRun().tracks[event.track].plane;
}

void GenericClient::take(const chrome::Record &record, Event &event) {
  if (!StringRef(details[record.detail].step).getAsInteger(10, event.step))
    event.role = EventRole::Step;
  if (isSaid)
    event.op = getSaidKey(record.detail);
  else if (record.kind != kMoment && event.role != EventRole::Step &&
           getProcess(event) != kMindSporeScopes)
    event.op = getNamedKey(record, getProcess(event));
  builder.event(event);
}

/// Whether `bytes` are trace events: objects with a phase.
bool detect(StringRef bytes) {
  StringRef array = json::peekArray(bytes, "traceEvents");
  if (!array.consume_front("["))
    return false;
  array = array.ltrim();
  // The list may be empty if the object exists only for it.
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
