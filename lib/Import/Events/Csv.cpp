//===- Csv.cpp - A table of events ----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generic form of docs/formats.md as a table: one row per event.
//
//===----------------------------------------------------------------------===//

#include "../Common/Table/Csv.h"
#include "../Common/Json/Decimal.h"
#include "../Common/Lanes.h"
#include "../Importers.h"
#include "NamedKey.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using json::kMostPs;
using json::WidePs;
using llvm::StringRef;

namespace {

/// A column of times, and the unit of its numbers.
struct TimeColumn {
  size_t place = 0;
  json::DecimalUnit unit = json::DecimalUnit::Microseconds;
};

/// The meaning of the columns.
struct Columns {
  size_t name = 0;
  TimeColumn begin;
  TimeColumn duration;
  std::optional<size_t> op;
  std::optional<size_t> location;
  std::optional<size_t> thread;
};

class Reader {
public:
  Reader(const ImportInput &input, ProfileBuilder &builder)
      : input(input), builder(builder), rows(input.bytes) {}
  llvm::Error read();

private:
  llvm::Error fail(const llvm::Twine &what) const {
    return inputError(input.where + ": line " + llvm::Twine(rows.getLine()),
                      what,
                      "Columns are name, begin, duration, and where wanted op, "
                      "location, thread; see docs/formats.md.");
  }
  /// The field at `place`, without surrounding blanks.
  StringRef get(std::optional<size_t> place) const {
    llvm::ArrayRef<std::string> fields = rows.getFields();
    return place && *place < fields.size() ? StringRef(fields[*place]).trim()
                                           : StringRef();
  }
  llvm::Error addRow();
  void countUnknown();
  Lane &getLane();
  uint32_t getOpKey();
  void finish();

  const ImportInput &input;
  ProfileBuilder &builder;
  table::CsvReader rows;
  Columns columns;
  std::vector<std::string> header;
  /// Number of values in each column without a meaning here.
  std::vector<uint64_t> unknown;
  llvm::StringMap<size_t> laneOfThread;
  std::vector<Lane> lanes;
  llvm::StringMap<uint32_t> keys;
  std::optional<WidePs> origin;
  int64_t earliestPs = std::numeric_limits<int64_t>::max();
};

} // namespace

static constexpr std::pair<llvm::StringLiteral, json::DecimalUnit> kUnits[] = {
    {"", json::DecimalUnit::Microseconds},
    {"_us", json::DecimalUnit::Microseconds},
    {"_ns", json::DecimalUnit::Nanoseconds},
    {"_ps", json::DecimalUnit::Picoseconds},
    {"_ms", json::DecimalUnit::Milliseconds},
    {"_s", json::DecimalUnit::Seconds}};

static std::optional<TimeColumn> findTime(const table::Header &header,
                                          StringRef name) {
  for (const auto &[suffix, unit] : kUnits)
    if (std::optional<size_t> place = header.find((name + suffix).str()))
      return TimeColumn{*place, unit};
  return std::nullopt;
}

static std::optional<Columns> findColumns(const table::Header &header) {
  std::optional<size_t> name = header.find("name");
  std::optional<TimeColumn> begin = findTime(header, "begin");
  std::optional<TimeColumn> duration = findTime(header, "duration");
  if (!name || !begin || !duration)
    return std::nullopt;
  return Columns{*name,
                 *begin,
                 *duration,
                 header.find("op"),
                 header.find("location"),
                 header.find("thread")};
}

/// Two columns with the same meaning, one of which would be ignored; "" if
/// there are none.
static StringRef findTwice(llvm::ArrayRef<std::string> header) {
  static constexpr llvm::StringLiteral kNames[] = {
      "name", "begin", "duration", "op", "location", "thread"};
  for (StringRef name : kNames)
    if (llvm::count_if(header, [&](StringRef column) {
          column = column.trim();
          bool isTime = name == "begin" || name == "duration";
          return column.consume_front(name) &&
                 (column.empty() ||
                  (isTime && llvm::any_of(kUnits, [&](const auto &unit) {
                     return unit.first == column;
                   })));
        }) > 1)
      return name;
  return "";
}

static bool detect(StringRef bytes) {
  return findColumns(table::peekHeader(bytes)).has_value();
}

Lane &Reader::getLane() {
  StringRef thread = get(columns.thread);
  auto [it, isNew] = laneOfThread.try_emplace(thread, lanes.size());
  if (isNew) {
    Track track;
    track.line = uint32_t(lanes.size());
    track.name = thread.empty() ? "events" : thread.str();
    lanes.push_back({builder.addTrack(std::move(track)), {}});
  }
  return lanes[it->second];
}

uint32_t Reader::getOpKey() {
  StringRef name = get(columns.name);
  StringRef location = get(columns.location);
  StringRef op = get(columns.op);
  llvm::SmallString<256> text;
  (name + llvm::Twine('\0') + location + llvm::Twine('\0') + op).toVector(text);
  auto [it, isNew] = keys.try_emplace(text, kNone);
  if (isNew)
    it->second = builder.addOpKey(
        makeNamedKey(name.empty() ? location : name, location, op));
  return it->second;
}

/// Counts arguments, which are ignored here.
void Reader::countUnknown() {
  size_t count = std::min(rows.getFields().size(), unknown.size());
  for (size_t i = 0; i != count; ++i)
    unknown[i] += !StringRef(rows.getFields()[i]).trim().empty();
}

llvm::Error Reader::addRow() {
  StringRef name = get(columns.name);
  if (name.empty() && get(columns.location).empty())
    return fail("has neither a name nor a location");
  WidePs begin, duration;
  if (!json::parseDecimalTime(get(columns.begin.place), columns.begin.unit,
                              begin))
    return fail("has a begin that is not a number");
  if (!json::parseDecimalTime(get(columns.duration.place),
                              columns.duration.unit, duration) ||
      duration < 0)
    return fail("has a duration that is not a number, or negative");
  if (rows.getFields().size() > header.size())
    return fail("has " + llvm::Twine(rows.getFields().size()) +
                " fields, more than the " + llvm::Twine(header.size()) +
                " columns");
  countUnknown();
  if (duration > kMostPs) {
    builder.loss("event longer than a month", 1, 0);
    return llvm::Error::success();
  }
  // Anchors are in whole nanoseconds.
  if (!origin)
    origin = json::floorToNs(begin);
  begin -= *origin;
  if (begin > kMostPs || begin < -kMostPs) {
    builder.loss("event more than a month away from the first", 1,
                 int64_t(duration));
    return llvm::Error::success();
  }
  LaneEvent event;
  event.beginPs = int64_t(begin);
  event.endPs = int64_t(begin + duration);
  event.name = builder.addName(name.empty() ? get(columns.location) : name);
  event.op = getOpKey();
  earliestPs = std::min(earliestPs, event.beginPs);
  getLane().events.push_back(event);
  return llvm::Error::success();
}

void Reader::finish() {
  for (size_t i = 0; i != unknown.size(); ++i)
    if (unknown[i])
      builder.loss(
          ("argument '" + StringRef(header[i]).trim() + "', not kept").str(),
          unknown[i], 0);
  Run &run = builder.getRun();
  run.clock.name = "times of the table";
  if (lanes.empty())
    return;
  // Anchors are in whole nanoseconds.
  earliestPs = json::floorToNs(earliestPs);
  WidePs ns = (*origin + earliestPs) / 1000;
  if (ns >= std::numeric_limits<int64_t>::min() &&
      ns <= std::numeric_limits<int64_t>::max())
    run.facts.emplace_back("first begin, ns", std::to_string(int64_t(ns)));
  for (Lane &lane : lanes)
    for (LaneEvent &event : lane.events) {
      event.beginPs -= earliestPs;
      event.endPs -= earliestPs;
    }
  emitLanes(lanes, builder);
}

llvm::Error Reader::read() {
  std::optional<Columns> found;
  if (rows.next()) {
    header = rows.getFields().vec();
    found = findColumns(table::Header(header));
  }
  if (!found)
    return fail("is not a header of a table of events");
  if (StringRef twice = findTwice(header); !twice.empty())
    return fail("has two columns for '" + twice + "'");
  columns = *found;
  // Columns beyond the known ones are arguments.
  unknown.assign(header.size(), 0);
  while (rows.next())
    if (llvm::Error error = addRow())
      return error;
  if (rows.getFault() != table::CsvReader::Fault::None)
    return fail(rows.describeFault());
  for (std::optional<size_t> known :
       {std::optional(columns.name), std::optional(columns.begin.place),
        std::optional(columns.duration.place), columns.op, columns.location,
        columns.thread})
    if (known)
      unknown[*known] = 0;
  finish();
  return llvm::Error::success();
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  return Reader(input, builder).read();
}

Importer importer::EventsCsv() {
  return {"csv", "a table of events: name, begin, duration, op, location ...",
          detect, read};
}
