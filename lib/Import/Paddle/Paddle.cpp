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
#include "Types.h"
#include "mlir-prof/Trace/IntegerMap.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::paddle;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using kineto::CallTree;
using kineto::Category;
using llvm::StringRef;
using scope::MemoryEvent;
using scope::ScopeType;
namespace ondemand = simdjson::ondemand;

static constexpr json::WidePs kMicrosecond = 1000000;

namespace {

class PaddleClient : public chrome::Client {
public:
  explicit PaddleClient(ProfileBuilder &builder)
      : builder(builder), tree(builder) {}

  void member(StringRef key, StringRef value) override;
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
  void readMemory(json::RawKey key, StringRef text);
  void correctTime(chrome::RawEvent &event);
  void nameThread(const chrome::RawEvent &event);
  void addFacts(const llvm::json::Object &pairs);
  void placeMemory();
  uint32_t getThread(const chrome::RawEvent &event);
  uint32_t getOpNumber(uint32_t name, ScopeType type);
  void addScope(const chrome::Record &record, ScopeType type, uint32_t thread);
  bool addMemory(const chrome::Record &record, uint32_t thread);

  ProfileBuilder &builder;
  CallTree tree;
  scope::RecordingBuilder scopes;

  /// For the current event.
  std::optional<json::WidePs> exactBegin;
  uint64_t correlation = 0;
  uint32_t currentShapes = 0;
  MemoryEvent currentMemory;
  std::string currentPlace;
  std::string timestamp;

  /// By name and type.
  IntegerMap sites;
  /// The scopes of calls of the device's runtime, by correlation.
  IntegerMap launches;
  /// Numbered from 1 in records.
  std::vector<MemoryEvent> memory;
  /// For each of them, the number of the host event that it follows in the
  /// file, from 1, or 0 if that one is of another thread.
  std::vector<uint64_t> ownerOf;
  /// For each memory event of the recording, its index in `memory`.
  std::vector<uint32_t> memoryOrder;
  uint64_t hostEvents = 0;
  uint32_t lastThread = kNone;
  /// The scopes of host events that memory events follow.
  llvm::DenseMap<uint64_t, uint32_t> owners;

  /// The origin of exact begins.
  std::optional<json::WidePs> base;
  uint64_t contradictions = 0;
  llvm::StringMap<uint32_t> threads;
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// ExtraInfo, about the whole recording, is an object of texts.
void PaddleClient::member(StringRef key, StringRef value) {
  constexpr size_t kLongest = 1 << 16;
  if (key == "ExtraInfo" && value.size() <= kLongest) {
    llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(value);
    const llvm::json::Object *pairs = parsed ? parsed->getAsObject() : nullptr;
    if (!parsed)
      llvm::consumeError(parsed.takeError());
    if (pairs) {
      addFacts(*pairs);
      return;
    }
  }
  chrome::keepFact(key, value, builder);
}

/// Names of threads, by number, are with the events too.
void PaddleClient::addFacts(const llvm::json::Object &pairs) {
  std::map<std::string, std::string> facts;
  for (const auto &[name, value] : pairs) {
    uint64_t thread;
    std::optional<StringRef> text = value.getAsString();
    if (text && StringRef(name).getAsInteger(10, thread))
      facts.emplace(name.str(), text->str());
  }
  llvm::append_range(builder.getRun().facts, facts);
}

bool PaddleClient::wantsArguments(const chrome::RawEvent &) {
  exactBegin.reset();
  correlation = 0;
  currentShapes = 0;
  currentMemory = MemoryEvent();
  currentPlace.clear();
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

void PaddleClient::readMemory(json::RawKey key, StringRef text) {
  auto read = [&](uint64_t &number) { (void)json::getInteger(text, number); };
  if (key == "place")
    currentPlace = json::unescape(text);
  else if (key == "addr")
    read(currentMemory.address);
  else if (key == "increase_bytes")
    (void)text.getAsInteger(10, currentMemory.bytes);
  else if (key == "current_allocated")
    read(currentMemory.allocated);
  else if (key == "current_reserved")
    read(currentMemory.reserved);
  else if (key == "peak_allocated")
    read(currentMemory.peakAllocated);
  else if (key == "peak_reserved")
    read(currentMemory.peakReserved);
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
  } else {
    readMemory(key, json::stripQuotes(json::getToken(value)));
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

/// "thread 12:MainThread(Python)" is the thread MainThread.
void PaddleClient::nameThread(const chrome::RawEvent &event) {
  std::string name = json::unescape(event.argumentName);
  StringRef rest = name;
  if (!rest.consume_back("(C++)"))
    rest.consume_back("(Python)");
  if (rest.consume_front("thread "))
    rest = rest.drop_until([](char c) { return c == ':'; }).drop_front(1);
  scopes.getRecording().threads[getThread(event)].name = rest.str();
}

void PaddleClient::correct(chrome::RawEvent &event) {
  if (event.phase == "M" && event.name == "thread_name")
    nameThread(event);
  if (event.phase != "X")
    return;
  event.name = stripDuration(event.name);
  correctTime(event);
}

/// Type and thread share a field of the record.
static constexpr uint32_t kTypeBits = 5;
static constexpr uint32_t kUnknownType = (1 << kTypeBits) - 1;
static constexpr uint32_t kMemory = kUnknownType - 1;

uint32_t PaddleClient::getThread(const chrome::RawEvent &event) {
  // In the file, the Python and C++ events of a thread are two timelines.
  StringRef tid = event.tid;
  if (!tid.consume_back("(C++)"))
    tid.consume_back("(Python)");
  std::string key = (event.pid + llvm::Twine('\0') + tid).str();
  auto [it, isNew] = threads.try_emplace(key, 0);
  if (isNew) {
    scope::Thread thread;
    (void)tid.getAsInteger(10, thread.id);
    it->second = scopes.addThread(std::move(thread));
    if (uint64_t &process = scopes.getRecording().process; process == 0)
      (void)event.pid.getAsInteger(10, process);
  }
  return it->second;
}

static bool isOfDevice(ScopeType type) {
  return isDeviceType(type) || type == ScopeType::CudaRuntime;
}

void PaddleClient::describe(const chrome::RawEvent &event,
                            chrome::Record &record) {
  uint32_t type = kUnknownType;
  uint32_t thread = getThread(event);
  record.detail = currentShapes;
  if (auto memoryType = findMemoryType(event.category);
      memoryType && event.phase == "i") {
    type = kMemory;
    currentMemory.type = *memoryType;
    currentMemory.place = scopes.addPlace(getPlace(currentPlace).str());
    memory.push_back(currentMemory);
    record.detail = uint32_t(memory.size());
    ownerOf.push_back(thread == lastThread ? hostEvents : 0);
    if (ownerOf.back())
      owners[ownerOf.back()] = scope::kNoScope;
  } else if (std::optional<ScopeType> known = findType(event.category)) {
    type = uint32_t(*known);
  }
  record.kind = thread << kTypeBits | type;
  record.id = correlation;
  // Calls and work of a device stand between an event and its memory.
  if (type != kMemory && !isOfDevice(ScopeType(type))) {
    record.id = ++hostEvents;
    lastThread = thread;
  }
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

bool PaddleClient::addMemory(const chrome::Record &record, uint32_t thread) {
  if (record.detail == 0 || record.detail > memory.size())
    return false;
  MemoryEvent &event = memory[record.detail - 1];
  event.atPs = record.beginPs;
  event.thread = thread;
  scopes.addMemory(event);
  memoryOrder.push_back(record.detail - 1);
  return true;
}

void PaddleClient::addScope(const chrome::Record &record, ScopeType type,
                            uint32_t thread) {
  uint32_t &number = sites[uint64_t(record.name) << kTypeBits | uint64_t(type)];
  if (number == kNone) {
    scope::Site site;
    site.name = builder.getProfile().strings[record.name];
    site.type = uint16_t(type);
    number = scopes.addSite(std::move(site));
  }
  scopes.getRecording().threads[thread].isDevice |= isDeviceType(type);
  scope::ScopeEvent event;
  event.site = number;
  event.thread = thread;
  event.beginPs = record.beginPs;
  event.endPs = record.endPs;
  event.isOutside = isDeviceType(type);
  // Below the call that launched it, which began before.
  if (event.isOutside && record.id)
    event.parent = launches.find(record.id);
  uint32_t scope = scopes.addScope(event);
  if (type == ScopeType::CudaRuntime && record.id)
    launches[record.id] = scope;
  if (auto owner = owners.find(record.id);
      owner != owners.end() && !isOfDevice(type))
    owner->second = scope;
}

/// In the file, memory events follow the scope in which they happened; those
/// outside of scopes come before the first scope of their thread. Their times
/// are cut to microseconds, so that they may seem to be in another scope.
void PaddleClient::placeMemory() {
  constexpr int64_t kCut = 2 * int64_t(kMicrosecond);
  scope::Recording &recording = scopes.getRecording();
  std::vector<uint32_t> placed;
  for (auto [index, number] : llvm::enumerate(memoryOrder)) {
    auto owner = owners.find(ownerOf[number]);
    placed.push_back(owner == owners.end() ? scope::kNoScope : owner->second);
    if (owner == owners.end())
      continue;
    // The file has another order: what the times say holds.
    if (owner->second >= recording.events.size())
      return;
    const scope::ScopeEvent &scope = recording.events[owner->second];
    int64_t atPs = recording.memory[index].atPs;
    if (atPs < saturatingSub(scope.beginPs, kCut) ||
        atPs > saturatingAdd(scope.endPs, kCut))
      return;
  }
  for (auto [event, scope] : llvm::zip_equal(recording.memory, placed))
    event.event = scope;
}

void PaddleClient::take(const chrome::Record &record, Event &event) {
  uint32_t number = record.kind & kUnknownType;
  uint32_t thread = record.kind >> kTypeBits;
  auto type = ScopeType::UserDefined;
  if (number <= uint32_t(ScopeType::StaticKernelLaunch))
    type = ScopeType(number);
  Meaning meaning = number == uint32_t(type) ? getMeaning(type) : Meaning();
  bool isMemory = number == kMemory && addMemory(record, thread);
  if (!isMemory)
    addScope(record, type, thread);
  CallTree::Input input;
  input.beginPs = record.beginPs;
  input.endPs = record.endPs;
  input.name = getOpNumber(record.name, type);
  input.category = meaning.category;
  input.phase = meaning.phase;
  input.thread = thread;
  if (isOfDevice(type))
    input.correlation = record.id;
  if (input.category == Category::Op)
    input.shapes = record.detail;
  event.op = tree.add(input);
  if (input.category == Category::Annotation &&
      tree.getStep(record.name, event.step))
    event.role = EventRole::Step;
  builder.event(event);
}

/// The number of the op's name; names are few, and most are those of events.
uint32_t PaddleClient::getOpNumber(uint32_t name, ScopeType type) {
  if (type != ScopeType::Operator)
    return name;
  // Adding names moves the strings.
  std::string text = builder.getProfile().strings[name];
  return builder.addName(getOpName(text, type));
}

void PaddleClient::finish() {
  tree.reportLosses();
  scopes.getRecording().clock.anchorNs = builder.getRun().clock.anchorNs;
  scopes.nest();
  placeMemory();
  linkToSteps(scopes.getRecording());
  builder.getRun().scopes =
      std::make_shared<const scope::Recording>(scopes.finish());
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
