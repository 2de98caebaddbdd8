//===- Csv.cpp - Light-weight profiling's table ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Table/Csv.h"
#include "../Importers.h"
#include "Lwp.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::lwp;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static constexpr llvm::StringLiteral kHeader =
    "function name,loop/function id,loop depth,start offset,end offset,"
    "pcycles,parent count";
static constexpr unsigned kColumns = 7;

bool lwp::detectCsv(llvm::StringRef bytes) {
  return bytes.starts_with(kHeader);
}

namespace {

struct Row {
  uint32_t id = 0;
  int64_t depth = -1;
};

class Reader {
public:
  Reader(const ImportInput &input, ProfileBuilder &builder)
      : input(input), builder(builder) {}
  llvm::Error read();

private:
  llvm::Error fail(const llvm::Twine &what) {
    return inputError(input.where + ": line " + llvm::Twine(line), what,
                      llvm::Twine("Its columns are ") + kHeader + ".");
  }
  llvm::Error readRow(llvm::ArrayRef<std::string> fields);
  void subtractChildren();

  const ImportInput &input;
  ProfileBuilder &builder;
  size_t line = 1;
  std::map<uint32_t, Measured> measured;
  std::string function;
  /// The rows that may contain the next one, outermost first.
  std::vector<Row> stack;
};

} // namespace

llvm::Error Reader::readRow(llvm::ArrayRef<std::string> fields) {
  if (fields.size() != kColumns)
    return fail("has " + llvm::Twine(fields.size()) + " columns, not 7");
  Measured info;
  Row row;
  uint64_t id;
  info.function = fields[0];
  info.isFunction = fields[2] == "-";
  if (llvm::StringRef(fields[1]).getAsInteger(10, id) || id >= kMostIds)
    return fail("'" + fields[1] + "' is not a loop id");
  row.id = uint32_t(id);
  if (!info.isFunction &&
      (llvm::StringRef(fields[2]).getAsInteger(10, row.depth) || row.depth < 0))
    return fail("'" + fields[2] + "' is not a loop depth");
  if (llvm::StringRef(fields[3]).getAsInteger(0, info.begin) ||
      llvm::StringRef(fields[4]).getAsInteger(0, info.end))
    return fail("has an offset that is not a number");
  if (llvm::StringRef(fields[5]).getAsInteger(10, info.cycles) ||
      info.cycles < 0)
    return fail("'" + fields[5] + "' is not a number of cycles");
  // Samples do not contain the number of executions of a loop: assume one, all
  // together.
  info.count = 1;
  if (fields[6] != "-" &&
      (llvm::StringRef(fields[6]).getAsInteger(10, info.count) ||
       info.count >> 48))
    return fail("'" + fields[6] + "' is not a count");
  if (info.isFunction || info.function != function)
    stack.clear();
  function = info.function;
  // The nearest line above with a smaller depth, whatever the difference.
  while (!stack.empty() && stack.back().depth >= row.depth)
    stack.pop_back();
  info.parent = stack.empty() ? kNone : stack.back().id;
  info.self = info.cycles;
  stack.push_back(row);
  if (!measured.emplace(row.id, std::move(info)).second)
    return fail("has the id " + llvm::Twine(id) + " of a line before it");
  return llvm::Error::success();
}

void Reader::subtractChildren() {
  uint64_t beyond = 0;
  for (const auto &[id, info] : measured)
    if (info.parent != kNone) {
      Measured &parent = measured.at(info.parent);
      parent.self = saturatingSub(parent.self, info.cycles);
    }
  for (auto &[id, info] : measured)
    if (info.self < 0) {
      info.self = 0;
      ++beyond;
    }
  if (beyond)
    builder.loss("loop whose inner loops took longer than it", beyond, 0);
}

llvm::Error Reader::read() {
  if (!detectCsv(input.bytes))
    return fail("is not a table of light-weight profiling");
  table::CsvReader reader(input.bytes);
  while (reader.next()) {
    line = reader.getLine();
    if (line == 1)
      continue;
    if (llvm::Error error = readRow(reader.getFields()))
      return error;
  }
  line = reader.getLine();
  if (reader.getFault() != table::CsvReader::Fault::None)
    return fail(reader.describeFault());
  subtractChildren();
  addMeasured(measured, builder);
  return llvm::Error::success();
}

llvm::Error lwp::readCsv(const ImportInput &input, ProfileBuilder &builder) {
  return Reader(input, builder).read();
}

Importer importer::LwpCsv() {
  return {"lwp-csv", "table of light-weight profiling", lwp::detectCsv,
          lwp::readCsv};
}
