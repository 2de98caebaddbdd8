//===- TracyCsv.cpp - Zones of Tracy as a table ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tracy-csvexport writes one row per zone with totals, or with -u one row each
// time that a zone ran, or with -g one row each time that one ran on a GPU.
// IREE's dispatches and its runtime's functions are zones. Names and values are
// never quoted.
//
//===----------------------------------------------------------------------===//

#include "../Common/Lanes.h"
#include "../Common/Table/Csv.h"
#include "../Common/Table/Totals.h"
#include "../Importers.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

static constexpr llvm::StringLiteral kName = "name";
static constexpr llvm::StringLiteral kFile = "src_file";
static constexpr llvm::StringLiteral kLine = "src_line";
static constexpr llvm::StringLiteral kTotal = "total_ns";
static constexpr llvm::StringLiteral kCounts = "counts";
static constexpr llvm::StringLiteral kLeast = "min_ns";
static constexpr llvm::StringLiteral kMost = "max_ns";
static constexpr llvm::StringLiteral kBegin = "ns_since_start";
static constexpr llvm::StringLiteral kDuration = "exec_time_ns";
static constexpr llvm::StringLiteral kThread = "thread";
static constexpr llvm::StringLiteral kGpuBegin = "Time from start of program";
static constexpr llvm::StringLiteral kGpuDuration = "GPU execution time";

static bool hasTotals(const table::Header &header) {
  return header.has(kTotal) && header.has(kCounts);
}

static bool hasExecutions(const table::Header &header) {
  return header.has(kBegin) && header.has(kDuration);
}

static bool isOfGpu(const table::Header &header) {
  return header.has(kGpuBegin) && header.has(kGpuDuration);
}

static bool isTable(const table::Header &header) {
  if (!header.has(kName) || !header.has(kFile))
    return false;
  return isOfGpu(header) ||
         (header.has(kLine) && (hasTotals(header) || hasExecutions(header)));
}

static bool detect(StringRef bytes) {
  return isTable(table::peekHeader(bytes));
}

namespace {

class Reader {
public:
  Reader(const ImportInput &input, ProfileBuilder &builder)
      : input(input), builder(builder), totals(builder), rows(input.bytes) {}
  llvm::Error read();

private:
  llvm::Error fail(const llvm::Twine &what) const {
    return inputError(input.where + ": line " + llvm::Twine(rows.getLine()),
                      what,
                      "Give a table of tracy-csvexport, with -u, -g or "
                      "neither, separated by commas.");
  }
  StringRef get(StringRef column) const {
    return table::getField(header, fields, column);
  }
  bool getTime(StringRef column, int64_t &ps) const {
    return table::parseDuration(get(column), json::DecimalUnit::Nanoseconds,
                                ps);
  }
  void takeFields();
  size_t findLongName() const;
  OpKey makeOpKey() const;
  llvm::Error addTotal();
  llvm::Error addExecution();
  Lane &getLane();

  const ImportInput &input;
  ProfileBuilder &builder;
  table::Totals totals;
  table::CsvReader rows;
  table::Header header;
  /// Fields of the current row, one per column.
  std::vector<std::string> fields;
  uint64_t plotValues = 0;
  std::map<std::string, size_t> laneOfThread;
  std::vector<Lane> lanes;
};

} // namespace

/// The number of surplus fields that belong to the name, if the row has more
/// fields than columns: only numbers follow it and the file, except for the
/// text of a zone, which is last.
size_t Reader::findLongName() const {
  size_t extra = fields.size() - header.size();
  if (!hasExecutions(header))
    return extra;
  auto isNumber = [](StringRef text) {
    return !text.empty() &&
           llvm::all_of(text, [](char c) { return llvm::isDigit(c); });
  };
  for (size_t more = 0; more <= extra; ++more)
    if (llvm::all_of(llvm::ArrayRef(fields).slice(more + 2, 4), isNumber))
      return more;
  return 0;
}

/// Takes a row, whose name and value may contain commas.
void Reader::takeFields() {
  fields = rows.getFields().vec();
  // The position of fields is known only for columns in the original order.
  if (fields.size() <= header.size() || header.size() < 4 ||
      header.find(kName) != 0u || header.find(kFile) != 1u ||
      (hasExecutions(header) && header.find(kThread) != 5u))
    return;
  size_t more = findLongName();
  for (size_t i = 1; i <= more; ++i)
    fields[0] += "," + fields[i];
  fields.erase(fields.begin() + 1, fields.begin() + 1 + more);
  for (size_t i = header.size(); i < fields.size(); ++i)
    fields[header.size() - 1] += "," + fields[i];
  fields.resize(header.size());
}

OpKey Reader::makeOpKey() const {
  FrameworkCallKey call;
  // Zones at several places may share a name.
  if (!get(kFile).empty())
    call.frames = {parseFrame(
        isOfGpu(header) ? get(kFile).str()
                        : (get(kFile) + "(" + get(kLine) + ")").str())};
  return OpKey(get(kName).str(), "", std::move(call));
}

llvm::Error Reader::addTotal() {
  uint64_t count;
  int64_t ps, leastPs, mostPs;
  if (!table::parseCount(get(kCounts), count))
    return fail("has a count that is not a number above 0");
  if (!getTime(kTotal, ps))
    return fail("has a total that is not a number");
  Summary summary = table::makeEvenSummary(count, ps);
  if (getTime(kLeast, leastPs) && getTime(kMost, mostPs) &&
      leastPs <= summary.min && summary.max <= mostPs) {
    summary.min = leastPs;
    summary.max = mostPs;
  }
  totals.add(makeOpKey(), summary);
  return llvm::Error::success();
}

Lane &Reader::getLane() {
  std::string thread = get(kThread).str();
  auto [it, isNew] = laneOfThread.try_emplace(thread, lanes.size());
  if (isNew) {
    Track track;
    track.plane = "Tracy";
    track.line = uint32_t(lanes.size());
    track.name = isOfGpu(header)  ? "GPU"
                 : thread.empty() ? "thread"
                                  : "thread " + thread;
    lanes.push_back({builder.addTrack(std::move(track)), {}});
  }
  return lanes[it->second];
}

llvm::Error Reader::addExecution() {
  int64_t beginPs, durationPs;
  // With -p, values of plots follow, which have only a time.
  if (get(kFile).empty() && get(kDuration).empty() && !isOfGpu(header)) {
    ++plotValues;
    return llvm::Error::success();
  }
  bool isOnGpu = isOfGpu(header);
  StringRef begin = isOnGpu ? kGpuBegin : kBegin;
  StringRef duration = isOnGpu ? kGpuDuration : kDuration;
  if (!getTime(begin, beginPs) || !getTime(duration, durationPs))
    return fail("has a begin or a duration that is negative or not a number");
  LaneEvent event;
  event.beginPs = beginPs;
  event.endPs = saturatingAdd(beginPs, durationPs);
  event.name = builder.addName(get(kName));
  event.op = builder.addOpKey(makeOpKey());
  getLane().events.push_back(event);
  return llvm::Error::success();
}

llvm::Error Reader::read() {
  if (rows.next())
    header = table::Header(rows.getFields());
  if (!isTable(header))
    return fail("is not a header of a table of tracy-csvexport");
  bool isSingle = hasExecutions(header) || isOfGpu(header);
  while (rows.next()) {
    takeFields();
    if (get(kName).empty())
      return fail("does not have a name");
    if (llvm::Error error = isSingle ? addExecution() : addTotal())
      return error;
  }
  if (rows.getFault() != table::CsvReader::Fault::None)
    return fail(rows.describeFault());
  builder.getRun().producer.name = "Tracy";
  if (isSingle) {
    builder.getRun().clock.name = "since the begin of the recording";
    if (plotValues)
      builder.loss("value of a plot, not kept", plotValues, 0);
    emitLanes(lanes, builder);
    return llvm::Error::success();
  }
  builder.loss("totals of zones, which may hold the time of zones inside of "
               "them (export with -u to separate them)",
               1, 0);
  totals.finish();
  return llvm::Error::success();
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  return Reader(input, builder).read();
}

Importer importer::IreeTracyCsv() {
  return {"tracy-csv", "zones that tracy-csvexport wrote, IREE's and others",
          detect, read};
}
