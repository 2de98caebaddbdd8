//===- MindSpore.cpp - Tables of MindSpore and Ascend ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Table/Csv.h"
#include "../Common/Table/Totals.h"
#include "../Importers.h"
#include "Layouts.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static bool detect(llvm::StringRef bytes) {
  return findLayout(table::peekHeader(bytes)) != nullptr;
}

/// "\"16,16;16,16\"" as InputShapes::print(): "[[16,16],[16,16]]".
static std::string parseShapes(llvm::StringRef text) {
  text = text.trim("\" ");
  if (text.empty() || text == "N/A")
    return "";
  std::string shapes = "[[";
  for (char c : text)
    if (c == ';')
      shapes += "],[";
    else if (c != ' ')
      shapes += c;
  return shapes + "]]";
}

namespace {

class Reader {
public:
  Reader(const ImportInput &input, ProfileBuilder &builder)
      : input(input), builder(builder), totals(builder), lines(input.bytes) {}
  llvm::Error read();

private:
  llvm::Error fail(const llvm::Twine &what) const {
    return inputError(input.where + ": line " + llvm::Twine(lines.getLine()),
                      what,
                      "Tables that are read: kernel_details.csv, "
                      "op_statistic.csv, aicore_intermediate_N_detail.csv and "
                      "_type.csv, aicpu_intermediate_N.csv.");
  }
  llvm::StringRef get(llvm::StringRef column) const {
    return column.empty() ? ""
                          : table::getField(header, lines.getFields(), column);
  }
  llvm::Error readRow();
  bool parseTime(json::WidePs &durationPs) const;
  llvm::Error addExecution(OpKey key, int64_t durationPs);
  void describe();
  uint32_t getTrack();

  const ImportInput &input;
  ProfileBuilder &builder;
  table::Totals totals;
  table::CsvReader lines;
  table::Header header;
  const Layout *layout = nullptr;
  std::map<std::string, uint32_t> tracks;
  /// The begin of the first line, the origin of times.
  std::optional<json::WidePs> origin;
};

} // namespace

uint32_t Reader::getTrack() {
  std::string device = get("Device_id").str();
  std::string stream = get("Stream ID").str();
  auto [it, isNew] = tracks.try_emplace(device + "/" + stream, 0);
  if (isNew) {
    Track track;
    track.plane = device.empty() ? "device" : "device " + device;
    track.name = stream.empty() ? "stream" : "stream " + stream;
    track.line = uint32_t(tracks.size() - 1);
    it->second = builder.addTrack(std::move(track));
  }
  return it->second;
}

llvm::Error Reader::addExecution(OpKey key, int64_t durationPs) {
  json::WidePs begin;
  if (!json::parseDecimalTime(get(layout->begin),
                              json::DecimalUnit::Microseconds, begin))
    return fail("has a begin that is not a number");
  if (!origin)
    origin = begin;
  json::WidePs relative = begin - *origin;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 2;
  if (relative > kMost || relative < -kMost)
    return fail("begins too far from the first line's time");
  Event event;
  event.track = getTrack();
  event.name = builder.addName(get(layout->name));
  event.op = builder.addOpKey(std::move(key));
  event.beginPs = int64_t(relative);
  event.endPs = saturatingAdd(event.beginPs, durationPs);
  builder.event(event);
  return llvm::Error::success();
}

/// Reads the duration of a row.
bool Reader::parseTime(json::WidePs &durationPs) const {
  if (!layout->duration.empty())
    return json::parseDecimalTime(get(layout->duration), layout->unit,
                                  durationPs);
  json::WidePs begin, end;
  if (!json::parseDecimalTime(get(layout->begin),
                              json::DecimalUnit::Microseconds, begin) ||
      !json::parseDecimalTime(get(layout->end), json::DecimalUnit::Microseconds,
                              end))
    return false;
  durationPs = end - begin;
  return true;
}

void Reader::describe() {
  if (layout->unit == json::DecimalUnit::Milliseconds)
    builder.getRun().facts.emplace_back("unit of the table's times", "ms");
  if (layout->time == RowTime::Step)
    builder.loss("times of one step, on average: the table does not say how "
                 "many steps ran",
                 1, 0);
}

llvm::Error Reader::readRow() {
  OpKey key;
  key.op = get(layout->name).str();
  key.kernel = get(layout->type).str();
  key.make<FrameworkCallKey>().shapes =
      InputShapes::parse(parseShapes(get(layout->shapes)));
  if (key.op.empty())
    return fail("does not have a name");
  json::WidePs wide;
  if (!parseTime(wide) || wide < 0 ||
      wide > std::numeric_limits<int64_t>::max())
    return fail("has a duration that is not a number, or negative");
  int64_t durationPs = int64_t(wide);
  if (layout->time == RowTime::Execution && header.has(layout->begin))
    return addExecution(std::move(key), durationPs);
  uint64_t count = 1;
  llvm::StringRef countText = get(layout->count);
  if (!countText.empty() && !table::parseCount(countText, count))
    return fail("has a count that is not a number above 0");
  if (layout->time == RowTime::Average &&
      __builtin_mul_overflow(durationPs, int64_t(count), &durationPs))
    return fail("has a duration that is too large");
  totals.add(std::move(key), table::makeEvenSummary(count, durationPs));
  return llvm::Error::success();
}

llvm::Error Reader::read() {
  if (lines.next())
    header = table::Header(lines.getFields());
  layout = findLayout(header);
  if (!layout)
    return fail("is not a header of a table of MindSpore");
  describe();
  while (lines.next())
    if (llvm::Error error = readRow())
      return error;
  if (lines.getFault() != table::CsvReader::Fault::None)
    return fail(lines.describeFault());
  totals.finish();
  return llvm::Error::success();
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  return Reader(input, builder).read();
}

Importer importer::MindSpore() {
  return {"mindspore-csv",
          "MindSpore's and Ascend's tables of kernels and their types", detect,
          read};
}
