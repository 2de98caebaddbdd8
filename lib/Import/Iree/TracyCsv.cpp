//===- TracyCsv.cpp - Zones of Tracy as a table ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tracy-csvexport writes a row a zone with totals, or with -u a row each time
// that a zone ran. IREE's dispatches and its runtime's functions are zones.
//
//===----------------------------------------------------------------------===//

#include "../Importers.h"
#include "../Lanes.h"
#include "../Table/Csv.h"
#include "../Table/Totals.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
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

static bool hasTotals(const table::Header &header) {
  return header.has(kTotal) && header.has(kCounts);
}

static bool hasExecutions(const table::Header &header) {
  return header.has(kBegin) && header.has(kDuration);
}

static bool isTable(const table::Header &header) {
  return header.has(kName) && header.has(kFile) && header.has(kLine) &&
         (hasTotals(header) || hasExecutions(header));
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
                      "Tables that are read are those of tracy-csvexport, with "
                      "or without -u, separated by commas.");
  }
  StringRef get(StringRef column) const {
    return table::getField(header, rows.getFields(), column);
  }
  bool getTime(StringRef column, int64_t &ps) const {
    return table::parseDuration(get(column), json::DecimalUnit::Nanoseconds,
                                ps);
  }
  OpKey makeOpKey() const;
  llvm::Error addTotal();
  llvm::Error addExecution();
  Lane &getLane();

  const ImportInput &input;
  ProfileBuilder &builder;
  table::Totals totals;
  table::CsvReader rows;
  table::Header header;
  std::map<std::string, size_t> laneOfThread;
  std::vector<Lane> lanes;
};

} // namespace

OpKey Reader::makeOpKey() const {
  OpKey key;
  key.kind = OpKeyKind::FrameworkCall;
  key.op = get(kName).str();
  // Zones of one name may stand at several places.
  if (!get(kFile).empty())
    key.call.frames = {(get(kFile) + "(" + get(kLine) + ")").str()};
  return key;
}

llvm::Error Reader::addTotal() {
  uint64_t count;
  int64_t ps, leastPs, mostPs;
  if (!table::parseCount(get(kCounts), count))
    return fail("has a count that is no number above 0");
  if (!getTime(kTotal, ps))
    return fail("has a total that is no number");
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
    track.name = thread.empty() ? "thread" : "thread " + thread;
    lanes.push_back({builder.addTrack(std::move(track)), {}});
  }
  return lanes[it->second];
}

llvm::Error Reader::addExecution() {
  int64_t beginPs, durationPs;
  if (!getTime(kBegin, beginPs) || !getTime(kDuration, durationPs))
    return fail("has a begin or a duration that is no number, or negative");
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
    return fail("is no header of a table of tracy-csvexport");
  bool isSingle = hasExecutions(header);
  while (rows.next()) {
    if (get(kName).empty())
      return fail("has no name");
    if (llvm::Error error = isSingle ? addExecution() : addTotal())
      return error;
  }
  if (rows.getFault() != table::CsvReader::Fault::None)
    return fail(rows.describeFault());
  builder.getRun().producer.name = "Tracy";
  if (isSingle) {
    builder.getRun().clock.name = "since the begin of the recording";
    emitLanes(lanes, builder);
    return llvm::Error::success();
  }
  builder.loss("totals of zones, which may hold the time of zones inside of "
               "them (export with -u tells them apart)",
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
