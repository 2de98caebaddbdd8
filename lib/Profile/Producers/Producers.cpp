//===- Producers.cpp - Code shared by all kinds of op keys ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Producers.h"
#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

namespace {

struct Registered {
  KeyKind kind;
  KeyProducer producer;
};

} // namespace

/// Whether the functions that must be are set.
[[maybe_unused]] static bool isComplete(const KeyProducer &producer) {
  return producer.store && producer.load && producer.getTraits &&
         producer.getLabel && producer.addStack;
}

/// In the order of the kinds; the last one is for keys that do not fit any
/// other.
static const Registered &getProducer(size_t kind) {
  static const Registered producers[] = {
#define MLIRPROF_PRODUCER(NAME, KIND) {KeyKind::KIND, producer::NAME()},
#include "mlir-prof/Profile/Producers.def"
      {KeyKind(0), producer::Unknown()}};
  static_assert(std::size(producers) == std::variant_size_v<KeyDetails>);
  assert(isComplete(producers[kind].producer) && "a function is missing");
  return producers[kind];
}

static constexpr size_t kUnknown = getKindIndex<UnknownKey>();

static const KeyProducer &getProducer(const OpKey &key) {
  return getProducer(key.details.index()).producer;
}

/// The kind of key that `record` is.
static size_t findKind(const KeyRecord &record) {
  size_t found = kUnknown;
  for (size_t kind = 0; kind != kUnknown; ++kind) {
    const Registered &entry = getProducer(kind);
    if (entry.kind != record.kind)
      continue;
    if (!entry.producer.isOf)
      found = kind;
    else if (entry.producer.isOf(record))
      return kind;
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

uint16_t schema::getFields(const KeyRecord &record) {
  uint16_t fields = kNoField;
  auto add = [&](KeyField field, bool isThere) {
    fields |= isThere ? field : kNoField;
  };
  add(kModule, record.hasModule || !record.module.empty());
  add(kProgramId, record.hasProgramId || record.programId != 0);
  add(kNode, record.node != 0);
  add(kScope, !record.scope.empty());
  add(kCallers, !record.callers.empty());
  add(kFrames, !record.frames.empty());
  add(kShapes, !record.shapes.empty());
  add(kGraphNode, !record.graphNode.empty());
  add(kOrdinal, record.ordinal != trace::kNone);
  add(kSequence, record.sequence != -1);
  add(kPhase, record.phase != CallPhase::Forward);
  add(kOrigins,
      record.originKind != OriginKind::Unknown || !record.origins.empty());
  return fields;
}

KeyRecord schema::toWire(const OpKey &key) {
  const Registered &entry = getProducer(key.details.index());
  KeyRecord record;
  record.kind = entry.kind;
  record.op = key.op;
  record.kernel = key.kernel;
  entry.producer.store(key, record);
  record.deviceWork = key.work;
  return record;
}

void schema::fromWire(KeyRecord &&record, OpKey &key) {
  const KeyProducer &producer = getProducer(findKind(record)).producer;
  key.op = std::move(record.op);
  key.kernel = std::move(record.kernel);
  key.work = record.deviceWork;
  record.deviceWork = DeviceWork::None;
  bool isHeld =
      (getFields(record) & ~producer.fields) == 0 && producer.load(record, key);
  if (!isHeld)
    getProducer(kUnknown).producer.load(record, key);
}

void producer::storeOrigins(const NodeOrigins &origins, KeyRecord &record) {
  record.originKind = origins.kind;
  record.origins = origins.nodes;
}

NodeOrigins producer::takeOrigins(KeyRecord &record) {
  return {record.originKind, std::move(record.origins)};
}

std::vector<SourcePosition>
producer::parseFrames(const std::vector<std::string> &frames) {
  std::vector<SourcePosition> positions;
  for (const std::string &frame : frames)
    positions.push_back(parseFrame(frame));
  return positions;
}

//===----------------------------------------------------------------------===//
// Traits and labels
//===----------------------------------------------------------------------===//

llvm::StringRef profile::toString(DeviceWork work) {
  switch (work) {
  case DeviceWork::None:
    return "host";
  case DeviceWork::Kernel:
    return "kernel";
  case DeviceWork::CopyToDevice:
    return "copy to device";
  case DeviceWork::CopyToHost:
    return "copy to host";
  case DeviceWork::CopyOnDevice:
    return "copy on device";
  case DeviceWork::CopyBetweenDevices:
    return "copy between devices";
  case DeviceWork::SetMemory:
    return "set memory";
  case DeviceWork::Other:
    break;
  }
  return "other work";
}

KeyTraits profile::getKeyTraits(const OpKey &key) {
  return getProducer(key).getTraits(key);
}

std::string profile::getKeyScope(const OpKey &key) {
  auto *getScope = getProducer(key).getScope;
  return getScope ? getScope(key) : "";
}

std::string profile::getKeyLabel(const OpKey &key) {
  return getProducer(key).getLabel(key);
}

std::string profile::getEventName(const OpKey &key) {
  const KeyProducer &producer = getProducer(key);
  return producer.getEventName ? producer.getEventName(key)
                               : producer.getLabel(key);
}

void profile::addKeyStack(const OpKey &key, std::vector<std::string> &stack) {
  getProducer(key).addStack(key, stack);
}

std::string profile::printModule(const KeyTraits &traits) {
  if (!traits.module)
    return "";
  std::string text = traits.module->str();
  return traits.programId ? text + "(" + std::to_string(*traits.programId) + ")"
                          : text;
}

uint32_t profile::getInstance(const OpKey &key) {
  if (const auto *code = key.getIf<CodeKey>())
    return code->instance;
  if (const auto *probe = key.getIf<ProbeKey>())
    return probe->instance;
  return trace::kNone;
}

const std::string *profile::findProgramOf(const OpKey &key) {
  if (const auto *code = key.getIf<CodeKey>())
    return &code->program;
  if (const auto *probe = key.getIf<ProbeKey>())
    return &probe->program;
  return nullptr;
}

void profile::splitPath(llvm::StringRef path, std::vector<std::string> &parts) {
  constexpr unsigned kMaxParts = 64;
  for (unsigned part = 0; !path.empty(); ++part) {
    auto [first, rest] = part + 1 < kMaxParts
                             ? path.split('/')
                             : std::make_pair(path, llvm::StringRef());
    if (!first.empty())
      parts.push_back(first.str());
    path = rest;
  }
}

//===----------------------------------------------------------------------===//
// Shared by several kinds
//===----------------------------------------------------------------------===//

std::string producer::printNode(const OpKey &key) {
  return key.kernel.empty() ? key.op : key.op + ":" + key.kernel;
}

std::string producer::printPlace(const OpKey &key) {
  std::string text = printNode(key);
  uint32_t instance = getInstance(key);
  return instance == trace::kNone
             ? text
             : text + " in dispatch " + std::to_string(instance);
}

std::string producer::printCall(const OpKey &key, uint32_t ordinal) {
  std::string text = key.op.empty() ? key.kernel : key.op;
  if (!key.kernel.empty() && !key.op.empty())
    text += ":" + key.kernel;
  if (ordinal != trace::kNone)
    text += " #" + std::to_string(ordinal);
  return text;
}

std::string producer::getCallName(const OpKey &key) {
  return key.kernel.empty() ? key.op : key.kernel;
}

void producer::addPath(llvm::StringRef path, std::vector<std::string> &stack) {
  size_t before = stack.size();
  splitPath(path, stack);
  if (stack.size() == before)
    stack.push_back(path.str());
}

void producer::addKernel(const OpKey &key, std::vector<std::string> &stack) {
  if (!key.kernel.empty() && stack.back() != key.kernel)
    stack.push_back(key.kernel);
}

void producer::addCall(const OpKey &key, std::vector<std::string> &stack) {
  stack.push_back(key.op);
  if (!key.kernel.empty())
    stack.push_back(key.kernel);
}
