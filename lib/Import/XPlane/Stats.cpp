//===- Stats.cpp - Stats of events ----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stats.h"
#include "FastWire.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlirprof;
using namespace mlirprof::xplane;
using pbf_reader = mlirprof::ProtoReader;

StatKind xplane::classifyStat(llvm::StringRef name) {
  return llvm::StringSwitch<StatKind>(name)
      .Case("hlo_op", StatKind::HloOp)
      .Case("hlo_module", StatKind::HloModule)
      .Case("program_id", StatKind::ProgramId)
      .Case("run_id", StatKind::RunId)
      .Case("device_ordinal", StatKind::DeviceOrdinal)
      .Case("_p", StatKind::FlowOut)
      .Case("_c", StatKind::FlowIn)
      .Case("step_num", StatKind::StepNumber)
      .Case("Hlo Proto", StatKind::HloProto)
      .Case("hlo_proto", StatKind::HloProto)
      .Default(StatKind::Other);
}

uint32_t Texts::get(llvm::StringRef string) {
  auto [it, isNew] = numbers.try_emplace(string, uint32_t(strings.size()));
  if (isNew)
    strings.push_back(it->first());
  return it->second;
}

std::optional<uint64_t> StatValue::getInteger() const {
  switch (type) {
  case Type::Signed:
  case Type::Unsigned:
    return integer;
  case Type::Double:
    // Beyond 2^53 a double is no identity any more.
    if (real >= -9007199254740992.0 && real <= 9007199254740992.0 &&
        double(int64_t(real)) == real)
      return uint64_t(int64_t(real));
    return std::nullopt;
  case Type::String:
  case Type::Bytes: {
    int64_t negative;
    uint64_t positive;
    if (!bytes.getAsInteger(10, positive))
      return positive;
    if (!bytes.getAsInteger(10, negative))
      return uint64_t(negative);
    return std::nullopt;
  }
  case Type::None:
    // proto3 leaves out zeros of plain fields.
    return 0;
  case Type::Reference:
  case Type::Compressed:
    return std::nullopt;
  }
  return std::nullopt;
}

/// Reads the field that the reader stands on, unless it is the metadata id.
static void readStatValue(pbf_reader &reader, StatValue &value) {
  auto bytes = [&](StatValue::Type type) {
    value.type = type;
    value.bytes = toRef(reader.get_view());
  };
  auto integer = [&](StatValue::Type type) {
    value.type = type;
    value.integer = reader.get_uint64();
  };
  switch (reader.tag_and_type()) {
  case fixed64Field(2):
    value.type = StatValue::Type::Double;
    value.real = reader.get_double();
    return;
  case varintField(3):
    return integer(StatValue::Type::Unsigned);
  case varintField(4):
    return integer(StatValue::Type::Signed);
  case bytesField(5):
    return bytes(StatValue::Type::String);
  case bytesField(6):
    return bytes(StatValue::Type::Bytes);
  case varintField(7):
    return integer(StatValue::Type::Reference);
  case bytesField(8):
    return bytes(StatValue::Type::Compressed);
  default:
    return reader.skip();
  }
}

int64_t xplane::readStat(pbf_reader reader, StatValue &value) {
  int64_t id = 0;
  while (reader.next()) {
    if (reader.tag_and_type() == varintField(1))
      id = reader.get_int64();
    else
      readStatValue(reader, value);
  }
  return id;
}

StatReader::StatReader(IdTable<StatMetadata> &metadata, Texts &texts,
                       MemoryBudget &inflation)
    : metadata(&metadata), texts(&texts), inflation(&inflation) {
  // Ids that nothing describes must come to readOne() to be counted.
  kinds.fill(StatKind::Unknown);
  for (size_t i = 0; i != metadata.size(); ++i)
    if (uint64_t id = uint64_t(metadata.getIds()[i]); id < kinds.size())
      kinds[id] = metadata[i].kind;
}

void StatReader::readOne(llvm::StringRef message, EventStats &stats) {
  StatValue value;
  int64_t id = readStat(pbf_reader(message.data(), message.size()), value);
  if (const StatMetadata *known = metadata->find(id))
    store(known->kind, value, stats);
  else
    ++unusable;
}

/// Whether a stat of that kind is an integer, not a name.
static inline bool isInteger(StatKind kind) {
  return kind != StatKind::HloOp && kind != StatKind::HloModule;
}

/// Sets a stat that is an integer.
static inline void storeInteger(StatKind kind, uint64_t integer,
                                EventStats &stats) {
  switch (kind) {
  case StatKind::ProgramId:
    stats.programId = int64_t(integer);
    break;
  case StatKind::RunId:
    stats.runId = integer;
    break;
  case StatKind::DeviceOrdinal:
    stats.deviceOrdinal = integer;
    break;
  case StatKind::FlowOut:
    stats.flowOut = integer;
    break;
  case StatKind::FlowIn:
    stats.flowIn = integer;
    break;
  case StatKind::StepNumber:
    stats.stepNumber = int64_t(integer);
    break;
  default:
    return;
  }
  stats.present |= 1u << unsigned(kind);
}

/// Reads a stat that consists of a one-byte id and one integer or reference, as
/// nearly all do. False when it is another; bytes up to `fileEnd` may be looked
/// at.
static bool readShortStat(const char *at, const char *end, const char *fileEnd,
                          StatValue &value) {
  switch (*at++) {
  case kVarint3:
    value.type = StatValue::Type::Unsigned;
    break;
  case kVarint4:
    value.type = StatValue::Type::Signed;
    break;
  case kVarint7:
    value.type = StatValue::Type::Reference;
    break;
  default:
    return false;
  }
  value.integer = readVarint(at, fileEnd);
  return at == end;
}

/// Whether a stat of that kind differs from event to event.
static inline bool changesAlways(StatKind kind) {
  return kind == StatKind::FlowOut || kind == StatKind::FlowIn ||
         kind == StatKind::StepNumber;
}

void StatReader::readOfEvent(llvm::StringRef bytes, const char *fileEnd,
                             StatPrefix *prefix, EventStats &stats) {
  const char *at = bytes.begin();
  const char *end = bytes.end();
  bool isKnown = !prefix;
  if (prefix && prefix->fits(bytes)) {
    isKnown = true;
    stats = prefix->stats;
    at += prefix->bytes.size();
  }
  // Short ones are read as fast as compared; what is counted must be counted
  // again for the next event.
  uint64_t counted = unusable + misplaced;
  auto learn = [&](const char *until) {
    isKnown = true;
    if (!stats.has(StatKind::HloOp) || unusable + misplaced != counted)
      return;
    prefix->bytes =
        llvm::StringRef(bytes.begin(), size_t(until - bytes.begin()));
    prefix->stats = stats;
  };
  while (at != end) {
    const char *begin = at;
    if (LLVM_UNLIKELY(*at != kBytes4)) {
      pbf_reader reader(at, size_t(end - at));
      reader.next();
      misplaced += reader.tag() <= 5;
      reader.skip();
      at = reader.data().data();
      continue;
    }
    ++at;
    size_t length = readLength(at, end);
    const char *stat = at;
    at += length;
    // Most stats do not matter and nearly all have a small id first.
    if (LLVM_LIKELY(length >= 4 && stat[0] == kVarint1 &&
                    int8_t(stat[1]) >= 0)) {
      StatKind kind = kinds[uint8_t(stat[1])];
      if (kind == StatKind::Other)
        continue;
      if (!isKnown && changesAlways(kind))
        learn(begin);
      StatValue value;
      if (LLVM_LIKELY(kind != StatKind::Unknown &&
                      readShortStat(stat + 2, at, fileEnd, value))) {
        if (isInteger(kind) && value.type != StatValue::Type::Reference)
          storeInteger(kind, value.integer, stats);
        else
          store(kind, value, stats);
        continue;
      }
    }
    readOne(llvm::StringRef(stat, length), stats);
  }
  if (!isKnown)
    learn(end);
}

void StatReader::readOfMetadata(llvm::StringRef bytes, EventStats &stats) {
  pbf_reader reader(bytes.data(), bytes.size());
  while (reader.next()) {
    if (reader.tag_and_type() == bytesField(5))
      readOne(toRef(reader.get_view()), stats);
    else
      reader.skip();
  }
}

uint32_t StatReader::getText(const StatValue &value) {
  switch (value.type) {
  case StatValue::Type::Reference: {
    StatMetadata *name = metadata->find(int64_t(value.integer));
    if (!name)
      return kNone;
    if (name->text == kNone)
      name->text = texts->get(name->name);
    return name->text;
  }
  case StatValue::Type::String:
  case StatValue::Type::Bytes:
    return texts->get(value.bytes);
  default:
    return texts->get(print(value));
  }
}

void StatReader::store(StatKind kind, const StatValue &value,
                       EventStats &stats) {
  if (!isInteger(kind)) {
    uint32_t text = getText(value);
    if (text == kNone) {
      ++unusable;
      return;
    }
    (kind == StatKind::HloOp ? stats.hloOp : stats.hloModule) = text;
    stats.present |= 1u << unsigned(kind);
    return;
  }
  if (std::optional<uint64_t> integer = value.getInteger())
    storeInteger(kind, *integer, stats);
  else
    ++unusable;
}

std::string StatReader::print(const StatValue &value) {
  switch (value.type) {
  case StatValue::Type::None:
    return "";
  case StatValue::Type::Double: {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.17g", value.real);
    return text;
  }
  case StatValue::Type::Unsigned:
    return llvm::utostr(value.integer);
  case StatValue::Type::Signed:
    return llvm::itostr(int64_t(value.integer));
  case StatValue::Type::String:
    return value.bytes.str();
  case StatValue::Type::Bytes:
    // Usually a protobuf of options, nothing to read.
    return value.bytes.size() <= 256
               ? llvm::toHex(value.bytes, /*LowerCase=*/true)
               : llvm::utostr(value.bytes.size()) + " bytes";
  case StatValue::Type::Reference: {
    const StatMetadata *name = metadata->find(int64_t(value.integer));
    return name ? name->name.str() : std::string();
  }
  case StatValue::Type::Compressed: {
    uint64_t limit = std::min(uint64_t(1) << 26, inflation->getLeft());
    auto inflated = gunzip(value.bytes, "stat", limit);
    if (inflated) {
      inflation->charge((*inflated)->getBufferSize());
      return (*inflated)->getBuffer().str();
    }
    llvm::consumeError(inflated.takeError());
    ++unusable;
    return "";
  }
  }
  return "";
}
