//===- Tree.cpp - PaddlePaddle's protobuf ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// paddle.profiler's export to *.pb, schema 1.0.2: the tree of events of each
// thread, to the nanosecond. Fields, as the descriptors in Paddle's binaries
// state them:
//   Trees     { version = 1, span_index = 2, threads = 3, extra_info = 4,
//               device_properties = 5 }
//   Thread    { id = 1, nodes = 2 }
//   Node      { id = 1, parent = 2, event = 3, runtime_calls = 4, memory = 5,
//               supplements = 6 }
//   Event     { name = 1, type = 2, start_ns = 3, end_ns = 4, process = 5,
//               thread = 6 }
//   Runtime   { call = 1 {name, start_ns, end_ns, process, thread, correlation,
//               callback}, device_events = 2 }
//   Device    { event = 1 {name, type, start_ns, end_ns, device, context,
//               stream, correlation, details...} }
//   Memory    { event = 1 {timestamp_ns, type, address, process, thread,
//               increase, place, allocated, reserved, peak_allocated,
//               peak_reserved} }
//   Supplement { event = 1 {timestamp_ns, op_type, process, thread,
//               input_shapes, dtypes, call stack, id} }
// Types are those of ScopeType. A thread's first node is the root, which is not
// an event.
//
//===----------------------------------------------------------------------===//

#include "../Common/Json/Decimal.h"
#include "../Common/Scopes/Timelines.h"
#include "../Common/WireProbe.h"
#include "../Importers.h"
#include "Types.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <unordered_map>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::paddle;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using kineto::CallTree;
using kineto::Category;
using llvm::StringRef;
using scope::kNoScope;
using scope::MemoryEvent;
using scope::ScopeEvent;
using scope::ScopeType;
using Type = WireProbe::Type;

namespace {

/// The fields of a message that has each at most once.
struct Message {
  static constexpr size_t kFields = 12;
  std::array<uint64_t, kFields> numbers = {};
  std::array<StringRef, kFields> texts;
};

class TreeReader {
public:
  TreeReader(const ImportInput &input, ProfileBuilder &builder)
      : input(input), builder(builder), calls(builder) {}
  llvm::Error read();

private:
  llvm::Error fail(StringRef at, const llvm::Twine &what) const {
    return inputError(
        input.where + ": byte " + llvm::Twine(at.data() - input.bytes.data()),
        what, "The file is damaged or was cut off; export it again.");
  }
  llvm::Error readMessage(StringRef bytes, Message &message);
  /// Calls `take` with each message of field `number`.
  llvm::Error forEach(StringRef bytes, uint64_t number,
                      llvm::function_ref<llvm::Error(StringRef)> take);
  llvm::Error findEarliest();
  llvm::Error readExtra(StringRef bytes);
  llvm::Error readThread(StringRef bytes);
  llvm::Error readNode(StringRef bytes);
  llvm::Error readRuntime(StringRef bytes, uint32_t parent);
  llvm::Error readDevice(StringRef bytes, uint32_t parent);
  llvm::Error readMemory(StringRef bytes, uint32_t event);
  llvm::Error readSupplement(StringRef bytes, uint32_t event);
  uint32_t addScope(StringRef name, uint64_t type, uint64_t start, uint64_t end,
                    uint32_t thread, uint32_t parent);
  uint32_t getDeviceThread(uint64_t device, uint64_t stream);
  void emit();

  const ImportInput &input;
  ProfileBuilder &builder;
  CallTree calls;
  scope::RecordingBuilder scopes;
  EpochTimes times;

  /// The thread that is being read, and its nodes by id, which may be any
  /// number.
  uint32_t thread = 0;
  std::unordered_map<uint64_t, uint32_t> nodes;
  std::map<uint64_t, std::string> threadNames;
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> streams;
  /// By scope, for those that have any.
  std::unordered_map<uint32_t, uint64_t> correlations;
  std::unordered_map<uint32_t, uint32_t> shapes;
};

} // namespace

//===----------------------------------------------------------------------===//
// Detection
//===----------------------------------------------------------------------===//

static bool isVersion(StringRef text) {
  return !text.empty() && text.size() < 32 && llvm::isDigit(text.front()) &&
         text.find_first_not_of("0123456789.") == StringRef::npos;
}

/// The first field `number` of bytes among the first few fields.
static StringRef findBytes(StringRef bytes, uint64_t number) {
  WireProbe probe(bytes);
  for (unsigned fields = 0; fields != 8 && probe.next(); ++fields)
    if (probe.is(number, Type::Bytes))
      return probe.bytes();
  return "";
}

/// A version, a number, and then threads down to the first node's name.
static bool detect(StringRef bytes) {
  WireProbe probe(bytes);
  if (!probe.next() || !probe.is(1, Type::Bytes) || probe.isCut() ||
      !isVersion(probe.bytes()))
    return false;
  if (!probe.next() || !probe.is(2, Type::Varint) || !probe.next())
    return false;
  if (!probe.is(3, Type::Bytes))
    return probe.is(4, Type::Bytes);
  WireProbe thread(probe.bytes());
  if (!thread.next() || !thread.is(1, Type::Varint))
    return false;
  WireProbe event(findBytes(findBytes(probe.bytes(), 2), 3));
  return !event.next() || event.is(1, Type::Bytes);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

llvm::Error TreeReader::readMessage(StringRef bytes, Message &message) {
  WireProbe probe(bytes);
  while (probe.next()) {
    if (probe.number() >= Message::kFields)
      continue;
    if (probe.type() == Type::Varint)
      message.numbers[probe.number()] = probe.value();
    else if (probe.type() == Type::Bytes)
      message.texts[probe.number()] = probe.bytes();
  }
  if (probe.isCut() || probe.isBroken())
    return fail(bytes, "a message does not end where it should");
  return llvm::Error::success();
}

llvm::Error
TreeReader::forEach(StringRef bytes, uint64_t number,
                    llvm::function_ref<llvm::Error(StringRef)> take) {
  WireProbe probe(bytes);
  while (probe.next())
    if (probe.is(number, Type::Bytes) && !probe.isCut())
      if (llvm::Error error = take(probe.bytes()))
        return error;
  if (probe.isCut() || probe.isBroken())
    return fail(bytes, "a message does not end where it should");
  return llvm::Error::success();
}

/// A begin of 0 is that of a root.
llvm::Error TreeReader::findEarliest() {
  auto see = [&](uint64_t ns) {
    if (ns != 0)
      times.see(ns);
  };
  auto seeField = [&](StringRef bytes, uint64_t message, unsigned field) {
    WireProbe probe(findBytes(bytes, message));
    while (probe.next())
      if (probe.is(field, Type::Varint))
        see(probe.value());
    return llvm::Error::success();
  };
  return forEach(input.bytes, 3, [&](StringRef tree) {
    return forEach(tree, 2, [&](StringRef node) {
      (void)seeField(node, 3, 3);
      llvm::Error error = forEach(node, 4, [&](StringRef runtime) {
        (void)seeField(runtime, 1, 2);
        return forEach(runtime, 2, [&](StringRef device) {
          return seeField(device, 1, 3);
        });
      });
      if (error)
        return error;
      return forEach(node, 5,
                     [&](StringRef memory) { return seeField(memory, 1, 1); });
    });
  });
}

llvm::Error TreeReader::readExtra(StringRef bytes) {
  Message pair;
  if (llvm::Error error = readMessage(bytes, pair))
    return error;
  uint64_t id;
  if (!pair.texts[1].getAsInteger(10, id))
    threadNames[id] = pair.texts[2].str();
  else
    builder.getRun().facts.emplace_back(pair.texts[1].str(),
                                        pair.texts[2].str());
  return llvm::Error::success();
}

uint32_t TreeReader::addScope(StringRef name, uint64_t type, uint64_t start,
                              uint64_t end, uint32_t ofThread,
                              uint32_t parent) {
  if (type > uint64_t(ScopeType::StaticKernelLaunch)) {
    builder.loss("type of an event that is unknown", 1, 0);
    type = uint64_t(ScopeType::UserDefined);
  }
  scope::Site site;
  site.name = name.str();
  site.type = uint16_t(type);
  ScopeEvent event;
  event.site = scopes.addSite(std::move(site));
  event.thread = ofThread;
  event.parent = parent;
  event.beginPs = times.toPs(start);
  event.endPs = times.toPs(end);
  event.isOutside = isDeviceType(ScopeType(type));
  scopes.getRecording().threads[ofThread].isDevice |= event.isOutside;
  return scopes.addScope(event);
}

uint32_t TreeReader::getDeviceThread(uint64_t device, uint64_t stream) {
  auto [it, isNew] = streams.try_emplace({device, stream}, 0);
  if (isNew) {
    scope::Thread made;
    made.id = stream;
    made.isDevice = true;
    made.name = "device " + std::to_string(device) + " stream";
    it->second = scopes.addThread(std::move(made));
  }
  return it->second;
}

llvm::Error TreeReader::readDevice(StringRef bytes, uint32_t parent) {
  Message event;
  if (llvm::Error error = readMessage(findBytes(bytes, 1), event))
    return error;
  uint32_t scope = addScope(
      event.texts[1], event.numbers[2], event.numbers[3], event.numbers[4],
      getDeviceThread(event.numbers[5], event.numbers[7]), parent);
  if (event.numbers[8])
    correlations[scope] = event.numbers[8];
  if (!event.texts[9].empty() || !event.texts[10].empty() ||
      !event.texts[11].empty())
    builder.loss("details of work on a device (grid, occupancy, bytes)", 1, 0);
  return llvm::Error::success();
}

llvm::Error TreeReader::readRuntime(StringRef bytes, uint32_t parent) {
  Message call;
  if (llvm::Error error = readMessage(findBytes(bytes, 1), call))
    return error;
  uint32_t scope = addScope(call.texts[1], uint64_t(ScopeType::CudaRuntime),
                            call.numbers[2], call.numbers[3], thread, parent);
  if (call.numbers[6])
    correlations[scope] = call.numbers[6];
  return forEach(bytes, 2,
                 [&](StringRef device) { return readDevice(device, scope); });
}

llvm::Error TreeReader::readMemory(StringRef bytes, uint32_t event) {
  Message fields;
  if (llvm::Error error = readMessage(findBytes(bytes, 1), fields))
    return error;
  if (fields.numbers[2] > uint64_t(scope::MemoryType::ReservedFree)) {
    builder.loss("memory event of an unknown type", 1, 0);
    return llvm::Error::success();
  }
  MemoryEvent memory;
  memory.atPs = times.toPs(fields.numbers[1]);
  memory.event = event;
  memory.thread = thread;
  memory.place = scopes.addPlace(getPlace(fields.texts[7]).str());
  memory.type = scope::MemoryType(fields.numbers[2]);
  memory.address = fields.numbers[3];
  memory.bytes = int64_t(fields.numbers[6]);
  memory.allocated = fields.numbers[8];
  memory.reserved = fields.numbers[9];
  memory.peakAllocated = fields.numbers[10];
  memory.peakReserved = fields.numbers[11];
  scopes.addMemory(memory);
  return llvm::Error::success();
}

/// The shapes of an op's inputs: names, and for each the shapes of a list.
llvm::Error TreeReader::readSupplement(StringRef bytes, uint32_t event) {
  Message fields;
  StringRef supplement = findBytes(bytes, 1);
  if (llvm::Error error = readMessage(supplement, fields))
    return error;
  if (!fields.texts[7].empty())
    builder.loss("call stack of an op", 1, 0);
  std::string text;
  llvm::Error error = forEach(fields.texts[5], 2, [&](StringRef list) {
    return forEach(list, 1, [&](StringRef shape) {
      std::string sizes;
      WireProbe probe(shape);
      auto add = [&](uint64_t size) {
        sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
      };
      while (probe.next())
        if (probe.is(1, Type::Varint))
          add(probe.value());
      text += (text.empty() ? "[[" : ",[") + sizes + "]";
      return llvm::Error::success();
    });
  });
  if (error)
    return error;
  if (!text.empty())
    shapes[event] = calls.addShapes(text + "]");
  return llvm::Error::success();
}

llvm::Error TreeReader::readNode(StringRef bytes) {
  Message node, event;
  if (llvm::Error error = readMessage(bytes, node))
    return error;
  if (llvm::Error error = readMessage(node.texts[3], event))
    return error;
  uint32_t scope = kNoScope;
  // The root has the number -1 as its parent.
  bool isRoot = node.numbers[2] == ~uint64_t(0);
  if (!isRoot) {
    auto parent = nodes.find(node.numbers[2]);
    if (parent == nodes.end())
      builder.loss("event whose parent is missing", 1, 0);
    scope = addScope(event.texts[1], event.numbers[2], event.numbers[3],
                     event.numbers[4], thread,
                     parent == nodes.end() ? kNoScope : parent->second);
  }
  nodes[node.numbers[1]] = scope;
  if (event.numbers[5] && !scopes.getRecording().process)
    scopes.getRecording().process = event.numbers[5];
  if (llvm::Error error = forEach(
          bytes, 4, [&](StringRef call) { return readRuntime(call, scope); }))
    return error;
  if (llvm::Error error = forEach(
          bytes, 5, [&](StringRef part) { return readMemory(part, scope); }))
    return error;
  return forEach(bytes, 6,
                 [&](StringRef part) { return readSupplement(part, scope); });
}

llvm::Error TreeReader::readThread(StringRef bytes) {
  WireProbe probe(bytes);
  scope::Thread made;
  while (probe.next())
    if (probe.is(1, Type::Varint)) {
      made.id = probe.value();
      break;
    }
  if (auto name = threadNames.find(made.id); name != threadNames.end())
    made.name = name->second;
  thread = scopes.addThread(std::move(made));
  nodes.clear();
  return forEach(bytes, 2, [&](StringRef node) { return readNode(node); });
}

/// The value of `scope`, or 0.
template <typename Value>
static Value lookUp(const std::unordered_map<uint32_t, Value> &values,
                    uint32_t scope) {
  auto found = values.find(scope);
  return found == values.end() ? Value() : found->second;
}

void TreeReader::emit() {
  Run &run = builder.getRun();
  run.producer.name = "PaddlePaddle";
  run.clock.name = "system clock";
  scopes.getRecording().clock.anchorNs = times.getAnchorNs();
  linkToSteps(scopes.getRecording());
  // Correlations and shapes are known by the numbers before sorting.
  std::vector<uint32_t> numbers;
  scope::Recording recording = scopes.finish(&numbers);
  ScopeTimelines(recording, builder).emit([&](uint32_t scope, Event &event) {
    const ScopeEvent &of = recording.events[scope];
    const scope::Site &site = recording.sites[of.site];
    auto type = ScopeType(site.type);
    Meaning meaning = getMeaning(type);
    CallTree::Input call;
    call.beginPs = event.beginPs;
    call.endPs = event.endPs;
    call.name = builder.addName(getOpName(site.name, type));
    call.category = meaning.category;
    call.phase = meaning.phase;
    call.thread = of.thread;
    if (call.category == Category::Op)
      call.shapes = lookUp(shapes, numbers[scope]);
    else
      call.correlation = lookUp(correlations, numbers[scope]);
    event.op = calls.add(call);
    if (call.category == Category::Annotation &&
        calls.getStep(call.name, event.step))
      event.role = EventRole::Step;
  });
  calls.reportLosses();
  addScopeLosses(recording, builder);
  run.scopes = std::make_shared<const scope::Recording>(std::move(recording));
}

llvm::Error TreeReader::read() {
  WireProbe probe(input.bytes);
  while (probe.next())
    if (probe.is(1, Type::Bytes))
      builder.getRun().facts.emplace_back("schema version",
                                          probe.bytes().str());
    else if (probe.is(2, Type::Varint))
      builder.getRun().facts.emplace_back("span index",
                                          std::to_string(probe.value()));
  if (llvm::Error error = findEarliest())
    return error;
  if (llvm::Error error = forEach(
          input.bytes, 4, [&](StringRef pair) { return readExtra(pair); }))
    return error;
  if (llvm::Error error = forEach(input.bytes, 5, [&](StringRef bytes) {
        Message device;
        llvm::Error failed = readMessage(bytes, device);
        if (!failed)
          builder.getRun().facts.emplace_back(
              "device " + std::to_string(device.numbers[1]),
              device.texts[2].str());
        return failed;
      }))
    return error;
  if (llvm::Error error = forEach(
          input.bytes, 3, [&](StringRef tree) { return readThread(tree); }))
    return error;
  emit();
  return llvm::Error::success();
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  return TreeReader(input, builder).read();
}

Importer importer::PaddleTree() {
  Importer made = {"paddle-pb", "PaddlePaddle's profiler, protobuf", detect,
                   read};
  made.sharesBeginning = true;
  return made;
}
