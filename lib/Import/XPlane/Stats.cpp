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
using namespace mlirprof::importer;
using namespace mlirprof::importer::xplane;
using namespace mlirprof::trace;
using pbf_reader = mlirprof::ProtoReader;

StatKind xplane::classifyStat(llvm::StringRef name) {
  return llvm::StringSwitch<StatKind>(name)
      .Case("hlo_op", StatKind::HloOp)
      .Case("hlo_module", StatKind::HloModule)
      .Case("memcpy_details", StatKind::CopyDetails)
      .Case("memset_details", StatKind::CopyDetails)
      .Case("program_id", StatKind::ProgramId)
      .Case("run_id", StatKind::RunId)
      .Case("device_ordinal", StatKind::DeviceOrdinal)
      .Case("_p", StatKind::FlowOut)
      .Case("_c", StatKind::FlowIn)
      .Case("step_num", StatKind::StepNumber)
      .Case("correlation_id", StatKind::Correlation)
      .Case("cuda_graph_id", StatKind::GraphId)
      .Case("cuda_graph_node_id", StatKind::GraphNode)
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
    // Beyond 2^53 a double does not identify an integer anymore.
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
    // proto3 omits zeros of plain fields.
    return 0;
  case Type::Reference:
  case Type::Compressed:
    return std::nullopt;
  }
  return std::nullopt;
}

/// Reads the field at which the reader is, unless it is the metadata id.
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
  // Undescribed ids must reach readOne() to be counted.
  kinds.fill(StatKind::Unknown);
  for (size_t i = 0; i != metadata.size(); ++i)
    if (uint64_t id = uint64_t(metadata.getIds()[i]); id < kinds.size())
      kinds[id] = metadata[i].kind;
}

void StatReader::readOne(llvm::StringRef message, EventStats &stats) {
  StatValue value;
  int64_t id = readStat(pbf_reader(message.data(), message.size()), value);
  const StatMetadata *known = metadata->find(id);
  if (!known)
    ++unusable;
  else if (known->kind != StatKind::Other)
    store(known->kind, value, stats);
}

/// Whether a stat of that kind is an integer rather than a name.
static inline bool isInteger(StatKind kind) {
  return kind >= StatKind::ProgramId;
}

/// Whether a stat of that kind differs from event to event.
static inline bool changesAlways(StatKind kind) {
  return kind == StatKind::FlowOut || kind == StatKind::FlowIn ||
         kind == StatKind::StepNumber || kind == StatKind::Correlation ||
         kind == StatKind::GraphNode;
}

namespace {

/// The first bytes of a stat in the form of nearly all: a length and an id of
/// one byte each, the id first.
struct ShortStat {
  /// `at` points to its tag; eight bytes can be loaded there.
  explicit ShortStat(const char *at)
      : word(llvm::support::endian::read64le(at)) {}

  bool isValid() const {
    constexpr uint64_t kTags = uint8_t(kBytes4) | uint64_t(kVarint1) << 16;
    return (word & 0x80ff80ff) == kTags && size() >= 2 + 4;
  }
  /// Size of the whole stat, including its tag and length.
  size_t size() const { return 2 + uint8_t(word >> 8); }
  uint8_t id() const { return uint8_t(word >> 24); }
  /// Tag of the value, which begins kValue bytes after the stat's tag.
  char tag() const { return char(word >> 32); }
  static constexpr size_t kValue = 5;

  uint64_t word;
};

} // namespace

/// Number of bytes from a stat on that are required to read it as a short one.
static constexpr ptrdiff_t kShortStatBytes = ShortStat::kValue + 8;

void StatReader::readFields(llvm::StringRef bytes, const char *fileEnd,
                            EventStats &stats) {
  const char *at = bytes.begin();
  const char *end = bytes.end();
  while (at != end) {
    // Most stats are irrelevant, and most others are small integers.
    if (LLVM_LIKELY(fileEnd - at >= kShortStatBytes)) {
      ShortStat stat(at);
      const char *next = at + stat.size();
      if (LLVM_LIKELY(stat.isValid() && next <= end)) {
        StatKind kind = kinds[stat.id()];
        if (kind == StatKind::Other) {
          at = next;
          continue;
        }
        const char *value = at + ShortStat::kValue;
        uint64_t integer;
        if (LLVM_LIKELY(kind >= StatKind::ProgramId &&
                        (stat.tag() == kVarint3 || stat.tag() == kVarint4) &&
                        readLoadedVarint(value, integer) && value == next)) {
          stats.set(kind, integer);
          at = next;
          continue;
        }
      }
    }
    if (LLVM_UNLIKELY(*at != kBytes4)) {
      pbf_reader reader(at, size_t(end - at));
      reader.next();
      misplaced += reader.tag() <= 5;
      reader.skip();
      at = reader.data().data();
      continue;
    }
    readOne(readBytes(++at, end), stats);
  }
}

/// The number of bytes of `bytes` that are worth caching, in whole stats. Bytes
/// that differ from `last` are not, if that cache was of little use.
size_t StatReader::findPrefix(llvm::StringRef bytes,
                              const StatPrefix &last) const {
  constexpr uint32_t kFewUses = 8;
  size_t limit = std::min(bytes.size(), StatPrefix::kMaxSize);
  if (last.size && last.uses < kFewUses)
    limit =
        size_t(std::mismatch(bytes.begin(),
                             bytes.begin() + std::min(limit, size_t(last.size)),
                             last.bytes.begin())
                   .first -
               bytes.begin());
  size_t size = 0;
  while (limit - size >= 8) {
    ShortStat stat(bytes.begin() + size);
    if (!stat.isValid() || stat.size() > limit - size ||
        changesAlways(kinds[stat.id()]))
      break;
    size += stat.size();
  }
  return size;
}

/// The slow part of readOfEvent(): the event does not begin with `prefix`,
/// which is replaced.
LLVM_ATTRIBUTE_NOINLINE void StatReader::readAndLearn(llvm::StringRef bytes,
                                                      const char *fileEnd,
                                                      StatPrefix &prefix,
                                                      EventStats &stats) {
  size_t size = findPrefix(bytes, prefix);
  // Counted errors must be counted again for the next event.
  uint64_t counted = unusable + misplaced;
  readFields(bytes.take_front(size), fileEnd, stats);
  if (stats.has(StatKind::HloOp) && unusable + misplaced == counted) {
    std::copy_n(bytes.begin(), size, prefix.bytes.begin());
    prefix.size = uint8_t(size);
    prefix.uses = 0;
    prefix.stats = stats;
  }
  readFields(bytes.drop_front(size), fileEnd, stats);
}

void StatReader::readOfEvent(llvm::StringRef bytes, const char *fileEnd,
                             StatPrefix *prefix, EventStats &stats) {
  if (prefix) {
    if (LLVM_UNLIKELY(!prefix->fits(bytes)))
      return readAndLearn(bytes, fileEnd, *prefix, stats);
    ++prefix->uses;
    stats = prefix->stats;
    bytes = bytes.drop_front(prefix->size);
  }
  readFields(bytes, fileEnd, stats);
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

/// The field of a stat that is a name.
static uint32_t &getTextOf(StatKind kind, EventStats &stats) {
  switch (kind) {
  case StatKind::HloOp:
    return stats.hloOp;
  case StatKind::HloModule:
    return stats.hloModule;
  default:
    return stats.copyDetails;
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
    getTextOf(kind, stats) = text;
    stats.present |= 1u << unsigned(kind);
    return;
  }
  if (std::optional<uint64_t> integer = value.getInteger())
    stats.set(kind, *integer);
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
    // Usually a protobuf of options, which is not readable.
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
