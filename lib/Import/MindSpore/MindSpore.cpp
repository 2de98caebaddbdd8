//===- MindSpore.cpp - MindSpore's and Ascend's tables --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Importers.h"
#include "../Table/Csv.h"
#include "../Table/Totals.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;

namespace {

/// One of the tables, by its columns. A table has either single executions,
/// with their begin, or totals.
struct Layout {
  /// The column whose presence tells the layout.
  llvm::StringLiteral mark;
  llvm::StringLiteral name;
  llvm::StringLiteral type;
  llvm::StringLiteral duration;
  llvm::StringLiteral count;
  llvm::StringLiteral begin;
  llvm::StringLiteral shapes;
  /// Whether `duration` is of one execution on average, not of all.
  bool isAverage;
  /// Whether the header says microseconds.
  bool hasUnit;
};

} // namespace

// Older names of columns come last, so that files with both are read by the
// newer ones.
static constexpr Layout kLayouts[] = {
    // ASCEND_PROFILER_OUTPUT/kernel_details.csv
    {"Accelerator Core", "Name", "Type", "Duration(us)", "", "Start Time(us)",
     "Input Shapes", false, true},
    // ASCEND_PROFILER_OUTPUT/op_statistic.csv
    {"Core Type", "OP Type", "Core Type", "Total Time(us)", "Count", "", "",
     false, true},
    // aicore_intermediate_N_detail.csv
    {"full_kernel_name", "full_kernel_name", "task_type", "task_duration",
     "execution_frequency", "", "", true, false},
    {"full_op_name", "full_op_name", "", "execution_time",
     "execution_frequency", "", "", true, false},
    // aicore_intermediate_N_type.csv
    {"kernel_type", "kernel_type", "", "total_time", "execution_frequency", "",
     "", false, false},
    {"op_type", "op_type", "", "total_time", "execution_frequency", "", "",
     false, false},
};

static const Layout *findLayout(const table::Header &header) {
  for (const Layout &layout : kLayouts)
    if (header.has(layout.mark) && header.has(layout.name) &&
        header.has(layout.duration) &&
        (layout.count.empty() || layout.begin.empty() ||
         header.has(layout.count)))
      return &layout;
  return nullptr;
}

static bool detect(llvm::StringRef bytes) {
  const Layout *layout = findLayout(table::peekHeader(bytes));
  if (!layout)
    return false;
  // Names that others may use, too, need a second column.
  table::Header header = table::peekHeader(bytes);
  return layout->hasUnit || header.has("execution_frequency") ||
         header.has("task_type");
}

/// "\"16,16;16,16\"" as FrameworkCall::shapes: "[[16,16],[16,16]]".
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
                      "_type.csv.");
  }
  llvm::StringRef get(llvm::StringRef column) const {
    return column.empty() ? ""
                          : table::getField(header, lines.getFields(), column);
  }
  llvm::Error readRow();
  llvm::Error addExecution(OpKey key, int64_t durationPs);
  uint32_t getTrack();

  const ImportInput &input;
  ProfileBuilder &builder;
  table::Totals totals;
  table::CsvReader lines;
  table::Header header;
  const Layout *layout = nullptr;
  std::map<std::string, uint32_t> tracks;
  /// The begin of the first line: times count from there.
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
    return fail("has a begin that is no number");
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

llvm::Error Reader::readRow() {
  OpKey key;
  key.kind = OpKeyKind::FrameworkCall;
  key.op = get(layout->name).str();
  key.kernel = get(layout->type).str();
  key.call.shapes = parseShapes(get(layout->shapes));
  if (key.op.empty())
    return fail("has no name");
  int64_t durationPs;
  if (!table::parseDuration(get(layout->duration),
                            json::DecimalUnit::Microseconds, durationPs))
    return fail("has a duration that is no number, or negative");
  if (!layout->begin.empty() && header.has(layout->begin))
    return addExecution(std::move(key), durationPs);
  uint64_t count = 1;
  llvm::StringRef countText = get(layout->count);
  if (!countText.empty() && !table::parseCount(countText, count))
    return fail("has a count that is no number above 0");
  if (layout->isAverage &&
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
    return fail("is no header of a table of MindSpore");
  if (!layout->hasUnit)
    builder.loss("times of a table that names no unit, taken for microseconds",
                 1, 0);
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
