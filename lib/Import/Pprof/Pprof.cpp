//===- Pprof.cpp - pprof's profiles ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pprof.h"
#include "../Common/FastWire.h"
#include "../Common/Stacks.h"
#include "../Common/Wire.h"
#include "../Common/WireProbe.h"
#include "../Importers.h"
#include "Tables.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::pprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

//===----------------------------------------------------------------------===//
// Detection
//===----------------------------------------------------------------------===//

/// Whether `message` is a type and a unit, either of which may be absent.
static bool looksLikeValueType(llvm::StringRef message) {
  WireProbe probe(message);
  unsigned fields = 0;
  for (; probe.next(); ++fields)
    if (probe.type() != WireProbe::Type::Varint || probe.number() > 2)
      return false;
  return fields && fields <= 2 && !probe.isBroken();
}

static bool hasRightType(const WireProbe &probe) {
  bool isBytes = probe.type() == WireProbe::Type::Bytes;
  if (probe.number() <= 6 || probe.number() == 11)
    return isBytes;
  // Comments are numbers, possibly packed.
  return probe.type() == WireProbe::Type::Varint || probe.number() == 13;
}

bool pprof::detect(llvm::StringRef bytes) {
  // No other format has strings in field 6, the first of which is empty. They
  // may follow the samples, so all fields are skipped through.
  bool hasValueType = false;
  WireProbe probe(bytes);
  while (probe.next()) {
    if (probe.number() > 15 || !hasRightType(probe))
      return false;
    if (probe.number() == 1) {
      if (!looksLikeValueType(probe.bytes()))
        return false;
      hasValueType = true;
    }
    if (probe.number() == 6)
      return hasValueType && probe.bytes().empty();
  }
  return hasValueType && probe.isCut();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// Reads the samples, which follow the tables.
class Reader {
public:
  Reader(const ImportInput &input, ProfileBuilder &builder,
         const char *&position)
      : input(input), builder(builder), position(position),
        tables(input.bytes, position), stacks(builder, input) {}

  llvm::Error read();

private:
  enum class Use : uint8_t { None, Samples, Time, Bytes };
  struct Column {
    Use use = Use::None;
    int64_t psPerUnit = 0;
    uint64_t leftOut = 0;
    int64_t leftOutPs = 0;
  };

  void chooseColumns();
  void choose(Use use, uint32_t &chosen);
  bool isRounded(size_t column);
  void describe();
  bool readSample(llvm::StringRef message);
  void getFrames();
  bool addValues();
  void reportLosses();
  std::string getName(const ValueType &type) {
    return (tables.getString(type.type) + "/" + tables.getString(type.unit))
        .str();
  }

  const ImportInput &input;
  ProfileBuilder &builder;
  const char *&position;
  Tables tables;
  Stacks stacks;
  std::vector<Column> columns;
  /// For each location: its frames, innermost first, as [first, first + size)
  /// of `framesOfRanges`.
  IntegerMap framesOfLocation;
  std::vector<std::pair<uint32_t, uint32_t>> ranges;
  std::vector<uint32_t> framesOfRanges;
  /// For the current sample.
  std::vector<uint32_t> frames;
  std::vector<uint64_t> locations;
  std::vector<int64_t> values;
  bool hasLabels = false;
  uint64_t labeled = 0;
  uint64_t misshapen = 0;
};

} // namespace

/// Among several columns with the same use, chooses the one in picoseconds,
/// which only mlir-prof writes, the one that the profile names as its default,
/// or the last, like pprof.
void Reader::choose(Use use, uint32_t &chosen) {
  for (uint32_t i = 0; i != columns.size(); ++i) {
    llvm::StringRef unit = tables.getString(tables.sampleTypes[i].unit);
    bool fits = (use == Use::Time && columns[i].psPerUnit) ||
                (use == Use::Bytes && unit == "bytes") ||
                (use == Use::Samples && unit == "count");
    if (!fits)
      continue;
    if (use == Use::Time && columns[i].psPerUnit == 1) {
      chosen = i;
      break;
    }
    if (chosen == kNone ||
        tables.sampleTypes[chosen].type != tables.defaultType ||
        tables.sampleTypes[i].type == tables.defaultType)
      chosen = i;
  }
  if (chosen != kNone)
    columns[chosen].use = use;
}

/// Whether a column is a rounded form of the one in picoseconds.
bool Reader::isRounded(size_t column) {
  llvm::StringRef name = tables.getString(tables.sampleTypes[column].type);
  for (size_t i = 0; i != columns.size(); ++i)
    if (columns[i].use == Use::Time && columns[i].psPerUnit == 1 &&
        tables.getString(tables.sampleTypes[i].type) == (name + "_ps").str())
      return true;
  return false;
}

void Reader::chooseColumns() {
  columns.resize(tables.sampleTypes.size());
  for (uint32_t i = 0; i != columns.size(); ++i)
    columns[i].psPerUnit =
        getPsPerUnit(tables.getString(tables.sampleTypes[i].unit));
  uint32_t time = kNone, bytes = kNone, samples = kNone;
  choose(Use::Time, time);
  choose(Use::Bytes, bytes);
  choose(Use::Samples, samples);
  stacks.hasTime = time != kNone;
  stacks.hasBytes = bytes != kNone;
  stacks.hasSamples = samples != kNone;
}

void Reader::describe() {
  Run &run = builder.getRun();
  if (tables.timeNs > 0) {
    run.clock.name = "epoch";
    run.clock.anchorNs = tables.timeNs;
    run.clock.hasAnchor = true;
  }
  if (tables.durationNs)
    run.facts.emplace_back("duration, ns", std::to_string(tables.durationNs));
  for (const ValueType &type : tables.sampleTypes)
    run.facts.emplace_back("sample type", getName(type));
  if (tables.period > 0) {
    run.facts.emplace_back("period", std::to_string(tables.period) + " " +
                                         getName(tables.periodType));
    run.samplePeriodPs = saturatingMul(
        getPsPerUnit(tables.getString(tables.periodType.unit)), tables.period);
  }
  for (uint64_t comment : tables.comments)
    run.facts.emplace_back("comment", tables.getString(comment).str());
}

/// Collects the frames of `locations`, the innermost first.
void Reader::getFrames() {
  frames.clear();
  for (uint64_t location : locations) {
    uint32_t &range = framesOfLocation[location];
    if (range == kNone) {
      range = uint32_t(ranges.size());
      std::vector<std::string> names;
      tables.getFrames(location, names);
      ranges.emplace_back(uint32_t(framesOfRanges.size()),
                          uint32_t(names.size()));
      for (const std::string &name : names)
        framesOfRanges.push_back(stacks.addFrame(name));
    }
    auto [first, size] = ranges[range];
    frames.insert(frames.end(), framesOfRanges.begin() + first,
                  framesOfRanges.begin() + first + size);
    // One more than the limit, so that the excess is noticed.
    if (frames.size() > Stacks::kMostFrames)
      break;
  }
}

/// False if that needs too much memory.
bool Reader::addValues() {
  if (values.size() != columns.size()) {
    ++misshapen;
    return true;
  }
  StackValues sum;
  for (size_t i = 0; i != values.size(); ++i) {
    Column &column = columns[i];
    int64_t ps = saturatingMul(values[i], column.psPerUnit);
    switch (column.use) {
    case Use::None:
      column.leftOut += values[i] != 0;
      column.leftOutPs = saturatingAdd(column.leftOutPs, ps);
      break;
    case Use::Samples:
      sum.samples = values[i];
      break;
    case Use::Time:
      sum.timePs = ps;
      break;
    case Use::Bytes:
      sum.bytes = values[i];
      break;
    }
  }
  labeled += hasLabels;
  getFrames();
  return stacks.add(frames, sum);
}

bool Reader::readSample(llvm::StringRef message) {
  locations.clear();
  values.clear();
  hasLabels = false;
  const char *at = message.begin();
  const char *end = message.end();
  auto add = [&](uint64_t field, uint64_t value) {
    if (field == 1)
      locations.push_back(value);
    else
      values.push_back(int64_t(value));
  };
  while (at != end) {
    uint64_t tag = readVarint(at, end);
    uint64_t field = tag >> 3;
    if (field != 1 && field != 2) {
      hasLabels |= field == 3;
      skipField(tag, at, end);
    } else if ((tag & 7) == 2) {
      llvm::StringRef packed = readBytes(at, end);
      for (const char *next = packed.begin(); next != packed.end();)
        add(field, readVarint(next, packed.end()));
    } else if ((tag & 7) == 0) {
      add(field, readVarint(at, end));
    } else {
      skipField(tag, at, end);
    }
  }
  return addValues();
}

void Reader::reportLosses() {
  for (size_t i = 0; i != columns.size(); ++i)
    if (columns[i].use == Use::None && columns[i].leftOut && !isRounded(i))
      builder.loss("values of sample type " + getName(tables.sampleTypes[i]) +
                       ": a profile cannot store them",
                   columns[i].leftOut, columns[i].leftOutPs);
  auto add = [&](llvm::StringRef name, uint64_t count) {
    if (count)
      builder.loss(name, count, 0);
  };
  add("sample whose values do not fit the sample types", misshapen);
  add("sample whose labels are not kept", labeled);
  add("reference to a missing entry", tables.dangling);
  if (!tables.samples)
    builder.loss("no sample: nothing was measured", 1, 0);
}

llvm::Error Reader::read() {
  chooseColumns();
  describe();
  ReadPages pages(input.bytes.begin(), input.backing);
  const char *at = input.bytes.begin();
  const char *end = input.bytes.end();
  while (at != end) {
    position = at;
    uint64_t tag = readVarint(at, end);
    if (tag != (2 << 3 | 2))
      skipField(tag, at, end);
    else if (!readSample(readBytes(at, end)))
      return stacks.tooLarge(input.where);
    pages.readTo(at);
  }
  stacks.finish();
  reportLosses();
  return llvm::Error::success();
}

llvm::Error pprof::read(const ImportInput &input, ProfileBuilder &builder) {
  const char *position = input.bytes.data();
  return catchWireErrors(input.bytes, input.where, position, [&] {
    return Reader(input, builder, position).read();
  });
}

Importer importer::Pprof() {
  Importer importer = {"pprof", "pprof profile, protobuf", pprof::detect,
                       pprof::read};
  importer.sharesBeginning = true;
  return importer;
}
