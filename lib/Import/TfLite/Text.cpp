//===- Text.cpp - Tables of TensorFlow Lite's benchmarks ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/TextLines.h"
#include "../Importers.h"
#include "TfLite.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::tflite;
using namespace mlirprof::profile;

// benchmark_model prints several tables, each under a line "==== Title ====".
// "Run Order" contains every node; the others contain the same nodes in another
// order, or sums by type. The number of runs follows them.

static constexpr llvm::StringLiteral kRunOrder = "= Run Order =";
static constexpr llvm::StringLiteral kInitialization =
    "Profiling Info for Benchmark Initialization";
static constexpr llvm::StringLiteral kRuns =
    "Operator-wise Profiling Info for Regular Benchmark Runs";

static bool detect(llvm::StringRef bytes) {
  llvm::StringRef head = bytes.take_front(1 << 20);
  return head.contains(kRunOrder) && head.contains_insensitive("node type") &&
         head.contains_insensitive("times called");
}

namespace {

using Fields = llvm::SmallVector<std::string, 12>;

class Reader {
public:
  Reader(const ImportInput &input, ProfileBuilder &builder)
      : input(input), builder(builder), nodes(builder) {}
  llvm::Error read();

private:
  struct Row {
    Node node;
    int64_t averagePs = 0;
    uint64_t timesCalled = 0;
  };

  llvm::Error fail(const llvm::Twine &what) const {
    return inputError(input.where + ": line " + llvm::Twine(number), what,
                      "A row is 'node type, [start,] first, avg_ms, %, cdf%, "
                      "mem KB, times called, name', with commas or tabs.");
  }
  llvm::Error readLine(llvm::StringRef line);
  llvm::Error readHeader(llvm::StringRef line);
  llvm::Error readRow(llvm::StringRef line);
  void readPart(llvm::StringRef line);
  void closeTable(std::optional<uint64_t> runs);

  const ImportInput &input;
  ProfileBuilder &builder;
  Nodes nodes;
  size_t number = 0;
  enum class State : uint8_t {
    Elsewhere,
    Header,
    Rows
  } state = State::Elsewhere;
  char separator = ',';
  /// The number of columns between the type and the name, and the relevant
  /// ones.
  size_t numbers = 0;
  llvm::SmallVector<bool, 12> isPercentage;
  size_t average = 0;
  size_t timesCalled = 0;
  Part part = Part::Runs;
  uint32_t subgraph = 0;
  std::vector<Row> rows;
};

} // namespace

static Fields splitFields(llvm::StringRef line, char separator) {
  llvm::SmallVector<llvm::StringRef, 12> parts;
  line.split(parts, separator);
  Fields fields;
  for (llvm::StringRef part : parts)
    fields.push_back(part.trim().str());
  return fields;
}

static std::string join(llvm::ArrayRef<std::string> fields, char separator) {
  return llvm::join(fields, separator == ',' ? ", " : "\t");
}

llvm::Error Reader::readHeader(llvm::StringRef line) {
  separator = line.contains('\t') ? '\t' : ',';
  Fields names = splitFields(line.trim("\t "), separator);
  for (std::string &name : names)
    name = llvm::StringRef(name).trim("[]").lower();
  auto find = [&](llvm::ArrayRef<llvm::StringRef> spellings) {
    for (size_t i = 1; i + 1 < names.size(); ++i)
      if (llvm::is_contained(spellings, llvm::StringRef(names[i])))
        return i - 1;
    return size_t(0);
  };
  average = find({"avg_ms", "avg ms"});
  timesCalled = find({"times called"});
  if (names.size() < 4 || names.front() != "node type" ||
      names.back() != "name" || !average || !timesCalled)
    return fail("is not a header of a table of nodes");
  numbers = names.size() - 2;
  isPercentage.clear();
  for (size_t i = 0; i != numbers; ++i)
    isPercentage.push_back(llvm::StringRef(names[i + 1]).ends_with("%"));
  state = State::Rows;
  return llvm::Error::success();
}

/// Whether `text` is a number in the form of such a column.
static bool isNumber(llvm::StringRef text, bool isPercentage) {
  double value;
  return (!isPercentage || text.consume_back("%")) && !text.empty() &&
         !text.getAsDouble(value);
}

llvm::Error Reader::readRow(llvm::StringRef line) {
  Fields fields = splitFields(line, separator);
  // Rows of the padded form begin with a tab. Types and names may contain the
  // separator: the numbers in between determine where they end.
  size_t begin = separator == '\t' && fields.front().empty() ? 1 : 0;
  size_t first = begin + 1;
  auto isRun = [&](size_t at) {
    for (size_t i = 0; i < numbers; ++i)
      if (!isNumber(fields[at + i], isPercentage[i]))
        return false;
    return true;
  };
  while (first + numbers < fields.size() && !isRun(first))
    ++first;
  if (first + numbers >= fields.size())
    return fail("is not a row of a table of nodes");
  llvm::ArrayRef<std::string> all(fields);
  Row row;
  row.node.type = join(all.slice(begin, first - begin), separator);
  row.node.name = join(all.drop_front(first + numbers), separator);
  row.node.part = part;
  row.node.subgraph = subgraph;
  if (!table::parseDuration(fields[first + average],
                            json::DecimalUnit::Milliseconds, row.averagePs))
    return fail("has a time that is negative or too large");
  // Nodes that did not run in every run have 0 here.
  if (!table::parseCount(fields[first + timesCalled], row.timesCalled))
    row.timesCalled = 1;
  rows.push_back(std::move(row));
  return llvm::Error::success();
}

/// Passes the rows to the profile once the number of runs is known.
void Reader::closeTable(std::optional<uint64_t> runs) {
  if (!runs && !rows.empty())
    builder.loss("table without a number of runs, assumed to be one", 1, 0);
  for (Row &row : rows) {
    uint64_t count;
    if (__builtin_mul_overflow(row.timesCalled, runs.value_or(1), &count) ||
        count >> 48)
      count = row.timesCalled;
    int64_t sum;
    if (__builtin_mul_overflow(row.averagePs, int64_t(count), &sum))
      sum = std::numeric_limits<int64_t>::max();
    row.node.execute = table::makeEvenSummary(count, sum);
    nodes.add(std::move(row.node));
  }
  rows.clear();
}

/// Reads the information that lines between tables give on the next one.
void Reader::readPart(llvm::StringRef line) {
  if (line.contains(kInitialization))
    part = Part::Initialization;
  else if (line.contains(kRuns))
    part = Part::Runs;
  llvm::StringRef index = line;
  if (line.starts_with("Primary graph ") ||
      line.starts_with("Delegate internal:"))
    subgraph = 0;
  else if (index.consume_front("Subgraph (index: ") && index.ends_with(":"))
    index.consumeInteger(10, subgraph);
  size_t timings = line.find("Timings (microseconds): count=");
  if (timings == llvm::StringRef::npos)
    return;
  llvm::StringRef count = line.drop_front(line.find("count=", timings) + 6);
  uint64_t runs = 0;
  bool isKnown = !count.consumeInteger(10, runs) && runs > 0;
  closeTable(isKnown ? std::optional<uint64_t>(runs) : std::nullopt);
}

llvm::Error Reader::readLine(llvm::StringRef line) {
  if (line.starts_with("=====")) {
    // A second table of all nodes, without runs after the first.
    if (line.contains(kRunOrder) && !rows.empty())
      closeTable(std::nullopt);
    state = line.contains(kRunOrder) ? State::Header : State::Elsewhere;
    return llvm::Error::success();
  }
  if (state == State::Header)
    return readHeader(line);
  if (state == State::Rows && !line.trim().empty())
    return readRow(line);
  state = State::Elsewhere;
  readPart(line);
  return llvm::Error::success();
}

llvm::Error Reader::read() {
  llvm::StringRef rest = input.bytes;
  while (!rest.empty()) {
    ++number;
    if (llvm::Error error = readLine(takeLine(rest)))
      return error;
  }
  closeTable(std::nullopt);
  if (nodes.size() == 0)
    return fail("the file ends without a node");
  nodes.finish();
  return llvm::Error::success();
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  return Reader(input, builder).read();
}

Importer importer::TfLiteText() {
  return {"tflite-text", "tables of TensorFlow Lite's benchmark_model, CSV too",
          detect, read};
}
